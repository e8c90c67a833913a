import { refuse } from '../../base/refusal.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type CommandResult } from '../stream/pendingCommand.ts';
import { type CommandRefusal } from '../stream/refusals.ts';
import { type CredentialStore } from './credentialStore.ts';
import { type StaffCommandRequest } from './staffStream.ts';

type StaffNamesOptions = {
  readonly credentials: Pick<CredentialStore, 'nameOf' | 'saveName'>;
  readonly submit: (id: string, request: StaffCommandRequest, session: SignInSession) => Promise<CommandResult>;
  /** The entry is committed, but the key-value table was not written. */
  readonly storeFailed: (error: unknown) => CommandRefusal;
};

/** Names of staff. They are in the key-value table, where they can be erased. */
export class StaffNames {
  readonly #options: StaffNamesOptions;

  constructor(options: StaffNamesOptions) {
    this.#options = options;
  }

  nameOf(person: string): string | undefined {
    return this.#options.credentials.nameOf(person);
  }

  /** An administrator sets or erases a name. The act is recorded, the name never. */
  async set(
    id: string,
    person: string,
    name: string | undefined,
    session: SignInSession,
  ): Promise<CommandRefusal | undefined> {
    const text = name?.trim();
    if (text === '' || (text !== undefined && (text.length > 100 || !text.isWellFormed()))) {
      return { ...refuse('bad-request', 'A name has one to a hundred letters; give such a one.'), by: null };
    }
    const { submit, credentials, storeFailed } = this.#options;
    const result = await submit(id, { type: 'NoteName', person, erased: text === undefined }, session);
    if ('refused' in result) return result;
    try {
      await credentials.saveName(person, text);
    } catch (error) {
      return storeFailed(error);
    }
    return undefined;
  }
}
