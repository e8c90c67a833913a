import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type FaultyStore } from './faults/faultyStore.ts';
import { seatPatron } from '../runtime/support/testDependencies.ts';
import { type TestClock } from './time.ts';

/** One process lifetime of the floor, from its opening to its end. */
export class Lifetime {
  floor: FloorRuntime | undefined;
  parking = false;
  /** Time of the last event of each table, slips excepted. */
  readonly lastProgress = new Map<string, number>();
  readonly #faultyStore: FaultyStore;
  readonly #time: TestClock;
  readonly #timers = new Set<() => void>();
  readonly #seating = new Map<string, Promise<string>>();
  /** Failures since the last append to a stream. */
  readonly #faults = new Map<string, number>();
  #isAlive = true;
  #lateCalls = 0;

  constructor(time: TestClock, createStore: (lifetime: Lifetime) => FaultyStore) {
    this.#time = time;
    this.#faultyStore = createStore(this);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get faultyStore(): FaultyStore {
    return this.#faultyStore;
  }

  /** The floor while it accepts requests. */
  get openFloor(): FloorRuntime | undefined {
    return this.parking ? undefined : this.floor;
  }

  /** Timer that runs only during this lifetime. */
  readonly after = (time: number, call: () => void): (() => void) => {
    if (!this.#isAlive) {
      if (this.#lateCalls++ < 100) callAfterEnd(call);
      return () => {};
    }
    this.#timers.add(call);
    const cancel = this.#time.after(time, () => {
      if (this.#timers.delete(call)) call();
    });
    return () => {
      this.#timers.delete(call);
      cancel();
    };
  };

  /** Ends the lifetime: all timers run at once, and find the store killed. */
  end(): void {
    this.#isAlive = false;
    this.#faultyStore.kill();
    for (const call of this.#timers) callAfterEnd(call);
    this.#timers.clear();
  }

  /** A read or write of a stream has failed. */
  recordFault(stream: string): void {
    this.#faults.set(stream, this.faultsAt(stream) + 1);
  }

  clearFaults(stream: string): void {
    this.#faults.delete(stream);
  }

  faultsAt(stream: string): number {
    return this.#faults.get(stream) ?? 0;
  }

  /** Seats a secret; concurrent calls share one seat. */
  seat(floor: FloorRuntime, secret: string, credit: number): Promise<string> {
    const seat =
      this.#seating.get(secret) ?? seatPatron(floor, secret, credit).finally(() => this.#seating.delete(secret));
    this.#seating.set(secret, seat);
    return seat;
  }
}

function callAfterEnd(call: () => void): void {
  queueMicrotask(() => {
    try {
      call();
    } catch {
      // Errors of a killed process are not visible.
    }
  });
}
