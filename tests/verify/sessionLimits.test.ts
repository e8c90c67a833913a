import { expect, test } from 'vitest';
import { openFloor } from '../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type StoreReader } from '../../src/store/store.ts';
import { type LimitedSessions, type LimitedSlip, verifySessionLimits } from '../../src/verify/sessionLimits.ts';
import { flushPromises } from '../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../runtime/support/demo.ts';
import { seatPatron, testDependencies } from '../runtime/support/testDependencies.ts';
import {
  type UnwrittenEntry,
  type Streams,
  entryMessage,
  expectRecord,
  verifyProblem,
  streamsOf,
  tiger,
  withRequest,
  withEvent,
} from './forgedStore.ts';

// Session limits of a patron against the context of the slips.

const own = 'demo/terminal/T1';
const limits = { stake: 2_000, loss: 10_000 };

/**
 * An honest event log: T1 bets, sets limits and bets in further rounds, takes a break and bets again; T2 sets nothing.
 */
const honest = (): Promise<Streams> => (honestOnce ??= playLimitedFloor());
let honestOnce: Promise<Streams> | undefined;

async function playLimitedFloor(): Promise<Streams> {
  const store = createMemoryStore();
  const { dependencies, warnings, time } = testDependencies(store, 'limits');
  const floor = await openFloor(
    demoOwner,
    demoSettings.filter(({ table }) => table === 'tiger'),
    demoPace,
    dependencies,
  );
  for (const secret of ['a', 'b']) await seatPatron(floor, secret, demoCredit);
  const { processor } = floor.tables.get('tiger')!;
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await time.step();
  };
  let ids = 0;
  const bet = async (slip: object): Promise<void> => {
    await until(() => processor.state?.phase === 'betting');
    const round = processor.state!.round!.id;
    for (const terminal of ['T1.1', 'T2.1']) {
      const request = { type: 'SetSlip', actor: { terminal }, round, slip };
      expect(await processor.submit(`bet-${ids++}`, request)).toHaveProperty('entries');
    }
    await until(() => processor.state?.phase === 'idle');
  };
  const sets = async (request: { readonly type: string; readonly [field: string]: unknown }): Promise<void> =>
    expect(await floor.terminals.submit('T1', `set-${ids++}`, request)).toHaveProperty('entries');
  await bet({ tie: 3_000 });
  await sets({ type: 'LimitSession', ...limits });
  for (let n = 0; n < 4; n++) await bet({ tie: 500 });
  await sets({ type: 'PauseSession', minutes: 2 });
  time.now += 130_000;
  await until(() => processor.state?.phase === 'idle');
  for (let n = 0; n < 4; n++) await bet({ tie: 400 });
  await flushPromises();
  expect(warnings).toEqual([]);
  return streamsOf(store);
}

/** Indexes of T1's slips. */
async function slipsOf(streams: Streams): Promise<readonly number[]> {
  return streams[tiger]!.flatMap(({ event }, entryIndex) =>
    event.type === 'SlipSet' && event['terminal'] === 'T1.1' ? [entryIndex] : [],
  );
}

/** The problem when one of T1's slips is changed and is the last entry. */
async function problemIn(
  which: number,
  change: (entry: UnwrittenEntry) => UnwrittenEntry,
): Promise<string | undefined> {
  const streams = await honest();
  const entryIndex = (await slipsOf(streams)).at(which)!;
  const entries = [...streams[tiger]!.slice(0, entryIndex), change(streams[tiger]![entryIndex]!)];
  const problem = await verifyProblem({ ...streams, [tiger]: entries });
  expect(problem ?? '').toMatch(problem === undefined ? /^$/ : entryMessage(tiger, entryIndex + 1, /(?:)/));
  return problem;
}

const withContext = (entry: UnwrittenEntry, change: object): UnwrittenEntry => {
  const record = expectRecord(entry);
  return { ...entry, command: { ...record, context: JSON.parse(JSON.stringify({ ...record.context, ...change })) } };
};
const limitsIn = (entry: UnwrittenEntry) =>
  expectRecord(entry).context['sessionLimits'] as { stake: number; loss: number; until: number | null };

test('verify accepts a store with limits and a break', async () => {
  const streams = await honest();
  expect(await verifyProblem(streams)).toBeUndefined();
  const allLimits = (await slipsOf(streams)).map((entryIndex) => limitsIn(streams[tiger]![entryIndex]!));
  expect(allLimits[0]).toBeUndefined();
  expect(allLimits.slice(1)).toHaveLength(8);
  for (const sessionLimits of allLimits.slice(1)) expect(sessionLimits).toMatchObject({ stake: 2_000 });
  expect(allLimits.at(-1)!.until).toBeGreaterThan(0);
});

test('verify finds a slip with missing, looser or invented limits', async () => {
  const other = /was decided by other session limits than demo\/T1\.1 had at that time\.$/;
  expect(await problemIn(4, (entry) => withContext(entry, { sessionLimits: undefined }))).toMatch(other);
  for (const change of [{ stake: 2_001 }, { stake: null }, { loss: 10_001 }, { loss: null }, { until: 1 }]) {
    expect(
      await problemIn(4, (entry) => withContext(entry, { sessionLimits: { ...limitsIn(entry), ...change } })),
    ).toMatch(other);
  }
  // Also after its break, and for a bet from before it.
  expect(
    await problemIn(-1, (entry) => withContext(entry, { sessionLimits: { ...limitsIn(entry), until: null } })),
  ).toMatch(other);
  expect(
    await problemIn(3, (entry) =>
      withContext(entry, { sessionLimits: { ...limitsIn(entry), until: 1_700_000_000_000 } }),
    ),
  ).toMatch(other);
});

test('verify finds a bet above a limit', async () => {
  const more = (entry: UnwrittenEntry): UnwrittenEntry => {
    const slip = { tie: 2_500 };
    const [posting] = entry.postings;
    return {
      ...withRequest(withEvent(entry, { slip, debit: 2_500 }), { slip }),
      postings: [{ ...posting!, amount: 2_500 }],
    };
  };
  expect(await problemIn(4, more)).toMatch(
    /has a command that is refused now: Your limit for the stakes in a round is 2000/,
  );
  const loosened = (entry: UnwrittenEntry) =>
    withContext(more(entry), { sessionLimits: { ...limitsIn(entry), stake: 2_500 } });
  expect(await problemIn(4, loosened)).toMatch(/was decided by other session limits/);
});

test('verify finds removed and invented limits', async () => {
  const streams = await honest();
  const without = streams[own]!.filter(({ event }) => event.type !== 'SessionLimited');
  expect(await verifyProblem({ ...streams, [own]: without })).toMatch(
    /was decided by other session limits than demo\/T1\.1/,
  );
  const entryIndex = streams[tiger]!.findIndex(({ event }) => event['terminal'] === 'T2.1');
  const entries = streams[tiger]!.map((entry, one) =>
    one === entryIndex ? withContext(entry, { sessionLimits: { stake: 50_000, loss: null, until: null } }) : entry,
  );
  expect(await verifyProblem({ ...streams, [tiger]: entries })).toMatch(
    entryMessage(tiger, entryIndex + 1, /was decided by other session limits than demo\/T2\.1 had at that time\.$/),
  );
});

test('verify accepts either limit when it was set while a slip was in flight', async () => {
  const streams = await honest();
  const [limited] = streams[own]!.flatMap(({ event }) => (event.type === 'SessionLimited' ? [event.at] : []));
  const near = (await slipsOf(streams)).filter(
    (entryIndex) => Math.abs(streams[tiger]![entryIndex]!.event.at - limited!) <= 60_000,
  );
  expect(near.length).toBeGreaterThan(1);
  const after = near.findLast((entryIndex) => streams[tiger]![entryIndex]!.event.at >= limited!)!;
  const entries = streams[tiger]!.map((entry, one) =>
    one === after ? withContext(entry, { sessionLimits: undefined }) : entry,
  );
  expect(await verifyProblem({ ...streams, [tiger]: entries })).toBeUndefined();
});

const account = 'demo/XTS/terminal/T1.1';
const slip: LimitedSlip = {
  stream: tiger,
  sequence: 9,
  at: 500_000,
  session: 'demo/T1.1',
  credit: 99_400,
  remaining: { stake: null, loss: 400, until: null },
  taken: { account, version: 7, before: 99_000, after: 98_700 },
};
const set: LimitedSessions = new Map([
  ['demo/T1.1', [{ at: 1, limits: { stake: null, loss: 1_000, pausedUntil: null }, loaded: 100_000 }]],
]);

/** The problem of a slip beyond its loss limit, after another posting took 400. */
async function lost(type: string, at: number, version: number): Promise<void> {
  const winAccount = { to: 'demo/XTS/house/tiger', toBefore: 0, toAfter: 0, toVersion: 1 } as const;
  const posting = {
    amount: 400,
    from: account,
    fromBefore: 99_400,
    fromAfter: 99_000,
    fromVersion: version,
    ...winAccount,
  };
  const event = { type, v: 1, at };
  const entry = {
    stream: tiger,
    sequence: 8,
    at,
    event,
    postings: [posting],
    command: { id: '' },
    previous: '',
    hash: '',
  };
  const store = {
    streams: async () => [tiger],
    read: async function* () {
      yield [entry];
    },
  } as unknown as StoreReader;
  await verifySessionLimits(store, [slip], set);
}

test('verify finds a loss beyond its limit when the credit was overstated', async () => {
  const message = 'Entry 9 of demo/table/tiger stakes more than the loss limit of demo/T1.1 allows.';
  // A reversal at that moment could not be known; a stake, or a reversal long before or after, could.
  await lost('SettlementPosted', 490_000, 6);
  await expect(lost('SlipSet', 490_000, 6)).rejects.toThrow(message);
  await expect(lost('SettlementPosted', 430_000, 6)).rejects.toThrow(message);
  await expect(lost('SettlementPosted', 490_000, 8)).rejects.toThrow(message);
});
