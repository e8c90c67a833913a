import { refuse } from '../../base/refusal.ts';
import { type SignInSession } from '../../staff/state.ts';
import { type CommandResult, type Denied } from '../stream/pendingCommand.ts';
import { type CredentialStore } from './credentialStore.ts';
import { type Asking } from './staffStream.ts';

type Parts = {
  readonly credentials: Pick<CredentialStore, 'nameOf' | 'keepName'>;
  readonly submit: (id: string, asked: Asking, session: SignInSession) => Promise<CommandResult>;
  /** It is in the record, and not beside it. */
  readonly halfDone: (error: unknown) => Denied;
};

/** What people are called. It lies beside the record, where it can be erased. */
export class StaffNames {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  of(person: string): string | undefined {
    return this.#parts.credentials.nameOf(person);
  }

  /** An administrator writes the name of somebody down, or erases it; that it was done is recorded, and never the name. */
  async set(id: string, person: string, name: string | undefined, session: SignInSession): Promise<Denied | undefined> {
    const text = name?.trim();
    if (text === '' || (text !== undefined && (text.length > 100 || !text.isWellFormed()))) {
      return { ...refuse('bad-request', 'A name has one to a hundred letters; give such a one.'), by: null };
    }
    const { submit, credentials, halfDone } = this.#parts;
    const answered = await submit(id, { type: 'NoteName', person, erased: text === undefined }, session);
    if ('refused' in answered) return answered;
    try {
      await credentials.keepName(person, text);
    } catch (error) {
      return halfDone(error);
    }
    return undefined;
  }
}
