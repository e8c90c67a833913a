import { type DeckId, decks } from '../../../../rules/card.ts';
import { SuitSign, cardName, rankText } from '../../kit/components/card.tsx';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Padlock } from '../../kit/components/icons.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { typed } from '../state.ts';
import { dealerStrings } from '../strings.ts';

const isRed = (suit: string): boolean => suit === 'D' || suit === 'H';

type Form = {
  readonly deck: DeckId;
  /** Without it the pad is locked. */
  readonly press?: ((card: string) => void) | undefined;
  readonly locked?: { readonly text: string; readonly by?: string | null } | undefined;
};

/** Touch pad of all cards; its margins show the keys. */
export function Pad({ deck, press, locked }: Form) {
  const t = dealerStrings();
  const { ranks, suits } = decks[deck];
  const shut = press === undefined;
  const hot = typed.value;
  return (
    <section class={`panel pad rows${shut ? ' locked' : ''}`} style={{ '--rows': suits.length }} aria-label={t.cards}>
      <span />
      {ranks.map((rank) => (
        <span key={rank} class={`rk${hot === rank ? ' hot' : ''}`} aria-hidden="true">
          {rank === 'T' ? 'T 0' : rank}
        </span>
      ))}
      {suits.map((suit) => [
        <span key={suit} class={`sk${isRed(suit) ? ' red' : ''}`} aria-hidden="true">
          <Kbd>{suit}</Kbd>
          {suit > '5' && <SuitSign suit={suit} />}
        </span>,
        ...ranks.map((rank) => (
          <button
            key={`${rank}${suit}`}
            type="button"
            data-card={`${rank}${suit}`}
            class={`${isRed(suit) ? 'red' : ''}${hot === rank ? ' hot' : ''}`}
            disabled={shut}
            aria-label={cardName(`${rank}${suit}`)}
            onClick={() => press?.(`${rank}${suit}`)}
          >
            {rankText(rank, suit)}
            <SuitSign suit={suit} />
          </button>
        )),
      ])}
      {shut && locked && (
        <p class="lock">
          <Padlock />
          {locked.text} <ClauseTag by={locked.by} plain />
        </p>
      )}
    </section>
  );
}
