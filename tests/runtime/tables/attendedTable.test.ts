import { expect, test } from 'vitest';
import { TestClock, flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../support/demo.ts';
import { tableDecider } from '../../../src/deciders/deciders.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { openAttendedTable, playAttendedRound, attendedSettings, openAttendedFloor } from '../support/attendedFloor.ts';

test('attended table waits for two persons to open it', async () => {
  const store = createMemoryStore();
  const { floor, table, submitAs, warnings, time } = await openAttendedFloor(store, 'waits');
  expect(table.isOpen).toBe(false);
  expect(() => table.table).toThrow('a table of the floor is open');
  expect(await time.step()).toBe(false);
  await floor.recordHeartbeats();
  await floor.drain();
  expect(await store.streams()).toEqual(['demo/floor/main']);
  expect(await submitAs('p1', 'pit-manager', 'OpenTable', { settings: attendedSettings })).toHaveProperty('refused');
  expect(await submitAs('d1', 'dealer', 'OpenBets')).toMatchObject({ refused: 'not-open' });
  expect(warnings).toEqual([]);
  const open = { settings: attendedSettings, second: { person: 'm1' } };
  const secondAuthority = { role: 'gaming-shift-manager' };
  // No request contains the role of its actor or of the second person.
  for (const request of [
    { ...open, second: { person: 'm1', ...secondAuthority } },
    { ...open, actor: { person: 'p1', role: 'pit-manager' } },
  ]) {
    expect(await submitAs('p1', 'pit-manager', 'OpenTable', request, { secondAuthority })).toMatchObject({
      refused: 'bad-request',
      message: 'Give the actor and the second approver by their id only, without a role.',
    });
  }
  const low = { secondAuthority: { role: 'dealer' } };
  expect(await submitAs('p1', 'pit-manager', 'OpenTable', open, low)).toMatchObject({ refused: 'not-your-role' });
  expect(await submitAs('p1', 'pit-manager', 'OpenTable', open, { secondAuthority })).toMatchObject({
    entries: [{ event: { second: { person: 'm1', ...secondAuthority } }, command: { context: { secondAuthority } } }],
  });
  expect([table.isOpen, table.table.phase]).toEqual([true, 'idle']);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('bets close after the deadline and its grace, and a settlement is posted to its end', async () => {
  const store = createMemoryStore();
  const { floor, published, warnings } = await playAttendedRound(store, 'closes');
  const chunks = published.filter(({ event }) => event.type === 'SettlementPosted');
  expect(chunks.map(({ event }) => [event['last'], 'system' in (event['actor'] as object)])).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(floor.terminals.creditOf('T1')).toBe(demoCredit + 1000);
  expect(floor.terminals.creditOf('T2')).toBe(demoCredit + 2000);
  expect(warnings).toEqual([]);
  expect(await verifyStore(store)).toMatchObject({ problem: undefined, rounds: 1 });
});

test('correction of an earlier round has its slips as context and reaches the credit of its patrons', async () => {
  const store = createMemoryStore();
  const { floor, table, submitAs, submitAsDealer, published, time, round } = await playAttendedRound(store, 'corrects');
  const { slips } = structuredClone(table.table.round!);
  expect(await floor.terminals.collect('T2', 'out', 'cash')).toHaveProperty('entries');
  await submitAsDealer('OpenBets');
  const correct = { type: 'CorrectCard', actor: { person: 's1' }, round, place: 4, card: '7S', reason: 'A seven.' };
  const context = { authority: { role: 'supervisor' }, slips };
  expect(await table.submit('correct', correct, time.now, context)).toHaveProperty('entries');
  const { id: proposal, hash } = table.table.proposal!;
  expect(await submitAs('m1', 'gaming-shift-manager', 'Approve', { proposal, hash })).toHaveProperty('entries');
  expect(published.findLast(({ event }) => event.type === 'Approved')!.command).toMatchObject({
    context: { credits: { 'T1.1': demoCredit + 1000, 'T2.1': 0 } },
  });
  await flushPromises();
  // The last chunk refers a shortfall; it is posted automatically.
  while (table.table.pendingSettlements.length > 0 && (await time.next())) await flushPromises();
  expect(table.table.pendingSettlements).toEqual([]);
  expect(floor.terminals.creditOf('T1')).toBe(demoCredit);
  expect(await store.balance('demo/XTS/shortfall/T2.1')).toMatchObject({ amount: -2000 });
  expect(await verifyStore(store)).toMatchObject({ problem: undefined });
});

test('interrupted round waits for a ruling; nothing is closed or dealt meanwhile', async () => {
  const store = createMemoryStore();
  const { submitAsDealer, time } = await openAttendedTable(store, 'stopped');
  await submitAsDealer('OpenBets');
  await submitAsDealer('CallClose');
  const later = await openAttendedFloor(store, 'back', new TestClock(time.now + 120_000));
  expect(later.table.table).toMatchObject({ phase: 'closing', openIrregularities: [{ kind: 'interruption' }] });
  await flushPromises();
  expect(await later.time.next()).toBe(false);
  expect(await later.submitAs('s1', 'supervisor', 'ConfirmRuling')).toHaveProperty('entries');
  expect(later.table.table.phase).toBe('idle');
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('context of a staff command is stored with the role of its actor', async () => {
  const store = createMemoryStore();
  const { table, published } = await openAttendedTable(store, 'bring');
  expect(published.find(({ event }) => event.type === 'ShoeBrought')!.command).toMatchObject({
    request: { type: 'BringShoe', actor: { person: 'd1' } },
    context: { authority: { role: 'dealer' } },
    decider: `table@${tableDecider.version}`,
    rulebook: `BAC@${table.table.settings.game.split('@')[1]!}`,
  });
});

test('[READING 57] shortfall of an earlier round is collected from the present credit', async () => {
  const store = createMemoryStore();
  const { floor, table, submitAs, submitAsDealer, time, round } = await playAttendedRound(store, 'owes');
  const { slips } = structuredClone(table.table.round!);
  // All credit except the payout is staked on the next round, so that the correction finds too little.
  await submitAsDealer('OpenBets');
  const next = table.table.round!.id;
  const stake = (id: string, slip: object) =>
    table.submit(id, { type: 'SetSlip', actor: { terminal: 'T2.1' }, round: next, slip });
  expect(await stake('all', { player: 50_000, banker: 50_000, tie: 2_000 })).toHaveProperty('entries');
  const correct = { type: 'CorrectCard', actor: { person: 's1' }, round, place: 4, card: '7S', reason: 'A seven.' };
  const context = { authority: { role: 'supervisor' }, slips };
  expect(await table.submit('correct', correct, time.now, context)).toHaveProperty('entries');
  const manager = async (): Promise<void> => {
    const { id: proposal, hash } = table.table.proposal!;
    expect(await submitAs('m1', 'gaming-shift-manager', 'Approve', { proposal, hash })).toHaveProperty('entries');
  };
  await manager();
  await flushPromises();
  while (table.table.pendingSettlements.length > 0 && (await time.next())) await flushPromises();
  expect(table.table.shortfalls).toEqual({ 'T2.1': { [round]: 2000 } });
  const collect = (amount: number) =>
    submitAs('s1', 'supervisor', 'CollectShortfall', { terminal: 'T2.1', round, amount, reason: 'Owed.' });
  expect(await collect(500)).toMatchObject({ refused: 'not-enough-credit', credit: 0 });
  expect(await stake('less', { player: 50_000 })).toHaveProperty('entries');
  expect(await collect(500)).toHaveProperty('entries');
  await manager();
  expect(table.table.shortfalls).toEqual({ 'T2.1': { [round]: 1500 } });
  expect(floor.terminals.creditOf('T2')).toBe(51_500);
  expect((await verifyStore(store)).problem).toBeUndefined();
});
