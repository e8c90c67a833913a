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
import { type VersionedRequest, type RequestUpcasters, type VersionedEvent, type EventUpcasters, upcastRequest, upcastEvent } from '../base/upcast.ts';
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

/** A decider with the money that its events move, and the way in for commands. */
export type LedgerDecider<State, Command, Event, Refused> = Decider<State, Command, Event, Refused> & {
  readonly postings: (event: Event, state: State) => readonly Posting[];
  /** A command by its fields, or what is wrong with them. */
  readonly commandFrom: (message: { readonly [field: string]: unknown }) => Command | Refusal;
  /**
   * What can be brought to its commands and is never asked. `post` is that of the person who asks, and `held` the entry of the
   * register of people by which it is held; `secondPost` and `secondHeld` are those of a second who is named.
   */
  readonly brought: ReadonlySet<string>;
  /** What was asked of the decider when it was of that version, as it is asked today. */
  readonly askedFrom: (asked: VersionedRequest, version: number) => VersionedRequest;
  /** An event of the record, in the form of today. */
  readonly eventFrom: (recorded: VersionedEvent) => Event;
  /** The book that it decides by at that state, if any, with its version. */
  readonly bookAt: (state: State) => string | undefined;
};

/** What every decider's events have in common. */
export type DomainEvent = VersionedEvent;

/** What a record keeps of an event: itself and the money it moves. */
export type DecidedEntry<Event> = { readonly event: Event; readonly postings: readonly Posting[] };

/** The events of a command one after another: each with the money it moves, the state moved on. */
export function applyEvents<State, Event>(
  { evolve: moveOn, postings }: Pick<LedgerDecider<State, never, Event, never>, 'evolve' | 'postings'>,
  events: readonly Event[],
  before: State,
): { readonly entries: readonly DecidedEntry<Event>[]; readonly state: State } {
  let state = before;
  const entries = events.map((event) => {
    const moved = postings(event, state);
    state = moveOn(state, event);
    return { event, postings: moved };
  });
  return { entries, state };
}

/** A change of what an event of a table means comes with a new version of it, and with a step here. */
const tableUpgrades: EventUpcasters = {};
const terminalUpgrades: EventUpcasters = {};

/** A change of how a command is asked comes with a new version of its decider, and with a step here. */
const tableAskedUpgrades: RequestUpcasters = {};
const terminalAskedUpgrades: RequestUpcasters = {};

/** What is brought to the command of a person, whatever it is about. */
const ofPersons = ['post', 'held', 'secondPost', 'secondHeld'] as const;

/** One table. The second version lets nothing be computed after an interruption before the felt is confirmed. Whoever changes what `decide` leads to for a command that was recorded raises the version. */
export const tableDecider: LedgerDecider<Table | undefined, TableCommand, TableEvent, TableRefusal> = {
  name: 'table',
  version: 2,
  initial: undefined,
  decide,
  evolve,
  postings: tablePostings,
  commandFrom: parseTableCommand,
  brought: new Set(['credit', 'care', 'credits', 'slips', ...ofPersons]),
  askedFrom: (asked, version) => upcastRequest(asked, version, tableAskedUpgrades),
  eventFrom: (recorded) => upcastEvent(recorded, tableUpgrades) as TableEvent,
  bookAt: (table) => table && fullRulebookName(resolveSettings(table.setting).book),
};

/** One terminal's credit. The second version knows tickets, limits and breaks, the third ends sessions that have nothing left, the fourth has hand-pays signed by two before the cage pays them, the fifth lets one propose them, another approve them, and withdraws them. */
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
    ...Object.values(terminalCommands).flatMap((one) => ('brings' in one ? one.brings : [])),
    ...ofPersons,
  ]),
  askedFrom: (asked, version) => upcastRequest(asked, version, terminalAskedUpgrades),
  eventFrom: (recorded) => upcastEvent(recorded, terminalUpgrades) as TerminalEvent,
  bookAt: () => undefined,
};

/** A floor as a whole: when it ran, and what happened to it beside its tables. No money moves here. */
export const journalDecider: LedgerDecider<FloorState | undefined, FloorCommand, FloorEvent, FloorDeciderRefusal> = {
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

/** The people of a property: posts, acting posts and sessions. No money moves here. The second version offers consoles to devices, and resets the secret of an administrator. */
export const peopleDecider: LedgerDecider<
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
