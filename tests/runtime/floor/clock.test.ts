import { expect, test } from 'vitest';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { TestClock } from '../../chaos/time.ts';
import { seed } from '../../seed.ts';
import { reportToSoak, times } from '../../times.ts';
import { demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { type ClockJump, createFloorClock } from '../../../src/runtime/ports/clock.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { start, testDependencies } from '../support/testDependencies.ts';

/** A table on a machine whose clock can be set, and which can sleep. */
async function openTable(name: string) {
  const time = new TestClock(start);
  const off = { wall: 0, running: 0 };
  const jumps: ClockJump[] = [];
  const sources = { wall: () => time.now + off.wall, monotonic: () => time.now + off.running, uptime: () => time.now };
  const setup = testDependencies(createMemoryStore(), name, time);
  const dependencies = { ...setup.dependencies, clock: createFloorClock(start, sources, (jump) => jumps.push(jump)) };
  const floor = await openFloor(demoOwner, demoSettings.slice(0, 1), demoPace, dependencies);
  const table = floor.tables.get('baccarat')!;
  const phase = async (expected: string): Promise<void> => {
    while (table.processor.state?.phase !== expected) await time.step();
  };
  /** Duration of the current phase by a clock that is never set. */
  const lasts = async (): Promise<number> => {
    const [{ phase: present }, from] = [table.table, time.now];
    while (table.table.phase === present) await time.step();
    return time.now - from;
  };
  const set = (by: number): void => void (off.wall += by);
  const types = (): readonly string[] => setup.published.map(({ event }) => event.type);
  return { ...setup, table, off, jumps, phase, lasts, set, types };
}

/** Betting, the grace after it, at most six cards, and the pause with the result. */
const phases = { betting: 15_000, closing: 500, result: 2_000 } as const;

test.each([45_000, -45_000, 86_400_000, -86_400_000])(
  'clock that is set by %i ms and corrected voids no round, and changes no phase by a noticeable time',
  async (by) => {
    const { phase, lasts, set, types, jumps, published } = await openTable(`${by}`);
    for (const [name, due] of Object.entries(phases)) {
      for (const change of [by, -by]) {
        await phase(name);
        set(change);
        const lasted = await lasts();
        expect(lasted).toBeGreaterThanOrEqual(due - 10);
        expect(lasted).toBeLessThan(due * 1.02 + 10);
      }
    }
    expect(types()).not.toContain('RoundVoided');
    expect(types()).not.toContain('Interrupted');
    expect(jumps).toHaveLength(2 * Object.keys(phases).length);
    const moments = published.map(({ at }) => at);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
  },
);

test('[READING 12] sleep of the machine interrupts its rounds, whether or not its clocks stop', async () => {
  for (const doClocksStop of [true, false]) {
    const { phase, time, off, jumps, types } = await openTable('asleep');
    await phase('betting');
    time.now += 60_000;
    if (doClocksStop) off.running -= 60_000;
    const voided = (): boolean => types().includes('RoundVoided');
    while (!voided() && !types().includes('CardDealt')) await time.step();
    expect([voided(), jumps]).toEqual([true, []]);
  }
});

const hours = times(1);

test(`clock that is set at any moment on a machine that sometimes sleeps, for ${hours} hours: phases keep their duration, only sleep voids a round, and no event time decreases`, async () => {
  const counts = { sets: 0, sleeps: 0, rounds: 0, voids: 0 };
  for (let hour = 0; hour < hours; hour++) {
    const chance = createSeededRandom(`${seed}/${hour}`);
    const { dependencies, table, time, off, set, types, jumps, published, phase, warnings } = await openTable(
      `${seed}-${hour}`,
    );
    await phase('betting');
    let end = time.now + 3_600_000;
    let [sets, sum, sleeps] = [0, 0, 0];
    let current = { name: 'betting', since: time.now, isWhole: false };
    while (time.now < end) {
      if (chance.below(20) === 0) {
        const by = (chance.below(2) === 0 ? 1 : -1) * (5_000 + chance.below(10 ** (4 + chance.below(6))));
        set(by);
        sets += 1;
        sum += by;
      }
      if (chance.below(500) === 0) {
        const span = 60_000 + chance.below(600_000);
        time.now += span;
        end += span;
        if (chance.below(2) === 0) off.running -= span;
        sleeps += 1;
        current.isWhole = false;
      }
      await time.step();
      const name = table.table.phase;
      if (name === current.name) continue;
      const [due, lasted] = [phases[current.name as keyof typeof phases], time.now - current.since];
      if (current.isWhole && due !== undefined)
        expect([lasted, current.name]).toSatisfy(() => lasted >= due - 10 && lasted < due * 1.02 + 10);
      current = { name, since: time.now, isWhole: true };
    }
    const count = (expected: string): number => types().filter((type) => type === expected).length;
    expect(count('RoundVoided')).toBeLessThanOrEqual(sleeps);
    expect(count('RoundSettled')).toBeGreaterThan(50);
    // A change that is undone before the next check is never noticed.
    const reported = jumps.reduce((all, { from, to }) => all + to - from, 0);
    expect(Math.abs(reported - sum)).toBeLessThanOrEqual(2_000 * sets);
    const moments = published.map(({ at }) => at);
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect([warnings, (await verifyStore(dependencies.store)).problem]).toEqual([[], undefined]);
    counts.sets += sets;
    counts.sleeps += sleeps;
    counts.rounds += count('RoundSettled');
    counts.voids += count('RoundVoided');
  }
  reportToSoak(
    `${hours} hours: the clock was set ${counts.sets} times and the machine slept ${counts.sleeps} times; ${counts.rounds} rounds settled, ${counts.voids} void`,
  );
});
