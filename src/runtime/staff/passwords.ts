import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SecretKind } from '../../staff/fieldTypes.ts';
import { type StaffState, type SignInSession, findMember, parseStaffNumber } from '../../staff/state.ts';
import { ownValue } from '../../base/ownValue.ts';
import { refuse } from '../../base/refusal.ts';
import { type CommandResult, type Denied, cannotRecord, unknown } from '../stream/pendingCommand.ts';
import { type CredentialStore, isFit, newMark, newSecret } from './credentialStore.ts';
import { type SignInRefusal, badNumber, isFailed, weakSecret } from './signInRefusals.ts';
import { type Asking } from './staffStream.ts';

type Parts = {
  readonly credentials: Pick<CredentialStore, 'keepSecret' | 'forgetSecret'>;
  readonly below: (limit: number) => number;
  readonly state: () => StaffState | undefined;
  /** Asks in the name of whoever is signed in, or of the floor. */
  readonly submit: (id: string, asked: Asking, session: SignInSession) => Promise<CommandResult>;
  readonly attempt: (asked: Asking) => Promise<readonly StaffEvent[] | Denied>;
  readonly isRight: (number: string, kind: SecretKind, secret: string) => Promise<boolean>;
  readonly notLetIn: (failed: StaffEventOf<'SignInFailed'>, number: string) => SignInRefusal;
  readonly trouble: (error: unknown) => void;
};

/** PINs and passwords: kept beside the record under a mark that the record names, so that one is good only while it does. */
export class Passwords {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** An administrator gives somebody a secret, which is told here once and changed when it is first used. */
  async give(
    id: string,
    person: string,
    kind: SecretKind,
    session: SignInSession,
  ): Promise<{ readonly secret: string } | Denied> {
    const [secret, mark] = [newSecret(kind, this.#parts.below), newMark()];
    const state = this.#parts.state();
    const former = state && ownValue(state.members, person)?.secrets[kind];
    try {
      await this.#parts.credentials.keepSecret(person, kind, mark, secret);
    } catch (error) {
      this.#parts.trouble(error);
      // It may have been asked before under this id, and stand in the record.
      return unknown;
    }
    const answered = await this.#parts.submit(id, { type: 'SetSecret', person, kind, mark }, session);
    if ('refused' in answered) {
      await this.#forget(person, kind, mark, answered);
      return answered;
    }
    await this.#forget(person, kind, former?.mark);
    return { secret };
  }

  /** A secret leads nowhere any more, unless nobody knows whether the record names it; where it stays it is no reason to fail. */
  async #forget(person: string, kind: SecretKind, mark: string | undefined, refusal?: Denied): Promise<void> {
    const isOpen = refusal?.refused === unknown.refused || refusal?.refused === cannotRecord.refused;
    if (mark === undefined || isOpen) return;
    try {
      await this.#parts.credentials.forgetSecret(person, kind, mark);
    } catch (error) {
      this.#parts.trouble(error);
    }
  }

  /** An administrator is given a password by whoever runs the machine; it is told here once. */
  async reset(typed: string): Promise<{ readonly number: string; readonly secret: string } | Denied> {
    const number = parseStaffNumber(typed);
    const state = this.#parts.state();
    const member = state && findMember(state, number ?? '');
    if (member === undefined) return { ...refuse('unknown-person', `${typed} is nobody who works here.`), by: null };
    const { person } = member;
    const former = member.secrets.password?.mark;
    const [secret, mark] = [newSecret('password', this.#parts.below), newMark()];
    await this.#parts.credentials.keepSecret(person, 'password', mark, secret);
    const events = await this.#parts.attempt({ type: 'ResetSecret', person, kind: 'password', mark });
    const refusal = 'refused' in events ? events : undefined;
    await this.#forget(person, 'password', refusal ? mark : former, refusal);
    return refusal ?? { number: member.number, secret };
  }

  /** Somebody who knows the present secret chooses the next; `session` is the one that goes on, if one does. */
  async change(of: {
    readonly number: string;
    readonly kind: SecretKind;
    readonly secret: string;
    readonly next: string;
    readonly session?: string;
  }): Promise<SignInRefusal | undefined> {
    const { kind, secret, next, session } = of;
    const number = parseStaffNumber(of.number);
    if (number === undefined) return badNumber;
    const isSame = secret === next;
    if (isSame || !isFit(kind, next)) return weakSecret;
    const state = this.#parts.state();
    const member = state && findMember(state, number);
    const former = member?.secrets[kind]?.mark;
    const right = await this.#parts.isRight(number, kind, secret);
    const mark = newMark();
    try {
      if (right) await this.#parts.credentials.keepSecret(member!.person, kind, mark, next);
    } catch (error) {
      this.#parts.trouble(error);
      return cannotRecord;
    }
    const asked = { type: 'ChangeSecret', number, kind, right, mark, ...(session !== undefined && { session }) };
    const events = await this.#parts.attempt(asked);
    const refusal =
      'refused' in events ? events : isFailed(events[0]) ? this.#parts.notLetIn(events[0], number) : undefined;
    if (right) await this.#forget(member!.person, kind, refusal ? mark : former, refusal);
    return refusal;
  }
}
