import { formatMoney } from '../../../../base/formatMoney.ts';
import { timeWithDayUnlessToday } from '../../sessionLimits/timeText.ts';
import { bettingBlockStrings } from './bettingBlockStrings.ts';
import { bettingBlockReason } from '../../app/slipSignals.ts';
import { patronServerTimeMs, terminalMoneyState } from '../../app/state.ts';
import { NoticeBox } from './noticeBox.tsx';

/**
 * Notice that says why this terminal takes no bets: it is locked until staff pay the amount owed, or its patron is on a
 * break.
 */
export function BettingBlockNotice() {
  const t = bettingBlockStrings();
  const { owed = 0, limits } = terminalMoneyState.value ?? {};
  if (bettingBlockReason.value === 'terminal-locked') {
    return (
      <NoticeBox icon="warn" title={t.lockedTitle} mark="locked" role="alert" testid="locked">
        <p>{owed > 0 ? t.owedText : t.lockedText}</p>
        {owed > 0 && (
          <p class="notice-money">
            <span>{t.owed}</span>
            <b>{formatMoney(owed)}</b>
          </p>
        )}
      </NoticeBox>
    );
  }
  return (
    <NoticeBox
      icon="hand"
      title={t.breakTitle(
        timeWithDayUnlessToday(limits?.pausedUntil ?? patronServerTimeMs.value, patronServerTimeMs.value),
      )}
      mark="break"
      role="status"
      testid="break"
    >
      <p>{t.breakText}</p>
    </NoticeBox>
  );
}
