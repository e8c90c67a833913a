import { type RandomSource } from '../runtime/ports/random.ts';
import { type ClockJump } from '../runtime/ports/clock.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { type AcceptedIntegrityIssue } from '../runtime/ports/floorConfig.ts';
import { type UnsignedEntriesSummary } from '../floor/commands.ts';
import { type Outage } from '../runtime/ports/outageReporter.ts';
import { type ClusterPort } from '../runtime/ports/clusterPort.ts';
import { type StaffConfig } from '../runtime/ports/floorConfig.ts';
import { type Owner } from '../runtime/ports/runtimeDependencies.ts';
import { type Pace } from '../runtime/tables/pacing.ts';
import { type TableTheme } from '../games/tableTheme.ts';
import { type Metrics, type ServerStatus } from '../metrics/metrics.ts';
import { type ScanFormat } from '../rules/scanFormat.ts';
import { type Store } from '../store/store.ts';
import { type TrustedProxies } from './http/clientAddress.ts';
import { type CardReaderPort } from './patron/cardReaders.ts';
import { type CheckpointSource } from './operations/checkpointSchedule.ts';
import { type ServerLimits } from './limits/serverLimits.ts';
import { type Tls } from './http/pages.ts';
import { type SignInFailureCounts } from './staff/signInFailures.ts';
import { type ResponsibleGamingSettings } from './money/sessionLimits.ts';
import { type Scheduler } from '../runtime/ports/scheduler.ts';

export type ServerOptions = {
  readonly store: Store;
  readonly key: Buffer;
  readonly checkpoints?: CheckpointSource;
  /** Set when the operator accepts an integrity issue of stored shoes and continues. */
  readonly acceptedIssue?: AcceptedIntegrityIssue;
  /** Number of torn frames that were cut off the last write, if any. */
  readonly tornFrames?: number;
  /** Entries after the last signed checkpoint at start, if any. */
  readonly unsignedEntries?: UnsignedEntriesSummary;
  /** Upper bound of the last heartbeat of any floor on this store, in milliseconds since the epoch. */
  readonly lastAliveAt?: number;
  /** Called after all reads of the start and before its first write. */
  readonly beforeFirstWrite?: () => Promise<void>;
  readonly random: RandomSource;
  readonly owner: Owner;
  readonly settings: readonly { readonly table: string; readonly [field: string]: unknown }[];
  /** Pacing of unattended tables: one for all, or by table. */
  readonly pace: Pace | ((table: string) => Pace);
  /** Theme by table; default: the theme of its game. */
  readonly themeOf?: (table: string) => TableTheme;
  /** Credit of a new demo terminal, in minor units; null where money is real. */
  readonly demoCredit: number | null;
  /** Number that is unique among the processes on this store, where there may be several. */
  readonly openingNumber?: number;
  /** Access to the other nodes; absent for a single node. */
  readonly cluster?: ClusterPort;
  /** True when another node has already started the floor. */
  readonly joinsFloor?: boolean;
  /** Clock of the leader of a stream minus the clock of this node, in milliseconds. Only in a cluster. */
  readonly leaderClockOffset?: (stream: string) => number;
  /** Milliseconds since the store answered for a stream, or since it has had no leader. Default: from heartbeats. */
  readonly silenceOf?: (stream: string) => number;
  /** Initial staff of the floor; default: none. */
  readonly initialStaff?: StaffConfig;
  /** COLLECT above this amount becomes a hand-pay; default: no limit. */
  readonly handPayLimit?: number;
  /** The cage asks for a name from this amount on; default: never. */
  readonly payeeNameFrom?: number;
  /** Reality checks and help text of the property. */
  readonly responsibleGaming?: ResponsibleGamingSettings;
  /** Delay after the first disconnect until disconnects are reported together, in milliseconds. */
  readonly disconnectReportMs?: number;
  /** Format of card scans. */
  readonly scanFormat?: ScanFormat;
  /** Who deals at which table; default: the dealers that are signed in. */
  readonly cardReaderPort?: CardReaderPort;
  readonly limits: ServerLimits;
  /** Folder of the built screens. */
  readonly screensFolder: string;
  readonly host: string;
  /** TLS certificate and key; default: plain HTTP. */
  readonly tls?: Tls;
  readonly metrics?: Metrics;
  /** Called with counts of failed sign-ins. */
  readonly onSignInFailures?: (failures: SignInFailureCounts) => void;
  /** Further host names of this server, besides its address and localhost. */
  readonly hostNames: readonly string[];
  /** Proxies whose `X-Forwarded-For` is trusted; default: none. */
  readonly proxies?: TrustedProxies;
  readonly port: number;
  /** How many of the following ports are tried when `port` is taken; default: 0. */
  readonly extraPorts?: number;
  /** Default: the time of this machine. A test supplies its own. */
  readonly scheduler?: Scheduler;
  /** True to accept the machine's time however far it is from the last stored time. */
  readonly acceptClock?: boolean;
  readonly onClockJump?: (jump: ClockJump) => void;
  /** Called when an outage of the event store begins, continues or ends; tables pause meanwhile. */
  readonly onOutage: (onOutage: Outage) => void;
  /** Called on a fatal store failure: close the server and exit. */
  readonly onFatal: (error: unknown) => void;
  readonly warn: (what: string, error: unknown) => void;
  /** Called when the configured settings of a table differ from its stored ones, with the fields that differ. */
  readonly onSettingsDiffer?: (table: string, fields: readonly string[]) => void;
  /** Called for a stored table that is not configured. */
  readonly onUnlistedTable?: (table: string) => void;
};

export type Server = {
  readonly address: string;
  readonly floor: FloorRuntime;
  readonly status: () => ServerStatus;
  /** Replaces the certificate for new connections; open connections keep theirs. */
  readonly renewCertificate: (tls: Tls) => void;
  /**
   * Refuses new bets, finishes rounds in play and closes all connections. Resolves to the error if the end could not be
   * stored. With `isLast` false other nodes continue the floor, so it is not closed.
   */
  readonly close: (isLast?: boolean) => Promise<unknown>;
  /** Another process writes to this store from now on: this server appends nothing more. */
  readonly abandon: (error: unknown) => void;
};
