import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { scheduleCheckpoints } from './operations/checkpointSchedule.ts';
import { startHeartbeat } from './operations/heartbeat.ts';
import { watchSilentTables } from './operations/readiness.ts';
import { type Scheduler } from '../runtime/ports/scheduler.ts';
import { type PatronHub } from './patron/patronHub.ts';
import { type ServerCore } from './serverFloor.ts';
import { heartbeatMessages } from './socket/heartbeatMessage.ts';
import { type OpenSockets } from './sockets.ts';

/** Interval of checkpoints in the store; the anchor is written with every heartbeat. */
const checkpointEveryMs = 60_000;
/** Interval of heartbeats to clients: no client receives nothing for longer than twice this. */
const heartbeatEveryMs = 500;

/** Timers that end with the server, so that no pending retry keeps the process alive. */
export class PendingTimers {
  readonly #after: Scheduler['after'];
  readonly #cancels = new Set<() => void>();
  #isStopped = false;

  constructor(after: Scheduler['after']) {
    this.#after = after;
  }

  readonly after = (span: number, run: () => void): (() => void) => {
    if (this.#isStopped) return () => {};
    const cancel = this.#after(span, () => {
      this.#cancels.delete(cancel);
      run();
    });
    this.#cancels.add(cancel);
    return () => {
      this.#cancels.delete(cancel);
      cancel();
    };
  };

  /** Cancels all timers; later ones never run. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
  }
}

type TimersOptions = Pick<ServerCore, 'options' | 'scheduler' | 'failures'> & {
  readonly floor: FloorRuntime;
  readonly sockets: OpenSockets;
  readonly patrons: PatronHub;
};

export type ServerTimers = {
  /** Milliseconds since the last stored heartbeat; Infinity after a failure. */
  readonly silenceMs: () => number;
  readonly writeCheckpoint: ReturnType<typeof scheduleCheckpoints>;
  readonly stop: () => void;
};

/** Writes the first checkpoint, then starts the periodic work of a server. */
export async function startTimers({
  options,
  scheduler,
  failures,
  floor,
  sockets,
  patrons,
}: TimersOptions): Promise<ServerTimers> {
  const clock = scheduler.now;
  const { retrying: onRetry, recovered: onRecovery, fatal: onFatal } = failures;
  const hasFailed = (): boolean => failures.hasFailed;
  const writeCheckpoint = scheduleCheckpoints({
    source: options.checkpoints,
    hasFailed,
    onFatal,
    onRetry,
    onRecovery,
  });
  await writeCheckpoint('checkpoint');
  await writeCheckpoint('anchor');
  const checkSilence = watchSilentTables(floor, options.silenceOf, (table, isPaused) =>
    patrons.views.setTablePaused(table, isPaused, 'record'),
  );
  const heartbeat = startHeartbeat({
    floor,
    clock,
    onStandstillError: (error) => failures.report('the floor after it stood still', error),
    onRecovery,
    onRetry,
    onFatal,
    onHeartbeat: () => {
      checkSilence();
      void writeCheckpoint('anchor');
    },
  });
  const streamOfTable = (table: string): string | undefined => floor.tables.get(table)?.stream;
  const { leaderClockOffset } = options;
  const intervals = [
    setInterval(() => void writeCheckpoint('checkpoint'), checkpointEveryMs),
    sockets.inTurn(heartbeatEveryMs, (group) => {
      const messageFor = heartbeatMessages({ clock, streamOfTable, leaderClockOffset });
      for (const connection of group) {
        connection.sendHeartbeat(messageFor(connection));
        connection.closeIfSlow();
      }
    }),
    sockets.inTurn(options.limits.pingEveryMs, (group) => {
      for (const connection of group) connection.ping();
    }),
  ];
  return {
    silenceMs: heartbeat.silenceMs,
    writeCheckpoint,
    stop: () => {
      heartbeat.stop();
      for (const interval of intervals) clearInterval(interval);
    },
  };
}
