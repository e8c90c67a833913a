import { expect, test } from 'vitest';
import { collectTicket } from '../support/moneyReplies.ts';
import { StaffSocket, startTigerTable } from './pit.ts';

test('[READING 60] credit that arrived after the end of a session is listed at the cage and paid once', async () => {
  const { time, problem, server, dealer, supervisor, table, submit, patron } = await startTigerTable();
  const { terminal } = (await patron.receive('own')).view;
  await submit('OpenBets');
  const round = table.round!.id;
  patron.send({ type: 'slip', id: 'slip-0001', table: 'tiger', round, slip: { player: 1_000 } });
  await patron.receive('accepted');
  await submit('CallClose');
  await time.advanceUntil(() => table.phase === 'dealing');
  for (const [n, card] of ['KD', '9C', 'KC', 'KS'].entries()) {
    await submit('DealCard', { slot: ['P1', 'B1', 'P2', 'B2'][n], card });
  }
  await time.advance(10);
  await submit('Settle');
  await time.advanceUntil(() => table.pendingSettlements.length === 0);
  // The patron has lost and collects the rest.
  await collectTicket(patron, 'collect-1');
  const cage = await StaffSocket.signIn(server, 'C-1');
  const unclaimedCredit = async (): Promise<unknown> => {
    const reply = await cage.request({ type: 'query', name: 'unclaimed', params: {} });
    return reply.type === 'answer' ? reply.data['unclaimed'] : reply;
  };
  expect(await unclaimedCredit()).toEqual([]);
  // The third card was a nine: the round was a tie, and the stake goes back to the session that bet it.
  const correction = { round, place: 3, card: '9H', reason: 'A nine was read as a king.' };
  expect(await supervisor.command('tiger', 'CorrectCard', correction)).toMatchObject({ type: 'done' });
  const { proposal } = await supervisor.waitForView((view) => view.proposal !== null);
  const manager = await StaffSocket.signIn(server, 'G-1');
  expect(await manager.approve('tiger', proposal!, 'G-1')).toMatchObject({ type: 'done' });
  await time.advanceUntil(() => table.pendingSettlements.length === 0);
  expect(await unclaimedCredit()).toEqual([{ terminal, session: 1, amount: 1_000, not: null }]);
  const pay = (staff: StaffSocket, session = 1) =>
    staff.request({ type: 'terminal', terminal, request: { type: 'PaySession', session } });
  expect(await pay(supervisor)).toMatchObject({ code: 'not-your-role', by: 'HOUSE 2' });
  expect(await pay(cage, 2)).toMatchObject({ code: 'no-such-session' });
  expect(await pay(cage)).toMatchObject({ type: 'done', events: ['SessionPaid'] });
  expect(await pay(cage)).toMatchObject({ code: 'nothing-to-collect' });
  expect(await unclaimedCredit()).toEqual([]);
  for (const one of [dealer, supervisor, manager, cage, patron]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});
