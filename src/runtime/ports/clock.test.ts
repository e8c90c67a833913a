import { expect, test } from 'vitest';
import { ClockFar, type Jump, floorClock, startOf } from './clock.ts';

const start = 1_800_000_000_000;
const hour = 3_600_000;
const day = 24 * hour;

/** A machine whose clocks a test holds. */
function machine(wall = start) {
  const at = { wall, running: 5_000, up: 900_000 };
  return {
    wall: () => at.wall,
    running: () => at.running,
    up: () => at.up,
    /** Goes on as a machine does. */
    pass: (time: number) => {
      at.wall += time;
      at.running += time;
      at.up += time;
    },
    /** Somebody sets its clock. */
    set: (by: number) => (at.wall += by),
    /** Sleeps; its running time stands still meanwhile, or does not. */
    sleep: (time: number, standsStill: boolean) => {
      at.wall += time;
      at.up += time;
      if (!standsStill) at.running += time;
    },
  };
}

function clockOf(sources: ReturnType<typeof machine>, from = start) {
  const jumps: Jump[] = [];
  const now = floorClock(from, sources, (jump) => jumps.push(jump));
  /** Looks at it once a second for so long; gives how far it has gone on. */
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

test('it goes with the time of day, to the millisecond, while nobody sets that', () => {
  const sources = machine();
  const { now, jumps, watch } = clockOf(sources);
  expect(watch(day)).toBe(day);
  expect(now()).toBe(sources.wall());
  expect(jumps).toEqual([]);
});

test('a clock that is set 45 s ahead and put right is told twice, and the time of the floor hardly notices', () => {
  const sources = machine();
  const { jumps, watch } = clockOf(sources);
  watch(5_000);
  sources.set(45_000);
  // 15 s of betting: shorter by less than a hundredth of a second.
  const ahead = watch(15_000);
  expect(ahead).toBeGreaterThanOrEqual(15_000);
  expect(ahead).toBeLessThan(15_010);
  sources.set(-45_000);
  const back = watch(15_000);
  expect(back).toBeLessThanOrEqual(15_000);
  expect(back).toBeGreaterThan(14_990);
  expect(jumps).toEqual([
    { from: start + 5_000, to: start + 50_000 },
    { from: start + 65_000, to: start + 20_000 },
  ]);
});

test('a clock that is set back is waited for: 15 s of betting last 15 s and less than a fifth of a second more', () => {
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

test('a clock that stays ahead is caught up with, by a two thousandth of the time at most', () => {
  const sources = machine();
  const { now, watch } = clockOf(sources);
  sources.set(45_000);
  expect(watch(10 * hour)).toBeLessThanOrEqual(10 * hour + (10 * hour) / 2_000);
  expect(now()).toBeLessThan(sources.wall());
  watch(16 * hour);
  expect(now()).toBe(sources.wall());
});

test('a clock that is set by more than an hour is told of and not followed', () => {
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

test('a clock that is set while the machine sleeps is told by how much', () => {
  const sources = machine();
  const { now, jumps } = clockOf(sources);
  sources.sleep(600_000, true);
  sources.set(-20_000);
  expect(now()).toBeLessThanOrEqual(start + 600_000);
  expect(now()).toBeGreaterThan(start + 590_000);
  expect(jumps).toEqual([{ from: start + 600_000, to: start + 580_000 }]);
});

test('a floor begins at the time of day, and never before its record', () => {
  expect(startOf(start, undefined, false)).toEqual({ at: start });
  expect(startOf(start, start - 300 * day, false)).toEqual({ at: start });
  expect(startOf(start, start + 1_000, false)).toEqual({ at: start + 1_000 });
  const later = start + 600_000;
  expect(startOf(start, later, false)).toEqual({ at: later, jump: { from: later, to: start } });
  const { now, watch } = clockOf(machine(), later);
  expect(now()).toBe(later);
  expect(watch(15_000)).toBeGreaterThan(14_800);
});

test('a clock far from the record asks the operator, who may say that it is right', () => {
  for (const [last, says] of [
    [start + 2 * hour, /behind the record.*go on from the time of the record, which stays ahead by 2 hours/],
    [start + 30 * 365 * day, /behind the record.*ahead by 10950 days/],
    [start - 401 * day, /far ahead of the record.*go on at the time of the clock/],
  ] as const) {
    expect(() => startOf(start, last, false)).toThrow(ClockFar);
    expect(() => startOf(start, last, false)).toThrow(says);
    expect(() => startOf(start, last, false)).toThrow(/Set the clock, or say `--clock accept`/);
    const at = Math.max(start, last);
    expect(startOf(start, last, true)).toEqual({ at, jump: { from: last, to: start } });
  }
});
