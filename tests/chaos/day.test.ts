import { expect, test } from 'vitest';
import { seed } from '../seed.ts';
import { temporaryFolder } from '../temporary.ts';
import { reportToSoak, times } from '../times.ts';
import { runDay } from './day.ts';

const folder = temporaryFolder('day');

const seconds = times(180);
const minutes = seconds / 60;

test(`${seconds} seconds of a floor with returning patrons and restarts: every round ends once, no money is lost or created, the event log verifies, and the heap does not grow`, async () => {
  const { problems, settled, voids, accepted, collected, kills, parks, heap } = await runDay(
    `${seed}`,
    folder,
    1_000 * seconds,
  );
  reportToSoak(
    `${seconds} s: ${settled} rounds settled, ${voids} void, ${accepted} slips accepted, ${collected} times collected, ${kills} kills, ${parks} ends in order, heap ${heap.join(' and ')} bytes`,
  );
  expect(problems).toEqual([]);
  expect(settled).toBeGreaterThan(minutes);
  expect(accepted).toBeGreaterThan(10 * minutes);
  expect(collected).toBeGreaterThan(minutes - 3);
  expect(kills + parks).toBeGreaterThan(4);
  const [early, late] = heap;
  expect(late / early).toBeLessThan(1.25);
});
