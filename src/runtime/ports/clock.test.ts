import { expect, test } from 'vitest';
import { ClockTooFarError, type ClockJump, createFloorClock, chooseFloorStartTime } from './clock.ts';

const start = 1_800_000_000_000;
const hour = 3_600_000;
const day = 24 * hour;

/** A machine whose clocks the test moves. */
function machine(wall = start) {
  const at = { wall, running: 5_000, up: 900_000 };
  return {
    wall: () => at.wall,
    monotonic: () => at.running,
    uptime: () => at.up,
    /** Lets time pass on all clocks of the machine. */
    pass: (time: number) => {
      at.wall += time;
      at.running += time;
      at.up += time;
    },
    /** Moves the time of day by this many milliseconds. */
    set: (by: number) => (at.wall += by),
    /** Lets the machine sleep for a time. With `isStopped` its monotonic clock stops during the sleep. */
    sleep: (time: number, isStopped: boolean) => {
      at.wall += time;
      at.up += time;
      if (!isStopped) at.running += time;
    },
  };
}

function clockOf(sources: ReturnType<typeof machine>, from = start) {
  const jumps: ClockJump[] = [];
  const now = createFloorClock(from, sources, (jump) => jumps.push(jump));
  /** Lets a time pass, with one reading per second; returns by how much the floor clock has advanced. */
  const watch = (time: number): number => {
    const before = now();
    for (let left = time; left > 0; left -= 1_000) {
      const last = now();
      sources.pass(Math.min(1_000, left));
      expect(now()).toBeGreaterThanOrEqual(last);
    }
    return now() - before;
  };
  return { now, jumps, watch };
}

test('floor clock follows the time of day to the millisecond when the clock is not set', () => {
  const sources = machine();
  const { now, jumps, watch } = clockOf(sources);
  expect(watch(day)).toBe(day);
  expect(now()).toBe(sources.wall());
  expect(jumps).toEqual([]);
});

test('floor clock reports two jumps and hardly moves when the clock is set 45 s ahead and back', () => {
  const sources = machine();
  const { jumps, watch } = clockOf(sources);
  watch(5_000);
  sources.set(45_000);
  // A betting time of 15 s becomes shorter by less than a hundredth of a second.
  const offsetMs = watch(15_000);
  expect(offsetMs).toBeGreaterThanOrEqual(15_000);
  expect(offsetMs).toBeLessThan(15_010);
  sources.set(-45_000);
  const back = watch(15_000);
  expect(back).toBeLessThanOrEqual(15_000);
  expect(back).toBeGreaterThan(14_990);
  expect(jumps).toEqual([
    { from: start + 5_000, to: start + 50_000 },
    { from: start + 65_000, to: start + 20_000 },
  ]);
});

test('floor clock slows down when the clock is set back: 15 s of betting last less than 0.2 s longer', () => {
  const sources = machine();
  const { now, jumps, watch } = clockOf(sources);
  sources.set(-45_000);
  const floor = watch(15_000);
  expect(floor).toBeLessThanOrEqual(15_000);
  expect(floor).toBeGreaterThan(14_800);
  watch(2 * hour);
  expect(now()).toBe(sources.wall());
  expect(jumps).toEqual([{ from: start, to: start - 45_000 }]);
});

test('floor clock catches up by 1/2000 at most when the clock stays ahead', () => {
  const sources = machine();
  const { now, watch } = clockOf(sources);
  sources.set(45_000);
  expect(watch(10 * hour)).toBeLessThanOrEqual(10 * hour + (10 * hour) / 2_000);
  expect(now()).toBeLessThan(sources.wall());
  watch(16 * hour);
  expect(now()).toBe(sources.wall());
});

test('floor clock reports and does not follow a clock that is set by more than an hour', () => {
  for (const by of [day, -day, 30 * 365 * day]) {
    const sources = machine();
    const { jumps, watch } = clockOf(sources);
    sources.set(by);
    expect(watch(hour)).toBe(hour);
    expect(jumps).toEqual([{ from: start, to: start + by }]);
  }
});

test.each([true, false])(
  'a sleep of the machine is time that has passed, and no jump (running time stands still: %s)',
  (still) => {
    const sources = machine();
    const { now, jumps, watch } = clockOf(sources);
    watch(5_000);
    sources.sleep(600_000, still);
    expect(now()).toBe(start + 605_000);
    watch(5_000);
    sources.sleep(30_000, still);
    expect(now()).toBe(start + 640_000);
    expect(jumps).toEqual([]);
  },
);

test('floor clock reports the size of the jump when the clock is set during sleep', () => {
  const sources = machine();
  const { now, jumps } = clockOf(sources);
  sources.sleep(600_000, true);
  sources.set(-20_000);
  expect(now()).toBeLessThanOrEqual(start + 600_000);
  expect(now()).toBeGreaterThan(start + 590_000);
  expect(jumps).toEqual([{ from: start + 600_000, to: start + 580_000 }]);
});

test('floor starts at the time of day, and never before its event log', () => {
  expect(chooseFloorStartTime(start, undefined, false)).toEqual({ at: start });
  expect(chooseFloorStartTime(start, start - 300 * day, false)).toEqual({ at: start });
  expect(chooseFloorStartTime(start, start + 1_000, false)).toEqual({ at: start + 1_000 });
  const later = start + 600_000;
  expect(chooseFloorStartTime(start, later, false)).toEqual({ at: later, jump: { from: later, to: start } });
  const { now, watch } = clockOf(machine(), later);
  expect(now()).toBe(later);
  expect(watch(15_000)).toBeGreaterThan(14_800);
});

test('start is refused when the clock is far from the event log, unless the operator accepts it', () => {
  for (const [last, message] of [
    [start + 2 * hour, /behind the event log.*continue from the time of the event log, which stays ahead by 2 hours/],
    [start + 30 * 365 * day, /behind the event log.*ahead by 10950 days/],
    [start - 401 * day, /far ahead of the event log.*continue at the time of the clock/],
  ] as const) {
    expect(() => chooseFloorStartTime(start, last, false)).toThrow(ClockTooFarError);
    expect(() => chooseFloorStartTime(start, last, false)).toThrow(message);
    expect(() => chooseFloorStartTime(start, last, false)).toThrow(/Set the clock, or use `--clock accept`/);
    const at = Math.max(start, last);
    expect(chooseFloorStartTime(start, last, true)).toEqual({ at, jump: { from: last, to: start } });
  }
});
