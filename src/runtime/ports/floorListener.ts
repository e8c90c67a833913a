import { type StoredEntry } from '../../store/store.ts';
import { type TableRuntime } from '../tables/tableRuntime.ts';
import { type RefusedScan } from './clusterPort.ts';

/** Callbacks by which a floor reports changes and failures. */
export type FloorListener = {
  /** Called with entries of a table after their commit. */
  readonly publish: (table: TableRuntime, entries: readonly StoredEntry[]) => void;
  /** Called when the state or credit of a terminal has changed, such as after a load, a collect or a lock. */
  readonly onTerminalChanged?: (terminal: string) => void;
  /**
   * Called when another node has bound or revoked a secret: a connection here that uses it may be at the wrong
   * terminal.
   */
  readonly onSecretChanged?: (secretHash: string) => void;
  /** Called when the number of patrons at a table has changed at another node. */
  readonly onSeatsChanged?: (table: string) => void;
  /** Called when a table has refused a card of a card reader at another node. */
  readonly onRefusedScan?: (table: string, scan: RefusedScan) => void;
  /** Called with the fields in which the table settings of the property file differ from those in the event log. */
  readonly onSettingsDiffer?: (table: string, fields: readonly string[]) => void;
  /** Called for a table of the event log that the property file lacks: no node leads it, and its stakes stay open. */
  readonly onUnlistedTable?: (table: string) => void;
  /** Called at the start after all streams were loaded, and before the first entry is written. */
  readonly beforeFirstWrite?: () => Promise<void>;
  /** Called for a failure from which the runtime recovers; `subject` names the table, terminal or stream. */
  readonly onWarning: (subject: string, error: unknown) => void;
  /** Called when a table has crashed and takes no more commands. */
  readonly onTableCrashed: (table: string, error: unknown) => void;
  /** Called when an operation of the event store failed and is retried; `subject` names the table or stream. */
  readonly onRetrying: (subject: string, error: unknown) => void;
  /** Called when the subject of `onRetrying` has recovered or does not retry any more. */
  readonly onRecovered: (subject: string) => void;
  /** Called when a table has paused because it cannot append, and when it has resumed. */
  readonly onTablePaused?: (table: string, isPaused: boolean) => void;
  /** Called when the event store cannot be used any more; the process must end. */
  readonly onFatal: (error: unknown) => void;
};
