import { type EventName, type EventOf } from '../schema/events.ts';
import { type Table } from '../state.ts';

/** One function per event; it changes the table in place. `TableOpened` is missing, since it makes the table. */
export type EventAppliers = {
  readonly [N in Exclude<EventName, 'TableOpened'>]: (table: Table, event: EventOf<N>) => void;
};
