import { uptime } from 'node:os';
import { type Jump, floorClock, startOf } from '../../runtime/ports/clock.ts';
import { trustedHeartbeats, floorPulse } from '../../runtime/ports/heartbeats.ts';
import { type StoreReader } from '../../store/store.ts';

/** Time as a server knows it. */
export type Scheduler = {
  readonly now: () => number;
  /** Calls back after so many milliseconds; gives what stops it. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Tells a listener when the clock of the machine was set, also if that was before it listened. */
  readonly jumped?: (heard: (jump: Jump) => void) => void;
};

/** What somebody wants of the time of this machine. */
type Wanted = {
  /** Whether it is taken as it is, however far from the record's. */
  readonly isClockAccepted?: boolean;
  /** No floor was alive on the record later than this, as far as anybody knows. */
  readonly latest?: number;
  /** Called when the clock was set. */
  readonly jumped?: (jump: Jump) => void;
};

/** The time of this machine, for a floor on a record. */
export async function machineTime(
  store: StoreReader,
  { isClockAccepted = false, latest, jumped }: Wanted,
): Promise<Scheduler> {
  const { at, jump } = startOf(Date.now(), await endOf(store, latest), isClockAccepted);
  const early: Jump[] = [];
  let hear = (one: Jump): void => void early.push(one);
  const tell = (one: Jump): void => {
    jumped?.(one);
    hear(one);
  };
  if (jump) tell(jump);
  const sources = { wall: Date.now, running: () => performance.now(), up: () => uptime() * 1_000 };
  return {
    now: floorClock(at, sources, tell),
    after: (time, run) => {
      const timer = setTimeout(run, time);
      return () => clearTimeout(timer);
    },
    jumped: (heard) => {
      hear = heard;
      for (const one of early.splice(0)) heard(one);
    },
  };
}

/** The last time that the record knows of, by its heartbeat or at a table; none in a new one. */
async function endOf(store: StoreReader, latest: number | undefined): Promise<number | undefined> {
  let last = (await trustedHeartbeats(store, latest)).get(floorPulse);
  for (const [stream, { sequence }] of await store.heads()) {
    if (!stream.includes('/table/')) continue;
    for await (const [entry] of store.read(stream, sequence - 1, 1)) last = Math.max(last ?? 0, entry?.at ?? 0);
  }
  return last;
}
