import { type Store, type StoredEntry } from '../../store/store.ts';
import { type TableSettings } from '../../table/schema/settings.ts';
import { type UnsignedEntries } from '../../floor/commands.ts';
import { type RandomSource } from './random.ts';
import { type AcceptedIntegrityIssue } from '../floor/floorStream.ts';
import { type Jump } from './clock.ts';
import { type RefusedScan, type ClusterPort } from './clusterPort.ts';
import { type StaffSetting } from '../staff/initialStaff.ts';
import { type TableRuntime } from '../tables/tableRuntime.ts';

export type Owner = Pick<TableSettings, 'property' | 'currency'>;

/** What a floor needs from the world. */
export type RuntimeDependencies = {
  readonly store: Store;
  readonly clock: () => number;
  readonly chance: RandomSource;
  readonly key: Buffer;
  /** Above so much COLLECT waits to be paid by hand; no limit unless given. */
  readonly handPay?: number;
  /** So long after the first link broke, broken links are reported together, in milliseconds; the usual time unless given. */
  readonly linkTime?: number;
  /** A number that no other program on the record has, where there may be several: none gives a terminal the name of another's. */
  readonly opening?: number;
  /** What is needed of others on the record; nobody else is there unless given. */
  readonly shared?: ClusterPort;
  /** Whether another program has begun this floor, which is open: nothing of that is written again. */
  readonly joins?: boolean;
  /** How the people of the floor begin; without it none begin, and those of the record are there. */
  readonly staff?: StaffSetting;
  /** Calls back after so many milliseconds; gives what stops it. */
  readonly after: (time: number, run: () => void) => () => void;
  /** Waits so many milliseconds before something is tried again. */
  readonly pause: (time: number) => Promise<void>;
  /** A fresh id for a command of the floor's own. */
  readonly id: () => string;
  /** Called with what was written, table by table. */
  readonly publish: (table: TableRuntime, entries: readonly StoredEntry[]) => void;
  /** Called when a terminal was loaded, collected or locked. */
  readonly credited?: (terminal: string) => void;
  /** Another node has linked a secret or killed it: whoever came by it here may be at the wrong terminal. */
  readonly relinked?: (secretHash: string) => void;
  /** Another number of patrons sits at a table by what another node tells. */
  readonly seated?: (table: string) => void;
  /** A reader of cards at another node gave a card that its table did not take. */
  readonly scanned?: (table: string, scan: RefusedScan) => void;
  /** The setting that is wanted for a table is not the one in its record, in these fields. */
  readonly differs?: (table: string, fields: readonly string[]) => void;
  /** A table of the record is not among those that are wanted: it is not driven, and what stands there goes on standing. */
  readonly unlisted?: (table: string) => void;
  /** The record is not to be trusted as far as its shoes go, and the operator goes on. */
  readonly doubt?: AcceptedIntegrityIssue;
  /** How many frames of a last write were cut off, if any. */
  readonly torn?: number;
  /** What nobody had signed when it began, if anything. */
  readonly uncovered?: UnsignedEntries;
  /** No floor was alive later than this, as far as anybody knows. */
  readonly latest?: number;
  /** Called when everything has been read, before anything is written. */
  readonly begins?: () => Promise<void>;
  /** Something went wrong that is got over, at a table, a terminal or the journal. */
  readonly trouble: (what: string, error: unknown) => void;
  /** A table cannot go on. */
  readonly stopped: (table: string, error: unknown) => void;
  /** The record failed somebody, who tries again. */
  readonly failed: (who: string, error: unknown) => void;
  /** Whoever was failed has come through, or does not try any more. */
  readonly mended: (who: string) => void;
  /** A table cannot record for the time being, or can again. */
  readonly halted?: (table: string, isHalted: boolean) => void;
  /** Nobody can go on with this record; the program has to end. */
  readonly lost: (error: unknown) => void;
  /** Tells a listener when the clock of this machine was set, also if that was before it listened. */
  readonly jumped?: (heard: (jump: Jump) => void) => void;
};
