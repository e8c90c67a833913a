import { countText } from '../../base/countText.ts';

/** What a machine tells of time, in milliseconds. */
export type Sources = {
  /** The time of day, which somebody may set. */
  readonly wall: () => number;
  /** Time that nobody sets. While the machine sleeps it may stand still. */
  readonly running: () => number;
  /** Time that nobody sets and that goes on while the machine sleeps; asked only when something is odd. */
  readonly up: () => number;
};

/** The clock of the machine was set from one time of day to another. */
export type Jump = { readonly from: number; readonly to: number };

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** What two clocks may differ by in one step without any of them having been set. */
const tolerance = 2 * second;
/** A time of day that is further away is not followed: at this pace it would take months. */
const farthest = hour;
/** Behind the time of day it runs faster by a two thousandth at most, which is what a machine does to its own clocks... */
const faster = 1 / 2_000;
/** ...and ahead of it slower by a hundredth: nobody loses time to bet. */
const slower = 1 / 100;

/**
 * The time of the floor: it goes with the time that nobody sets, never back, and comes near the time of day so slowly that
 * no deadline is moved by it. A sleep of the machine is time that has passed; a clock that was set is told of.
 */
export function floorClock(start: number, sources: Sources, jumped: (jump: Jump) => void): () => number {
  const { wall, running, up } = sources;
  let now = start;
  let last = { wall: wall(), running: running() };
  /** How much longer the machine has been up than it has run; more when it has slept. */
  let apart = up() - last.running;

  const slept = (): number => {
    const since = up() - running() - apart;
    if (since <= tolerance) return 0;
    apart += since;
    return since;
  };
  const slewed = (passed: number): number => {
    const behind = last.wall - (now + passed);
    if (Math.abs(behind) > farthest) return 0;
    return Math.max(-passed * slower, Math.min(behind, passed * faster));
  };

  return () => {
    const seen = { wall: wall(), running: running() };
    let passed = Math.max(0, seen.running - last.running);
    const isOdd = (): boolean => Math.abs(seen.wall - last.wall - passed) > tolerance;
    if (isOdd()) passed += slept();
    const jump = isOdd() ? { from: Math.round(last.wall + passed), to: seen.wall } : undefined;
    last = seen;
    now += passed + slewed(passed);
    if (jump) jumped(jump);
    return Math.floor(now);
  };
}

/** The time of the record and that of the machine are too far apart for either to be believed without a word. */
export class ClockFar extends Error {}

/** The most that a record may be ahead of the time of day, and behind it, before somebody is asked. */
const mostAhead = hour;
const mostBehind = 400 * day;

/**
 * When a floor begins whose record ends at `last`: at the time of day, and never before the record. A time of day that is
 * not where the record would have it is told like a clock that was set.
 */
export function startOf(
  wall: number,
  last: number | undefined,
  isAccepted: boolean,
): { readonly at: number; readonly jump?: Jump } {
  if (last === undefined) return { at: wall };
  const far =
    last - wall > mostAhead ? 'behind the record' : wall - last > mostBehind ? 'far ahead of the record' : undefined;
  if (far !== undefined && !isAccepted) {
    throw new ClockFar(
      `The clock of this machine says ${timeOf(wall)}, and the record ends at ${timeOf(last)}: it is ${far}. ` +
        `Set the clock, or say \`--clock accept\` to ${consequence(wall, last)}.`,
    );
  }
  const isSet = far !== undefined || last - wall > tolerance;
  return { at: Math.max(wall, last), ...(isSet && { jump: { from: last, to: wall } }) };
}

const consequence = (wall: number, last: number): string =>
  last > wall
    ? `go on from the time of the record, which stays ahead by ${daysOf(last - wall)} until the clock has caught up`
    : 'go on at the time of the clock';

const daysOf = (time: number): string =>
  time < 2 * day ? countText(Math.round(time / hour), 'hour') : countText(Math.round(time / day), 'day');

export const timeOf = (at: number): string => new Date(at).toISOString();
