import { type EventOf } from '../table/schema/events.ts';
import { type RoundOutcome, stakeResult, totalReturned, totalStake } from '../table/payouts.ts';
import { type PendingSettlement, type Table, findRound, outcomePaidBefore } from '../table/state.ts';
import { jobOf } from './tablePostings.ts';

/**
 * What a meter counts of stakes. Meters only grow: a void leaves coin in as it is and adds to `voided`, a settlement that
 * is made again adds to `reversed` what the first one paid. [READING 41]
 */
export type Meter = {
  /** Stakes of rounds that ended, settled or void. */
  coinIn: number;
  /** What went back to patrons, stakes of pushes and wins included; commission is off already. */
  coinOut: number;
  commission: number;
  /** Stakes that went back because the round is void. */
  voided: number;
  /** Coin out that was reversed, and commission with it. */
  reversed: number;
  reversedCommission: number;
};

/** What the house has won by a meter, commission among it: of a wager, of a terminal, or of a whole table. */
export const houseWin = ({
  coinIn,
  voided,
  coinOut,
  reversed,
}: Pick<Meter, 'coinIn' | 'voided' | 'coinOut' | 'reversed'>): number => coinIn - voided - coinOut + reversed;

/** Rounds of a terminal; a round is won if more came back than was staked. */
type Games = {
  played: number;
  won: number;
  lost: number;
  level: number;
  roundsVoid: number;
  resettled: number;
  /** What it could not give back. */
  shortfall: number;
};

/** The counters of a table. */
export type Meters = {
  readonly terminals: { [terminal: string]: Meter & Games };
  /** By game version, number of decks and wager (tiger@2021-10-28/8), so that what was paid can be held against theory. */
  readonly wagers: { [gameAndDecks: string]: { [wager: string]: Meter } };
};

/** Before anything was staked. */
export const noMeters = (): Meters => ({ terminals: {}, wagers: {} });

export const noMeter = (): Meter => ({
  coinIn: 0,
  coinOut: 0,
  commission: 0,
  voided: 0,
  reversed: 0,
  reversedCommission: 0,
});
const noGames = (): Games => ({ played: 0, won: 0, lost: 0, level: 0, roundsVoid: 0, resettled: 0, shortfall: 0 });

/** The meters after a chunk of a settlement, given the table as it was before it. They are changed in place. */
export function meter(meters: Meters, event: EventOf<'SettlementPosted'>, table: Table): void {
  meterWagers(meters.wagers, event, table);
  eachPaid(event, table, (job, terminal) => {
    const short = event.shortfalls && Object.hasOwn(event.shortfalls, terminal) ? event.shortfalls[terminal]! : 0;
    meterTerminal(meters.terminals, job, terminal, short);
  });
}

/** The meters of wagers alone: what they hold does not grow with the number of terminals. */
export function meterWagers(wagers: Meters['wagers'], event: EventOf<'SettlementPosted'>, table: Table): void {
  const round = findRound(table, event.round)!;
  const byWager = (wagers[`${round.game}/${round.decks}`] ??= {});
  eachPaid(event, table, (job, terminal) => {
    const before = outcomePaidBefore(job, terminal);
    for (const [wager, stake] of Object.entries(job.slips[terminal]!)) {
      count((byWager[wager] ??= noMeter()), wager, stake, before, job.after);
    }
  });
}

/** Each terminal that a chunk reaches. */
function eachPaid(
  event: EventOf<'SettlementPosted'>,
  table: Table,
  take: (job: PendingSettlement, terminal: string) => void,
): void {
  const job = jobOf(event, table);
  for (let place = event.from; place < event.from + event.count; place++) take(job, job.order[place]!);
}

/** Adds what becomes of one stake. */
function count(one: Meter, wager: string, stake: number, before: RoundOutcome | null, after: RoundOutcome): void {
  const now = stakeResult(wager, stake, after);
  const then = before && stakeResult(wager, stake, before);
  if (then) {
    one.reversed += then.returned;
    one.reversedCommission += then.commission;
  } else one.coinIn += stake;
  if (now.result === 'void') one.voided += stake;
  else {
    one.coinOut += now.returned;
    one.commission += now.commission;
  }
}

function meterTerminal(terminals: Meters['terminals'], job: PendingSettlement, terminal: string, short: number): void {
  const { slips, after } = job;
  const before = outcomePaidBefore(job, terminal);
  const own = Object.hasOwn(terminals, terminal)
    ? terminals[terminal]!
    : (terminals[terminal] = { ...noMeter(), ...noGames() });
  const slip = slips[terminal]!;
  for (const [wager, stake] of Object.entries(slip)) count(own, wager, stake, before, after);
  const [staked, returned] = [totalStake(slip), totalReturned(slip, after)];
  own.shortfall += short;
  if (before) own.resettled += 1;
  else if ('voidBy' in after) own.roundsVoid += 1;
  else {
    own.played += 1;
    own[returned > staked ? 'won' : returned < staked ? 'lost' : 'level'] += 1;
  }
}
