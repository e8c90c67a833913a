import { expect, test } from 'vitest';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../support/demo.ts';
import { seatPatron } from '../support/testDependencies.ts';
import { TestCluster, slipOf, tableAt } from '../support/testCluster.ts';
import { attendedSettings } from '../support/attendedFloor.ts';

// Staff of a live table, at consoles of any node, while the leader of the table changes.

const stream = `demo/table/${attendedSettings.table}`;
const roles = {
  d1: 'dealer',
  d2: 'dealer',
  s1: 'supervisor',
  p1: 'pit-manager',
  m1: 'gaming-shift-manager',
} as const;

/** Two nodes with a live table. Each command is submitted at the follower, which takes the lease during the append. */
async function shift() {
  const nodes = new TestCluster([attendedSettings]);
  const both = [await nodes.addNode('a'), await nodes.addNode('b')] as const;
  const table = attendedSettings.table;
  let leader = 0;
  let ids = 0;
  let hands = 0;
  const take = async (): Promise<void> => {
    leader = 1 - leader;
    hands += 1;
    expect(await nodes.takeLease(both[leader]!, table, nodes.time.now)).toBeUndefined();
  };
  await take();
  const follower = () => both[1 - leader]!;
  const submit = async (request: Parameters<ReturnType<typeof tableAt>['submit']>[1], context?: object) => {
    const id = `shift-${ids++}`;
    let isAppended = false;
    nodes.beforeAppend = async (batch) => {
      if (isAppended || batch.stream !== stream || batch.entries.every(({ command }) => command.id !== id)) return;
      isAppended = true;
      await take();
    };
    const at = follower();
    const result = await nodes.waitFor(tableAt(at, table).submit(id, request, nodes.time.now, context as never));
    nodes.beforeAppend = () => {};
    await flushPromises();
    await nodes.poll();
    // The node of the command has published it by then, and no node twice.
    for (const { published } of both) {
      const count = published.filter(({ command }) => command.id === id).length;
      expect(count).toBe('entries' in result ? result.entries.length : 0);
    }
    expect(tableAt(both[0], table).table).toEqual(tableAt(both[1], table).table);
    return result;
  };
  const submitAs = (person: keyof typeof roles, type: string, fields: object = {}, more: object = {}) =>
    submit({ type, actor: { person }, ...fields }, { authority: { role: roles[person] }, ...more });
  const apply = async (...request: Parameters<typeof submitAs>): Promise<void> => {
    expect(await submitAs(...request), request[1]).toHaveProperty('entries');
  };
  const state = () => tableAt(follower(), table).table;
  const approves = async (person: keyof typeof roles): Promise<void> => {
    const { id: proposal, hash } = state().proposal!;
    await apply(person, 'Approve', { proposal, hash });
  };
  const shoe = async (name: string): Promise<void> => {
    await apply('d1', 'BringShoe', { shoe: name, seal: `S-${name}` });
    await apply('d1', 'CountCards', { cards: 416 });
    await apply('d1', 'ShuffleShoe', { method: 'by hand' });
    await apply('d1', 'CutShoe', { behind: 14 });
    await apply('d1', 'VerifyShoe');
    await approves('s1');
  };
  const until = (condition: () => boolean) => nodes.until(condition);
  return {
    nodes,
    both,
    ask: submit,
    by: submitAs,
    does: apply,
    approves,
    shoe,
    state,
    follower,
    until,
    hands: () => hands,
  };
}

test('whole shift is worked at followers, while the table is handed over within every command', async () => {
  const {
    nodes,
    both,
    ask: submit,
    by: submitAs,
    does: apply,
    approves,
    shoe,
    state,
    follower,
    until,
    hands,
  } = await shift();
  const second = { second: { person: 'm1' } };
  await apply('p1', 'OpenTable', { settings: attendedSettings, ...second }, { secondAuthority: { role: roles.m1 } });
  await shoe('L1');
  const sessions = [await seatPatron(both[0].floor, 'x', demoCredit), await seatPatron(both[1].floor, 'y', demoCredit)];
  await apply('d1', 'OpenBets');
  const round = state().round!.id;
  for (const [n, session] of sessions.entries()) {
    expect(await submit(slipOf(follower(), session, 1_000 * (n + 1)))).toHaveProperty('entries');
  }
  await apply('d1', 'CallClose', { notice: 20_000 });
  await until(() => state().phase === 'dealing');
  await apply('d1', 'DealCard', { slot: 'P1', card: '9D' });
  // A wrong card, entered at one node, is taken back at another.
  await apply('d1', 'DealCard', { slot: 'B1', card: '3C' });
  await apply('d1', 'TakeBackCard');
  await apply('d1', 'DealCard', { slot: 'B1', card: '2C' });
  await apply('s1', 'Refer', { reason: 'A dispute about a chip.' });
  expect(await submitAs('d1', 'DealCard', { slot: 'P2', card: 'KH' })).toMatchObject({ refused: 'awaiting-decision' });
  await apply('m1', 'DecideReferral', { decision: 'continue', reason: 'It was in time.' });
  await apply('d1', 'CallSupervisor', { reason: 'A spill.' });
  await apply('s1', 'AnswerCall');
  await apply('s1', 'AddNote', { text: 'A spill on the felt.', to: 'floor' });
  // Another dealer relieves the first within a round.
  await apply('d2', 'DealCard', { slot: 'P2', card: 'KH' });
  await apply('d2', 'DealCard', { slot: 'B2', card: '5S' });
  nodes.time.now += attendedSettings.pause;
  await apply('d2', 'Settle');
  await until(() => state().pendingSettlements.length === 0);
  const account = (session: string) => nodes.store.balance(`demo/XTS/terminal/${session}` as never);
  expect(await Promise.all(sessions.map(account))).toMatchObject([
    { amount: demoCredit + 1_000 },
    { amount: demoCredit + 2_000 },
  ]);
  // The correction is proposed at one node and approved at the other; the payout is reversed.
  await apply('s1', 'CorrectCard', { round, place: 4, card: '7S', reason: 'A wrong scan.' });
  expect(
    await submitAs('s1', 'Approve', { proposal: state().proposal!.id, hash: state().proposal!.hash }),
  ).toHaveProperty('refused');
  await approves('m1');
  await until(() => state().pendingSettlements.length === 0);
  expect(await Promise.all(sessions.map(account))).toMatchObject([{ amount: demoCredit }, { amount: demoCredit }]);
  await apply('p1', 'CloseTable', { reason: 'The end of the day.' });
  await approves('m1');
  expect(await submitAs('d2', 'OpenBets')).toHaveProperty('refused');
  await apply('p1', 'ReopenTable', { reason: 'Another day.' });
  await approves('m1');
  await apply('d2', 'SealShoe', { seal: 'S-2' });
  await approves('s1');
  await shoe('L2');
  await apply('d1', 'OpenBets');
  expect(state()).toMatchObject({ phase: 'betting', shoe: { id: 'L2' } });
  expect(hands()).toBeGreaterThan(30);
  const types = both[0].published.map(({ event }) => event.type);
  expect(types.filter((type) => /Void|^Interrupted$/.test(type))).toEqual([]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
  for (const { warnings } of both) expect(warnings).toEqual([]);
});
