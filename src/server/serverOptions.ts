import { type RandomSource } from '../runtime/ports/random.ts';
import { type ClockJump } from '../runtime/ports/clock.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { type AcceptedIntegrityIssue } from '../runtime/ports/floorConfig.ts';
import { type UnsignedEntriesSummary } from '../floor/commands.ts';
import { type OutageReport } from '../runtime/stream/outageReporter.ts';
import { type ClusterPort } from '../runtime/ports/clusterPort.ts';
import { type StaffConfig } from '../runtime/ports/floorConfig.ts';
import { type PropertyAndCurrency } from '../runtime/ports/runtimeDependencies.ts';
import { type Pace } from '../runtime/tables/pacing.ts';
import { type TableTheme } from '../games/tableTheme.ts';
import { type Metrics, type ServerStatus } from '../metrics/metrics.ts';
import { type ScanFormat } from '../rules/scanFormat.ts';
import { type Store } from '../store/store.ts';
import { type TrustedProxies } from './http/clientAddress.ts';
import { type CardReaderDealerPort } from './patron/cardReaderScanHandler.ts';
import { type CheckpointPort } from './operations/retryingCheckpointWrite.ts';
import { type ServerLimits } from './limits/serverLimits.ts';
import { type TlsCertificate } from './http/httpApp.ts';
import { type DemoSignInGuard } from './staff/demoSignInGuard.ts';
import { type SignInFailureCounts } from './staff/signInFailureReporter.ts';
import { type ResponsibleGamingSettings } from './money/sessionLimitsAndBreaksHandler.ts';
import { type Scheduler } from '../runtime/ports/scheduler.ts';

export type ServerOptions = {
  readonly store: Store;
  readonly key: Buffer;
  readonly checkpoints?: CheckpointPort;
  /** Integrity issue of the event log that the operator has accepted with --go-on; absent if there is no issue. */
  readonly acceptedIssue?: AcceptedIntegrityIssue;
  /**
   * Number of frames that were cut off the write-ahead log, because the last write was incomplete. Absent if the last
   * write was complete.
   */
  readonly tornFrames?: number;
  /** Entries that no signed checkpoint covered when the server started; absent if there were no such entries. */
  readonly unsignedEntries?: UnsignedEntriesSummary;
  /**
   * Latest time at which the floor can have run, by its anchor, in milliseconds since 1970. A stored heartbeat of the
   * floor after this time is not trusted.
   */
  readonly lastAliveAt?: number;
  /** Called once at the start: all streams are loaded, and no entry is written yet. */
  readonly beforeFirstWrite?: () => Promise<void>;
  readonly random: RandomSource;
  readonly owner: PropertyAndCurrency;
  readonly settings: readonly { readonly table: string; readonly [field: string]: unknown }[];
  /** Pace of unattended tables: the same pace for all tables, or a function that gives the pace of a table. */
  readonly pace: Pace | ((table: string) => Pace);
  /** Gives the theme of a table; by default a table has the theme of its game. */
  readonly themeOf?: (table: string) => TableTheme;
  /** Credit of a new demo terminal, in minor units; null where money is real. */
  readonly demoCredit: number | null;
  /**
   * A number that differs from the number of every other process on this store. The names of new terminals contain this
   * number, so that two processes never make the same name. Absent for a single node.
   */
  readonly openingNumber?: number;
  /** Port to the other nodes of the cluster; absent for a single node. */
  readonly cluster?: ClusterPort;
  /** True if another node has started the floor already. */
  readonly joinsFloor?: boolean;
  /** In a cluster: clock of the leader of a stream minus the clock of this node, in milliseconds. */
  readonly leaderClockOffset?: (stream: string) => number;
  /**
   * In a cluster: milliseconds since the store last answered for a stream, or since the stream lost its leader,
   * whichever is longer.
   */
  readonly silenceOf?: (stream: string) => number;
  /** Settings of initial staff and of sign-in; if absent, no staff are created. */
  readonly initialStaff?: StaffConfig;
  /** A collect above this amount, in minor units, becomes a hand-pay; no limit if absent. */
  readonly handPayLimit?: number;
  /**
   * For a payment of this amount or more, in minor units, the cage page shows that the name of the payee is required.
   * Absent if no payment needs a name.
   */
  readonly payeeNameFrom?: number;
  readonly responsibleGaming?: ResponsibleGamingSettings;
  /** Milliseconds from the first disconnect to the report. All disconnects in this time are reported together. */
  readonly disconnectReportMs?: number;
  readonly scanFormat?: ScanFormat;
  /** Port through which card readers reach the dealers. By default these are the dealers who are signed in. */
  readonly cardReaderPort?: CardReaderDealerPort;
  readonly limits: ServerLimits;
  readonly screensFolder: string;
  readonly host: string;
  /** TLS certificate and key; plain HTTP if absent. */
  readonly tls?: TlsCertificate;
  readonly metrics?: Metrics;
  /** Called at intervals with the number of failed sign-ins since the last call, by error code. */
  readonly onSignInFailures?: (failures: SignInFailureCounts) => void;
  /** Host names of this server, besides its address and localhost. */
  readonly hostNames: readonly string[];
  /** Proxies whose `X-Forwarded-For` header is trusted. If absent, no proxy is trusted. */
  readonly proxies?: TrustedProxies;
  readonly port: number;
  /** Number of further ports that are tried if `port` is in use; 0 if absent. */
  readonly extraPorts?: number;
  /** Clock and timers; if absent, the clock and timers of this machine. A test supplies its own scheduler. */
  readonly scheduler?: Scheduler;
  /** True to use the time of this machine even if it is far from the time of the last entry in the event log. */
  readonly acceptClock?: boolean;
  readonly onClockJump?: (jump: ClockJump) => void;
  /** Called when an outage of the event store begins, continues or ends; tables pause meanwhile. */
  readonly onOutage: (report: OutageReport) => void;
  /** Called after a fatal failure of the store: the server must be closed and the process must end. */
  readonly onFatal: (error: unknown) => void;
  /** Called for a failure after which the server continues. `subject` is what failed, such as a table. */
  readonly warn: (subject: string, error: unknown) => void;
  /**
   * Called at the start for each table whose settings in the property file differ from its settings in the event log.
   * `fields` are the names of the settings that differ.
   */
  readonly onSettingsDiffer?: (table: string, fields: readonly string[]) => void;
  /**
   * Called when a request comes through a proxy although the server listens only for this machine. `code` is the code
   * of the one-click sign-in, which the request then needs.
   */
  readonly onDemoForwarded?: (code: string) => void;
  /** Called for a table that is in the event log but not in the property file. */
  readonly onUnlistedTable?: (table: string) => void;
};

export type Server = {
  readonly address: string;
  readonly floor: FloorRuntime;
  /** Guard of the one-click sign-in of a demo. */
  readonly demoSignIn: DemoSignInGuard;
  readonly status: () => ServerStatus;
  /** Replaces the TLS certificate for new connections; open connections keep theirs. */
  readonly renewCertificate: (tls: TlsCertificate) => void;
  /**
   * Refuses new bets, finishes rounds whose bets are closed, and closes all connections. If the close of the floor
   * could not be recorded, resolves to the error. If `isLast` is false, the close is not recorded, because the floor
   * continues on other nodes.
   */
  readonly close: (isLast?: boolean) => Promise<unknown>;
  /** Call when another process has taken over the store. This is a fatal failure. */
  readonly abandon: (error: unknown) => void;
};
