import { type RefObject } from 'preact';
import { type SupervisorView } from '../../../../wire/staff/supervisorView.ts';
import { Face, cardName, rankText } from '../../kit/components/card.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { isLost } from '../../app/state.ts';
import { isAsking } from '../parts/commands.ts';
import { touched, usePageKeys } from '../parts/usePageKeys.ts';
import { Reason } from '../parts/reasonField.tsx';
import { type PreviewState } from '../parts/useTable.ts';
import { type Fix, fixedBy, noFix } from './cardFix.ts';
import { rulingStrings } from './strings.ts';

type Card = { readonly card: string; readonly slot: string };

/** The cards of a round with their digits: which is wrong, and what it was. */
export function WhichCard({
  cards,
  fix,
  set,
  deck,
}: {
  readonly cards: readonly Card[];
  readonly fix: Fix;
  readonly set: (fix: Fix) => void;
  readonly deck: SupervisorView['deck'];
}) {
  const t = rulingStrings();
  const { place, card, typed } = fix;
  const old = place === null ? undefined : cards[place];
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
            onClick={touched(() => set({ ...noFix, place: n }))}
          >
            <Face card={one.card} />
            <b class="sl">
              <Kbd>{n + 1}</Kbd> {one.slot}
            </b>
          </button>
        ))}
      </div>
      {old === undefined ? (
        <p class="q told">{t.fix.choose}</p>
      ) : (
        <div class="change">
          <span class="was">
            <Face card={old.card} />
          </span>
          <span aria-hidden="true">→</span>
          {card === null ? (
            <span class="addc due">{typed === '' ? '' : rankText(typed, deck === 'elements' ? '1' : '')}</span>
          ) : (
            <Face card={card} />
          )}
          <p role="status">
            <b>{card === null ? t.fix.key(old.slot) : t.fix.was(old.slot, cardName(card))}</b>
          </p>
        </div>
      )}
    </section>
  );
}

type Form = {
  readonly view: SupervisorView;
  /** What the card is for: `correct`, `enter` or `burn`. */
  readonly ruling: string;
  readonly fix: Fix;
  readonly set: (fix: Fix) => void;
  readonly previewed: PreviewState;
  readonly reason: string;
  readonly setReason: (text: string) => void;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly propose: () => void;
  readonly leave: () => void;
};

/** One card beside the rulings: on record wrongly, not readable, or to be burned. */
export function CardBar({ view, ruling, fix, set, previewed, reason, setReason, field, propose, leave }: Form) {
  const t = rulingStrings();
  const cards = view.round?.cards ?? [];
  const isOff = isLost.value || isAsking.value || fix.card === null || reason.trim() === '';
  usePageKeys((key, shift) => {
    if (key === 'Y') field.current?.focus();
    else if (key === 'Enter') {
      if (!isOff) propose();
    } else {
      const count = ruling === 'correct' ? cards.length : 1;
      const after = fixedBy(fix, { key, shift }, count, view.deck);
      if (key === 'Escape' && (after === fix || (ruling !== 'correct' && after.place === null))) leave();
      else if (after === fix) return false;
      else set(after);
    }
    return true;
  }, 'card');
  return (
    <div class="do-bar">
      <Reason label={t.reason} value={reason} set={setReason} field={field} />
      <section class="panel" role="status">
        {ruling !== 'correct' &&
          (fix.card === null ? (
            <span class="addc small due">
              {fix.typed === '' ? '' : rankText(fix.typed, view.deck === 'elements' ? '1' : '')}
            </span>
          ) : (
            <Face card={fix.card} size="sm" />
          ))}
        {previewed.state === 'refused' && (
          <span class="short">{staffRefusalText(previewed.code, previewed.message)}</span>
        )}
        <button type="button" class="btn quiet" onClick={leave}>
          {t.rebuild.back} <Kbd>Esc</Kbd>
        </button>
      </section>
      <button type="button" class="btn act act-big" data-testid="propose" disabled={isOff} onClick={propose}>
        {t.propose(t.names[ruling] ?? ruling)} <Kbd>Enter</Kbd>
      </button>
    </div>
  );
}
