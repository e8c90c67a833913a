import { describe, expect, test } from 'vitest';
import { verifyStore, verifyStakesAccounts } from '../../src/verify/verify.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { type Balance, type StreamHead, type Store } from '../../src/store/store.ts';
import { hashOf } from '../../src/base/canonicalJson.ts';
import { snapshotSchemaVersion, snapshotMac } from '../../src/store/snapshot.ts';
import { key } from '../runtime/support/testDependencies.ts';
import { tableDecider } from '../../src/deciders/deciders.ts';
import { type Table } from '../../src/table/state.ts';
import {
  type UnwrittenEntry,
  baccarat,
  honestStreams,
  entryMessage,
  expectRecord,
  verifyProblem,
  rewrittenChain,
  terminal,
  tiger,
  withRequest,
  withEvent,
  writeStore,
} from './forgedStore.ts';

const honestLog = await honestStreams();
const table = honestLog[tiger]!;
const opened = table.findLastIndex(({ event }) => event.type === 'BetsOpened');

const [seat, load] = honestLog[terminal]! as [UnwrittenEntry, UnwrittenEntry];
/** The load with changed event fields, or another posting. */
const loaded = (fields: object, posting: object = {}): UnwrittenEntry => ({
  ...withEvent(load, fields),
  postings: [{ ...load.postings[0]!, ...posting }],
});
/** The same, with a matching request. */
const withRequestAt = (fields: object): UnwrittenEntry => withRequest(loaded(fields), fields, 'forged');
/** Repeats an entry under another command. */
const repeat = (entry: UnwrittenEntry): UnwrittenEntry => ({
  ...entry,
  command: { ...expectRecord(entry), id: 'forged' },
});
const credit = load.postings[0]!.amount;

const seatOf = (fields: object): UnwrittenEntry => withRequest(withEvent(seat, fields), fields);

const ofTerminals: readonly (readonly [
  what: string,
  entries: readonly UnwrittenEntry[],
  bad: number,
  found: RegExp,
])[] = [
  ['credit before a seat', [load, seat], 1, /has a command that is refused now: The terminal is not registered yet/],
  [
    'a second seat',
    [seat, load, repeat(seat)],
    3,
    /has a command that is refused now: The terminal is already registered/,
  ],
  ['a seat with a secret', [withEvent(seat, { secretHash: 'a' }), load], 1, /has secretHash "a" where .* left out/],
  ['a seat with money', [{ ...seat, postings: load.postings }, load], 1, /has other postings than its event leads to/],
  [
    'a seat of another terminal',
    [seatOf({ terminal: 'T9' }), load],
    1,
    /registers the terminal T9 of demo, whose stream is demo\/terminal\/T9\.$/,
  ],
  [
    'a seat at another property',
    [seatOf({ property: 'sg1' }), load],
    1,
    /registers the terminal T2 of sg1, whose stream is sg1\/terminal\/T2\.$/,
  ],
  ['a seat without a matching request', [withEvent(seat, { terminal: 'T9' }), load], 1, /has terminal "T9" where/],
  ['credit of another session', [seat, loaded({ session: 2 })], 2, /has session 2 where its command leads to 1/],
  ['credit for another terminal', [seat, loaded({}, { to: 'demo/XTS/terminal/T3.1' })], 2, /has other postings/],
  ['more credit than was loaded', [seat, loaded({}, { amount: credit + 100 })], 2, /has other postings/],
  ['more credit than in the request', [seat, loaded({ amount: credit + 100 })], 2, /has amount \d+ where/],
  ['credit from the house', [seat, loaded({}, { from: 'demo/XTS/house/tiger' })], 2, /has other postings/],
  ['credit from the cage', [seat, loaded({}, { from: 'demo/XTS/cage/T2' })], 2, /has other postings/],
  [
    'credit in another currency',
    [seat, loaded({}, { from: 'demo/SGD/external/T2', to: 'demo/SGD/terminal/T2.1' })],
    2,
    /has other postings/,
  ],
  [
    'credit that is posted twice',
    [seat, { ...load, postings: [...load.postings, ...load.postings] }],
    2,
    /has other postings/,
  ],
  ['credit by an unknown method', [seat, withRequestAt({ method: 'constructor' })], 2, /The field "method"/],
  ['credit of nothing', [seat, load, { ...withRequestAt({ amount: 0 }), postings: [] }], 3, /The field "amount"/],
  ['credit of a later event version', [seat, loaded({ v: 2 })], 2, /has an unknown version/],
  [
    'an unknown event',
    [seat, loaded({ type: 'CreditFound' })],
    2,
    /is a CreditFound where its command leads to CreditLoaded/,
  ],
  [
    'credit by the actor of a patron',
    [seat, withRequestAt({ actor: { terminal: 'T2' } })],
    2,
    /has a command that is refused now: LoadCredit is for the role cage/,
  ],
  [
    'an unknown command',
    [seat, withRequestAt({ type: 'FindCredit' })],
    2,
    /"FindCredit" is not a command of a terminal/,
  ],
  ['a time that decreases', [seat, loaded({ at: seat.event.at - 1 })], 2, /has an earlier time/],
];

describe('verify finds a forgery at a terminal', () => {
  test.each(ofTerminals)('%s', async (_, entries, bad, found) => {
    // Without slips, since the credit is forged.
    const streams = { ...honestLog, [tiger]: table.slice(0, 4), [terminal]: entries };
    expect(await verifyProblem(streams)).toMatch(entryMessage(terminal, bad, found));
  });

  test.each(['demo/cage/C1', 'demo/table', 'demo/table/tiger/more', 'demo/terminal/ T1', 'notes'])(
    'a stream called %s, which is no table, terminal, floor or staff',
    async (stream) => {
      expect(await verifyProblem({ [stream]: [seat] })).toBe(
        `Entry 1 of ${stream} belongs to no table, terminal, floor or staff.`,
      );
    },
  );

  test('a table in another currency than the others', async () => {
    const settings = { ...(table[0]!.event['settings'] as object), currency: 'SGD' };
    const event = { ...table[0]!.event, settings, hash: hashOf(settings) };
    const problem = await verifyProblem({
      ...honestLog,
      [tiger]: [withRequest({ ...table[0]!, event }, { settings })],
    });
    expect(problem).toBe(`Entry 1 of ${tiger} has the currency SGD, but other streams have XTS.`);
  });
});

describe('verify finds a forgery that no store would write', async () => {
  const last = table.length;
  const withPosting = (change: object) => (entry: object) => {
    const { postings } = entry as { postings: readonly object[] };
    return { ...entry, postings: [{ ...postings[0], ...change }] };
  };
  const slip = 1 + table.findIndex(({ event }) => event.type === 'SlipSet');
  const of: readonly (readonly [what: string, sequence: number, change: (entry: object) => object, found: RegExp])[] = [
    [
      'an entry with another time than its event',
      last,
      (entry) => ({ ...entry, at: 5 }),
      /has another time than its event/,
    ],
    [
      'an entry that follows another',
      last,
      (entry) => ({ ...entry, previous: 'x' }),
      /does not follow the entry before it/,
    ],
    ['an entry with a surplus field', last, (entry) => ({ ...entry, note: 'x' }), /is not a well-formed entry/],
    ['an entry without postings', last, (entry) => ({ ...entry, postings: null }), /is not a well-formed entry/],
    ['an entry without an event', last, (entry) => ({ ...entry, event: null }), /is not a well-formed entry/],
    ['a posting with a surplus field', slip, withPosting({ note: 1 }), /is not a well-formed entry/],
    [
      'a posting that does not add up',
      slip,
      withPosting({ fromAfter: 5 }),
      /has a posting that changes a balance by another amount than its own/,
    ],
    [
      'credit that goes below zero',
      slip,
      withPosting({ fromBefore: 0, fromAfter: -1500 }),
      /takes more from .*T1\.1 than its balance/,
    ],
  ];
  test.each(of)('%s', async (_, sequence, change, found) => {
    const { problem } = await verifyStore(rewrittenChain(await writeStore(honestLog), tiger, sequence, change));
    expect(problem).toMatch(entryMessage(tiger, sequence, found));
  });

  const found = await writeStore(honestLog);
  const before = async (sequence: number): Promise<number> => {
    for await (const [entry] of found.read(tiger, sequence - 1, 1)) return entry!.postings[0]!.fromBefore;
    return 0;
  };

  test('a posting with a wrong balance before it', async () => {
    const balance = await before(slip);
    const change = withPosting({ fromBefore: balance + 1, fromAfter: balance + 1 - 1500 });
    const { problem } = await verifyStore(rewrittenChain(found, tiger, slip, change));
    const wrong = `has posting 2 of demo/XTS/terminal/T1.1 from the balance ${balance + 1}, but the next must be posting 2 from the balance ${balance}`;
    expect(problem).toBe(`Entry ${slip} of ${tiger} ${wrong}.`);
  });

  test('a posting that is counted twice', async () => {
    const { problem } = await verifyStore(rewrittenChain(found, tiger, slip, withPosting({ fromVersion: 1 })));
    expect(problem).toMatch(
      /^Entry \d+ of demo\/.* has posting 1 of demo\/XTS\/terminal\/T1\.1 from the balance [1-9]\d*, but the next must be posting 1 from the balance 0/,
    );
  });

  test('balances that differ from the sum of postings', async () => {
    const balances = await found.balances();
    const [[account, { amount, version }]] = [...balances] as [[Account, Balance]];
    const other = async (balance: Balance) =>
      (await verifyStore({ ...found, balances: async () => new Map([...balances, [account, balance]]) })).problem;
    expect(await other({ amount: amount + 1, version })).toMatch(
      `The account ${account} has the balance ${amount + 1} after`,
    );
    expect(await other({ amount, version: version + 1 })).toMatch(`after ${version + 1} postings, but its ${version}`);
    const none = { ...found, balances: async () => new Map([...balances].slice(1)) };
    expect((await verifyStore(none)).problem).toMatch(`The account ${account} has no balance, but its`);
    const more = new Map([...balances, ['demo/XTS/cage/T1', { amount: 0, version: 0 }] as const]);
    const stray = 'The account demo/XTS/cage/T1 has a balance, but no postings.';
    expect((await verifyStore({ ...found, balances: async () => more })).problem).toBe(stray);
  });

  test('a command that cannot be found by its id', async () => {
    const store = await writeStore(honestLog);
    const { problem } = await verifyStore({ ...store, findCommands: async () => new Map() });
    expect(problem).toBe('Entry 1 of demo/floor/main cannot be found by the id of its command.');
  });

  test('an entry with the hash of another', async () => {
    const read: typeof found.read = async function* (stream, ...more) {
      for await (const chunk of found.read(stream, ...more)) {
        yield chunk.map((entry) => (entry.sequence === slip ? { ...entry, hash: entry.previous } : entry));
      }
    };
    const { problem } = await verifyStore({ ...found, read });
    expect(problem).toBe(`Entry ${slip} of ${baccarat} does not match its hash.`);
  });

  test('a command in two streams', async () => {
    const { [tiger]: _, ...others } = honestLog;
    const first = await writeStore(others);
    const [firstEvent, ...rest] = table;
    const second = await writeStore({
      [tiger]: [
        { ...firstEvent!, command: { ...expectRecord(firstEvent!), id: honestLog[baccarat]![0]!.command.id } },
        ...rest.slice(0, 2),
      ],
    });
    const { problem } = await verifyStore({
      ...first,
      streams: async () => [...(await first.streams()), tiger],
      read: (stream, ...more) => (stream === tiger ? second : first).read(stream, ...more),
      findCommands: async (ids) => new Map([...(await second.findCommands(ids)), ...(await first.findCommands(ids))]),
    });
    expect(problem).toBe(`Entry 1 of ${tiger} has the same command id as entry 1 of ${baccarat}.`);
  });

  test('stakes that are not the open slips of their table', () => {
    const account = 'demo/XTS/stakes/tiger';
    const sums = { accounts: [account, 'demo/XTS/external/T1'] as const, of: () => 500 };
    expect(() => verifyStakesAccounts(sums, new Map([[account, 500]]))).not.toThrow();
    expect(() => verifyStakesAccounts(sums, new Map([[account, 400]]))).toThrow(
      /has the balance 500, but the open slips add up to 400/,
    );
    expect(() => verifyStakesAccounts(sums, new Map())).toThrow(/has the balance 500, but the open slips add up to 0/);
    expect(() => verifyStakesAccounts({ accounts: [], of: () => 0 }, new Map([[account, 400]]))).toThrow(
      /has the balance 0, but/,
    );
  });
});

test('verify finds a command whose entries are not contiguous', async () => {
  const store = rewrittenChain(await writeStore(honestLog), tiger, opened + 1, (entry) => ({
    ...entry,
    command: { ...entry.command, id: table[opened - 3]!.command.id },
  }));
  expect((await verifyStore(store)).problem).toMatch(
    entryMessage(tiger, opened + 1, /has the same command id as entry/),
  );
});

test('verify finds a stream that was truncated, extended or removed', async () => {
  const store = await writeStore(honestLog);
  const heads = await store.heads();
  const other = (stream: string, head?: StreamHead): Store => ({
    ...store,
    heads: async () => {
      const forged = new Map(heads);
      if (head) forged.set(stream, head);
      else forged.delete(stream);
      return forged;
    },
  });
  const { sequence, hash } = heads.get(tiger)!;
  for (const [forged, found] of [
    [
      other(tiger, { sequence: sequence + 1, hash, epoch: 0 }),
      /ends with entry \d+, but its stored head is entry \d+\.$/,
    ],
    [
      other(tiger, { sequence, hash: hash.replace(/.$/, (last) => (last === '0' ? '1' : '0')), epoch: 0 }),
      /has another hash than the stored head\.$/,
    ],
    [other(tiger), /but its stored head is entry 0\.$/],
    [
      { ...store, heads: async () => new Map([...heads, ['demo/table/gone', { sequence: 7, hash, epoch: 0 }]]) },
      /demo\/table\/gone ends with entry 0/,
    ],
  ] as const) {
    expect((await verifyStore(forged)).problem).toMatch(found);
  }
});

test('verify finds a snapshot that differs from the entries', async () => {
  const store = await writeStore(honestLog);
  const { sequence, hash } = (await store.heads()).get(tiger)!;
  let reached: Table | undefined;
  for (const { event } of table)
    reached = tableDecider.evolve(reached, tableDecider.parseEvent(structuredClone(event)));
  const state = JSON.stringify(reached);
  const save = (text: string, at = sequence): Promise<void> =>
    store.saveSnapshot(tiger, {
      sequence: at,
      version: snapshotSchemaVersion,
      state: text,
      hash: snapshotMac(text, hash, key),
    });
  await save(state);
  expect((await verifyStore(store)).problem).toBeUndefined();
  const wrong = `The snapshot of ${tiger} is not the state that its entries lead to.`;
  await save(state.replace('"grace":500', '"grace":600'));
  expect((await verifyStore(store)).problem).toBe(wrong);
  await save(state, sequence + 1);
  expect((await verifyStore(store)).problem).toBe(wrong);
  await save('no state');
  expect((await verifyStore(store)).problem).toBe(wrong);
  // A snapshot of another schema version is ignored, whatever it contains.
  await store.saveSnapshot(tiger, { sequence, version: snapshotSchemaVersion - 1, state, hash });
  expect((await verifyStore(store)).problem).toBeUndefined();
});
