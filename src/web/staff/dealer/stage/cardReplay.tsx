import { type Card } from '../../../../rules/card.ts';
import { totalOf } from '../../../../rules/hand.ts';
import { handsOf, nextSlot, slots } from '../../../../rules/play.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { Face, rankText } from '../../kit/components/card.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { promptText } from '../../kit/text/promptText.ts';
import { HandSign } from '../../kit/components/handSign.tsx';
import { typed } from '../state.ts';
import { dealerStrings } from '../strings.ts';

/** The places that cards fill, one after the other, by the table of play. */
export const slotsOfCards = (cards: readonly string[]): readonly string[] =>
  cards.map((_, n) => (n === 4 ? (nextSlot(cards.slice(0, 4) as Card[]) ?? '+') : (slots[n] ?? '+')));

/** What cards in this order lead to, in words. */
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
  const said = promptText({ code: `result-${winner}`, with: { player: String(p), banker: String(b) }, by: null });
  return (
    <p>
      <HandSign side={winner}>{said}</HandSign>
    </p>
  );
}

type LineForm = {
  readonly cards: readonly string[];
  /** Cards that differ from these are marked. */
  readonly than?: readonly string[];
  /** How many places there are at the least. */
  readonly room?: number;
  /** The place that the next card goes to. */
  readonly at?: number | undefined;
  readonly picked?: number | undefined;
  readonly deck: DealerView['deck'];
  readonly numbered?: boolean;
  readonly press?: (place: number) => void;
};

/** Cards in a row, in the order in which they left the shoe. */
export function CardRow({ cards, than, room = 0, at, picked, deck, numbered = false, press }: LineForm) {
  const t = dealerStrings();
  const names = slotsOfCards([...cards, ...Array.from({ length: Math.max(0, room - cards.length) }, () => 'AC')]);
  const count = Math.max(cards.length, room);
  return (
    <div class="line">
      {Array.from({ length: count }, (_, n) => {
        const card = cards[n];
        const name = names[n] ?? '';
        if (n === at) {
          return (
            <span key={n} class="st slot due">
              <span class="hole">
                {typed.value === '' ? '' : rankText(typed.value, deck === 'elements' ? '1' : '')}
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
        const marks = `${than !== undefined && than[n] !== card ? ' moved' : ''}${n === picked ? ' pick' : ''}`;
        const inside = (
          <>
            <Face card={card} />
            <small>
              {numbered && <Kbd>{n + 1}</Kbd>} {name}
            </small>
          </>
        );
        return press ? (
          <button key={n} type="button" class={`st${marks}`} onClick={() => press(n)}>
            {inside}
          </button>
        ) : (
          <span key={n} class={`st${marks}`}>
            {inside}
          </span>
        );
      })}
    </div>
  );
}

/** The cards as laid beside the cards as drawn. */
export function CardReplay({
  view,
  cards,
  of,
  at,
  note,
}: {
  readonly view: DealerView;
  readonly cards: readonly string[];
  readonly of: readonly string[];
  readonly at?: number | undefined;
  readonly note?: string | undefined;
}) {
  const t = dealerStrings();
  return (
    <div class="replay">
      <div>
        <h2>{t.rebuild.laid}</h2>
        <CardRow cards={of} deck={view.deck} />
        <ReplayOutcome cards={of} />
      </div>
      <div class="now">
        <h2>{t.rebuild.drawn}</h2>
        <CardRow cards={cards} than={of} room={of.length} at={at} deck={view.deck} />
        {note === undefined ? <ReplayOutcome cards={cards} /> : <p>{note}</p>}
      </div>
    </div>
  );
}
