import { type LedgerDecider, type DomainEvent, applyEvents } from '../../deciders/deciders.ts';
import { decodeCommand, compactRequest } from '../../store/commandRecord.ts';
import { type StoredRequest, type CommandRecord, type NewEntry, type RecordedEvent } from '../../store/store.ts';
import { type Brought, type Denied, type PendingCommand, noContext } from './pendingCommand.ts';

/** A decider as the floor runs it. */
export type Run<State, Command, Event extends DomainEvent, Refused extends Denied> = {
  readonly decider: LedgerDecider<State, Command, Event, Refused>;
  /** What the floor knows and whoever asks does not, such as credit. */
  readonly brings: (asked: StoredRequest, state: State, brought: Brought) => Brought;
};

/** What a command leads to: the state after it, and what is to be recorded at that time. */
type Decision<State> = { readonly state: State; readonly at: number; readonly entries: readonly NewEntry[] };

/** Something that was to be decided broke: our own code is wrong, and no disk. */
export class Defect extends Error {}

/** Decides what somebody has asked, on a state whose last event was at `last`. */
export function decidedOn<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends Denied,
>(
  run: Run<State, Command, Event, Refused>,
  one: PendingCommand,
  before: State,
  last: number,
): Decision<State> | Denied {
  try {
    return decide(run, one, before, last);
  } catch (error) {
    throw new Defect('What was asked cannot be decided.', { cause: error });
  }
}

function decide<State, Command extends { readonly type: string }, Event extends DomainEvent, Refused extends Denied>(
  { decider, brings }: Run<State, Command, Event, Refused>,
  one: PendingCommand,
  before: State,
  last: number,
): Decision<State> | Denied {
  const { id, hash, asked } = one;
  // Where the clock is behind the record, the time of the record counts.
  const at = Math.max(one.at, last);
  const known = brings(asked, before, one.brought);
  const brought = one.brought === noContext ? known : { ...one.brought, ...known };
  const command = decider.commandFrom(decodeCommand({ asked, brought }, at));
  if ('refused' in command) return { ...command, by: null };
  const decision = decider.decide(command, before);
  if ('refused' in decision) return decision;
  const { entries, state } = applyEvents(decider, decision, before);
  return {
    state,
    at,
    entries: entries.map(({ event, postings }, place) => {
      const recorded = event as unknown as RecordedEvent;
      if (place > 0) return { event: recorded, postings, command: { id } };
      const book = decider.bookAt(state);
      // In the order of the canonical form, which is quicker to write.
      const note: CommandRecord = {
        asked: compactRequest(asked, recorded),
        ...(book !== undefined && { book }),
        brought,
        decider: `${decider.name}@${decider.version}`,
        hash,
        id,
      };
      return { event: recorded, postings, command: note };
    }),
  };
}
