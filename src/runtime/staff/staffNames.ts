import { hasUnseenCharacter } from '../../base/unseenCharacters.ts';
import { refuse } from '../../base/refusal.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { type FinalRefusal, asFinalRefusal } from '../stream/refusals.ts';
import { type CredentialStore } from './credentialStore.ts';
import { type StaffCommandRequest } from './staffStream.ts';

type StaffNamesOptions = {
  readonly credentials: Pick<CredentialStore, 'nameOf' | 'saveName'>;
  readonly submit: (id: string, request: StaffCommandRequest, session: SignInSession) => Promise<CommandResult>;
  /** True if a later entry changes the name of the same person. */
  readonly isSuperseded: (entry: StoredEntry) => Promise<boolean>;
  /**
   * Called when the entry is committed but the key-value table could not be written. Returns the refusal for the
   * client.
   */
  readonly storeFailed: (error: unknown) => FinalRefusal;
};

const isName = (text: string): boolean =>
  text !== '' && text.length <= 100 && text.isWellFormed() && !hasUnseenCharacter(text);

/** Names of staff. The names are in the key-value table and not in the event log, so that they can be erased. */
export class StaffNames {
  readonly #options: StaffNamesOptions;

  constructor(options: StaffNamesOptions) {
    this.#options = options;
  }

  nameOf(person: string): string | undefined {
    return this.#options.credentials.nameOf(person);
  }

  /**
   * Sets a name, or erases it if `name` is undefined. The event log records who changed the name, but never the name
   * itself.
   */
  async set(
    id: string,
    person: string,
    name: string | undefined,
    session: SignInSession,
  ): Promise<FinalRefusal | undefined> {
    const text = name?.trim();
    if (text !== undefined && !isName(text)) {
      return asFinalRefusal(
        refuse('bad-request', 'A name must have 1 to 100 characters and no control characters. Enter the name again.'),
      );
    }
    const { submit, credentials, isSuperseded, storeFailed } = this.#options;
    const result = await submit(id, { type: 'NoteName', person, erased: text === undefined }, session);
    if ('refused' in result) return result;
    try {
      // A resend saves a name that could not be saved the first time. If the name was changed since then, the later
      // name stays.
      if (!(await isSuperseded(result.entries[0]!))) await credentials.saveName(person, text);
    } catch (error) {
      return storeFailed(error);
    }
    return undefined;
  }
}
