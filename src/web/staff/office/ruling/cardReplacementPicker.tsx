import { type RefObject } from 'preact';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { SmallCard, cardName, rankText } from '../../kit/components/card.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { isConnectionUnusable } from '../../app/state.ts';
import { isCommandPending } from '../../kit/sendCommand.ts';
import { clickHandlerWithBlur, usePageKeys } from '../components/usePageKeys.ts';
import { ReasonField } from '../components/reasonField.tsx';
import { type CommandPreviewState } from '../../kit/useCommandPreview.ts';
import {
  type CardReplacementState,
  applyCardReplacementKey,
  emptyCardReplacementState,
} from './cardReplacementState.ts';
import { rulingStrings } from './strings.ts';

type Card = { readonly card: string; readonly slot: string };

/** Shows the cards of a round, each with the digit that selects it. The selected card is shown with its replacement. */
export function CardReplacementPicker({
  cards,
  fix,
  set,
  deck,
}: {
  readonly cards: readonly Card[];
  readonly fix: CardReplacementState;
  readonly set: (fix: CardReplacementState) => void;
  readonly deck: SupervisorView['deck'];
}) {
  const t = rulingStrings();
  const { place, card, typed } = fix;
  const wrongCard = place === null ? undefined : cards[place];
  return (
    <section class="panel" data-testid="which">
      <h2>{t.fix.which}</h2>
      <div class="drawn">
        {cards.map((one, n) => (
          <button
            key={n}
            type="button"
            class={n === place ? 'sw' : ''}
            aria-pressed={n === place}
            onClick={clickHandlerWithBlur(() => set({ ...emptyCardReplacementState, place: n }))}
          >
            <SmallCard card={one.card} />
            <b class="sl">
              <KeyCap>{n + 1}</KeyCap> {one.slot}
            </b>
          </button>
        ))}
      </div>
      {wrongCard === undefined ? (
        <p class="q status-text">{t.fix.choose}</p>
      ) : (
        <div class="change">
          <span class="was">
            <SmallCard card={wrongCard.card} />
          </span>
          <span aria-hidden="true">→</span>
          {card === null ? (
            <span class="addc due">{typed === '' ? '' : rankText(typed, deck === 'elements' ? '1' : '')}</span>
          ) : (
            <SmallCard card={card} />
          )}
          <p role="status">
            <b>{card === null ? t.fix.key(wrongCard.slot) : t.fix.was(wrongCard.slot, cardName(card))}</b>
          </p>
        </div>
      )}
    </section>
  );
}

type Props = {
  readonly view: SupervisorView;
  /** Ruling that needs the card: `correct`, `enter` or `burn`. */
  readonly ruling: string;
  readonly fix: CardReplacementState;
  readonly set: (fix: CardReplacementState) => void;
  readonly preview: CommandPreviewState;
  readonly reason: string;
  readonly setReason: (text: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly propose: () => void;
  readonly leave: () => void;
};

export function CardRulingBar({ view, ruling, fix, set, preview, reason, setReason, field, propose, leave }: Props) {
  const t = rulingStrings();
  const cards = view.round?.cards ?? [];
  const isDisabled = isConnectionUnusable.value || isCommandPending.value || fix.card === null || reason.trim() === '';
  usePageKeys((key, shift) => {
    if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') {
      if (!isDisabled) propose();
    } else {
      const count = ruling === 'correct' ? cards.length : 1;
      const next = applyCardReplacementKey(fix, { key, shift }, count, view.deck);
      if (key === 'Escape' && (next === fix || (ruling !== 'correct' && next.place === null))) leave();
      else if (next === fix) return false;
      else set(next);
    }
    return true;
  }, 'card');
  return (
    <div class="do-bar">
      <ReasonField label={t.reason} value={reason} set={setReason} field={field} />
      <section class="panel" role="status">
        {ruling !== 'correct' &&
          (fix.card === null ? (
            <span class="addc small due">
              {fix.typed === '' ? '' : rankText(fix.typed, view.deck === 'elements' ? '1' : '')}
            </span>
          ) : (
            <SmallCard card={fix.card} size="sm" />
          ))}
        {preview.state === 'refused' && <span class="short">{staffRefusalText(preview.code, preview.message)}</span>}
        <button type="button" class="btn quiet" onClick={leave}>
          {t.rebuild.back} <KeyCap>Esc</KeyCap>
        </button>
      </section>
      <button type="button" class="btn act act-big" data-testid="propose" disabled={isDisabled} onClick={propose}>
        {t.propose(t.names[ruling] ?? ruling)} <KeyCap>Enter</KeyCap>
      </button>
    </div>
  );
}
