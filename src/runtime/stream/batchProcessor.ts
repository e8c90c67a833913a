import { type DomainEvent } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { type AppendResult } from '../../store/store.ts';
import { StoreWriterEndedError } from '../../store/failures.ts';
import { type DecidedCommand, type PendingState } from './pendingState.ts';
import { type PendingCommand } from './pendingCommand.ts';
import { type CommandRefusal, balanceRefusal } from './refusals.ts';
import { resolveStoredCommands, startLookupOfRefusedCommands } from './commandLookup.ts';
import { type ProcessorOptions } from './processorOptions.ts';

/** Batch processor: decides a batch, appends it in one transaction, publishes it and answers its commands. */
export class BatchProcessor<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends CommandRefusal,
> {
  readonly #options: ProcessorOptions<State, Command, Event, Refused>;
  readonly #pending: PendingState<State, Command, Event, Refused>;
  readonly #stopLeading: () => void;

  constructor(
    options: ProcessorOptions<State, Command, Event, Refused>,
    pending: PendingState<State, Command, Event, Refused>,
    stopLeading: () => void,
  ) {
    this.#options = options;
    this.#pending = pending;
    this.#stopLeading = stopLeading;
  }

  /** Decides and appends one batch; returns the commands that have no result yet. */
  async append(commands: readonly PendingCommand[]): Promise<readonly PendingCommand[]> {
    const { store, stream, publish, onAppended } = this.#options;
    const pending = this.#pending;
    const decided: DecidedCommand[] = [];
    let reserved = decided;
    try {
      const isRead = await pending.refreshFor(commands[0]);
      const refused = pending.decide(commands, isRead, decided);
      // The look-up of the refused commands runs while the entries are appended.
      const answerRefused = startLookupOfRefusedCommands(store, refused);
      const entries = decided.flatMap((command) => command.entries);
      if (entries.length > 0) pending.markInDoubt(decided);
      const appended =
        entries.length === 0
          ? { entries: [] }
          : await store.append({ stream, after: pending.committed.sequence, entries });
      if ('refused' in appended) {
        await pending.reload(decided);
        pending.markInDoubt([]);
        return await this.#afterAppendRefusal(appended, decided, commands);
      }
      pending.commit(appended.entries);
      if (entries.length > 0) {
        publish(appended.entries);
        onAppended?.(pending.committed.sequence);
      }
      // Reservations end before the next `await`, because listeners of `publish` read the balances one microtask later.
      pending.release(decided);
      reserved = [];
      // Throws if the look-up failed. No command has a result then, so the whole batch is retried; the commands that
      // are stored already are found by their ids.
      await answerRefused();
      let from = 0;
      for (const command of decided) {
        command.command.resolve({ entries: appended.entries.slice(from, from + command.entries.length) });
        from += command.entries.length;
      }
      return commands.slice(decided.length + refused.size);
    } finally {
      if (!pending.isInDoubt(reserved)) pending.release(reserved);
    }
  }

  /**
   * Handles an append that the store refused: answers the commands that caused the refusal, and returns the other
   * commands.
   */
  async #afterAppendRefusal(
    refused: Exclude<AppendResult, { entries: unknown }>,
    decided: readonly DecidedCommand[],
    commands: readonly PendingCommand[],
  ): Promise<readonly PendingCommand[]> {
    if (refused.refused !== 'balance-guard' && refused.refused !== 'balance-range') {
      if (refused.refused === 'epoch-over') {
        const { stream, onOvertaken } = this.#options;
        if (!onOvertaken)
          throw new StoreWriterEndedError(
            `Another process has taken over ${stream}, in fencing epoch ${refused.epoch}.`,
          );
        this.#stopLeading();
        onOvertaken();
        return commands;
      }
      const left = await resolveStoredCommands(this.#options.store, commands);
      // The sequence may be above `refused.at`, because other writers may have appended again since the refusal.
      const moved = refused.refused === 'stream-moved' && this.#pending.committed.sequence >= refused.at;
      assert(
        moved || left.length < commands.length,
        'new entries or a stored command explain why the store refused an append',
      );
      return left;
    }
    const offender = this.#pending.commandOfEntry(decided, refused.entry);
    const refusal = { ...balanceRefusal(refused), credit: this.#options.balances.balance(refused.account) };
    await startLookupOfRefusedCommands(this.#options.store, new Map([[offender, refusal]]))();
    return commands.filter((command) => command !== offender);
  }
}
