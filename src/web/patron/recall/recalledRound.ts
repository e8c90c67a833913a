import { type Card } from '../../../rules/card.ts';
import { totalOf } from '../../../rules/hand.ts';
import { formatMoney } from '../../../base/formatMoney.ts';
import { handsOf, nextSlot } from '../../../rules/play.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type StakeResultView } from '../../../wire/tableView.ts';

type Settlement = RecalledRound['settled'][number];

/** An amount with its sign: +62.50, −5.00, 0.00. */
export const signedAmountText = (amount: number): string =>
  amount === 0 ? formatMoney(0) : `${amount > 0 ? '+' : '−'}${formatMoney(Math.abs(amount))}`;

/** The patron's net result of a settlement, in cents. A shortfall is added, since the patron keeps that money. */
export const netOfSettlement = ({ paid, short }: Settlement): number =>
  paid.reduce((sum, { returned, stake }) => sum + returned - stake, short);

export const recalledTotalStake = ({ slip }: RecalledRound): number =>
  Object.values(slip).reduce((sum, stake) => sum + stake, 0);

export function handsAfterCards({ cards }: RecalledRound, count: number) {
  const { player, banker } = handsOf(cards.slice(0, count) as readonly Card[]);
  return {
    player: { cards: player, total: totalOf(player) },
    banker: { cards: banker, total: totalOf(banker) },
  };
}

/** The slot of each card: P1, B1 and so on. */
export const cardSlotsOf = ({ cards }: RecalledRound): readonly string[] =>
  cards.map((_, place) => nextSlot(cards.slice(0, place) as readonly Card[])!);

/** Odds at which a stake was paid, before commission: 1 : 1, 12 : 1, 1 : 2. */
export function paidOddsText({ stake, won, commission }: StakeResultView): string {
  const gross = won + commission;
  const divisor = greatestCommonDivisor(gross, stake);
  return `${gross / divisor} : ${stake / divisor}`;
}

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);
