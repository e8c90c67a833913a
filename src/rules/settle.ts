import { countText } from '../base/countText.ts';
import { type Facts } from './facts.ts';
import { type Game, wagerOf } from './game.ts';
import { type Ratio } from '../base/ratio.ts';
import { type Refusal, isRefused, quoteForMessage, refuse } from '../base/refusal.ts';
import { type Wager, lossClauseFor, payLineFor, netPerUnitOf, chipStepOfWager } from './wager.ts';

export type WagerResultKind = 'win' | 'push' | 'lose';

export type WagerOutcome = { readonly result: WagerResultKind; readonly net: Ratio; readonly by: string };

export function wagerOutcomeOf(wager: Wager, facts: Facts): WagerOutcome {
  const line = payLineFor(wager, facts);
  const result = line === undefined ? 'lose' : line.pays === 'push' ? 'push' : 'win';
  return { result, net: netPerUnitOf(line), by: line?.by ?? lossClauseFor(wager, facts) };
}

/** A settled stake; amounts are in cents. The win before commission is `won` plus `commission`. */
export type SettledStake = {
  readonly result: WagerResultKind;
  readonly stake: number;
  readonly won: number;
  readonly commission: number;
  /** Total returned to the patron: the stake unless it is lost, plus `won`. */
  readonly returned: number;
  readonly by: string;
};

/**
 * Settles one stake. Amounts are not rounded, so a stake whose payout could include a fraction of a cent is refused.
 * [READING 9]
 */
export function settle(game: Game, id: string, facts: Facts, stake: number): SettledStake | Refusal {
  const wager = wagerOf(game, id);
  if (isRefused(wager)) return wager;
  const refusal = stakeRefusal(id, wager, stake);
  if (refusal) return refusal;

  const line = payLineFor(wager, facts);
  if (line === undefined)
    return { result: 'lose', stake, won: 0, commission: 0, returned: 0, by: lossClauseFor(wager, facts) };
  if (line.pays === 'push') return { result: 'push', stake, won: 0, commission: 0, returned: stake, by: line.by };

  const [win, per] = line.pays;
  const gross = (stake * win) / per;
  const [kept, of] = line.commission ?? [0, 1];
  const commission = (gross * kept) / of;
  const won = gross - commission;
  return { result: 'win', stake, won, commission, returned: stake + won, by: line.by };
}

/**
 * Refuses a stake that some pay line could not pay exactly. All lines are checked, so that acceptance does not depend
 * on the cards.
 */
function stakeRefusal(id: string, wager: Wager, stake: number): Refusal | undefined {
  if (!Number.isInteger(stake) || stake <= 0) {
    return refuse(
      'bad-stake',
      `The stake on ${id} is ${quoteForMessage(stake)}; give a positive whole number of cents.`,
    );
  }
  const products = wager.lines.flatMap(({ pays, commission }) =>
    pays === 'push' ? [] : [stake * pays[0] * (commission?.[0] ?? 1), stake + (stake * pays[0]) / pays[1]],
  );
  if (![stake, ...products].every((amount) => amount <= Number.MAX_SAFE_INTEGER)) {
    return refuse(
      'too-large-stake',
      `The stake on ${id}, ${stake} cents, is too large to be paid exactly; stake less.`,
    );
  }
  const step = chipStepOfWager(wager);
  if (stake % step === 0) return undefined;
  return refuse(
    'off-step-stake',
    `A stake of ${countText(stake, 'cent')} on ${id} cannot be paid exactly; use a multiple of ${step} cents.`,
  );
}
