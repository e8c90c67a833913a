import { tableDecider } from '../deciders/deciders.ts';
import { type Meters, meterWagers } from '../ledger/meters.ts';
import { assert } from '../base/assert.ts';
import { type EventOf, type TableEvent } from '../table/schema/events.ts';
import { type RoundOutcome, stakeResult } from '../table/payouts.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Round, type Table } from '../table/state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type RecordedEntry, assertNext } from './entry.ts';

/** What was staked on a wager in rounds that count, and what went back. */
export type Weight = {
  rounds: number;
  /** How many stakes there were. */
  stakes: number;
  staked: number;
  returned: number;
  /** The squares of all that was staked in a round, added up in decimal digits: stakes of one round win and lose together. */
  squares: string;
};

/** Weights by game version with decks (tiger@2021-10-28/8), and by wager. */
type Weights = { [gameAndDecks: string]: { [wager: string]: Weight } };

/** One gaming day of a table. */
type Day = {
  rounds: number;
  voids: number;
  corrected: number;
  since: number;
  until: number;
  readonly weights: Weights;
};

/** A round that counts, while it may still be settled again. */
type Counted = { readonly day: string; readonly game: string; totals: Round['totals']; ending: RoundOutcome };

/**
 * What the entries of one table come to in figures: meters by wager, and what theory is held against, in all and by gaming
 * day. Plain JSON of a size that does not grow with rounds or terminals; it can be saved, dropped and made again.
 */
export type WagerTotals = {
  readonly stream: string;
  sequence: number;
  table: Table | null;
  readonly meters: Meters['wagers'];
  readonly weights: Weights;
  readonly days: { [day: string]: Day };
  counted: { [round: string]: Counted };
};

/** So many gaming days are kept. */
const mostDays = 40;

export const tableFigures = (stream: string): WagerTotals => ({
  stream,
  sequence: 0,
  table: null,
  meters: {},
  weights: {},
  days: {},
  counted: {},
});

/** The figures after one more entry; changed in place. Entries come in order, each once. */
export function projectWagerTotals(figures: WagerTotals, entry: RecordedEntry): WagerTotals {
  assertNext(figures, entry);
  const event = tableDecider.eventFrom(entry.event);
  if (figures.table !== null) add(figures, event, figures.table);
  figures.table = evolve(figures.table ?? undefined, event);
  figures.sequence = entry.sequence;
  return figures;
}

/** What an event adds, given the table as it was before; most add nothing. */
function add(figures: WagerTotals, event: TableEvent, table: Table): void {
  if (event.type === 'BetsOpened') forget(figures, table);
  else if (event.type === 'RoundSettled') end(figures, table.round!, { results: event.results }, event.at);
  else if (event.type === 'RoundVoided') end(figures, table.round!, { voidBy: event.by }, event.at);
  else if (event.type === 'RoundResettled') endAgain(figures, event);
  else if (event.type === 'SlipVoided') withdraw(figures, event);
  else if (event.type === 'SettlementPosted') meterWagers(figures.meters, event, table);
}

/** What can be settled again is what the table still keeps; a day that is long over is not kept. */
function forget(figures: WagerTotals, { history, round }: Table): void {
  const kept = [...history.map(({ id }) => id), ...(round ? [round.id] : [])];
  figures.counted = Object.fromEntries(kept.map((id) => [id, countedAs(figures, id)]));
  const days = Object.keys(figures.days).toSorted();
  for (const day of days.slice(0, Math.max(0, days.length - mostDays))) delete figures.days[day];
}

function end(figures: WagerTotals, round: Round, ending: RoundOutcome, at: number): void {
  const { id, day: name, game, decks, totals } = round;
  const counted = { day: name, game: `${game}/${decks}`, totals: structuredClone(totals), ending };
  const day = dayOf(figures, name, at);
  day.rounds += 1;
  if ('voidBy' in ending) day.voids += 1;
  figures.counted[id] = counted;
  weigh(figures, counted, 1);
}

function endAgain(figures: WagerTotals, { round, results, by, at }: EventOf<'RoundResettled'>): void {
  const counted = countedAs(figures, round);
  const day = dayOf(figures, counted.day, at);
  weigh(figures, counted, -1);
  counted.ending = results === undefined ? { voidBy: by } : { results };
  weigh(figures, counted, 1);
  day.corrected += 1;
  if (results === undefined) day.voids += 1;
}

/** The stakes of one terminal are out of a round that had ended. */
function withdraw(figures: WagerTotals, { round, slip }: EventOf<'SlipVoided'>): void {
  const counted = ownValue(figures.counted, round);
  if (counted === undefined) return;
  weigh(figures, counted, -1);
  counted.totals = { ...counted.totals };
  for (const [wager, stake] of Object.entries(slip)) {
    const total = counted.totals[wager]!;
    counted.totals[wager] = { stake: total.stake - stake, bettors: total.bettors - 1 };
  }
  weigh(figures, counted, 1);
}

function countedAs({ counted }: WagerTotals, round: string): Counted {
  assert(Object.hasOwn(counted, round), 'a round that is settled again has ended before');
  return counted[round]!;
}

function dayOf({ days }: WagerTotals, name: string, at: number): Day {
  const day = (days[name] ??= { rounds: 0, voids: 0, corrected: 0, since: at, until: at, weights: {} });
  day.until = at;
  return day;
}

/** Adds a round to what theory is held against, or takes it away; a void round is none. */
function weigh({ weights, days }: WagerTotals, { day, game, totals, ending }: Counted, sign: 1 | -1): void {
  if ('voidBy' in ending) return;
  for (const all of [weights, days[day]!.weights]) {
    const byWager = (all[game] ??= {});
    for (const [wager, { stake, bettors }] of Object.entries(totals)) {
      if (stake === 0) continue;
      const one = (byWager[wager] ??= { rounds: 0, stakes: 0, staked: 0, returned: 0, squares: '0' });
      one.rounds += sign;
      one.stakes += sign * bettors;
      one.staked += sign * stake;
      one.returned += sign * stakeResult(wager, stake, ending).returned;
      one.squares = String(BigInt(one.squares) + BigInt(sign) * BigInt(stake) ** 2n);
    }
  }
}
