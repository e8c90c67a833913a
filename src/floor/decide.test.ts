import { expect, test } from 'vitest';
import { decideFloor } from './decide.ts';
import { evolveFloor } from './evolve.ts';
import { type FloorCommand } from './commands.ts';
import { type FloorEvent } from './events.ts';

const system = { system: 'floor' } as const;
const start: FloorCommand = {
  type: 'StartFloor',
  at: 1_000,
  actor: system,
  property: 'sg1',
  currency: 'SGD',
  epoch: 2,
  since: null,
};
const [started] = decideFloor(start, undefined) as readonly FloorEvent[];

test('the floor refuses commands of people, of an earlier time or epoch, and before its start', () => {
  const floor = evolveFloor(undefined, started!);
  const refusalOf = (command: FloorCommand, state = floor) => decideFloor(command, state) as { refused: string };
  expect(refusalOf({ ...start, actor: { person: 'd1', role: 'dealer' } })).toMatchObject({ refused: 'not-your-role' });
  expect(refusalOf({ ...start, at: 999 })).toMatchObject({ refused: 'clock-ran-back' });
  expect(refusalOf({ ...start, epoch: 1 })).toMatchObject({ refused: 'epoch-over' });
  const close: FloorCommand = { type: 'CloseFloor', at: 1_001, actor: system };
  expect(decideFloor(close, undefined)).toMatchObject({ refused: 'floor-not-started' });
  const [closed] = decideFloor(close, floor) as readonly FloorEvent[];
  expect(refusalOf(close, evolveFloor(floor, closed!))).toMatchObject({ refused: 'floor-not-started' });
});

test('a report of wrong ticket numbers and a clock jump change nothing but the time', () => {
  const floor = evolveFloor(undefined, started!);
  const reports = [
    { type: 'NoteClock', at: 1_001, actor: system, from: 1_000, to: 5_000 },
    { type: 'ReportTicketAttempts', at: 1_002, actor: system, since: 900, count: 3 },
  ] as unknown as readonly FloorCommand[];
  for (const command of reports) {
    const [event] = decideFloor(command, floor) as readonly FloorEvent[];
    expect(evolveFloor(structuredClone(floor), event!)).toEqual({ ...floor, at: command.at });
  }
});

test('the floor keeps the ticket keys of a start, and those of the start before where it names none', () => {
  const first = evolveFloor(undefined, { ...started!, ticketKeys: ['k1'] } as FloorEvent);
  expect(first).toMatchObject({ open: true, ticketKeys: ['k1'] });
  expect(evolveFloor(first, started!)).toMatchObject({ ticketKeys: ['k1'] });
  expect(evolveFloor(undefined, started!)).not.toHaveProperty('ticketKeys');
});
