import { type StoredEntry } from '../../store/store.ts';
import { type TableRuntime } from '../tables/tableRuntime.ts';
import { type RefusedScan } from './clusterPort.ts';

export type FloorListener = {
  /** Called with entries of a table after their commit. */
  readonly publish: (table: TableRuntime, entries: readonly StoredEntry[]) => void;
  /** Called when a terminal has new entries, such as after a load, a collect or a lock. */
  readonly onTerminalChanged?: (terminal: string) => void;
  /**
   * Called when another node has bound or revoked a secret. So a connection to this node that uses the secret may now
   * belong to another terminal or to none.
   */
  readonly onSecretChanged?: (secretHash: string) => void;
  /** Called when the number of patrons at a table may have changed at another node. */
  readonly onSeatsChanged?: (table: string) => void;
  /** Called when a table has refused a scan of a card reader that is connected to another node. */
  readonly onRefusedScan?: (table: string, scan: RefusedScan) => void;
  /**
   * Called with the fields in which the table settings of the property file differ from the table settings in the event
   * log.
   */
  readonly onSettingsDiffer?: (table: string, fields: readonly string[]) => void;
  /**
   * Called for an unlisted table, which is in the event log but not in the property file. No node leads it, and its
   * stakes stay open.
   */
  readonly onUnlistedTable?: (table: string) => void;
  /**
   * Called at the start of a floor, after its state was loaded and before its first entry is written. A joining node
   * does not call it.
   */
  readonly beforeFirstWrite?: () => Promise<void>;
  /** Called for a problem that does not stop the floor. `subject` names the table, terminal, stream or service. */
  readonly onWarning: (subject: string, error: unknown) => void;
  /** Called when a table has crashed and takes no more commands. */
  readonly onTableCrashed: (table: string, error: unknown) => void;
  /**
   * Called when an operation of the event store has failed and will be tried again. `subject` names the table,
   * terminal, stream or service.
   */
  readonly onRetrying: (subject: string, error: unknown) => void;
  /** Called when the subject of `onRetrying` has recovered or is not tried again. */
  readonly onRecovered: (subject: string) => void;
  /** Called when a table has paused because it cannot append, and when it has resumed. */
  readonly onTablePaused?: (table: string, isPaused: boolean) => void;
  /** Called when the event store cannot be used any more; the process must end. */
  readonly onFatal: (error: unknown) => void;
};
