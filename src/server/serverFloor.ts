import { randomUUID } from 'node:crypto';
import { type Metrics } from '../metrics/metrics.ts';
import { defaultScanFormat } from '../rules/cardScan.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { openFloor } from '../runtime/openFloor.ts';
import { type Store } from '../store/store.ts';
import { type FailureReporter } from './failureReporter.ts';
import { defaultResponsibleGamingSettings } from './money/sessionLimitsAndBreaksHandler.ts';
import { roundEndingsOf } from './operations/measuredStore.ts';
import { type StoreOperationTracker } from './operations/storeOperationTracker.ts';
import { type Scheduler } from '../runtime/ports/scheduler.ts';
import { PatronHub } from './patron/patronHub.ts';
import { type ServerOptions } from './serverOptions.ts';
import { StaffHub } from './staff/staffHub.ts';
import { createPublicViewOptions } from './tables/publicViewOptions.ts';
import { type CancellableTimers } from './timers.ts';

export type ServerDependencies = {
  readonly options: ServerOptions;
  readonly metrics: Metrics;
  /** The event store. `activity` tracks its operations. If the options have metrics, its appends are measured. */
  readonly store: Store;
  readonly activity: StoreOperationTracker;
  readonly scheduler: Scheduler;
  readonly pending: CancellableTimers;
  readonly failures: FailureReporter;
};

export type ServerHubs = { readonly patrons: PatronHub; readonly staff: StaffHub };

/** Creates the hubs of patrons and staff. The hubs accept messages only after they are opened with a floor. */
export function createPatronAndStaffHubs({
  options,
  metrics,
  store,
  scheduler,
  failures,
}: ServerDependencies): ServerHubs {
  const { limits, demoCredit, scanFormat = defaultScanFormat } = options;
  const { now: clock, after } = scheduler;
  const startedAt = clock();
  const shared = { store, metrics, clock, after, limits, scanFormat, warn: failures.report };
  const patrons = new PatronHub({
    ...shared,
    demoCredit,
    responsibleGaming: options.responsibleGaming ?? defaultResponsibleGamingSettings,
    port: () => options.cardReaderPort ?? staff,
    displayInfoOf: (table) => createPublicViewOptions(table, options, startedAt),
    onTableChange: (builder, entries) => staff.onTableChange(builder, entries),
  });
  const staff = new StaffHub({
    ...shared,
    key: options.key,
    patronHub: patrons,
    settings: new Map(options.settings.map((setting) => [setting.table, setting])),
    isDemo: demoCredit !== null,
    cageLimits: { handPay: options.handPayLimit ?? null, nameFrom: options.payeeNameFrom ?? null },
    lastSigned: () => options.checkpoints?.signed ?? null,
  });
  return { patrons, staff };
}

export function openServerFloor(
  { options, metrics, store, activity, scheduler, pending, failures }: ServerDependencies,
  { patrons, staff }: ServerHubs,
): Promise<FloorRuntime> {
  const { cluster } = options;
  return openFloor(options.owner, options.settings, options.pace, {
    store,
    clock: scheduler.now,
    random: options.random,
    key: options.key,
    ...(options.handPayLimit !== undefined && { handPayLimit: options.handPayLimit }),
    ...(options.disconnectReportMs !== undefined && { disconnectReportMs: options.disconnectReportMs }),
    ...(options.openingNumber !== undefined && { terminalNamespace: options.openingNumber }),
    ...(cluster && {
      cluster: { ...cluster, fencedStoreOf: (stream) => activity.track(cluster.fencedStoreOf(stream)) },
    }),
    ...(options.joinsFloor && { isJoining: true }),
    ...(options.initialStaff && { staff: options.initialStaff }),
    ...(options.acceptedIssue && { integrityIssue: options.acceptedIssue }),
    ...(options.tornFrames !== undefined && { truncatedFrames: options.tornFrames }),
    ...(options.unsignedEntries && { unsignedEntries: options.unsignedEntries }),
    ...(options.lastAliveAt !== undefined && { latestHeartbeatAt: options.lastAliveAt }),
    ...(options.beforeFirstWrite && { beforeFirstWrite: options.beforeFirstWrite }),
    after: pending.after,
    sleep: (span) => new Promise((resolve) => void pending.after(span, resolve)),
    newId: randomUUID,
    publish: (table, entries) => {
      // The entries are committed already. So an error while their view is built must not stop the table.
      try {
        patrons.views.publish(table, entries);
        // In a cluster only the leader of the table counts its rounds.
        if (table.isLeader) for (const end of roundEndingsOf(entries)) metrics.roundEnded(table.id, end);
      } catch (error) {
        options.warn(`the view of ${table.id}`, error);
      }
    },
    onSettingsDiffer: (table, fields) => options.onSettingsDiffer?.(table, fields),
    onUnlistedTable: (table) => options.onUnlistedTable?.(table),
    onTerminalChanged: (terminal) => patrons.onCreditChange(terminal),
    onSecretChanged: (secretHash) => patrons.onSecretRebound(secretHash),
    onSeatsChanged: (table) => patrons.onSeatsChanged(table),
    onRefusedScan: (table, scan) => staff.sendScan(table, scan),
    onWarning: failures.warn,
    onTableCrashed: (table, error) => {
      options.warn(`table ${table}, which has stopped`, error);
      patrons.views.onTableCrashed(table);
    },
    onRetrying: failures.retrying,
    onRecovered: failures.recovered,
    onTablePaused: (table, isPaused) => patrons.views.setTablePaused(table, isPaused),
    onFatal: failures.fatal,
    ...(scheduler.subscribeClockJumps && { subscribeClockJumps: scheduler.subscribeClockJumps }),
  });
}
