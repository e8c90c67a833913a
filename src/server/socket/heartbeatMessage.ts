import { PatronConnection } from './patronConnection.ts';
import { StaffConnection } from './staffConnection.ts';

type HeartbeatOptions = {
  readonly clock: () => number;
  readonly streamOfTable: (table: string) => string | undefined;
  /** Clock of the leader of a stream minus the clock of this node; undefined without a cluster. */
  readonly leaderClockOffset: ((stream: string) => number) | undefined;
};

/**
 * Heartbeat messages with the time of the leader of the table that a connection sees. Connections with the same time
 * share the bytes.
 */
export function heartbeatMessages({
  clock,
  streamOfTable,
  leaderClockOffset,
}: HeartbeatOptions): (connection: unknown) => Buffer {
  const now = clock();
  const bytesByTime = new Map<number, Buffer>();
  return (connection) => {
    const table = leaderClockOffset && tableOf(connection);
    const stream = table === undefined ? undefined : streamOfTable(table);
    const at = now + (stream === undefined ? 0 : Math.round(leaderClockOffset!(stream)));
    const bytes = bytesByTime.get(at) ?? Buffer.from(JSON.stringify({ type: 'heartbeat', at }), 'utf8');
    bytesByTime.set(at, bytes);
    return bytes;
  };
}

/**
 * A view of all tables has several leaders and gets the time of this node: a node with a clock more than 200 ms from
 * the database's leads nothing.
 */
function tableOf(connection: unknown): string | undefined {
  if (connection instanceof StaffConnection) return connection.subscription?.table;
  return connection instanceof PatronConnection ? connection.table : undefined;
}
