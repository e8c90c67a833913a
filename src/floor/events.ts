import * as s from '../base/schemas.ts';
import { type Infer } from '../base/schema.ts';
import { time } from '../base/commonSchemas.ts';
import { actorSchema } from '../access/actor.ts';
import { type FloorCommandOrEventDeclaration, floorCommands } from './commands.ts';

/**
 * All events of the floor stream: starts and closes of the floor, accepted integrity issues, retired shoes and ticket
 * keys, clock jumps and wrong ticket numbers. Each event also has `type`, `v`, `at` and `actor`.
 */
export const floorEvents = {
  FloorStarted: {
    description: 'The floor was started.',
    fields: floorCommands.StartFloor.fields,
  },
  FloorClosed: {
    description: 'The floor was closed in an orderly way.',
    fields: floorCommands.CloseFloor.fields,
  },
  ShoesRetired: {
    description: 'Shoes were retired: no card is dealt from them any more.',
    fields: floorCommands.RetireShoes.fields,
  },
  ClockJumped: {
    description: 'The system clock jumped from one time to another.',
    fields: floorCommands.NoteClock.fields,
  },
  TicketAttemptsReported: {
    description:
      '`attempts` wrong validation numbers were tried on the whole floor since the time `since`, and led to a block.',
    fields: floorCommands.ReportTicketAttempts.fields,
  },
} as const satisfies { readonly [name: string]: FloorCommandOrEventDeclaration };

const floorEventSchemas = s.variantSchemas('type', 'the event', floorEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
});
type EventName = keyof typeof floorEvents;
export type FloorEvent = { [N in EventName]: Infer<(typeof floorEventSchemas)[N]> }[EventName];
