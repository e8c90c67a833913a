import { assert } from '../base/assert.ts';
import { type FloorEvent } from './events.ts';
import { type FloorStreamState } from './state.ts';

/**
 * Applies an event to the state of the floor stream (starts and closes of the floor, accepted integrity issues, retired
 * shoes and ticket keys). The function checks no rule and may change `floor` in place.
 */
export function evolveFloor(floor: FloorStreamState | undefined, event: FloorEvent): FloorStreamState {
  if (event.type === 'FloorStarted') {
    const { property, currency, epoch, at, ticketKeys } = event;
    const started = { ...floor, property, currency, at, epoch, open: true, retired: floor?.retired ?? {} };
    return ticketKeys === undefined ? started : { ...started, ticketKeys };
  }
  assert(floor !== undefined, 'the floor is started before any other event');
  floor.at = event.at;
  switch (event.type) {
    case 'FloorClosed':
      floor.open = false;
      return floor;
    case 'ShoesRetired':
      for (const shoe of event.shoes) floor.retired[shoe] ??= event.reason;
      if (event.retiredKeys !== undefined) (floor.retiredKeys ??= []).push({ at: event.at, keys: event.retiredKeys });
      if (event.reason !== 'long-rest') floor.stateLostAt = event.at;
      return floor;
    case 'ClockJumped':
    case 'TicketAttemptsReported':
      return floor;
  }
}
