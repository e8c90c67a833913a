import { type DomainEvent } from '../../deciders/deciders.ts';
import { type StoredRequest, type Store, type StoredEntry } from '../../store/store.ts';
import { type Brought, type Denied } from './pendingCommand.ts';
import { type Run } from './decideCommand.ts';
import { type BalanceCache } from './balanceCache.ts';

/** What a command is decided by may be a guess, where others write to the record as well: it is read before it counts. */
export type StaleReadPolicy<State> = {
  /** Whether nobody else writes to the stream itself; else that is read on as well. */
  readonly isAlone: boolean;
  /** Whether that is so before it is decided, or once it was refused. */
  readonly isOne: (asked: StoredRequest, denied?: Denied) => boolean;
  readonly read: (asked: StoredRequest, state: State, brought: Brought) => Promise<void>;
};

/** What a runner runs, and whom it tells. */
export type ProcessorOptions<State, Command, Event extends DomainEvent, Refused extends Denied> = Run<
  State,
  Command,
  Event,
  Refused
> & {
  readonly store: Store;
  readonly stream: string;
  readonly purse: BalanceCache;
  /** The key of the record, with which snapshots are bound to their entries. */
  readonly key: Buffer;
  readonly clock: () => number;
  /** Called with what has been written, never before. */
  readonly publish: (entries: readonly StoredEntry[]) => void;
  /** Called when something went wrong that it gets over. */
  readonly trouble: (error: unknown) => void;
  /** Called when it cannot go on. */
  readonly stopped: (error: unknown) => void;
  /** Called when the record fails it and it tries again, each time. */
  readonly failed: (error: unknown) => void;
  /** Called when it tries no more: it has come through, or has stopped. */
  readonly mended: () => void;
  /** Called when it has given up, since somebody wants to go or nobody waits for it. */
  readonly gaveUp: (error: unknown) => void;
  /** Called when it cannot record for the time being, and when it can again. */
  readonly halted: (isHalted: boolean) => void;
  /** Called when nobody can go on with this record. */
  readonly lost: (error: unknown) => void;
  /** Waits before something is tried again. */
  readonly wait: (time: number) => Promise<void>;
  /** What comes first once it can record again, having failed since then. */
  readonly report: (since: number) => { readonly id: string; readonly asked: StoredRequest } | undefined;
  /** What is known of money, where others move it too; what is known is certain unless given. */
  readonly guess?: StaleReadPolicy<State>;
  /** Called when something has been written. */
  readonly moved?: (sequence: number) => void;
  /** Called when a later epoch has begun: another writes to the stream. Unless given, nobody can go on with the record then. */
  readonly overtaken?: () => void;
};
