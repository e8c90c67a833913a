import { type Store } from '../../store/store.ts';
import { type PendingCommand } from './pendingCommand.ts';
import { type RuntimeRefusal, cannotRecord, resultUnknown } from './refusals.ts';
import { answerDuplicates } from './idempotency.ts';

/** Command rejector: answers commands that the processor of a stream cannot take now. */
export class CommandRejector {
  readonly #store: Store;
  /** Ids of commands whose append has no known outcome. */
  readonly #uncertainIds = new Set<string>();
  /** Refusal for commands that were certainly not appended. */
  refusal: RuntimeRefusal = cannotRecord;

  constructor(store: Store) {
    this.#store = store;
  }

  markUncertain(commands: readonly PendingCommand[]): void {
    for (const { id } of commands) this.#uncertainIds.add(id);
  }

  /** The outcome of every append is known. */
  clearUncertain(): void {
    this.#uncertainIds.clear();
  }

  /** Stored commands get their first result also now. */
  async reject(commands: readonly PendingCommand[]): Promise<void> {
    try {
      for (const command of await answerDuplicates(this.#store, commands)) {
        command.resolve(this.#uncertainIds.has(command.id) ? resultUnknown : this.refusal);
      }
    } catch {
      // The store cannot be read, so neither yes nor no is certain. Earlier results stand.
      for (const command of commands) command.resolve(resultUnknown);
    }
  }
}
