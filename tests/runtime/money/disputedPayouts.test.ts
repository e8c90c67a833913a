import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit } from '../support/demo.ts';
import { seatPatron } from '../support/testDependencies.ts';
import { playAttendedRound } from '../support/attendedFloor.ts';

// Disputed money stays where it is, and no other money waits with it. [READING 52]

/** A settled round, staff who may rule on it, and a terminal without a stake in it. */
async function settled(seed: string) {
  const store = createMemoryStore();
  const setup = await playAttendedRound(store, seed);
  const { floor, table, submitAs, time } = setup;
  await seatPatron(floor, 'c', demoCredit);
  let ids = 0;
  const decides = async (type: string, fields: object): Promise<void> => {
    expect(await submitAs('s1', 'supervisor', type, fields)).toHaveProperty('entries');
    const { id: proposal, hash } = table.table.proposal!;
    expect(await submitAs('m1', 'gaming-shift-manager', 'Approve', { proposal, hash })).toHaveProperty('entries');
  };
  return {
    ...setup,
    store,
    decides,
    collect: (terminal: string) => floor.terminals.collect(terminal, `out-${ids++}`, 'cash'),
    paySession: (terminal: string) =>
      floor.terminals.submit(
        terminal,
        `pay-${ids++}`,
        { type: 'PaySession', actor: { person: 'c1' }, session: 1 },
        { authority: { role: 'cage' } },
      ),
    posted: async (): Promise<void> => {
      await flushPromises();
      while (table.table.pendingSettlements.length > 0 && (await time.next())) await flushPromises();
    },
  };
}

const questioned = (amount: number) => ({
  refused: 'credit-disputed',
  message: `${amount} of the credit is disputed; wait until its round is decided and posted.`,
});

test('[READING 52] money that is ruled back cannot be collected before it is posted, so that no shortfall arises', async () => {
  const { store, floor, table, submitAsDealer, decides, collect, posted } = await settled('ruled-back');
  await submitAsDealer('ReportIrregularity', { kind: 'wrong-number' });
  expect(await collect('T2')).toMatchObject(questioned(4000));
  await decides('VoidRound', { reason: 'A card too many.' });
  // The first chunk has reached T1; T2 waits for the next.
  expect(table.table.pendingSettlements).toMatchObject([{ order: ['T1.1', 'T2.1'], done: 1 }]);
  expect(await collect('T2')).toMatchObject(questioned(2000));
  await posted();
  expect(table.table.shortfalls).toEqual({});
  expect(await collect('T2')).toMatchObject({ entries: [{ event: { amount: demoCredit } }] });
  expect(floor.terminals.creditOf('T2')).toBe(0);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 52] nor while a second irregularity of the same round delays the posting', async () => {
  const { store, table, submitAs, submitAsDealer, decides, collect, posted, round } =
    await settled('two-irregularities');
  for (const reason of ['one', 'two']) await submitAsDealer('Refer', { reason, round });
  await decides('DecideReferral', { referral: 'R1', decision: 'void', reason: 'It is void.' });
  expect(await collect('T2')).toMatchObject(questioned(4000));
  const standDecision = { referral: 'R2', decision: 'stand', reason: 'Nothing more.' };
  expect(await submitAs('m1', 'gaming-shift-manager', 'DecideReferral', standDecision)).toHaveProperty('entries');
  expect(await collect('T2')).toMatchObject(questioned(2000));
  await posted();
  expect(table.table.shortfalls).toEqual({});
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 52] payouts still to be raised do not dispute what was paid', async () => {
  const { store, floor, table, decides, collect, posted, round } = await settled('paid-more');
  const correct = (card: string) => decides('CorrectCard', { round, place: 4, card, reason: 'A wrong scan.' });
  // A tie, then the Player again: stakes are pushed, then won again.
  await correct('7S');
  await posted();
  expect(floor.terminals.creditOf('T2')).toBe(demoCredit);
  await correct('4S');
  expect(table.table.pendingSettlements).toMatchObject([{ order: ['T1.1', 'T2.1'], done: 1 }]);
  expect(await collect('T2')).toMatchObject({ entries: [{ event: { amount: demoCredit } }] });
  await posted();
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 60] credit that came to a session after its end is not paid at the cage while it is disputed', async () => {
  const { store, floor, submitAsDealer, decides, collect, paySession, posted, round } = await settled('ended');
  const correct = (card: string) => decides('CorrectCard', { round, place: 4, card, reason: 'A wrong scan.' });
  await correct('7S');
  await posted();
  expect(await collect('T1')).toHaveProperty('entries');
  await correct('4S');
  await posted();
  await submitAsDealer('ReportIrregularity', { kind: 'wrong-number' });
  expect(await paySession('T1')).toMatchObject(questioned(2000));
  await decides('DismissReport', { reason: 'It was right.' });
  expect(await paySession('T1')).toMatchObject({ entries: [{ event: { type: 'SessionPaid', amount: 1000 } }] });
  expect(floor.terminals.creditOf('T1')).toBe(0);
  expect((await verifyStore(store)).problem).toBeUndefined();
});

test('[READING 52] payouts of a disputed earlier round wait, and no other session does', async () => {
  const { store, table, submitAs, submitAsDealer, collect, posted, time, round } = await settled('behind');
  const { slips } = structuredClone(table.table.round!);
  await submitAsDealer('OpenBets');
  const refer = { round, reason: 'A late look.' };
  expect(await submitAs('s1', 'supervisor', 'Refer', refer)).toHaveProperty('entries');
  expect(await collect('T1')).toMatchObject(questioned(2000));
  expect(await collect('T2')).toMatchObject(questioned(4000));
  expect(await collect('T3')).toMatchObject({ entries: [{ event: { amount: demoCredit } }] });
  const goOn = { decision: 'continue', reason: 'Look again.' };
  expect(await submitAs('m1', 'gaming-shift-manager', 'DecideReferral', goOn)).toHaveProperty('entries');
  // The corrected round has returned the stakes; disputed again, these wait.
  const correct = { type: 'CorrectCard', actor: { person: 's1' }, round, place: 4, card: '7S', reason: 'A seven.' };
  const context = { authority: { role: 'supervisor' }, slips };
  expect(await table.submit('correct', correct, time.now, context)).toHaveProperty('entries');
  const { id: proposal, hash } = table.table.proposal!;
  expect(await submitAs('m1', 'gaming-shift-manager', 'Approve', { proposal, hash })).toHaveProperty('entries');
  await posted();
  expect(await submitAs('s1', 'supervisor', 'Refer', refer)).toHaveProperty('entries');
  expect(await collect('T2')).toMatchObject(questioned(2000));
  expect((await verifyStore(store)).problem).toBeUndefined();
});
