import * as s from '../base/schemas.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { currencyCode, id, time } from '../base/commonSchemas.ts';
import { actorSchema } from '../access/actor.ts';

const epoch = s.integer('the number of times that the store was opened for writing', 1);
const count = s.integer('a count', 0);

/** Why virtual shoes are retired. Each reason means that a person may know the next cards of these shoes. */
const retirementReason = s.literals(['behind-anchor', 'anchor-missing', 'unsigned-entries', 'long-rest']);
export type ShoeRetirementReason = Infer<typeof retirementReason>;

/** Streams that have fewer entries in the store than a checkpoint or the anchor states. */
const missingEntries = s.array(
  s.object('a stream with the number of its entries and the number expected', {
    stream: s.string,
    has: count,
    expected: count,
  }),
  'a list of streams that end too early',
);
export type StreamsMissingEntries = Infer<typeof missingEntries>;

/** Entries that no signed checkpoint covered at the start: their number, and the stream and sequence of the first. */
const unsignedEntries = s.object('the number of entries, and stream and sequence of the first', {
  stream: s.string,
  sequence: s.integer('a sequence', 1),
  count: s.integer('a number, at least 1', 1),
});
export type UnsignedEntriesSummary = Infer<typeof unsignedEntries>;

export type FloorCommandOrEventDeclaration = { readonly description: string; readonly fields: Shape };

/**
 * All commands of the floor stream. This stream holds starts and closes of the floor, accepted integrity issues,
 * retired shoes and ticket keys; it does not hold what happens at tables and terminals. Each command also has `type`,
 * `at` and `actor`. Only the system sends these commands.
 */
export const floorCommands = {
  StartFloor: {
    description:
      'Start the floor. `since` is the time of the last heartbeat or entry before the start, null at the first start. If a crash cut off the last write, `torn` counts the frames of that write in the write-ahead log of SQLite. `unsignedEntries` are the entries that no checkpoint covers. `ticketKeys` are the ids of the ticket keys.',
    fields: {
      property: id,
      currency: currencyCode,
      epoch,
      since: s.nullable(time),
      torn: s.optional(count),
      unsignedEntries: s.optional(unsignedEntries),
      ticketKeys: s.optional(s.array(s.string, 'names of keys')),
    },
  },
  CloseFloor: { description: 'Close the floor in an orderly way.', fields: {} },
  RetireShoes: {
    description:
      'Retire shoes: no card is dealt from them any more. `missing` are the streams that lack entries. `confirmation` is what the operator typed to accept the issue. Terminals no longer redeem tickets made with the oldest `retiredKeys` ticket keys, since such tickets may have been paid already.',
    fields: {
      reason: retirementReason,
      shoes: s.array(id, 'a list of shoe ids'),
      confirmation: s.optional(s.string),
      missing: s.optional(missingEntries),
      retiredKeys: s.optional(count),
    },
  },
  NoteClock: {
    description: 'Record that the system clock jumped from one time to another.',
    fields: { from: time, to: time },
  },
  ReportTicketAttempts: {
    description:
      'Report that `attempts` wrong validation numbers were tried on the whole floor since the time `since`, and led to a block.',
    fields: { attempts: s.integer('a number, at least 1', 1), since: time },
  },
} as const satisfies { readonly [name: string]: FloorCommandOrEventDeclaration };

export const floorCommandSchemas = s.variantSchemas('type', 'the command', floorCommands, {
  at: time,
  actor: actorSchema,
});
type CommandName = keyof typeof floorCommands;
export type FloorCommand = { [N in CommandName]: Infer<(typeof floorCommandSchemas)[N]> }[CommandName];
