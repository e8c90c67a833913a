import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type ServerStatus, type NotReadyReason } from '../../metrics/metrics.ts';
import { DeviceConnection } from '../socket/deviceConnection.ts';
import { serverClosingRefusal } from '../refusals/serverRefusals.ts';

type ReadinessOptions = {
  readonly floor: FloorRuntime;
  readonly isReady: boolean;
  readonly hasFailed: boolean;
  readonly isFailing: boolean;
  /** Milliseconds since the last answer of the store; Infinity if the last heartbeat failed. */
  readonly silenceMs: number;
  readonly connections: Iterable<unknown>;
};

/**
 * A store that has not answered for this many milliseconds counts as unavailable. Each second a heartbeat is written,
 * so a working store answers more often.
 */
const maxSilenceMs = 5_000;

type SilenceOf = (stream: string) => number;

/**
 * Makes a function that checks all tables. It pauses a table for whose stream the store does not answer, or which has
 * no leader, and resumes the table afterwards.
 */
export function createTablePauserOnStoreSilence(
  { tables }: FloorRuntime,
  silenceOf: SilenceOf | undefined,
  setPaused: (table: string, isPaused: boolean) => void,
): () => void {
  const paused = new Set<string>();
  return () => {
    for (const { id, stream } of tables.values()) {
      const isSilent = (silenceOf?.(stream) ?? 0) > maxSilenceMs;
      if (isSilent === paused.has(id)) continue;
      setPaused(id, isSilent);
      if (isSilent) paused.add(id);
      else paused.delete(id);
    }
  };
}

/**
 * Gives the maximum of `silenceOf` over all tables: milliseconds since the store last answered, or since a table lost
 * its leader.
 */
export const worstStoreSilenceMsOf = ({ tables }: FloorRuntime, silenceOf: SilenceOf): number =>
  Math.max(0, ...[...tables.values()].map(({ stream }) => silenceOf(stream)));

export function buildServerStatus({
  floor,
  isReady,
  hasFailed,
  isFailing,
  silenceMs,
  connections,
}: ReadinessOptions): ServerStatus {
  const tables = [...floor.tables.values()].map(({ id, processor }) => ({
    table: id,
    waiting: processor.pendingCount,
    isUp: processor.canAppend,
  }));
  const blocked = [...floor.tables.values()].filter(({ processor }) => !processor.canAppend && !processor.isStopped);
  const cannotAppend = silenceMs > maxSilenceMs || blocked.length > 0;
  return {
    notReady: hasFailed ? recordLost : !isReady ? closing : cannotAppend ? cannotRecord : undefined,
    isFailing,
    connections: countByKind(connections),
    tables,
  };
}

function countByKind(connections: Iterable<unknown>): ServerStatus['connections'] {
  const count = { patron: 0, display: 0, device: 0, staff: 0 };
  for (const connection of connections) count[kindOf(connection)] += 1;
  return count;
}

function kindOf(connection: unknown): keyof ServerStatus['connections'] {
  if (!(connection instanceof DeviceConnection)) return 'staff';
  if (connection.deviceKind !== 'terminal') return 'device';
  return connection.secretHash === undefined ? 'display' : 'patron';
}

const closing: NotReadyReason = { code: serverClosingRefusal.refused, message: serverClosingRefusal.message };
const cannotRecord: NotReadyReason = {
  code: 'cannot-record',
  message: 'Entries cannot be stored at the moment. Read the log, and free space or repair the storage.',
};
const recordLost: NotReadyReason = {
  code: 'record-lost',
  message: 'The event store cannot be used any more, and this process ends. Read its log.',
};
