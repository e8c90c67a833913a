import { computed, effect, signal, untracked } from '@preact/signals';
import { formatMoney } from '../../../base/formatMoney.ts';
import { voidReasonText } from '../../shared/text/gameNames.ts';
import { noticeStrings } from './strings.ts';
import { createBrowserJsonStore } from '../app/browserStorage.ts';
import { recentRounds } from './recentRounds.ts';
import { terminalViewSignal, terminalMoneyState, tableView } from '../app/state.ts';
import {
  type RoundNoticeState,
  type RoundNotice,
  acknowledgeNotice,
  noRoundNotices,
  noticesAfterView,
  dropNoticesOfOtherSessions,
  noticesAfterRecall,
} from './roundNoticeState.ts';

const storage = createBrowserJsonStore<RoundNoticeState>(() => localStorage, 'punto.roundNotices', noRoundNotices);
const roundNotices = signal(storage.read());

function save(next: RoundNoticeState): void {
  if (next === roundNotices.value) return;
  roundNotices.value = next;
  storage.write(next);
}

effect(() => {
  const { terminal, session = null } = terminalMoneyState.value ?? {};
  if (session === null) return;
  untracked(() => save(dropNoticesOfOtherSessions(roundNotices.value, `${terminal}.${session.number}`)));
});

effect(() => {
  const [table, own] = [tableView.value, terminalViewSignal.value];
  if (table === null || own === null) return;
  untracked(() => save(noticesAfterView(roundNotices.value, table, own)));
});

effect(() => {
  const rounds = recentRounds.value;
  if (rounds !== null) untracked(() => save(noticesAfterRecall(roundNotices.value, rounds)));
});

/** An amount by which the credit changed, with its sign: +4.75 or −5.00. */
const signed = (cents: number): string => `${cents < 0 ? '−' : '+'}${formatMoney(Math.abs(cents))}`;

/** The oldest notice that the patron has not acknowledged; null if there is none. */
export const oldestUnreadRoundNotice = computed<RoundNotice | null>(() => roundNotices.value.waiting[0] ?? null);

function hasNoticeOfKind(round: string, kind: RoundNotice['kind']): boolean {
  const { waiting, done } = roundNotices.value;
  const start = `${round}/${kind}/`;
  return [...done, ...waiting.map(({ key }) => key)].some((key) => key.startsWith(start));
}

/**
 * True when this browser has a notice with amounts about this round, acknowledged or not. A void of single bets counts
 * as a void.
 */
export const hasNoticeAboutRound = (round: string, kind: 'void' | 'corrected'): boolean =>
  hasNoticeOfKind(round, kind) || (kind === 'void' && hasNoticeOfKind(round, 'part'));

/** Notice of a void or a correction, with its reason, clause and amounts. It stays until the patron acknowledges it. */
export function RoundNoticePanel() {
  const notice = oldestUnreadRoundNotice.value;
  if (notice === null) return null;
  const t = noticeStrings();
  const { key, kind, table, number, stake, returned, was, reason, by } = notice;
  return (
    <div class="refusal" role="status" data-testid="round-notice">
      <div class="notice-body">
        <h2>
          {table !== tableView.value?.table && t.noticeAt(table)} {t.noticeTitle[kind](number)}
        </h2>
        <p>
          {voidReasonText(reason)} {was !== null && t.noticeWas(formatMoney(was), signed(returned - was))}{' '}
          {by !== '' && <code class="clause">{by}</code>}
        </p>
        <p class="notice-money">
          <span>{t.noticeMoney[kind](formatMoney(stake))}</span> <b>{formatMoney(returned)}</b>
        </p>
      </div>
      <button type="button" onClick={() => save(acknowledgeNotice(roundNotices.value, key))}>
        {t.acknowledge}
      </button>
    </div>
  );
}
