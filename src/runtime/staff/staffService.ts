import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SecretKind } from '../../staff/fieldTypes.ts';
import { type Console, type StaffState, type SignInSession, findMember, parseStaffNumber } from '../../staff/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { effectiveRole, authoritiesOf, highestAuthority } from '../../staff/roleGrants.ts';
import { refuse } from '../../base/refusal.ts';
import { type Role } from '../../access/roles.ts';
import { type StaffActor } from '../../access/actor.ts';
import { authenticatedKinds } from '../../store/authenticatedValues.ts';
import { type CommandResult, type Denied, cannotRecord, unknown } from '../stream/pendingCommand.ts';
import { type BroughtFor, type Consent, type Consenting } from './consent.ts';
import { Consoles } from './consoleEnrolment.ts';
import { CredentialStore, newToken, usualCost } from './credentialStore.ts';
import { IdleTimeout, seenBeside, usualIdle } from './idleTimeout.ts';
import { isTurnedBack } from '../floor/floorStream.ts';
import {
  type SignInRefusal,
  type SigningIn,
  badNumber,
  isFailed,
  notLetIn,
  sessionLocked,
  sessionOver,
} from './signInRefusals.ts';
import { Offers } from './enrolmentCodes.ts';
import { StaffNames } from './staffNames.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { type Asking, StaffStream } from './staffStream.ts';
import { Passwords } from './passwords.ts';
import { type FirstSecret, begun } from './initialStaff.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

export type LetIn = { readonly token: string; readonly session: SignInSession };

/** What is asked in a way of its own, since more than the record is told. */
const ownWays: ReadonlySet<string> = new Set(['SetSecret', 'EnrolConsole', 'OfferConsole', 'NoteName']);

const bad = (message: string): Denied => ({ ...refuse('bad-request', message), by: null });

/** The people of a floor: who holds which post, who is signed in where, and what proves it. */
export class StaffService {
  readonly #owner: Owner;
  readonly #world: RuntimeDependencies;
  readonly #register: StaffStream;
  readonly #credentials: CredentialStore;
  readonly #idle: IdleTimeout;
  /** Browsers that become consoles. */
  readonly consoles: Consoles;
  /** Who gets, changes and loses what proves who they are. */
  readonly secrets: Passwords;
  readonly names: StaffNames;

  constructor(owner: Owner, purse: BalanceCache, world: RuntimeDependencies) {
    this.#owner = owner;
    this.#world = world;
    const { store, key, staff, shared } = world;
    this.#register = new StaffStream(owner, purse, world);
    this.#credentials = new CredentialStore(
      store,
      key,
      staff?.cost ?? usualCost,
      (error) => this.#trouble(error),
      shared,
    );
    const acts = {
      lock: (session: string) => void this.#register.attempt({ type: 'LockSession', session, why: 'idle' }),
      end: (session: string) => void this.signOut(session, 'idle'),
    };
    const elsewhere = shared && seenBeside(store, (error) => this.#trouble(error));
    this.#idle = new IdleTimeout(world, staff?.idle ?? usualIdle, () => this.sessions(), acts, elsewhere);
    this.consoles = new Consoles({
      credentials: this.#credentials,
      offers: new Offers(world),
      below: world.chance.below,
      submit: (id, asked, session) => this.#submit(id, asked, session),
      attempt: (asked) => this.#register.attempt(asked),
      halfDone: (error) => this.#halfDone(error),
    });
    this.secrets = new Passwords({
      credentials: this.#credentials,
      below: world.chance.below,
      state: () => this.state,
      submit: (id, asked, session) => this.#submit(id, asked, session),
      attempt: (asked) => this.#register.attempt(asked),
      isRight: (number, kind, secret) => this.#isRight(number, kind, secret),
      notLetIn: (failed, number) => this.#notLetIn(failed, number),
      trouble: (error) => this.#trouble(error),
    });
    this.names = new StaffNames({
      credentials: this.#credentials,
      submit: (id, asked, session) => this.#submit(id, asked, session),
      halfDone: (error) => this.#halfDone(error),
    });
    this.#register.changed((events) => this.#changed(events));
  }

  async load(): Promise<void> {
    await this.#register.load();
    await this.#credentials.load();
  }

  /**
   * Begins with the people of a demo, or with one administrator whose password is given here once. Sessions go on where they
   * were, but for a record that was turned back. `tables` are those that people deal at.
   */
  async start(tables: readonly string[]): Promise<FirstSecret | undefined> {
    const { staff, doubt } = this.#world;
    let first: FirstSecret | undefined;
    if (staff) {
      await this.#credentials.begin();
      for (let isWritten = false; !isWritten;) {
        const { asked, secret } = await begun(
          this.state,
          staff.demo,
          tables,
          this.#owner,
          this.#credentials,
          this.#world,
        );
        isWritten = await this.#register.write(asked);
        first = isWritten ? secret : undefined;
      }
    }
    if (isTurnedBack(doubt) && this.sessions().length > 0) await this.#register.write([{ type: 'EndSessions' }]);
    // Another node may have let somebody in since it was read.
    await this.#fresh();
    await this.#credentials.dropTokens((session) => this.session(session) === undefined);
    // From now on it waits for as long as it takes, as the journal does.
    this.#register.isPatient = true;
    this.#idle.watch();
    return first;
  }

  /** Those of a floor that another program has begun: nothing is written. */
  join(): void {
    this.#register.isPatient = true;
    this.#idle.watch();
  }

  get stream(): string {
    return this.#register.stream;
  }

  /** Reads and writes nothing more. */
  end(): Promise<void> {
    return this.#register.end();
  }

  /** The register was written to elsewhere: resolves once it has been read up to there. */
  heard(sequence: number): Promise<void> {
    return this.#register.heard(sequence);
  }

  /** Nobody is watched any more; who is signed in stays so. */
  close(): void {
    this.#register.isPatient = false;
    this.#idle.stop();
  }

  /**
   * Asks the record for a token and the key of a console that somebody comes with, and for what has happened to people, where
   * other nodes write there too; gives why not, where it cannot be asked. Undefined where nobody else writes.
   */
  look(token = '', key = ''): Promise<Denied | undefined> | undefined {
    return this.#world.shared && this.#look(token, key);
  }

  async #look(token: string, key: string): Promise<Denied | undefined> {
    try {
      // A token is kept once its session has begun: read after it, the register tells of that.
      await this.#credentials.lookFor(token, key);
      await this.#fresh();
      return undefined;
    } catch (error) {
      this.#trouble(error);
      return cannotRecord;
    }
  }

  /** The same for those who are here, and for names, in case that nobody could tell. */
  async sweep(): Promise<void> {
    await this.#fresh();
    await this.#credentials.lookForNames();
  }

  /** Another node has written something beside the chain. */
  async asideHeard(kind: string, id: string): Promise<void> {
    const bound = authenticatedKinds.find((one) => one === kind);
    if (bound) await this.#credentials.look(bound, id);
    // A token goes once its session has ended.
    if (bound === 'session') await this.#fresh();
  }

  async #fresh(): Promise<void> {
    if (this.#world.shared) await this.#register.fresh();
  }

  /** The register as it is written; undefined where a property keeps no people yet. */
  get state(): StaffState | undefined {
    return this.#register.state;
  }

  /** The last entry of the register. */
  get sequence(): number {
    return this.#register.sequence;
  }

  get isDemo(): boolean {
    return this.state?.demo === true;
  }

  /** Tells what has happened, once it is written; gives what ends that. */
  changed(listener: (events: readonly StaffEvent[]) => void): () => void {
    return this.#register.changed(listener);
  }

  /** All that go on, the oldest first. */
  sessions(): readonly SignInSession[] {
    const now = this.#world.clock();
    return Object.values(this.state?.sessions ?? {}).map((session) => asAt(session, now));
  }

  /** The session that goes on under an id. */
  session(id: string): SignInSession | undefined {
    const session = this.state && ownValue(this.state.sessions, id);
    return session && asAt(session, this.#world.clock());
  }

  /** The session that a token leads to, be it locked or not. */
  byToken(token: string): SignInSession | undefined {
    const led = this.#credentials.ofToken(token);
    const session = led && this.session(led.session);
    return session && session.person === led.person && session.since === led.since ? session : undefined;
  }

  /** Somebody is there: the session is not idle. */
  seen(session: string): void {
    this.#idle.seen(session);
  }

  /** The console that a key is of. */
  consoleOf(key: string): Console | undefined {
    const console = this.#credentials.ofConsole(key);
    return console === undefined || this.state === undefined ? undefined : ownValue(this.state.consoles, console);
  }

  /** Number and secret, and a post where several are held: a new session with a token of its own. */
  async signIn({ number: typed, secret, kind, post, console }: SigningIn): Promise<LetIn | SignInRefusal> {
    const number = parseStaffNumber(typed);
    if (number === undefined) return badNumber;
    const right = await this.#isRight(number, kind, secret);
    return this.#letIn({ type: 'SignIn', number, by: kind, right, ...(post && { as: post }), console }, number);
  }

  /** In a demo one click is enough. */
  demoSignIn(who: {
    readonly number: string;
    readonly post?: Role;
    readonly console?: string | null;
  }): Promise<LetIn | SignInRefusal> {
    const { number, post, console = null } = who;
    return this.#letIn(
      { type: 'SignIn', number, by: 'click', right: true, ...(post && { as: post }), console },
      number,
    );
  }

  /** Somebody else takes over at the console of a session, which ends in the same act. Without a PIN in a demo alone. */
  async relieve(
    session: string,
    { number: typed, pin, post }: { readonly number: string; readonly pin?: string; readonly post?: Role },
  ): Promise<LetIn | SignInRefusal> {
    const number = parseStaffNumber(typed);
    if (number === undefined) return badNumber;
    const right = pin === undefined || (await this.#isRight(number, 'pin', pin));
    const by = pin === undefined ? 'click' : 'pin';
    return this.#letIn({ type: 'Relieve', session, number, by, right, ...(post && { as: post }) }, number);
  }

  async #letIn(asked: Asking, number: string): Promise<LetIn | SignInRefusal> {
    const events = await this.#register.attempt(asked);
    if ('refused' in events) return events;
    const last = events.at(-1);
    if (isFailed(last)) return this.#notLetIn(last, number);
    const { session: id } = last as StaffEventOf<'SignedIn'>;
    const token = newToken();
    const session = this.session(id);
    if (session === undefined) return sessionOver;
    try {
      await this.#credentials.keepToken(token, session);
    } catch (error) {
      this.#trouble(error);
      await this.signOut(id, 'ended');
      return cannotRecord;
    }
    this.seen(id);
    return { token, session };
  }

  #notLetIn(failed: StaffEventOf<'SignInFailed'>, number: string): SignInRefusal {
    const { state } = this;
    const member = state && findMember(state, number);
    const standings = member ? authoritiesOf(state, member.person, this.#world.clock()) : [];
    return notLetIn(failed, standings.map(effectiveRole));
  }

  async #isRight(number: string, kind: SecretKind, secret: string): Promise<boolean> {
    // It may have been changed at another node.
    await this.#fresh();
    const member = this.state && findMember(this.state, number);
    return this.#credentials.isRight(member, kind, secret);
  }

  /** A session ends; `ended` where somebody else ends it. */
  async signOut(session: string, why: 'signed-out' | 'ended' | 'idle' = 'signed-out'): Promise<Denied | undefined> {
    return refusalIn(await this.#register.attempt({ type: 'SignOut', session, why }));
  }

  async lock(session: string): Promise<Denied | undefined> {
    return refusalIn(await this.#register.attempt({ type: 'LockSession', session, why: 'asked' }));
  }

  /** The same secret again: the PIN at a console, the password elsewhere. Without one in a demo alone. */
  async unlock(session: string, secret?: string): Promise<SignInRefusal | undefined> {
    const { number, console } = this.session(session) ?? {};
    if (number === undefined || console === undefined) return sessionOver;
    const kind = this.secretAt(console);
    const right = secret === undefined || (await this.#isRight(number, kind, secret));
    const by = secret === undefined ? 'click' : kind;
    const events = await this.#register.attempt({ type: 'UnlockSession', session, by, right });
    if ('refused' in events) return events;
    this.seen(session);
    return isFailed(events[0]) ? this.#notLetIn(events[0], number) : undefined;
  }

  /** By what one signs in there. */
  secretAt(console: string | null): SecretKind {
    const kind = console === null ? undefined : this.state?.consoles[console]?.kind;
    return kind === undefined || kind === 'office' ? 'password' : 'pin';
  }

  /** A second person consents by number and PIN to one proposal and its hash, and begins no session. */
  async consent({ number: typed, pin, table, proposal, hash, console }: Consenting): Promise<Consent | SignInRefusal> {
    const number = parseStaffNumber(typed);
    if (number === undefined) return badNumber;
    const right = await this.#isRight(number, 'pin', pin);
    const events = await this.#register.attempt({
      type: 'NoteConsent',
      number,
      by: 'pin',
      right,
      table,
      proposal,
      hash,
      console,
    });
    if ('refused' in events) return events;
    if (isFailed(events[0])) return this.#notLetIn(events[0], number);
    const { person } = events[0] as StaffEventOf<'ConsentGiven'>;
    return { person, number, table, proposal, hash };
  }

  /** By what a command of somebody is brought; refused where the session is over or locked, or no post is held any more. */
  broughtFor(by: SignInSession | Consent, at = this.#world.clock()): BroughtFor | Denied {
    const held = this.sequence;
    if (!('id' in by)) {
      const standing = this.state && highestAuthority(this.state, by.person, at);
      return standing ? { post: standing, held } : sessionOver;
    }
    const session = this.session(by.id);
    if (session === undefined || session.person !== by.person || session.since !== by.since) return sessionOver;
    if (session.locked) return sessionLocked;
    const { post, acting, until } = asAt(session, at);
    return { post: { post, ...(acting !== null && until !== null && { acting, until }) }, held };
  }

  /** Who bears a number and has not left. */
  personOf(typed: string): string | undefined {
    return this.state && findMember(this.state, parseStaffNumber(typed) ?? '')?.person;
  }

  /** Somebody by number, in a post that is enough at this moment, with what is brought for that person. */
  holderOf(
    typed: string,
    isEnough: (person: StaffActor, at: number) => boolean,
  ): (BroughtFor & Pick<Consent, 'person' | 'number'>) | undefined {
    const at = this.#world.clock();
    const member = this.state && findMember(this.state, parseStaffNumber(typed) ?? '');
    if (member === undefined) return undefined;
    const { person, number } = member;
    const post = authoritiesOf(this.state!, person, at).find((one) => isEnough({ person, ...one }, at));
    return post && { person, number, post, held: this.sequence };
  }

  /** Asks something of the register in the name of whoever is signed in. */
  submit(id: string, asked: Asking, session: SignInSession): Promise<CommandResult> {
    if (ownWays.has(asked.type)) return Promise.resolve(bad(`${asked.type} is asked in a way of its own; use that.`));
    return this.#submit(id, asked, session);
  }

  async #submit(id: string, asked: Asking, session: SignInSession): Promise<CommandResult> {
    const at = this.#world.clock();
    const brought = this.broughtFor(session, at);
    if ('refused' in brought) return brought;
    return this.#register.submit(id, asked, session.person, at, brought);
  }

  /** It is in the record, and not beside it: asked again with the same id, the rest is done. */
  #halfDone(error: unknown): Denied {
    this.#trouble(error);
    return unknown;
  }

  #trouble(error: unknown): void {
    this.#world.trouble('the people', error);
  }

  #changed(events: readonly StaffEvent[]): void {
    const ended = new Set(events.flatMap((event) => (event.type === 'SessionEnded' ? event.session : [])));
    if (ended.size > 0) void this.#dropTokens(ended);
    this.#idle.watch();
  }

  async #dropTokens(ended: ReadonlySet<string>): Promise<void> {
    // The token of one that has begun at another node may be known before that is read.
    const isOver = (session: string): boolean =>
      this.session(session) === undefined && (this.#world.shared === undefined || ended.has(session));
    try {
      await this.#credentials.dropTokens(isOver);
    } catch (error) {
      // They lead nowhere in any case.
      this.#trouble(error);
    }
  }
}

const refusalIn = (answer: readonly StaffEvent[] | Denied): Denied | undefined =>
  'refused' in answer ? answer : undefined;

/** Nobody acts in a post whose time is over. */
const asAt = (session: SignInSession, at: number): SignInSession =>
  session.until !== null && session.until < at ? { ...session, acting: null, until: null } : session;
