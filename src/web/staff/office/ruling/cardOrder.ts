import { type Card, type DeckId, pointsOf } from '../../../../rules/card.ts';
import { totalOf } from '../../../../rules/hand.ts';
import { type Slot, handsOf, nextSlot, slots } from '../../../../rules/play.ts';
import { type Named, actOf } from '../../kit/input/keyBindings.ts';

// Editor state: order in which the cards left the shoe. Pure: each key gives a new order.

export type CardOrder = {
  readonly cards: readonly string[];
  /** Index of the selected card, or of the insertion. */
  readonly at: number;
  readonly adding: boolean;
  /** Rank typed so far, before its suit. */
  readonly typed: string;
  /** One more card left the shoe unseen. */
  readonly unseen: boolean;
};

/** A round has six cards at most, and one more may have left the shoe. */
const most = 7;

export const asLaid = (laid: readonly string[]): CardOrder => ({
  cards: laid,
  at: 0,
  adding: false,
  typed: '',
  unseen: false,
});

/** Replaces the selected card, or inserts there; selects the next one. */
export function withCard(order: CardOrder, card: string): CardOrder {
  const { cards, at, adding } = order;
  const isNew = adding || at >= cards.length;
  if (isNew && cards.length >= most) return { ...order, adding: false, typed: '' };
  const after = cards.toSpliced(at, isNew ? 0 : 1, card);
  return { ...order, cards: after, at: Math.min(at + 1, after.length - 1), adding: false, typed: '' };
}

function moved(order: CardOrder, by: 1 | -1, carry: boolean): CardOrder {
  const { cards, at } = order;
  const to = Math.max(0, Math.min(cards.length - 1, at + by));
  const kept = { ...order, at: to, adding: false, typed: '' };
  if (!carry || order.adding || at >= cards.length) return kept;
  return { ...kept, cards: cards.with(at, cards[to]!).with(to, cards[at]!) };
}

function without(order: CardOrder): CardOrder {
  const { cards, at, adding } = order;
  if (adding || at >= cards.length) return { ...order, adding: false, typed: '' };
  const after = cards.toSpliced(at, 1);
  return { ...order, cards: after, at: Math.max(0, Math.min(at, after.length - 1)), typed: '' };
}

/** Cancels a half-typed card or an insertion; returns the same order when there is none. */
const given = (order: CardOrder): CardOrder =>
  order.typed === '' && !order.adding
    ? order
    : { ...order, typed: '', adding: false, at: Math.max(0, Math.min(order.at, order.cards.length - 1)) };

/** Returns the same order when the key has no effect. */
export function keyed(order: CardOrder, key: Named, laid: readonly string[], deck: DeckId): CardOrder {
  switch (key.key) {
    case 'Home':
      return { ...asLaid(laid), unseen: order.unseen };
    case 'Insert':
      return order.cards.length >= most
        ? order
        : { ...order, adding: true, typed: '', at: order.cards.length === 0 ? 0 : order.at + (order.adding ? 0 : 1) };
    case 'Delete':
      return without(order);
    case 'Backspace':
    case 'Escape':
      return given(order);
  }
  const act = actOf(key, { takes: 'card', deck, typed: order.typed, since: 0 }, 0);
  if (act?.type === 'typed') return { ...order, typed: act.rank };
  if (act?.type === 'card') return withCard(order, act.card);
  if (act?.type === 'move') return moved(order, act.by, act.carry);
  return act?.type === 'order' && act.order === 'other' ? { ...order, unseen: !order.unseen } : order;
}

/** Moves a card; the cards between shift. */
export function carried(order: CardOrder, from: number, to: number): CardOrder {
  const card = order.cards[from];
  if (card === undefined || to < 0 || to >= order.cards.length) return order;
  const cards = order.cards.toSpliced(from, 1).toSpliced(to, 0, card);
  return { ...order, cards, at: to, adding: false, typed: '' };
}

/** Index as laid for each card of the new order; null for a new card. Cards that did not move are matched first. */
export function linksOf(laid: readonly string[], cards: readonly string[]): readonly (number | null)[] {
  const free = new Set(laid.keys());
  const at = cards.map((card, n) => (laid[n] === card && free.delete(n) ? n : null));
  return cards.map((card, n) => {
    if (at[n] !== null) return at[n]!;
    const from = [...free].find((place) => laid[place] === card);
    if (from === undefined) return null;
    free.delete(from);
    return from;
  });
}

/** One line of the replay: a card in its slot, a rule of the table of play, or the result. */
export type ReplayStep =
  | { readonly what: 'card'; readonly card: string; readonly slot: Slot }
  | { readonly what: 'over'; readonly card: string }
  | {
      readonly what: 'says';
      readonly code: 'natural' | 'both-stand' | 'player-draws' | 'player-stands';
      readonly player: number;
      readonly banker: number;
    }
  | {
      readonly what: 'third';
      readonly code: 'banker-draws' | 'banker-stands';
      readonly banker: number;
      readonly third: number;
    }
  | { readonly what: 'due'; readonly slot: Slot }
  | {
      readonly what: 'end';
      readonly winner: 'player' | 'banker' | 'tie';
      readonly player: number;
      readonly banker: number;
    };

/** Replays the cards in this order through the table of play. */
export function replaySteps(cards: readonly string[]): readonly ReplayStep[] {
  const steps: ReplayStep[] = [];
  const dealt: Card[] = [];
  for (const card of cards as readonly Card[]) {
    const slot = nextSlot(dealt);
    if (slot === undefined) {
      steps.push({ what: 'over', card });
      continue;
    }
    dealt.push(card);
    steps.push({ what: 'card', card, slot: slots.find((one) => one === slot)! }, ...saysAfter(dealt));
  }
  const due = nextSlot(dealt);
  if (due !== undefined) return [...steps, { what: 'due', slot: due }];
  const hands = handsOf(dealt);
  const [player, banker] = [totalOf(hands.player), totalOf(hands.banker)];
  const winner = player === banker ? 'tie' : player > banker ? 'player' : 'banker';
  return [...steps, { what: 'end', winner, player, banker }];
}

function saysAfter(cards: readonly Card[]): readonly ReplayStep[] {
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
    return [{ what: 'says', code, player, banker }];
  }
  if (cards.length !== 5 || nextSlot(cards.slice(0, 4)) !== 'P3') return [];
  const banker = totalOf([cards[1]!, cards[3]!]);
  const code = next === 'B3' ? 'banker-draws' : 'banker-stands';
  return [{ what: 'third', code, banker, third: pointsOf(cards[4]!) }];
}
