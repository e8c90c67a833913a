import { type ClockJump } from './clock.ts';

/** Clock and timers of the process. */
export type Scheduler = {
  readonly now: () => number;
  /** Calls back after a delay in milliseconds; returns a function that cancels. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Subscribes to changes of the machine clock, including one before the subscription. */
  readonly jumped?: (listener: (jump: ClockJump) => void) => void;
};
