import * as s from '../base/schema.ts';
import { type Infer } from '../base/schema.ts';
import { time } from '../base/commonSchemas.ts';
import { actorSchema } from '../access/actor.ts';
import { type FloorCommandOrEventDeclaration, floorCommands } from './commands.ts';

/** All events of the floor stream. Each also has `type`, `v`, `at` and `who`. */
export const floorEvents = {
  FloorStarted: {
    description: 'The floor has begun.',
    fields: floorCommands.StartFloor.fields,
  },
  FloorClosed: {
    description: 'The floor has ended as it should.',
    fields: floorCommands.CloseFloor.fields,
  },
  ShoesRetired: {
    description: 'Shoes are not dealt any more.',
    fields: floorCommands.RetireShoes.fields,
  },
  ClockJumped: {
    description: 'The clock of the machine went from one time to another by itself.',
    fields: floorCommands.NoteClock.fields,
  },
  TicketAttemptsReported: {
    description: 'So many numbers were tried since then that are of no ticket.',
    fields: floorCommands.ReportTicketAttempts.fields,
  },
} as const satisfies { readonly [name: string]: FloorCommandOrEventDeclaration };

const floorEventSchemas = s.variants('type', 'the event', floorEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
});
type EventName = keyof typeof floorEvents;
export type FloorEvent = { [N in EventName]: Infer<(typeof floorEventSchemas)[N]> }[EventName];
