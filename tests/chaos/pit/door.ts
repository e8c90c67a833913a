import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { type StaffService } from '../../../src/runtime/staff/staffService.ts';
import { type UncheckedTableSettings } from '../../../src/runtime/tables/tableRuntime.ts';
import { isRefused } from '../../../src/base/refusal.ts';
import { defaultLimits } from '../../../src/server/limits/serverLimits.ts';
import { TokenBuckets } from '../../../src/server/limits/tokenBucket.ts';
import { serverClosing, notSignedIn } from '../../../src/server/shared/refusals.ts';
import {
  type StaffReply,
  type StaffSocketRequest,
  StaffRequestHandler,
} from '../../../src/server/staff/requestHandler.ts';
import { type Lifetime } from '../lifetime.ts';
import { type Network } from '../network.ts';
import { type TestClock } from '../time.ts';
import { type StaffBooks } from './books.ts';

export type DoorParts = {
  readonly time: TestClock;
  readonly network: Network;
  readonly chance: RandomSource;
  readonly life: () => Lifetime | undefined;
  readonly books: StaffBooks;
  readonly key: Buffer;
  readonly settings: readonly UncheckedTableSettings[];
  readonly failed: (error: unknown, what: string) => void;
  readonly protest: (what: string) => void;
};

/** What somebody holds who was let in. */
export type Pass = { readonly token: string; readonly session: string };

const endless = 1e9;

/** How staff reach the floor, in whatever life it is: by the same network as patrons, and at the desk where a server answers. */
export class Door {
  readonly #parts: DoorParts;
  readonly #desks = new WeakMap<FloorRuntime, StaffRequestHandler>();

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** The floor, while it takes what is asked. */
  get floor(): FloorRuntime | undefined {
    return this.#parts.life()?.counter;
  }

  /** What is asked with an id by somebody who was let in; nothing that is said need arrive, nor be answered. */
  ask(pass: Pass, said: StaffSocketRequest, hear: (answer: StaffReply) => void): void {
    this.#parts.network.carry(() => this.#arrive(pass, said, hear));
  }

  /** Number and secret, a relief, a lock: what is asked without an id. */
  request<T>(ask: (people: StaffService) => Promise<T>, hear: (answer: T) => void): void {
    const { network, failed } = this.#parts;
    network.carry(() => {
      const life = this.#parts.life();
      if (life?.counter === undefined) return;
      ask(life.counter.staff).then(
        (answer) => this.#say(life, () => hear(answer)),
        (error: unknown) => life.isAlive && failed(error, 'A request of staff'),
      );
    });
  }

  #arrive(pass: Pass, said: StaffSocketRequest, hear: (answer: StaffReply) => void): void {
    const { books, time, protest, failed } = this.#parts;
    const life = this.#parts.life();
    if (life?.floor === undefined) return;
    if (life.parking) {
      this.#say(life, () => hear(serverClosing));
      return;
    }
    const session = life.floor.staff.sessionByToken(pass.token);
    const asking = books.request(said, pass.session);
    const answer = (answered: StaffReply): void => {
      if (!life.isAlive) return;
      const problem = books.answered(asking, answered);
      if (problem) protest(problem);
      this.#say(life, () => hear(answered));
    };
    if (session === undefined) {
      answer(notSignedIn);
      return;
    }
    this.#desk(life.floor, life)
      .answer(session, said, pass.session, time.now)
      .then(answer, (error: unknown) => life.isAlive && failed(error, `${said.id} broke`));
  }

  #say(life: Lifetime, hear: () => void): void {
    const { network, chance } = this.#parts;
    if (!life.isAlive) return;
    network.carry(() => {
      // What was under way when the plug was pulled is lost or not.
      if (life.isAlive || chance.below(2) === 0) hear();
    });
  }

  #desk(floor: FloorRuntime, life: Lifetime): StaffRequestHandler {
    const known = this.#desks.get(floor);
    if (known) return known;
    const { time, key, settings, failed } = this.#parts;
    const desk = new StaffRequestHandler(
      {
        clock: time.clock,
        limits: { ...defaultLimits, writeBurst: endless, writesPerSecond: endless },
        store: life.disk.store,
        key,
        settings: new Map(settings.map((setting) => [setting.table, setting])),
        publisherOf: () => undefined,
        patronHub: { isConnected: () => true, tableOf: () => null },
        cageLimits: { handPay: null, nameFrom: null },
        secretTries: new TokenBuckets(endless, endless),
        isClosing: () => life.parking,
        warn: (what, error) => life.isAlive && failed(error, what),
      },
      floor,
    );
    this.#desks.set(floor, desk);
    return desk;
  }
}

/** The code of a refusal. */
export const codeOf = (answer: StaffReply): string | undefined => (isRefused(answer) ? answer.refused : undefined);
