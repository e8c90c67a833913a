import { addToTableMeters, emptyTableMeters } from '../../src/ledger/meters.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { type TableEvent } from '../../src/table/schema/events.ts';
import { type Table } from '../../src/table/state.ts';

/** All meters of the events of a table. */
export function metersOf(events: readonly TableEvent[]) {
  const meters = emptyTableMeters();
  let table: Table | undefined;
  for (const event of events) {
    if (event.type === 'SettlementPosted') addToTableMeters(meters, event, table!);
    table = evolve(table, structuredClone(event));
  }
  return meters;
}
