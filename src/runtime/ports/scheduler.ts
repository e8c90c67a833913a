import { type ClockJump } from './clock.ts';

/** Clock and timers of the process. */
export type Scheduler = {
  readonly now: () => number;
  /** Calls `run` after a delay of `time` milliseconds; returns a function that cancels the call. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Subscribes to changes of the machine clock. A change before the subscription is reported too. */
  readonly subscribeClockJumps?: (listener: (jump: ClockJump) => void) => void;
};
