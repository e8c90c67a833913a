import { sharedStrings } from '../text/strings.ts';

const lastSeconds = 5;

type Time = {
  /** Milliseconds until bets close. */
  left: number;
  /** The whole betting time in milliseconds. */
  total: number;
  /** CSS class of the size: ring-big, ring-small or ring-display. */
  size?: string;
};

/** Countdown of the betting time as a ring and a number. The colour changes for the last five seconds. */
export function CountdownRing({ left, total, size = '' }: Time) {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const isLast = seconds <= lastSeconds;
  return (
    <span
      class={`ring${isLast ? ' is-last' : ''}${seconds > 99 ? ' is-long' : ''}${size === '' ? '' : ` ${size}`}`}
      role="timer"
      aria-label={`${seconds} ${sharedStrings().seconds}`}
      style={{ '--left': seconds, '--of': Math.max(1, Math.ceil(total / 1000)) }}
    >
      <span class="ring-half">
        <i class="ring-time" />
      </span>
      <span class="ring-half is-left">
        <i class="ring-time" />
      </span>
      <span key={isLast ? seconds : `${seconds}`.length} class="ring-number">
        {seconds}
      </span>
    </span>
  );
}
