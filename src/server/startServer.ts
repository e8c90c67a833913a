import { type AddressInfo } from 'node:net';
import { type Server as TlsServer } from 'node:tls';
import { type RefusalRecipient, discardingMetrics } from '../metrics/metrics.ts';
import { type FloorRuntime } from '../runtime/floorRuntime.ts';
import { systemRandom } from '../runtime/ports/random.ts';
import { TrustedProxies } from './http/clientAddress.ts';
import { limitTcpConnections } from './http/connectionQuota.ts';
import { listenOnFreePort } from './http/listen.ts';
import { createHttpApp } from './http/httpApp.ts';
import { FailureReporter } from './failureReporter.ts';
import { createMeasuredStore } from './operations/measuredStore.ts';
import { worstStoreSilenceMsOf, buildServerStatus } from './operations/readiness.ts';
import { createSystemScheduler } from './operations/systemScheduler.ts';
import { StoreOperationTracker } from './operations/storeOperationTracker.ts';
import { createPatronAndStaffHubs, openServerFloor } from './serverFloor.ts';
import { type Server, type ServerOptions } from './serverOptions.ts';
import { shutDownServer } from './shutdown.ts';
import { acceptWebSocketUpgrades } from './socket/webSocketUpgrades.ts';
import { OpenSocketRegistry, createSocketEndpoints } from './openSocketRegistry.ts';
import { SignInFailureReporter } from './staff/signInFailureReporter.ts';
import { DemoSignInGuard } from './staff/demoSignInGuard.ts';
import { addSignInRoutes } from './staff/signInRoutes.ts';
import { CancellableTimers, startServerTimers } from './timers.ts';

export async function startServer(options: ServerOptions): Promise<Server> {
  const { limits, host, metrics = discardingMetrics } = options;
  const activity = new StoreOperationTracker();
  const store = activity.track(options.metrics ? createMeasuredStore(options.store, options.metrics) : options.store);
  const scheduler = options.scheduler ?? (await createSystemScheduler(store, options));
  const clock = scheduler.now;
  const pending = new CancellableTimers(scheduler.after);
  const failures = new FailureReporter({ ...options, metrics, clock, after: pending.after });
  const core = { options, metrics, store, activity, scheduler, pending, failures };
  const hubs = createPatronAndStaffHubs(core);
  let floor: FloorRuntime | undefined;
  let isReady = false;
  const readyFloor = (): FloorRuntime | undefined => (isReady ? floor : undefined);
  const staffService = () => readyFloor()?.staff;
  const hostNames = [host, ...options.hostNames];
  const proxies = options.proxies ?? new TrustedProxies();
  const app = createHttpApp({
    folder: options.screensFolder,
    hostNames,
    limits,
    tableIds: () => readyFloor() && [...floor!.tables.keys()],
    warn: options.warn,
    ...(options.tls && { tls: options.tls }),
  });
  const signInFailures = new SignInFailureReporter({
    after: pending.after,
    report: (counts) => options.onSignInFailures?.(counts),
  });
  const onRefusal = (target: RefusalRecipient) => (code: string) => {
    metrics.requestRefused(target, code);
    if (target === 'staff') signInFailures.count(code);
  };
  const demoSignIn = new DemoSignInGuard({
    randomBelow: systemRandom.below,
    hostNames,
    hasProxies: !proxies.isEmpty,
    onForwarded: options.onDemoForwarded ?? (() => {}),
  });
  addSignInRoutes(app, {
    demoSignIn,
    clock,
    owner: options.owner,
    proxies,
    secretAttempts: hubs.staff.secretAttempts,
    staffService,
    withdrawalOnLeave: (session) => hubs.staff.withdrawalOnLeave(session),
    onRefusal: onRefusal('staff'),
  });
  limitTcpConnections(app.server, limits, proxies);
  const sockets = new OpenSocketRegistry();
  const handler = { clock, limits, onDefect: (error: unknown) => failures.report('connection', error) };
  const endpoints = createSocketEndpoints({ sockets, hubs, handler, staffService, onRefusal });
  const isOpen = (): boolean => isReady;
  acceptWebSocketUpgrades(app.server, {
    limits,
    hostNames,
    proxies,
    isReady: isOpen,
    onRefusal: onRefusal('upgrade'),
    endpoints,
  });

  // The port is opened before the first write to the store. So if another program uses the port, nothing is written.
  await listenOnFreePort(app, host, options.port, options.extraPorts ?? 0);
  floor = await openServerFloor(core, hubs).catch(async (error: unknown) => {
    pending.stop();
    await app.close();
    throw error;
  });
  await hubs.patrons.open(floor);
  hubs.staff.open(floor);
  const timers = await startServerTimers({ ...core, floor, sockets, patrons: hubs.patrons });
  isReady = true;

  const stop = async (isLast: boolean): Promise<unknown> => {
    isReady = false;
    return shutDownServer({ ...core, app, hubs, floor, sockets, timers, signInFailures }, isLast);
  };
  const { silenceOf, tls } = options;
  let stopped: Promise<unknown> | undefined;
  return {
    address: `${tls ? 'https' : 'http'}://${hostIn(app.server.address() as AddressInfo, host)}/`,
    floor,
    demoSignIn,
    status: () =>
      buildServerStatus({
        floor,
        isReady,
        hasFailed: failures.hasFailed,
        isFailing: failures.isFailing,
        silenceMs: silenceOf ? worstStoreSilenceMsOf(floor, silenceOf) : timers.silenceMs(),
        connections: sockets.all,
      }),
    renewCertificate: (certificate) => (app.server as unknown as TlsServer).setSecureContext(certificate),
    close: (isLast = true) => (stopped ??= stop(isLast)),
    abandon: failures.fatal,
  };
}

function hostIn({ address, port, family }: AddressInfo, host: string): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `${name}:${port}`;
}
