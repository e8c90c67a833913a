import { expect, test } from 'vitest';
import { type ClockJump, ClockTooFarError } from '../../../src/runtime/ports/clock.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createSystemScheduler } from '../../../src/server/operations/systemScheduler.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { TestClock } from '../../chaos/time.ts';
import { demoOwner, demoPace, demoSettings } from '../../runtime/support/demo.ts';
import { testDependencies } from '../../runtime/support/testDependencies.ts';

const minute = 60_000;

test("the clock continues from the last stored time and reports that the machine's clock is behind", async () => {
  const store = createMemoryStore();
  const last = Date.now() + 10 * minute;
  await store.recordHeartbeats(['floor'], last);
  const logged: ClockJump[] = [];
  const time = await createSystemScheduler(store, { onClockJump: (jump) => logged.push(jump) });
  expect(time.now()).toBeGreaterThanOrEqual(last);
  expect(time.now()).toBeLessThan(last + minute);
  const jumps: ClockJump[] = [];
  time.subscribeClockJumps!((jump) => jumps.push(jump));
  expect(jumps).toMatchObject([{ from: last }]);
  expect(jumps).toEqual(logged);
  const [{ to }] = jumps as [ClockJump];
  expect(last - to).toBeLessThanOrEqual(10 * minute);
});

test('the clock starts from the last table entry when it is later than the heartbeat', async () => {
  const store = createMemoryStore();
  const last = Date.now() + 120 * minute;
  await openFloor(
    demoOwner,
    demoSettings.slice(0, 1),
    demoPace,
    testDependencies(store, 'late', new TestClock(last)).dependencies,
  );
  await store.recordHeartbeats(['floor'], Date.now());
  await expect(createSystemScheduler(store, {})).rejects.toThrow(ClockTooFarError);
  const time = await createSystemScheduler(store, { acceptClock: true });
  expect(time.now()).toBeGreaterThanOrEqual(last);
});

test('the clock of a new store starts at the time of day', async () => {
  const before = Date.now();
  const logged: ClockJump[] = [];
  const time = await createSystemScheduler(createMemoryStore(), { onClockJump: (jump) => logged.push(jump) });
  expect(time.now()).toBeGreaterThanOrEqual(before);
  expect(time.now()).toBeLessThanOrEqual(Date.now());
  expect(logged).toEqual([]);
});
