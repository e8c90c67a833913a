import { formatMoney } from '../../../../base/formatMoney.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { Kbd } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { touched } from '../parts/usePageKeys.ts';
import { sumRows } from '../ruling/matrix/terminalRows.ts';
import { type PreviewState } from '../parts/useTable.ts';
import { referralStrings } from './strings.ts';

type Form = {
  readonly decision: string;
  readonly keyName: string;
  readonly isOn: boolean;
  readonly isStanding: boolean;
  readonly by: string;
  /** Error code, when the decision is not possible. */
  readonly closed: string | null;
  readonly previewed: PreviewState;
  readonly staked: number;
  readonly isLocked: boolean;
  readonly pick: () => void;
};

function stakesText({ decision, previewed, staked }: Form): string {
  const t = referralStrings();
  if (decision !== 'void') return decision === 'stand' ? t.follow : t.unchanged;
  const rulings = previewed.state === 'there' ? previewed.data.rulings : null;
  const back = rulings === null ? staked : sumRows(rulings.rows, ['void']).back['void'];
  return t.returned(formatMoney(back ?? staked));
}

export function Option(form: Form) {
  const t = referralStrings();
  const { decision, keyName, isOn, isStanding, by, closed, isLocked, pick } = form;
  const isClosed = closed !== null;
  return (
    <button
      type="button"
      class={`panel opt${isOn ? ' on' : ''}${isClosed ? ' no' : ''}`}
      data-decision={decision}
      aria-pressed={isOn}
      disabled={isClosed}
      onClick={touched(pick)}
    >
      <Kbd>{keyName}</Kbd>
      <span>
        <b class="t">
          {t.names[decision]}
          {isStanding && <span class="tag">{t.standing}</span>}
        </b>
        <span class="q">{isClosed ? staffRefusalText(closed, closed) : t.texts[decision]}</span>
      </span>
      <dl>
        <dt>{t.round}</dt>
        <dd>{isClosed ? '–' : t.rounds[decision]}</dd>
        <dt>{t.stakes}</dt>
        <dd>{isClosed ? '–' : stakesText(form)}</dd>
        <dt>{t.shoe}</dt>
        <dd>{isClosed ? '–' : decision === 'burn' ? t.shoes.burn : isLocked ? t.shoes.locked : t.shoes.on}</dd>
      </dl>
      <span class="r">
        <ClauseTag by={by} plain />
      </span>
    </button>
  );
}
