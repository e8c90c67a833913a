import { type DeckId, cardsOf, decks } from '../../../../rules/card.ts';
import { SuitSign, cardName, rankText } from '../../kit/components/card.tsx';
import { dealerStrings } from '../strings.ts';

// Blind count of a whole shoe, one number for each card; no expected number is shown.

export type CardCounts = { readonly [card: string]: number };

/** Counts so far, and the index of the card that takes the next digit. */
export type Counting = { readonly counts: CardCounts; readonly at: number };

export function digitIn(now: Counting, digit: number, deck: DeckId): Counting {
  const all = cardsOf(deck);
  const card = all[now.at];
  if (card === undefined) return now;
  const next = all.findIndex((one, n) => n > now.at && now.counts[one] === undefined);
  return { counts: { ...now.counts, [card]: digit }, at: next < 0 ? now.at + 1 : next };
}

/** Deletes the previous count. */
export function undoCount(now: Counting, deck: DeckId): Counting {
  const all = cardsOf(deck);
  const at = Math.max(0, Math.min(now.at, all.length) - 1);
  const { [all[at]!]: _gone, ...counts } = now.counts;
  return { counts, at };
}

export function CountGrid({
  deck,
  counts,
  at,
  odd = [],
  press,
}: {
  readonly deck: DeckId;
  readonly counts: CardCounts;
  readonly at?: number;
  readonly odd?: readonly string[];
  readonly press?: (at: number) => void;
}) {
  const t = dealerStrings().shoeDo;
  const { ranks, suits } = decks[deck];
  const all = cardsOf(deck);
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
          <SuitSign suit={suit} />
        </span>,
        ...ranks.map((rank) => {
          const card = `${rank}${suit}`;
          const place = (all as readonly string[]).indexOf(card);
          return (
            <button
              key={card}
              type="button"
              class={`${place === at ? 'cur' : ''}${odd.includes(card) ? ' odd' : ''}`}
              aria-label={`${cardName(card)}: ${counts[card] ?? '–'}`}
              onClick={() => press?.(place)}
            >
              {counts[card] ?? ''}
            </button>
          );
        }),
      ])}
    </section>
  );
}
