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

const deny = (code: FloorDeciderRefusal['refused'], message: string): FloorDeciderRefusal => ({
  ...refuse<FloorDeciderRefusal['refused']>(code, message),
  by: null,
});

/** What a command leads to in the journal of a floor: one event, or one refusal. */
export function decideFloor(
  command: FloorCommand,
  journal: FloorState | undefined,
): readonly FloorEvent[] | FloorDeciderRefusal {
  if (!('system' in command.who))
    return deny('not-your-post', 'The journal is kept by the floor itself; leave it alone.');
  if (command.at < (journal?.at ?? 0)) {
    const message = `The command is dated ${command.at} and the last event ${journal!.at}; set the clock.`;
    return deny('clock-ran-back', message);
  }
  if (command.type === 'StartFloor' ? command.epoch < (journal?.epoch ?? 0) : journal?.open !== true) {
    return command.type === 'StartFloor'
      ? deny(
          'epoch-over',
          `The record has been opened ${countText(journal!.epoch, 'time')}, not ${command.epoch}; look for who else runs the floor.`,
        )
      : deny('floor-not-started', 'The floor has not started; start it first.');
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
export function evolveFloor(journal: FloorState | undefined, event: FloorEvent): FloorState {
  if (event.type === 'FloorStarted') {
    const { property, currency, epoch, at, ticketKeys } = event;
    const begun = { ...journal, property, currency, at, epoch, open: true, retired: journal?.retired ?? {} };
    return ticketKeys === undefined ? begun : { ...begun, ticketKeys };
  }
  assert(journal !== undefined, 'a floor starts before anything else happens to it');
  journal.at = event.at;
  switch (event.type) {
    case 'FloorClosed':
      journal.open = false;
      return journal;
    case 'ShoesRetired':
      for (const shoe of event.shoes) journal.retired[shoe] ??= event.why;
      if (event.heldKeys !== undefined) (journal.held ??= []).push({ at: event.at, keys: event.heldKeys });
      if (event.why !== 'long-rest') journal.doubted = event.at;
      return journal;
    case 'ClockJumped':
    case 'TicketsTried':
      return journal;
  }
}
