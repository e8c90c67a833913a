import { expect, test } from 'vitest';
import { ticketOf } from '../counter.ts';
import { Colleague, tigerDealt } from './made.ts';

test('[READING 60] credit that arrived after the end of a session is listed at the cage and paid once', async () => {
  const { time, problem, server, dealer, supervisor, table, does, guest } = await tigerDealt();
  const { terminal } = (await guest.hears('own')).view;
  await does('OpenBets');
  const round = table.round!.id;
  guest.say({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1_000 } });
  await guest.hears('accepted');
  await does('CallClose');
  await time.when(() => table.phase === 'dealing');
  for (const [n, card] of ['KD', '9C', 'KC', 'KS'].entries()) {
    await does('DealCard', { slot: ['P1', 'B1', 'P2', 'B2'][n], card });
  }
  await time.pass(10);
  await does('Settle');
  await time.when(() => table.pendingSettlements.length === 0);
  // The patron has lost, and goes with what is left.
  await ticketOf(guest, 'collect-1');
  const cage = await Colleague.clicked(server, 'C-1');
  const held = async (): Promise<unknown> => {
    const told = await cage.asks({ type: 'query', name: 'held', params: {} });
    return told.type === 'answer' ? told.data['held'] : told;
  };
  expect(await held()).toEqual([]);
  // The third card was a nine: the round was a tie, and the stake goes back to the session that played it.
  const asked = { round, place: 3, card: '9H', reason: 'A nine was read as a king.' };
  expect(await supervisor.commands('tiger', 'CorrectCard', asked)).toMatchObject({ type: 'done' });
  const { proposal } = await supervisor.sees((view) => view.proposal !== null);
  const manager = await Colleague.clicked(server, 'G-1');
  const approval = { proposal: proposal!.id, hash: proposal!.hash };
  expect(await manager.commands('tiger', 'Approve', approval)).toMatchObject({ type: 'done' });
  await time.when(() => table.pendingSettlements.length === 0);
  expect(await held()).toEqual([{ terminal, session: 1, amount: 1_000, not: null }]);
  const pays = (who: Colleague, session = 1) =>
    who.asks({ type: 'terminal', terminal, request: { type: 'PaySession', session } });
  expect(await pays(supervisor)).toMatchObject({ code: 'not-your-role', by: 'HOUSE 2' });
  expect(await pays(cage, 2)).toMatchObject({ code: 'no-such-session' });
  expect(await pays(cage)).toMatchObject({ type: 'done', events: ['SessionPaid'] });
  expect(await pays(cage)).toMatchObject({ code: 'nothing-to-collect' });
  expect(await held()).toEqual([]);
  for (const one of [dealer, supervisor, manager, cage, guest]) one.leave();
  await server.close();
  expect(await problem()).toBeUndefined();
});
