import { expect, test } from 'vitest';
import { TestClock } from '../../chaos/time.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { seed } from '../../seed.ts';
import { times } from '../../times.ts';
import { demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { testDependencies } from '../support/testDependencies.ts';

/** Rounds of one floor, all kept in memory. A shoe lasts for about 70. */
const enough = 1_000;

test.each(Array.from({ length: times(1) }, (_, n) => n))(
  'demo floor of ten tables deals automatically, shoe after shoe: floor %i',
  async (floorNumber) => {
    const time = new TestClock(1_700_006_400_000);
    const { dependencies, published, warnings } = testDependencies(
      createMemoryStore(),
      `shoes-${seed}-${floorNumber}`,
      time,
    );
    const floor = await openFloor(demoOwner, demoSettings, demoPace, dependencies);
    let [readCount, settled] = [0, 0];
    const rounds = (): number => {
      for (; readCount < published.length; readCount++)
        if (published[readCount]!.event.type === 'RoundSettled') settled += 1;
      return settled;
    };
    for (let steps = 0; steps < 200 * enough && rounds() < enough; steps++) await time.step();
    expect(warnings).toEqual([]);
    expect(rounds()).toBe(enough);
    expect(floor.tables.size).toBe(10);
    expect(published.filter(({ event }) => event.type === 'ShoeEnded').length).toBeGreaterThan(5);
  },
);
