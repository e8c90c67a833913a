import * as s from '../base/schema.ts';
import { type Shape, type Infer } from '../base/schema.ts';
import { currencyCode, id, time } from '../base/commonSchemas.ts';
import { actorSchema } from '../access/actor.ts';

const epoch = s.integer('how often the record has been opened for writing', 1);
const count = s.integer('a count', 0);

/** Why shoes with a known order are retired: cards dealt from them may have been seen. */
const retirementReason = s.literals(['behind-anchor', 'anchor-missing', 'unsigned-entries', 'long-rest']);
export type ShoeRetirementReason = Infer<typeof retirementReason>;

/** Streams for which a checkpoint or anchor knows more entries than the store has. */
const missingEntries = s.array(
  s.object('a stream with its entries here and those expected by its anchor', {
    stream: s.string,
    has: count,
    expected: count,
  }),
  'a list of streams that end too early',
);
export type MissingEntries = Infer<typeof missingEntries>;

/** Entries without a signed checkpoint at the start: their count and the first of them. */
const unsignedEntries = s.object('a count of entries, and the first of them by its stream and sequence', {
  stream: s.string,
  sequence: s.integer('a sequence', 1),
  count: s.integer('a count from 1 on', 1),
});
export type UnsignedEntries = Infer<typeof unsignedEntries>;

export type FloorCommandOrEventDeclaration = { readonly description: string; readonly fields: Shape };

/** All commands of the floor stream. Each also has `type`, `at` and `who`; only the system sends them. */
export const floorCommands = {
  StartFloor: {
    description:
      'The floor begins. `since` is when it was last known to be alive; `torn` counts frames of a last write that was cut off; `uncovered` tells what nobody had signed by then, `ticketKeys` by which keys tickets have their numbers.',
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
  CloseFloor: { description: 'The floor ends as it should.', fields: {} },
  RetireShoes: {
    description:
      'Shoes are not dealt any more; `words` are those by which the operator went on with a record that ends too early; tickets of the first `retiredKeys` keys are not paid at terminals any more.',
    fields: {
      reason: retirementReason,
      shoes: s.array(id, 'a list of names'),
      confirmation: s.optional(s.string),
      missing: s.optional(missingEntries),
      retiredKeys: s.optional(count),
    },
  },
  NoteClock: {
    description: 'The clock of the machine went from one time to another by itself.',
    fields: { from: time, to: time },
  },
  ReportTicketAttempts: {
    description:
      'So many numbers were tried since then that are of no ticket, here or there, and somebody had to wait for it.',
    fields: { attempts: s.integer('a count from 1 on', 1), since: time },
  },
} as const satisfies { readonly [name: string]: FloorCommandOrEventDeclaration };

export const floorCommandSchemas = s.variants('type', 'the command', floorCommands, { at: time, actor: actorSchema });
type CommandName = keyof typeof floorCommands;
export type FloorCommand = { [N in CommandName]: Infer<(typeof floorCommandSchemas)[N]> }[CommandName];
