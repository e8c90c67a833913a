import { computed } from '@preact/signals';
import { preloadChineseFont } from '../../../shared/text/language.ts';
import { formatHourMinute } from '../../sessionLimits/timeText.ts';
import { bettingBlockReason } from '../../app/slipSignals.ts';
import { isBettingOpen, connectionState, patronServerTimeMs, terminalMoneyState, tableView } from '../../app/state.ts';
import { stageMode } from '../scene.ts';

// The banner announces the phase of the table, in the words of the rulebooks. [ETG 3.1, ETG 3.2, ETG layout-3]

/**
 * Text and lamp of the banner. The lamp is round for open bets (`open`), square for closed bets (`shut`), and blinks
 * for a warning (`warn`).
 */
export type Banner = { readonly en: string; readonly zh: string; readonly lamp: 'open' | 'shut' | 'warn' };

const calls = {
  open: { en: 'Place your bets, please', zh: '请下注', lamp: 'open' },
  closed: { en: 'No more bets', zh: '停止下注', lamp: 'shut' },
  paying: { en: 'Paying', zh: '派彩中', lamp: 'shut' },
  over: { en: 'Next round soon', zh: '下一局即将开始', lamp: 'shut' },
  newShoe: { en: 'A new shoe is being prepared', zh: '正在准备新牌靴', lamp: 'shut' },
  dealer: { en: 'The table waits for its dealer', zh: '本台等待荷官', lamp: 'shut' },
  awaitingRuling: { en: 'The table waits for the supervisor', zh: '本台等待主管处理', lamp: 'warn' },
  referred: { en: 'The table waits for the shift manager', zh: '本台等待值班经理裁定', lamp: 'warn' },
  shut: { en: 'Table closed', zh: '本台已关闭', lamp: 'shut' },
  void: { en: 'Round void', zh: '本局作废', lamp: 'shut' },
  stopped: { en: 'The table has stopped; call the supervisor.', zh: '本台已停止，请联系主管。', lamp: 'warn' },
  cannotRecord: { en: 'No bets just now', zh: '暂不接受投注', lamp: 'warn' },
  locked: { en: 'Terminal locked', zh: '终端已锁定', lamp: 'warn' },
  lost: { en: 'Link lost', zh: '连接已断开', lamp: 'warn' },
} as const satisfies { readonly [name: string]: Banner };

// These banner texts appear in the middle of a round, so their font is preloaded.
preloadChineseFont([calls.open, calls.closed, calls.paying, calls.over, calls.void, calls.lost].map(({ zh }) => zh));

/** Banner of a terminal that may not bet although the table's bets are open. */
function idleCall(): Banner {
  if (bettingBlockReason.value === 'terminal-locked') return calls.locked;
  // The banner shows only the time at which the break ends; the notice below it also shows the day.
  const time = formatHourMinute(terminalMoneyState.value?.limits.pausedUntil ?? patronServerTimeMs.value);
  return { en: `Break until ${time}`, zh: `休息至 ${time}`, lamp: 'shut' };
}

/** Banner of a stopped table. If staff must act before play continues, the banner names their role. */
function stoppedCall(kind: string): Banner {
  if (kind === 'cannot-record') return calls.cannotRecord;
  if (kind === 'broken' || !tableView.value!.attended) return calls.stopped;
  return kind === 'referred' ? calls.referred : calls.awaitingRuling;
}

/** The current banner. Without a connection or a view of the table, its text is "Link lost". */
export const currentBanner = computed<Banner>(() => {
  if (tableView.value === null) return calls.lost;
  const { phase, stopped, shoe, attended } = tableView.value;
  // Without a connection the state of the table is unknown.
  if (connectionState.value !== 'open') return calls.lost;
  if (stopped) return stoppedCall(stopped.kind);
  if (isBettingOpen.value) return bettingBlockReason.value === null ? calls.open : idleCall();
  if (stageMode.value === 'void') return calls.void;
  if (phase === 'betting' || phase === 'closing' || phase === 'dealing' || phase === 'result') return calls.closed;
  if (phase === 'paying') return calls.paying;
  if (phase === 'closed') return calls.shut;
  if (attended && shoe === null) return calls.dealer;
  return shoe?.ready && shoe.roundsLeft !== 0 ? calls.over : calls.newShoe;
});
