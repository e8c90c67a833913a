import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { tableDecider, terminalDecider } from '../../src/deciders/deciders.ts';
import { type RequestUpcasters, upcastRequest } from '../../src/base/upcast.ts';
import { type Store } from '../../src/store/store.ts';
import { type Amendment, amendments } from '../../src/verify/amendments.ts';
import { StreamReplay } from '../../src/verify/replay.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { approve, dealer, entriesFor, manager, supervisor } from './staffCommands.ts';
import {
  type UnwrittenEntry,
  honest,
  named,
  recordOf,
  rewrittenChain,
  tiger,
  withPayload,
  withEvent,
  writtenStore,
} from './forgedStore.ts';

// A record made by another decider: it cited another clause for every close, and took a slip off the step.

/** The version that would bring another change. */
const next = tableDecider.version + 1;

const record = await honest();
const table = record[tiger]!;
const closes = table.filter(({ event }) => event.type === 'BetsClosed').length;
const opened = table.findLastIndex(({ event }) => event.type === 'BetsOpened');
const first = 1 + table.findIndex(({ event }) => event.type === 'BetsClosed');

const otherwise = table.map((entry) =>
  entry.event.type === 'BetsClosed' ? withEvent(entry, { by: 'ETG 3.1' }) : entry,
);

const versionAmendment: Amendment = {
  number: 7,
  decider: 'table',
  version: next,
  says: 'The close is cited by 3.2.',
  fits: ({ type }, [event, ...rest], due) =>
    type === 'CloseBets' && rest.length === 0 && isDeepStrictEqual([{ ...event, by: 'ETG 3.2' }], due),
};
const acceptsAll: Amendment = { ...versionAmendment, number: 9, says: 'Anything goes.', fits: () => true };

const store = (entries: readonly UnwrittenEntry[]): Promise<Store> => writtenStore({ ...record, [tiger]: entries });
const check = async (entries: readonly UnwrittenEntry[], ...by: readonly Amendment[]) =>
  verifyStore(await store(entries), { amendments: by });

test('amendments are numbered without gaps and have no future version', () => {
  expect(amendments.map(({ number }) => number)).toEqual(amendments.map((_, place) => place + 1));
  for (const { decider, version } of amendments) {
    expect(version).toBeLessThanOrEqual((decider === 'table' ? tableDecider : terminalDecider).version);
  }
});

describe('[READING 61] what was carried out after an interruption without a word on the felt', () => {
  const begun = table[0]!.event;
  const setting = { ...(begun['setting'] as object), table: 'live', dealing: 'keyed', attended: true, behind: 14 };
  const whole = entriesFor(
    [],
    begun.at,
    { type: 'OpenTable', who: { person: 'p1', post: 'pit-manager' }, second: manager, setting },
    { type: 'BringShoe', who: dealer, shoe: 'L1', seal: 'S1' },
    { type: 'CountCards', who: dealer, cards: 416 },
    { type: 'CutShoe', who: dealer, behind: 14 },
    { type: 'VerifyShoe', who: dealer },
    approve,
    { type: 'OpenBets', who: dealer },
    { type: 'CallClose', who: dealer },
    { type: 'CloseBets', who: dealer, later: 61_000 },
    { type: 'DealCard', who: dealer, slot: 'P1', card: '9S' },
    { type: 'ReportInterruption', who: dealer, since: 0, stateLost: true },
    { type: 'ConfirmFelt', who: dealer },
    approve,
    { type: 'ConfirmRuling', who: supervisor },
  );
  const felt = whole.findIndex(({ event }) => event.type === 'Interrupted') + 1;
  const by = (decider: string): readonly UnwrittenEntry[] =>
    whole
      .toSpliced(felt, 3)
      .map((entry) => ('asked' in entry.command ? { ...entry, command: { ...entry.command, decider } } : entry));

  test('stands where it was decided by the first version, is counted, and by no later one', async () => {
    const checked = async (decider: string) =>
      verifyStore(await writtenStore({ 'demo/table/live': by(decider) }), { amendments });
    expect(await checked('table@1')).toMatchObject({ problem: undefined, amended: new Map([[1, 1]]) });
    expect((await checked('table@2')).problem).toMatch(
      /is what is refused: A card on the felt may not be recorded yet/,
    );
  });

  test('also where two persons decided it, and only where an interrupted round was void by it', () => {
    const [{ fits }] = amendments as readonly [Amendment];
    const at = { v: 1, at: 0 };
    const approved = { type: 'Approved', ...at };
    const settled = { type: 'RoundResettled', ...at, outcome: 'void', by: 'HOUSE 6' };
    const decided = { type: 'ReferralDecided', ...at, decision: 'void' };
    const asked = { type: 'Approve' };
    expect(fits(asked, [approved, settled], 'changed-proposal')).toBe(true);
    expect(fits(asked, [approved, decided], 'changed-proposal')).toBe(true);
    expect(fits(asked, [approved, settled], 'felt-first')).toBe(false);
    for (const other of [
      { ...settled, by: 'HOUSE 7' },
      { ...settled, outcome: 'results' },
      { ...decided, decision: 'stand' },
      { type: 'ShoeVerified', ...at },
    ])
      expect(fits(asked, [approved, other], 'changed-proposal')).toBe(false);
    expect(fits({ type: 'DecideReferral' }, [decided], 'felt-first')).toBe(true);
    expect(fits({ type: 'ConfirmRuling' }, [], 'no-such-ruling')).toBe(false);
    expect(fits({ type: 'VoidRound' }, [], 'felt-first')).toBe(false);
  });
});

test('verify accepts and counts a difference that an amendment declares', async () => {
  expect(await check(table, versionAmendment)).toMatchObject({ problem: undefined, amended: new Map() });
  expect(await check(otherwise, versionAmendment)).toMatchObject({
    problem: undefined,
    amended: new Map([[7, closes]]),
  });
  // The first that fits is the one that counts.
  expect((await check(otherwise, versionAmendment, acceptsAll)).amended).toEqual(new Map([[7, closes]]));
});

test('what was accepted and is refused today stands as well, where an amendment says so', async () => {
  const who = { terminal: 'T1.1' };
  const slip = { player: 150 };
  const { round, at } = table[opened]!.event as unknown as { round: string; at: number };
  const entry: UnwrittenEntry = {
    event: { type: 'SlipSet', v: 1, at, who, round, terminal: 'T1.1', slip, hold: 150 },
    postings: [{ from: 'demo/XTS/terminal/T1.1', to: 'demo/XTS/stakes/tiger', amount: 150 }],
    command: recordOf('off-step', { type: 'SetSlip', who, round, slip }, { brought: { credit: 90_000 } }),
  };
  const fits: Amendment['fits'] = ({ type }, _, due) => type === 'SetSlip' && due === 'stake-off-step';
  const steps: Amendment = {
    number: 3,
    decider: 'table',
    version: next,
    says: 'Stakes are multiples of a step.',
    fits,
  };
  const entries = [...table.slice(0, opened + 1), entry];
  expect((await check(entries)).problem).toMatch(named(tiger, opened + 2, /is what is refused: .*multiples of 100/));
  expect(await check(entries, steps)).toMatchObject({ problem: undefined, amended: new Map([[3, 1]]) });
  // What it moves is worked out from what it says.
  const more = { ...entry, postings: [{ ...entry.postings[0]!, amount: 100 }] };
  expect((await check([...entries.slice(0, -1), more], steps)).problem).toMatch(
    named(tiger, opened + 2, /has other postings than its event leads to/),
  );
});

describe('a command that was asked in words which are not known today', () => {
  const place = table.findIndex(({ event }) => event.type === 'BetsClosed');
  const entries = [...table.slice(0, place), withPayload(table[place]!, { type: 'StopBets' })];

  test('is a problem, unless an amendment says otherwise', async () => {
    const unread = /asks what cannot be asked: .*StopBets/;
    expect((await check(entries)).problem).toMatch(named(tiger, place + 1, unread));
    const fits: Amendment['fits'] = ({ type, at }, [event], due) =>
      type === 'StopBets' && at === event!.at && due === 'bad-request';
    const renamed: Amendment = { number: 4, decider: 'table', version: next, says: 'Bets are closed.', fits };
    expect(await check(entries, renamed)).toMatchObject({ problem: undefined, amended: new Map([[4, 1]]) });
    const late = await check(entries, { ...renamed, version: tableDecider.version });
    expect(late.problem).toMatch(named(tiger, place + 1, unread));
  });

  test('is brought up to date by the version of the decider that it was asked of', async () => {
    const replayed = async (since: number): Promise<number> => {
      const steps: RequestUpcasters = { StopBets: [{ since, step: (asked) => ({ ...asked, type: 'CloseBets' }) }] };
      const decider: typeof tableDecider = {
        ...tableDecider,
        version: next,
        askedFrom: (asked, version) => upcastRequest(asked, version, steps),
      };
      const replay = new StreamReplay(decider, [], new Map(), {});
      let taken = 0;
      let last: string | undefined;
      for await (const part of (await store(entries)).read(tiger)) {
        for (const entry of part) {
          if (entry.command.id !== last) replay.finish();
          last = entry.command.id;
          replay.add(entry);
          taken += 1;
        }
      }
      replay.finish();
      return taken;
    };
    expect(await replayed(next)).toBe(place + 1);
    await expect(replayed(tableDecider.version)).rejects.toThrow(/asks what cannot be asked: .*StopBets/);
  });
});

describe('verify finds a difference that no amendment declares', () => {
  const of: readonly (readonly [what: string, by: readonly Amendment[]])[] = [
    ['none', []],
    ['one that is as old as the decider of the entry', [{ ...versionAmendment, version: tableDecider.version }]],
    ['one for another decider', [{ ...versionAmendment, decider: 'terminal' }]],
    ['one that speaks of something else', [{ ...versionAmendment, fits: ({ type }) => type === 'OpenBets' }]],
    ['one that is too narrow', [{ ...versionAmendment, fits: (_, recorded) => recorded.length === 2 }]],
  ];
  test.each(of)('%s', async (_, by) => {
    const { problem, amended } = await check(otherwise, ...by);
    expect(problem).toMatch(named(tiger, first, /has by "ETG 3\.1" where its command leads to "ETG 3\.2"/));
    expect(amended).toEqual(new Map());
  });
});

describe('verify in spite of an amendment', () => {
  const settled = table.findIndex(({ event }) => event.type === 'RoundSettled');
  const results = table[settled]!.event['results'] as { readonly [wager: string]: object };
  const with9 = { ...results, tie: { ...results['tie'], result: 'win', pays: [9, 1] } };

  test('checks that a round is settled by its cards', async () => {
    const entries = [...table.slice(0, settled), withEvent(table[settled]!, { results: with9 }), table[settled + 1]!];
    expect((await check(entries, acceptsAll)).problem).toMatch(
      named(tiger, settled + 1, /settles its round otherwise than the cards do/),
    );
    const none = [...table.slice(0, settled), withEvent(table[settled]!, { round: 'x' })];
    expect((await check(none, acceptsAll)).problem).toMatch(
      named(tiger, settled + 1, /settles its round otherwise than the cards do/),
    );
  });

  test('checks that an event is known and fits the state', async () => {
    const place = table.findIndex(({ event }) => event.type === 'BetsClosed');
    for (const [at, fields] of [
      [place, { type: 'BetsFixed' }],
      [table.findIndex(({ event }) => event.type === 'SettlementPosted') + 1, { settlement: 'x' }],
    ] as const) {
      const forged = [...otherwise.slice(0, at), withEvent(otherwise[at]!, fields)];
      expect((await check(forged, acceptsAll)).problem).toMatch(
        named(tiger, at + 1, /does not fit what came before it/),
      );
    }
  });

  test('checks chains, balances and heads', async () => {
    const good = await store(otherwise);
    const by = { amendments: [acceptsAll] };
    expect((await verifyStore(good, by)).problem).toBeUndefined();
    const slip = 1 + otherwise.findIndex(({ event }) => event.type === 'SlipSet');
    const broke = rewrittenChain(good, tiger, slip, (entry) => ({
      ...entry,
      postings: entry.postings.map((posting) => ({ ...posting, fromBefore: posting.fromBefore + 5 })),
    }));
    expect((await verifyStore(broke, by)).problem).toMatch(named(tiger, slip, /has a posting that does not add up/));
    const unchained = rewrittenChain(good, tiger, slip, (entry) => ({ ...entry, previous: 'x' }));
    expect((await verifyStore(unchained, by)).problem).toMatch(
      named(tiger, slip, /does not follow the entry before it/),
    );
    const lost: Store = { ...good, heads: async () => new Map() };
    expect((await verifyStore(lost, by)).problem).toMatch(/was last written at entry 0/);
    const rich: Store = {
      ...good,
      balances: async () =>
        new Map([...(await good.balances())].map(([name, one]) => [name, { ...one, amount: one.amount + 1 }])),
    };
    expect((await verifyStore(rich, by)).problem).toMatch(/^The account .* holds/);
  });
});
