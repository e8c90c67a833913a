import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type NodeHandlers } from './nodeHandlers.ts';
import { TableLeadership } from './tableLeadership.ts';

test('a table that is held and cannot be taken or read is told for how long, until it is driven', async () => {
  let now = 1_000;
  let fails: 'take' | 'read' | undefined = 'take';
  const away = async (): Promise<never> => {
    throw new Error('away');
  };
  const driving = new TableLeadership({
    calls: { drive: async () => (fails === 'read' ? away() : undefined) } as unknown as NodeHandlers,
    isHeld: () => true,
    spare: () => 0,
    late: 60_000,
    take: async (streams) =>
      fails === 'take' ? away() : new Map(streams.map((stream) => [stream, { epoch: 1, beat: undefined }])),
    letGo: async () => {},
    driven: () => {},
    changed: () => {},
    trouble: () => {},
    now: () => now,
  });
  const tries = async (): Promise<number> => {
    driving.drives(['B01']);
    await setImmediate();
    now += 20;
    return driving.stuck('B01');
  };
  expect(driving.stuck('B01')).toBe(0);
  expect(await tries()).toBe(20);
  fails = 'read';
  expect(await tries()).toBe(40);
  fails = undefined;
  expect([await tries(), driving.isDriven('B01')]).toEqual([0, true]);
  // So is one that is nobody's.
  driving.free(['X09']);
  now += 20;
  driving.free(['X09', 'X10']);
  expect([driving.stuck('X09'), driving.stuck('X10'), driving.stuck('B01'), driving.idle]).toEqual([20, 0, 0, 20]);
  driving.free([]);
  expect([driving.stuck('X09'), driving.idle]).toEqual([0, 0]);
});
