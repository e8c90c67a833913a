import { type StaffEvent } from '../../staff/events.ts';
import {
  type StaffConsole,
  type StaffState,
  type SignInSession,
  findCurrentMember,
  parseStaffNumber,
} from '../../staff/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { authoritiesOf, highestAuthority } from '../../staff/roleGrants.ts';
import { refuse } from '../../base/refusal.ts';
import { type StaffActor } from '../../access/actor.ts';
import { type StoredEntry } from '../../store/store.ts';
import { authenticatedValueKinds } from '../../store/authenticatedValues.ts';
import { StreamAbortedError, type CommandResult } from '../stream/pendingCommand.ts';
import {
  type CommandRefusal,
  type FinalRefusal,
  type UncheckedRefusal,
  cannotRecordRefusal,
  asFinalRefusal,
  resultUnknownRefusal,
} from '../stream/refusals.ts';
import { type StaffCommandContext, type SecondPersonConsent } from './secondPersonConsent.ts';
import { ConsoleEnrolment } from './consoleEnrolment.ts';
import { CredentialStore, defaultScryptCost } from './credentialStore.ts';
import { IdleTimeout, createSharedSessionActivity, defaultIdleTimeoutMs } from './idleTimeout.ts';
import { isPossibleRollback } from '../floor/floorStream.ts';
import { sessionLockedRefusal, sessionOverRefusal } from './signInRefusals.ts';
import { ConsoleEnrolmentCodes } from './consoleEnrolmentCodes.ts';
import { StaffNames } from './staffNames.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type StaffCommandRequest, StaffStream } from './staffStream.ts';
import { StaffSecretService } from './staffSecretService.ts';
import { SignInService } from './signInService.ts';
import { type FirstAdministratorCredentials, prepareInitialStaff } from './initialStaff.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

/**
 * Commands that `submit` refuses. Each of these commands has its own method, because it also writes to the key-value
 * table.
 */
const separateCommands: ReadonlySet<string> = new Set(['SetSecret', 'EnrolConsole', 'OfferConsole', 'NoteName']);

const badRequest = (message: string): CommandRefusal => ({ ...refuse('bad-request', message), by: null });

/** Service for the staff of a floor: roles, sign-in sessions, consoles and credentials. */
export class StaffService {
  readonly #owner: PropertyAndCurrency;
  readonly #dependencies: FloorDependencies;
  readonly #stream: StaffStream;
  readonly #credentials: CredentialStore;
  readonly #idle: IdleTimeout;
  readonly consoles: ConsoleEnrolment;
  readonly secrets: StaffSecretService;
  readonly names: StaffNames;
  readonly signIns: SignInService;

  constructor(owner: PropertyAndCurrency, balances: BalanceCache, dependencies: FloorDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    const { store, key, staff, cluster } = dependencies;
    this.#stream = new StaffStream(owner, balances, dependencies);
    this.#credentials = new CredentialStore(
      store,
      key,
      staff?.scryptCost ?? defaultScryptCost,
      (error) => this.#warn(error),
      cluster,
    );
    const idleActions = {
      lock: (session: string) => void this.#stream.attempt({ type: 'LockSession', session, reason: 'idle' }),
      end: (session: string) => void this.signOut(session, 'idle'),
    };
    const activity = cluster && createSharedSessionActivity(store, (error) => this.#warn(error));
    this.#idle = new IdleTimeout(
      dependencies,
      staff?.idleTimeoutMs ?? defaultIdleTimeoutMs,
      () => this.sessions(),
      idleActions,
      activity,
    );
    this.consoles = new ConsoleEnrolment({
      credentials: this.#credentials,
      codes: new ConsoleEnrolmentCodes(dependencies),
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
    this.secrets = new StaffSecretService({
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
      isSuperseded: (entry) => this.#isNameSuperseded(entry),
      storeFailed: (error) => this.#storeFailed(error),
    });
    this.#stream.subscribe((events) => this.#onEvents(events));
  }

  async load(): Promise<void> {
    await this.#stream.load();
    await this.#credentials.load();
  }

  /**
   * Creates the first staff if there are none: demo staff, or one administrator whose password is returned. `tables`
   * are the attended tables. Sign-in sessions continue, except after an accepted rollback.
   */
  async start(tables: readonly string[]): Promise<FirstAdministratorCredentials | undefined> {
    const { staff, integrityIssue } = this.#dependencies;
    let first: FirstAdministratorCredentials | undefined;
    if (staff) {
      await this.#credentials.createPinKey();
      for (let isStored = false; !isStored;) {
        const { requests: request, password } = await prepareInitialStaff(
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
    if (isPossibleRollback(integrityIssue) && this.sessions().length > 0) {
      const ended = await this.#stream.attempt({ type: 'EndSessions' });
      // `unknown-session` means that no session is left, because another node has ended the sessions at the same
      // moment.
      if ('refused' in ended && ended.refused !== 'unknown-session')
        throw new StreamAbortedError(`The sign-in sessions from before the rollback cannot be ended: ${ended.message}`);
    }
    // Another node may have started a sign-in session in the meantime. After this read, the token of that session is
    // kept.
    await this.#readToEnd();
    await this.#credentials.deleteTokens((session) => this.session(session) === undefined);
    // From now on a failed append is retried until the outage is over.
    this.#stream.retriesForever = true;
    this.#idle.schedule();
    return first;
  }

  /** Joins a floor that another node has started; no entry is written. */
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

  /** Waits until this node has read the staff stream up to `sequence`, or until reading has failed too often. */
  readUpTo(sequence: number): Promise<void> {
    return this.#stream.readUpTo(sequence);
  }

  /** Stops the idle timeout and unlimited retries; sign-in sessions stay open. */
  close(): void {
    this.#stream.retriesForever = false;
    this.#idle.stop();
  }

  /**
   * Reads a session token, a console key and the staff stream again, because another node may have changed them.
   * Resolves to a refusal if the store fails. Returns undefined without a cluster.
   */
  refresh(token = '', key = ''): Promise<CommandRefusal | undefined> | undefined {
    return this.#dependencies.cluster && this.#refresh(token, key);
  }

  async #refresh(token: string, key: string): Promise<CommandRefusal | undefined> {
    try {
      // A token is saved after the entry of its session was appended. So if the stream is read after the token, it
      // contains that entry.
      await this.#credentials.refreshTokenAndConsole(token, key);
      await this.#readToEnd();
      return undefined;
    } catch (error) {
      this.#warn(error);
      return cannotRecordRefusal;
    }
  }

  /** Reads the staff stream and all names again, in case a notification of another node was lost. */
  async refreshAll(): Promise<void> {
    await this.#readToEnd();
    await this.#credentials.refreshNames();
  }

  async valueChanged(kind: string, id: string): Promise<void> {
    const authenticatedKind = authenticatedValueKinds.find((one) => one === kind);
    if (authenticatedKind) await this.#credentials.refresh(authenticatedKind, id);
    // A changed token may mean that its session has ended, so the staff stream is read too.
    if (authenticatedKind === 'session') await this.#readToEnd();
  }

  async #readToEnd(): Promise<void> {
    if (this.#dependencies.cluster) await this.#stream.readToEnd();
  }

  /** Committed state of the staff stream; undefined if the property has no staff yet. */
  get state(): StaffState | undefined {
    return this.#stream.state;
  }

  /** Sequence of the last entry in `state`. */
  get sequence(): number {
    return this.#stream.sequence;
  }

  get isDemo(): boolean {
    return this.state?.demo === true;
  }

  subscribe(listener: (events: readonly StaffEvent[]) => void): () => void {
    return this.#stream.subscribe(listener);
  }

  /** Open sign-in sessions, including locked ones, oldest first. */
  sessions(): readonly SignInSession[] {
    const now = this.#dependencies.clock();
    return Object.values(this.state?.sessions ?? {}).map((session) => withoutExpiredRole(session, now));
  }

  session(id: string): SignInSession | undefined {
    const session = this.state && ownValue(this.state.sessions, id);
    return session && withoutExpiredRole(session, this.#dependencies.clock());
  }

  /** The open session of a token, locked or not; undefined if there is none. */
  sessionByToken(token: string): SignInSession | undefined {
    const owner = this.#credentials.ownerOfToken(token);
    const session = owner && this.session(owner.session);
    return session && session.person === owner.person && session.since === owner.since ? session : undefined;
  }

  touch(session: string): void {
    this.#idle.touch(session);
  }

  /** The console to which a key belongs; undefined if there is none. */
  consoleOf(key: string): StaffConsole | undefined {
    const console = this.#credentials.consoleOfKey(key);
    return console === undefined || this.state === undefined ? undefined : ownValue(this.state.consoles, console);
  }

  /**
   * Ends a session. The reason is 'ended' if another person or a failure ends the session, and 'idle' if the idle
   * timeout ends it.
   */
  async signOut(
    session: string,
    reason: 'signed-out' | 'ended' | 'idle' = 'signed-out',
  ): Promise<CommandRefusal | undefined> {
    return refusalOrNone(await this.#stream.attempt({ type: 'SignOut', session, reason }));
  }

  async lock(session: string): Promise<CommandRefusal | undefined> {
    return refusalOrNone(await this.#stream.attempt({ type: 'LockSession', session, reason: 'requested' }));
  }

  /**
   * Context for a command of a person. Returns a refusal if the session has ended or is locked, or if the person has no
   * role.
   */
  contextFor(
    by: SignInSession | SecondPersonConsent,
    at = this.#dependencies.clock(),
  ): StaffCommandContext | CommandRefusal {
    const grant = this.sequence;
    if (!('id' in by)) {
      const authority = this.state && highestAuthority(this.state, by.person, at);
      return authority ? { authority, grant } : sessionOverRefusal;
    }
    const session = this.session(by.id);
    if (session === undefined || session.person !== by.person || session.since !== by.since) return sessionOverRefusal;
    if (session.locked) return sessionLockedRefusal;
    const { role, acting, until } = withoutExpiredRole(session, at);
    return { authority: { role, ...(acting !== null && until !== null && { acting, until }) }, grant };
  }

  /**
   * Id of the person with a staff number; undefined if the number is unknown. A person whose account was closed is
   * found too, because commands of that person may be stored. In a cluster the staff stream is read before a number
   * counts as unknown.
   */
  async findPerson(typed: string): Promise<string | undefined> {
    const personOf = (): string | undefined =>
      this.state && ownValue(this.state.numbers, parseStaffNumber(typed) ?? '');
    const person = personOf();
    if (person !== undefined) return person;
    await this.#readToEnd();
    return personOf();
  }

  /**
   * Finds the person with a staff number, and the first role of this person that `isEnough` accepts. Returns the person
   * with the context for commands in that role; undefined if there is no such person or role.
   */
  findAuthorized(
    typed: string,
    isEnough: (person: StaffActor, at: number) => boolean,
  ): (StaffCommandContext & Pick<SecondPersonConsent, 'person' | 'number'>) | undefined {
    const at = this.#dependencies.clock();
    const member = this.state && findCurrentMember(this.state, parseStaffNumber(typed) ?? '');
    if (member === undefined) return undefined;
    const { person, number } = member;
    const authority = authoritiesOf(this.state!, person, at).find((one) => isEnough({ person, ...one }, at));
    return authority && { person, number, authority, grant: this.sequence };
  }

  submit(id: string, request: StaffCommandRequest, session: SignInSession): Promise<CommandResult> {
    if (separateCommands.has(request.type))
      return Promise.resolve(
        asFinalRefusal(
          badRequest(`${request.type} is no general staff command, but has a message of its own. Send that message.`),
        ),
      );
    return this.#submit(id, request, session);
  }

  /**
   * Answers a command that was refused before `submit`: with its stored result if the command is stored, else with the
   * refusal.
   */
  refuse(
    id: string,
    request: StaffCommandRequest,
    session: SignInSession,
    refusal: UncheckedRefusal,
  ): Promise<CommandResult> {
    return this.#stream.refuse(id, request, session.person, refusal);
  }

  async #submit(id: string, request: StaffCommandRequest, session: SignInSession): Promise<CommandResult> {
    const at = this.#dependencies.clock();
    const context = this.contextFor(session, at);
    if ('refused' in context) return this.refuse(id, request, session, context);
    return this.#stream.submit(id, request, session.person, at, context);
  }

  /** True if a later entry of the staff stream changes the name of the person of this entry. */
  async #isNameSuperseded({ sequence, event: { person } }: StoredEntry): Promise<boolean> {
    for await (const entries of this.#dependencies.store.read(this.stream, sequence)) {
      if (entries.some(({ event }) => event.type === 'NameNoted' && event['person'] === person)) return true;
    }
    return false;
  }

  /**
   * Reports that the entry is committed but the key-value table was not written. Returns the refusal for the client; a
   * resend with the same id writes the table.
   */
  #storeFailed(error: unknown): FinalRefusal {
    this.#warn(error);
    return resultUnknownRefusal;
  }

  #warn(error: unknown): void {
    this.#dependencies.onWarning('staff sign-in', error);
  }

  #onEvents(events: readonly StaffEvent[]): void {
    const ended = new Set(events.flatMap((event) => (event.type === 'SessionEnded' ? event.session : [])));
    if (ended.size > 0) void this.#deleteTokens(ended);
    this.#idle.schedule();
  }

  async #deleteTokens(ended: ReadonlySet<string>): Promise<void> {
    // In a cluster this node may read a token before the entry of its session. So only sessions whose end this node has
    // read count as over.
    const isOver = (session: string): boolean =>
      this.session(session) === undefined && (this.#dependencies.cluster === undefined || ended.has(session));
    try {
      await this.#credentials.deleteTokens(isOver);
    } catch (error) {
      // A token without a session has no effect, so it may stay.
      this.#warn(error);
    }
  }
}

const refusalOrNone = (answer: readonly StaffEvent[] | CommandRefusal): CommandRefusal | undefined =>
  'refused' in answer ? answer : undefined;

/** The session; without its acting role if the time of that role is over. */
const withoutExpiredRole = (session: SignInSession, at: number): SignInSession =>
  session.until !== null && session.until < at ? { ...session, acting: null, until: null } : session;
