import { type DomainEvent } from '../../deciders/deciders.ts';
import { assert } from '../../base/assert.ts';
import { type AppendResult } from '../../store/store.ts';
import { StoreWriterEnded } from '../../store/failures.ts';
import { type DecidedCommand, type PendingState } from './pendingState.ts';
import { type PendingCommand } from './pendingCommand.ts';
import { type CommandRefusal, balanceRefusal } from './refusals.ts';
import { answerDuplicates } from './idempotency.ts';
import { type ProcessorOptions } from './processorOptions.ts';

/** Batch appender: decides a batch, appends it in one transaction, publishes it and answers its commands. */
export class BatchAppender<
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

  /** Decides and appends one batch; returns the commands to try again. */
  async append(commands: readonly PendingCommand[]): Promise<readonly PendingCommand[]> {
    const { store, stream, publish, onAppended } = this.#options;
    const pending = this.#pending;
    const decided: DecidedCommand[] = [];
    try {
      const isRead = await pending.refreshFor(commands[0]);
      const refused = pending.decide(commands, isRead, decided);
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
      let from = 0;
      for (const command of decided) {
        command.command.resolve({ entries: appended.entries.slice(from, from + command.entries.length) });
        from += command.entries.length;
      }
      for (const [command, refusal] of refused) command.resolve(refusal);
      return commands.slice(decided.length + refused.size);
    } finally {
      if (!pending.isInDoubt(decided)) pending.release(decided);
    }
  }

  /** Handles a refusal of the store: answers the commands it concerns, and returns the others. */
  async #afterAppendRefusal(
    refused: Exclude<AppendResult, { entries: unknown }>,
    decided: readonly DecidedCommand[],
    commands: readonly PendingCommand[],
  ): Promise<readonly PendingCommand[]> {
    if (refused.refused !== 'balance-guard' && refused.refused !== 'balance-range') {
      if (refused.refused === 'epoch-over') {
        const { stream, onOvertaken } = this.#options;
        if (!onOvertaken)
          throw new StoreWriterEnded(`Another process has taken over ${stream}, in epoch ${refused.epoch}.`);
        this.#stopLeading();
        onOvertaken();
        return commands;
      }
      // Commands that were stored in the meantime get their first result.
      const left = await answerDuplicates(this.#options.store, commands);
      // Other writers may have appended more since the refusal.
      const moved = refused.refused === 'stream-moved' && this.#pending.committed.sequence >= refused.at;
      assert(moved || left.length < commands.length, 'the store shows why it refused an append');
      return left;
    }
    const offender = this.#pending.commandOfEntry(decided, refused.entry);
    const refusal = { ...balanceRefusal(refused), credit: this.#options.balances.balance(refused.account) };
    offender.resolve(refusal);
    return commands.filter((command) => command !== offender);
  }
}
