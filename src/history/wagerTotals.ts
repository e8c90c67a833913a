import { tableDecider } from '../deciders/deciders.ts';
import { type TableMeters, addToWagerMeters } from '../ledger/meters.ts';
import { assert } from '../base/assert.ts';
import { type EventOf, type TableEvent } from '../table/schema/events.ts';
import { type RoundOutcome, stakeResult } from '../table/payouts.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Round, type Table } from '../table/state.ts';
import { ownValue } from '../base/ownValue.ts';
import { type ProjectionEntry, assertNextEntry } from './entry.ts';

/**
 * One wager over its settled rounds. `stakes` is the number of stakes; `staked` (turnover) and `returned` are in
 * cents.
 */
export type WagerTurnover = {
  rounds: number;
  stakes: number;
  staked: number;
  returned: number;
  /**
   * Sum of the squares of the turnover of each round, as a decimal text. The variance needs it, since the stakes of
   * one round win and lose together.
   */
  squares: string;
};

/** Turnover by game version and number of decks (tiger@2021-10-28/8), then by wager. */
type Weights = { [gameAndDecks: string]: { [wager: string]: WagerTurnover } };

type Day = {
  rounds: number;
  voids: number;
  corrected: number;
  since: number;
  until: number;
  readonly weights: Weights;
};

/** A counted round that may still be corrected. */
type CountedRound = { readonly day: string; readonly game: string; totals: Round['totals']; ending: RoundOutcome };

/**
 * Projection of one table: meters by wager, and the data to compare returns with the exact odds, in total and by
 * gaming day. It is plain JSON derived from entries alone, so it can be saved, deleted and rebuilt. Its size does not
 * grow with the number of rounds or terminals.
 */
export type WagerTotals = {
  readonly stream: string;
  sequence: number;
  table: Table | null;
  readonly meters: TableMeters['wagers'];
  readonly weights: Weights;
  readonly days: { [day: string]: Day };
  counted: { [round: string]: CountedRound };
};

/** Number of gaming days that are kept. */
const maxDays = 40;

export const emptyWagerTotals = (stream: string): WagerTotals => ({
  stream,
  sequence: 0,
  table: null,
  meters: {},
  weights: {},
  days: {},
  counted: {},
});

/** Projects one entry, in place. Entries must come in order, each exactly once. */
export function projectEntryToWagerTotals(totals: WagerTotals, entry: ProjectionEntry): WagerTotals {
  assertNextEntry(totals, entry);
  const event = tableDecider.parseEvent(entry.event);
  if (totals.table !== null) project(totals, event, totals.table);
  totals.table = evolve(totals.table ?? undefined, event);
  totals.sequence = entry.sequence;
  return totals;
}

/** Projects one event. `table` is the state before the event. Most events change nothing. */
function project(totals: WagerTotals, event: TableEvent, table: Table): void {
  if (event.type === 'BetsOpened') prune(totals, table);
  else if (event.type === 'RoundSettled') addRound(totals, table.round!, { results: event.results }, event.at);
  else if (event.type === 'RoundVoided') addRound(totals, table.round!, { voidBy: event.by }, event.at);
  else if (event.type === 'RoundResettled') resettleRound(totals, event);
  else if (event.type === 'SlipVoided') removeSlip(totals, event);
  else if (event.type === 'SettlementPosted') addToWagerMeters(totals.meters, event, table);
}

/** Deletes rounds that the table can no longer correct, and gaming days before the last `maxDays`. */
function prune(totals: WagerTotals, { history, round }: Table): void {
  const correctable = [...history.map(({ id }) => id), ...(round ? [round.id] : [])];
  totals.counted = Object.fromEntries(correctable.map((id) => [id, countedRoundOf(totals, id)]));
  const days = Object.keys(totals.days).toSorted();
  for (const day of days.slice(0, Math.max(0, days.length - maxDays))) delete totals.days[day];
}

function addRound(wagerTotals: WagerTotals, round: Round, ending: RoundOutcome, at: number): void {
  const { id, day: name, game, decks, totals } = round;
  const countedRound = { day: name, game: `${game}/${decks}`, totals: structuredClone(totals), ending };
  const day = dayOf(wagerTotals, name, at);
  day.rounds += 1;
  if ('voidBy' in ending) day.voids += 1;
  wagerTotals.counted[id] = countedRound;
  addWeight(wagerTotals, countedRound, 1);
}

function resettleRound(totals: WagerTotals, { round, results, by, at }: EventOf<'RoundResettled'>): void {
  const countedRound = countedRoundOf(totals, round);
  const day = dayOf(totals, countedRound.day, at);
  addWeight(totals, countedRound, -1);
  countedRound.ending = results === undefined ? { voidBy: by } : { results };
  addWeight(totals, countedRound, 1);
  day.corrected += 1;
  if (results === undefined) day.voids += 1;
}

/** Removes the stakes of one terminal from a counted round. Does nothing if the round is not counted. */
function removeSlip(wagerTotals: WagerTotals, { round, slip }: EventOf<'SlipVoided'>): void {
  const countedRound = ownValue(wagerTotals.counted, round);
  if (countedRound === undefined) return;
  addWeight(wagerTotals, countedRound, -1);
  countedRound.totals = { ...countedRound.totals };
  for (const [wager, stake] of Object.entries(slip)) {
    const total = countedRound.totals[wager]!;
    countedRound.totals[wager] = { stake: total.stake - stake, bettors: total.bettors - 1 };
  }
  addWeight(wagerTotals, countedRound, 1);
}

function countedRoundOf({ counted }: WagerTotals, round: string): CountedRound {
  assert(Object.hasOwn(counted, round), 'a round that is settled again has ended before');
  return counted[round]!;
}

function dayOf({ days }: WagerTotals, name: string, at: number): Day {
  const day = (days[name] ??= { rounds: 0, voids: 0, corrected: 0, since: at, until: at, weights: {} });
  day.until = at;
  return day;
}

/** Adds a round to the turnover (sign 1) or removes it (sign -1). Void rounds do not count. */
function addWeight({ weights, days }: WagerTotals, { day, game, totals, ending }: CountedRound, sign: 1 | -1): void {
  if ('voidBy' in ending) return;
  for (const target of [weights, days[day]!.weights]) {
    const byWager = (target[game] ??= {});
    for (const [wager, { stake, bettors }] of Object.entries(totals)) {
      if (stake === 0) continue;
      const weight = (byWager[wager] ??= { rounds: 0, stakes: 0, staked: 0, returned: 0, squares: '0' });
      weight.rounds += sign;
      weight.stakes += sign * bettors;
      weight.staked += sign * stake;
      weight.returned += sign * stakeResult(wager, stake, ending).returned;
      weight.squares = String(BigInt(weight.squares) + BigInt(sign) * BigInt(stake) ** 2n);
    }
  }
}
