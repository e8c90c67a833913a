import { uptime } from 'node:os';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { isFatalStoreError } from '../../store/failures.ts';

const heartbeatIntervalMs = 1_000;
/** A client gives up a connection that was silent for this long. */
const standstillMs = 2_500;

type HeartbeatDependencies = {
  readonly floor: FloorRuntime;
  readonly clock: () => number;
  /** Called when the standstill could not be reported to the floor. */
  readonly onStandstillError: (error: unknown) => void;
  readonly onRecovery: (subject: string) => void;
  readonly onRetry: (subject: string, error: unknown) => void;
  readonly onFatal: (error: unknown) => void;
  readonly onHeartbeat: () => void;
};

type Heartbeat = {
  /** Milliseconds since the last stored heartbeat; Infinity after a failure. */
  readonly silenceMs: () => number;
  readonly stop: () => void;
};

const subject = 'the heartbeat';

/** Stores a heartbeat of the floor each second and detects that this process stood still. */
export function startHeartbeat({
  floor,
  clock,
  onStandstillError,
  onRecovery,
  onRetry,
  onFatal,
  onHeartbeat,
}: HeartbeatDependencies): Heartbeat {
  let last = runningTimesMs();
  let heartbeatAt = performance.now();
  const recordHeartbeat = async (): Promise<void> => {
    try {
      await floor.recordHeartbeats();
      heartbeatAt = performance.now();
      onRecovery(subject);
    } catch (error) {
      heartbeatAt = -Infinity;
      if (isFatalStoreError(error)) onFatal(error);
      else onRetry(subject, error);
    }
  };
  const timer = setInterval(() => {
    const now = runningTimesMs();
    const passedMs = Math.max(...now.map((one, n) => one - last[n]!));
    // [READING 12] Clients have closed their connections: the process failed, not their links.
    if (passedMs > standstillMs) floor.processStalled(Math.round(clock() - passedMs)).catch(onStandstillError);
    last = now;
    void recordHeartbeat();
    onHeartbeat();
  }, heartbeatIntervalMs);
  return { silenceMs: () => performance.now() - heartbeatAt, stop: () => clearInterval(timer) };
}

/** Running time of this machine in milliseconds, without and with sleep. */
const runningTimesMs = (): readonly number[] => [performance.now(), uptime() * 1_000];
