import { type DomainEvent } from '../../deciders/deciders.ts';
import { type NewEntry, type StoredEntry } from '../../store/store.ts';
import { type Denied, type PendingCommand } from './pendingCommand.ts';
import { decidedOn } from './decideCommand.ts';
import { type ProcessorOptions as Parts } from './processorOptions.ts';
import { CommittedState } from './committedState.ts';

/** A command of a batch that was decided, with what it leads to. */
export type DecidedCommand = {
  readonly waiting: PendingCommand;
  readonly entries: readonly NewEntry[];
};

/** A stream as it is decided on: it runs ahead of what is written while a batch is being written, and comes back to it. */
export class PendingState<
  State,
  Command extends { readonly type: string },
  Event extends DomainEvent,
  Refused extends Denied,
> {
  readonly #parts: Parts<State, Command, Event, Refused>;
  /** What has been written and shown. */
  readonly written: CommittedState<State, Event>;
  #state: State;
  /** The time of the last event. */
  #at = 0;
  /** What is being written, until the store has answered or the record has been read; so long it is held in the purse. */
  #doubtful: readonly DecidedCommand[] = [];
  /** Refused by what may be a guess: it is read before this is decided again. */
  #lacking: PendingCommand | undefined;

  constructor(parts: Parts<State, Command, Event, Refused>) {
    this.#parts = parts;
    this.written = new CommittedState(parts);
    this.#state = parts.decider.initial;
  }

  get state(): State {
    return this.#state;
  }

  /** What runs ahead is forgotten. */
  reset(): void {
    this.#state = this.written.copy();
    this.#at = this.written.at;
  }

  /** Reads what others have written, and shows it. Nothing may run ahead. */
  async readOn(): Promise<void> {
    const { decider, publish, purse } = this.#parts;
    for await (const entries of this.written.readOn()) {
      for (const { event, postings } of entries) {
        purse.apply(postings);
        this.#state = decider.evolve(this.#state, decider.eventFrom(event));
      }
      this.#at = this.written.at;
      publish(entries);
    }
  }

  /** Reads what the first of a batch is decided by, where that would be a guess; gives whether it did. */
  async readGuess(first: PendingCommand | undefined): Promise<boolean> {
    const { guess } = this.#parts;
    if (guess === undefined || first === undefined) return false;
    if (this.#lacking !== first && !guess.isOne(first.asked)) return false;
    this.#lacking = undefined;
    if (!guess.isAlone) await this.readOn();
    await guess.read(first.asked, this.#state, first.brought);
    return true;
  }

  /**
   * Decides one after another, each on what the ones before it led to, up to one for which something is to be read first; for
   * the first that was done. What they take is held from then on.
   */
  decide(
    waiting: readonly PendingCommand[],
    isRead: boolean,
    decided: DecidedCommand[],
  ): ReadonlyMap<PendingCommand, Denied> {
    const { guess, purse } = this.#parts;
    const refused = new Map<PendingCommand, Denied>();
    for (const [place, one] of waiting.entries()) {
      const mayGuess = guess !== undefined && !(place === 0 && isRead);
      if (mayGuess && guess.isOne(one.asked)) break;
      const decision = decidedOn(this.#parts, one, this.#state, this.#at);
      if ('refused' in decision) {
        if (mayGuess && guess.isOne(one.asked, decision)) {
          this.#lacking = one;
          break;
        }
        refused.set(one, decision);
        continue;
      }
      const { entries, state, at } = decision;
      this.#state = state;
      if (entries.length > 0) this.#at = at;
      for (const { postings } of entries) purse.reserve(postings);
      decided.push({ waiting: one, entries });
    }
    return refused;
  }

  /** It is being written: whatever goes wrong, it is held until the record has been read. */
  doubt(decided: readonly DecidedCommand[]): void {
    this.#doubtful = decided;
  }

  isDoubtful(decided: readonly DecidedCommand[]): boolean {
    return this.#doubtful === decided;
  }

  /** It has been written. */
  wrote(entries: readonly StoredEntry[]): void {
    this.written.add(entries);
    for (const { postings } of entries) this.#parts.purse.apply(postings);
    this.#doubtful = [];
  }

  release(decided: readonly DecidedCommand[]): void {
    for (const { entries } of decided) for (const { postings } of entries) this.#parts.purse.release(postings);
  }

  /** Nothing is held any more for a write that was not answered; whoever goes on reads the record. */
  forgetDoubt(): void {
    this.release(this.#doubtful);
    this.#doubtful = [];
    this.reset();
  }

  /** Reads what the record holds; whatever became of a write that was not answered, nothing is held for it any more. */
  async resolveDoubt(): Promise<void> {
    await this.reload(this.#doubtful);
    this.release(this.#doubtful);
    this.#doubtful = [];
  }

  /** Takes state and balances from the record, after its answer was lost or not what was expected. */
  async reload(touched: readonly DecidedCommand[]): Promise<void> {
    const { store, purse } = this.#parts;
    this.reset();
    await this.readOn();
    const postings = touched.flatMap(({ entries }) => entries.flatMap((entry) => entry.postings));
    for (const account of new Set(postings.flatMap(({ from, to }) => [from, to]))) {
      purse.refresh(account, await store.balance(account));
    }
  }

  /** Whoever asked what the store has refused: its entries tell which of them it was. */
  guilty(decided: readonly DecidedCommand[], entry: number): PendingCommand {
    let from = 0;
    return decided.find(({ entries }) => (from += entries.length) > entry)!.waiting;
  }
}
