import { expect, test } from 'vitest';
import { verifyStore } from '../../src/verify/verify.ts';
import { rest } from '../chaos/time.ts';
import { demoCredit } from './demo.ts';
import { seatPatron } from './made.ts';
import { type TestNode, TestCluster, phaseAt, slipOf, tableAt } from './nodes.ts';

// A terminal may be at one node now and at another the next moment, and the table driven by a third.

/** Three nodes, of which the first drives the table; a patron with a stake there, whose link is at the second. */
async function linked() {
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
  await rest();
  const pass = async (span: number): Promise<void> => {
    const until = nodes.time.now + span;
    nodes.time.after(span, () => {});
    await nodes.until(() => nodes.time.now >= until);
  };
  const reports = ({ published }: TestNode) =>
    published.map(({ event }) => event).filter(({ type }) => /^Terminals(Disconnected|Reconnected)$/.test(type));
  return { nodes, a, b, c, session, pass, reports };
}

test('[ETG 5.10] disconnect and reconnect at a follower are reported to the leader of the table', async () => {
  const { nodes, a, b, session, pass, reports } = await linked();
  b.floor.terminalDisconnected('T2-1', 'baccarat');
  await pass(3_000);
  expect(reports(a)).toMatchObject([{ type: 'TerminalsDisconnected', terminals: [session] }]);
  expect(reports(b)).toEqual(reports(a));
  b.floor.terminalConnected('T2-1', 'baccarat');
  await pass(3_000);
  expect(reports(a).slice(1)).toMatchObject([{ type: 'TerminalsReconnected', terminals: [session] }]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

test.each([['lost here, then back there'], ['back there, then lost here']])(
  '[ETG 5.10] a terminal that goes from one node to another was never away: %s',
  async (order) => {
    const { nodes, a, b, c, session, pass, reports } = await linked();
    const lose = (): void => b.floor.terminalDisconnected('T2-1', 'baccarat');
    const comeBack = (): void => c.floor.terminalConnected('T2-1', 'baccarat');
    for (const step of order.startsWith('lost') ? [lose, comeBack] : [comeBack, lose]) {
      step();
      await pass(1_000);
    }
    await pass(4_000);
    expect(reports(a)).toEqual([]);
    // Where it is now it can be lost, also at the node that drives the table.
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
  const { nodes, a, b, c, pass, reports } = await linked();
  const other = await seatPatron(c.floor, 'other', demoCredit);
  // Nothing of it is at stake, and it has left by itself.
  c.floor.terminalDisconnected('T3-1', undefined);
  c.floor.terminalConnected('T3-1');
  b.floor.connectionReported(tableAt(b).stream, 'c', { session: other, seated: true, disconnected: true });
  a.floor.connectionReported('demo/table/none', 'c', { session: other, seated: true, disconnected: true });
  a.floor.connectionReported(tableAt(a).stream, 'c', { session: other, seated: false, disconnected: true });
  await pass(4_000);
  expect(reports(a)).toEqual([]);
  // Who drives the table next knows of no link, and reports those that are told from then on.
  c.floor.terminalDisconnected('T3-1', 'baccarat');
  await nodes.releaseLease(a, 'baccarat');
  await nodes.takeLease(b, 'baccarat', nodes.time.now);
  await pass(4_000);
  expect(reports(b)).toEqual([]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

test('[ETG 5.10] terminals of a killed node are disconnected, and connected again at another', async () => {
  const { nodes, a, b, c, session, pass, reports } = await linked();
  const idle = await seatPatron(b.floor, 'idle', demoCredit);
  const elsewhere = await seatPatron(b.floor, 'elsewhere', demoCredit);
  for (const terminal of ['T2-2', 'T2-3']) await a.floor.terminals.open(terminal);
  b.floor.publishSeat('T2-1', 'baccarat');
  b.floor.publishSeat('T2-2', 'baccarat');
  b.floor.publishSeat('T2-3', null);
  expect([idle, elsewhere]).toEqual(['T2-2.1', 'T2-3.1']);
  expect(a.floor.presence.seatedAt('baccarat')).toBe(2);
  expect(['T2-1', 'T2-3', 'T2-4'].map((terminal) => c.floor.presence.isPresent(terminal))).toEqual([true, true, false]);
  nodes.kill(b);
  expect(a.floor.presence.seatedAt('baccarat')).toBe(0);
  expect(a.floor.presence.isPresent('T2-1')).toBe(false);
  await pass(3_000);
  // One has a stake and one only sat there; whoever sat nowhere is missed by nobody.
  expect(reports(a)).toMatchObject([{ type: 'TerminalsDisconnected', terminals: [session, idle] }]);
  c.floor.terminalConnected('T2-1', 'baccarat');
  c.floor.publishSeat('T2-1', 'baccarat');
  await pass(3_000);
  expect(reports(a).slice(1)).toMatchObject([{ type: 'TerminalsReconnected', terminals: [session] }]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

test('[ETG 5.10] terminal that reaches another node in time is not reported', async () => {
  const { nodes, a, b, c, pass, reports } = await linked();
  b.floor.publishSeat('T2-1', 'baccarat');
  nodes.kill(b);
  await pass(1_000);
  c.floor.publishSeat('T2-1', null);
  await pass(4_000);
  expect(reports(a)).toEqual([]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});
