import { type StaffEvent } from '../../staff/events.ts';
import { type Console, type StaffState, type SignInSession, findMember, parseStaffNumber } from '../../staff/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { authoritiesOf, highestAuthority } from '../../staff/roleGrants.ts';
import { refuse } from '../../base/refusal.ts';
import { type StaffActor } from '../../access/actor.ts';
import { authenticatedValueKinds } from '../../store/authenticatedValues.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { type CommandRefusal, cannotRecord, resultUnknown } from '../stream/refusals.ts';
import { type StaffContext, type Consent } from './consent.ts';
import { ConsoleEnrolment } from './consoleEnrolment.ts';
import { CredentialStore, defaultScryptCost } from './credentialStore.ts';
import { IdleTimeout, sharedActivity, defaultIdleMs } from './idleTimeout.ts';
import { isRolledBack } from '../floor/floorStream.ts';
import { sessionLocked, sessionOver } from './signInRefusals.ts';
import { EnrolmentCodes } from './enrolmentCodes.ts';
import { StaffNames } from './staffNames.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type StaffCommandRequest, StaffStream } from './staffStream.ts';
import { Passwords } from './passwords.ts';
import { SignInService } from './signInService.ts';
import { type FirstPassword, initialStaff } from './initialStaff.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** Commands with methods of their own, because they also write the key-value table. */
const separateCommands: ReadonlySet<string> = new Set(['SetSecret', 'EnrolConsole', 'OfferConsole', 'NoteName']);

const badRequest = (message: string): CommandRefusal => ({ ...refuse('bad-request', message), by: null });

/** Staff of a floor: roles, sign-in sessions and credentials. */
export class StaffService {
  readonly #owner: Owner;
  readonly #dependencies: RuntimeDependencies;
  readonly #stream: StaffStream;
  readonly #credentials: CredentialStore;
  readonly #idle: IdleTimeout;
  readonly consoles: ConsoleEnrolment;
  readonly secrets: Passwords;
  readonly names: StaffNames;
  readonly signIns: SignInService;

  constructor(owner: Owner, balances: BalanceCache, dependencies: RuntimeDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    const { store, key, staff, cluster } = dependencies;
    this.#stream = new StaffStream(owner, balances, dependencies);
    this.#credentials = new CredentialStore(
      store,
      key,
      staff?.cost ?? defaultScryptCost,
      (error) => this.#warn(error),
      cluster,
    );
    const idleActions = {
      lock: (session: string) => void this.#stream.attempt({ type: 'LockSession', session, reason: 'idle' }),
      end: (session: string) => void this.signOut(session, 'idle'),
    };
    const activity = cluster && sharedActivity(store, (error) => this.#warn(error));
    this.#idle = new IdleTimeout(
      dependencies,
      staff?.idle ?? defaultIdleMs,
      () => this.sessions(),
      idleActions,
      activity,
    );
    this.consoles = new ConsoleEnrolment({
      credentials: this.#credentials,
      codes: new EnrolmentCodes(dependencies),
      randomBelow: dependencies.random.below,
      submit: (id, request, session) => this.#submit(id, request, session),
      attempt: (request) => this.#stream.attempt(request),
      storeFailed: (error) => this.#storeFailed(error),
    });
    this.signIns = new SignInService({
      credentials: this.#credentials,
      clock: dependencies.clock,
      state: () => this.state,
      session: (id) => this.session(id),
      attempt: (request) => this.#stream.attempt(request),
      readToEnd: () => this.#readToEnd(),
      signOut: (session, why) => this.signOut(session, why),
      touch: (session) => this.touch(session),
      onWarning: (error) => this.#warn(error),
    });
    this.secrets = new Passwords({
      credentials: this.#credentials,
      randomBelow: dependencies.random.below,
      state: () => this.state,
      submit: (id, request, session) => this.#submit(id, request, session),
      attempt: (request) => this.#stream.attempt(request),
      isCorrect: (number, kind, secret) => this.signIns.isCorrect(number, kind, secret),
      signInRefusal: (failed, number) => this.signIns.refusalOf(failed, number),
      onWarning: (error) => this.#warn(error),
    });
    this.names = new StaffNames({
      credentials: this.#credentials,
      submit: (id, request, session) => this.#submit(id, request, session),
      storeFailed: (error) => this.#storeFailed(error),
    });
    this.#stream.subscribe((events) => this.#onEvents(events));
  }

  async load(): Promise<void> {
    await this.#stream.load();
    await this.#credentials.load();
  }

  /**
   * Creates demo staff, or one administrator whose password is returned once. Sessions continue, except after a
   * rollback. `tables` are the attended tables.
   */
  async start(tables: readonly string[]): Promise<FirstPassword | undefined> {
    const { staff, integrityIssue } = this.#dependencies;
    let first: FirstPassword | undefined;
    if (staff) {
      await this.#credentials.createPinKey();
      for (let isStored = false; !isStored;) {
        const { requests: request, password } = await initialStaff(
          this.state,
          staff.demo,
          tables,
          this.#owner,
          this.#credentials,
          this.#dependencies,
        );
        isStored = await this.#stream.writeAll(request);
        first = isStored ? password : undefined;
      }
    }
    if (isRolledBack(integrityIssue) && this.sessions().length > 0)
      await this.#stream.writeAll([{ type: 'EndSessions' }]);
    // Another node may have started a session in the meantime.
    await this.#readToEnd();
    await this.#credentials.deleteTokens((session) => this.session(session) === undefined);
    // From now on appends are retried for ever, as in the floor stream.
    this.#stream.retriesForever = true;
    this.#idle.schedule();
    return first;
  }

  /** Joins a floor that another node has started; writes nothing. */
  join(): void {
    this.#stream.retriesForever = true;
    this.#idle.schedule();
  }

  get stream(): string {
    return this.#stream.stream;
  }

  stop(): Promise<void> {
    return this.#stream.stop();
  }

  /** Resolves when entries of another node were read up to a sequence. */
  readUpTo(sequence: number): Promise<void> {
    return this.#stream.readUpTo(sequence);
  }

  /** Stops the idle timeout; sessions stay open. */
  close(): void {
    this.#stream.retriesForever = false;
    this.#idle.stop();
  }

  /**
   * In a cluster, reads a presented token, a console key and the staff stream again; resolves to a refusal if the
   * store fails. Undefined without a cluster.
   */
  refresh(token = '', key = ''): Promise<CommandRefusal | undefined> | undefined {
    return this.#dependencies.cluster && this.#refresh(token, key);
  }

  async #refresh(token: string, key: string): Promise<CommandRefusal | undefined> {
    try {
      // A token is saved after its session began, so the stream is read after it.
      await this.#credentials.refreshTokenAndConsole(token, key);
      await this.#readToEnd();
      return undefined;
    } catch (error) {
      this.#warn(error);
      return cannotRecord;
    }
  }

  /** Reads staff and names again, in case a notification was lost. */
  async refreshAll(): Promise<void> {
    await this.#readToEnd();
    await this.#credentials.refreshNames();
  }

  /** Another node has changed a value of the key-value table. */
  async valueChanged(kind: string, id: string): Promise<void> {
    const bound = authenticatedValueKinds.find((one) => one === kind);
    if (bound) await this.#credentials.refresh(bound, id);
    // A token is deleted after its session has ended.
    if (bound === 'session') await this.#readToEnd();
  }

  async #readToEnd(): Promise<void> {
    if (this.#dependencies.cluster) await this.#stream.readToEnd();
  }

  /** Committed state; undefined if the property has no staff yet. */
  get state(): StaffState | undefined {
    return this.#stream.state;
  }

  /** Last sequence of the staff stream. */
  get sequence(): number {
    return this.#stream.sequence;
  }

  get isDemo(): boolean {
    return this.state?.demo === true;
  }

  /** Calls the listener with committed events; returns a function that unsubscribes. */
  subscribe(listener: (events: readonly StaffEvent[]) => void): () => void {
    return this.#stream.subscribe(listener);
  }

  /** Open sessions, oldest first. */
  sessions(): readonly SignInSession[] {
    const now = this.#dependencies.clock();
    return Object.values(this.state?.sessions ?? {}).map((session) => withoutExpiredRole(session, now));
  }

  session(id: string): SignInSession | undefined {
    const session = this.state && ownValue(this.state.sessions, id);
    return session && withoutExpiredRole(session, this.#dependencies.clock());
  }

  /** The session of a token, locked or not. */
  sessionByToken(token: string): SignInSession | undefined {
    const owner = this.#credentials.ownerOfToken(token);
    const session = owner && this.session(owner.session);
    return session && session.person === owner.person && session.since === owner.since ? session : undefined;
  }

  /** Resets the idle timeout of a session. */
  touch(session: string): void {
    this.#idle.touch(session);
  }

  /** The console of a key. */
  consoleOf(key: string): Console | undefined {
    const console = this.#credentials.consoleOfKey(key);
    return console === undefined || this.state === undefined ? undefined : ownValue(this.state.consoles, console);
  }

  /** Ends a session; 'ended' if another person ends it. */
  async signOut(
    session: string,
    reason: 'signed-out' | 'ended' | 'idle' = 'signed-out',
  ): Promise<CommandRefusal | undefined> {
    return refusalOrNone(await this.#stream.attempt({ type: 'SignOut', session, reason }));
  }

  async lock(session: string): Promise<CommandRefusal | undefined> {
    return refusalOrNone(await this.#stream.attempt({ type: 'LockSession', session, reason: 'requested' }));
  }

  /** Context for commands of a person; refused if the session has ended or is locked, or no role is left. */
  contextFor(by: SignInSession | Consent, at = this.#dependencies.clock()): StaffContext | CommandRefusal {
    const grant = this.sequence;
    if (!('id' in by)) {
      const authority = this.state && highestAuthority(this.state, by.person, at);
      return authority ? { authority, grant } : sessionOver;
    }
    const session = this.session(by.id);
    if (session === undefined || session.person !== by.person || session.since !== by.since) return sessionOver;
    if (session.locked) return sessionLocked;
    const { role, acting, until } = withoutExpiredRole(session, at);
    return { authority: { role, ...(acting !== null && until !== null && { acting, until }) }, grant };
  }

  /** The person with a number who still works here. */
  personOf(typed: string): string | undefined {
    return this.state && findMember(this.state, parseStaffNumber(typed) ?? '')?.person;
  }

  /** The person with a number in a role that `isEnough` accepts now, with the context. */
  findAuthorized(
    typed: string,
    isEnough: (person: StaffActor, at: number) => boolean,
  ): (StaffContext & Pick<Consent, 'person' | 'number'>) | undefined {
    const at = this.#dependencies.clock();
    const member = this.state && findMember(this.state, parseStaffNumber(typed) ?? '');
    if (member === undefined) return undefined;
    const { person, number } = member;
    const authority = authoritiesOf(this.state!, person, at).find((one) => isEnough({ person, ...one }, at));
    return authority && { person, number, authority, grant: this.sequence };
  }

  /** Submits a command of the signed-in person to the staff stream. */
  submit(id: string, request: StaffCommandRequest, session: SignInSession): Promise<CommandResult> {
    if (separateCommands.has(request.type))
      return Promise.resolve(badRequest(`${request.type} is asked in a way of its own; use that.`));
    return this.#submit(id, request, session);
  }

  async #submit(id: string, request: StaffCommandRequest, session: SignInSession): Promise<CommandResult> {
    const at = this.#dependencies.clock();
    const context = this.contextFor(session, at);
    if ('refused' in context) return context;
    return this.#stream.submit(id, request, session.person, at, context);
  }

  /** The entry is committed, but the key-value table was not written: a resend with the same id finishes it. */
  #storeFailed(error: unknown): CommandRefusal {
    this.#warn(error);
    return resultUnknown;
  }

  #warn(error: unknown): void {
    this.#dependencies.onWarning('the people', error);
  }

  #onEvents(events: readonly StaffEvent[]): void {
    const ended = new Set(events.flatMap((event) => (event.type === 'SessionEnded' ? event.session : [])));
    if (ended.size > 0) void this.#deleteTokens(ended);
    this.#idle.schedule();
  }

  async #deleteTokens(ended: ReadonlySet<string>): Promise<void> {
    // A token of a session at another node may be known before that session is read.
    const isOver = (session: string): boolean =>
      this.session(session) === undefined && (this.#dependencies.cluster === undefined || ended.has(session));
    try {
      await this.#credentials.deleteTokens(isOver);
    } catch (error) {
      // Tokens without a session are worthless in any case.
      this.#warn(error);
    }
  }
}

const refusalOrNone = (answer: readonly StaffEvent[] | CommandRefusal): CommandRefusal | undefined =>
  'refused' in answer ? answer : undefined;

/** An acting role ends with its time. */
const withoutExpiredRole = (session: SignInSession, at: number): SignInSession =>
  session.until !== null && session.until < at ? { ...session, acting: null, until: null } : session;
