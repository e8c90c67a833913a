import { describe, expect, test } from 'vitest';
import { enter } from '../../src/ledger/entries.ts';
import { type Posting } from '../../src/ledger/postings.ts';
import { type RecordedEvent } from '../../src/store/store.ts';
import { decide } from '../../src/table/decide/decide.ts';
import { type TableEvent } from '../../src/table/declare/events.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { commandFrom } from '../../src/table/declare/parse.ts';
import { type Table } from '../../src/table/table.ts';
import { type Bare, honest, markOf, named, problemOf, tiger } from './forged.ts';

// What staff does at a table is not made again from its events; it is held to what the table shows.

const record = await honest();
const table = record[tiger]!;
const placeOf = (type: string, n = 0): number =>
  [...table.keys()].filter((place) => table[place]!.event.type === type).at(n)!;

const dealer = { person: 'd1', post: 'dealer' };
const supervisor = { person: 's1', post: 'supervisor' };
const manager = { person: 'm1', post: 'gaming-shift-manager' };

type Asks = {
  readonly type: string;
  readonly who: object;
  /** How long after the last event it is asked. */
  readonly later?: number;
  readonly [field: string]: unknown;
};
type Asking = Asks | ((table: Table) => Asks);

/** The table up to there, and then what staff does, as the table decides it. */
function after(place: number, ...asking: readonly Asking[]): readonly Bare[] {
  const before = table.slice(0, place);
  let state: Table | undefined;
  for (const { event } of before) state = evolve(state, structuredClone(event) as unknown as TableEvent);
  const more = asking.flatMap((one, n) => {
    const { later = 0, ...asks } = typeof one === 'function' ? one(state!) : one;
    const command = commandFrom({ ...asks, at: (state?.at ?? table[0]!.event.at) + later });
    if ('refused' in command) throw new Error(command.message);
    const decision = decide(command, state);
    if ('refused' in decision) throw new Error(decision.message);
    const entered = enter(decision, state);
    state = entered.table;
    // The credit is brought, not asked.
    const { credit: _, ...asked } = asks;
    return entered.entries.map(({ event, postings }) => ({
      event: structuredClone(event) as unknown as RecordedEvent,
      postings,
      command: markOf(`staff-${n}`, asked),
    }));
  });
  return [...before, ...more];
}

const refer = { type: 'Refer', who: dealer, reason: 'Look.' };
const decided = (decision: string, more: object = {}) =>
  ({ type: 'DecideReferral', who: manager, decision, reason: 'So.', ...more }) as const;
const credits = { T1: 100_000, T2: 100_000, T3: 100_000 };
const shoe = table[placeOf('ShoeEnded')]!.event;
const approve = ({ proposal }: Table) =>
  ({ type: 'Approve', who: supervisor, proposal: proposal!.id, hash: proposal!.hash }) as const;
const endShoe = { type: 'EndShoe', who: dealer, cards: shoe['cards'], salts: shoe['salts'] };

const closed = placeOf('BetsClosed') + 1;
const complete = placeOf('RoundSettled');
const posted = placeOf('BetsOpened', 1);

const voids = after(closed, refer, decided('void'), { type: 'PostSettlement', who: { system: 'floor' } });
const stands = after(complete, refer, decided('stand'));
const reverses = after(
  posted,
  ({ round }: Table) => ({ ...refer, round: round!.id }),
  { ...decided('void'), who: supervisor },
  (state: Table) => ({ ...approve(state), who: manager, credits }),
  { type: 'PostSettlement', who: { system: 'floor' }, credits },
);
const ends = after(placeOf('ShoeEnded'), endShoe, approve);

/** A live table with its staff, from its opening to the cutting card. */
const setting = {
  ...(table[0]!.event['setting'] as object),
  table: 'live',
  dealing: 'keyed',
  attended: true,
  behind: 14,
};
const ready: readonly Asking[] = [
  { type: 'OpenTable', who: { person: 'p1', post: 'pit-manager' }, second: manager, setting },
  { type: 'BringShoe', who: dealer, shoe: 'L1', seal: 'S1' },
  { type: 'CountCards', who: dealer, cards: 416 },
  { type: 'ShuffleShoe', who: dealer, method: 'by hand' },
  { type: 'CutShoe', who: dealer, behind: 14 },
  { type: 'VerifyShoe', who: dealer },
  approve,
  { type: 'OpenBets', who: dealer },
];
const live = after(
  0,
  ...ready,
  { type: 'CallClose', who: dealer, notice: 60_000 },
  { type: 'CloseBets', who: dealer, later: 61_000 },
  { type: 'DealCard', who: dealer, slot: 'P1', card: 'KD', keyed: true },
  { type: 'ReportCuttingCard', who: dealer },
  { type: 'DealCard', who: dealer, slot: 'B1', card: '3D' },
);

const deals = (...cards: readonly string[]): readonly Asking[] =>
  cards.map((one, place) => ({ type: 'DealCard', who: dealer, slot: ['P1', 'B1', 'P2', 'B2'][place], card: one }));

/** A round that is settled, and then dealt on since its cards left the shoe in another order. */
const reopened = after(
  0,
  ...ready,
  ({ round }) => ({ type: 'SetSlip', who: { terminal: 'T1' }, round: round!.id, slip: { player: 1000 }, credit: 5000 }),
  { type: 'CallClose', who: dealer },
  { type: 'CloseBets', who: dealer, later: 61_000 },
  ...deals('3D', 'AD', '4C', '6C'),
  { type: 'Settle', who: dealer, later: 2_000 },
  { type: 'ReportIrregularity', who: dealer, kind: 'wrong-order' },
  { type: 'ReconstructRound', who: supervisor, cards: ['3D', '4C', 'AD', '6C'], unseen: false, reason: 'Seen.' },
  ({ proposal }) => ({ type: 'Approve', who: manager, proposal: proposal!.id, hash: proposal!.hash }),
);

/** A round that staff finds void after an interruption. */
const confirmed = after(
  0,
  ...ready,
  { type: 'ReportInterruption', who: dealer, since: 0, stateLost: true },
  { type: 'ConfirmRuling', who: supervisor },
);

test.each([
  ['a settled round that is dealt on', reopened, 'RoundReconstructed'],
  ['a ruling that is confirmed', confirmed, 'RoundVoided'],
] as const)('%s verifies', async (_, entries, type) => {
  expect(entries.some(({ event }) => event.type === type)).toBe(true);
  const credit = entries === reopened ? record : {};
  expect(await problemOf({ ...credit, 'demo/table/live': entries })).toBeUndefined();
});

test('what staff does at a live table verifies', async () => {
  expect(await problemOf({ ...record, 'demo/table/live': live })).toBeUndefined();
  const keyed = live.map((entry) => {
    const { keyed: _, ...event } = entry.event;
    return { ...entry, event };
  });
  expect(await problemOf({ ...record, 'demo/table/live': keyed })).toMatch(
    named('demo/table/live', 12, /another hash of what was asked/),
  );
});

test.each([
  ['a referral that voids a round', voids, 'RoundVoided'],
  ['a referral that lets a round stand', stands, 'RoundSettled'],
  ['a referral that voids a settled round', reverses, 'RoundResettled'],
  ['a shoe opened by two', ends, 'Approved'],
] as const)('%s verifies', async (_, entries, type) => {
  expect(entries.some(({ event }) => event.type === type)).toBe(true);
  expect(await problemOf({ ...record, [tiger]: entries })).toBeUndefined();
});

type Forged = { readonly entries: readonly Bare[]; readonly bad: number };

/** The last event of that type with other fields, and nothing after it. */
function changed(entries: readonly Bare[], type: string, fields: object, postings?: readonly Posting[]): Forged {
  const place = entries.findLastIndex(({ event }) => event.type === type);
  const entry = entries[place]!;
  const event = JSON.parse(JSON.stringify({ ...entry.event, ...fields })) as RecordedEvent;
  return {
    entries: [...entries.slice(0, place), { ...entry, event, postings: postings ?? entry.postings }],
    bad: place + 1,
  };
}

/** An event more, as if the last command had led to it. */
const also = (entries: readonly Bare[], event: RecordedEvent): Forged => ({
  entries: [...entries, { ...entries.at(-1)!, event: { ...event, at: entries.at(-1)!.event.at }, postings: [] }],
  bad: entries.length + 1,
});

const chunkOf = (entries: readonly Bare[], fields: object): Forged => changed(entries, 'SettlementPosted', fields, []);

const undecided: Forged = {
  entries: voids.map((entry) =>
    entry.event.type === 'ReferralDecided' ? { ...entry, event: { ...entry.event, decision: 'continue' } } : entry,
  ),
  bad: 1 + voids.findIndex(({ event }) => event.type === 'RoundVoided'),
};
const referred = after(closed, refer, decided('continue'));
const { cards: _cards, salts: _salts, ...rest } = ends.at(-1)!.event;
const withoutCards = { ...rest, shoe: table[1]!.event['shoe'] } as RecordedEvent;
const card = table[closed]!.event;
const { round: _round, slot: _slot, complete: _complete, ...shown } = card;
const burned = { ...shown, type: 'CardsBurned', shoe: 'x', count: 1 };
/** Other cards for the round that is played. */
const again = { round: card['round'], by: 'x', after: ['KD'], burned: [], phase: 'dealing', reason: 'x' };
const changedTo = (fields: object): RecordedEvent => {
  const { event } = table[0]!;
  return { ...event, type: 'SettingChanged', who: manager, setting: { ...(event['setting'] as object), ...fields } };
};
const nextCard = table[closed + 1]!.event;
const { [placeOf('RoundSettled', 1)]: other } = table;
const results = table[complete]!.event['results'] as object;
const lone = (event: object, place = closed): Forged => ({
  entries: [
    ...table.slice(0, place),
    {
      event: { v: 1, at: table[place - 1]!.event.at, ...event } as RecordedEvent,
      postings: [],
      command: markOf('x', {}),
    },
  ],
  bad: place + 1,
});

describe('a forgery that passes for the work of staff is found', () => {
  const of: readonly (readonly [what: string, forged: Forged, found: RegExp])[] = [
    [
      'a referral by nobody on duty',
      changed(after(closed, refer), 'Referred', { who: { system: 'floor' } }),
      /nothing that is asked of a table without staff/,
    ],
    [
      'a referral by nothing',
      changed(after(closed, refer), 'Referred', { who: 'me' }),
      /nothing that is asked of a table without staff/,
    ],
    [
      'a referral without a reason',
      changed(after(closed, refer), 'Referred', { reason: undefined }),
      /The field "reason" is missing/,
    ],
    [
      'a decision on nothing',
      lone({ type: 'ReferralDecided', who: manager, referral: 'R1', decision: 'continue', by: 'x', reason: 'x' }),
      /decides what nobody referred/,
    ],
    [
      'an act at a table that is not open',
      { entries: after(closed, refer).slice(-1), bad: 1 },
      /comes before the table was opened/,
    ],
    ['an event that no table knows', also(referred, { ...card, type: 'CardFound' }), /is no event of a table/],
    ['a slip among it', also(referred, table[placeOf('SlipSet')]!.event), /comes by a command of its own/],
    ['a void that was not decided', undecided, /voids its round without a reason in the record/],
    ['a void of another round', changed(voids, 'RoundVoided', { round: 'x' }), /voids a round that is not played/],
    [
      'a void with another number',
      changed(voids, 'RoundVoided', { settlement: 'x' }),
      /the number of another settlement/,
    ],
    [
      'a round settled before its cards are dealt',
      also(referred, table[complete]!.event),
      /settles a round that is not dealt to its end/,
    ],
    [
      'a round settled with other cards',
      changed(stands, 'RoundSettled', { cards: other!.event['cards'], results: other!.event['results'] }),
      /has other cards than were dealt/,
    ],
    [
      'a round settled with a wager left out',
      changed(stands, 'RoundSettled', { results: Object.fromEntries(Object.entries(results).slice(1)) }),
      /has other results than the rules give/,
    ],
    [
      'a round settled with another number',
      changed(stands, 'RoundSettled', { settlement: 'x' }),
      /the number of another settlement/,
    ],
    [
      'a chunk that passes over slips',
      chunkOf(reverses, { from: 0, count: 0 }),
      /passes over slips, or posts them again/,
    ],
    ['a chunk with too few slips', chunkOf(reverses, { count: 0 }), /posts another number of slips than is due/],
    ['a chunk that is not the last', chunkOf(reverses, { last: false }), /is wrong about being the last/],
    ['a chunk of another settlement', chunkOf(reverses, { settlement: 'x' }), /posts a settlement that is not due/],
    [
      'a round settled again that never was',
      also(referred, { ...reverses.find(({ event }) => event.type === 'RoundResettled')!.event, round: 'x' }),
      /settles a round again that was not settled/,
    ],
    [
      'a round settled again that reverses another',
      changed(reverses, 'RoundResettled', { reverses: 'x' }),
      /the number of another settlement/,
    ],
    [
      'a round settled again without results',
      changed(reverses, 'RoundResettled', { outcome: 'results' }),
      /has no results/,
    ],
    [
      'a round settled again with a wager left out',
      changed(reverses, 'RoundResettled', {
        outcome: 'results',
        results: Object.fromEntries(Object.entries(results).slice(1)),
      }),
      /has other results than the rules give/,
    ],
    [
      'a round settled again as the cards do not',
      changed(reverses, 'RoundResettled', {
        outcome: 'results',
        results: { ...results, tie: { result: 'win', pays: [9, 1], commission: [0, 1], by: 'x' } },
      }),
      /settles its round otherwise than the cards do/,
    ],
    [
      'a consent to nothing',
      lone({ type: 'Approved', who: manager, proposal: 'P1', hash: markOf('', {}).hash }),
      /consents to what was not proposed/,
    ],
    ['a consent to oneself', changed(ends, 'Approved', { who: dealer }), /is the consent of whoever proposed it/],
    [
      'a shoe opened with other cards',
      changed(ends, 'ShoeEnded', { cards: (shoe['cards'] as string[]).toReversed() }),
      /opens another shoe than was committed/,
    ],
    ['another shoe ended', changed(ends, 'ShoeEnded', { shoe: 'x' }), /ends a shoe that is not on the table/],
    ['a shoe that ended unopened', also(referred, withoutCards), /ends a shoe without opening it/],
    [
      'another card',
      also(referred, { ...card, card: card['card'] === 'KD' ? 'QD' : 'KD' }),
      /has another card than the shoe/,
    ],
    ...[
      { type: 'ShoeBrought', shoe: 'x', seal: 'x', size: 416 },
      { type: 'CardsCounted', shoe: 'x', expected: 416, counted: 416 },
      { type: 'ShoeShuffled', shoe: 'x', method: 'x' },
      { type: 'ShoeCut', shoe: 'x', behind: 300 },
      { type: 'ShoeVerified', shoe: 'x', size: 416, behind: 14, shuffled: true },
      { type: 'CuttingCardOut', shoe: 'x', by: 'x', roundsLeft: 0 },
      { type: 'CardTakenBack', round: 'x', slot: 'P1', card: 'KD' },
      { type: 'CardBurned', card: 'KD', by: 'x', reason: 'x' },
      { type: 'RoundReconstructed', ...again, before: [], surplus: 'none' },
      { type: 'CardCorrected', ...again, place: 1, was: 'KD', card: 'QD' },
    ].map(
      (event) =>
        [
          `a ${event.type} at a virtual table`,
          lone({ ...event, who: dealer }),
          /is done by hand, and the shoe is virtual/,
        ] as const,
    ),
    [
      'a card burned of no shoe',
      lone({ ...burned, at: table[0]!.event.at, who: dealer }, 1),
      /takes a card where there is no shoe/,
    ],
    [
      'a lock on no shoe',
      lone({ type: 'ShoeLocked', shoe: 'x', who: dealer, by: 'x', reason: 'x' }, 1),
      /does not fit the table as it was/,
    ],
    ['a setting changed while bets are open', also(referred, changedTo({})), /finish the round first/],
    [
      'a setting changed to another currency',
      lone(changedTo({ currency: 'SGD' }), 1),
      /belongs to the table and never changes/,
    ],
    [
      'a setting changed with another hash',
      lone(changedTo({ chunk: 3 }), 1),
      /has another setting than can be asked for/,
    ],
    [
      'another card burned',
      also(referred, { ...burned, card: card['card'] === 'KD' ? 'QD' : 'KD' }),
      /has another card than the shoe/,
    ],
    [
      'a card of another place',
      also(referred, { ...card, index: nextCard['index'] }),
      /names another place in the shoe/,
    ],
    [
      'a card for another slot',
      also(referred, { ...card, slot: nextCard['slot'] }),
      /deals a card to a place that is not due/,
    ],
    [
      'a deal that claims to be complete',
      also(referred, { ...card, complete: true }),
      /is wrong about whether the deal is complete/,
    ],
    ['a card for another round', also(referred, { ...card, round: 'x' }), /deals a card to a round that takes none/],
  ];
  test.each(of)('%s', async (_, { entries, bad }, found) => {
    expect(await problemOf({ ...record, [tiger]: entries })).toMatch(named(tiger, bad, found));
  });
});
