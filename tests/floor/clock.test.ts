import { expect, test } from 'vitest';
import { MadeTime } from '../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from './demo.ts';
import { type Jump, floorClock } from '../../src/floor/clock.ts';
import { Floor } from '../../src/floor/floor.ts';
import { memoryStore } from '../../src/store/memory.ts';
import { start, worldOf } from './made.ts';

/** A table on a machine whose clock can be set, and which can be put to sleep. */
async function scene(seed: string) {
  const time = new MadeTime(start);
  const off = { wall: 0, running: 0 };
  const jumps: Jump[] = [];
  const sources = { wall: () => time.now + off.wall, running: () => time.now + off.running, up: () => time.now };
  const made = worldOf(memoryStore(), seed, time);
  const world = { ...made.world, clock: floorClock(start, sources, (jump) => jumps.push(jump)) };
  const floor = await Floor.open(demoOwner, demoSettings.slice(0, 1), demoPace, world);
  const table = floor.tables.get('baccarat')!;
  const phase = async (wanted: string): Promise<void> => {
    while (table.runner.state?.phase !== wanted) await time.step();
  };
  /** How long the table stays in its phase, by a clock that nobody sets. */
  const lasts = async (): Promise<number> => {
    const [{ phase: present }, from] = [table.table, time.now];
    while (table.table.phase === present) await time.step();
    return time.now - from;
  };
  const set = (by: number): void => void (off.wall += by);
  const types = (): readonly string[] => made.published.map(({ event }) => event.type);
  return { ...made, table, off, jumps, phase, lasts, set, types };
}

/** Betting, the grace after it, six cards at most, and the pause with the result. */
const phases = { betting: 15_000, closing: 500, result: 2_000 } as const;

test.each([45_000, -45_000, 86_400_000, -86_400_000])(
  'a clock that is set by %i ms and put right voids no round, and no phase is longer or shorter that anybody would notice',
  async (by) => {
    const { phase, lasts, set, types, jumps, published } = await scene(`${by}`);
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
    const times = published.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  },
);

test('[READING 12] a machine that slept has interrupted its rounds, whether or not its clocks stood still', async () => {
  for (const standsStill of [true, false]) {
    const { phase, time, off, jumps, types } = await scene('asleep');
    await phase('betting');
    time.now += 60_000;
    if (standsStill) off.running -= 60_000;
    const voided = (): boolean => types().includes('RoundVoided');
    while (!voided() && !types().includes('CardDealt')) await time.step();
    expect([voided(), jumps]).toEqual([true, []]);
  }
});
