import { DeviceConnection } from './deviceConnection.ts';
import { StaffConnection } from './staffConnection.ts';

type HeartbeatOptions = {
  readonly clock: () => number;
  readonly streamOfTable: (table: string) => string | undefined;
  /** Clock of the leader of a stream minus the clock of this node, in milliseconds; undefined without a cluster. */
  readonly leaderClockOffset: ((stream: string) => number) | undefined;
};

/**
 * Makes a function that gives the heartbeat message of a connection. The message has the clock time of the node that
 * leads the subscribed table. Messages with the same time share their bytes.
 */
export function createHeartbeatMessageSource({
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
 * The table that a connection sees; undefined if the connection sees all tables or no table. Without a table the
 * connection gets the time of this node. That time is exact enough: a node whose clock is more than 200 ms off the
 * database clock leads no table.
 */
function tableOf(connection: unknown): string | undefined {
  if (connection instanceof StaffConnection) return connection.subscription?.table;
  return connection instanceof DeviceConnection ? connection.table : undefined;
}
