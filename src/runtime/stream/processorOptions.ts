import { type DomainEvent } from '../../deciders/deciders.ts';
import { type StoredPayload, type Store, type StoredEntry } from '../../store/store.ts';
import { type CommandContext } from './pendingCommand.ts';
import { type CommandRefusal } from './refusals.ts';
import { type DecideOptions } from './decideCommand.ts';
import { type BalanceCache } from './balanceCache.ts';

/**
 * Stale reads: with several writers, cached data may be old. The policy says which commands need a fresh read first.
 */
export type StaleReadPolicy<State> = {
  /** True if no other node writes to this stream; else the stream itself is read as well. */
  readonly isOnlyWriter: boolean;
  /** Asked before a command is decided, and again with the refusal. */
  readonly needsRead: (request: StoredPayload, refusal?: CommandRefusal) => boolean;
  readonly read: (request: StoredPayload, state: State, context: CommandContext) => Promise<void>;
};

/** What a stream processor runs and whom it notifies. */
export type ProcessorOptions<State, Command, Event extends DomainEvent, Refused extends CommandRefusal> = DecideOptions<
  State,
  Command,
  Event,
  Refused
> & {
  readonly store: Store;
  readonly stream: string;
  readonly balances: BalanceCache;
  /** Data key; it authenticates snapshots. */
  readonly key: Buffer;
  readonly clock: () => number;
  /** Called with committed entries, never before the commit. */
  readonly publish: (entries: readonly StoredEntry[]) => void;
  /** A failure from which the processor recovers. */
  readonly onWarning: (error: unknown) => void;
  /** The processor has stopped after a bug or a fatal failure. */
  readonly onCrashed: (error: unknown) => void;
  /** The event store failed and the processor retries; called at each failure. */
  readonly onRetrying: (error: unknown) => void;
  /** The processor retries no more: it has recovered or stopped. */
  readonly onRecovered: () => void;
  /** The processor has stopped after `maxRetries`, because it may not retry for ever. */
  readonly onAborted: (error: unknown) => void;
  /** The stream has paused because it cannot append, or has resumed. */
  readonly onPaused: (isPaused: boolean) => void;
  /** The event store cannot be used any more. */
  readonly onFatal: (error: unknown) => void;
  /** Resolves after a backoff in milliseconds. */
  readonly sleep: (time: number) => Promise<void>;
  /** A command that is decided first when the stream resumes after an outage since then. */
  readonly outageReport: (since: number) => { readonly id: string; readonly request: StoredPayload } | undefined;
  /** If absent, cached data is never stale. */
  readonly staleReads?: StaleReadPolicy<State>;
  /** Called after each append. */
  readonly onAppended?: (sequence: number) => void;
  /** A later fencing epoch has begun: another node leads the stream. If absent, that is fatal. */
  readonly onOvertaken?: () => void;
};
