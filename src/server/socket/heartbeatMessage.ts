import { DeviceConnection } from './deviceConnection.ts';
import { StaffConnection } from './staffConnection.ts';

type HeartbeatOptions = {
  readonly clock: () => number;
  readonly streamOfTable: (table: string) => string | undefined;
  /** Clock of the leader of a stream minus the clock of this node, in milliseconds; undefined without a cluster. */
  readonly leaderClockOffset: ((stream: string) => number) | undefined;
};

/**
 * Makes a function that gives the heartbeat message of a connection. The message contains the clock time of the node
 * that leads the table of the connection. Messages with the same time are encoded once.
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
 * The table that a connection sees; undefined if it sees all tables or none. In that case the heartbeat has the time of
 * this node. This is exact enough for the floor view and the lobby, because every leader's clock is within 200 ms of
 * the database clock.
 */
function tableOf(connection: unknown): string | undefined {
  if (connection instanceof StaffConnection) return connection.subscription?.table;
  return connection instanceof DeviceConnection ? connection.table : undefined;
}
