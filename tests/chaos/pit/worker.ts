import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { type StaffService } from '../../../src/runtime/staff/staffService.ts';
import { type SignInResult } from '../../../src/runtime/staff/signInService.ts';
import { type Role } from '../../../src/access/roles.ts';
import { type StaffReply, type StaffSocketRequest } from '../../../src/server/staff/requestHandler.ts';
import { type TestClock } from '../time.ts';
import { seldom } from './acts.ts';
import { type Door, type Pass, codeOf } from './door.ts';
import { again } from './orders.ts';

/** What is asked, without the id that it is given. */
export type Wish = StaffSocketRequest extends infer A ? (A extends { id: string } ? Omit<A, 'id'> : never) : never;

export type Parts = {
  readonly door: Door;
  readonly time: TestClock;
  readonly chance: RandomSource;
  readonly isCalm: () => boolean;
};

/** Where somebody signs in: by a PIN at a console, or by a click. */
export type Place =
  | { readonly table?: string; readonly console: (floor: FloorRuntime) => string | undefined }
  | 'click';

/**
 * Somebody of the staff: signs in and out, mistypes, does what the post is for, and asks again under the same id until
 * there is an answer.
 */
export class Worker {
  readonly number: string;
  pin: string;
  /** Where this person works now; nowhere while somebody else is there. */
  place: Place | undefined;
  role: Role | undefined;
  pass: Pass | undefined;
  readonly #parts: Parts;
  readonly #wish: (worker: Worker) => Wish | undefined;
  #pending: StaffSocketRequest | undefined;
  #hear: ((answer: StaffReply) => void) | undefined;
  #sent = 0;
  /** A request that waits for its answer, until then at most. */
  #waitsUntil = 0;
  #isLocked = false;
  #ids = 0;

  constructor(
    number: string,
    pin: string,
    place: Place | undefined,
    parts: Parts,
    wish: (worker: Worker) => Wish | undefined,
  ) {
    this.number = number;
    this.pin = pin;
    this.place = place;
    this.#parts = parts;
    this.#wish = wish;
    this.#live();
  }

  get isWaiting(): boolean {
    return this.#pending !== undefined;
  }

  get chance(): RandomSource {
    return this.#parts.chance;
  }

  get person(): string | undefined {
    const floor = this.#parts.door.floor;
    return Object.values(floor?.staff.state?.members ?? {}).find(({ number }) => number === this.number)?.person;
  }

  /** Somebody who was let in at the console of another. */
  takeOver(pass: Pass, place: Place | undefined): void {
    this.pass = pass;
    this.place = place;
    this.#isLocked = false;
  }

  /** Goes, and never hears what became of what was asked last. */
  leave(): void {
    this.pass = undefined;
    this.place = undefined;
    this.#pending = undefined;
  }

  #live(): void {
    const { time, chance } = this.#parts;
    time.after(700 + chance.below(this.#parts.isCalm() ? 1_500 : 3_000), () => {
      this.#act();
      this.#live();
    });
  }

  #act(): void {
    const { door, time, chance, isCalm } = this.#parts;
    if (time.now < this.#waitsUntil || door.floor === undefined) return;
    if (this.pass === undefined) {
      if (this.place) this.#signIn(this.place);
      return;
    }
    if (this.#isLocked) {
      this.#unlock(this.pass);
      return;
    }
    if (this.#pending) {
      if (time.now - this.#sent > 2_000 + chance.below(4_000)) this.#send(this.pass, this.#pending);
      return;
    }
    if (!isCalm() && seldom(chance, 90)) this.#goes(this.pass);
    else {
      const wish = this.#wish(this);
      if (wish) this.ask(wish);
    }
  }

  /** Signs out in the middle of whatever it is, or locks the screen. */
  #goes({ session }: Pass): void {
    const { door, chance } = this.#parts;
    if (seldom(chance, 3)) {
      door.request(
        (people) => people.lock(session),
        (refusal) => (this.#isLocked = refusal === undefined),
      );
      return;
    }
    door.request(
      (people) => people.signOut(session),
      () => {},
    );
    this.pass = undefined;
  }

  #signIn(place: Place): void {
    const { door, chance, isCalm } = this.#parts;
    const console = place === 'click' ? null : place.console(door.floor!);
    if (console === undefined) return;
    const secret = !isCalm() && seldom(chance, 4) ? '135791' : this.pin;
    const { number, role } = this;
    const who = { number, console, ...(role && { role }) };
    this.request(
      (people) =>
        place === 'click' ? people.signIns.demoSignIn(who) : people.signIns.signIn({ ...who, secret, kind: 'pin' }),
      (answer) => this.#let(answer),
    );
  }

  #let(answer: SignInResult | { readonly refused: string; readonly until?: number }): void {
    if ('token' in answer) {
      this.pass = { token: answer.token, session: answer.session.id };
      this.#isLocked = false;
    } else if (answer.refused === 'role-not-held') this.role = undefined;
    else if (answer.until !== undefined) this.#waitsUntil = answer.until;
  }

  #unlock({ session }: Pass): void {
    const { chance } = this.#parts;
    const secret = this.place === 'click' ? undefined : seldom(chance, 5) ? '135791' : this.pin;
    this.request(
      (people) => people.signIns.unlock(session, secret),
      (refusal) => {
        this.#isLocked = refusal !== undefined && refusal.refused !== 'session-over';
        if (refusal?.refused === 'session-over' || refusal?.refused === 'unknown-session') this.pass = undefined;
        if (refusal?.until !== undefined) this.#waitsUntil = refusal.until;
      },
    );
  }

  /** Asks and waits for a while; an answer that comes later is not heard any more. */
  request<T>(ask: (people: StaffService) => Promise<T>, hear: (answer: T) => void): void {
    const { door, time } = this.#parts;
    const until = time.now + 6_000;
    this.#waitsUntil = until;
    door.request(ask, (answer) => {
      if (this.#waitsUntil !== until) return;
      this.#waitsUntil = 0;
      hear(answer);
    });
  }

  /** Asks until there is an answer. */
  ask(wish: Wish, hear?: (answer: StaffReply) => void): void {
    this.#ids += 1;
    this.#pending = { ...wish, id: `${this.number}-${String(this.#ids).padStart(6, '0')}` };
    this.#hear = hear;
    if (this.pass) this.#send(this.pass, this.#pending);
  }

  #send(pass: Pass, said: StaffSocketRequest): void {
    const { door, time } = this.#parts;
    this.#sent = time.now;
    door.ask(pass, said, (answer) => this.#answered(pass, said, answer));
  }

  #answered(pass: Pass, said: StaffSocketRequest, answer: StaffReply): void {
    if (this.#pending?.id !== said.id) return;
    const code = codeOf(answer);
    if (code === 'session-locked' && this.pass === pass) this.#isLocked = true;
    if ((code === 'not-signed-in' || code === 'session-over') && this.pass === pass) this.pass = undefined;
    if (code !== undefined && again.has(code)) return;
    this.#pending = undefined;
    this.#hear?.(answer);
  }
}

export const isLetIn = (answer: unknown): answer is SignInResult =>
  typeof answer === 'object' && answer !== null && 'token' in answer;
