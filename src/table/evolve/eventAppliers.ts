import { type EventName, type EventOf } from '../schema/events.ts';
import { type Table } from '../state.ts';

/**
 * One applier for each event, which changes the table in place. `TableOpened` has no applier, since it creates the
 * table.
 */
export type EventAppliers = {
  readonly [N in Exclude<EventName, 'TableOpened'>]: (table: Table, event: EventOf<N>) => void;
};
