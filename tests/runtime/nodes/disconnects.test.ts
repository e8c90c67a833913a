import { expect, test } from 'vitest';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../support/demo.ts';
import { seatPatron } from '../support/testDependencies.ts';
import { type TestNode, TestCluster, phaseAt, slipOf, tableAt } from '../support/testCluster.ts';

// A terminal may move from one node to another, while a third leads the table.

/** Three nodes, of which the first leads the table; a patron with a stake there is connected to the second. */
async function openThreeNodes() {
  const nodes = new TestCluster();
  const a = await nodes.addNode('a');
  const b = await nodes.addNode('b');
  const c = await nodes.addNode('c');
  await nodes.takeLease(a, 'baccarat');
  await nodes.until(() => phaseAt(a) === 'betting');
  const session = await seatPatron(b.floor, 'hash', demoCredit);
  await c.floor.terminals.open('T2-1');
  b.floor.terminalConnected('T2-1', 'baccarat');
  expect(await tableAt(b).submit('s1', slipOf(b, session, 1000))).toHaveProperty('entries');
  await flushPromises();
  const pass = async (span: number): Promise<void> => {
    const until = nodes.time.now + span;
    nodes.time.after(span, () => {});
    await nodes.until(() => nodes.time.now >= until);
  };
  const reports = ({ published }: TestNode) =>
    published.map(({ event }) => event).filter(({ type }) => /^Terminals(Disconnected|Reconnected)$/.test(type));
  return { nodes, a, b, c, session, pass, reports };
}

test('[HOUSE 11] disconnect and reconnect at a follower are reported to the leader of the table', async () => {
  const { nodes, a, b, session, pass, reports } = await openThreeNodes();
  b.floor.terminalDisconnected('T2-1', 'baccarat');
  await pass(3_000);
  expect(reports(a)).toMatchObject([{ type: 'TerminalsDisconnected', terminals: [session] }]);
  expect(reports(b)).toEqual(reports(a));
  b.floor.terminalConnected('T2-1', 'baccarat');
  await pass(3_000);
  expect(reports(a).slice(1)).toMatchObject([{ type: 'TerminalsReconnected', terminals: [session] }]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

test.each([['disconnected here, then connected there'], ['connected there, then disconnected here']])(
  '[HOUSE 11] terminal that moves from one node to another was never disconnected: %s',
  async (order) => {
    const { nodes, a, b, c, session, pass, reports } = await openThreeNodes();
    const disconnect = (): void => b.floor.terminalDisconnected('T2-1', 'baccarat');
    const reconnect = (): void => c.floor.terminalConnected('T2-1', 'baccarat');
    for (const step of order.startsWith('disconnected') ? [disconnect, reconnect] : [reconnect, disconnect]) {
      step();
      await pass(1_000);
    }
    await pass(4_000);
    expect(reports(a)).toEqual([]);
    // A disconnect at the present node of the terminal is reported, even if that node is the leader.
    c.floor.terminalDisconnected('T2-1', 'baccarat');
    await pass(3_000);
    expect(reports(a)).toMatchObject([{ type: 'TerminalsDisconnected', terminals: [session] }]);
    await a.floor.terminals.open('T2-1');
    a.floor.terminalConnected('T2-1');
    await pass(3_000);
    expect(reports(a)).toHaveLength(2);
    expect((await verifyStore(nodes.store)).problem).toBeUndefined();
  },
);

test('disconnect that concerns no table is not sent, and a follower reports nothing', async () => {
  const { nodes, a, b, c, pass, reports } = await openThreeNodes();
  const other = await seatPatron(c.floor, 'other', demoCredit);
  // It has no stake, and left by its own choice.
  c.floor.terminalDisconnected('T3-1', undefined);
  c.floor.terminalConnected('T3-1');
  b.floor.connectionReported(tableAt(b).stream, 'c', { session: other, seated: true, disconnected: true });
  a.floor.connectionReported('demo/table/none', 'c', { session: other, seated: true, disconnected: true });
  a.floor.connectionReported(tableAt(a).stream, 'c', { session: other, seated: false, disconnected: true });
  await pass(4_000);
  expect(reports(a)).toEqual([]);
  // The next leader knows no connections, and reports those it receives from then on.
  c.floor.terminalDisconnected('T3-1', 'baccarat');
  await nodes.releaseLease(a, 'baccarat');
  await nodes.takeLease(b, 'baccarat', nodes.time.now);
  await pass(4_000);
  expect(reports(b)).toEqual([]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

test('[HOUSE 11] terminals of a killed node are disconnected, and connected again at another', async () => {
  const { nodes, a, b, c, session, pass, reports } = await openThreeNodes();
  const idle = await seatPatron(b.floor, 'idle', demoCredit);
  const elsewhere = await seatPatron(b.floor, 'elsewhere', demoCredit);
  for (const terminal of ['T2-2', 'T2-3']) await a.floor.terminals.open(terminal);
  b.floor.publishSeat('T2-1', 'baccarat');
  b.floor.publishSeat('T2-2', 'baccarat');
  b.floor.publishSeat('T2-3', null);
  expect([idle, elsewhere]).toEqual(['T2-2.1', 'T2-3.1']);
  expect(a.floor.remoteTerminals.seatedAt('baccarat')).toBe(2);
  expect(['T2-1', 'T2-3', 'T2-4'].map((terminal) => c.floor.remoteTerminals.isPresent(terminal))).toEqual([
    true,
    true,
    false,
  ]);
  nodes.kill(b);
  expect(a.floor.remoteTerminals.seatedAt('baccarat')).toBe(0);
  expect(a.floor.remoteTerminals.isPresent('T2-1')).toBe(false);
  await pass(3_000);
  // One has a stake and one only a seat; a terminal without a seat is not reported.
  expect(reports(a)).toMatchObject([{ type: 'TerminalsDisconnected', terminals: [session, idle] }]);
  c.floor.terminalConnected('T2-1', 'baccarat');
  c.floor.publishSeat('T2-1', 'baccarat');
  await pass(3_000);
  expect(reports(a).slice(1)).toMatchObject([{ type: 'TerminalsReconnected', terminals: [session] }]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

test('[HOUSE 11] terminal that reaches another node in time is not reported', async () => {
  const { nodes, a, b, c, pass, reports } = await openThreeNodes();
  b.floor.publishSeat('T2-1', 'baccarat');
  nodes.kill(b);
  await pass(1_000);
  c.floor.publishSeat('T2-1', null);
  await pass(4_000);
  expect(reports(a)).toEqual([]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});
