import { type Card } from '../../../../rules/card.ts';
import { nextSlot, slots } from '../../../../rules/play.ts';
import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { SmallCard, rankText } from '../../kit/components/card.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { OutcomeText } from '../../kit/components/proposalEffects.tsx';
import { proposalChangeText } from '../../kit/text/proposalStrings.ts';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { type UntypedCommand } from '../../kit/sendCommand.ts';
import { useCommandPreview } from '../../kit/useCommandPreview.ts';
import { language } from '../../../shared/text/language.ts';
import { typedRank } from '../state.ts';
import { dealerStrings } from '../strings.ts';

/**
 * Slot names of cards in the order drawn. The slot of the fifth card follows from the table of play; `+` is a surplus
 * card.
 */
export const slotsOfCards = (cards: readonly string[]): readonly string[] =>
  cards.map((_, n) => (n === 4 ? (nextSlot(cards.slice(0, 4) as Card[]) ?? '+') : (slots[n] ?? '+')));

/** What the recorded cards give: the winner, or the slot that waits for a card. */
export function OutcomeOnRecord({ view: { round, due } }: { readonly view: DealerView }) {
  if (round === null || round.cards.length === 0) return <p />;
  const [player, banker] = [round.player.total, round.banker.total];
  if (round.winner !== null) return <OutcomeText outcome={{ type: 'result', winner: round.winner, player, banker }} />;
  return due === null ? <p /> : <OutcomeText outcome={{ type: 'due', slot: due, player, banker }} />;
}

/** Preview of a typed command: the cards that it would burn, and the outcome that it would give. */
export function PreviewedOutcome({
  table,
  command,
}: {
  readonly table: string;
  readonly command: UntypedCommand | null;
}) {
  const preview = useCommandPreview(table, command);
  if (preview.state === 'refused') return <p>{staffRefusalText(preview.code, preview.message)}</p>;
  const round = preview.state === 'loaded' ? preview.data.proposal?.round : undefined;
  if (!round) return <p />;
  return (
    <div data-testid="previewed">
      {round.cards?.burned.map((card) => (
        <p key={card}>{proposalChangeText({ type: 'card-burn', card }, language.value)}</p>
      ))}
      <OutcomeText outcome={round.after} />
    </div>
  );
}

type CardRowProps = {
  readonly cards: readonly string[];
  /** Cards to compare with, index by index. A card is marked when the card of the same index differs. */
  readonly comparedTo?: readonly string[];
  readonly minLength?: number;
  /** Index of the empty slot that the next typed card fills. */
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

/** Cards of a round as laid, beside the cards in the order drawn. */
export function CardOrderComparison({
  view,
  cards,
  laid,
  nextIndex,
  note,
  command,
}: {
  readonly view: DealerView;
  readonly cards: readonly string[];
  readonly laid: readonly string[];
  readonly nextIndex?: number | undefined;
  readonly note?: string | undefined;
  /** Command of the reconstruction, for its preview; null while cards are missing. */
  readonly command: UntypedCommand | null;
}) {
  const t = dealerStrings();
  return (
    <div class="replay">
      <div>
        <h2>{t.rebuild.laid}</h2>
        <DrawnCardRow cards={laid} deck={view.deck} />
        <OutcomeOnRecord view={view} />
      </div>
      <div class="now">
        <h2>{t.rebuild.drawn}</h2>
        <DrawnCardRow cards={cards} comparedTo={laid} minLength={laid.length} nextIndex={nextIndex} deck={view.deck} />
        {note === undefined ? <PreviewedOutcome table={view.table} command={command} /> : <p>{note}</p>}
      </div>
    </div>
  );
}
