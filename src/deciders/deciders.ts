import { fullRulebookName } from '../games/rulebooks.ts';
import { type FloorCommand, floorCommandSchemas } from '../floor/commands.ts';
import { type FloorEvent } from '../floor/events.ts';
import { type FloorDeciderRefusal, decideFloor } from '../floor/decide.ts';
import { type FloorState } from '../floor/state.ts';
import { evolveFloor } from '../floor/evolve.ts';
import { decideStaff } from '../staff/decide.ts';
import { type StaffRegisterCommand, staffRegisterCommandSchemas } from '../staff/commands.ts';
import { type StaffEvent } from '../staff/events.ts';
import { type StaffRegisterRefusal } from '../staff/decision.ts';
import { evolveStaff } from '../staff/evolve.ts';
import { type StaffState } from '../staff/state.ts';
import { type Decider } from '../base/decider.ts';
import { parseTypedCommand } from '../base/parseTypedCommand.ts';
import { type Refusal } from '../base/refusal.ts';
import {
  type VersionedRequest,
  type RequestUpcasters,
  type VersionedEvent,
  type EventUpcasters,
  upcastRequest,
  upcastEvent,
} from '../base/upcast.ts';
import { decide } from '../table/decide/decide.ts';
import { type TableCommand } from '../table/schema/commands.ts';
import { type TableEvent } from '../table/schema/events.ts';
import { parseTableCommand } from '../table/schema/parseCommand.ts';
import { type TableRefusal } from '../table/schema/refusals.ts';
import { resolveSettings } from '../table/schema/settings.ts';
import { evolve } from '../table/evolve/evolve.ts';
import { type Table } from '../table/state.ts';
import { decideTerminal } from '../terminal/decide.ts';
import { type TerminalCommand, terminalCommandSchemas, terminalCommands } from '../terminal/commands.ts';
import { type TerminalEvent } from '../terminal/events.ts';
import { type TerminalRefusal } from '../terminal/decision.ts';
import { evolveTerminal } from '../terminal/evolve.ts';
import { type TerminalState } from '../terminal/state.ts';
import { terminalPostings } from '../ledger/terminalPostings.ts';
import { type Posting, tablePostings } from '../ledger/tablePostings.ts';

/** A decider with the postings of its events, its parsers and its upcasters. */
export type LedgerDecider<State, Command, Event, Refused> = Decider<State, Command, Event, Refused> & {
  readonly postings: (event: Event, state: State) => readonly Posting[];
  readonly commandFrom: (message: { readonly [field: string]: unknown }) => Command | Refusal;
  /**
   * Fields of the context; they are never in a payload. `post` is the role of the actor and `held` the entry of the staff
   * stream that grants it; `secondPost` and `secondHeld` are those of a second person.
   */
  readonly brought: ReadonlySet<string>;
  /** Upcasts the payload of a command stored by an earlier version of the decider. */
  readonly askedFrom: (asked: VersionedRequest, version: number) => VersionedRequest;
  /** Upcasts a stored event. */
  readonly eventFrom: (recorded: VersionedEvent) => Event;
  /** Name and version of the rulebook that it decides by, if any. */
  readonly bookAt: (state: State) => string | undefined;
};

export type DomainEvent = VersionedEvent;

/** An event with its postings, before it is stored. */
export type DecidedEntry<Event> = { readonly event: Event; readonly postings: readonly Posting[] };

/** Applies the events of a command in order; the postings of each depend on the state before it. */
export function applyEvents<State, Event>(
  { evolve: evolveState, postings }: Pick<LedgerDecider<State, never, Event, never>, 'evolve' | 'postings'>,
  events: readonly Event[],
  before: State,
): { readonly entries: readonly DecidedEntry<Event>[]; readonly state: State } {
  let state = before;
  const entries = events.map((event) => {
    const movedPostings = postings(event, state);
    state = evolveState(state, event);
    return { event, postings: movedPostings };
  });
  return { entries, state };
}

/** Event upcasters: a changed meaning of an event needs a new event version and a step here. */
const tableUpcasters: EventUpcasters = {};
const terminalUpcasters: EventUpcasters = {};

/** Request upcasters: a changed payload needs a new decider version and a step here. */
const tableRequestUpcasters: RequestUpcasters = {};
const terminalRequestUpcasters: RequestUpcasters = {};

/** Context of every command of a staff member. */
const staffContextFields = ['post', 'held', 'secondPost', 'secondHeld'] as const;

/**
 * One table. Raise the version when `decide` has another result for a stored command. Version 2: after an interruption nothing
 * is computed before the felt is confirmed.
 */
export const tableDecider: LedgerDecider<Table | undefined, TableCommand, TableEvent, TableRefusal> = {
  name: 'table',
  version: 2,
  initial: undefined,
  decide,
  evolve,
  postings: tablePostings,
  commandFrom: parseTableCommand,
  brought: new Set(['credit', 'care', 'credits', 'slips', ...staffContextFields]),
  askedFrom: (asked, version) => upcastRequest(asked, version, tableRequestUpcasters),
  eventFrom: (recorded) => upcastEvent(recorded, tableUpcasters) as TableEvent,
  bookAt: (table) => table && fullRulebookName(resolveSettings(table.setting).book),
};

/**
 * Credit of one terminal. Version 2: tickets, limits, breaks; 3: sessions that end empty; 4: hand-pays signed by two persons;
 * 5: hand-pays proposed, approved and withdrawn.
 */
export const terminalDecider: LedgerDecider<
  TerminalState | undefined,
  TerminalCommand,
  TerminalEvent,
  TerminalRefusal
> = {
  name: 'terminal',
  version: 5,
  initial: undefined,
  decide: decideTerminal,
  evolve: evolveTerminal,
  postings: terminalPostings,
  commandFrom: (message) => parseTypedCommand(message, terminalCommandSchemas, 'a terminal'),
  brought: new Set([
    ...Object.values(terminalCommands).flatMap((command) => ('brings' in command ? command.brings : [])),
    ...staffContextFields,
  ]),
  askedFrom: (asked, version) => upcastRequest(asked, version, terminalRequestUpcasters),
  eventFrom: (recorded) => upcastEvent(recorded, terminalUpcasters) as TerminalEvent,
  bookAt: () => undefined,
};

/** The floor as a whole: starts, closes, incidents. No postings. */
export const floorDecider: LedgerDecider<FloorState | undefined, FloorCommand, FloorEvent, FloorDeciderRefusal> = {
  name: 'journal',
  version: 1,
  initial: undefined,
  decide: decideFloor,
  evolve: evolveFloor,
  postings: () => [],
  commandFrom: (message) => parseTypedCommand(message, floorCommandSchemas, 'a journal'),
  brought: new Set(['post']),
  askedFrom: (asked, version) => upcastRequest(asked, version, {}),
  eventFrom: (recorded) => upcastEvent(recorded, {}) as FloorEvent,
  bookAt: () => undefined,
};

/** Staff of a property: roles, acting roles, sign-in sessions. No postings. Version 2: console offers, reset of an administrator's secret. */
export const staffDecider: LedgerDecider<
  StaffState | undefined,
  StaffRegisterCommand,
  StaffEvent,
  StaffRegisterRefusal
> = {
  name: 'people',
  version: 2,
  initial: undefined,
  decide: decideStaff,
  evolve: evolveStaff,
  postings: () => [],
  commandFrom: (message) => parseTypedCommand(message, staffRegisterCommandSchemas, 'people'),
  brought: new Set(['post', 'held']),
  askedFrom: (asked, version) => upcastRequest(asked, version, {}),
  eventFrom: (recorded) => upcastEvent(recorded, {}) as StaffEvent,
  bookAt: () => undefined,
};
