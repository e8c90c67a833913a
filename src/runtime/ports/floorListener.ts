import { type StoredEntry } from '../../store/store.ts';
import { type TableRuntime } from '../tables/tableRuntime.ts';
import { type RefusedScan } from './clusterPort.ts';

/** Callbacks of a floor. */
export type FloorListener = {
  /** Called with the committed entries of a table. */
  readonly publish: (table: TableRuntime, entries: readonly StoredEntry[]) => void;
  /** A terminal was loaded, collected or locked. */
  readonly onTerminalChanged?: (terminal: string) => void;
  /** Another node has bound or revoked a secret: a connection with it here may be at the wrong terminal. */
  readonly onSecretChanged?: (secretHash: string) => void;
  /** The number of patrons at a table has changed at another node. */
  readonly onSeatsChanged?: (table: string) => void;
  /** A card reader at another node gave a card that its table refused. */
  readonly onRefusedScan?: (table: string, scan: RefusedScan) => void;
  /** The settings in the property file differ from those in the event log, in these fields. */
  readonly onSettingsDiffer?: (table: string, fields: readonly string[]) => void;
  /** A table of the event log is not in the property file: no node leads it, and its open stakes remain. */
  readonly onUnlistedTable?: (table: string) => void;
  /** Called when everything has been read, before anything is written. */
  readonly beforeFirstWrite?: () => Promise<void>;
  /** A failure at a table, a terminal or the floor stream from which the runtime recovers. */
  readonly onWarning: (what: string, error: unknown) => void;
  /** A table has crashed and takes no more commands. */
  readonly onTableCrashed: (table: string, error: unknown) => void;
  /** A stream failed at the event store and retries. */
  readonly onRetrying: (who: string, error: unknown) => void;
  /** A stream has recovered, or retries no more. */
  readonly onRecovered: (who: string) => void;
  /** A table has paused because it cannot append, or has resumed. */
  readonly onTablePaused?: (table: string, isPaused: boolean) => void;
  /** The event store cannot be used any more; the process must end. */
  readonly onFatal: (error: unknown) => void;
};
