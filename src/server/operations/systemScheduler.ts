import { uptime } from 'node:os';
import { type ClockJump, createFloorClock, chooseFloorStartTime } from '../../runtime/ports/clock.ts';
import { readTrustedHeartbeats, floorHeartbeatName } from '../../runtime/floor/heartbeats.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';
import { type StoreReader } from '../../store/store.ts';

type MachineTimeOptions = {
  /** True to use the time of this machine even if it is far from the time of the last entry in the event log. */
  readonly acceptClock?: boolean;
  /**
   * Latest time at which the floor can have run, by its anchor, in milliseconds since 1970. A stored heartbeat of the
   * floor after this time is not trusted.
   */
  readonly lastAliveAt?: number;
  readonly onClockJump?: (jump: ClockJump) => void;
};

/** Creates a scheduler from the clock of this machine. Its time never lies before the last entry of the event log. */
export async function createSystemScheduler(
  store: StoreReader,
  { acceptClock = false, lastAliveAt, onClockJump }: MachineTimeOptions,
): Promise<Scheduler> {
  const { at, jump: startJump } = chooseFloorStartTime(
    Date.now(),
    await lastKnownTime(store, lastAliveAt),
    acceptClock,
  );
  const early: ClockJump[] = [];
  let deliver = (jump: ClockJump): void => void early.push(jump);
  const notify = (jump: ClockJump): void => {
    onClockJump?.(jump);
    deliver(jump);
  };
  if (startJump) notify(startJump);
  const sources = { wall: Date.now, monotonic: () => performance.now(), uptime: () => uptime() * 1_000 };
  return {
    now: createFloorClock(at, sources, notify),
    after: (time, run) => {
      const timer = setTimeout(run, time);
      return () => clearTimeout(timer);
    },
    subscribeClockJumps: (listener) => {
      deliver = listener;
      for (const jump of early.splice(0)) listener(jump);
    },
  };
}

/** Time of the last floor heartbeat or table entry, whichever is later; undefined for a new store. */
async function lastKnownTime(store: StoreReader, lastAliveAt: number | undefined): Promise<number | undefined> {
  let last = (await readTrustedHeartbeats(store, lastAliveAt)).get(floorHeartbeatName);
  for (const [stream, { sequence }] of await store.heads()) {
    if (!stream.includes('/table/')) continue;
    for await (const [entry] of store.read(stream, sequence - 1, 1)) last = Math.max(last ?? 0, entry?.at ?? 0);
  }
  return last;
}
