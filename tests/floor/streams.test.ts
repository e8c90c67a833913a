import { describe, expect, test } from 'vitest';
import { verify, verifyStakes } from '../../src/verify/verify.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { type Balance } from '../../src/store/store.ts';
import { hashOf } from '../../src/rules/hash.ts';
import { type Bare, baccarat, honest, named, problemOf, rewritten, terminal, tiger, written } from './forged.ts';

const record = await honest();
const table = record[tiger]!;

const [seat, load] = record[terminal]! as [Bare, Bare];
const loaded = (fields: object, posting: object = {}): Bare => ({
  ...load,
  event: { ...load.event, ...fields },
  postings: [{ ...load.postings[0]!, ...posting }],
});
const credit = load.postings[0]!.amount;

const ofTerminals: readonly (readonly [what: string, entries: readonly Bare[], bad: number, found: RegExp])[] = [
  ['credit before a seat', [load, seat], 1, /comes before the terminal was seated/],
  [
    'a second seat',
    [seat, load, { ...seat, event: { ...seat.event, secretHash: 'z' } }],
    3,
    /seats the terminal again/,
  ],
  [
    'the secret of another terminal',
    [{ ...seat, event: { ...seat.event, secretHash: 'a' } }, load],
    1,
    /has the secret of/,
  ],
  ['a seat with money', [{ ...seat, postings: load.postings }, load], 1, /has postings, and its event moves no money/],
  [
    'a seat of another terminal',
    [{ ...seat, event: { ...seat.event, terminal: 'T9' } }, load],
    1,
    /is of the terminal T9/,
  ],
  ['credit of another terminal', [seat, loaded({ terminal: 'T3' })], 2, /is of the terminal T3/],
  ['more credit than was loaded', [seat, loaded({}, { amount: credit + 100 })], 2, /has other postings/],
  ['credit from the house', [seat, loaded({}, { from: 'demo/XTS/house/tiger' })], 2, /has other postings/],
  [
    'credit in another currency',
    [seat, loaded({}, { from: 'demo/SGD/external', to: 'demo/SGD/terminal/T2' })],
    2,
    /has other postings/,
  ],
  [
    'credit that is posted twice',
    [seat, { ...load, postings: [...load.postings, ...load.postings] }],
    2,
    /has other postings/,
  ],
  ['credit by a way that there is not', [seat, loaded({ by: 'constructor' })], 2, /The field "by"/],
  ['credit of nothing', [seat, load, { ...loaded({ amount: 0 }), postings: [] }], 3, /The field "amount"/],
  ['credit of a later form', [seat, loaded({ v: 2 })], 2, /is of a form that is not known/],
  [
    'an event that no terminal knows',
    [seat, loaded({ type: 'CreditFound' })],
    2,
    /is a CreditFound, which is no event of a terminal/,
  ],
  ['a clock that runs back', [seat, loaded({ at: seat.event.at - 1 })], 2, /is of an earlier time/],
];

describe('a forgery at a terminal is found', () => {
  test.each(ofTerminals)('%s', async (_, entries, bad, found) => {
    // Nobody has bet, since the credit is forged.
    const streams = { ...record, [tiger]: table.slice(0, 4), [terminal]: entries };
    expect(await problemOf(streams)).toMatch(named(terminal, bad, found));
  });

  test.each(['demo/cage/C1', 'demo/table', 'demo/table/tiger/more', 'demo/terminal/ T1', 'notes'])(
    'a stream called %s is neither a table nor a terminal',
    async (stream) => {
      expect(await problemOf({ [stream]: [seat] })).toBe(`Entry 1 of ${stream} is of neither a table nor a terminal.`);
    },
  );

  test('a table in another currency than the others', async () => {
    const setting = { ...(table[0]!.event['setting'] as object), currency: 'SGD' };
    const event = { ...table[0]!.event, setting, hash: hashOf(setting) };
    const problem = await problemOf({ ...record, [tiger]: [{ ...table[0]!, event }] });
    expect(problem).toBe(`Entry 1 of ${tiger} opens a table in SGD, and others have XTS.`);
  });
});

describe('a forgery that no store would write is found', async () => {
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
    ['an entry with a part too many', last, (entry) => ({ ...entry, note: 'x' }), /is not an entry as it must be/],
    ['an entry without postings', last, (entry) => ({ ...entry, postings: null }), /is not an entry as it must be/],
    ['an entry without an event', last, (entry) => ({ ...entry, event: null }), /is not an entry as it must be/],
    [
      'a mark with a part too many',
      last,
      (entry) => ({ ...entry, command: { id: 'x', hash: 'y', at: 1 } }),
      /is not an entry as it must be/,
    ],
    ['a posting with a part too many', slip, withPosting({ note: 1 }), /is not an entry as it must be/],
    ['a posting that does not add up', slip, withPosting({ fromAfter: 5 }), /has a posting that does not add up/],
    [
      'credit that goes below zero',
      slip,
      withPosting({ fromBefore: 0, fromAfter: -1500 }),
      /takes more from .*T1 than is there/,
    ],
  ];
  test.each(of)('%s', async (_, sequence, change, found) => {
    const { problem } = await verify(rewritten(await written(record), tiger, sequence, change));
    expect(problem).toMatch(named(tiger, sequence, found));
  });

  const found = await written(record);
  const before = async (sequence: number): Promise<number> => {
    for await (const [entry] of found.read(tiger, sequence - 1, 1)) return entry!.postings[0]!.fromBefore;
    return 0;
  };

  test('a posting that finds what the one before it did not leave', async () => {
    const held = await before(slip);
    const change = withPosting({ fromBefore: held + 1, fromAfter: held + 1 - 1500 });
    const { problem } = await verify(rewritten(found, tiger, slip, change));
    const wrong = `finds ${held + 1} in demo/XTS/terminal/T1, where 1 postings have left ${held}`;
    expect(problem).toBe(`Entry ${slip} of ${tiger} ${wrong}.`);
  });

  test('a posting that is counted twice', async () => {
    const { problem } = await verify(rewritten(found, tiger, slip, withPosting({ fromVersion: 1 })));
    expect(problem).toMatch(
      /^Entry \d+ of demo\/.* finds \d+ in demo\/XTS\/terminal\/T1, where 0 postings have left 0/,
    );
  });

  test('balances that are not what the postings add up to', async () => {
    const balances = await found.balances();
    const [[account, { amount, version }]] = [...balances] as [[Account, Balance]];
    const other = async (balance: Balance) =>
      (await verify({ ...found, balances: async () => new Map([...balances, [account, balance]]) })).problem;
    expect(await other({ amount: amount + 1, version })).toMatch(`The account ${account} holds ${amount + 1} after`);
    expect(await other({ amount, version: version + 1 })).toMatch(`after ${version + 1} postings, and its ${version}`);
    const none = { ...found, balances: async () => new Map([...balances].slice(1)) };
    expect((await verify(none)).problem).toMatch(`The account ${account} holds nothing, and its`);
    const more = new Map([...balances, ['demo/XTS/cage', { amount: 0, version: 0 }] as const]);
    const stray = 'The account demo/XTS/cage has a balance, and nothing was posted to it.';
    expect((await verify({ ...found, balances: async () => more })).problem).toBe(stray);
  });

  test('a command that cannot be found by its id', async () => {
    const store = await written(record);
    const { problem } = await verify({ ...store, commands: async () => new Map() });
    expect(problem).toBe(`Entry 1 of ${baccarat} cannot be found by the id of its command.`);
  });

  test('an entry with the hash of another', async () => {
    const read: typeof found.read = async function* (stream, ...more) {
      for await (const part of found.read(stream, ...more)) {
        yield part.map((entry) => (entry.sequence === slip ? { ...entry, hash: entry.previous } : entry));
      }
    };
    const { problem } = await verify({ ...found, read });
    expect(problem).toBe(`Entry ${slip} of ${baccarat} does not give the hash it was written with.`);
  });

  test('a command that stands in two streams', async () => {
    const { [tiger]: _, ...others } = record;
    const first = await written(others);
    const [begun, ...rest] = table;
    const second = await written({
      [tiger]: [{ ...begun!, command: record[baccarat]![0]!.command! }, ...rest.slice(0, 2)],
    });
    const { problem } = await verify({
      ...first,
      streams: async () => [...(await first.streams()), tiger],
      read: (stream, ...more) => (stream === tiger ? second : first).read(stream, ...more),
      commands: async (ids) => new Map([...(await second.commands(ids)), ...(await first.commands(ids))]),
    });
    expect(problem).toBe(`Entry 1 of ${tiger} bears the id of the command that begins at entry 1 of ${baccarat}.`);
  });

  test('stakes that are not the open slips of their table', () => {
    const account = 'demo/XTS/stakes/tiger';
    const sums = { accounts: [account, 'demo/XTS/external'] as const, of: () => 500 };
    expect(() => verifyStakes({ sums, stakes: new Map([[account, 500]]) })).not.toThrow();
    expect(() => verifyStakes({ sums, stakes: new Map([[account, 400]]) })).toThrow(
      /holds 500 and the open slips are 400/,
    );
    expect(() => verifyStakes({ sums, stakes: new Map() })).toThrow(/holds 500 and the open slips are none/);
    expect(() => verifyStakes({ sums: { accounts: [], of: () => 0 }, stakes: new Map([[account, 400]]) })).toThrow(
      /holds 0 and/,
    );
  });
});
