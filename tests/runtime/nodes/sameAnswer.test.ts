import { expect, test } from 'vitest';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../support/demo.ts';
import { openTwoFloors } from '../support/twoFloors.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type NewSessionWithToken } from '../../../src/runtime/staff/signInService.ts';
import { seatPatron } from '../support/testDependencies.ts';
import { type TestNode, TestCluster, phaseAt, slipOf, tableAt } from '../support/testCluster.ts';

// The same command id at two nodes: the second node gives the result that the first one has stored.

async function openTwo(more: Parameters<TestCluster['addNode']>[1] = {}) {
  const nodes = new TestCluster();
  const a = await nodes.addNode('a', more);
  const b = await nodes.addNode('b', more);
  await nodes.takeLease(a, 'baccarat');
  await nodes.until(() => phaseAt(a) === 'betting');
  const session = await seatPatron(a.floor, 'hash', demoCredit);
  await flushPromises();
  await b.floor.terminals.open('T1-1');
  nodes.areHintsLost = true;
  return { nodes, a, b, session };
}

const loadCash = ({ floor }: TestNode, id: string, amount: number) =>
  floor.terminals.submit('T1-1', id, { type: 'LoadCredit', method: 'cash', amount });

/** Runs an action once, after the n-th look-up of a command id from now and before its result is used. */
function afterLookup(nodes: TestCluster, id: string, lookup: number, action: () => Promise<unknown>): void {
  let left = lookup;
  nodes.afterFindCommands = async (ids) => {
    if (!ids.includes(id) || --left > 0) return;
    nodes.afterFindCommands = () => {};
    await action();
  };
}

test('COLLECT with one id at two nodes gives one ticket to both, whichever decides last', async () => {
  const { nodes, a, b } = await openTwo();
  let first: unknown;
  // The first node collects after the other node has looked up the id twice, and before it decides.
  afterLookup(nodes, 'c1', 2, async () => (first = await a.floor.tickets.collect('T1-1', 'c1')));
  const second = await b.floor.tickets.collect('T1-1', 'c1');
  expect(second).toMatchObject({ amount: demoCredit, ticket: { number: expect.any(String) } });
  expect(second).toEqual(first);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

test('bill with one id at two nodes is loaded once, and both give it, also when the second would refuse it', async () => {
  const { nodes, a, b } = await openTwo();
  const { terminals } = a.floor;
  expect(await b.floor.terminals.submit('T1-1', 'lock-1', ...lock)).toHaveProperty('entries');
  let first: unknown;
  // The other node decides on its stale state first, looks up the id again, and reads the terminal.
  afterLookup(nodes, 'l1', 2, async () => {
    expect(await terminals.submit('T1-1', 'unlock', ...unlock)).toHaveProperty('entries');
    first = await loadCash(a, 'l1', 500);
    expect(await terminals.submit('T1-1', 'lock-2', ...lock)).toHaveProperty('entries');
  });
  expect(await loadCash(b, 'l1', 500)).toEqual(first);
  expect(await loadCash(b, 'l2', 500)).toMatchObject({ refused: 'terminal-locked' });
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
});

const bySupervisor = (type: string) =>
  [{ type, reason: 'Inspection.', actor: { person: 's1' } }, { authority: { role: 'supervisor' } }] as const;
const [lock, unlock] = [bySupervisor('LockTerminal'), bySupervisor('UnlockTerminal')];

test('a refused batch costs one look-up, and a malformed command none', async () => {
  const { nodes, a, session } = await openTwo();
  const lookups: number[] = [];
  nodes.afterFindCommands = (ids) => void lookups.push(ids.length);
  const round = { ...slipOf(a, session, 1000), round: 'demo/baccarat/x/y/1' };
  const refused = await Promise.all(Array.from({ length: 50 }, (_, n) => tableAt(a).submit(`s${n}`, round)));
  expect(new Set(refused.map((one) => 'refused' in one && one.refused))).toEqual(new Set(['bets-closed']));
  // One look-up before the decision and one after it.
  expect(lookups).toEqual([50, 50]);
  const early = Array.from({ length: 50 }, (_, n) =>
    tableAt(a).refuse(`e${n}`, round, { refused: 'not-seated', message: 'No seat.' }),
  );
  await Promise.all(early);
  expect(lookups).toEqual([50, 50, 50]);
  expect(await tableAt(a).submit('\ud800', round)).toMatchObject({ refused: 'bad-request' });
  expect(lookups).toHaveLength(3);
});

test('a refused command whose look-up fails has an unknown result, or is decided again', async () => {
  const { nodes, a, session } = await openTwo();
  const slip = { ...slipOf(a, session, 1000), round: 'demo/baccarat/x/y/1' };
  let failures = 1;
  nodes.afterFindCommands = () => {
    if (failures-- > 0) throw new Error('away');
  };
  expect(await tableAt(a).refuse('s1', slip, { refused: 'not-seated', message: 'No seat.' })).toMatchObject({
    refused: 'result-unknown',
  });
  // The second look-up of a batch fails once: the batch is tried again.
  let lookups = 0;
  nodes.afterFindCommands = () => {
    if (++lookups === 2) throw new Error('away');
  };
  expect(await nodes.waitFor(tableAt(a).submit('s2', slip))).toMatchObject({ refused: 'bets-closed' });
  expect(lookups).toBe(4);
});

test('a resend shares the result of the command in flight, and another request waits for it', async () => {
  const { nodes, a, session } = await openTwo();
  const { promise, resolve } = Promise.withResolvers<void>();
  nodes.beforeAppend = () => promise;
  const first = tableAt(a).submit('s1', slipOf(a, session, 1000));
  await flushPromises();
  const resend = tableAt(a).submit('s1', slipOf(a, session, 1000));
  const other = tableAt(a).submit('s1', slipOf(a, session, 2000));
  expect(tableAt(a).processor.pendingCount).toBe(1);
  nodes.beforeAppend = () => {};
  resolve();
  expect(await first).toHaveProperty('entries');
  expect(await resend).toBe(await first);
  expect(await other).toMatchObject({ refused: 'command-reused' });
});

test('a command that no leader took is looked up at the follower before it is refused', async () => {
  const { nodes, a, b, session } = await openTwo();
  const slip = slipOf(a, session, 1000);
  await b.floor.readUpTo(new Map([[tableAt(a).stream, tableAt(a).processor.sequence]]));
  nodes.disconnect(b);
  const forwarded = tableAt(b).submit('s1', slip);
  const first = await tableAt(a).submit('s1', slip);
  expect(await nodes.waitFor(forwarded)).toEqual(first);
});

test('staff command that is stored keeps its result after its session has ended', async () => {
  const { one, other } = await openTwoFloors(createMemoryStore(), { staff: { demo: true } });
  const { session } = (await one.staff.signIns.demoSignIn({ number: 'N-1' })) as NewSessionWithToken;
  const request = { type: 'NoteName', person: session.person, erased: true };
  const first = await one.staff.refuse('c1', request, session, { refused: 'x', message: 'No.' });
  expect(first).toMatchObject({ refused: 'x', by: null });
  const command = { type: 'ChangeRoles', person: 'p2', roles: ['cage'] };
  const stored = await one.staff.submit('c2', command, session);
  expect(stored).toHaveProperty('entries');
  await one.staff.signOut(session.id);
  await other.staff.refreshAll();
  expect(await other.staff.submit('c2', command, session)).toEqual(stored);
  expect(await other.staff.submit('c3', command, session)).toMatchObject({ refused: 'session-over' });
});
