import { uptime } from 'node:os';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { isFatal } from '../../store/failures.ts';

const beatEvery = 1_000;
/** A page that hears nothing for so long takes its link for lost. */
const stoodAfter = 2_500;

type Parts = {
  readonly floor: FloorRuntime;
  readonly clock: () => number;
  /** What went wrong when it was told that the program stood still. */
  readonly stood: (error: unknown) => void;
  readonly mended: (who: string) => void;
  readonly failed: (who: string, error: unknown) => void;
  readonly lost: (error: unknown) => void;
  /** Called with every beat. */
  readonly beats: () => void;
};

type Pulse = {
  /** So long ago the record took the last beat, in milliseconds; for ever where that failed. */
  readonly silent: () => number;
  readonly stop: () => void;
};

const who = 'the heartbeat';

/** Writes down each second that the floor is alive, and finds out when it stood still. */
export function startHeartbeat({ floor, clock, stood, mended, failed, lost, beats }: Parts): Pulse {
  let seen = runningTimes();
  let beaten = performance.now();
  const beat = async (): Promise<void> => {
    try {
      await floor.beat();
      beaten = performance.now();
      mended(who);
    } catch (error) {
      beaten = -Infinity;
      if (isFatal(error)) lost(error);
      else failed(who, error);
    }
  };
  const timer = setInterval(() => {
    const now = runningTimes();
    const passed = Math.max(...now.map((one, n) => one - seen[n]!));
    // [READING 12] Pages have left a program that stood still for so long: it, and not their links, was lost.
    if (passed > stoodAfter) floor.stoodStill(Math.round(clock() - passed)).catch(stood);
    seen = now;
    void beat();
    beats();
  }, beatEvery);
  return { silent: () => performance.now() - beaten, stop: () => clearInterval(timer) };
}

/** For how long this machine has run, in milliseconds: without the time that it slept, and with it. */
const runningTimes = (): readonly number[] => [performance.now(), uptime() * 1_000];
