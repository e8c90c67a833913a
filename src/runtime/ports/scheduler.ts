import { type ClockJump } from './clock.ts';

export type Scheduler = {
  readonly now: () => number;
  /** Calls `run` after a delay of `time` milliseconds; returns a function that cancels the call. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Subscribes to changes of the machine's time of day. Changes before the subscription are reported too. */
  readonly subscribeClockJumps?: (listener: (jump: ClockJump) => void) => void;
};
