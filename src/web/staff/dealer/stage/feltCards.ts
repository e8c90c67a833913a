import { signal } from '@preact/signals';
import { type Card } from '../../../../rules/card.ts';
import { totalOf } from '../../../../rules/hand.ts';
import { handsOf, nextSlot } from '../../../../rules/play.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';

// Cards on the felt after an interruption, in the order in which they left the shoe. The console keeps them here until
// two persons have signed all of them together. [READING 61]

/**
 * `of` identifies the round and the number of its recorded cards. `cards` are the cards that the dealer has entered
 * since; they left the shoe after the recorded cards.
 */
type FeltCards = { readonly of: string; readonly cards: readonly string[] };

const entered = signal<FeltCards>({ of: '', cards: [] });

const keyOf = ({ round }: Pick<DealerView, 'round'>): string => `${round?.id} ${round?.cards.length}`;

/**
 * Cards that the dealer has entered but that are not recorded yet. Empty if the round or its recorded cards have
 * changed since.
 */
export const enteredFeltCards = (view: Pick<DealerView, 'round'>): readonly string[] =>
  entered.value.of === keyOf(view) ? entered.value.cards : [];

/** The slot of the next card on the felt; undefined if the deal is complete. */
export const nextFeltSlot = (view: Pick<DealerView, 'round'>): string | undefined =>
  nextSlot([...(view.round?.cards ?? []).map(({ card }) => card), ...enteredFeltCards(view)] as Card[]);

export function addFeltCard(view: Pick<DealerView, 'round'>, card: string): void {
  if (nextFeltSlot(view) !== undefined) entered.value = { of: keyOf(view), cards: [...enteredFeltCards(view), card] };
}

/** Removes the last entered card. Returns false if there is none. */
export function removeLastFeltCard(view: Pick<DealerView, 'round'>): boolean {
  const cards = enteredFeltCards(view);
  entered.value = { of: keyOf(view), cards: cards.slice(0, -1) };
  return cards.length > 0;
}

/**
 * Command by which two persons sign that the entered cards, and no others, left the shoe after the recorded cards. With
 * `unseen` they also sign that one more card lies face down.
 */
export const confirmFeltCommand = (view: Pick<DealerView, 'round'>, unseen: boolean) => {
  const cards = enteredFeltCards(view);
  return { type: 'ConfirmFelt', ...(cards.length > 0 && { cards }), ...(unseen && { unseen }) };
};

/** The view with the entered cards added to the hands, as if these cards were recorded. */
export function viewWithEnteredFeltCards<V extends Pick<DealerView, 'round' | 'phase' | 'due'>>(view: V): V {
  const { round } = view;
  if (round === null) return view;
  const dealt = [...round.cards];
  for (const card of enteredFeltCards(view)) {
    const slot = nextSlot(dealt.map((one) => one.card) as Card[])!;
    dealt.push({ card, slot, at: null, how: 'afterwards', dealer: null });
  }
  const cards = dealt.map(({ card }) => card) as Card[];
  const hands = handsOf(cards);
  const player = { ...round.player, cards: hands.player, total: totalOf(hands.player) };
  const banker = { ...round.banker, cards: hands.banker, total: totalOf(hands.banker) };
  return { ...view, phase: 'dealing', due: nextSlot(cards) ?? null, round: { ...round, player, banker, cards: dealt } };
}
