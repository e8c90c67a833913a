import { effect, signal } from '@preact/signals';
import { formatMoney } from '../../../../base/formatMoney.ts';
import { language } from '../../../shared/text/language.ts';
import { tableView } from '../../app/state.ts';
import { patronStrings as common } from '../../app/strings.ts';
import { currentBanner } from './banner.ts';
import { type CountdownMark, passedCountdownMark } from './countdownMarks.ts';
import { secondsToClose } from '../viewSignals.ts';
import { roundMoneySums, stageMode } from '../scene.ts';
import { tableScreenStrings } from '../strings.ts';

// Live regions for screen readers.

/** The last countdown mark that was passed; null again when bets open. */
const lastMark = signal<CountdownMark | null>(null);
let before: number | null = null;
effect(() => {
  const left = secondsToClose.value;
  if (before === null && left !== null) lastMark.value = null;
  const mark = left === before ? undefined : passedCountdownMark(before, left);
  if (mark !== undefined) lastMark.value = mark;
  before = left;
});

/**
 * Announces the time left at 10, 5 and 0 seconds, once each. A screen reader does not read a live region again while
 * its text is the same.
 */
function TimeLeft() {
  const mark = lastMark.value;
  return (
    <p class="spoken" role="status" aria-live="polite" data-testid="time-left">
      {mark === null ? '' : tableScreenStrings().timeLeft(mark)}
    </p>
  );
}

/** The net result of the round, as text; empty if the terminal had no stake in the round. */
function netText(): string {
  const t = tableScreenStrings();
  const sum = roundMoneySums.value;
  if (sum === null) return '';
  return sum.net > 0
    ? ` ${t.youWon} ${formatMoney(sum.net)}.`
    : ` ${t.returnedOf(formatMoney(sum.returned), formatMoney(sum.staked))}.`;
}

function resultText(): string {
  const round = stageMode.value === 'result' ? (tableView.value?.round ?? null) : null;
  if (round === null || round.winner === null) return '';
  const { player, banker } = common();
  return ` ${tableScreenStrings().wins[round.winner]}. ${player} ${round.player.total}, ${banker} ${round.banker.total}.${netText()}`;
}

/** Announces the phase of the table, the winner, the patron's net result and the last seconds of open bets. */
export function ScreenReaderAnnouncements() {
  const callText = language.value === 'zh' ? currentBanner.value.zh : currentBanner.value.en;
  return (
    <>
      <p class="spoken" role="status" aria-live="polite">
        {callText}.{resultText()}
      </p>
      <TimeLeft />
    </>
  );
}
