import { countText } from '../../base/countText.ts';

/** The three clocks of the machine; each function returns milliseconds. */
export type ClockSources = {
  /** Time of day; an operator or NTP may set it. */
  readonly wall: () => number;
  /** Monotonic clock, which may stop while the machine sleeps. */
  readonly monotonic: () => number;
  /**
   * Monotonic clock that also counts the time asleep. It is read at the start, and when `wall` and `monotonic`
   * disagree.
   */
  readonly uptime: () => number;
};

/**
 * A change of the machine's time of day, by hand or by NTP. `from` is the time that was expected, `to` the time that
 * the clock shows. Both are in milliseconds since 1970.
 */
export type ClockJump = { readonly from: number; readonly to: number };

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/**
 * The clocks `wall` and `monotonic` may drift apart by this much between two readings, in milliseconds. A greater
 * drift is a sleep or a clock jump.
 */
const toleranceMs = 2 * second;
/**
 * Maximum difference between floor clock and time of day, in milliseconds, at which the floor clock is slewed. Slewing
 * a greater difference could take months.
 */
const maxSlewMs = hour;
/** A floor clock that is behind the time of day runs at most 1/2000 faster, as operating systems slew. */
const maxSpeedUp = 1 / 2_000;
/**
 * A floor clock that is ahead of the time of day runs at most 1/100 slower. A slower clock only lengthens betting
 * times, so this limit is wider.
 */
const maxSlowDown = 1 / 100;

/**
 * Creates the floor clock. This clock never goes back, and is slewed towards the time of day so slowly that no deadline
 * moves noticeably. Time in which the machine slept counts as passed. `onJump` gets each change of the time of day.
 */
export function createFloorClock(
  start: number,
  sources: ClockSources,
  onJump: (jump: ClockJump) => void,
): () => number {
  const { wall, monotonic, uptime } = sources;
  let now = start;
  let last = { wall: wall(), running: monotonic() };
  /** Uptime minus monotonic time; it grows by the length of each sleep. */
  let sleptBeforeMs = uptime() - last.running;

  const takeSleptMs = (): number => {
    const since = uptime() - monotonic() - sleptBeforeMs;
    if (since <= toleranceMs) return 0;
    sleptBeforeMs += since;
    return since;
  };
  const slewMs = (passedMs: number): number => {
    const behind = last.wall - (now + passedMs);
    if (Math.abs(behind) > maxSlewMs) return 0;
    return Math.max(-passedMs * maxSlowDown, Math.min(behind, passedMs * maxSpeedUp));
  };

  return () => {
    const reading = { wall: wall(), running: monotonic() };
    let passedMs = Math.max(0, reading.running - last.running);
    const isApart = (): boolean => Math.abs(reading.wall - last.wall - passedMs) > toleranceMs;
    if (isApart()) passedMs += takeSleptMs();
    const jump = isApart() ? { from: Math.round(last.wall + passedMs), to: reading.wall } : undefined;
    last = reading;
    now += passedMs + slewMs(passedMs);
    if (jump) onJump(jump);
    return Math.floor(now);
  };
}

/** Error: the machine clock and the last entry of the event log are too far apart; an operator must decide. */
export class ClockTooFarError extends Error {}

/** Maximum time by which the event log may be ahead of the time of day at a start, in milliseconds. */
const maxForwardMs = hour;
/** Maximum time by which the event log may be behind the time of day at a start, in milliseconds. */
const maxBehindMs = 400 * day;

/**
 * Start time of a floor whose event log ends at `last`: the time of day, but never before the end of the event log.
 * Throws `ClockTooFarError` if these two times are too far apart, unless `isAccepted`. `jump` is set if the event log
 * is noticeably ahead of the time of day, or if an operator accepted the difference.
 */
export function chooseFloorStartTime(
  wall: number,
  last: number | undefined,
  isAccepted: boolean,
): { readonly at: number; readonly jump?: ClockJump } {
  if (last === undefined) return { at: wall };
  const far =
    last - wall > maxForwardMs
      ? 'behind the event log'
      : wall - last > maxBehindMs
        ? 'far ahead of the event log'
        : undefined;
  if (far !== undefined && !isAccepted) {
    throw new ClockTooFarError(
      `The clock of this machine shows ${isoTime(wall)}, and the event log ends at ${isoTime(last)}: ` +
        `the clock is ${far}. ` +
        `Set the clock, or use \`--clock accept\` to ${consequence(wall, last)}.`,
    );
  }
  const isSet = far !== undefined || last - wall > toleranceMs;
  return { at: Math.max(wall, last), ...(isSet && { jump: { from: last, to: wall } }) };
}

const consequence = (wall: number, last: number): string =>
  last > wall
    ? `continue from the time of the event log, which stays ahead by ${durationText(last - wall)} ` +
      'until the clock has caught up'
    : 'continue at the time of the clock';

const durationText = (time: number): string =>
  time < 2 * day ? countText(Math.round(time / hour), 'hour') : countText(Math.round(time / day), 'day');

export const isoTime = (at: number): string => new Date(at).toISOString();
