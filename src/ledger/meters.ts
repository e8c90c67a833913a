import { type EventOf } from '../table/schema/events.ts';
import { type RoundOutcome, stakeResult, totalReturned, totalStake } from '../table/payouts.ts';
import { type PendingSettlement, type Table, findRound, outcomePaidBefore } from '../table/state.ts';
import { pendingSettlementOf } from './tablePostings.ts';

/**
 * Meter of stakes and returns, in cents. Its values only grow. So the stakes of a void round are not subtracted from
 * `coinIn`, but added to `voided`. If a correction replaces a settlement, what that settlement had returned is added to
 * `reversed`. [READING 41]
 */
export type Meter = {
  /** Stakes of rounds that ended, settled or void. */
  coinIn: number;
  /**
   * Returned to patrons: stakes of pushes and wins, and winnings after commission. Stakes of void rounds do not count.
   */
  coinOut: number;
  commission: number;
  /** Stakes returned because the round was voided. */
  voided: number;
  /** Amounts that settlements returned and corrections reversed later. */
  reversed: number;
  /** Commission that settlements kept and corrections reversed later. */
  reversedCommission: number;
};

/** Win of the house, commission included, from the meter of a wager, terminal or table. */
export const houseWin = ({
  coinIn,
  voided,
  coinOut,
  reversed,
}: Pick<Meter, 'coinIn' | 'voided' | 'coinOut' | 'reversed'>): number => coinIn - voided - coinOut + reversed;

/**
 * Counts of the rounds of a terminal by the result of their first settlement. A round is won when more was returned
 * than staked. A correction counts only in `resettled`.
 */
type Games = {
  played: number;
  won: number;
  lost: number;
  level: number;
  roundsVoid: number;
  resettled: number;
  /** Sum of the shortfalls of the terminal, in cents. */
  shortfall: number;
};

/**
 * Meters of a table, by terminal and by wager. The key of `terminals` is the terminal id of the slip; on a floor, this
 * id is the credit session id.
 */
export type TableMeters = {
  readonly terminals: { [terminal: string]: Meter & Games };
  /**
   * Meter of each wager, by game version and number of decks (tiger@2021-10-28/8). These meters are compared with the
   * exact odds.
   */
  readonly wagers: { [gameAndDecks: string]: { [wager: string]: Meter } };
};

export const emptyTableMeters = (): TableMeters => ({ terminals: {}, wagers: {} });

export const emptyMeter = (): Meter => ({
  coinIn: 0,
  coinOut: 0,
  commission: 0,
  voided: 0,
  reversed: 0,
  reversedCommission: 0,
});
const noGames = (): Games => ({ played: 0, won: 0, lost: 0, level: 0, roundsVoid: 0, resettled: 0, shortfall: 0 });

/** Adds one chunk of a settlement to the meters, in place. `table` is the state before the event. */
export function addToTableMeters(meters: TableMeters, event: EventOf<'SettlementPosted'>, table: Table): void {
  addToWagerMeters(meters.wagers, event, table);
  forEachTerminal(event, table, (job, terminal) => {
    const shortfall = event.shortfalls && Object.hasOwn(event.shortfalls, terminal) ? event.shortfalls[terminal]! : 0;
    meterTerminal(meters.terminals, job, terminal, shortfall);
  });
}

/**
 * Adds one chunk of a settlement to the meters of wagers only. The size of these meters does not grow with the number
 * of terminals.
 */
export function addToWagerMeters(
  wagers: TableMeters['wagers'],
  event: EventOf<'SettlementPosted'>,
  table: Table,
): void {
  const round = findRound(table, event.round)!;
  const byWager = (wagers[`${round.game}/${round.decks}`] ??= {});
  forEachTerminal(event, table, (job, terminal) => {
    const before = outcomePaidBefore(job, terminal);
    for (const [wager, stake] of Object.entries(job.slips[terminal]!)) {
      addStake((byWager[wager] ??= emptyMeter()), wager, stake, before, job.after);
    }
  });
}

function forEachTerminal(
  event: EventOf<'SettlementPosted'>,
  table: Table,
  visit: (job: PendingSettlement, terminal: string) => void,
): void {
  const job = pendingSettlementOf(event, table);
  for (let index = event.from; index < event.from + event.count; index++) visit(job, job.order[index]!);
}

function addStake(target: Meter, wager: string, stake: number, before: RoundOutcome | null, after: RoundOutcome): void {
  const present = stakeResult(wager, stake, after);
  const reversed = before && stakeResult(wager, stake, before);
  if (reversed) {
    target.reversed += reversed.returned;
    target.reversedCommission += reversed.commission;
  } else target.coinIn += stake;
  if (present.result === 'void') target.voided += stake;
  else {
    target.coinOut += present.returned;
    target.commission += present.commission;
  }
}

function meterTerminal(
  terminals: TableMeters['terminals'],
  job: PendingSettlement,
  terminal: string,
  shortfall: number,
): void {
  const { slips, after } = job;
  const before = outcomePaidBefore(job, terminal);
  const counters = Object.hasOwn(terminals, terminal)
    ? terminals[terminal]!
    : (terminals[terminal] = { ...emptyMeter(), ...noGames() });
  const slip = slips[terminal]!;
  for (const [wager, stake] of Object.entries(slip)) addStake(counters, wager, stake, before, after);
  const [staked, returned] = [totalStake(slip), totalReturned(slip, after)];
  counters.shortfall += shortfall;
  if (before) counters.resettled += 1;
  else if ('voidBy' in after) counters.roundsVoid += 1;
  else {
    counters.played += 1;
    counters[returned > staked ? 'won' : returned < staked ? 'lost' : 'level'] += 1;
  }
}
