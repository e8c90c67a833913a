import { type Refusal, refuse } from '../base/refusal.ts';
import { type FloorCommand } from './commands.ts';
import { type FloorEvent } from './events.ts';
import { type FloorStreamState } from './state.ts';

/** Error codes of the floor decider: a closed list, see docs/errors.md. */
export const floorDeciderErrorCodes = ['clock-ran-back', 'epoch-over', 'floor-not-started', 'not-your-role'] as const;
export type FloorDeciderRefusal = Refusal<(typeof floorDeciderErrorCodes)[number]> & { readonly by: string | null };

const refuseFloor = (code: FloorDeciderRefusal['refused'], message: string): FloorDeciderRefusal => ({
  ...refuse<FloorDeciderRefusal['refused']>(code, message),
  by: null,
});

/**
 * Decides a command of the floor stream (starts and closes of the floor, accepted integrity issues, retired shoes and
 * ticket keys): its event, or one refusal.
 */
export function decideFloor(
  command: FloorCommand,
  floor: FloorStreamState | undefined,
): readonly FloorEvent[] | FloorDeciderRefusal {
  if (!('system' in command.actor))
    return refuseFloor('not-your-role', 'Only the system writes to the floor stream; do not send this command.');
  if (command.at < (floor?.at ?? 0)) {
    const message = `The command is dated ${command.at}, before the last event at ${floor!.at}; set the clock.`;
    return refuseFloor('clock-ran-back', message);
  }
  if (command.type === 'StartFloor' ? command.epoch < (floor?.epoch ?? 0) : floor?.open !== true) {
    return command.type === 'StartFloor'
      ? refuseFloor(
          'epoch-over',
          `The floor was started with writer epoch ${floor!.epoch}, and this process has the older epoch ${command.epoch}; another process runs the floor, so stop one of the two.`,
        )
      : refuseFloor('floor-not-started', 'The floor is not open; start it first.');
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
    case 'ReportTicketAttempts':
      return { ...command, type: 'TicketAttemptsReported', v: 1 };
  }
}
