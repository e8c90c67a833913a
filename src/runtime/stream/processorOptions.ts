import { type DomainEvent } from '../../deciders/deciders.ts';
import { type StoredPayload, type Store, type StoredEntry } from '../../store/store.ts';
import { type CommandContext } from './pendingCommand.ts';
import { type CommandRefusal } from './refusals.ts';
import { type DecideOptions } from './decideCommand.ts';
import { type BalanceCache } from './balanceCache.ts';

/**
 * Policy on stale data. With several writers cached data may be old; the policy says which commands need a fresh read.
 */
export type StaleReadPolicy<State> = {
  /** True if only this node writes to the stream. Otherwise a fresh read includes the stream itself. */
  readonly isOnlyWriter: boolean;
  /** True if a command needs a fresh read. Called before the decision, and again with the refusal if there was one. */
  readonly needsRead: (request: StoredPayload, refusal?: CommandRefusal) => boolean;
  /** Reads the data that the command depends on. */
  readonly read: (request: StoredPayload, state: State, context: CommandContext) => Promise<void>;
};

/** Options of a stream processor: its decider, its ports and its callbacks. */
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
  /** Called when the processor does not retry any more, because it has recovered or stopped. */
  readonly onRecovered: () => void;
  /** Called when the processor has stopped after `maxRetries`; it does so unless `retriesForever` is set. */
  readonly onAborted: (error: unknown) => void;
  /** Called when the stream has paused because it cannot append, and when it has resumed. */
  readonly onPaused: (isPaused: boolean) => void;
  /** Called when the event store cannot be used any more. */
  readonly onFatal: (error: unknown) => void;
  /** Resolves after a delay in milliseconds; used as backoff between retries. */
  readonly sleep: (time: number) => Promise<void>;
  /** Makes the command that reports an outage since a time. It is decided first when the stream resumes. */
  readonly outageReport: (since: number) => { readonly id: string; readonly request: StoredPayload } | undefined;
  /** Policy on stale data; absent if cached data is never stale. */
  readonly staleReads?: StaleReadPolicy<State>;
  /** Called after each append with the new head of the stream. */
  readonly onAppended?: (sequence: number) => void;
  /**
   * Called when another node leads the stream, as its later fencing epoch shows. If absent, that is a fatal failure.
   */
  readonly onOvertaken?: () => void;
};
