import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FloorHandlersForCluster } from './floorHandlersForCluster.ts';
import { TableLeadership } from './tableLeadership.ts';

test('table that cannot be taken over is reported as stuck until it is led', async () => {
  let now = 1_000;
  let fails: 'take' | 'read' | undefined = 'take';
  const away = async (): Promise<never> => {
    throw new Error('away');
  };
  const leadership = new TableLeadership({
    handlers: { lead: async () => (fails === 'read' ? away() : undefined) } as unknown as FloorHandlersForCluster,
    isHeld: () => true,
    surplus: () => 0,
    handOverLimitMs: 60_000,
    beginEpochs: async (streams) =>
      fails === 'take' ? away() : new Map(streams.map((stream) => [stream, { epoch: 1, heartbeatAt: undefined }])),
    releaseLease: async () => {},
    onLeading: () => {},
    onLeaseChange: () => {},
    onWarning: () => {},
    now: () => now,
  });
  const tries = async (): Promise<number> => {
    leadership.leadHeld(['B01']);
    await setImmediate();
    now += 20;
    return leadership.stuckMs('B01');
  };
  expect(leadership.stuckMs('B01')).toBe(0);
  expect(await tries()).toBe(20);
  fails = 'read';
  expect(await tries()).toBe(40);
  fails = undefined;
  expect([await tries(), leadership.isLeading('B01')]).toEqual([0, true]);
  // A table without a leader is reported as stuck too.
  leadership.setUnled(['X09']);
  now += 20;
  leadership.setUnled(['X09', 'X10']);
  expect([
    leadership.stuckMs('X09'),
    leadership.stuckMs('X10'),
    leadership.stuckMs('B01'),
    leadership.maxUnledMs,
  ]).toEqual([20, 0, 0, 20]);
  leadership.setUnled([]);
  expect([leadership.stuckMs('X09'), leadership.maxUnledMs]).toEqual([0, 0]);
});
