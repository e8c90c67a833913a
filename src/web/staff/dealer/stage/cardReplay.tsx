import { type Card } from '../../../../rules/card.ts';
import { totalOf } from '../../../../rules/hand.ts';
import { handsOf, nextSlot, slots } from '../../../../rules/play.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { SmallCard, rankText } from '../../kit/components/card.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { HandOrTieSign } from '../../kit/components/handOrTieSign.tsx';
import { typedRank } from '../state.ts';
import { dealerStrings } from '../strings.ts';

/** Slots that the cards fill when they are dealt in this order by the table of play. */
export const slotsOfCards = (cards: readonly string[]): readonly string[] =>
  cards.map((_, n) => (n === 4 ? (nextSlot(cards.slice(0, 4) as Card[]) ?? '+') : (slots[n] ?? '+')));

/** Totals and next draw, or the winner, of the cards dealt in this order. */
export function ReplayOutcome({ cards }: { readonly cards: readonly string[] }) {
  const t = dealerStrings();
  const { player, banker } = handsOf(cards as Card[]);
  const [p, b] = [totalOf(player), totalOf(banker)];
  const next = nextSlot(cards as Card[]);
  if (next !== undefined) {
    const draws = next.endsWith('3') ? ` · ${t.fix.draws(next === 'P3' ? t.sides.player : t.sides.banker)}` : '';
    return <p>{cards.length === 0 ? '' : t.has(String(p), String(b)) + draws}</p>;
  }
  const winner = p === b ? 'tie' : p > b ? 'player' : 'banker';
  const text = promptText({ code: `result-${winner}`, with: { player: String(p), banker: String(b) }, by: null });
  return (
    <p>
      <HandOrTieSign side={winner}>{text}</HandOrTieSign>
    </p>
  );
}

type CardRowProps = {
  readonly cards: readonly string[];
  /** Cards to compare with; those that differ are marked. */
  readonly comparedTo?: readonly string[];
  /** Minimum number of positions that the row shows. */
  readonly minLength?: number;
  /** Index of the position that waits for the next card. */
  readonly nextIndex?: number | undefined;
  readonly picked?: number | undefined;
  readonly deck: DealerView['deck'];
  readonly numbered?: boolean;
  readonly onPress?: (place: number) => void;
};

/** Row of cards in the order in which they left the shoe. */
export function DrawnCardRow({
  cards,
  comparedTo,
  minLength = 0,
  nextIndex,
  picked,
  deck,
  numbered = false,
  onPress,
}: CardRowProps) {
  const t = dealerStrings();
  const names = slotsOfCards([...cards, ...Array.from({ length: Math.max(0, minLength - cards.length) }, () => 'AC')]);
  const count = Math.max(cards.length, minLength);
  return (
    <div class="line">
      {Array.from({ length: count }, (_, n) => {
        const card = cards[n];
        const name = names[n] ?? '';
        if (n === nextIndex) {
          return (
            <span key={n} class="st slot due">
              <span class="hole">
                {typedRank.value === '' ? '' : rankText(typedRank.value, deck === 'elements' ? '1' : '')}
              </span>
              <small>{t.due(name)}</small>
            </span>
          );
        }
        if (card === undefined) {
          return (
            <span key={n} class="st">
              <span class="hole" />
              <small>{name}</small>
            </span>
          );
        }
        const marks = `${comparedTo !== undefined && comparedTo[n] !== card ? ' moved' : ''}${n === picked ? ' pick' : ''}`;
        const content = (
          <>
            <SmallCard card={card} />
            <small>
              {numbered && <KeyCap>{n + 1}</KeyCap>} {name}
            </small>
          </>
        );
        return onPress ? (
          <button key={n} type="button" class={`st${marks}`} onClick={() => onPress(n)}>
            {content}
          </button>
        ) : (
          <span key={n} class={`st${marks}`}>
            {content}
          </span>
        );
      })}
    </div>
  );
}

/** Cards of a round as laid, beside the cards as reordered. */
export function CardOrderComparison({
  view,
  cards,
  laid,
  nextIndex,
  note,
}: {
  readonly view: DealerView;
  readonly cards: readonly string[];
  readonly laid: readonly string[];
  readonly nextIndex?: number | undefined;
  readonly note?: string | undefined;
}) {
  const t = dealerStrings();
  return (
    <div class="replay">
      <div>
        <h2>{t.rebuild.laid}</h2>
        <DrawnCardRow cards={laid} deck={view.deck} />
        <ReplayOutcome cards={laid} />
      </div>
      <div class="now">
        <h2>{t.rebuild.drawn}</h2>
        <DrawnCardRow cards={cards} comparedTo={laid} minLength={laid.length} nextIndex={nextIndex} deck={view.deck} />
        {note === undefined ? <ReplayOutcome cards={cards} /> : <p>{note}</p>}
      </div>
    </div>
  );
}
