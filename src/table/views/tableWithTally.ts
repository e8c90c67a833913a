import { type EventName, type TableEvent } from '../schema/events.ts';
import { evolve } from '../evolve/evolve.ts';
import { type Table } from '../state.ts';
import { ShoeTally, factsOfCountedRound, shoeTallyOf } from './shoeTally.ts';

/** Events that cannot change a result; the tally is not rebuilt after them. */
const eventsWithoutResult: ReadonlySet<EventName> = new Set([
  'BetsOpened',
  'BetsExtended',
  'ClosingCalled',
  'BetsClosed',
  'SlipSet',
  'CardDealt',
  'SettlementPosted',
  'SupervisorCalled',
  'CallAnswered',
  'CountInvestigated',
  'NoteAdded',
]);

/**
 * Committed state of a table, with roads and statistics. A new result is added to both. After an event that may change
 * an earlier result, both are built again.
 */
export class TableWithTally {
  #table: Table | undefined;
  #tally: ShoeTally;

  /** Takes over this state; each event then changes it in place. */
  constructor(start?: Table) {
    this.#table = start;
    this.#tally = start ? shoeTallyOf(start) : new ShoeTally();
  }

  /** State of the table; undefined before the table is opened. */
  get table(): Table | undefined {
    return this.#table;
  }

  get tally(): ShoeTally {
    return this.#tally;
  }

  apply(event: TableEvent): Table {
    const table = evolve(this.#table, event);
    this.#table = table;
    const facts = event.type === 'RoundSettled' ? factsOfCountedRound(table.round!, table) : undefined;
    if (facts) this.#tally.add(facts, table.round!.game);
    else if (!eventsWithoutResult.has(event.type)) this.#tally = shoeTallyOf(table);
    return table;
  }
}
