import { type Store } from '../../store/store.ts';
import { type PendingCommand } from './pendingCommand.ts';
import { type RuntimeRefusal, cannotRecordRefusal, resultUnknownRefusal } from './refusals.ts';
import { answerDuplicates } from './idempotency.ts';

/** Command rejector: answers commands that the processor of a stream cannot take now. */
export class CommandRejector {
  readonly #store: Store;
  /** Ids of commands whose append may or may not have happened. */
  readonly #uncertainIds = new Set<string>();
  /** Refusal that commands get if they were certainly not appended. */
  refusal: RuntimeRefusal = cannotRecordRefusal;

  constructor(store: Store) {
    this.#store = store;
  }

  markUncertain(commands: readonly PendingCommand[]): void {
    for (const { id } of commands) this.#uncertainIds.add(id);
  }

  /** Call when the outcome of all appends is known. */
  clearUncertain(): void {
    this.#uncertainIds.clear();
  }

  /** Refuses commands, except those that are stored already: they get their first result. */
  async reject(commands: readonly PendingCommand[]): Promise<void> {
    try {
      for (const command of await answerDuplicates(this.#store, commands)) {
        command.resolve(this.#uncertainIds.has(command.id) ? resultUnknownRefusal : this.refusal);
      }
    } catch {
      // The store cannot be read, so it is not known which are stored. Commands that are resolved already stay so.
      for (const command of commands) command.resolve(resultUnknownRefusal);
    }
  }
}
