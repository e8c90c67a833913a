import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { tableDecider, terminalDecider } from '../../src/deciders/deciders.ts';
import { type CommandPayloadUpcasters, upcastCommandPayload } from '../../src/base/upcast.ts';
import { type Store } from '../../src/store/store.ts';
import { type DeciderAmendment, deciderAmendments } from '../../src/verify/amendments.ts';
import { StreamReplay } from '../../src/verify/replay.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import {
  type UnwrittenEntry,
  honestStreams,
  entryMessage,
  commandRecord,
  rewrittenChain,
  tiger,
  withRequest,
  withEvent,
  writeStore,
} from './forgedStore.ts';

// An event log of another decider: it cited another clause for every close, and took a slip off the step.

/** The version of a future change. */
const next = tableDecider.version + 1;

const honestLog = await honestStreams();
const table = honestLog[tiger]!;
const closes = table.filter(({ event }) => event.type === 'BetsClosed').length;
const opened = table.findLastIndex(({ event }) => event.type === 'BetsOpened');
const first = 1 + table.findIndex(({ event }) => event.type === 'BetsClosed');

const otherwise = table.map((entry) =>
  entry.event.type === 'BetsClosed' ? withEvent(entry, { by: 'ETG 3.1' }) : entry,
);

const versionAmendment: DeciderAmendment = {
  number: 7,
  decider: 'table',
  version: next,
  description: 'The close is cited by 3.2.',
  fits: ({ type }, [event, ...rest], due) =>
    type === 'CloseBets' && rest.length === 0 && isDeepStrictEqual([{ ...event, by: 'ETG 3.2' }], due),
};
const acceptsAll: DeciderAmendment = {
  ...versionAmendment,
  number: 9,
  description: 'Anything goes.',
  fits: () => true,
};

const store = (entries: readonly UnwrittenEntry[]): Promise<Store> => writeStore({ ...honestLog, [tiger]: entries });
const check = async (entries: readonly UnwrittenEntry[], ...by: readonly DeciderAmendment[]) =>
  verifyStore(await store(entries), { amendments: by });

test('amendments are numbered without gaps and have no future version', () => {
  expect(deciderAmendments.map(({ number }) => number)).toEqual(
    deciderAmendments.map((_, entryIndex) => entryIndex + 1),
  );
  for (const { decider, version } of deciderAmendments) {
    expect(version).toBeLessThanOrEqual((decider === 'table' ? tableDecider : terminalDecider).version);
  }
});

test('verify accepts and counts a difference that an amendment declares', async () => {
  expect(await check(table, versionAmendment)).toMatchObject({ problem: undefined, amendmentUses: new Map() });
  expect(await check(otherwise, versionAmendment)).toMatchObject({
    problem: undefined,
    amendmentUses: new Map([[7, closes]]),
  });
  // The first matching amendment counts.
  expect((await check(otherwise, versionAmendment, acceptsAll)).amendmentUses).toEqual(new Map([[7, closes]]));
});

test('verify accepts a command that has a command that is refused now when an amendment declares it', async () => {
  const actor = { terminal: 'T1.1' };
  const slip = { player: 150 };
  const { round, at } = table[opened]!.event as unknown as { round: string; at: number };
  const entry: UnwrittenEntry = {
    event: { type: 'SlipSet', v: 1, at, actor, round, terminal: 'T1.1', slip, debit: 150 },
    postings: [{ from: 'demo/XTS/terminal/T1.1', to: 'demo/XTS/stakes/tiger', amount: 150 }],
    command: commandRecord('off-step', { type: 'SetSlip', actor, round, slip }, { context: { credit: 90_000 } }),
  };
  const fits: DeciderAmendment['fits'] = ({ type }, _, due) => type === 'SetSlip' && due === 'off-step-stake';
  const steps: DeciderAmendment = {
    number: 3,
    decider: 'table',
    version: next,
    description: 'Stakes are multiples of a step.',
    fits,
  };
  const entries = [...table.slice(0, opened + 1), entry];
  expect((await check(entries)).problem).toMatch(
    entryMessage(tiger, opened + 2, /has a command that is refused now: .*multiples of 100/),
  );
  expect(await check(entries, steps)).toMatchObject({ problem: undefined, amendmentUses: new Map([[3, 1]]) });
  // Postings are derived from the event.
  const more = { ...entry, postings: [{ ...entry.postings[0]!, amount: 100 }] };
  expect((await check([...entries.slice(0, -1), more], steps)).problem).toMatch(
    entryMessage(tiger, opened + 2, /has other postings than its event leads to/),
  );
});

describe('a command in an earlier request format', () => {
  const entryIndex = table.findIndex(({ event }) => event.type === 'BetsClosed');
  const entries = [...table.slice(0, entryIndex), withRequest(table[entryIndex]!, { type: 'StopBets' })];

  test('is a problem, unless an amendment declares it', async () => {
    const unread = /has a command that cannot be parsed: .*StopBets/;
    expect((await check(entries)).problem).toMatch(entryMessage(tiger, entryIndex + 1, unread));
    const fits: DeciderAmendment['fits'] = ({ type, at }, [event], due) =>
      type === 'StopBets' && at === event!.at && due === 'bad-request';
    const renamed: DeciderAmendment = {
      number: 4,
      decider: 'table',
      version: next,
      description: 'Bets are closed.',
      fits,
    };
    expect(await check(entries, renamed)).toMatchObject({ problem: undefined, amendmentUses: new Map([[4, 1]]) });
    const late = await check(entries, { ...renamed, version: tableDecider.version });
    expect(late.problem).toMatch(entryMessage(tiger, entryIndex + 1, unread));
  });

  test('is upcast from the decider version that recorded it', async () => {
    const replayed = async (since: number): Promise<number> => {
      const steps: CommandPayloadUpcasters = {
        StopBets: [{ since, step: (request) => ({ ...request, type: 'CloseBets' }) }],
      };
      const decider: typeof tableDecider = {
        ...tableDecider,
        version: next,
        upcastCommandPayload: (request, version) => upcastCommandPayload(request, version, steps),
      };
      const replay = new StreamReplay(decider, [], new Map(), {});
      let taken = 0;
      let last: string | undefined;
      for await (const chunk of (await store(entries)).read(tiger)) {
        for (const entry of chunk) {
          if (entry.command.id !== last) replay.finish();
          last = entry.command.id;
          replay.add(entry);
          taken += 1;
        }
      }
      replay.finish();
      return taken;
    };
    expect(await replayed(next)).toBe(entryIndex + 1);
    await expect(replayed(tableDecider.version)).rejects.toThrow(/has a command that cannot be parsed: .*StopBets/);
  });
});

describe('verify finds a difference that no amendment declares', () => {
  const of: readonly (readonly [what: string, by: readonly DeciderAmendment[]])[] = [
    ['none', []],
    ['one of the same version as the decider of the entry', [{ ...versionAmendment, version: tableDecider.version }]],
    ['one for another decider', [{ ...versionAmendment, decider: 'terminal' }]],
    ['one about another difference', [{ ...versionAmendment, fits: ({ type }) => type === 'OpenBets' }]],
    ['one that is too narrow', [{ ...versionAmendment, fits: (_, recorded) => recorded.length === 2 }]],
  ];
  test.each(of)('%s', async (_, by) => {
    const { problem, amendmentUses } = await check(otherwise, ...by);
    expect(problem).toMatch(entryMessage(tiger, first, /has by "ETG 3\.1" where its command leads to "ETG 3\.2"/));
    expect(amendmentUses).toEqual(new Map());
  });
});

describe('verify in spite of an amendment', () => {
  const settled = table.findIndex(({ event }) => event.type === 'RoundSettled');
  const results = table[settled]!.event['results'] as { readonly [wager: string]: object };
  const with9 = { ...results, tie: { ...results['tie'], result: 'win', pays: [9, 1] } };

  test('checks that a round is settled by its cards', async () => {
    const entries = [...table.slice(0, settled), withEvent(table[settled]!, { results: with9 }), table[settled + 1]!];
    expect((await check(entries, acceptsAll)).problem).toMatch(
      entryMessage(tiger, settled + 1, /settles its round differently from its cards/),
    );
    const none = [...table.slice(0, settled), withEvent(table[settled]!, { round: 'x' })];
    expect((await check(none, acceptsAll)).problem).toMatch(
      entryMessage(tiger, settled + 1, /settles its round differently from its cards/),
    );
  });

  test('checks that an event is known and fits the state', async () => {
    const entryIndex = table.findIndex(({ event }) => event.type === 'BetsClosed');
    for (const [at, fields] of [
      [entryIndex, { type: 'BetsFixed' }],
      [table.findIndex(({ event }) => event.type === 'SettlementPosted') + 1, { settlement: 'x' }],
    ] as const) {
      const forged = [...otherwise.slice(0, at), withEvent(otherwise[at]!, fields)];
      expect((await check(forged, acceptsAll)).problem).toMatch(
        entryMessage(tiger, at + 1, /has an event that cannot be applied to the state before it/),
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
    expect((await verifyStore(broke, by)).problem).toMatch(
      entryMessage(tiger, slip, /has a posting that changes a balance by another amount than its own/),
    );
    const unchained = rewrittenChain(good, tiger, slip, (entry) => ({ ...entry, previous: 'x' }));
    expect((await verifyStore(unchained, by)).problem).toMatch(
      entryMessage(tiger, slip, /does not follow the entry before it/),
    );
    const lost: Store = { ...good, heads: async () => new Map() };
    expect((await verifyStore(lost, by)).problem).toMatch(/but its stored head is entry 0/);
    const rich: Store = {
      ...good,
      balances: async () =>
        new Map([...(await good.balances())].map(([name, one]) => [name, { ...one, amount: one.amount + 1 }])),
    };
    expect((await verifyStore(rich, by)).problem).toMatch(/^The account .* has the balance/);
  });
});
