import { afterEach, expect, test, vi } from 'vitest';
import { BalanceCache } from '../../src/runtime/stream/balanceCache.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type PostingWithBalances, type StoreReader, type StoredEntry } from '../../src/store/store.ts';
import {
  findSessionEndsWithoutCollect,
  findLeftoverBalances,
  verifySessionEndsWithoutCollect,
  verifyLeftoverBalances,
} from '../../src/verify/emptiedAccounts.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { demoCredit } from '../runtime/support/demo.ts';
import { playAttendedRound } from '../runtime/support/attendedFloor.ts';

// An emptied account has no balance, unless a posting was concurrent.

afterEach(() => void vi.restoreAllMocks());

/** A settled round with two winners, at a floor that may get a false credit. */
async function settledFloor(seed: string) {
  const store = createMemoryStore();
  const setup = await playAttendedRound(store, seed);
  return {
    ...setup,
    store,
    lies: (credit: number) => vi.spyOn(BalanceCache.prototype, 'available').mockReturnValue(credit),
  };
}

test('verify finds a collect of a part of the credit', async () => {
  const { store, floor, lies } = await settledFloor('part');
  lies(1);
  expect(await floor.terminals.collect('T1', 'out', 'cash')).toHaveProperty('entries');
  expect((await verifyStore(store)).problem).toBe(
    `Entry 3 of demo/terminal/T1 leaves ${demoCredit + 999} in demo/XTS/terminal/T1.1, ` +
      'but must empty this account.',
  );
});

test('verify finds a shortfall of a terminal that has the credit', async () => {
  const { store, table, submitAs, submitAsDealer, lies } = await settledFloor('short');
  await submitAsDealer('ReportIrregularity', { kind: 'wrong-number' });
  lies(0);
  expect(await submitAs('s1', 'supervisor', 'VoidRound', { reason: 'A card too many.' })).toHaveProperty('entries');
  const { id: proposal, hash } = table.table.proposal!;
  expect(await submitAs('m1', 'gaming-shift-manager', 'Approve', { proposal, hash })).toHaveProperty('entries');
  expect(table.table.shortfalls).toMatchObject({ 'T1.1': {} });
  expect((await verifyStore(store)).problem).toMatch(
    /^Entry \d+ of demo\/table\/baccarat leaves \d+ in .+T1\.1, but must empty/,
  );
});

const account = 'p/XTS/terminal/T1.1';
const cage = 'p/XTS/cage/T1';
const winAccount = 'p/XTS/house/B1';
const own = 'p/terminal/T1';
const table = 'p/table/B1';

/** A posting to an account: stream, time, event type and amount. */
type Step = readonly [stream: string, at: number, type: string, change: number];

function entriesOf(steps: readonly Step[]): readonly StoredEntry[] {
  let balance = 0;
  return steps.map(([stream, at, type, change], entryIndex) => {
    const [before, version] = [balance, entryIndex + 1];
    balance += change;
    const amount = Math.abs(change);
    const other = { before: 0, after: 0, version: 1 };
    const mine = { before, after: balance, version };
    const [from, to] = change < 0 ? [mine, other] : [other, mine];
    const posting: PostingWithBalances = {
      amount,
      from: change < 0 ? account : winAccount,
      fromBefore: from.before,
      fromAfter: from.after,
      fromVersion: from.version,
      to: change < 0 ? cage : account,
      toBefore: to.before,
      toAfter: to.after,
      toVersion: to.version,
    };
    const event = { type, v: 1, at, ...(type === 'SlipSet' && { round: 'r1' }) };
    return { stream, sequence: version, at, event, postings: [posting], command: { id: '' }, previous: '', hash: '' };
  });
}

/** The problem of the event that should empty the account, if any. */
async function problemOf(...steps: readonly Step[]): Promise<string | undefined> {
  const all = entriesOf(steps);
  const store = {
    streams: async () => [...new Set(all.map(({ stream }) => stream))],
    read: async function* (stream: string) {
      yield all.filter((entry) => entry.stream === stream);
    },
  } as unknown as StoreReader;
  try {
    await verifyLeftoverBalances(store, all.flatMap(findLeftoverBalances));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const minute = 60_000;
const load: Step = [own, 0, 'CreditLoaded', 500];
const collect = (at: number, amount: number): Step => [own, at, 'CreditCollected', -amount];

test('verify accepts an emptied account', async () => {
  expect(entriesOf([load, collect(9, 500)]).flatMap(findLeftoverBalances)).toEqual([]);
  expect(await problemOf(load, collect(9, 500))).toBeUndefined();
});

test('verify accepts a leftover that arrived during the decision and none that arrived before', async () => {
  const win = (at: number): Step => [table, at, 'SettlementPosted', 70];
  expect(await problemOf(load, win(8), collect(9, 500))).toBeUndefined();
  expect(await problemOf(load, win(8), win(8), collect(9, 570))).toBeUndefined();
  expect(await problemOf(load, win(8), collect(9, 499))).toMatch(/^Entry 3 of p\/terminal\/T1 leaves 71 in /);
  expect(await problemOf(load, win(8), collect(9 + minute, 500))).toMatch(/^Entry 3 .+ leaves 70 in /);
  // Postings of its own stream were known.
  expect(await problemOf(load, [own, 8, 'CreditLoaded', 70], collect(9, 500))).toMatch(/^Entry 3 .+ leaves 70 in /);
});

test('verify accepts a leftover that a table then takes', async () => {
  const take = (at: number, amount: number): Step => [table, at, 'SettlementPosted', -amount];
  expect(await problemOf(load, collect(9, 430), take(9, 70))).toBeUndefined();
  expect(await problemOf(load, collect(9, 430), take(9, 69))).toMatch(/^Entry 2 .+ leaves 70 in /);
  expect(await problemOf(load, collect(9, 430), take(10 + minute, 70))).toMatch(/^Entry 2 .+ leaves 70 in /);
  expect(await problemOf(load, [own, 9, 'SessionPaid', -430])).toMatch(/^Entry 2 .+ leaves 70 in /);
});

test('verify accepts an empty session whose account was funded at that moment or later only', async () => {
  const problem = async (at: number, ...steps: readonly Step[]): Promise<string | undefined> => {
    const end = { stream: own, sequence: 9, at, event: { type: 'SessionEnded', v: 1, at, session: 1 }, postings: [] };
    const all = [...entriesOf(steps), end as unknown as StoredEntry];
    const balance = steps.reduce((sum, [, , , change]) => sum + change, 0);
    const store = {
      streams: async () => [own, table],
      read: async function* (stream: string) {
        yield all.filter((entry) => entry.stream === stream);
      },
    } as unknown as StoreReader;
    const ended = all
      .flatMap(findSessionEndsWithoutCollect)
      .map((one) => [{ property: 'p', currency: 'XTS' }, one] as const);
    try {
      await verifySessionEndsWithoutCollect(store, ended, { of: () => balance });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const lose: Step = [table, 5, 'SlipSet', -500];
  const win = (at: number): Step => [table, at, 'SettlementPosted', 70];
  expect(await problem(9, load, lose)).toBeUndefined();
  expect(await problem(9, load, lose, win(8))).toBeUndefined();
  expect(await problem(9 * minute, load, lose, win(10 * minute))).toBeUndefined();
  expect(await problem(9 * minute, load)).toMatch(/^Entry 9 of p\/terminal\/T1 ends T1\.1 without a collect, but /);
  expect(await problem(9 * minute, load, lose, win(7 * minute))).toMatch(/^Entry 9 .+ was not empty/);
});

test('verify counts the staked credit as known in a shortfall', async () => {
  const slip: Step = [table, 5, 'SlipSet', -100];
  const all = entriesOf([load, slip, [table, 6, 'SettlementPosted', 200], [table, 9, 'SettlementPosted', -50]]);
  const last = all.at(-1)!;
  const short = (amount: number) => {
    const [posting] = last.postings as [PostingWithBalances];
    const lent = { from: 'p/XTS/shortfall/T1.1', to: account, amount, toBefore: 600, toVersion: 4 } as const;
    const postings = [
      { ...posting, ...lent, toAfter: 600 + amount },
      { ...posting, fromBefore: 600 + amount, fromAfter: 550 + amount, fromVersion: 5 },
    ];
    return { ...last, event: { ...last.event, round: 'r1', shortfalls: { 'T1.1': amount } }, postings };
  };
  const lefts = findLeftoverBalances(short(10));
  expect(lefts).toMatchObject([{ account, version: 4, before: 600, after: 560, round: 'r1' }]);
  const store = {
    streams: async () => [table],
    read: async function* () {
      yield [...all.slice(0, -1), short(10)];
    },
  } as unknown as StoreReader;
  await expect(verifyLeftoverBalances(store, lefts)).rejects.toThrow('leaves 560 in');
  // The balance before the payout of the round, which was concurrent.
  await expect(verifyLeftoverBalances(store, [{ ...lefts[0]!, after: 200 }])).resolves.toBeUndefined();
});
