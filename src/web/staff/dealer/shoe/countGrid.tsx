import { type DeckId, cardsOfDeck, decks } from '../../../../rules/card.ts';
import { SuitSymbol, cardName, rankText } from '../../kit/components/card.tsx';
import { dealerStrings } from '../strings.ts';

// Blind count of a shoe: the number of copies of each card. The screen does not show the expected number.

export type CardCounts = { readonly [card: string]: number };

/** Counts entered so far, and the index `at` of the active card. The next digit is the count of the active card. */
export type BlindCountState = { readonly counts: CardCounts; readonly at: number };

export function enterCardCount(state: BlindCountState, digit: number, deck: DeckId): BlindCountState {
  const cards = cardsOfDeck(deck);
  const card = cards[state.at];
  if (card === undefined) return state;
  const next = cards.findIndex((one, n) => n > state.at && state.counts[one] === undefined);
  return { counts: { ...state.counts, [card]: digit }, at: next < 0 ? state.at + 1 : next };
}

/** Deletes the count of the card before the active one, and activates that card. */
export function undoCardCount(state: BlindCountState, deck: DeckId): BlindCountState {
  const cards = cardsOfDeck(deck);
  const at = Math.max(0, Math.min(state.at, cards.length) - 1);
  const { [cards[at]!]: _removed, ...counts } = state.counts;
  return { counts, at };
}

export function CardCountGrid({
  deck,
  counts,
  at,
  differing = [],
  onPress,
}: {
  readonly deck: DeckId;
  readonly counts: CardCounts;
  readonly at?: number;
  readonly differing?: readonly string[];
  readonly onPress?: (at: number) => void;
}) {
  const t = dealerStrings().shoeDo;
  const { ranks, suits } = decks[deck];
  const cards = cardsOfDeck(deck);
  return (
    <section class="panel pad rows counts" style={{ '--rows': suits.length }} aria-label={t.countGrid}>
      <span />
      {ranks.map((rank) => (
        <span key={rank} class="rk" aria-hidden="true">
          {rankText(rank, suits[0])}
        </span>
      ))}
      {suits.map((suit) => [
        <span key={suit} class={`sk${suit === 'D' || suit === 'H' ? ' red' : ''}`} aria-hidden="true">
          <SuitSymbol suit={suit} />
        </span>,
        ...ranks.map((rank) => {
          const card = `${rank}${suit}`;
          const index = (cards as readonly string[]).indexOf(card);
          return (
            <button
              key={card}
              type="button"
              class={`${index === at ? 'cur' : ''}${differing.includes(card) ? ' odd' : ''}`}
              aria-label={`${cardName(card)}: ${counts[card] ?? '–'}`}
              onClick={() => onPress?.(index)}
            >
              {counts[card] ?? ''}
            </button>
          );
        }),
      ])}
    </section>
  );
}
