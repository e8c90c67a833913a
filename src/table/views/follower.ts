import { type EventName, type TableEvent } from '../schema/events.ts';
import { evolve } from '../evolve/evolve.ts';
import { type Table } from '../state.ts';
import { ShoeTally, countedFacts, tallyOf } from './shoeTally.ts';

/** What happens all the time and changes no result that is there. */
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
  'CountLookedInto',
  'NoteAdded',
]);

/**
 * A table followed from what is written of it, with a state of its own: the one that decides runs ahead of the record. A
 * result is added to roads and statistics; after anything that may change an earlier one they are made again.
 */
export class Follower {
  #table: Table | undefined;
  #tally: ShoeTally;

  /** From a state that is its own from now on, or from nothing. */
  constructor(start?: Table) {
    this.#table = start;
    this.#tally = start ? tallyOf(start) : new ShoeTally();
  }

  /** The state; undefined before the table was opened. */
  get table(): Table | undefined {
    return this.#table;
  }

  get tally(): ShoeTally {
    return this.#tally;
  }

  take(event: TableEvent): Table {
    const table = evolve(this.#table, event);
    this.#table = table;
    const facts = event.type === 'RoundSettled' ? countedFacts(table.round!, table) : undefined;
    if (facts) this.#tally.add(facts, table.round!.game);
    else if (!eventsWithoutResult.has(event.type)) this.#tally = tallyOf(table);
    return table;
  }
}
