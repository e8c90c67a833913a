import { type RegisteredDecider, type DomainEvent, applyEventsWithPostings } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { commandFromRecord, compactPayload } from '../../store/commandRecord.ts';
import { type StoredPayload, type CommandRecord, type NewEntry, type RecordedEvent } from '../../store/store.ts';
import { type CommandContext, type PendingCommand, emptyContext } from './pendingCommand.ts';
import { type CommandRefusal } from './refusals.ts';

export type DecideOptions<State, Command, Event extends DomainEvent, Refused extends CommandRefusal> = {
  readonly decider: RegisteredDecider<State, Command, Event, Refused>;
  /** Makes the context that the runtime adds to a command, such as the credit of a terminal. */
  readonly contextOf: (request: StoredPayload, state: State, context: CommandContext) => CommandContext;
};

/** The state after a command, the time of its events, and the entries to append. */
type Decision<State> = { readonly state: State; readonly at: number; readonly entries: readonly NewEntry[] };

/** Error: a bug in our code, not a failure of disk, network or database. Its `cause` is the exception. */
export class DefectError extends Error {}

/**
 * Decides a command in `state`, whose last event has the time `lastAt`. A decision reads no disk and no network, so
 * every exception counts as a bug and becomes a `DefectError`.
 */
export function decideCommand<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends CommandRefusal,
>(
  options: DecideOptions<State, Command, Event, Refused>,
  pending: PendingCommand,
  state: State,
  lastAt: number,
): Decision<State> | CommandRefusal {
  try {
    return decide(options, pending, state, lastAt);
  } catch (error) {
    throw new DefectError('The decider threw an exception. The `cause` of this error is that exception.', {
      cause: error,
    });
  }
}

function decide<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends CommandRefusal,
>(
  { decider, contextOf }: DecideOptions<State, Command, Event, Refused>,
  pending: PendingCommand,
  before: State,
  lastAt: number,
): Decision<State> | CommandRefusal {
  const { id, hash, request } = pending;
  // Times in a stream never go back, even when the clock is behind the last event.
  const at = Math.max(pending.at, lastAt);
  const added = contextOf(request, before, pending.context);
  const context = pending.context === emptyContext ? added : { ...pending.context, ...added };
  const command = decider.parseCommand(commandFromRecord({ request, context }, at));
  if ('refused' in command) return { ...command, by: null };
  const decision = decider.decide(command, before);
  if ('refused' in decision) return decision;
  // A command that gives no event would not be stored, and a resend would be decided anew.
  assert(decision.length > 0, `${request.type} gives an event`);
  const { entries, state } = applyEventsWithPostings(decider, decision, before);
  return {
    state,
    at,
    entries: entries.map(({ event, postings }, index) => {
      const recorded = event as unknown as RecordedEvent;
      if (index > 0) return { event: recorded, postings, command: { id } };
      const rulebook = decider.rulebookAt(state);
      // The keys are in canonical order, which makes serialization faster.
      const record: CommandRecord = {
        request: compactPayload(request, recorded),
        ...(rulebook !== undefined && { rulebook }),
        context,
        decider: `${decider.name}@${decider.version}`,
        hash,
        id,
      };
      return { event: recorded, postings, command: record };
    }),
  };
}
