import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type NodeHandlers } from './nodeHandlers.ts';
import { TableLeadership } from './tableLeadership.ts';

test('table that cannot be taken over is reported as stuck until it is led', async () => {
  let now = 1_000;
  let fails: 'take' | 'read' | undefined = 'take';
  const away = async (): Promise<never> => {
    throw new Error('away');
  };
  const driving = new TableLeadership({
    handlers: { lead: async () => (fails === 'read' ? away() : undefined) } as unknown as NodeHandlers,
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
    driving.leadHeld(['B01']);
    await setImmediate();
    now += 20;
    return driving.stuckMs('B01');
  };
  expect(driving.stuckMs('B01')).toBe(0);
  expect(await tries()).toBe(20);
  fails = 'read';
  expect(await tries()).toBe(40);
  fails = undefined;
  expect([await tries(), driving.isLeading('B01')]).toEqual([0, true]);
  // A table without a leader is reported as stuck too.
  driving.setUnled(['X09']);
  now += 20;
  driving.setUnled(['X09', 'X10']);
  expect([driving.stuckMs('X09'), driving.stuckMs('X10'), driving.stuckMs('B01'), driving.maxUnledMs]).toEqual([
    20, 0, 0, 20,
  ]);
  driving.setUnled([]);
  expect([driving.stuckMs('X09'), driving.maxUnledMs]).toEqual([0, 0]);
});
