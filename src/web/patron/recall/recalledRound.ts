import { type Card } from '../../../rules/card.ts';
import { totalOf } from '../../../rules/hand.ts';
import { formatMoney } from '../../../base/formatMoney.ts';
import { handsOf, nextSlot } from '../../../rules/play.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { type StakeResultView } from '../../../wire/tableView.ts';

// A recalled round as it is shown: what its cards and its settlements come to.

type Settled = RecalledRound['settled'][number];

/** +62.50, −5.00, 0.00: an amount that says where it went. */
export const signed = (amount: number): string =>
  amount === 0 ? formatMoney(0) : `${amount > 0 ? '+' : '−'}${formatMoney(Math.abs(amount))}`;

/** What a settlement came to for the patron, all stakes together. */
export const roundNet = ({ paid, short }: Settled): number =>
  paid.reduce((sum, { returned, stake }) => sum + returned - stake, short);

export const stakeOf = ({ slip }: RecalledRound): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** Both hands after so many cards, in the order in which they were dealt, each with its total. */
export function handsAfter({ cards }: RecalledRound, count: number) {
  const { player, banker } = handsOf(cards.slice(0, count) as readonly Card[]);
  return {
    player: { cards: player, total: totalOf(player) },
    banker: { cards: banker, total: totalOf(banker) },
  };
}

/** Where each card went: P1, B1, and so on. */
export const slotsOf = ({ cards }: RecalledRound): readonly string[] =>
  cards.map((_, place) => nextSlot(cards.slice(0, place) as readonly Card[])!);

/** What a stake was paid before any commission, as odds: 1 : 1, 12 : 1, 1 : 2. */
export function paidOddsText({ stake, won, commission }: StakeResultView): string {
  const gross = won + commission;
  const common = commonOf(gross, stake);
  return `${gross / common} : ${stake / common}`;
}

const commonOf = (one: number, other: number): number => (other === 0 ? one : commonOf(other, one % other));
