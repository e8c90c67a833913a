import { assert } from '../../base/assert.ts';
import { type EventOf, type TableEvent } from '../schema/events.ts';
import { type Table } from '../state.ts';
import { type EventAppliers } from './eventAppliers.ts';
import { irregularityEventAppliers } from './irregularityEventAppliers.ts';
import { roundEventAppliers } from './roundEventAppliers.ts';
import { shoeEventAppliers } from './shoeEventAppliers.ts';
import { tableEventAppliers } from './tableEventAppliers.ts';

/** The applier of every event; an event without an applier does not compile. */
const appliers: EventAppliers = {
  ...tableEventAppliers,
  ...shoeEventAppliers,
  ...roundEventAppliers,
  ...irregularityEventAppliers,
};

/**
 * Applies an event to a table. Checks no rule, so that old event logs replay unchanged under new code. Changes the
 * table in place: a copy for each event would cost more work, the more slips the table has.
 */
export function evolve(table: Table | undefined, event: TableEvent): Table {
  if (event.type === 'TableOpened') return openedTable(event);
  assert(table !== undefined, 'the table is opened before any other event');
  table.at = event.at;
  const apply = appliers[event.type] as (table: Table, event: TableEvent) => void;
  apply(table, event);
  return table;
}

const openedTable = ({ at, settings }: EventOf<'TableOpened'>): Table => ({
  settings,
  at,
  phase: 'idle',
  shoe: null,
  sealed: [],
  differences: [],
  shoes: [],
  day: '',
  round: null,
  history: [],
  pendingSettlements: [],
  openIrregularities: [],
  referrals: [],
  referred: 0,
  decided: [],
  stoppedSince: null,
  proposal: null,
  proposals: 0,
  disconnected: {},
  shortfalls: {},
  call: null,
  closed: false,
});
