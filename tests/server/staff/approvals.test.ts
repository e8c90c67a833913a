import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { TestScheduler } from '../support/testScheduler.ts';
import { StaffSocket, reusableStore, startStaffedTable } from './pit.ts';

// Approvals by a second person, with staff number and PIN.

const pin = '246810';

test("a second person approves at the first person's console, for one proposal and hash", async () => {
  const { store, problem } = reusableStore();
  const { dealer, supervisor, close } = await startStaffedTable({ store });
  await dealer.command('tiger', 'EndShoe', { seen: {} });
  const { proposal } = await dealer.waitForView((view) => view.proposal !== null);
  const consent = (fields: object) =>
    dealer.request({
      type: 'consent',
      table: 'tiger',
      proposal: proposal!.id,
      hash: proposal!.hash,
      number: 'S-2',
      pin,
      ...fields,
    });
  expect(await consent({ pin: '111222' })).toMatchObject({ code: 'wrong-secret' });
  expect(await consent({ number: 'D-1' })).toMatchObject({ code: 'same-person' });
  expect(await consent({ number: 'D-2' })).toMatchObject({ code: 'not-your-role' });
  expect(await consent({ number: 'C-1' })).toMatchObject({ code: 'not-your-role' });
  expect(await consent({ proposal: 'P99' })).toMatchObject({ code: 'unknown-proposal' });
  expect(await consent({ hash: `sha256:${'1'.repeat(64)}` })).toMatchObject({ code: 'changed-proposal' });
  const id = randomUUID();
  const done = await consent({ id });
  expect(done).toMatchObject({ type: 'done', events: ['Approved', 'ShoeEnded'] });
  expect(await consent({ id })).toEqual(done);
  // The command is stored, so the PIN of a resend does not matter.
  expect(await consent({ id, pin: '111222' })).toEqual(done);
  // Approval signs in no session.
  expect(await supervisor.waitForView((view) => view.shoe === null)).toMatchObject({ dealer: { number: 'D-1' } });
  await close();
  expect(await problem()).toBeUndefined();
});

test('an approval that is stored keeps its reply after the account of the approver was closed', async () => {
  const { server, dealer, close } = await startStaffedTable();
  await dealer.command('tiger', 'EndShoe', { seen: {} });
  const { proposal } = await dealer.waitForView((view) => view.proposal !== null);
  const { id, hash } = proposal!;
  const approval = { type: 'consent', id: randomUUID(), table: 'tiger', proposal: id, hash, number: 'S-2', pin };
  const done = await dealer.request(approval);
  expect(done).toMatchObject({ type: 'done', events: ['Approved', 'ShoeEnded'] });
  const admin = await StaffSocket.signIn(server, 'N-1');
  const { person } = Object.values(server.floor.staff.state!.members).find(({ number }) => number === 'S-2')!;
  const ended = await admin.request({ type: 'staff', request: { type: 'EndPerson', person } });
  expect(ended).toMatchObject({ type: 'done', events: ['PersonEnded'] });
  expect(await dealer.request(approval)).toEqual(done);
  expect(await dealer.request({ ...approval, id: randomUUID() })).toMatchObject({ code: 'wrong-secret' });
  admin.terminate();
  await close();
});

test('[HOUSE 2] the session of an unlocked desk is no second person: an approval needs number and PIN', async () => {
  const { dealer, supervisor, close } = await startStaffedTable();
  await dealer.command('tiger', 'EndShoe', { seen: {} });
  const { id: proposal, hash } = (await dealer.waitForView((view) => view.proposal !== null)).proposal!;
  const session = await supervisor.command('tiger', 'Approve', { proposal, hash });
  expect(session).toMatchObject({ type: 'refused', code: 'pin-required', by: 'HOUSE 2' });
  const wrong = { type: 'consent', table: 'tiger', proposal, hash, number: 'S-1', pin: '111222' };
  expect(await supervisor.request(wrong)).toMatchObject({ code: 'wrong-secret' });
  expect(dealer.view?.proposal).toMatchObject({ id: proposal });
  expect(await supervisor.approve('tiger', { id: proposal, hash }, 'S-1')).toMatchObject({ type: 'done' });
  await close();
});

test('[READING 61] a supervisor enters the felt, and the dealer at that table approves', async () => {
  const time = new TestScheduler();
  const { server, dealer, supervisor, close } = await startStaffedTable({
    scheduler: time,
    times: { bettingTime: 1_000, grace: 0, pause: 0 },
  });
  await dealer.command('tiger', 'OpenBets');
  await dealer.command('tiger', 'CallClose');
  await time.advanceUntil(() => server.floor.tables.get('tiger')!.table.phase === 'dealing');
  await dealer.command('tiger', 'DealCard', { slot: 'P1', card: '9S' });
  const since = time.now();
  const reported = await dealer.command('tiger', 'ReportInterruption', { since, stateLost: true });
  expect(reported).toMatchObject({ events: ['Interrupted'] });
  expect(await supervisor.command('tiger', 'ConfirmFelt', { cards: ['2C', '9H', '4D'] })).toMatchObject({
    events: ['Proposed'],
  });
  const { proposal } = await supervisor.waitForView((view) => view.proposal !== null);
  expect(proposal).toMatchObject({ second: 'dealer', from: { number: 'S-1' } });
  expect(await supervisor.approve('tiger', proposal!, 'S-1')).toMatchObject({ code: 'same-person' });
  expect(await supervisor.approve('tiger', proposal!, 'D-2')).toMatchObject({ code: 'other-console', by: 'HOUSE 2' });
  const events = ['Approved', 'CardDealt', 'CardDealt', 'CardDealt', 'FeltConfirmed'];
  expect(await supervisor.approve('tiger', proposal!, 'D-1')).toMatchObject({ type: 'done', events });
  await close();
});

test('an expired, withdrawn or replaced proposal cannot be approved', async () => {
  const time = new TestScheduler();
  const { dealer, supervisor, close } = await startStaffedTable({ scheduler: time });
  const proposed = async () => {
    const before = dealer.view?.proposal?.id;
    await dealer.command('tiger', 'EndShoe', { seen: {} });
    return (await dealer.waitForView((view) => view.proposal !== null && view.proposal.id !== before)).proposal!;
  };
  const approve = (proposal: { id: string; hash: string }) => supervisor.approve('tiger', proposal, 'S-1');
  const old = await proposed();
  await time.advance(121_000);
  expect(await approve(old)).toMatchObject({ code: 'expired-proposal' });
  const replaced = await proposed();
  const next = await proposed();
  expect(await approve(replaced)).toMatchObject({ code: 'unknown-proposal' });
  expect(await dealer.command('tiger', 'WithdrawProposal', { proposal: next.id })).toMatchObject({ type: 'done' });
  expect(await approve(next)).toMatchObject({ code: 'unknown-proposal' });
  expect(await approve(await proposed())).toMatchObject({ type: 'done' });
  await close();
});

test('wrong PINs lock the number of the second person', async () => {
  const { dealer, close } = await startStaffedTable();
  await dealer.command('tiger', 'EndShoe', { seen: {} });
  const { proposal } = await dealer.waitForView((view) => view.proposal !== null);
  const consent = (wrongPin: string) =>
    dealer.request({
      type: 'consent',
      table: 'tiger',
      proposal: proposal!.id,
      hash: proposal!.hash,
      number: 'S-1',
      pin: wrongPin,
    });
  const codes: unknown[] = [];
  for (let n = 0; n < 5; n++) codes.push(await consent(`11122${n}`));
  expect(codes.map((staff) => (staff as { code: string }).code)).toEqual([
    ...Array.from({ length: 4 }, () => 'wrong-secret'),
    'sign-in-locked',
  ]);
  expect(await consent(pin)).toMatchObject({ code: 'sign-in-locked', until: expect.any(Number) });
  await close();
});
