import { uptime } from 'node:os';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { isFatalStoreError } from '../../store/failures.ts';

const heartbeatIntervalMs = 1_000;
/**
 * Milliseconds above which a standstill of this process is recorded. Clients close a connection on which nothing
 * arrives for this time.
 */
const standstillMs = 2_500;

type HeartbeatDependencies = {
  readonly floor: FloorRuntime;
  readonly clock: () => number;
  readonly onStandstillError: (error: unknown) => void;
  readonly onRecovery: (subject: string) => void;
  readonly onRetry: (subject: string, error: unknown) => void;
  readonly onFatal: (error: unknown) => void;
  readonly onHeartbeat: () => void;
};

type Heartbeat = {
  /** Milliseconds since a heartbeat was last stored; Infinity if the latest heartbeat could not be stored. */
  readonly silenceMs: () => number;
  readonly stop: () => void;
};

const subject = 'the heartbeat';

/** Stores a heartbeat of the floor each second. Also detects that this process has stood still. */
export function startHeartbeatAndStandstillCheck({
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
    // [READING 12] During a standstill clients lose their connections because of this process, not because of their
    // network.
    if (passedMs > standstillMs) floor.processStalled(Math.round(clock() - passedMs)).catch(onStandstillError);
    last = now;
    void recordHeartbeat();
    onHeartbeat();
  }, heartbeatIntervalMs);
  return { silenceMs: () => performance.now() - heartbeatAt, stop: () => clearInterval(timer) };
}

/**
 * Readings of two clocks in milliseconds. While the machine sleeps, the first clock may stop, and the second continues.
 */
const runningTimesMs = (): readonly number[] => [performance.now(), uptime() * 1_000];
