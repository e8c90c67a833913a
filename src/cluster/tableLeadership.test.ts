import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type NodeHandlers } from './nodeHandlers.ts';
import { TableLeadership } from './tableLeadership.ts';

test('a table that is held and cannot be taken or read is told for how long, until it is driven', async () => {
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
  });
  const tries = async (): Promise<number> => {
    driving.drives(['B01']);
    await setTimeout(20);
    return driving.stuck('B01');
  };
  expect(driving.stuck('B01')).toBe(0);
  expect(await tries()).toBeGreaterThan(10);
  fails = 'read';
  expect(await tries()).toBeGreaterThan(30);
  fails = undefined;
  expect([await tries(), driving.isDriven('B01')]).toEqual([0, true]);
  // So is one that is nobody's.
  driving.free(['X09']);
  await setTimeout(20);
  driving.free(['X09', 'X10']);
  expect(driving.stuck('X09')).toBeGreaterThan(10);
  expect([driving.stuck('X10') < 10, driving.stuck('B01'), driving.idle > 10]).toEqual([true, 0, true]);
  driving.free([]);
  expect([driving.stuck('X09'), driving.idle]).toEqual([0, 0]);
});
