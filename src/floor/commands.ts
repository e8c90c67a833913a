import {
  type Form,
  type ValueOf,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  tagged,
  text,
  textLike,
  wholeFrom,
} from '../base/schema.ts';
import { type Refusal } from '../base/refusal.ts';
import { id, time } from '../base/commonSchemas.ts';
import { who } from '../access/actor.ts';

const currency = textLike('three capital letters such as SGD', /^[A-Z]{3}$/);
const epoch = wholeFrom('how often the record has been opened for writing', 1);
const count = wholeFrom('a count', 0);

/** Why shoes whose order is known are not dealt any more: what was dealt from them may have been seen. */
const why = oneOf(['behind-anchor', 'anchor-missing', 'unsigned-entries', 'long-rest']);
export type Why = ValueOf<typeof why>;

/** Streams of which somebody knows more entries than the record has. */
const missing = listOf(
  object('a stream with its entries here and those known elsewhere', { stream: text, has: count, known: count }),
  'a list of streams that end too early',
);
export type Missing = ValueOf<typeof missing>;

/** Entries that nobody had signed when the floor began: how many, and the first of them. */
const uncovered = object('a count of entries, and the first of them by its stream and sequence', {
  stream: text,
  sequence: wholeFrom('a sequence', 1),
  count: wholeFrom('a count from 1 on', 1),
});
export type Uncovered = ValueOf<typeof uncovered>;

type Declaration = { readonly says: string; readonly fields: Form };

/** All that can be asked of a floor's journal, beside `type`, `at` and `who`; only the floor itself asks. */
const journalCommands = {
  StartFloor: {
    says: 'The floor begins. `since` is when it was last known to be alive; `torn` counts frames of a last write that was cut off; `uncovered` tells what nobody had signed by then, `ticketKeys` by which keys tickets have their numbers.',
    fields: {
      property: id,
      currency,
      epoch,
      since: orNull(time),
      torn: optional(count),
      uncovered: optional(uncovered),
      ticketKeys: optional(listOf(text, 'names of keys')),
    },
  },
  CloseFloor: { says: 'The floor ends as it should.', fields: {} },
  RetireShoes: {
    says: 'Shoes are not dealt any more; `words` are those by which the operator went on with a record that ends too early; tickets of the first `heldKeys` keys are not paid at terminals any more.',
    fields: {
      why,
      shoes: listOf(id, 'a list of names'),
      words: optional(text),
      missing: optional(missing),
      heldKeys: optional(count),
    },
  },
  NoteClock: {
    says: 'The clock of the machine went from one time to another by itself.',
    fields: { from: time, to: time },
  },
  NoteTries: {
    says: 'So many numbers were tried since then that are of no ticket, here or there, and somebody had to wait for it.',
    fields: { tries: wholeFrom('a count from 1 on', 1), since: time },
  },
} as const satisfies { readonly [name: string]: Declaration };

/** All that can happen to a floor as a whole, beside `type`, `v`, `at` and `who`. */
export const journalEvents = {
  FloorStarted: {
    says: 'The floor has begun.',
    fields: journalCommands.StartFloor.fields,
  },
  FloorClosed: {
    says: 'The floor has ended as it should.',
    fields: journalCommands.CloseFloor.fields,
  },
  ShoesRetired: {
    says: 'Shoes are not dealt any more.',
    fields: journalCommands.RetireShoes.fields,
  },
  ClockJumped: {
    says: 'The clock of the machine went from one time to another by itself.',
    fields: journalCommands.NoteClock.fields,
  },
  TicketsTried: {
    says: 'So many numbers were tried since then that are of no ticket.',
    fields: journalCommands.NoteTries.fields,
  },
} as const satisfies { readonly [name: string]: Declaration };

export const journalCommandKinds = tagged('type', 'the command', journalCommands, { at: time, who });
type CommandName = keyof typeof journalCommands;
export type JournalCommand = { [N in CommandName]: ValueOf<(typeof journalCommandKinds)[N]> }[CommandName];

const journalEventKinds = tagged('type', 'the event', journalEvents, { v: oneOf([1]), at: time, who });
type EventName = keyof typeof journalEvents;
export type JournalEvent = { [N in EventName]: ValueOf<(typeof journalEventKinds)[N]> }[EventName];

/** Why nothing became of it. A closed list, explained one by one in docs/errors.md. */
export const journalRefusals = ['clock-ran-back', 'epoch-over', 'floor-not-started', 'not-your-post'] as const;
export type JournalRefusal = Refusal<(typeof journalRefusals)[number]> & { readonly by: string | null };
