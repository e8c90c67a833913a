import { type FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type Disk } from './faultyStore.ts';
import { seatPatron } from '../runtime/made.ts';
import { type MadeTime } from './time.ts';

/** One life of the floor, from its opening to the moment when nothing of it is left. */
export class Lifetime {
  floor: FloorRuntime | undefined;
  parking = false;
  /** When each table last went on by itself. */
  readonly moved = new Map<string, number>();
  readonly #disk: Disk;
  readonly #time: MadeTime;
  readonly #timers = new Set<() => void>();
  readonly #seating = new Map<string, Promise<string>>();
  /** Failures since a stream was last written to. */
  readonly #faults = new Map<string, number>();
  #isAlive = true;
  #calledDead = 0;

  constructor(time: MadeTime, diskFor: (life: Lifetime) => Disk) {
    this.#time = time;
    this.#disk = diskFor(this);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get disk(): Disk {
    return this.#disk;
  }

  /** The floor, while it takes what patrons ask. */
  get counter(): FloorRuntime | undefined {
    return this.parking ? undefined : this.floor;
  }

  /** Calls later, while there is life. */
  readonly after = (time: number, call: () => void): (() => void) => {
    if (!this.#isAlive) {
      if (this.#calledDead++ < 100) callDead(call);
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

  /** Nothing of it goes on: whoever waits for a time is called at once, and finds everything cut off. */
  end(): void {
    this.#isAlive = false;
    this.#disk.cut();
    for (const call of this.#timers) callDead(call);
    this.#timers.clear();
  }

  /** A stream that failed to be read or written. */
  struck(stream: string): void {
    this.#faults.set(stream, this.faultsAt(stream) + 1);
  }

  wrote(stream: string): void {
    this.#faults.delete(stream);
  }

  faultsAt(stream: string): number {
    return this.#faults.get(stream) ?? 0;
  }

  /** The session of a secret; asked twice at once, it is seated once. */
  seat(floor: FloorRuntime, secret: string, credit: number): Promise<string> {
    const seating =
      this.#seating.get(secret) ?? seatPatron(floor, secret, credit).finally(() => this.#seating.delete(secret));
    this.#seating.set(secret, seating);
    return seating;
  }
}

function callDead(call: () => void): void {
  queueMicrotask(() => {
    try {
      call();
    } catch {
      // Whatever breaks in a program that was killed, nobody sees.
    }
  });
}
