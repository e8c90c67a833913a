import { MiniCardFace } from '../../../shared/cards/cards.tsx';
import { suitColours, chineseRankCharacters, suitShapePaths } from '../../../shared/cards/cardArt.tsx';
import { kitStrings } from '../text/strings.ts';

/** Rank as printed on the card: 10 for T, and a character such as 福 for a picture card of the 65-card deck. */
export const rankText = (rank: string, suit = ''): string =>
  rank === 'T' ? '10' : suit !== '' && suit <= '5' ? (chineseRankCharacters[rank] ?? rank) : rank;

/** Spoken name of a card: "8 of hearts". */
export const cardName = (card: string): string => {
  const t = kitStrings();
  const [rank, suit] = [card[0]!, card[1]!];
  return t.of(rankText(rank, suit), t.suits[suit] ?? t.suit(suit));
};

/** Small card. Without `size` its height comes from the CSS variable `--h`. */
export function SmallCard({ card, size = '' }: { readonly card: string; readonly size?: '' | 'xs' | 'sm' | 'md' }) {
  return (
    <span class={`face ${size}`}>
      <MiniCardFace card={card} />
    </span>
  );
}

/** Suit symbol within text. A suit of the 65-card deck is shown by its number. */
export function SuitSymbol({ suit }: { readonly suit: string }) {
  if (suit <= '5') return <small class="suit-no">{suit}</small>;
  return (
    <svg class="suit" viewBox="0 0 100 100" aria-hidden="true">
      <path d={suitShapePaths[suit]} fill="currentColor" />
    </svg>
  );
}

/** Card within text: 9♠. */
export function CardText({ card }: { readonly card: string }) {
  return (
    <span
      class={`tc${suitColours[card[1]!] === suitColours['H'] ? ' red' : ''}`}
      role="img"
      aria-label={cardName(card)}
    >
      {rankText(card[0]!, card[1])}
      <SuitSymbol suit={card[1]!} />
    </span>
  );
}
