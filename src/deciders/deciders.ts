import { versionedRulebookId } from '../games/rulebooks.ts';
import { type FloorCommand, floorCommandSchemas } from '../floor/commands.ts';
import { type FloorEvent } from '../floor/events.ts';
import { type FloorDeciderRefusal, decideFloor } from '../floor/decide.ts';
import { type FloorStreamState } from '../floor/state.ts';
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
  type VersionedCommandPayload,
  type CommandPayloadUpcasters,
  type VersionedEvent,
  type EventUpcasters,
  upcastCommandPayload,
  upcastEvent,
} from '../base/upcast.ts';
import { decide } from '../table/decide/decide.ts';
import { type TableCommand } from '../table/schema/commands.ts';
import { type TableEvent } from '../table/schema/events.ts';
import { parseTableCommand } from '../table/schema/parseCommand.ts';
import { type TableRefusal } from '../table/schema/refusals.ts';
import { gameAndRulebookOf } from '../table/schema/settings.ts';
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

/** A decider with its stored name and version, and with the postings, parsers and upcasters of its stream. */
export type RegisteredDecider<State, Command, Event, Refused> = Decider<State, Command, Event, Refused> & {
  readonly postings: (event: Event, state: State) => readonly Posting[];
  readonly parseCommand: (message: { readonly [field: string]: unknown }) => Command | Refusal;
  /**
   * Names of the fields that the runtime adds as context; a payload never has them. `authority` is the role of the
   * actor, and `grant` is the entry of the staff stream that grants this role. `secondAuthority` and `secondGrant` are
   * the same for the second person.
   */
  readonly contextFields: ReadonlySet<string>;
  /** Upcasts a command payload that was stored under an earlier version of the decider. */
  readonly upcastCommandPayload: (request: VersionedCommandPayload, version: number) => VersionedCommandPayload;
  /** Converts a stored event to the present version of its type. */
  readonly parseEvent: (recorded: VersionedEvent) => Event;
  /** Id and version of the rulebook that applies in this state; undefined if there is no rulebook. */
  readonly rulebookAt: (state: State) => string | undefined;
};

export type DomainEvent = VersionedEvent;

/** An event with its postings, before it is stored. */
export type DecidedEntry<Event> = { readonly event: Event; readonly postings: readonly Posting[] };

/**
 * Applies the events of a command in order and computes their postings. The postings of an event depend on the state
 * before the event.
 */
export function applyEventsWithPostings<State, Event>(
  { evolve: evolveState, postings }: Pick<RegisteredDecider<State, never, Event, never>, 'evolve' | 'postings'>,
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

/**
 * Upcasters of events. When the meaning of an event changes, the event gets a new version, and an upcaster is added
 * here.
 */
const tableUpcasters: EventUpcasters = {};
const terminalUpcasters: EventUpcasters = {};

/**
 * Upcasters of command payloads. When a payload changes, the decider gets a new version, and an upcaster is added here.
 */
const tablePayloadUpcasters: CommandPayloadUpcasters = {};
const terminalPayloadUpcasters: CommandPayloadUpcasters = {};

/** Names of the context fields that a command of a staff member may have. */
const staffContextFields = ['authority', 'grant', 'secondAuthority', 'secondGrant'] as const;

/**
 * Decider of one table. Raise the version of a decider with each change after which `decide` would give another result
 * for some stored command.
 */
export const tableDecider: RegisteredDecider<Table | undefined, TableCommand, TableEvent, TableRefusal> = {
  name: 'table',
  version: 1,
  initial: undefined,
  decide,
  evolve,
  postings: tablePostings,
  parseCommand: parseTableCommand,
  contextFields: new Set(['credit', 'sessionLimits', 'credits', 'slips', ...staffContextFields]),
  upcastCommandPayload: (request, version) => upcastCommandPayload(request, version, tablePayloadUpcasters),
  parseEvent: (recorded) => upcastEvent(recorded, tableUpcasters) as TableEvent,
  rulebookAt: (table) => table && versionedRulebookId(gameAndRulebookOf(table.settings).book),
};

/** Decider of one terminal and its credit sessions. */
export const terminalDecider: RegisteredDecider<
  TerminalState | undefined,
  TerminalCommand,
  TerminalEvent,
  TerminalRefusal
> = {
  name: 'terminal',
  version: 1,
  initial: undefined,
  decide: decideTerminal,
  evolve: evolveTerminal,
  postings: terminalPostings,
  parseCommand: (message) => parseTypedCommand(message, terminalCommandSchemas, 'a terminal'),
  contextFields: new Set([
    ...Object.values(terminalCommands).flatMap((command) => ('context' in command ? command.context : [])),
    ...staffContextFields,
  ]),
  upcastCommandPayload: (request, version) => upcastCommandPayload(request, version, terminalPayloadUpcasters),
  parseEvent: (recorded) => upcastEvent(recorded, terminalUpcasters) as TerminalEvent,
  rulebookAt: () => undefined,
};

/**
 * Decider of the floor stream: starts and closes of the floor, accepted integrity issues, retired shoes and ticket
 * keys, clock jumps and wrong ticket numbers. Its events have no postings.
 */
export const floorDecider: RegisteredDecider<
  FloorStreamState | undefined,
  FloorCommand,
  FloorEvent,
  FloorDeciderRefusal
> = {
  name: 'floor',
  version: 1,
  initial: undefined,
  decide: decideFloor,
  evolve: evolveFloor,
  postings: () => [],
  parseCommand: (message) => parseTypedCommand(message, floorCommandSchemas, 'the floor'),
  contextFields: new Set(['authority']),
  upcastCommandPayload: (request, version) => upcastCommandPayload(request, version, {}),
  parseEvent: (recorded) => upcastEvent(recorded, {}) as FloorEvent,
  rulebookAt: () => undefined,
};

/** Decider of the staff register: roles, consoles, sign-in sessions. Its events have no postings. */
export const staffDecider: RegisteredDecider<
  StaffState | undefined,
  StaffRegisterCommand,
  StaffEvent,
  StaffRegisterRefusal
> = {
  name: 'staff',
  version: 1,
  initial: undefined,
  decide: decideStaff,
  evolve: evolveStaff,
  postings: () => [],
  parseCommand: (message) => parseTypedCommand(message, staffRegisterCommandSchemas, 'staff'),
  contextFields: new Set(['authority', 'grant']),
  upcastCommandPayload: (request, version) => upcastCommandPayload(request, version, {}),
  parseEvent: (recorded) => upcastEvent(recorded, {}) as StaffEvent,
  rulebookAt: () => undefined,
};
