import { type ConsoleKind } from '../../staff/fieldTypes.ts';
import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { type CommandRefusal } from '../stream/refusals.ts';
import { type CredentialStore, newToken } from './credentialStore.ts';
import { type EnrolmentCodes } from './enrolmentCodes.ts';
import { type SignInRefusal, codesLocked, wrongEnrolmentCode } from './signInRefusals.ts';
import { type StaffCommandRequest } from './staffStream.ts';

type ConsolePlace = { readonly kind: ConsoleKind; readonly table: string | null };
/** An enrolled console with its key, which is shown once. */
export type EnrolledConsole = { readonly console: string; readonly key: string };

type ConsoleEnrolmentOptions = {
  readonly credentials: Pick<CredentialStore, 'saveConsole'>;
  readonly codes: EnrolmentCodes;
  readonly randomBelow: (limit: number) => number;
  /** Submits for the signed-in person, or for the floor. */
  readonly submit: (id: string, request: StaffCommandRequest, session: SignInSession) => Promise<CommandResult>;
  readonly attempt: (request: StaffCommandRequest) => Promise<readonly StaffEvent[] | CommandRefusal>;
  /** The entry is committed, but the key-value table was not written. */
  readonly storeFailed: (error: unknown) => CommandRefusal;
};

/** No letters that look alike; long enough that guessing within the lifetime fails. */
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 8;

/** Enrols browsers as consoles: the current one, or another device by a short-lived code that works once. */
export class ConsoleEnrolment {
  readonly #options: ConsoleEnrolmentOptions;

  constructor(options: ConsoleEnrolmentOptions) {
    this.#options = options;
  }

  /** An administrator enrols the current browser. */
  async enrol(
    id: string,
    { kind, table }: ConsolePlace,
    session: SignInSession,
  ): Promise<EnrolledConsole | CommandRefusal> {
    const result = await this.#options.submit(id, { type: 'EnrolConsole', kind, table }, session);
    if ('refused' in result) return result;
    const { console } = result.entries[0]!.event as unknown as StaffEventOf<'ConsoleEnrolled'>;
    return this.#createKey(console);
  }

  /** An administrator offers a console to another device; the code is shown once. */
  async offer(
    id: string,
    { kind, table }: ConsolePlace,
    session: SignInSession,
  ): Promise<{ readonly code: string; readonly until: number } | CommandRefusal> {
    const result = await this.#options.submit(id, { type: 'OfferConsole', kind, table }, session);
    if ('refused' in result) return result;
    const event = result.entries[0]!.event as unknown as StaffEventOf<'ConsoleOffered'>;
    const { offer, until, at } = event;
    const code = Array.from(
      { length: codeLength },
      () => codeLetters[this.#options.randomBelow(codeLetters.length)]!,
    ).join('');
    try {
      await this.#options.codes.save(code, { offer, until }, at);
    } catch (error) {
      return this.#options.storeFailed(error);
    }
    return { code: `${code.slice(0, 4)}-${code.slice(4)}`, until };
  }

  /** A device presents a code; every try is recorded. */
  async claim(code: string): Promise<EnrolledConsole | SignInRefusal> {
    const offer = await this.#options.codes.offerOf(code);
    const events = await this.#options.attempt({ type: 'ClaimConsole', ...(offer !== undefined && { offer }) });
    if ('refused' in events) return events;
    const [event] = events;
    if (event?.type === 'ConsoleEnrolled') {
      const keyed = await this.#createKey(event.console);
      await this.#options.codes.delete(code).catch((error: unknown) => void this.#options.storeFailed(error));
      return keyed;
    }
    const { until } = event as StaffEventOf<'ClaimFailed'>;
    return until === null ? wrongEnrolmentCode : { ...codesLocked, until };
  }

  async #createKey(console: string): Promise<EnrolledConsole | CommandRefusal> {
    const key = newToken();
    try {
      await this.#options.credentials.saveConsole(key, console);
    } catch (error) {
      return this.#options.storeFailed(error);
    }
    return { console, key };
  }
}
