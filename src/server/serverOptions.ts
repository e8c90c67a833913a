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
import { type DealerPort } from './patron/cardReaderScanHandler.ts';
import { type CheckpointPort } from './operations/retryingCheckpointWrite.ts';
import { type ServerLimits } from './limits/serverLimits.ts';
import { type TlsCertificate } from './http/httpApp.ts';
import { type DemoSignInGuard } from './staff/demoSignInGuard.ts';
import { type SignInFailureCounts } from './staff/signInFailureReporter.ts';
import { type ResponsibleGamingSettings } from './money/sessionLimitsHandler.ts';
import { type Scheduler } from '../runtime/ports/scheduler.ts';

export type ServerOptions = {
  readonly store: Store;
  readonly key: Buffer;
  readonly checkpoints?: CheckpointPort;
  /** Integrity issue of the event log that the operator has accepted; absent without such an issue. */
  readonly acceptedIssue?: AcceptedIntegrityIssue;
  /**
   * Number of write-ahead log frames that were cut off because the last write was incomplete; absent if the last write
   * was complete.
   */
  readonly tornFrames?: number;
  /** Entries that no signed checkpoint covered at the start; absent if checkpoints covered all entries. */
  readonly unsignedEntries?: UnsignedEntriesSummary;
  /**
   * Latest time that a heartbeat in this store can have, in milliseconds since 1970; a later heartbeat is not trusted.
   */
  readonly lastAliveAt?: number;
  /** Called at the start after all streams were loaded, and before the first entry is written. */
  readonly beforeFirstWrite?: () => Promise<void>;
  readonly random: RandomSource;
  readonly owner: PropertyAndCurrency;
  readonly settings: readonly { readonly table: string; readonly [field: string]: unknown }[];
  /** Pace of unattended tables: one for all tables, or a function of the table. */
  readonly pace: Pace | ((table: string) => Pace);
  /** Gives the theme of a table; by default a table has the theme of its game. */
  readonly themeOf?: (table: string) => TableTheme;
  /** Credit of a new demo terminal, in minor units; null where money is real. */
  readonly demoCredit: number | null;
  /**
   * Number that no other process on this store has. The number is part of the names of new terminals. Absent for a
   * single node.
   */
  readonly openingNumber?: number;
  /** Port to the other nodes of the cluster; absent for a single node. */
  readonly cluster?: ClusterPort;
  /** True if another node has started the floor already. */
  readonly joinsFloor?: boolean;
  /** In a cluster: clock of the leader of a stream minus the clock of this node, in milliseconds. */
  readonly leaderClockOffset?: (stream: string) => number;
  /**
   * In a cluster: milliseconds for which the store has not answered for a stream, or for which the stream has had no
   * leader.
   */
  readonly silenceOf?: (stream: string) => number;
  /** Settings of initial staff and of sign-in; if absent, no staff are created. */
  readonly initialStaff?: StaffConfig;
  /** A collect above this amount, in minor units, becomes a hand-pay; no limit if absent. */
  readonly handPayLimit?: number;
  /**
   * From this amount on, in minor units, the cage page shows that the name of the payee is required; never if absent.
   */
  readonly payeeNameFrom?: number;
  readonly responsibleGaming?: ResponsibleGamingSettings;
  /** Disconnects are collected for this time in milliseconds after the first disconnect, and then reported together. */
  readonly disconnectReportMs?: number;
  readonly scanFormat?: ScanFormat;
  /** Port of card readers to dealers; by default the dealers who are signed in. */
  readonly cardReaderPort?: DealerPort;
  readonly limits: ServerLimits;
  readonly screensFolder: string;
  readonly host: string;
  /** TLS certificate and key; plain HTTP if absent. */
  readonly tls?: TlsCertificate;
  readonly metrics?: Metrics;
  /** Called with the number of failed sign-ins by error code. */
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
  /** True to accept the time of this machine, however far it is from the last entry of the event log. */
  readonly acceptClock?: boolean;
  readonly onClockJump?: (jump: ClockJump) => void;
  /** Called when an outage of the event store begins, continues or ends; tables pause meanwhile. */
  readonly onOutage: (report: OutageReport) => void;
  /** Called after a fatal failure of the store: the server must be closed and the process must end. */
  readonly onFatal: (error: unknown) => void;
  /** Called for a failure from which the server recovers; `subject` names what failed, such as a table. */
  readonly warn: (subject: string, error: unknown) => void;
  /**
   * Called with the fields in which the settings of a table in the property file differ from its settings in the event
   * log.
   */
  readonly onSettingsDiffer?: (table: string, fields: readonly string[]) => void;
  /**
   * Called with the code of the one-click sign-in of a demo, when a request comes through a proxy although the server
   * listens only for this machine.
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
   * Refuses new bets, finishes rounds whose bets are closed, and closes all connections. Resolves to the error if the
   * close could not be recorded. With `isLast` false the close of the floor is not recorded, because the floor
   * continues on other nodes.
   */
  readonly close: (isLast?: boolean) => Promise<unknown>;
  /** Call when another process has taken over the store. This is a fatal failure. */
  readonly abandon: (error: unknown) => void;
};
