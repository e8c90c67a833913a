import { type Store } from '../../store/store.ts';
import { type PendingCommand } from './pendingCommand.ts';
import { type RuntimeRefusal, cannotRecordRefusal, resultUnknownRefusal } from './refusals.ts';
import { startLookupOfRefusedCommands } from './commandLookup.ts';

/**
 * Command rejector: answers commands that a stream processor cannot append now. Stored commands get their first result,
 * all others a refusal.
 */
export class CommandRejector {
  readonly #store: Store;
  /** Ids of commands whose append may or may not have happened. */
  readonly #uncertainIds = new Set<string>();
  /** Refusal for commands that were certainly not appended. */
  refusal: RuntimeRefusal = cannotRecordRefusal;

  constructor(store: Store) {
    this.#store = store;
  }

  markUncertain(commands: readonly PendingCommand[]): void {
    for (const { id } of commands) this.#uncertainIds.add(id);
  }

  /** Call when it is known of every append whether it was stored. */
  clearUncertain(): void {
    this.#uncertainIds.clear();
  }

  /** Refuses commands. Commands that are stored already get their first result instead. */
  async reject(commands: readonly PendingCommand[]): Promise<void> {
    try {
      const refusalOf = ({ id }: PendingCommand) => (this.#uncertainIds.has(id) ? resultUnknownRefusal : this.refusal);
      await startLookupOfRefusedCommands(
        this.#store,
        new Map(commands.map((command) => [command, refusalOf(command)])),
      )();
    } catch {
      // The store cannot be read, so any of the commands may be stored. A command that was resolved before the failure
      // keeps its result.
      for (const command of commands) command.resolve(resultUnknownRefusal);
    }
  }
}
