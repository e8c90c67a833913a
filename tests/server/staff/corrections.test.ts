import { expect, test } from 'vitest';
import { StaffSocket, startTigerTable } from './pit.ts';

test('the server adds the slips of an earlier round to its correction', async () => {
  const { time, store, problem, server, dealer, supervisor, table, submit, patron } = await startTigerTable();
  const playRound = async (cards: string): Promise<string> => {
    await submit('OpenBets');
    const round = table.round!.id;
    patron.send({
      type: 'slip',
      id: `slip-${round.replaceAll(/[^0-9A-Za-z]/g, '-')}`,
      table: 'tiger',
      round,
      slip: { player: 1_000 },
    });
    await patron.receive('accepted', (reply) => reply.round === round);
    await submit('CallClose');
    await time.advanceUntil(() => table.phase === 'dealing');
    for (const [n, card] of cards.split(' ').entries())
      await submit('DealCard', { slot: ['P1', 'B1', 'P2', 'B2'][n], card });
    await time.advance(10);
    await submit('Settle');
    await time.advanceUntil(() => table.pendingSettlements.length === 0);
    return round;
  };
  const first = await playRound('9D 2C KH 5S');
  await playRound('KD 9C KC KS');
  expect(table.history.map(({ id }) => id)).toEqual([first]);
  const request = { type: 'CorrectCard', round: first, place: 4, card: '7S', reason: 'A seven was read as a five.' };
  const preview = await supervisor.request({ type: 'query', name: 'preview', params: { table: 'tiger', request } });
  expect(preview).toMatchObject({ type: 'answer', data: { second: 'gaming-shift-manager' } });
  // The preview has the remaining credit of the session, because no more can be taken back.
  const { sessions } = (preview as unknown as { data: { sessions: { [session: string]: unknown } } }).data;
  expect(Object.values(sessions)).toEqual([{ credit: expect.any(Number), open: true }]);
  const { postings, allPostings } = (
    preview as unknown as { data: { postings: readonly object[]; allPostings: number } }
  ).data;
  expect(allPostings).toBe(1);
  const { type, ...fields } = request;
  expect(await supervisor.command('tiger', type, fields)).toMatchObject({ type: 'done', events: ['Proposed'] });
  const { proposal } = await supervisor.waitForView((view) => view.proposal !== null);
  const manager = await StaffSocket.signIn(server, 'G-1');
  const done = await manager.approve('tiger', proposal!, 'G-1');
  expect(done).toMatchObject({ type: 'done', events: expect.arrayContaining(['Approved', 'CardCorrected']) });
  // The postings equal those of the preview before the approval.
  const posted: object[] = [];
  for await (const entries of store.read(server.floor.tables.get('tiger')!.stream)) {
    for (const { event, postings: all } of entries) {
      if (event.type === 'RoundResettled') posted.length = 0;
      posted.push(...all.map(({ from, to, amount }) => ({ from, to, amount })));
    }
  }
  expect(postings).toEqual([
    { from: expect.stringContaining('/terminal/'), to: expect.stringContaining('/house/'), amount: 1_000 },
  ]);
  expect(posted).toEqual(postings);
  // A referred earlier round may stand or be void; only a void needs its slips.
  for (const decision of ['stand', 'continue', 'void']) {
    await time.advanceUntil(() => table.pendingSettlements.length === 0);
    expect(await supervisor.command('tiger', 'Refer', { reason: 'A patron complains.', round: first })).toMatchObject({
      events: ['Referred'],
    });
    const decides = { type: 'DecideReferral', decision, reason: 'Looked at.' };
    const staff = decision === 'void' ? supervisor : manager;
    const reply = await staff.request({ type: 'query', name: 'preview', params: { table: 'tiger', request: decides } });
    const expectedRows = decision === 'void' ? {} : { data: { rulings: { rows: [{ staked: 1_000 }] } } };
    expect(reply, decision).toMatchObject({ type: 'answer', ...expectedRows });
    const answer = await staff.request({ type: 'command', table: 'tiger', request: decides });
    expect(answer, decision).toMatchObject({ events: [decision === 'void' ? 'Proposed' : 'ReferralDecided'] });
  }
  for (const one of [dealer, supervisor, manager, patron]) one.terminate();
  await server.close();
  expect(await problem()).toBeUndefined();
});

test("a preview shows the effects of a command, to a dealer without patrons' money", async () => {
  const { server, submit, dealer, supervisor, table } = await startTigerTable();
  await submit('OpenBets');
  const request = (staff: StaffSocket) =>
    staff.request({
      type: 'query',
      name: 'preview',
      params: { table: 'tiger', request: { type: 'VoidRound', reason: 'A test.' } },
    });
  expect(await request(supervisor)).toMatchObject({ data: { effects: [{ type: 'RoundVoided' }] } });
  expect(await request(dealer)).toMatchObject({ data: { effects: [{ type: 'RoundVoided' }], rulings: null } });
  expect(table.phase).toBe('betting');
  await server.close();
});
