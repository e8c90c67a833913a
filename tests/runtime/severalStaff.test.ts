import { expect, test } from 'vitest';
import { verifyStore } from '../../src/verify/verify.ts';
import { rest } from '../chaos/time.ts';
import { demoCredit } from './demo.ts';
import { seatPatron } from './made.ts';
import { TestCluster, slipOf, tableAt } from './nodes.ts';
import { attendedSettings } from './staffed.ts';

// Those who work at a live table, at whichever node their console is, while the table changes hands.

const stream = `demo/table/${attendedSettings.table}`;
const posts = {
  d1: 'dealer',
  d2: 'dealer',
  s1: 'supervisor',
  p1: 'pit-manager',
  m1: 'gaming-shift-manager',
} as const;

/** Two nodes with a live table. Each command is asked at the one that follows, and in the middle of its write that one takes the table over. */
async function shift() {
  const nodes = new TestCluster([attendedSettings]);
  const both = [await nodes.addNode('a'), await nodes.addNode('b')] as const;
  const table = attendedSettings.table;
  let driver = 0;
  let ids = 0;
  let hands = 0;
  const take = async (): Promise<void> => {
    driver = 1 - driver;
    hands += 1;
    expect(await nodes.takeLease(both[driver]!, table, nodes.time.now)).toBeUndefined();
  };
  await take();
  const follower = () => both[1 - driver]!;
  const ask = async (asked: Parameters<ReturnType<typeof tableAt>['submit']>[1], brought?: object) => {
    const id = `shift-${ids++}`;
    let isWritten = false;
    nodes.beforeAppend = async (batch) => {
      if (isWritten || batch.stream !== stream || batch.entries.every(({ command }) => command.id !== id)) return;
      isWritten = true;
      await take();
    };
    const at = follower();
    const answered = await nodes.waitFor(tableAt(at, table).submit(id, asked, nodes.time.now, brought as never));
    nodes.beforeAppend = () => {};
    await rest();
    await nodes.poll();
    // Who was asked has shown it by then, and nobody has it twice.
    for (const { published } of both) {
      const count = published.filter(({ command }) => command.id === id).length;
      expect(count).toBe('entries' in answered ? answered.entries.length : 0);
    }
    expect(tableAt(both[0], table).table).toEqual(tableAt(both[1], table).table);
    return answered;
  };
  const by = (person: keyof typeof posts, type: string, fields: object = {}, more: object = {}) =>
    ask({ type, actor: { person }, ...fields }, { authority: { role: posts[person] }, ...more });
  const does = async (...asked: Parameters<typeof by>): Promise<void> => {
    expect(await by(...asked), asked[1]).toHaveProperty('entries');
  };
  const state = () => tableAt(follower(), table).table;
  const approves = async (person: keyof typeof posts): Promise<void> => {
    const { id: proposal, hash } = state().proposal!;
    await does(person, 'Approve', { proposal, hash });
  };
  const shoe = async (name: string): Promise<void> => {
    await does('d1', 'BringShoe', { shoe: name, seal: `S-${name}` });
    await does('d1', 'CountCards', { cards: 416 });
    await does('d1', 'ShuffleShoe', { method: 'by hand' });
    await does('d1', 'CutShoe', { behind: 14 });
    await does('d1', 'VerifyShoe');
    await approves('s1');
  };
  const until = (isSo: () => boolean) => nodes.until(isSo);
  return { nodes, both, ask, by, does, approves, shoe, state, follower, until, hands: () => hands };
}

test('whole shift is worked at followers, while the table is handed over within every command', async () => {
  const { nodes, both, ask, by, does, approves, shoe, state, follower, until, hands } = await shift();
  const second = { second: { person: 'm1' } };
  await does('p1', 'OpenTable', { settings: attendedSettings, ...second }, { secondAuthority: { role: posts.m1 } });
  await shoe('L1');
  const sessions = [await seatPatron(both[0].floor, 'x', demoCredit), await seatPatron(both[1].floor, 'y', demoCredit)];
  await does('d1', 'OpenBets');
  const round = state().round!.id;
  for (const [n, session] of sessions.entries()) {
    expect(await ask(slipOf(follower(), session, 1_000 * (n + 1)))).toHaveProperty('entries');
  }
  await does('d1', 'CallClose', { notice: 20_000 });
  await until(() => state().phase === 'dealing');
  await does('d1', 'DealCard', { slot: 'P1', card: '9D' });
  // A card that was entered wrongly, at one node, is taken back at another.
  await does('d1', 'DealCard', { slot: 'B1', card: '3C' });
  await does('d1', 'TakeBackCard');
  await does('d1', 'DealCard', { slot: 'B1', card: '2C' });
  await does('s1', 'Refer', { reason: 'A dispute about a chip.' });
  expect(await by('d1', 'DealCard', { slot: 'P2', card: 'KH' })).toMatchObject({ refused: 'awaiting-decision' });
  await does('m1', 'DecideReferral', { decision: 'continue', reason: 'It was in time.' });
  await does('d1', 'CallSupervisor', { reason: 'A spill.' });
  await does('s1', 'AnswerCall');
  await does('s1', 'AddNote', { text: 'A spill on the felt.', to: 'floor' });
  // Another dealer takes the place of the first in the middle of a round.
  await does('d2', 'DealCard', { slot: 'P2', card: 'KH' });
  await does('d2', 'DealCard', { slot: 'B2', card: '5S' });
  nodes.time.now += attendedSettings.pause;
  await does('d2', 'Settle');
  await until(() => state().pendingSettlements.length === 0);
  const account = (session: string) => nodes.store.balance(`demo/XTS/terminal/${session}` as never);
  expect(await Promise.all(sessions.map(account))).toMatchObject([
    { amount: demoCredit + 1_000 },
    { amount: demoCredit + 2_000 },
  ]);
  // The correction is proposed at one node and approved at the other; what was paid goes back.
  await does('s1', 'CorrectCard', { round, place: 4, card: '7S', reason: 'A wrong scan.' });
  expect(await by('s1', 'Approve', { proposal: state().proposal!.id, hash: state().proposal!.hash })).toHaveProperty(
    'refused',
  );
  await approves('m1');
  await until(() => state().pendingSettlements.length === 0);
  expect(await Promise.all(sessions.map(account))).toMatchObject([{ amount: demoCredit }, { amount: demoCredit }]);
  await does('p1', 'CloseTable', { reason: 'The end of the day.' });
  await approves('m1');
  expect(await by('d2', 'OpenBets')).toHaveProperty('refused');
  await does('p1', 'ReopenTable', { reason: 'Another day.' });
  await approves('m1');
  await does('d2', 'SealShoe', { seal: 'S-2' });
  await approves('s1');
  await shoe('L2');
  await does('d1', 'OpenBets');
  expect(state()).toMatchObject({ phase: 'betting', shoe: { id: 'L2' } });
  expect(hands()).toBeGreaterThan(30);
  const types = both[0].published.map(({ event }) => event.type);
  expect(types.filter((type) => /Void|^Interrupted$/.test(type))).toEqual([]);
  expect((await verifyStore(nodes.store)).problem).toBeUndefined();
  for (const { warnings } of both) expect(warnings).toEqual([]);
});
