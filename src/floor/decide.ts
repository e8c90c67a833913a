import { countText } from '../base/countText.ts';
import { refuse } from '../base/refusal.ts';
import { assert } from '../base/assert.ts';
import { type FloorCommand, type FloorEvent, type FloorDeciderRefusal } from './commands.ts';

/** What is known of a floor as a whole, whatever happens at its tables. */
export type FloorState = {
  property: string;
  currency: string;
  at: number;
  /** How often its record had been opened for writing when it last began. */
  epoch: number;
  /** Whether one runs it, as far as the record knows. */
  open: boolean;
  /** The shoes that are not dealt any more, with the reason. */
  retired: { [shoe: string]: Extract<FloorEvent, { type: 'ShoesRetired' }>['why'] };
  /** The names of the keys of tickets, once they are told. */
  ticketKeys?: readonly string[];
  /** When the record was turned back, and how many keys had been in use by then: tickets of those are held. */
  held?: { readonly at: number; readonly keys: number }[];
  /** When somebody last went on although the record may end too early: what tables knew before that may be lost. */
  doubted?: number;
};

const refuseFloor = (code: FloorDeciderRefusal['refused'], message: string): FloorDeciderRefusal => ({
  ...refuse<FloorDeciderRefusal['refused']>(code, message),
  by: null,
});

/** What a command leads to in the journal of a floor: one event, or one refusal. */
export function decideFloor(
  command: FloorCommand,
  floor: FloorState | undefined,
): readonly FloorEvent[] | FloorDeciderRefusal {
  if (!('system' in command.who))
    return refuseFloor('not-your-post', 'The journal is kept by the floor itself; leave it alone.');
  if (command.at < (floor?.at ?? 0)) {
    const message = `The command is dated ${command.at} and the last event ${floor!.at}; set the clock.`;
    return refuseFloor('clock-ran-back', message);
  }
  if (command.type === 'StartFloor' ? command.epoch < (floor?.epoch ?? 0) : floor?.open !== true) {
    return command.type === 'StartFloor'
      ? refuseFloor(
          'epoch-over',
          `The record has been opened ${countText(floor!.epoch, 'time')}, not ${command.epoch}; look for who else runs the floor.`,
        )
      : refuseFloor('floor-not-started', 'The floor has not started; start it first.');
  }
  return [eventOf(command)];
}

function eventOf(command: FloorCommand): FloorEvent {
  switch (command.type) {
    case 'StartFloor':
      return { ...command, type: 'FloorStarted', v: 1 };
    case 'CloseFloor':
      return { ...command, type: 'FloorClosed', v: 1 };
    case 'RetireShoes':
      return { ...command, type: 'ShoesRetired', v: 1 };
    case 'NoteClock':
      return { ...command, type: 'ClockJumped', v: 1 };
    case 'NoteTries':
      return { ...command, type: 'TicketsTried', v: 1 };
  }
}

/** The journal after an event: what the event says, and nothing else. */
export function evolveFloor(floor: FloorState | undefined, event: FloorEvent): FloorState {
  if (event.type === 'FloorStarted') {
    const { property, currency, epoch, at, ticketKeys } = event;
    const started = { ...floor, property, currency, at, epoch, open: true, retired: floor?.retired ?? {} };
    return ticketKeys === undefined ? started : { ...started, ticketKeys };
  }
  assert(floor !== undefined, 'a floor starts before anything else happens to it');
  floor.at = event.at;
  switch (event.type) {
    case 'FloorClosed':
      floor.open = false;
      return floor;
    case 'ShoesRetired':
      for (const shoe of event.shoes) floor.retired[shoe] ??= event.why;
      if (event.heldKeys !== undefined) (floor.held ??= []).push({ at: event.at, keys: event.heldKeys });
      if (event.why !== 'long-rest') floor.doubted = event.at;
      return floor;
    case 'ClockJumped':
    case 'TicketsTried':
      return floor;
  }
}
