import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SecretKind } from '../../staff/fieldTypes.ts';
import { type StaffState, type SignInSession, findCurrentMember, parseStaffNumber } from '../../staff/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { refuse } from '../../base/refusal.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import {
  type CommandRefusal,
  type FinalRefusal,
  cannotRecordRefusal,
  resultUnknownRefusal,
} from '../stream/refusals.ts';
import {
  type CredentialStore,
  isAcceptablePinOrPassword,
  newSecretHashId,
  newPinOrPassword,
} from './credentialStore.ts';
import { type SignInRefusal, badStaffNumberRefusal, isSignInFailedEvent, weakSecretRefusal } from './signInRefusals.ts';
import { type StaffCommandRequest } from './staffStream.ts';

type StaffSecretOptions = {
  readonly credentials: Pick<CredentialStore, 'saveSecret' | 'deleteSecret'>;
  readonly randomBelow: (limit: number) => number;
  readonly state: () => StaffState | undefined;
  readonly submit: (id: string, request: StaffCommandRequest, session: SignInSession) => Promise<CommandResult>;
  /** Submits a command of the system. During an outage the command is refused at once. */
  readonly attempt: (request: StaffCommandRequest) => Promise<readonly StaffEvent[] | CommandRefusal>;
  readonly isCorrect: (number: string, kind: SecretKind, secret: string) => Promise<boolean>;
  readonly signInRefusal: (failed: StaffEventOf<'SignInFailed'>, number: string) => SignInRefusal;
  readonly onWarning: (error: unknown) => void;
};

/**
 * Issues, resets and changes PINs and passwords. A hash is saved under a mark. The hash is valid while the last entry
 * about the PIN or password names that mark.
 */
export class StaffSecretService {
  readonly #options: StaffSecretOptions;

  constructor(options: StaffSecretOptions) {
    this.#options = options;
  }

  /**
   * Issues a new PIN or password to a person, for a signed-in administrator. The new secret is shown once. Except in a
   * demo, the person must change it at first use.
   */
  async issue(
    id: string,
    person: string,
    kind: SecretKind,
    session: SignInSession,
  ): Promise<{ readonly secret: string } | FinalRefusal> {
    const [secret, mark] = [newPinOrPassword(kind, this.#options.randomBelow), newSecretHashId()];
    const state = this.#options.state();
    const former = state && ownValue(state.members, person)?.secrets[kind];
    try {
      await this.#options.credentials.saveSecret(person, kind, mark, secret);
    } catch (error) {
      this.#options.onWarning(error);
      // The result is unknown, because an earlier command with this id may have been committed.
      return resultUnknownRefusal;
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
   * Deletes a hash that no entry makes valid. If `refusal` leaves open whether an entry names the mark of the hash, the
   * hash is kept. A failed deletion is only reported: an unused hash is harmless.
   */
  async #deleteUnused(
    person: string,
    kind: SecretKind,
    mark: string | undefined,
    refusal?: CommandRefusal,
  ): Promise<void> {
    const isUncertain =
      refusal?.refused === resultUnknownRefusal.refused || refusal?.refused === cannotRecordRefusal.refused;
    if (mark === undefined || isUncertain) return;
    try {
      await this.#options.credentials.deleteSecret(person, kind, mark);
    } catch (error) {
      this.#options.onWarning(error);
    }
  }

  /**
   * Resets the password of an administrator, on behalf of the operator of the machine. The new password is shown once.
   */
  async reset(typed: string): Promise<{ readonly number: string; readonly secret: string } | CommandRefusal> {
    const number = parseStaffNumber(typed);
    const state = this.#options.state();
    const member = state && findCurrentMember(state, number ?? '');
    if (member === undefined)
      return { ...refuse('unknown-person', `No staff member has the number ${typed}; check the number.`), by: null };
    const { person } = member;
    const former = member.secrets.password?.mark;
    const [secret, mark] = [newPinOrPassword('password', this.#options.randomBelow), newSecretHashId()];
    await this.#options.credentials.saveSecret(person, 'password', mark, secret);
    const events = await this.#options.attempt({ type: 'ResetSecret', person, kind: 'password', mark });
    const refusal = 'refused' in events ? events : undefined;
    await this.#deleteUnused(person, 'password', refusal ? mark : former, refusal);
    return refusal ?? { number: member.number, secret };
  }

  /**
   * Replaces a PIN or password by a new one that the person chose. All sessions of the person end, except `session`.
   */
  async change(of: {
    readonly number: string;
    readonly kind: SecretKind;
    readonly secret: string;
    readonly next: string;
    readonly session?: string;
  }): Promise<SignInRefusal | undefined> {
    const { kind, secret, next, session } = of;
    const number = parseStaffNumber(of.number);
    if (number === undefined) return badStaffNumberRefusal;
    const isSame = secret === next;
    if (isSame || !isAcceptablePinOrPassword(kind, next)) return weakSecretRefusal;
    const state = this.#options.state();
    const member = state && findCurrentMember(state, number);
    const former = member?.secrets[kind]?.mark;
    const right = await this.#options.isCorrect(number, kind, secret);
    const mark = newSecretHashId();
    try {
      if (right) await this.#options.credentials.saveSecret(member!.person, kind, mark, next);
    } catch (error) {
      this.#options.onWarning(error);
      return cannotRecordRefusal;
    }
    const request = { type: 'ChangeSecret', number, kind, right, mark, ...(session !== undefined && { session }) };
    const events = await this.#options.attempt(request);
    const refusal =
      'refused' in events
        ? events
        : isSignInFailedEvent(events[0])
          ? this.#options.signInRefusal(events[0], number)
          : undefined;
    if (right) await this.#deleteUnused(member!.person, kind, refusal ? mark : former, refusal);
    return refusal;
  }
}
