import { computed, effect, signal, untracked } from '@preact/signals';
import { formatMoney } from '../../../base/formatMoney.ts';
import { Icon } from '../../shared/widgets/icons.tsx';
import {
  type RoundAfterReconnect,
  type SavedReconnectState,
  reconnectStateAfterSlipChange,
  reconnectStateAfterRecall,
  roundWithStakesLeftBehind,
  noReconnectState,
  withoutReconnectMessage,
} from './reconnectState.ts';
import { noticeStrings } from './strings.ts';
import { createBrowserJsonStore } from '../app/browserStorage.ts';
import { recentRounds } from './recentRounds.ts';
import { visibleMissedSlip, slipState, slipTotal } from '../app/slipSignals.ts';
import { terminalViewSignal, tableView } from '../app/state.ts';
import { hasNoticeAboutRound } from './roundNotice.tsx';

const storage = createBrowserJsonStore(() => sessionStorage, 'punto.back', noReconnectState);
/** A reload counts as a lost connection: `isAway` is true until the page has received the view of its table. */
const saved = signal({ ...storage.read(), isAway: true });

function save(next: SavedReconnectState): void {
  if (next === saved.value) return;
  saved.value = next;
  storage.write(next);
}

effect(() => {
  const state = slipState.value;
  untracked(() => {
    const sight = tableView.value &&
      terminalViewSignal.value && { view: tableView.value, own: terminalViewSignal.value };
    save(reconnectStateAfterSlipChange(saved.value, state, sight));
  });
});

effect(() => {
  const [rounds, now] = [recentRounds.value, saved.value];
  if (rounds !== null) untracked(() => save(reconnectStateAfterRecall(now, rounds)));
});

function textOf(message: RoundAfterReconnect): string {
  const t = noticeStrings();
  switch (message.kind) {
    case 'out':
      return t.out(message.number);
    case 'playing':
      return t.playing(message.number, formatMoney(message.stake));
    case 'settled': {
      const result = message.winner === null ? '' : t.results[message.winner];
      return t.settled(message.number, result, formatMoney(message.stake), formatMoney(message.returned));
    }
    case 'void':
      return t.voided(message.number, formatMoney(message.returned));
    case 'over':
      return t.over(message.number);
    case 'unsure':
      return t.unsure(message.number);
  }
}

/** True when the notice of a missed slip already reports the round of the reconnect message. */
const isReportedAsMissed = ({ message }: SavedReconnectState): boolean =>
  message?.kind === 'out' && visibleMissedSlip.value?.number === message.number;

/** The reconnect message to show now; null if the notice of a missed slip or of a void already reports its round. */
export const reconnectMessage = computed(() => {
  const { message } = saved.value;
  if (message === null || isReportedAsMissed(saved.value)) return null;
  return message.kind === 'void' && hasNoticeAboutRound(message.round, 'void') ? null : message;
});

/** Closes the notice of a missed slip, and the reconnect message about the same round. */
export function closeMissedSlipNotice(): void {
  if (isReportedAsMissed(saved.value)) save(withoutReconnectMessage(saved.value));
  visibleMissedSlip.value = null;
}

/**
 * Notice after a lost connection. It says whether the patron's bets are in the round, and stays until the patron closes
 * it.
 */
export function ReconnectNotice() {
  const message = reconnectMessage.value;
  if (message === null) return null;
  return (
    <div class="refusal" role="status" data-testid="back">
      <p>
        {textOf(message)} <code>{message.by}</code>
      </p>
      <button type="button" onClick={() => save(withoutReconnectMessage(saved.value))}>
        {noticeStrings().close}
      </button>
    </div>
  );
}

/**
 * Notice about a table that the patron left while disconnected. It shows the accepted stakes. Of the other stakes it
 * says that they were not sent, or that the server may have accepted them.
 */
export function StakesLeftBehindNotice() {
  const t = noticeStrings();
  const left = roundWithStakesLeftBehind(saved.value, slipState.value);
  if (left === null) return null;
  const stake = slipTotal(left.accepted);
  const { table, number, hasUnaccepted, doubtfulChange } = left;
  return (
    <ul class="notice-list" data-testid="left">
      {stake > 0 && (
        <li class="is-in">
          <Icon name="check" />
          <span>{t.leftIn(table, number)}</span> <b>{formatMoney(stake)}</b>
        </li>
      )}
      {hasUnaccepted && (
        <li class="is-out">
          <Icon name="warn" />
          <span>{doubtfulChange === null ? t.leftUnsent(table, number) : t.leftDoubtful(table, number)}</span>{' '}
          {doubtfulChange !== null && (
            <b>{`${doubtfulChange < 0 ? '−' : ''}${formatMoney(Math.abs(doubtfulChange))}`}</b>
          )}
        </li>
      )}
    </ul>
  );
}
