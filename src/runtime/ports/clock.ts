import { countText } from '../../base/countText.ts';

/** Clocks of the machine, in milliseconds. */
export type ClockSources = {
  /** Time of day; an operator or NTP may set it. */
  readonly wall: () => number;
  /** Monotonic clock. It may stop while the machine sleeps. */
  readonly monotonic: () => number;
  /** Monotonic clock that counts sleep; read only when the other two disagree. */
  readonly uptime: () => number;
};

/** The time of day was set by hand or by NTP. */
export type ClockJump = { readonly from: number; readonly to: number };

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** Difference of two clocks in one step that is not a jump. */
const toleranceMs = 2 * second;
/** Beyond this difference the clock is not slewed: at this rate it would take months. */
const maxSlewMs = hour;
/** Behind the time of day the floor clock runs faster by 1/2000 at most, as operating systems slew. */
const maxSpeedUp = 1 / 2_000;
/** Ahead of the time of day it runs slower by 1/100 at most, so that patrons never lose betting time. */
const maxSlowDown = 1 / 100;

/**
 * Floor clock: monotonic, never goes back, and is slewed towards the time of day so slowly that no deadline moves.
 * Sleep of the machine counts as time passed; a clock that was set is reported to `onJump`.
 */
export function floorClock(start: number, sources: ClockSources, onJump: (jump: ClockJump) => void): () => number {
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

/** The machine clock and the event log are too far apart; an operator decides which one is right. */
export class ClockFar extends Error {}

/** How far the event log may be ahead of the time of day, or behind it, before the start is refused. */
const maxForwardMs = hour;
const maxBehindMs = 400 * day;

/**
 * Start time of a floor whose event log ends at `last`: the time of day, but never before the log. A difference is
 * reported like a clock that was set.
 */
export function startTime(
  wall: number,
  last: number | undefined,
  isAccepted: boolean,
): { readonly at: number; readonly jump?: ClockJump } {
  if (last === undefined) return { at: wall };
  const far =
    last - wall > maxForwardMs
      ? 'behind the record'
      : wall - last > maxBehindMs
        ? 'far ahead of the record'
        : undefined;
  if (far !== undefined && !isAccepted) {
    throw new ClockFar(
      `The clock of this machine says ${isoTime(wall)}, and the record ends at ${isoTime(last)}: it is ${far}. ` +
        `Set the clock, or say \`--clock accept\` to ${consequence(wall, last)}.`,
    );
  }
  const isSet = far !== undefined || last - wall > toleranceMs;
  return { at: Math.max(wall, last), ...(isSet && { jump: { from: last, to: wall } }) };
}

const consequence = (wall: number, last: number): string =>
  last > wall
    ? `go on from the time of the record, which stays ahead by ${durationText(last - wall)} until the clock has caught up`
    : 'go on at the time of the clock';

const durationText = (time: number): string =>
  time < 2 * day ? countText(Math.round(time / hour), 'hour') : countText(Math.round(time / day), 'day');

export const isoTime = (at: number): string => new Date(at).toISOString();
