import { type ConsoleKind } from '../../staff/fieldTypes.ts';
import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type CommandResult, type Denied } from '../stream/pendingCommand.ts';
import { type CredentialStore, newToken } from './credentialStore.ts';
import { type Offers } from './enrolmentCodes.ts';
import { type SignInRefusal, codesLocked, wrongEnrolmentCode } from './signInRefusals.ts';
import { type Asking } from './staffStream.ts';

type Place = { readonly kind: ConsoleKind; readonly table: string | null };
/** A browser that is a console from now on, with its key, which is told once. */
export type Enrolled = { readonly console: string; readonly key: string };

type Parts = {
  readonly credentials: Pick<CredentialStore, 'keepConsole'>;
  readonly offers: Offers;
  readonly below: (limit: number) => number;
  /** Asks in the name of whoever is signed in, or of the floor. */
  readonly submit: (id: string, asked: Asking, session: SignInSession) => Promise<CommandResult>;
  readonly attempt: (asked: Asking) => Promise<readonly StaffEvent[] | Denied>;
  /** What is in the record, and not beside it. */
  readonly halfDone: (error: unknown) => Denied;
};

/** Without letters that look like others; so many that nobody guesses them in the time there is. */
const letters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const length = 8;

/** Browsers that become consoles: the one in use, or another device by a code that is good once and for a short time. */
export class Consoles {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** An administrator enrols the browser in use. */
  async enrol(id: string, { kind, table }: Place, session: SignInSession): Promise<Enrolled | Denied> {
    const answered = await this.#parts.submit(id, { type: 'EnrolConsole', kind, table }, session);
    if ('refused' in answered) return answered;
    const { console } = answered.entries[0]!.event as unknown as StaffEventOf<'ConsoleEnrolled'>;
    return this.#keyed(console);
  }

  /** An administrator offers a console to another device, by a code that is told here once. */
  async offer(
    id: string,
    { kind, table }: Place,
    session: SignInSession,
  ): Promise<{ readonly code: string; readonly until: number } | Denied> {
    const answered = await this.#parts.submit(id, { type: 'OfferConsole', kind, table }, session);
    if ('refused' in answered) return answered;
    const event = answered.entries[0]!.event as unknown as StaffEventOf<'ConsoleOffered'>;
    const { offer, until, at } = event;
    const code = Array.from({ length }, () => letters[this.#parts.below(letters.length)]!).join('');
    try {
      await this.#parts.offers.keep(code, { offer, until }, at);
    } catch (error) {
      return this.#parts.halfDone(error);
    }
    return { code: `${code.slice(0, 4)}-${code.slice(4)}`, until };
  }

  /** A device gives a code; every try is recorded. */
  async claim(code: string): Promise<Enrolled | SignInRefusal> {
    const offer = await this.#parts.offers.of(code);
    const events = await this.#parts.attempt({ type: 'ClaimConsole', ...(offer !== undefined && { offer }) });
    if ('refused' in events) return events;
    const [event] = events;
    if (event?.type === 'ConsoleEnrolled') {
      const keyed = await this.#keyed(event.console);
      await this.#parts.offers.drop(code).catch((error: unknown) => void this.#parts.halfDone(error));
      return keyed;
    }
    const { until } = event as StaffEventOf<'ClaimFailed'>;
    return until === null ? wrongEnrolmentCode : { ...codesLocked, until };
  }

  async #keyed(console: string): Promise<Enrolled | Denied> {
    const key = newToken();
    try {
      await this.#parts.credentials.keepConsole(key, console);
    } catch (error) {
      return this.#parts.halfDone(error);
    }
    return { console, key };
  }
}
