import { describe, expect, test } from 'vitest';
import { type RecordedEvent } from '../../src/store/store.ts';
import { type Table } from '../../src/table/state.ts';
import {
  type UnwrittenEntry,
  honestStreams,
  entryMessage,
  commandRecord,
  verifyProblem,
  tiger,
  withRequest,
  withEvent,
} from './forgedStore.ts';
import {
  type RequestSource,
  type StaffRequest,
  type Forged,
  approve,
  withContext,
  changeEvent,
  dealer,
  entriesFor,
  replaceEntry,
  lastIndexOf,
  manager,
  splitRequest,
  supervisor,
} from './staffCommands.ts';

// Commands of staff at a table are decided again like all others.

const honestLog = await honestStreams();
const table = honestLog[tiger]!;
const indexOfEvent = (type: string, n = 0): number =>
  [...table.keys()].filter((entryIndex) => table[entryIndex]!.event.type === type).at(n)!;

/** The table up to an index, and then requests of staff. */
const after = (entryIndex: number, ...requests: readonly RequestSource[]): readonly UnwrittenEntry[] =>
  entriesFor(table.slice(0, entryIndex), table[0]!.event.at, ...requests);

const refer = { type: 'Refer', actor: dealer, reason: 'Look.' };
const decided = (decision: string, more: object = {}) =>
  ({ type: 'DecideReferral', actor: manager, decision, reason: 'So.', ...more }) as const;
const credits = { 'T1.1': 100_000, 'T2.1': 100_000, 'T3.1': 100_000 };
const shoe = table[indexOfEvent('ShoeEnded')]!.event;
const endShoe = { type: 'EndShoe', actor: dealer, cards: shoe['cards'], salts: shoe['salts'] };

const closed = indexOfEvent('BetsClosed') + 1;
const complete = indexOfEvent('RoundSettled');
const posted = indexOfEvent('BetsOpened', 1);

const voids = after(closed, refer, decided('void'), { type: 'PostSettlement', actor: { system: 'floor' } });
const standDecided = after(complete, refer, decided('stand'));
const { round: paid } = table[indexOfEvent('BetsOpened')]!.event;
const consents = ({ proposal }: Table) =>
  ({ type: 'Approve', actor: manager, proposal: proposal!.id, hash: proposal!.hash, credits }) as const;
// A reversal of paid money needs two persons. [READING 53]
const reverses = after(posted, { ...refer, round: paid }, { ...decided('void'), actor: supervisor }, consents, {
  type: 'PostSettlement',
  actor: { system: 'floor' },
  credits,
});
const ends = after(indexOfEvent('ShoeEnded'), endShoe, approve);

test.each([
  ['a referral that voids a round', voids, 'RoundVoided'],
  ['a referral that lets a round stand', standDecided, 'RoundSettled'],
  ['a referral that voids a settled round', reverses, 'RoundResettled'],
  ['a shoe opened by two persons', ends, 'Approved'],
] as const)('%s verifies', async (_, entries, type) => {
  expect(entries.some(({ event }) => event.type === type)).toBe(true);
  expect(await verifyProblem({ ...honestLog, [tiger]: entries })).toBeUndefined();
});

/** Appends an event, as if the last command had decided it. */
const also = (entries: readonly UnwrittenEntry[], event: RecordedEvent): Forged => {
  const { event: last, command } = entries.at(-1)!;
  return replaceEntry(entries, entries.length, {
    event: { ...event, at: last.at },
    postings: [],
    command: { id: command.id },
  });
};

/** A staff command with a forged event. */
const lone = (staffRequest: StaffRequest, event: object, entryIndex = closed): Forged => {
  const { request, context: what } = splitRequest(staffRequest);
  return replaceEntry(table, entryIndex, {
    event: {
      v: 1,
      at: table[entryIndex - 1]!.event.at,
      actor: staffRequest.actor,
      ...event,
    } as unknown as RecordedEvent,
    postings: [],
    command: commandRecord('forged', request, { context: what }),
  });
};

const chunkOf = (entries: readonly UnwrittenEntry[], fields: object): Forged =>
  changeEvent(entries, 'SettlementPosted', fields, []);

const referred = after(closed, refer, decided('continue'));
const decision = lastIndexOf(voids, 'ReferralDecided');
const undecided: Forged = {
  entries: voids.with(
    decision,
    withRequest(withEvent(voids[decision]!, { decision: 'continue' }), { decision: 'continue' }),
  ),
  bad: decision + 2,
};
const { cards: _cards, salts: _salts, ...rest } = ends.at(-1)!.event;
const withoutCards = { ...rest, shoe: table[1]!.event['shoe'] } as RecordedEvent;
const card = table[closed]!.event;
const { round: _round, slot: _slot, complete: _complete, ...shown } = card;
const burned = { ...shown, type: 'CardsBurned', count: 1 };
/** Other cards for the current round. */
const again = { round: card['round'], by: 'x', after: ['KD'], burned: [], phase: 'dealing', reason: 'x' };
const settingWith = (fields: object): object => ({ ...(table[0]!.event['settings'] as object), ...fields });
const changing = (fields: object, entryIndex?: number): Forged => {
  const { hash } = table[0]!.event;
  const event = { type: 'SettingsChanged', settings: settingWith(fields), hash };
  return lone({ type: 'ChangeSettings', actor: manager, settings: settingWith(fields) }, event, entryIndex);
};
const nextCard = table[closed + 1]!.event;
const { [indexOfEvent('RoundSettled', 1)]: other } = table;
const results = table[complete]!.event['results'] as object;
const reason = 'x';

/** Events of manual acts, and their commands. */
const byHand: readonly (readonly [
  request: object,
  event: { readonly type: string; readonly [field: string]: unknown },
])[] = [
  [
    { type: 'BringShoe', shoe: 'x', seal: 'x' },
    { type: 'ShoeBrought', shoe: 'x', seal: 'x', size: 416 },
  ],
  [
    { type: 'CountCards', cards: 416 },
    { type: 'CardsCounted', expected: 416, counted: 416 },
  ],
  [
    { type: 'ShuffleShoe', method: 'x' },
    { type: 'ShoeShuffled', method: 'x' },
  ],
  [
    { type: 'CutShoe', behind: 300 },
    { type: 'ShoeCut', behind: 300 },
  ],
  [{ type: 'VerifyShoe' }, { type: 'ShoeVerified', shoe: 'x', size: 416, behind: 14, shuffled: true }],
  [{ type: 'ReportCuttingCard' }, { type: 'CuttingCardOut', by: 'x', roundsLeft: 0 }],
  [{ type: 'TakeBackCard' }, { type: 'CardTakenBack', round: 'x', slot: 'P1', card: 'KD' }],
  [
    { type: 'BurnCard', card: 'KD', reason },
    { type: 'CardBurned', card: 'KD', by: 'x', reason, paused: 0 },
  ],
  [
    { type: 'ReconstructRound', cards: ['KD'], unseen: false, reason },
    { type: 'RoundReconstructed', ...again, before: [], surplus: 'none' },
  ],
  [
    { type: 'CorrectCard', round: card['round'], place: 1, card: 'QD', reason },
    { type: 'CardCorrected', ...again, place: 1, was: 'KD', card: 'QD' },
  ],
];

const alsoLed = (type: string): RegExp => new RegExp(`is a ${type} that its command does not lead to`);

describe('verify finds a forgery that imitates staff', () => {
  const of: readonly (readonly [what: string, forged: Forged, found: RegExp])[] = [
    [
      'a referral by another actor',
      changeEvent(after(closed, refer), 'Referred', { actor: { system: 'floor' } }),
      /has actor\.person left out where its command leads to "d1"/,
    ],
    [
      'a referral by an invalid actor',
      changeEvent(after(closed, refer), 'Referred', { actor: 'me' }),
      /has actor "me" where/,
    ],
    [
      'a referral without a reason',
      changeEvent(after(closed, refer), 'Referred', { reason: undefined }),
      /has reason left out where its command leads to "Look."/,
    ],
    [
      'a decision on nothing',
      lone(decided('continue'), { type: 'ReferralDecided', decision: 'continue', by: 'x', reason: 'So.', paused: 0 }),
      /has a command that is refused now: .* no referral with that id is open/,
    ],
    [
      'a decision by a role that may not make it',
      withContext(voids, 'ReferralDecided', { authority: { role: 'supervisor' } }),
      /has a command that is refused now: .*gaming-shift-manager/,
    ],
    [
      'a decision by an actor without a role',
      withContext(voids, 'ReferralDecided', { authority: {} }),
      /has a command that cannot be parsed: The field "actor.role" is missing/,
    ],
    [
      'a decision by an acting role that is over',
      withContext(voids, 'ReferralDecided', {
        authority: { role: 'supervisor', acting: 'gaming-shift-manager', until: 5 },
      }),
      /has a command that is refused now: /,
    ],
    [
      'a command at a table that is not open',
      { entries: after(closed, refer).slice(-1), bad: 1 },
      /has a command that is refused now: .* not open yet/,
    ],
    ['an unknown event', also(referred, { ...card, type: 'CardFound' }), alsoLed('CardFound')],
    ['a slip among its events', also(referred, table[indexOfEvent('SlipSet')]!.event), alsoLed('SlipSet')],
    ['a void that was not decided', undecided, alsoLed('RoundVoided')],
    ['a void of another round', changeEvent(voids, 'RoundVoided', { round: 'x' }), /has round "x" where/],
    ['a void with another number', changeEvent(voids, 'RoundVoided', { settlement: 'x' }), /has settlement "x" where/],
    ['a round settled before its cards are dealt', also(referred, table[complete]!.event), alsoLed('RoundSettled')],
    [
      'a round settled with other cards',
      changeEvent(standDecided, 'RoundSettled', { cards: other!.event['cards'], results: other!.event['results'] }),
      /has cards \[.*\] where its command leads to \[/,
    ],
    [
      'a round settled with a wager left out',
      changeEvent(standDecided, 'RoundSettled', { results: Object.fromEntries(Object.entries(results).slice(1)) }),
      /has results\.\S+ left out where/,
    ],
    [
      'a round settled with another number',
      changeEvent(standDecided, 'RoundSettled', { settlement: 'x' }),
      /has settlement "x" where/,
    ],
    ['a chunk that skips slips', chunkOf(reverses, { from: 0, count: 0 }), /has count 0 where its command leads to 1/],
    ['a chunk with too few slips', chunkOf(reverses, { count: 0 }), /has count 0 where/],
    ['a chunk that is not the last', chunkOf(reverses, { last: false }), /has last false where/],
    ['a chunk of another settlement', chunkOf(reverses, { settlement: 'x' }), /has settlement "x" where/],
    [
      'a reversal that found less credit than it took',
      withContext(reverses, 'SettlementPosted', { credits: { 'T1.1': 0, 'T2.1': 0, 'T3.1': 0 } }),
      /has shortfalls left out where its command leads to \{/,
    ],
    [
      'a reversal without credit in its context',
      withContext(reverses, 'SettlementPosted', { credits: {} }),
      /has a command that is refused now: /,
    ],
    [
      'a round settled again that was never settled',
      also(referred, { ...reverses[lastIndexOf(reverses, 'RoundResettled')]!.event, round: 'x' }),
      alsoLed('RoundResettled'),
    ],
    [
      'a round settled again that reverses another',
      changeEvent(reverses, 'RoundResettled', { reverses: 'x' }),
      /has reverses "x" where/,
    ],
    [
      'a round settled again without results',
      changeEvent(reverses, 'RoundResettled', { outcome: 'results' }),
      /has outcome "results" where/,
    ],
    [
      'a round settled again with a wager left out',
      changeEvent(reverses, 'RoundResettled', { results: Object.fromEntries(Object.entries(results).slice(1)) }),
      /has results \{.* where its command leads to left out/,
    ],
    [
      'a round settled again with a result that its cards do not give',
      changeEvent(reverses, 'RoundResettled', {
        outcome: 'results',
        results: { ...results, tie: { result: 'win', pays: [9, 1], commission: [0, 1], by: 'x' } },
      }),
      /has outcome "results" where/,
    ],
    [
      'an approval of nothing',
      lone(
        { type: 'Approve', actor: manager, proposal: 'P1', hash: table[0]!.event['hash'] },
        { type: 'Approved', proposal: 'P1', hash: table[0]!.event['hash'] },
      ),
      /has a command that is refused now: /,
    ],
    [
      'an approval by another person',
      changeEvent(ends, 'Approved', { actor: dealer }),
      /has actor\.person "d1" where its command leads to "s1"/,
    ],
    [
      'an approval of the own proposal',
      {
        ...changeEvent(ends, 'Approved', { actor: { ...dealer, role: 'supervisor' } }),
        entries: ends.with(
          lastIndexOf(ends, 'Approved'),
          withRequest(ends[lastIndexOf(ends, 'Approved')]!, { actor: { person: 'd1' } }),
        ),
      },
      /has a command that is refused now: Another person must approve the proposal/,
    ],
    [
      'an approval by a role that may not give it',
      withContext(ends, 'Approved', { authority: { role: 'cage' } }),
      /has a command that is refused now: /,
    ],
    [
      'an approval of another hash',
      replaceEntry(
        ends,
        lastIndexOf(ends, 'Approved'),
        withRequest(ends[lastIndexOf(ends, 'Approved')]!, { hash: table[0]!.event['hash'] }),
      ),
      /has a command that is refused now: /,
    ],
    [
      'a shoe opened with other cards',
      changeEvent(ends, 'ShoeEnded', { cards: (shoe['cards'] as string[]).toReversed() }),
      /has cards \[.* where its command leads to \[/,
    ],
    ['another shoe ended', changeEvent(ends, 'ShoeEnded', { shoe: 'x' }), /has shoe "x" where/],
    ['a shoe that ended unopened', also(referred, withoutCards), alsoLed('ShoeEnded')],
    ['another card', also(referred, { ...card, card: card['card'] === 'KD' ? 'QD' : 'KD' }), alsoLed('CardDealt')],
    ...byHand.map(
      ([staffRequest, event]) =>
        [
          `a ${event.type} at a virtual table`,
          lone({ ...staffRequest, actor: dealer } as StaffRequest, event),
          /has a command that is refused now: /,
        ] as const,
    ),
    [
      'a card burned of no shoe',
      lone(
        { type: 'BurnCards', actor: dealer, card: card['card'], salt: card['salt'], proof: card['proof'] },
        { ...burned, at: table[0]!.event.at, actor: dealer },
        1,
      ),
      /has a command that is refused now: /,
    ],
    [
      'a lock on no shoe',
      lone(
        { type: 'ReportIrregularity', actor: dealer, kind: 'order-altered' },
        { type: 'ShoeLocked', by: 'x', reason },
        1,
      ),
      /has a command that is refused now: There is no shoe at the table/,
    ],
    ['settings changed while bets are open', changing({}, indexOfEvent('BetsOpened') + 1), /finish the round first/],
    ['settings changed to another currency', changing({ currency: 'SGD' }, 1), /"currency" never changes/],
    [
      'settings changed by one person',
      changing({ chunk: 3 }, 1),
      /is a SettingsChanged where its command leads to Proposed/,
    ],
    [
      'another card burned',
      also(referred, { ...burned, card: card['card'] === 'KD' ? 'QD' : 'KD' }),
      alsoLed('CardsBurned'),
    ],
    ['a card of another position', also(referred, { ...card, index: nextCard['index'] }), alsoLed('CardDealt')],
    ['a card for another slot', also(referred, { ...card, slot: nextCard['slot'] }), alsoLed('CardDealt')],
    ['a deal that claims to be complete', also(referred, { ...card, complete: true }), alsoLed('CardDealt')],
    ['a card for another round', also(referred, { ...card, round: 'x' }), alsoLed('CardDealt')],
  ];
  test.each(of)('%s', async (_, { entries, bad }, found) => {
    expect(await verifyProblem({ ...honestLog, [tiger]: entries })).toMatch(entryMessage(tiger, bad, found));
  });
});
