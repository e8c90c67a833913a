import { formatMoney } from '../../../../base/formatMoney.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../kit/text/refusalText.ts';
import { clickHandlerWithBlur } from '../components/usePageKeys.ts';
import { totalsOfRows } from '../ruling/matrix/terminalRows.ts';
import { type CommandPreviewState } from '../../kit/useCommandPreview.ts';
import { referralStrings } from './strings.ts';

type Props = {
  readonly decision: string;
  readonly keyName: string;
  readonly isChosen: boolean;
  readonly isProposed: boolean;
  readonly by: string;
  /** Error code of an impossible decision; null when the decision is possible. */
  readonly blockedCode: string | null;
  readonly preview: CommandPreviewState;
  readonly staked: number;
  readonly isLocked: boolean;
  readonly choose: () => void;
};

function stakesText({ decision, preview, staked }: Props): string {
  const t = referralStrings();
  if (decision !== 'void') return decision === 'stand' ? t.follow : t.unchanged;
  const rulings = preview.state === 'loaded' ? preview.data.rulings : null;
  const back = rulings === null ? staked : totalsOfRows(rulings.rows, ['void']).back['void'];
  return t.returned(formatMoney(back ?? staked));
}

export function DecisionOption(props: Props) {
  const t = referralStrings();
  const { decision, keyName, isChosen, isProposed, by, blockedCode, isLocked, choose } = props;
  const isBlocked = blockedCode !== null;
  return (
    <button
      type="button"
      class={`panel opt${isChosen ? ' on' : ''}${isBlocked ? ' no' : ''}`}
      data-decision={decision}
      aria-pressed={isChosen}
      disabled={isBlocked}
      onClick={clickHandlerWithBlur(choose)}
    >
      <KeyCap>{keyName}</KeyCap>
      <span>
        <b class="t">
          {t.names[decision]}
          {isProposed && <span class="tag">{t.proposed}</span>}
        </b>
        <span class="q">{isBlocked ? staffRefusalText(blockedCode, blockedCode) : t.texts[decision]}</span>
      </span>
      <dl>
        <dt>{t.round}</dt>
        <dd>{isBlocked ? '–' : t.rounds[decision]}</dd>
        <dt>{t.stakes}</dt>
        <dd>{isBlocked ? '–' : stakesText(props)}</dd>
        <dt>{t.shoe}</dt>
        <dd>{isBlocked ? '–' : decision === 'burn' ? t.shoes.burn : isLocked ? t.shoes.locked : t.shoes.on}</dd>
      </dl>
      <span class="r">
        <ClauseTag by={by} plain />
      </span>
    </button>
  );
}
