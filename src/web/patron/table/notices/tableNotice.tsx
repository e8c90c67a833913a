import { computed, effect, signal } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { Icon } from '../../../shared/widgets/icons.tsx';
import { voidReasonText, wagerName } from '../../../shared/text/gameNames.ts';
import { patronRefusalText } from '../../app/refusalText.ts';
import { ReconnectNotice, reconnectMessage, closeMissedSlipNotice } from '../../roundNotices/reconnectNotice.tsx';
import {
  acceptedSlip,
  uncertainStakeChange,
  bettingBlockReason,
  isSlipReplyLate,
  amountToMinimum,
  visibleMissedSlip,
  visibleStakes,
  slipTotal,
  wantedSlip,
} from '../../app/slipSignals.ts';
import { RoundNoticePanel, hasNoticeAboutRound, oldestUnreadRoundNotice } from '../../roundNotices/roundNotice.tsx';
import { connectionState, patronServerTimeMs, visibleRefusal, tableView } from '../../app/state.ts';
import { patronStrings as common } from '../../app/strings.ts';
import { NoticeBox } from './noticeBox.tsx';
import { BettingBlockNotice } from './bettingBlockNotice.tsx';
import { isLastRoundShown, roundMoneySums, stageMode, viewMode } from '../scene.ts';
import { StoppedNotice } from './stoppedNotice.tsx';
import { tableScreenStrings } from '../strings.ts';

// Notices of a table. A notice is shown between the hands, in the middle of the stage. While that area is in use, the
// notice is outside of the stage.

/** Local time in ms when the connection was lost; null while the connection is open. */
const lostAt = signal<number | null>(null);
effect(() => {
  if (connectionState.value === 'open') lostAt.value = null;
  else lostAt.value ??= Date.now();
});

/** Key of the notice that the patron has closed last. */
const closedNotice = signal<string | null>(null);
const noticeKey = computed(() => {
  const notice = tableView.value?.notice ?? null;
  return notice === null ? null : `${notice.round} ${notice.kind} ${notice.by}`;
});
/**
 * True when the notice of the table must be shown: the patron has not closed it, and no other notice shows the patron's
 * own amounts for the round.
 */
const isNoticeNew = computed(() => {
  const notice = tableView.value?.notice ?? null;
  if (notice === null || noticeKey.value === closedNotice.value) return false;
  return notice.kind === 'resumed' || !hasNoticeAboutRound(notice.round, notice.kind);
});

/** True when there is no connection, or when the reply of the server is overdue. */
const isUnreachable = computed(() => connectionState.value !== 'open' || isSlipReplyLate.value);

const isLocked = computed(() => bettingBlockReason.value === 'terminal-locked');

export const hasTableNotice = computed(
  () =>
    isUnreachable.value ||
    isLocked.value ||
    (tableView.value?.stopped ?? null) !== null ||
    visibleRefusal.value !== null ||
    visibleMissedSlip.value !== null ||
    oldestUnreadRoundNotice.value !== null ||
    reconnectMessage.value !== null ||
    isNoticeNew.value,
);
/** True when the round was voided before its first card. */
const hasNoCards = computed(() => stageMode.value === 'void' && tableView.value!.cards.length === 0);
/**
 * True when there is space for a notice between the hands: no cards or totals of the current round are there, and the
 * view is not roads only.
 */
const isAxisFree = computed(() => (isLastRoundShown.value || hasNoCards.value) && viewMode.value !== 'roads');
export const isNoticeBetweenHands = computed(
  () => (hasTableNotice.value || bettingBlockReason.value !== null) && isAxisFree.value,
);
export const isNoticeOffStage = computed(() => hasTableNotice.value && !isAxisFree.value);

const spotName = (wager: string): string =>
  wagerName(wager, tableView.value?.layout.find((spot) => spot.wager === wager)?.name ?? wager);

/** Difference between the stake on the felt and the accepted stake, for each spot where they differ. */
function pendingStakes(): readonly { readonly wager: string; readonly amount: number }[] {
  const [felt, accepted] = [visibleStakes.value, acceptedSlip.value];
  return [...new Set([...Object.keys(felt), ...Object.keys(accepted)])]
    .map((wager) => ({ wager, amount: (felt[wager] ?? 0) - (accepted[wager] ?? 0) }))
    .filter(({ amount }) => amount !== 0);
}

const signed = (amount: number): string => `${amount < 0 ? '−' : ''}${formatMoney(Math.abs(amount))}`;

/** Amount of the stakes that the server has not accepted yet. If they are all on one spot, its name is shown too. */
function PendingAmount() {
  const pending = pendingStakes();
  return (
    <b>
      {pending.length === 1 && <small>{spotName(pending[0]!.wager)}</small>}{' '}
      {signed(uncertainStakeChange.value ?? pending.reduce((sum, { amount }) => sum + amount, 0))}
    </b>
  );
}

function ConnectionLost() {
  const t = tableScreenStrings();
  const seconds = Math.max(0, Math.floor((Date.now() - (lostAt.value ?? Date.now())) / 1000));
  void patronServerTimeMs.value;
  if (connectionState.value === 'outdated') {
    return (
      <NoticeBox icon="link" title={t.outdatedTitle} mark="connection" role="alert" testid="connection">
        {null}
      </NoticeBox>
    );
  }
  const stake = slipTotal(acceptedSlip.value);
  const title =
    connectionState.value === 'open'
      ? t.noAnswerTitle
      : connectionState.value === 'joining'
        ? t.joiningTitle
        : t.connectionLostTitle;
  return (
    <NoticeBox icon="link" title={title} mark="connection" role="alert" testid="connection">
      <ul class="notice-list">
        <li class="is-in">
          <Icon name="check" />
          <span>{stake > 0 ? t.acceptedIn : t.noneIn}</span>
          {stake > 0 && <b>{formatMoney(stake)}</b>}
        </li>
        {wantedSlip.value !== null && (
          <li class="is-out">
            <i class="notice-ask" aria-hidden="true">
              ?
            </i>
            <span>{uncertainStakeChange.value === null ? t.notSent : t.onItsWay}</span>
            <PendingAmount />
          </li>
        )}
      </ul>
      <p class="notice-retry">
        <i />
        {t.retry} <b aria-hidden="true">{`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}</b>
        <span class="notice-credit">{t.creditLast}</span>
      </p>
    </NoticeBox>
  );
}

function Refused() {
  const { code, by } = visibleRefusal.value!;
  return (
    <NoticeBox
      icon="warn"
      title={common().refused}
      mark="refusal"
      role="alert"
      testid="refusal"
      close={() => (visibleRefusal.value = null)}
    >
      <p>
        {patronRefusalText(visibleRefusal.value!)} <code class="clause">{by === null ? code : `${code} · ${by}`}</code>
      </p>
    </NoticeBox>
  );
}

function Missed() {
  const { number, missedBy, isShort } = visibleMissedSlip.value!;
  return (
    <NoticeBox
      icon="warn"
      title={common().notIn}
      mark="missed"
      role="alert"
      testid="missed"
      close={closeMissedSlipNotice}
    >
      <p>
        {isShort ? common().missedShort(number) : common().missed(number)} <code class="clause">{missedBy}</code>
      </p>
    </NoticeBox>
  );
}

/**
 * Notice of a void, corrected or resumed round, with its reason and clause. For a void it also shows the returned
 * stakes.
 */
function RoundNotice() {
  const t = tableScreenStrings();
  const { kind, number, by, reason } = tableView.value!.notice!;
  const title = { void: t.voidTitle, resumed: t.resumedTitle, corrected: t.correctedTitle }[kind](number);
  return (
    <NoticeBox
      icon="warn"
      title={title}
      mark={kind}
      role="status"
      testid="notice"
      close={() => (closedNotice.value = noticeKey.value)}
    >
      <p>
        {kind === 'resumed' ? `${t.resumedText} ` : ''}
        {voidReasonText(reason)} <code class="clause">{by}</code>
      </p>
      {kind === 'void' && stageMode.value === 'void' && roundMoneySums.value !== null && (
        <p class="notice-money">
          <span>{t.stakesBack}</span>
          <b>{formatMoney(roundMoneySums.value.returned)}</b>
        </p>
      )}
    </NoticeBox>
  );
}

/** Frame of a notice after a void, a correction or a lost connection. */
function NoticeFrame({ mark, children }: { mark: string; children: ComponentChildren }) {
  return (
    <div class={`notice notice-${mark}`}>
      <Icon name="warn" />
      {children}
    </div>
  );
}

/** The notice with the highest priority. */
export function TableNotice() {
  if (isUnreachable.value) return <ConnectionLost />;
  if (isLocked.value) return <BettingBlockNotice />;
  if (visibleRefusal.value !== null) return <Refused />;
  if (visibleMissedSlip.value !== null) return <Missed />;
  if (oldestUnreadRoundNotice.value !== null) {
    return (
      <NoticeFrame mark="round">
        <RoundNoticePanel />
      </NoticeFrame>
    );
  }
  // A stopped table is more important than the result of an earlier round. The notice of the stopped table also shows
  // which bets are in force.
  if (tableView.value!.stopped !== null && (reconnectMessage.value?.kind ?? 'playing') === 'playing')
    return <StoppedNotice />;
  if (isNoticeNew.value) return <RoundNotice />;
  if (reconnectMessage.value === null)
    return bettingBlockReason.value === null ? <StoppedNotice /> : <BettingBlockNotice />;
  return (
    <NoticeFrame mark="back">
      <ReconnectNotice />
    </NoticeFrame>
  );
}

/** Notice of a stake that is below a minimum: it shows the amount that is missing. [READING 36] */
export function BelowMinimumNotice() {
  const short = amountToMinimum.value;
  if (short === undefined) return null;
  return (
    <p class="axis-lacking" role="status" data-testid="lacking">
      {common().lacking(short.wager === null ? null : spotName(short.wager), formatMoney(short.amount))}
    </p>
  );
}
