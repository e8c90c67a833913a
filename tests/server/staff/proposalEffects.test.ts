import { expect, test } from 'vitest';
import { type ProposalEffects } from '../../../src/wire/staff/proposalEffects.ts';
import { StaffSocket, quickTimes, startPit, startTigerTable } from './pit.ts';

const key = Buffer.alloc(32, 7);
type View = NonNullable<StaffSocket['view']>;
const effectsIn = ({ proposal }: View): ProposalEffects => proposal!.effects;

test('[READING 16] approvers see what a patron collected since the proposal, also after a reload and a restart', async () => {
  const { time, store, server, dealer, supervisor, table, submit, patron } = await startTigerTable({ key });
  await submit('OpenBets');
  const round = table.round!.id;
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1_000 } });
  await patron.receive('accepted', (reply) => reply.round === round);
  await submit('CallClose');
  await time.advanceUntil(() => table.phase === 'dealing');
  for (const [slot, card] of [
    ['P1', '9D'],
    ['B1', '2C'],
    ['P2', 'KH'],
    ['B2', '5S'],
  ] as const)
    await submit('DealCard', { slot, card });
  await time.advance(10);
  await submit('Settle');
  await time.advanceUntil(() => table.pendingSettlements.length === 0);
  dealer.send({ type: 'watch', table: 'tiger', as: 'dealer' });
  const fields = { round, place: 4, card: '7S', reason: 'A seven was read as a five.' };
  expect(await supervisor.command('tiger', 'CorrectCard', fields)).toMatchObject({ events: ['Proposed'] });
  const before = effectsIn(await supervisor.waitForView(({ proposal }) => proposal !== null));
  expect(before).toMatchObject({
    changes: [{ type: 'card-correct', was: '5S', card: '7S' }],
    round: { before: { winner: 'player' }, after: { type: 'result', winner: 'tie' } },
    money: { paid: 2_000, due: 1_000, takenBack: 1_000, collected: 0, short: 0, rows: [{ isOpen: true }] },
  });
  // The dealer's console shows the same, since the second person may sign there.
  expect(effectsIn(await dealer.waitForView(({ proposal }) => proposal !== null))).toEqual(before);

  patron.send({ type: 'collect', id: 'collect-0001' });
  await patron.receive('collected');
  await time.advance(1_000);
  const isCollected = (view: View): boolean => (view.proposal?.effects.money?.short ?? 0) > 0;
  const shown = effectsIn(await supervisor.waitForView(isCollected));
  expect(shown).toMatchObject({
    money: { collected: 2_000, short: 1_000, rows: [{ credit: 0, isOpen: false, collected: 2_000, short: 1_000 }] },
  });
  expect(effectsIn(await dealer.waitForView(isCollected))).toEqual(shown);

  const reloaded = await StaffSocket.signIn(server, 'G-1');
  reloaded.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  expect(effectsIn(await reloaded.waitForView(isCollected))).toEqual(shown);
  const { hash } = table.proposal!;
  for (const one of [dealer, supervisor, reloaded, patron]) one.terminate();
  await server.close();

  const restarted = await startPit({ store, key, scheduler: time, times: quickTimes });
  const manager = await StaffSocket.signIn(restarted, 'G-1');
  manager.send({ type: 'watch', table: 'tiger', as: 'supervisor' });
  const view = await manager.waitForView(({ proposal }) => proposal !== null);
  expect(effectsIn(view)).toEqual(shown);
  expect(view.proposal!.hash).toBe(hash);
  const console = await StaffSocket.signIn(restarted, 'D-1', 'tiger');
  console.send({ type: 'watch', table: 'tiger', as: 'dealer' });
  expect(effectsIn(await console.waitForView(({ proposal }) => proposal !== null))).toEqual(shown);
  const done = await manager.request({
    type: 'consent',
    table: 'tiger',
    proposal: view.proposal!.id,
    hash,
    number: 'G-1',
    pin: '246810',
  });
  expect(done).toMatchObject({ events: expect.arrayContaining(['Approved', 'CardCorrected', 'RoundResettled']) });
  for (const one of [manager, console]) one.terminate();
  await restarted.close();
});

test('the settings with which a table would be opened are listed with their limits, decks and times', async () => {
  const server = await startPit();
  const manager = await StaffSocket.signIn(server, 'M-1');
  const reply = await manager.request({ type: 'query', name: 'settings', params: { table: 'tiger' } });
  const { opening } = (reply as unknown as { data: { opening: readonly object[] } }).data;
  for (const row of [
    { field: 'decks', wager: null, before: null, after: 8 },
    { field: 'limits', wager: 'tie', before: null, after: [expect.any(Number), expect.any(Number)] },
    { field: 'bettingTime', wager: null, before: null, after: expect.any(Number) },
    { field: 'attended', wager: null, before: null, after: true },
  ])
    expect(opening).toContainEqual(row);
  manager.terminate();
  await server.close();
});
