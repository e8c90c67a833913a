import { type RandomSource } from '../../../src/runtime/ports/random.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { type StaffService } from '../../../src/runtime/staff/staffService.ts';
import { type NewSessionWithToken } from '../../../src/runtime/staff/signInService.ts';
import { type Role } from '../../../src/access/roles.ts';
import { type StaffReply, type StaffSocketRequest } from '../../../src/server/staff/staffRequestHandler.ts';
import { type TestClock } from '../time.ts';
import { oneIn } from './tableActions.ts';
import { type StaffPort, type SessionCredentials, codeOf } from './staffPort.ts';
import { retryCodes } from './staffRequests.ts';

/** A request without its id. */
export type NewRequest = StaffSocketRequest extends infer A
  ? A extends { id: string }
    ? Omit<A, 'id'>
    : never
  : never;

export type StaffMemberOptions = {
  readonly port: StaffPort;
  readonly time: TestClock;
  readonly random: RandomSource;
  readonly isFinishing: () => boolean;
};

/** Where a staff member signs in: with a PIN at a console, or in one click. */
export type Workplace =
  | { readonly table?: string; readonly console: (floor: FloorRuntime) => string | undefined }
  | 'click';

/**
 * Staff member: signs in and out, mistypes, works by role, and resends each request with the same id until there is a
 * reply.
 */
export class StaffMember {
  readonly number: string;
  pin: string;
  /** Undefined while another person works there. */
  workplace: Workplace | undefined;
  role: Role | undefined;
  credentials: SessionCredentials | undefined;
  readonly #options: StaffMemberOptions;
  readonly #nextRequest: (member: StaffMember) => NewRequest | undefined;
  #pending: StaffSocketRequest | undefined;
  #onReply: ((answer: StaffReply) => void) | undefined;
  #sent = 0;
  /** Waits for a reply until this time at most. */
  #busyUntil = 0;
  #isLocked = false;
  #ids = 0;

  constructor(
    number: string,
    pin: string,
    workplace: Workplace | undefined,
    options: StaffMemberOptions,
    request: (member: StaffMember) => NewRequest | undefined,
  ) {
    this.number = number;
    this.pin = pin;
    this.workplace = workplace;
    this.#options = options;
    this.#nextRequest = request;
    this.#scheduleNext();
  }

  get hasPending(): boolean {
    return this.#pending !== undefined;
  }

  get random(): RandomSource {
    return this.#options.random;
  }

  get person(): string | undefined {
    const floor = this.#options.port.floor;
    return Object.values(floor?.staff.state?.members ?? {}).find(({ number }) => number === this.number)?.person;
  }

  /** Takes over the console of another person. */
  takeOver(credentials: SessionCredentials, workplace: Workplace | undefined): void {
    this.credentials = credentials;
    this.workplace = workplace;
    this.#isLocked = false;
  }

  /** Leaves, and ignores the reply to the last request. */
  leave(): void {
    this.credentials = undefined;
    this.workplace = undefined;
    this.#pending = undefined;
  }

  #scheduleNext(): void {
    const { time, random } = this.#options;
    time.after(700 + random.below(this.#options.isFinishing() ? 1_500 : 3_000), () => {
      this.#act();
      this.#scheduleNext();
    });
  }

  #act(): void {
    const { port, time, random, isFinishing } = this.#options;
    if (time.now < this.#busyUntil || port.floor === undefined) return;
    if (this.credentials === undefined) {
      if (this.workplace) this.#signIn(this.workplace);
      return;
    }
    if (this.#isLocked) {
      this.#unlock(this.credentials);
      return;
    }
    if (this.#pending) {
      if (time.now - this.#sent > 2_000 + random.below(4_000)) this.#send(this.credentials, this.#pending);
      return;
    }
    if (!isFinishing() && oneIn(random, 90)) this.#signOutOrLock(this.credentials);
    else {
      const request = this.#nextRequest(this);
      if (request) this.sendRequest(request);
    }
  }

  /** Signs out at any moment, or locks the screen. */
  #signOutOrLock({ session }: SessionCredentials): void {
    const { port, random } = this.#options;
    if (oneIn(random, 3)) {
      port.request(
        (staff) => staff.lock(session),
        (refusal) => (this.#isLocked = refusal === undefined),
      );
      return;
    }
    port.request(
      (staff) => staff.signOut(session),
      () => {},
    );
    this.credentials = undefined;
  }

  #signIn(workplace: Workplace): void {
    const { port, random, isFinishing } = this.#options;
    const console = workplace === 'click' ? null : workplace.console(port.floor!);
    if (console === undefined) return;
    const secret = !isFinishing() && oneIn(random, 4) ? '135791' : this.pin;
    const { number, role } = this;
    const account = { number, console, ...(role && { role }) };
    this.request(
      (staff) =>
        workplace === 'click'
          ? staff.signIns.demoSignIn(account)
          : staff.signIns.signIn({ ...account, secret, kind: 'pin' }),
      (answer) => this.#handleSignIn(answer),
    );
  }

  #handleSignIn(answer: NewSessionWithToken | { readonly refused: string; readonly until?: number }): void {
    if ('token' in answer) {
      this.credentials = { token: answer.token, session: answer.session.id };
      this.#isLocked = false;
    } else if (answer.refused === 'role-not-granted') this.role = undefined;
    else if (answer.until !== undefined) this.#busyUntil = answer.until;
  }

  #unlock({ session }: SessionCredentials): void {
    const { random } = this.#options;
    const secret = this.workplace === 'click' ? undefined : oneIn(random, 5) ? '135791' : this.pin;
    this.request(
      (staff) => staff.signIns.unlock(session, secret),
      (refusal) => {
        this.#isLocked = refusal !== undefined && refusal.refused !== 'session-over';
        if (refusal?.refused === 'session-over' || refusal?.refused === 'unknown-session') this.credentials = undefined;
        if (refusal?.until !== undefined) this.#busyUntil = refusal.until;
      },
    );
  }

  /** Calls and waits for a while; a later reply is ignored. */
  request<T>(call: (staff: StaffService) => Promise<T>, onReply: (answer: T) => void): void {
    const { port, time } = this.#options;
    const until = time.now + 6_000;
    this.#busyUntil = until;
    port.request(call, (answer) => {
      if (this.#busyUntil !== until) return;
      this.#busyUntil = 0;
      onReply(answer);
    });
  }

  /** Sends until there is a reply. */
  sendRequest(request: NewRequest, onReply?: (answer: StaffReply) => void): void {
    this.#ids += 1;
    this.#pending = { ...request, id: `${this.number}-${String(this.#ids).padStart(6, '0')}` };
    this.#onReply = onReply;
    if (this.credentials) this.#send(this.credentials, this.#pending);
  }

  #send(credentials: SessionCredentials, request: StaffSocketRequest): void {
    const { port, time } = this.#options;
    this.#sent = time.now;
    port.send(credentials, request, (answer) => this.#handleReply(credentials, request, answer));
  }

  #handleReply(credentials: SessionCredentials, request: StaffSocketRequest, answer: StaffReply): void {
    if (this.#pending?.id !== request.id) return;
    const code = codeOf(answer);
    if (code === 'session-locked' && this.credentials === credentials) this.#isLocked = true;
    if ((code === 'not-signed-in' || code === 'session-over') && this.credentials === credentials)
      this.credentials = undefined;
    if (code !== undefined && retryCodes.has(code)) return;
    this.#pending = undefined;
    this.#onReply?.(answer);
  }
}

export const isSignInResult = (answer: unknown): answer is NewSessionWithToken =>
  typeof answer === 'object' && answer !== null && 'token' in answer;
