import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SecretKind } from '../../staff/fieldTypes.ts';
import { type StaffState, type SignInSession, findPresentMember, parseStaffNumber } from '../../staff/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { refuse } from '../../base/refusal.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { type CommandRefusal, cannotRecord, resultUnknown } from '../stream/refusals.ts';
import { type CredentialStore, isAcceptableSecret, newMark, newSecret } from './credentialStore.ts';
import { type SignInRefusal, badStaffNumber, isSignInFailed, weakSecret } from './signInRefusals.ts';
import { type StaffCommandRequest } from './staffStream.ts';

type PasswordsOptions = {
  readonly credentials: Pick<CredentialStore, 'saveSecret' | 'deleteSecret'>;
  readonly randomBelow: (limit: number) => number;
  readonly state: () => StaffState | undefined;
  /** Submits for the signed-in person, or for the floor. */
  readonly submit: (id: string, request: StaffCommandRequest, session: SignInSession) => Promise<CommandResult>;
  readonly attempt: (request: StaffCommandRequest) => Promise<readonly StaffEvent[] | CommandRefusal>;
  readonly isCorrect: (number: string, kind: SecretKind, secret: string) => Promise<boolean>;
  readonly signInRefusal: (failed: StaffEventOf<'SignInFailed'>, number: string) => SignInRefusal;
  readonly onWarning: (error: unknown) => void;
};

/** PINs and passwords. Their hashes are saved under a mark, and are valid only while an entry names the mark. */
export class Passwords {
  readonly #options: PasswordsOptions;

  constructor(options: PasswordsOptions) {
    this.#options = options;
  }

  /** An administrator issues a secret. It is shown once and must be changed at first use. */
  async issue(
    id: string,
    person: string,
    kind: SecretKind,
    session: SignInSession,
  ): Promise<{ readonly secret: string } | CommandRefusal> {
    const [secret, mark] = [newSecret(kind, this.#options.randomBelow), newMark()];
    const state = this.#options.state();
    const former = state && ownValue(state.members, person)?.secrets[kind];
    try {
      await this.#options.credentials.saveSecret(person, kind, mark, secret);
    } catch (error) {
      this.#options.onWarning(error);
      // An earlier try with this id may have been committed.
      return resultUnknown;
    }
    const result = await this.#options.submit(id, { type: 'SetSecret', person, kind, mark }, session);
    if ('refused' in result) {
      await this.#deleteUnused(person, kind, mark, result);
      return result;
    }
    await this.#deleteUnused(person, kind, former?.mark);
    return { secret };
  }

  /**
   * Deletes a hash that no entry names, unless that is uncertain. A failure leaves an unused hash, which is harmless.
   */
  async #deleteUnused(
    person: string,
    kind: SecretKind,
    mark: string | undefined,
    refusal?: CommandRefusal,
  ): Promise<void> {
    const isUncertain = refusal?.refused === resultUnknown.refused || refusal?.refused === cannotRecord.refused;
    if (mark === undefined || isUncertain) return;
    try {
      await this.#options.credentials.deleteSecret(person, kind, mark);
    } catch (error) {
      this.#options.onWarning(error);
    }
  }

  /** The operator of the machine resets an administrator's password; it is shown once. */
  async reset(typed: string): Promise<{ readonly number: string; readonly secret: string } | CommandRefusal> {
    const number = parseStaffNumber(typed);
    const state = this.#options.state();
    const member = state && findPresentMember(state, number ?? '');
    if (member === undefined)
      return { ...refuse('unknown-person', `No member of staff has the number ${typed}.`), by: null };
    const { person } = member;
    const former = member.secrets.password?.mark;
    const [secret, mark] = [newSecret('password', this.#options.randomBelow), newMark()];
    await this.#options.credentials.saveSecret(person, 'password', mark, secret);
    const events = await this.#options.attempt({ type: 'ResetSecret', person, kind: 'password', mark });
    const refusal = 'refused' in events ? events : undefined;
    await this.#deleteUnused(person, 'password', refusal ? mark : former, refusal);
    return refusal ?? { number: member.number, secret };
  }

  /** A person replaces a known secret. `session` is the one that stays open, if any. */
  async change(of: {
    readonly number: string;
    readonly kind: SecretKind;
    readonly secret: string;
    readonly next: string;
    readonly session?: string;
  }): Promise<SignInRefusal | undefined> {
    const { kind, secret, next, session } = of;
    const number = parseStaffNumber(of.number);
    if (number === undefined) return badStaffNumber;
    const isSame = secret === next;
    if (isSame || !isAcceptableSecret(kind, next)) return weakSecret;
    const state = this.#options.state();
    const member = state && findPresentMember(state, number);
    const former = member?.secrets[kind]?.mark;
    const right = await this.#options.isCorrect(number, kind, secret);
    const mark = newMark();
    try {
      if (right) await this.#options.credentials.saveSecret(member!.person, kind, mark, next);
    } catch (error) {
      this.#options.onWarning(error);
      return cannotRecord;
    }
    const request = { type: 'ChangeSecret', number, kind, right, mark, ...(session !== undefined && { session }) };
    const events = await this.#options.attempt(request);
    const refusal =
      'refused' in events
        ? events
        : isSignInFailed(events[0])
          ? this.#options.signInRefusal(events[0], number)
          : undefined;
    if (right) await this.#deleteUnused(member!.person, kind, refusal ? mark : former, refusal);
    return refusal;
  }
}
