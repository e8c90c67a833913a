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

// Every forgery here is written with chains, postings and balances that fit it. It is found by what it says.

const record = await honestStreams();
const table = record[tiger]!;

/** Where the n-th event of a type stands at the table; from the end if below zero. */
function indexOfEvent(type: string, n = 0): number {
  const places = [...table.keys()].filter((place) => table[place]!.event.type === type);
  return places.at(n)!;
}

const eventAt = (place: number): RecordedEvent => table[place]!.event;
const stakes = 'demo/XTS/stakes/tiger';
const creditOf = (who: string) => `demo/XTS/terminal/${who}` as const;

type Forged = { readonly entries: readonly UnwrittenEntry[]; readonly bad: number };

/** The table up to there, and then something else. */
const then = (place: number, ...entries: readonly UnwrittenEntry[]): Forged => ({
  entries: [...table.slice(0, place), ...entries],
  bad: place + 1,
});

/** One entry of the table with other fields, and nothing after it. */
const changed = (place: number, fields: object): Forged => then(place, withEvent(table[place]!, fields));

/** The same for an entry whose command asks for just that. */
const withPayloadAt = (place: number, fields: object, asks: object = fields): Forged =>
  then(place, withRequest(withEvent(table[place]!, fields), asks));

/** One entry of the table once more, by a command of its own. */
const again = (place: number, of: number): Forged => then(place, withRequest(table[of]!, {}, 'forged'));

/** The table without some of its entries; the one that stands there then is bad. */
const without = (bad: number, ...places: readonly number[]): Forged => ({
  entries: table.filter((_, place) => !places.includes(place)),
  bad: bad + 1,
});

/** A slip that is set after the entry at that place, with the money and the mark that it takes. */
function slipAfter(
  place: number,
  fields: { readonly at?: number; readonly round?: string },
  slip: object,
  debit: number,
): Forged {
  const { round, at } = { round: eventAt(indexOfEvent('BetsOpened', -1))['round'], at: eventAt(place).at, ...fields };
  const actor = { terminal: 'T1.1' };
  const event = { type: 'SlipSet', v: 1, at, actor, round, terminal: 'T1.1', slip, debit };
  const amount = Math.abs(debit);
  const [from, to] = debit > 0 ? ([creditOf('T1.1'), stakes] as const) : ([stakes, creditOf('T1.1')] as const);
  return then(place + 1, {
    event,
    postings: amount === 0 ? [] : [{ from, to, amount }],
    command: commandRecord('forged', { type: 'SetSlip', actor, round, slip }, { context: { credit: 90_000 } }),
  });
}

/** What the floor asks for by itself, right after the entry at that place. */
const floorAfter = (place: number, type: string, asks: object, fields: object): Forged =>
  then(place + 1, {
    event: { v: 1, at: eventAt(place).at, actor: floorActor, ...fields } as unknown as RecordedEvent,
    postings: [],
    command: commandRecord('forged', { type, actor: floorActor, ...asks }),
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
  withPayloadAt(dealt, { ...fields, index: at }, fields);
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
  ['another card', cardWith({ card: card === 'KD' ? 'QD' : 'KD' }), /is not shown to be card/],
  ['another salt', cardWith({ salt: nextCard['salt'] }), /is not shown to be card/],
  ['another proof', cardWith({ proof: [proof[1], proof[0], ...proof.slice(2)] }), /is not shown to be card/],
  ['a proof that is none', cardWith({ proof: ['zz'] }), /has a request that cannot be parsed: The field "proof\[0\]"/],
  [
    'the card of another place, with its proof',
    cardWith({ card: nextCard['card'], salt: nextCard['salt'], proof: nextCard['proof'], index: nextCard['index'] }),
    /is not shown to be card/,
  ],
  ['a card that claims another place', changed(dealt, { index: index + 1 }), /has index/],
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
    /cards are dealt once bets are closed/,
  ],
  ['a chunk that passes over slips', changed(firstChunk, { from: 1 }), /has from 1 where/],
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
    /A settlement is not posted to its end/,
  ],
  ['a slip above a limit', slipAfter(opened, {}, { player: limit + 100 }, limit + 100), /goes up to 50000/],
  ['a slip below a limit', slipAfter(opened, {}, { player: 0 }, 0), /A stake of 0 on player cannot be/],
  ['a slip off the step', slipAfter(opened, {}, { player: 150 }, 150), /use multiples of 100/],
  ['a slip for what is not offered', slipAfter(opened, {}, { dragon: 100 }, 100), /does not offer "dragon"/],
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
    'a slip that holds less than it stakes',
    slipAfter(opened, {}, { player: 1000 }, 100),
    /has debit 100 where .* 1000/,
  ],
  [
    'a slip that holds more than it stakes',
    slipAfter(opened, {}, { player: 100 }, 1000),
    /has debit 1000 where .* 100/,
  ],
  [
    'a slip with other postings than it holds',
    then(opened + 1, { ...table[opened + 1]!, postings: [] }),
    /has other postings than its event leads to/,
  ],
  [
    'a round that is void without a reason in the record',
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
    /Nothing that was reported leads there/,
  ],
  [
    'a void whose interruption was taken out',
    then(voided - 1, {
      ...table[voided]!,
      command: commandRecord('forged', {
        type: 'VoidRound',
        actor: floorActor,
        reason: String(eventAt(voided)['reason']),
      }),
    }),
    /Nothing that was reported leads there/,
  ],
  ['a round void by another clause', changed(voided, { by: 'HOUSE 9' }), /has by "HOUSE 9" where/],
  [
    'an interruption with one way out alone',
    changed(voided - 1, { rulings: ['resume'] }),
    /has rulings \["resume"\] where/,
  ],
  ['an interruption that decides another wager', changed(resumed, { won: ['tie'] }), /has won \["tie"\] where/],
  [
    'an interruption that was none',
    withPayloadAt(indexOfEvent('InterruptionLogged'), { since: eventAt(indexOfEvent('InterruptionLogged')).at + 1 }),
    /is still to come/,
  ],
  [
    'a round that goes on after nothing',
    floorAfter(
      closed,
      'ConfirmRuling',
      {},
      { type: 'RoundResumed', round: eventAt(opened)['round'], by: 'HOUSE 6', won: [], lost: [] },
    ),
    /No interruption waits to be confirmed/,
  ],
  ['a deadline moved', changed(closing, { deadline: 1_800_000_000_000 }), /has deadline 1800000000000 where/],
  [
    'bets closed before their time',
    floorAfter(closing, 'CloseBets', {}, { type: 'BetsClosed', round: eventAt(opened)['round'], by: 'ETG 3.2' }),
    /Slips may arrive until/,
  ],
  ['a round opened by another game', changed(opened, { game: 'baccarat@2014-02-20' }), /has game "baccarat/],
  ['a round opened while one is played', again(opened + 1, opened), /finish the round first/],
  ['a shoe with another number of cards', changed(indexOfEvent('ShoeCommitted'), { size: 52 }), /has size 52 where/],
  [
    'a shoe that is turned twice',
    again(indexOfEvent('CutPositionChosen') + 1, indexOfEvent('CutPositionChosen')),
    /the turn is chosen once/,
  ],
  [
    'a shoe opened with other cards',
    withPayloadAt(indexOfEvent('ShoeEnded'), {
      cards: (eventAt(indexOfEvent('ShoeEnded'))['cards'] as readonly string[]).toReversed(),
    }),
    /These are not the cards that were committed/,
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
    /give "cards" and "salts"/,
  ],
  [
    'a cutting card that never came',
    then(cut, { ...table[cut + 1]!, command: commandRecord('forged', requestOf(table[cut]!)) }),
    /is a CardDealt where its command leads to CuttingCardOut/,
  ],
  [
    'a setting with other limits',
    withPayloadAt(0, { settings: { ...(eventAt(0)['settings'] as object), bettingTime: 50 } }),
    /has hash /,
  ],
  [
    'a setting that cannot be',
    withPayloadAt(0, { settings: { ...(eventAt(0)['settings'] as object), step: 0 } }),
    /The field "settings\.step" is 0/,
  ],
  ['a table that opens twice', again(1, 0), /is open already/],
  ['a table that never opened', { entries: table.slice(1), bad: 1 }, /is not open yet/],
  [
    'a table under the name of another',
    then(0, withRequest(record[baccarat]![0]!, {}, 'forged')),
    /opens the table baccarat of demo/,
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
  [
    'an event that no table knows',
    changed(opened, { type: 'BetsFixed' }),
    /is a BetsFixed where its command leads to BetsOpened/,
  ],
  [
    'an event of a later form',
    changed(opened, { v: 2 }),
    /has an unknown version: BetsOpened is of version 2, and this program knows versions up to 1/,
  ],
  [
    'an event by somebody else',
    changed(opened, { actor: { system: 'shuffler' } }),
    /has actor\.system "shuffler" where/,
  ],
  ['a call by nobody', changed(closing, { actor: null }), /has actor null where/],
  ['an event by nobody', withPayloadAt(opened, { actor: null }), /does not name its actor/],
  [
    'an event with a field too many',
    changed(opened, { note: 'x' }),
    /has note "x" where its command leads to left out/,
  ],
  [
    'an event more than its command leads to',
    then(opened + 1, { ...table[opened + 1]!, command: { id: table[opened]!.command.id } }),
    /is a SlipSet that its command does not lead to/,
  ],
  [
    'a clock that runs back',
    changed(opened, { at: eventAt(opened - 1).at - 1 }),
    /is of an earlier time than the entry before it/,
  ],
];

test('verify accepts the honest store, which contains all events forged here', async () => {
  const verified = await verifyStore(await writeStore(record));
  expect(verified).toMatchObject({ problem: undefined, streams: 6 });
  expect(Math.min(verified.rounds, verified.voids, verified.shoes)).toBeGreaterThan(0);
  for (const type of ['RoundResumed', 'RoundVoided', 'InterruptionLogged', 'CuttingCardOut', 'ShoeEnded'])
    expect(indexOfEvent(type), type).toBeGreaterThan(0);
});

test('verify accepts the honest store cut between any two commands', async () => {
  const places = [...table.keys()].filter((place) => table[place]!.command.id !== table[place + 1]?.command.id);
  for (const place of places.slice(0, 40)) {
    expect(await verifyProblem({ ...record, [tiger]: table.slice(0, place + 1) }), `${place + 1}`).toBeUndefined();
  }
});

describe('verify finds a forgery at a table', () => {
  test.each(ofTable)('%s', async (_, { entries, bad }, found) => {
    expect(await verifyProblem({ ...record, [tiger]: entries })).toMatch(entryMessage(tiger, bad, found));
  });
});
