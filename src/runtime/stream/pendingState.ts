import { type DomainEvent } from '../../deciders/deciders.ts';
import { type NewEntry, type StoredEntry } from '../../store/store.ts';
import { type PendingCommand } from './pendingCommand.ts';
import { type CommandRefusal } from './refusals.ts';
import { decideCommand } from './decideCommand.ts';
import { type ProcessorOptions } from './processorOptions.ts';
import { CommittedState } from './committedState.ts';

export type DecidedCommand = {
  readonly command: PendingCommand;
  readonly entries: readonly NewEntry[];
};

/** Pending state of one stream: the committed state plus commands that are decided and not yet committed. */
export class PendingState<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends CommandRefusal,
> {
  readonly #options: ProcessorOptions<State, Command, Event, Refused>;
  readonly committed: CommittedState<State, Event>;
  #state: State;
  /** Time of the last event, decided events included, in milliseconds since 1970. */
  #at = 0;
  /**
   * Decided commands whose append may or may not have happened. Their debits stay reserved until the stream is read.
   */
  #inDoubt: readonly DecidedCommand[] = [];
  /** A command that was refused on data that may be stale. It is decided again after a fresh read. */
  #needsRead: PendingCommand | undefined;

  constructor(options: ProcessorOptions<State, Command, Event, Refused>) {
    this.#options = options;
    this.committed = new CommittedState(options);
    this.#state = options.decider.initial;
  }

  get state(): State {
    return this.#state;
  }

  /** Resets to the committed state. Commands that are decided but not committed are dropped. */
  reset(): void {
    this.#state = this.committed.copy();
    this.#at = this.committed.at;
  }

  /** Reads and publishes entries of other writers. Precondition: every decided command is committed or dropped. */
  async readNew(): Promise<void> {
    const { decider, publish, balances } = this.#options;
    for await (const entries of this.committed.readNew()) {
      for (const { event, postings } of entries) {
        balances.apply(postings);
        this.#state = decider.evolve(this.#state, decider.parseEvent(event));
      }
      this.#at = this.committed.at;
      publish(entries);
    }
  }

  /**
   * Reads fresh data for the first command of a batch if the stale-read policy demands it. Returns true if data was
   * read.
   */
  async refreshFor(first: PendingCommand | undefined): Promise<boolean> {
    const { staleReads } = this.#options;
    if (staleReads === undefined || first === undefined) return false;
    if (this.#needsRead !== first && !staleReads.needsRead(first.request)) return false;
    this.#needsRead = undefined;
    if (!staleReads.isOnlyWriter) await this.readNew();
    await staleReads.read(first.request, this.#state, first.context);
    return true;
  }

  /**
   * Decides commands in order, each in the state after the previous command. Stops before the first command that needs
   * a fresh read; `isFirstRefreshed` means that the first command has had its fresh read. Accepted commands are added
   * to `decided`, and their debits are reserved. Returns the refusals.
   */
  decide(
    commands: readonly PendingCommand[],
    isFirstRefreshed: boolean,
    decided: DecidedCommand[],
  ): ReadonlyMap<PendingCommand, CommandRefusal> {
    const { staleReads, balances } = this.#options;
    const refused = new Map<PendingCommand, CommandRefusal>();
    for (const [index, command] of commands.entries()) {
      const mayBeStale = staleReads !== undefined && !(index === 0 && isFirstRefreshed);
      if (mayBeStale && staleReads.needsRead(command.request)) break;
      const decision = decideCommand(this.#options, command, this.#state, this.#at);
      if ('refused' in decision) {
        if (mayBeStale && staleReads.needsRead(command.request, decision)) {
          this.#needsRead = command;
          break;
        }
        refused.set(command, decision);
        continue;
      }
      const { entries, state, at } = decision;
      this.#state = state;
      if (entries.length > 0) this.#at = at;
      for (const { postings } of entries) balances.reserve(postings);
      decided.push({ command, entries });
    }
    return refused;
  }

  /** Call before an append. If the append fails, the debits stay reserved until the stream is read. */
  markInDoubt(decided: readonly DecidedCommand[]): void {
    this.#inDoubt = decided;
  }

  isInDoubt(decided: readonly DecidedCommand[]): boolean {
    return this.#inDoubt === decided;
  }

  /** Applies appended entries to the committed state and the balances. */
  commit(entries: readonly StoredEntry[]): void {
    this.committed.apply(entries);
    for (const { postings } of entries) this.#options.balances.apply(postings);
    this.#inDoubt = [];
  }

  release(decided: readonly DecidedCommand[]): void {
    for (const { entries } of decided) for (const { postings } of entries) this.#options.balances.release(postings);
  }

  /**
   * Releases the reservations of an append that may or may not have been stored. The next leader of the stream finds
   * out whether it was.
   */
  dropInDoubt(): void {
    this.release(this.#inDoubt);
    this.#inDoubt = [];
    this.reset();
  }

  /**
   * Reads the stream to find out whether an append without a reply was stored, and releases the reservations of that
   * append.
   */
  async resolveInDoubt(): Promise<void> {
    await this.reload(this.#inDoubt);
    this.release(this.#inDoubt);
    this.#inDoubt = [];
  }

  /**
   * Resets to the committed state. Reads new entries, and the balances of all accounts in the postings of `touched`.
   * Call after a lost or unexpected reply of the store.
   */
  async reload(touched: readonly DecidedCommand[]): Promise<void> {
    const { store, balances } = this.#options;
    this.reset();
    await this.readNew();
    const postings = touched.flatMap(({ entries }) => entries.flatMap((entry) => entry.postings));
    for (const account of new Set(postings.flatMap(({ from, to }) => [from, to]))) {
      balances.refresh(account, await store.balance(account));
    }
  }

  /** The command to which an entry belongs; `entry` is the index of the entry in the batch. */
  commandOfEntry(decided: readonly DecidedCommand[], entry: number): PendingCommand {
    let from = 0;
    return decided.find(({ entries }) => (from += entries.length) > entry)!.command;
  }
}
