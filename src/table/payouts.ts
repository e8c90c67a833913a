import { type Facts } from '../rules/facts.ts';
import { type Game } from '../rules/game.ts';
import { lossClauseFor, payLineFor } from '../rules/wager.ts';
import {
  type AmountsByTerminal,
  type WagerResults,
  type Slip,
  type SlipsByTerminal,
  type WagerResult,
} from './schema/fieldTypes.ts';
import { type TableRefusal, refuseAtTable } from './schema/refusals.ts';

/**
 * The result of one stake. Amounts are in minor units; `returned` is the stake plus `won`, or 0 if the stake is lost.
 */
export type StakeResult = {
  readonly wager: string;
  readonly stake: number;
  readonly result: 'win' | 'push' | 'lose' | 'void';
  readonly won: number;
  readonly commission: number;
  readonly returned: number;
  readonly by: string;
};

export function wagerResults(game: Game, offered: readonly string[], facts: Facts): WagerResults {
  const results: { [wager: string]: WagerResult } = {};
  for (const id of offered) {
    const wager = game.wagers[id]!;
    const line = payLineFor(wager, facts);
    results[id] =
      line === undefined
        ? { result: 'lose', pays: [0, 1], commission: [0, 1], by: lossClauseFor(wager, facts) }
        : line.pays === 'push'
          ? { result: 'push', pays: [0, 1], commission: [0, 1], by: line.by }
          : { result: 'win', pays: line.pays, commission: line.commission ?? [0, 1], by: line.by };
  }
  return results;
}

export type RoundOutcome = { readonly results: WagerResults } | { readonly voidBy: string };

/** The amounts are exact if the stake is a multiple of the chip step. [READING 9] */
export function stakeResult(wager: string, stake: number, ending: RoundOutcome): StakeResult {
  if ('voidBy' in ending) {
    return { wager, stake, result: 'void', won: 0, commission: 0, returned: stake, by: ending.voidBy };
  }
  const { result, pays, commission: commissionRate, by } = ending.results[wager]!;
  const gross = (stake * pays[0]) / pays[1];
  const commission = (gross * commissionRate[0]) / commissionRate[1];
  const won = gross - commission;
  return { wager, stake, result, won, commission, returned: result === 'lose' ? 0 : stake + won, by };
}

export const stakeResults = (slip: Slip, ending: RoundOutcome): readonly StakeResult[] =>
  Object.entries(slip).map(([wager, stake]) => stakeResult(wager, stake, ending));

/**
 * The keys of slips or stakes, in the order in which they are posted. They are sorted, because the key order of a
 * stored object may change.
 */
export const keysInPostingOrder = (record: { readonly [name: string]: unknown }): readonly string[] =>
  Object.keys(record).toSorted();

export const totalStake = (slip: Slip): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

export const totalReturned = (slip: Slip, ending: RoundOutcome): number =>
  stakeResults(slip, ending).reduce((sum, { returned }) => sum + returned, 0);

/**
 * A settlement to be posted. `before` gives the outcome by which a terminal was paid before; null if the terminal was
 * not paid.
 */
type SettlementToPost = {
  readonly slips: SlipsByTerminal;
  readonly before: (terminal: string) => RoundOutcome | null;
  readonly after: RoundOutcome;
};

/**
 * Shortfalls by terminal, in minor units. A shortfall is the part of the money to be taken back that the credit of the
 * terminal does not cover. [READING 16] Without `credits`, as in a preview, the result is empty.
 */
export function findShortfalls(
  { slips, before, after }: SettlementToPost,
  terminals: readonly string[],
  credits: AmountsByTerminal | undefined,
): { readonly shortfalls: AmountsByTerminal } | TableRefusal {
  const shortfalls: { [terminal: string]: number } = {};
  if (credits === undefined) return { shortfalls };
  for (const terminal of terminals) {
    const slip = slips[terminal]!;
    const paidOutcome = before(terminal);
    const owed = paidOutcome === null ? 0 : totalReturned(slip, paidOutcome) - totalReturned(slip, after);
    if (owed <= 0) continue;
    if (!Object.hasOwn(credits, terminal)) {
      return refuseAtTable(
        'missing-credits',
        null,
        `${terminal} must give back ${owed}, but its credit is not known; give its credit in "credits".`,
        { terminal },
      );
    }
    const shortfall = owed - credits[terminal]!;
    if (shortfall > 0) shortfalls[terminal] = shortfall;
  }
  return { shortfalls };
}
