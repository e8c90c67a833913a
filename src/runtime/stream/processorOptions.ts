import { type DomainEvent } from '../../deciders/deciders.ts';
import { type StoredPayload, type Store, type StoredEntry } from '../../store/store.ts';
import { type CommandContext } from './pendingCommand.ts';
import { type CommandRefusal } from './refusals.ts';
import { type DecideOptions } from './decideCommand.ts';
import { type BalanceCache } from './balanceCache.ts';

/**
 * Stale-read policy: says which commands need a fresh read, because other nodes may have changed what this node has in
 * memory.
 */
export type StaleReadPolicy<State> = {
  /** True if only this node writes to the stream. If false, a fresh read includes the stream itself. */
  readonly isOnlyWriter: boolean;
  /**
   * True if a command needs a fresh read. Called before the decision, and again with the refusal if the command was
   * refused.
   */
  readonly needsRead: (request: StoredPayload, refusal?: CommandRefusal) => boolean;
  readonly read: (request: StoredPayload, state: State, context: CommandContext) => Promise<void>;
};

export type ProcessorOptions<State, Command, Event extends DomainEvent, Refused extends CommandRefusal> = DecideOptions<
  State,
  Command,
  Event,
  Refused
> & {
  readonly store: Store;
  readonly stream: string;
  readonly balances: BalanceCache;
  /** Data key, which authenticates snapshots. */
  readonly key: Buffer;
  readonly clock: () => number;
  /** Called with entries after their commit. */
  readonly publish: (entries: readonly StoredEntry[]) => void;
  /** Called for a failure from which the processor recovers. */
  readonly onWarning: (error: unknown) => void;
  /** Called when the processor has stopped after a bug or a fatal failure. */
  readonly onCrashed: (error: unknown) => void;
  /** Called at each failure of the event store that the processor retries. */
  readonly onRetrying: (error: unknown) => void;
  /** Called when the processor stops retrying, because it has recovered or stopped. */
  readonly onRecovered: () => void;
  /** Called when an outage has stopped the processor, which happens only if `retriesForever` is false. */
  readonly onAborted: (error: unknown) => void;
  /** Called when the stream has paused because it cannot append, and when it has resumed. */
  readonly onPaused: (isPaused: boolean) => void;
  /** Called when the event store cannot be used any more. */
  readonly onFatal: (error: unknown) => void;
  readonly sleep: (time: number) => Promise<void>;
  /**
   * Creates the command that records an outage since `since`; undefined if the outage need not be recorded. When the
   * stream resumes, this command is decided before all others.
   */
  readonly outageReport: (since: number) => { readonly id: string; readonly request: StoredPayload } | undefined;
  /** Stale-read policy; absent if the data in memory is never stale. */
  readonly staleReads?: StaleReadPolicy<State>;
  /** Called after each append with the new head of the stream. */
  readonly onAppended?: (sequence: number) => void;
  /**
   * Called when an append was refused because another node leads the stream, with a later fencing epoch. If absent,
   * such a refusal is a fatal failure.
   */
  readonly onOvertaken?: () => void;
};
