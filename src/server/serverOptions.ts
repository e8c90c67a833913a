import { type RandomSource } from '../runtime/ports/random.ts';
import { type Jump } from '../runtime/ports/clock.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { type AcceptedIntegrityIssue } from '../runtime/floor/floorStream.ts';
import { type UnsignedEntries } from '../floor/commands.ts';
import { type Outage } from '../runtime/ports/outageReporter.ts';
import { type ClusterPort } from '../runtime/ports/clusterPort.ts';
import { type StaffSetting } from '../runtime/staff/initialStaff.ts';
import { type Owner } from '../runtime/ports/runtimeDependencies.ts';
import { type Pace } from '../runtime/tables/pacing.ts';
import { type TableTheme } from '../games/tableTheme.ts';
import { type Metrics, type ServerStatus } from '../metrics/metrics.ts';
import { type ScanFormat } from '../rules/scanFormat.ts';
import { type Store } from '../store/store.ts';
import { type Proxies } from './http/clientAddress.ts';
import { type CardReaderPort } from './patron/cardReaders.ts';
import { type CheckpointSource } from './operations/checkpointSchedule.ts';
import { type ServerLimits } from './limits/serverLimits.ts';
import { type Tls } from './http/pages.ts';
import { type Failures } from './staff/signInFailures.ts';
import { type CareSetting } from './money/sessionLimits.ts';
import { type Scheduler } from './operations/serverClock.ts';

/** What a server runs on. */
export type ServerOptions = {
  readonly store: Store;
  readonly key: Buffer;
  readonly keeper?: CheckpointSource;
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
  readonly chance: RandomSource;
  readonly owner: Owner;
  readonly settings: readonly { readonly table: string; readonly [field: string]: unknown }[];
  /** How a table without staff is paced, or each of them. */
  readonly pace: Pace | ((table: string) => Pace);
  /** How each table looks; as its game does unless given. */
  readonly looks?: (table: string) => TableTheme;
  /** What a new terminal of a demo begins with, in whole minor units; null where money is real. */
  readonly credit: number | null;
  /** A number that no other program on the record has, where there may be several. */
  readonly opening?: number;
  /** What is needed of others on the record; nobody else is there unless given. */
  readonly shared?: ClusterPort;
  /** Whether others have begun the floor already. */
  readonly joins?: boolean;
  /** By how much the clock of whoever drives a table is ahead of this program's, in milliseconds, where others may drive it. */
  readonly offsetOf?: (stream: string) => number;
  /** So long ago the record gave its last answer, or for so long nobody drives that table, where others are on it; by heartbeats unless given. */
  readonly silent?: (stream: string) => number;
  /** How the people of the floor begin; none do unless given. */
  readonly staff?: StaffSetting;
  /** Above so much COLLECT waits to be paid by hand; no limit unless given. */
  readonly handPay?: number;
  /** From so much on the cage asks for a name; none unless given. */
  readonly nameFrom?: number;
  /** How often patrons are reminded, and words of help; the usual unless given. */
  readonly care?: CareSetting;
  /** So long after the first link broke, broken links are reported together; the usual time unless given. */
  readonly linkTime?: number;
  /** What readers of cards say; the usual unless given. */
  readonly scanner?: ScanFormat;
  /** Who deals where; those who are signed in unless given. */
  readonly pit?: CardReaderPort;
  readonly limits: ServerLimits;
  /** The folder with the built screens. */
  readonly screens: string;
  readonly host: string;
  /** The certificate and key of TLS; plain HTTP unless given. */
  readonly tls?: Tls;
  readonly gauges?: Metrics;
  /** Secrets of staff were tried in vain. */
  readonly signInsFailed?: (failures: Failures) => void;
  /** What else this server is called, besides its address and localhost. */
  readonly names: readonly string[];
  /** The proxies that are believed when they say for whom they ask; none unless given. */
  readonly proxies?: Proxies;
  readonly port: number;
  /** How many ports after it are tried where it is taken; none unless given. */
  readonly furtherPorts?: number;
  /** The time of this machine unless given; a test moves its own. */
  readonly time?: Scheduler;
  /** Whether the time of this machine is taken as it is, however far from the record's. */
  readonly isClockAccepted?: boolean;
  /** The clock of this machine was set. */
  readonly jumped?: (jump: Jump) => void;
  /** The record fails, goes on failing, or does so no more; tables wait for it. */
  readonly outage: (outage: Outage) => void;
  /** Nobody can go on with this record: close the server, and end. */
  readonly lost: (error: unknown) => void;
  readonly trouble: (what: string, error: unknown) => void;
  /** The setting that is wanted for a table is not the one in its record, in these fields. */
  readonly differs?: (table: string, fields: readonly string[]) => void;
  /** A table of the record is not among the settings. */
  readonly unlisted?: (table: string) => void;
};

export type Server = {
  readonly address: string;
  readonly floor: FloorRuntime;
  readonly standing: () => ServerStatus;
  /** Goes on with another certificate; connections that are open keep theirs. */
  readonly renew: (tls: Tls) => void;
  /**
   * Takes no more bets, ends what is being dealt, and lets everyone go; gives why that could not be recorded, if so. Where
   * others go on with the floor, it is not closed.
   */
  readonly close: (isLast?: boolean) => Promise<unknown>;
  /** Another program writes to the record from now on: nothing more is written here, not even an end. */
  readonly lose: (error: unknown) => void;
};
