import { type ConsoleKind } from '../../staff/fieldTypes.ts';
import { type StaffEvent, type StaffEventOf } from '../../staff/events.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { type CommandRefusal } from '../stream/refusals.ts';
import { type CredentialStore, newToken } from './credentialStore.ts';
import { type ConsoleEnrolmentCodes } from './consoleEnrolmentCodes.ts';
import { newShortCode } from './shortCode.ts';
import { type SignInRefusal, enrolmentCodesLockedRefusal, wrongEnrolmentCodeRefusal } from './signInRefusals.ts';
import { type StaffCommandRequest } from './staffStream.ts';

type ConsolePlace = { readonly kind: ConsoleKind; readonly table: string | null };
/** Id of an enrolled console, and its key, which the browser gets once. */
export type ConsoleCredentials = { readonly console: string; readonly key: string };

type ConsoleEnrolmentOptions = {
  readonly credentials: Pick<CredentialStore, 'saveConsole'>;
  readonly codes: ConsoleEnrolmentCodes;
  readonly randomBelow: (limit: number) => number;
  readonly submit: (id: string, request: StaffCommandRequest, session: SignInSession) => Promise<CommandResult>;
  /** Submits a command of the system. During an outage the command is refused at once. */
  readonly attempt: (request: StaffCommandRequest) => Promise<readonly StaffEvent[] | CommandRefusal>;
  /**
   * Called when the entry is committed but the key-value table could not be written. Returns the refusal for the
   * client.
   */
  readonly storeFailed: (error: unknown) => CommandRefusal;
};

/** Enrols browsers as consoles: the current browser, or another device by a code that works once and expires soon. */
export class ConsoleEnrolment {
  readonly #options: ConsoleEnrolmentOptions;

  constructor(options: ConsoleEnrolmentOptions) {
    this.#options = options;
  }

  /** Enrols the browser of a signed-in administrator as a console. */
  async enrol(
    id: string,
    { kind, table }: ConsolePlace,
    session: SignInSession,
  ): Promise<ConsoleCredentials | CommandRefusal> {
    const result = await this.#options.submit(id, { type: 'EnrolConsole', kind, table }, session);
    if ('refused' in result) return result;
    const { console } = result.entries[0]!.event as unknown as StaffEventOf<'ConsoleEnrolled'>;
    return this.#createKey(console);
  }

  /** Makes an enrolment code for another device, for a signed-in administrator. The code is shown once. */
  async offer(
    id: string,
    { kind, table }: ConsolePlace,
    session: SignInSession,
  ): Promise<{ readonly code: string; readonly until: number } | CommandRefusal> {
    const result = await this.#options.submit(id, { type: 'OfferConsole', kind, table }, session);
    if ('refused' in result) return result;
    const event = result.entries[0]!.event as unknown as StaffEventOf<'ConsoleOffered'>;
    const { offer, until, at } = event;
    const code = newShortCode(this.#options.randomBelow);
    try {
      await this.#options.codes.save(code, { offer, until }, at);
    } catch (error) {
      return this.#options.storeFailed(error);
    }
    return { code, until };
  }

  /**
   * Enrols a device that presents an enrolment code. Each attempt is recorded, and too many wrong codes block all
   * codes for a time.
   */
  async claim(code: string): Promise<ConsoleCredentials | SignInRefusal> {
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
    return until === null ? wrongEnrolmentCodeRefusal : { ...enrolmentCodesLockedRefusal, until };
  }

  async #createKey(console: string): Promise<ConsoleCredentials | CommandRefusal> {
    const key = newToken();
    try {
      await this.#options.credentials.saveConsole(key, console);
    } catch (error) {
      return this.#options.storeFailed(error);
    }
    return { console, key };
  }
}
