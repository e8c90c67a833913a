import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { createRetryingCheckpointWrite } from './operations/retryingCheckpointWrite.ts';
import { startHeartbeatAndStandstillCheck } from './operations/heartbeat.ts';
import { createTablePauserOnStoreSilence } from './operations/readiness.ts';
import { type Scheduler } from '../runtime/ports/scheduler.ts';
import { type PatronHub } from './patron/patronHub.ts';
import { type ServerDependencies } from './serverFloor.ts';
import { createHeartbeatMessageSource } from './socket/heartbeatMessage.ts';
import { type OpenSocketRegistry } from './openSocketRegistry.ts';

/**
 * Interval of checkpoints in the store, in milliseconds. The anchor file is written more often: with each heartbeat of
 * the floor.
 */
const checkpointEveryMs = 60_000;
/**
 * Interval at which heartbeat messages are due, in milliseconds. A connection to which another message was sent gets
 * none. So each client receives a message at least once in two intervals.
 */
const heartbeatEveryMs = 500;

/**
 * Timers of the server. All of them are cancelled when the server stops, because a waiting retry would keep the process
 * alive.
 */
export class CancellableTimers {
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

  /** Cancels all timers. A timer that is started after this call never runs. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
  }
}

type TimersOptions = Pick<ServerDependencies, 'options' | 'scheduler' | 'failures'> & {
  readonly floor: FloorRuntime;
  readonly sockets: OpenSocketRegistry;
  readonly patrons: PatronHub;
};

export type ServerTimers = {
  /**
   * Milliseconds since a heartbeat of the floor was last stored; Infinity if the latest heartbeat could not be stored.
   */
  readonly silenceMs: () => number;
  readonly writeCheckpoint: ReturnType<typeof createRetryingCheckpointWrite>;
  readonly stop: () => void;
};

/** Writes the first checkpoint, and starts the timers for checkpoints, heartbeats and pings. */
export async function startServerTimers({
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
  const writeCheckpoint = createRetryingCheckpointWrite({
    source: options.checkpoints,
    hasFailed,
    onFatal,
    onRetry,
    onRecovery,
  });
  await writeCheckpoint('checkpoint');
  await writeCheckpoint('anchor');
  const checkSilence = createTablePauserOnStoreSilence(floor, options.silenceOf, (table, isPaused) =>
    patrons.views.setTablePaused(table, isPaused, 'record'),
  );
  const heartbeat = startHeartbeatAndStandstillCheck({
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
      const messageFor = createHeartbeatMessageSource({ clock, streamOfTable, leaderClockOffset });
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
