import { type DeckId, decks } from '../../../../rules/card.ts';
import { SuitSymbol, cardName, rankText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { PadlockIcon } from '../../kit/components/icons.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { typedRank } from '../state.ts';
import { dealerStrings } from '../strings.ts';

const isRed = (suit: string): boolean => suit === 'D' || suit === 'H';

type Props = {
  readonly deck: DeckId;
  /** Called with the card of a pressed button. Without this function the pad is locked. */
  readonly onPress?: ((card: string) => void) | undefined;
  readonly locked?: { readonly text: string; readonly by?: string | null } | undefined;
};

/** Touch pad with a button for each card of the deck. Its margins show the keyboard keys of ranks and suits. */
export function CardPad({ deck, onPress, locked }: Props) {
  const t = dealerStrings();
  const { ranks, suits } = decks[deck];
  const isLocked = onPress === undefined;
  const typed = typedRank.value;
  return (
    <section
      class={`panel pad rows${isLocked ? ' locked' : ''}`}
      style={{ '--rows': suits.length }}
      aria-label={t.cards}
    >
      <span />
      {ranks.map((rank) => (
        <span key={rank} class={`rk${typed === rank ? ' hot' : ''}`} aria-hidden="true">
          {rank === 'T' ? 'T 0' : rank}
        </span>
      ))}
      {suits.map((suit) => [
        <span key={suit} class={`sk${isRed(suit) ? ' red' : ''}`} aria-hidden="true">
          <KeyCap>{suit}</KeyCap>
          {suit > '5' && <SuitSymbol suit={suit} />}
        </span>,
        ...ranks.map((rank) => (
          <button
            key={`${rank}${suit}`}
            type="button"
            data-card={`${rank}${suit}`}
            class={`${isRed(suit) ? 'red' : ''}${typed === rank ? ' hot' : ''}`}
            disabled={isLocked}
            aria-label={cardName(`${rank}${suit}`)}
            onClick={() => onPress?.(`${rank}${suit}`)}
          >
            {rankText(rank, suit)}
            <SuitSymbol suit={suit} />
          </button>
        )),
      ])}
      {isLocked && locked && (
        <p class="lock">
          <PadlockIcon />
          {locked.text} <ClauseTag by={locked.by} plain />
        </p>
      )}
    </section>
  );
}
