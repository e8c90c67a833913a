import { type EventName, type EventOf } from '../schema/events.ts';
import { type Table } from '../state.ts';

/**
 * One applier for each event. An applier changes the table in place. `TableOpened` has no applier, since this event
 * creates the table.
 */
export type EventAppliers = {
  readonly [N in Exclude<EventName, 'TableOpened'>]: (table: Table, event: EventOf<N>) => void;
};
