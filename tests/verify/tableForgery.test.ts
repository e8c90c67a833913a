import { describe, expect, test } from 'vitest';
import { floorActor } from '../../src/access/actor.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { type RecordedEvent } from '../../src/store/store.ts';
import {
  type UnwrittenEntry,
  requestOf,
  baccarat,
  honestStreams,
  entryMessage,
  commandRecord,
  verifyProblem,
  tiger,
  withRequest,
  withEvent,
  writeStore,
} from './forgedStore.ts';

// Every forgery here has matching chains, postings and balances. Its contents reveal it.

const honestLog = await honestStreams();
const table = honestLog[tiger]!;

/** Index of the n-th event of a type at the table; from the end when negative. */
function indexOfEvent(type: string, n = 0): number {
  const indexes = [...table.keys()].filter((entryIndex) => table[entryIndex]!.event.type === type);
  return indexes.at(n)!;
}

const eventAt = (entryIndex: number): RecordedEvent => table[entryIndex]!.event;
const stakes = 'demo/XTS/stakes/tiger';
const creditOf = (who: string) => `demo/XTS/terminal/${who}` as const;

type Forged = { readonly entries: readonly UnwrittenEntry[]; readonly bad: number };

/** The table up to an index, and then other entries. */
const then = (entryIndex: number, ...entries: readonly UnwrittenEntry[]): Forged => ({
  entries: [...table.slice(0, entryIndex), ...entries],
  bad: entryIndex + 1,
});

/** One entry of the table with changed fields, as the last. */
const changed = (entryIndex: number, fields: object): Forged => then(entryIndex, withEvent(table[entryIndex]!, fields));

/** The same for an entry with a matching request. */
const withRequestAt = (entryIndex: number, fields: object, staffRequest: object = fields): Forged =>
  then(entryIndex, withRequest(withEvent(table[entryIndex]!, fields), staffRequest));

/** Repeats an entry of the table under another command. */
const repeat = (entryIndex: number, of: number): Forged => then(entryIndex, withRequest(table[of]!, {}, 'forged'));

/** The table without some of its entries; the entry that takes their index is bad. */
const without = (bad: number, ...indexes: readonly number[]): Forged => ({
  entries: table.filter((_, entryIndex) => !indexes.includes(entryIndex)),
  bad: bad + 1,
});

/** A slip that is set after an index, with its postings and context. */
function slipAfter(
  entryIndex: number,
  fields: { readonly at?: number; readonly round?: string },
  slip: object,
  debit: number,
): Forged {
  const { round, at } = {
    round: eventAt(indexOfEvent('BetsOpened', -1))['round'],
    at: eventAt(entryIndex).at,
    ...fields,
  };
  const actor = { terminal: 'T1.1' };
  const event = { type: 'SlipSet', v: 1, at, actor, round, terminal: 'T1.1', slip, debit };
  const amount = Math.abs(debit);
  const [from, to] = debit > 0 ? ([creditOf('T1.1'), stakes] as const) : ([stakes, creditOf('T1.1')] as const);
  return then(entryIndex + 1, {
    event,
    postings: amount === 0 ? [] : [{ from, to, amount }],
    command: commandRecord('forged', { type: 'SetSlip', actor, round, slip }, { context: { credit: 90_000 } }),
  });
}

/** A command of the floor right after an index. */
const floorAfter = (entryIndex: number, type: string, staffRequest: object, fields: object): Forged =>
  then(entryIndex + 1, {
    event: { v: 1, at: eventAt(entryIndex).at, actor: floorActor, ...fields } as unknown as RecordedEvent,
    postings: [],
    command: commandRecord('forged', { type, actor: floorActor, ...staffRequest }),
  });

const opened = indexOfEvent('BetsOpened', -1);
const closing = indexOfEvent('ClosingCalled', -1);
const closed = indexOfEvent('BetsClosed', -1);
/** A card of the shoe that is not opened yet. */
const dealt = indexOfEvent('CardDealt', -2);
const settled = indexOfEvent('RoundSettled');
const { results } = eventAt(settled) as unknown as { results: { [wager: string]: { by: string } } };
const firstChunk = indexOfEvent('SettlementPosted');
const voided = indexOfEvent('RoundVoided');
const resumed = indexOfEvent('RoundResumed');
const cut = indexOfEvent('CuttingCardOut');
const limit = 50_000;

const cardWith = ({ index: at = eventAt(dealt)['index'], ...fields }: { [field: string]: unknown }): Forged =>
  withRequestAt(dealt, { ...fields, index: at }, fields);
const { card, salt, proof, index } = eventAt(dealt) as unknown as {
  card: string;
  salt: string;
  proof: readonly string[];
  index: number;
};
const nextCard = eventAt(indexOfEvent('CardDealt', -1));

const ofTable: readonly (readonly [what: string, forged: Forged, found: RegExp])[] = [
  [
    'a round settled with the cards and results of another',
    changed(settled, {
      cards: eventAt(indexOfEvent('RoundSettled', 1))['cards'],
      results: eventAt(indexOfEvent('RoundSettled', 1))['results'],
    }),
    /has cards \[.*\] where its command leads to \[/,
  ],
  [
    'a round settled with a wager left out',
    changed(settled, { results: Object.fromEntries(Object.entries(results).slice(1)) }),
    /has results\.\S+ left out where its command leads to \{/,
  ],
  [
    'a round settled with a wager that pays more',
    changed(settled, {
      results: { ...results, tie: { result: 'win', pays: [9, 1], commission: [0, 1], by: results['tie']!.by } },
    }),
    /has results\.tie\.pays \[9,1\] where its command leads to/,
  ],
  ['a settlement with another number', changed(settled, { settlement: 'x#1' }), /has settlement "x#1" where/],
  ['another card', cardWith({ card: card === 'KD' ? 'QD' : 'KD' }), /is not proven to be card/],
  ['another salt', cardWith({ salt: nextCard['salt'] }), /is not proven to be card/],
  ['another proof', cardWith({ proof: [proof[1], proof[0], ...proof.slice(2)] }), /is not proven to be card/],
  ['an invalid proof', cardWith({ proof: ['zz'] }), /has a command that cannot be parsed: The field "proof\[0\]"/],
  [
    'the card of another position, with its proof',
    cardWith({ card: nextCard['card'], salt: nextCard['salt'], proof: nextCard['proof'], index: nextCard['index'] }),
    /is not proven to be card/,
  ],
  ['a card that claims another position', changed(dealt, { index: index + 1 }), /has index/],
  ['a card for another slot', cardWith({ slot: 'B3' }), /The next card is for/],
  ['a deal that claims to be complete', changed(dealt, { complete: true }), /has complete true where/],
  [
    'a card dealt while bets are open',
    floorAfter(
      opened,
      'DealCard',
      { slot: eventAt(dealt)['slot'], card, salt, proof },
      {
        type: 'CardDealt',
        round: eventAt(opened)['round'],
        slot: eventAt(dealt)['slot'],
        card,
        complete: false,
        index,
        salt,
        proof,
      },
    ),
    /cards are dealt only after bets are closed/,
  ],
  ['a chunk that skips slips', changed(firstChunk, { from: 1 }), /has from 1 where/],
  ['a chunk that claims to be the last', changed(firstChunk, { last: true }), /has last true where/],
  ['a chunk with too few slips', changed(firstChunk, { count: 1 }), /has count 1 where/],
  [
    'a chunk that pays more than its slips have won',
    then(firstChunk, {
      ...table[firstChunk]!,
      postings: table[firstChunk]!.postings.map((posting) => ({ ...posting, amount: posting.amount + 1 })).slice(0, 1),
    }),
    /has other postings than its event leads to/,
  ],
  [
    'a settlement without its first chunk',
    without(settled, firstChunk, firstChunk + 1),
    /is not followed by the SettlementPosted of its command/,
  ],
  [
    'a round that opens before the settlement is posted to its end',
    without(firstChunk + 1, firstChunk + 1),
    /The last settlement is not fully posted/,
  ],
  [
    'a slip above a limit',
    slipAfter(opened, {}, { player: limit + 100 }, limit + 100),
    /The maximum on player is 50000/,
  ],
  ['a slip below a limit', slipAfter(opened, {}, { player: 0 }, 0), /A stake of 0 on player is not allowed/],
  ['a slip off the step', slipAfter(opened, {}, { player: 150 }, 150), /use multiples of 100/],
  ['a slip on a wager that is not offered', slipAfter(opened, {}, { dragon: 100 }, 100), /does not offer "dragon"/],
  ['a slip after the close', slipAfter(closed, {}, { player: 100 }, -600), /Bets are closed/],
  [
    'a slip beyond the deadline and its grace',
    slipAfter(closing, { at: (eventAt(closing)['deadline'] as number) + 501 }, { player: 100 }, -600),
    /Bets are closed/,
  ],
  [
    'a slip in another round',
    slipAfter(opened, { round: eventAt(indexOfEvent('BetsOpened'))['round'] as string }, { player: 100 }, 100),
    /takes no bets/,
  ],
  [
    'a slip that reserves less than it stakes',
    slipAfter(opened, {}, { player: 1000 }, 100),
    /has debit 100 where .* 1000/,
  ],
  [
    'a slip that reserves more than it stakes',
    slipAfter(opened, {}, { player: 100 }, 1000),
    /has debit 1000 where .* 100/,
  ],
  [
    'a slip with other postings than its reservation',
    then(opened + 1, { ...table[opened + 1]!, postings: [] }),
    /has other postings than its event leads to/,
  ],
  [
    'a void without a cause in the event log',
    floorAfter(
      closed,
      'VoidRound',
      { reason: 'No.' },
      {
        type: 'RoundVoided',
        round: eventAt(opened)['round'],
        settlement: `${String(eventAt(opened)['round'])}#1`,
        by: 'HOUSE 6',
        reason: 'No.',
      },
    ),
    /No irregularity is open/,
  ],
  [
    'a void whose interruption was removed',
    then(voided - 1, {
      ...table[voided]!,
      command: commandRecord('forged', {
        type: 'VoidRound',
        actor: floorActor,
        reason: String(eventAt(voided)['reason']),
      }),
    }),
    /No irregularity is open/,
  ],
  ['a round void by another clause', changed(voided, { by: 'HOUSE 9' }), /has by "HOUSE 9" where/],
  [
    'an interruption with a single ruling option',
    changed(voided - 1, { rulings: ['resume'] }),
    /has rulings \["resume"\] where/,
  ],
  ['an interruption that decides another wager', changed(resumed, { won: ['tie'] }), /has won \["tie"\] where/],
  [
    'an interruption that did not happen',
    withRequestAt(indexOfEvent('InterruptionLogged'), { since: eventAt(indexOfEvent('InterruptionLogged')).at + 1 }),
    /is in the future/,
  ],
  [
    'a round that continues without an interruption',
    floorAfter(
      closed,
      'ConfirmRuling',
      {},
      { type: 'RoundResumed', round: eventAt(opened)['round'], by: 'HOUSE 6', won: [], lost: [] },
    ),
    /No irregularity is open/,
  ],
  ['a deadline moved', changed(closing, { deadline: 1_800_000_000_000 }), /has deadline 1800000000000 where/],
  [
    'bets closed before their time',
    floorAfter(closing, 'CloseBets', {}, { type: 'BetsClosed', round: eventAt(opened)['round'], by: 'ETG 3.2' }),
    /Slips may still arrive until/,
  ],
  ['a round opened by another game', changed(opened, { game: 'baccarat@2014-02-20' }), /has game "baccarat/],
  ['a round opened while one is played', repeat(opened + 1, opened), /finish the round first/],
  ['a shoe with another number of cards', changed(indexOfEvent('ShoeCommitted'), { size: 52 }), /has size 52 where/],
  [
    'a shoe with two cut positions',
    repeat(indexOfEvent('CutPositionChosen') + 1, indexOfEvent('CutPositionChosen')),
    /the cut position is already chosen/,
  ],
  [
    'a shoe opened with other cards',
    withRequestAt(indexOfEvent('ShoeEnded'), {
      cards: (eventAt(indexOfEvent('ShoeEnded'))['cards'] as readonly string[]).toReversed(),
    }),
    /These are not the committed cards/,
  ],
  [
    'a shoe that ended unopened',
    then(indexOfEvent('ShoeEnded'), {
      ...table[indexOfEvent('ShoeEnded')]!,
      event: Object.fromEntries(
        Object.entries({ ...eventAt(indexOfEvent('ShoeEnded')), unopened: true }).filter(
          ([f]) => f !== 'cards' && f !== 'salts',
        ),
      ) as RecordedEvent,
      command: commandRecord('forged', { type: 'EndShoe', actor: floorActor }),
    }),
    /give only "cards" and "salts"/,
  ],
  [
    'a cutting card that was never drawn',
    then(cut, { ...table[cut + 1]!, command: commandRecord('forged', requestOf(table[cut]!)) }),
    /is a CardDealt where its command leads to CuttingCardOut/,
  ],
  [
    'settings with other limits',
    withRequestAt(0, { settings: { ...(eventAt(0)['settings'] as object), bettingTime: 50 } }),
    /has hash /,
  ],
  [
    'invalid settings',
    withRequestAt(0, { settings: { ...(eventAt(0)['settings'] as object), step: 0 } }),
    /The field "settings\.step" is 0/,
  ],
  ['a table that opens twice', repeat(1, 0), /is already open/],
  ['a table that never opened', { entries: table.slice(1), bad: 1 }, /is not open yet/],
  [
    'a table under the name of another',
    then(0, withRequest(honestLog[baccarat]![0]!, {}, 'forged')),
    /opens the table baccarat of demo, whose stream is demo\/table\/baccarat\.$/,
  ],
  [
    'a table in another currency',
    changed(0, { settings: { ...(eventAt(0)['settings'] as object), currency: 'SGD' } }),
    /has settings\.currency "SGD" where its command leads to "XTS"/,
  ],
  [
    'an event that moves no money with a posting',
    then(opened, { ...table[opened]!, postings: [{ from: creditOf('T1.1'), to: stakes, amount: 100 }] }),
    /has other postings/,
  ],
  ['an unknown event', changed(opened, { type: 'BetsFixed' }), /is a BetsFixed where its command leads to BetsOpened/],
  [
    'an event of a later version',
    changed(opened, { v: 2 }),
    /has an unknown version: BetsOpened has version 2; this program reads versions up to 1, so use a newer program/,
  ],
  [
    'an event by another actor',
    changed(opened, { actor: { system: 'shuffler' } }),
    /has actor\.system "shuffler" where/,
  ],
  ['a call without an actor', changed(closing, { actor: null }), /has actor null where/],
  ['an event without an actor', withRequestAt(opened, { actor: null }), /does not name its actor/],
  ['an event with a surplus field', changed(opened, { note: 'x' }), /has note "x" where its command leads to left out/],
  [
    'one event more than its command decides',
    then(opened + 1, { ...table[opened + 1]!, command: { id: table[opened]!.command.id } }),
    /is a SlipSet that its command does not lead to/,
  ],
  [
    'a time that decreases',
    changed(opened, { at: eventAt(opened - 1).at - 1 }),
    /has an earlier time than the entry before it/,
  ],
];

test('verify accepts the honest store, which contains all events forged here', async () => {
  const verified = await verifyStore(await writeStore(honestLog));
  expect(verified).toMatchObject({ problem: undefined, streams: 6 });
  expect(Math.min(verified.rounds, verified.voids, verified.shoes)).toBeGreaterThan(0);
  for (const type of ['RoundResumed', 'RoundVoided', 'InterruptionLogged', 'CuttingCardOut', 'ShoeEnded'])
    expect(indexOfEvent(type), type).toBeGreaterThan(0);
});

test('verify accepts the honest store cut between any two commands', async () => {
  const indexes = [...table.keys()].filter(
    (entryIndex) => table[entryIndex]!.command.id !== table[entryIndex + 1]?.command.id,
  );
  for (const entryIndex of indexes.slice(0, 40)) {
    expect(
      await verifyProblem({ ...honestLog, [tiger]: table.slice(0, entryIndex + 1) }),
      `${entryIndex + 1}`,
    ).toBeUndefined();
  }
});

describe('verify finds a forgery at a table', () => {
  test.each(ofTable)('%s', async (_, { entries, bad }, found) => {
    expect(await verifyProblem({ ...honestLog, [tiger]: entries })).toMatch(entryMessage(tiger, bad, found));
  });
});
