import { type Card, type DeckId, pointsOf } from '../../../../rules/card.ts';
import { totalOf } from '../../../../rules/hand.ts';
import { type CardSlot, handsOf, nextSlot, slots } from '../../../../rules/play.ts';
import { type KeyPress, keyAction } from '../../kit/input/keyBindings.ts';

// State of the editor for the order in which the cards left the shoe. Each key gives a new state.

export type CardOrderEditorState = {
  readonly cards: readonly string[];
  /** Index of the selected card. While `adding` is true, the index at which the next card is inserted. */
  readonly at: number;
  readonly adding: boolean;
  /** Rank of a half-typed card; empty while no rank is typed. */
  readonly typed: string;
  /** True when one more card left the shoe face down. */
  readonly unseen: boolean;
};

/** A round has at most six cards, and one surplus card may have left the shoe. */
const maxCards = 7;

export const initialCardOrderState = (laid: readonly string[]): CardOrderEditorState => ({
  cards: laid,
  at: 0,
  adding: false,
  typed: '',
  unseen: false,
});

/**
 * Replaces the selected card. Inserts the card instead while `adding` is true, or when there is no card yet. Then
 * selects the next card.
 */
export function putCardAtSelection(order: CardOrderEditorState, card: string): CardOrderEditorState {
  const { cards, at, adding } = order;
  const isNew = adding || at >= cards.length;
  if (isNew && cards.length >= maxCards) return { ...order, adding: false, typed: '' };
  const after = cards.toSpliced(at, isNew ? 0 : 1, card);
  return { ...order, cards: after, at: Math.min(at + 1, after.length - 1), adding: false, typed: '' };
}

function stepSelection(order: CardOrderEditorState, by: 1 | -1, carry: boolean): CardOrderEditorState {
  const { cards, at } = order;
  const to = Math.max(0, Math.min(cards.length - 1, at + by));
  const next = { ...order, at: to, adding: false, typed: '' };
  if (!carry || order.adding || at >= cards.length) return next;
  return { ...next, cards: cards.with(at, cards[to]!).with(to, cards[at]!) };
}

function removeSelected(order: CardOrderEditorState): CardOrderEditorState {
  const { cards, at, adding } = order;
  if (adding || at >= cards.length) return { ...order, adding: false, typed: '' };
  const after = cards.toSpliced(at, 1);
  return { ...order, cards: after, at: Math.max(0, Math.min(at, after.length - 1)), typed: '' };
}

/** Cancels a half-typed card or an insertion. Returns the same object when there is neither. */
const cancelTyping = (order: CardOrderEditorState): CardOrderEditorState =>
  order.typed === '' && !order.adding
    ? order
    : { ...order, typed: '', adding: false, at: Math.max(0, Math.min(order.at, order.cards.length - 1)) };

/** Applies a key to the order. A key without effect returns the same object. */
export function applyCardOrderKey(
  order: CardOrderEditorState,
  key: KeyPress,
  laid: readonly string[],
  deck: DeckId,
): CardOrderEditorState {
  switch (key.key) {
    case 'Home':
      return { ...initialCardOrderState(laid), unseen: order.unseen };
    case 'Insert':
      return order.cards.length >= maxCards
        ? order
        : { ...order, adding: true, typed: '', at: order.cards.length === 0 ? 0 : order.at + (order.adding ? 0 : 1) };
    case 'Delete':
      return removeSelected(order);
    case 'Backspace':
    case 'Escape':
      return cancelTyping(order);
  }
  const action = keyAction(key, { expects: 'card', deck, typedRank: order.typed, phaseSince: 0 }, 0);
  if (action?.type === 'typed') return { ...order, typed: action.rank };
  if (action?.type === 'card') return putCardAtSelection(order, action.card);
  if (action?.type === 'move') return stepSelection(order, action.by, action.carry);
  return action?.type === 'shortcut' && action.shortcut === 'other' ? { ...order, unseen: !order.unseen } : order;
}

/** Moves a card to another index. The cards between shift by one. */
export function moveCardInOrder(order: CardOrderEditorState, from: number, to: number): CardOrderEditorState {
  const card = order.cards[from];
  if (card === undefined || to < 0 || to >= order.cards.length) return order;
  const cards = order.cards.toSpliced(from, 1).toSpliced(to, 0, card);
  return { ...order, cards, at: to, adding: false, typed: '' };
}

/**
 * For each card of the new order, its index among the cards as laid; null for a card that was not laid. Equal cards
 * could be confused, so a card at its old index keeps that index.
 */
export function laidIndexOfEachCard(laid: readonly string[], cards: readonly string[]): readonly (number | null)[] {
  const unmatched = new Set(laid.keys());
  const unmoved = cards.map((card, n) => (laid[n] === card && unmatched.delete(n) ? n : null));
  return cards.map((card, n) => {
    if (unmoved[n] !== null) return unmoved[n]!;
    const from = [...unmatched].find((index) => laid[index] === card);
    if (from === undefined) return null;
    unmatched.delete(from);
    return from;
  });
}

/** One line of the replay, such as a card in its slot, a drawing rule, or the result. */
export type ReplayStep =
  | { readonly type: 'card'; readonly card: string; readonly slot: CardSlot }
  | { readonly type: 'over'; readonly card: string }
  | {
      readonly type: 'rule';
      readonly code: 'natural' | 'both-stand' | 'player-draws' | 'player-stands';
      readonly player: number;
      readonly banker: number;
    }
  | {
      readonly type: 'third';
      readonly code: 'banker-draws' | 'banker-stands';
      readonly banker: number;
      readonly third: number;
    }
  | { readonly type: 'due'; readonly slot: CardSlot }
  | {
      readonly type: 'end';
      readonly winner: 'player' | 'banker' | 'tie';
      readonly player: number;
      readonly banker: number;
    };

export function replaySteps(cards: readonly string[]): readonly ReplayStep[] {
  const steps: ReplayStep[] = [];
  const dealt: Card[] = [];
  for (const card of cards as readonly Card[]) {
    const slot = nextSlot(dealt);
    if (slot === undefined) {
      steps.push({ type: 'over', card });
      continue;
    }
    dealt.push(card);
    steps.push({ type: 'card', card, slot: slots.find((one) => one === slot)! }, ...rulesAfter(dealt));
  }
  const due = nextSlot(dealt);
  if (due !== undefined) return [...steps, { type: 'due', slot: due }];
  const hands = handsOf(dealt);
  const [player, banker] = [totalOf(hands.player), totalOf(hands.banker)];
  const winner = player === banker ? 'tie' : player > banker ? 'player' : 'banker';
  return [...steps, { type: 'end', winner, player, banker }];
}

function rulesAfter(cards: readonly Card[]): readonly ReplayStep[] {
  const next = nextSlot(cards);
  if (cards.length === 4) {
    const [p1, b1, p2, b2] = cards as [Card, Card, Card, Card];
    const [player, banker] = [totalOf([p1, p2]), totalOf([b1, b2])];
    const code =
      next === 'P3'
        ? 'player-draws'
        : next === 'B3'
          ? 'player-stands'
          : player >= 8 || banker >= 8
            ? 'natural'
            : 'both-stand';
    return [{ type: 'rule', code, player, banker }];
  }
  if (cards.length !== 5 || nextSlot(cards.slice(0, 4)) !== 'P3') return [];
  const banker = totalOf([cards[1]!, cards[3]!]);
  const code = next === 'B3' ? 'banker-draws' : 'banker-stands';
  return [{ type: 'third', code, banker, third: pointsOf(cards[4]!) }];
}
