import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SecretKind } from '../../staff/fieldTypes.ts';
import { type SignInSession, type StaffState, findCurrentMember, parseStaffNumber } from '../../staff/state.ts';
import { authoritiesOf, effectiveRole } from '../../staff/roleGrants.ts';
import { type Role } from '../../access/roles.ts';
import { type CommandRefusal, cannotRecordRefusal } from '../stream/refusals.ts';
import { type SecondPersonConsent, type SecondPersonConsentRequest } from './secondPersonConsent.ts';
import { type CredentialStore, newToken } from './credentialStore.ts';
import {
  type SignInRefusal,
  type SignInRequest,
  badStaffNumberRefusal,
  isSignInFailedEvent,
  sessionOverRefusal,
  refusalOfFailedSignIn,
} from './signInRefusals.ts';
import { type StaffCommandRequest } from './staffStream.ts';

/** A new sign-in session, and its secret token for the browser. */
export type NewSessionWithToken = { readonly token: string; readonly session: SignInSession };

type SignInOptions = {
  readonly credentials: Pick<CredentialStore, 'isCorrect' | 'saveToken'>;
  readonly clock: () => number;
  readonly state: () => StaffState | undefined;
  readonly session: (id: string) => SignInSession | undefined;
  /** Submits a command of the system. During an outage the command is refused at once. */
  readonly attempt: (request: StaffCommandRequest) => Promise<readonly StaffEvent[] | CommandRefusal>;
  /** Reads the entries that other nodes have appended to the staff stream. Without a cluster it does nothing. */
  readonly readToEnd: () => Promise<void>;
  readonly signOut: (session: string, why: 'ended') => Promise<CommandRefusal | undefined>;
  readonly touch: (session: string) => void;
  readonly onWarning: (error: unknown) => void;
};

/** Checks PINs and passwords for sign-in, relief, unlocking, and approval by a second person. */
export class SignInService {
  readonly #options: SignInOptions;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** Signs a person in by staff number and PIN or password. A person with several roles must choose a role. */
  async signIn({
    number: typed,
    secret,
    kind,
    role,
    console,
  }: SignInRequest): Promise<NewSessionWithToken | SignInRefusal> {
    const number = parseStaffNumber(typed);
    if (number === undefined) return badStaffNumberRefusal;
    const right = await this.isCorrect(number, kind, secret);
    return this.#startSession({ type: 'SignIn', number, by: kind, right, ...(role && { as: role }), console }, number);
  }

  /** Signs a person in without PIN or password. Outside a demo this sign-in is refused. */
  demoSignIn(who: {
    readonly number: string;
    readonly role?: Role;
    readonly console?: string | null;
  }): Promise<NewSessionWithToken | SignInRefusal> {
    const { number, role, console = null } = who;
    return this.#startSession(
      { type: 'SignIn', number, by: 'click', right: true, ...(role && { as: role }), console },
      number,
    );
  }

  /**
   * Relief: another person signs in at the console of a session, and the same command ends that session. Outside a
   * demo, a relief without a PIN is refused.
   */
  async relieve(
    session: string,
    { number: typed, pin, role }: { readonly number: string; readonly pin?: string; readonly role?: Role },
  ): Promise<NewSessionWithToken | SignInRefusal> {
    const number = parseStaffNumber(typed);
    if (number === undefined) return badStaffNumberRefusal;
    const right = pin === undefined || (await this.isCorrect(number, 'pin', pin));
    const by = pin === undefined ? 'click' : 'pin';
    return this.#startSession({ type: 'Relieve', session, number, by, right, ...(role && { as: role }) }, number);
  }

  async #startSession(request: StaffCommandRequest, number: string): Promise<NewSessionWithToken | SignInRefusal> {
    const events = await this.#options.attempt(request);
    if ('refused' in events) return events;
    const last = events.at(-1);
    if (isSignInFailedEvent(last)) return this.refusalOf(last, number);
    const { session: id } = last as StaffEventOf<'SignedIn'>;
    const token = newToken();
    const session = this.#options.session(id);
    if (session === undefined) return sessionOverRefusal;
    try {
      await this.#options.credentials.saveToken(token, session);
    } catch (error) {
      this.#options.onWarning(error);
      await this.#options.signOut(id, 'ended');
      return cannotRecordRefusal;
    }
    this.#options.touch(id);
    return { token, session };
  }

  refusalOf(failed: StaffEventOf<'SignInFailed'>, number: string): SignInRefusal {
    const state = this.#options.state();
    const member = state && findCurrentMember(state, number);
    const authorities = member ? authoritiesOf(state, member.person, this.#options.clock()) : [];
    return refusalOfFailedSignIn(failed, authorities.map(effectiveRole));
  }

  async isCorrect(number: string, kind: SecretKind, secret: string): Promise<boolean> {
    // The staff stream is read first, because another node may have changed the PIN or password.
    await this.#options.readToEnd();
    const state = this.#options.state();
    const member = state && findCurrentMember(state, number);
    return this.#options.credentials.isCorrect(member, kind, secret);
  }

  /**
   * Unlocks a session with the PIN or password that its console uses. Outside a demo, an unlock without a secret is
   * refused.
   */
  async unlock(session: string, secret?: string): Promise<SignInRefusal | undefined> {
    const { number, console } = this.#options.session(session) ?? {};
    if (number === undefined || console === undefined) return sessionOverRefusal;
    const kind = this.secretKindAt(console);
    const right = secret === undefined || (await this.isCorrect(number, kind, secret));
    const by = secret === undefined ? 'click' : kind;
    const events = await this.#options.attempt({ type: 'UnlockSession', session, by, right });
    if ('refused' in events) return events;
    this.#options.touch(session);
    return isSignInFailedEvent(events[0]) ? this.refusalOf(events[0], number) : undefined;
  }

  /**
   * The kind of secret at a console: a password in the office and at browsers that are not enrolled, and a PIN at all
   * other consoles.
   */
  secretKindAt(console: string | null): SecretKind {
    const kind = console === null ? undefined : this.#options.state()?.consoles[console]?.kind;
    return kind === undefined || kind === 'office' ? 'password' : 'pin';
  }

  /**
   * Records the approval of a proposal by a second person. That person enters staff number and PIN, and gets no
   * session.
   */
  async consent({
    number: typed,
    pin,
    table,
    proposal,
    hash,
    console,
  }: SecondPersonConsentRequest): Promise<SecondPersonConsent | SignInRefusal> {
    const number = parseStaffNumber(typed);
    if (number === undefined) return badStaffNumberRefusal;
    const right = await this.isCorrect(number, 'pin', pin);
    const events = await this.#options.attempt({
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
    if (isSignInFailedEvent(events[0])) return this.refusalOf(events[0], number);
    const { person } = events[0] as StaffEventOf<'ConsentGiven'>;
    return { person, number, table, proposal, hash };
  }
}
