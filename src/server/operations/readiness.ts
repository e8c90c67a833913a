import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type ServerStatus, type Unready } from '../../metrics/metrics.ts';
import { Connection } from '../socket/patronConnection.ts';

type Parts = {
  readonly floor: FloorRuntime;
  readonly isReady: boolean;
  readonly isLost: boolean;
  readonly isFailing: boolean;
  /** So long ago the record took the last heartbeat, in milliseconds; for ever where that failed. */
  readonly silent: number;
  readonly callers: Iterable<unknown>;
};

/** The record is asked each second; one that has not answered for so long does not, whatever it is doing. */
const mostSilent = 5_000;

type Silent = (stream: string) => number;

/** Looks, whenever it is called, for tables whose record answers nobody or that nobody drives, whoever is to: pages say so. */
export function watchSilentTables(
  { tables }: FloorRuntime,
  silent: Silent | undefined,
  halted: (table: string, isHalted: boolean) => void,
): () => void {
  const waiting = new Set<string>();
  return () => {
    for (const { id, stream } of tables.values()) {
      const isSilent = (silent?.(stream) ?? 0) > mostSilent;
      if (isSilent === waiting.has(id)) continue;
      halted(id, isSilent);
      if (isSilent) waiting.add(id);
      else waiting.delete(id);
    }
  };
}

/** How long the record has been silent for the table that has waited for it longest. */
export const longest = ({ tables }: FloorRuntime, silent: Silent): number =>
  Math.max(0, ...[...tables.values()].map(({ stream }) => silent(stream)));

/** How a server stands. */
export function standingOf({ floor, isReady, isLost, isFailing, silent, callers }: Parts): ServerStatus {
  const tables = [...floor.tables.values()].map(({ id, runner }) => ({
    table: id,
    waiting: runner.waiting,
    isUp: runner.canRecord,
  }));
  const waits = [...floor.tables.values()].filter(({ runner }) => !runner.canRecord && !runner.isStopped);
  const cannot = silent > mostSilent || waits.length > 0;
  return {
    unready: isLost ? recordLost : !isReady ? closing : cannot ? cannotRecord : undefined,
    isFailing,
    connections: counted(callers),
    tables,
  };
}

function counted(callers: Iterable<unknown>): ServerStatus['connections'] {
  const count = { patron: 0, display: 0, device: 0, staff: 0 };
  for (const caller of callers) count[kindOf(caller)] += 1;
  return count;
}

function kindOf(caller: unknown): keyof ServerStatus['connections'] {
  if (!(caller instanceof Connection)) return 'staff';
  if (caller.role !== 'terminal') return 'device';
  return caller.secretHash === undefined ? 'display' : 'patron';
}

const closing: Unready = { code: 'server-closing', message: 'The server is starting or closing; try again soon.' };
const cannotRecord: Unready = {
  code: 'cannot-record',
  message: 'The record takes nothing for now; see the log, and make room or mend what it is kept on.',
};
const recordLost: Unready = { code: 'record-lost', message: 'Nobody can go on with this record; the program ends.' };
