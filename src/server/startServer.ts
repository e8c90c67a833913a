import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { type Server as TlsServer } from 'node:tls';
import { type WebSocket } from 'ws';
import { FloorRuntime } from '../runtime/floorRuntime.ts';
import { Outages } from '../runtime/ports/outageReporter.ts';
import { type StaffService } from '../runtime/staff/staffService.ts';
import { type Refusing, noMetrics } from '../metrics/metrics.ts';
import { type SignInSession } from '../staff/state.ts';
import { defaultScanFormat } from '../rules/cardScan.ts';
import { type StoredEntry } from '../store/store.ts';
import { DatabaseAway, isFatal } from '../store/failures.ts';
import { Proxies } from './http/clientAddress.ts';
import { type HttpError } from './http/responseHeaders.ts';
import { beats } from './socket/heartbeatMessage.ts';
import { type SocketConnection } from './socket/socketConnection.ts';
import { Connection } from './socket/patronConnection.ts';
import { closing, acceptSockets } from './socket/upgrade.ts';
import { countConnections } from './http/connectionQuota.ts';
import { extraOf } from './tables/tableDisplayInfo.ts';
import { type TableDisplayInfo, type TablePublisher } from './tables/tablePublisher.ts';
import { PatronHub } from './patron/patronHub.ts';
import { type CardReaderPort } from './patron/cardReaders.ts';
import { keeping } from './operations/checkpointSchedule.ts';
import { listen } from './http/listen.ts';
import { roundEndings, measured } from './operations/measuredStore.ts';
import { createHttpApp } from './http/pages.ts';
import { startHeartbeat } from './operations/heartbeat.ts';
import { StaffConnection } from './socket/staffConnection.ts';
import { cookieIn } from './staff/cookies.ts';
import { SignInFailures } from './staff/signInFailures.ts';
import { StaffHub } from './staff/staffHub.ts';
import { staffRoutes } from './staff/signInRoutes.ts';
import { usualCare } from './money/sessionLimits.ts';
import { watchSilentTables, longest, standingOf } from './operations/readiness.ts';
import { machineTime } from './operations/serverClock.ts';
import { type Server, type ServerOptions } from './serverOptions.ts';

/** Whoever is at the end of a socket. */
type AnyCaller = Pick<SocketConnection<never, never>, 'beat' | 'hurry' | 'ping' | 'close' | 'arrives'>;

const notSignedIn: HttpError = {
  status: 401,
  code: 'not-signed-in',
  message: 'Nobody is signed in here; sign in first.',
};

/** How often it is signed in the record how far it has got; the anchor is told with every beat. */
const signEvery = 60_000;
/** Whoever was told nothing since the last time is told that we live: nobody hears nothing for longer than twice this. */
const tellEvery = 500;
/** Connections take turns in so many circles, so that nobody waits while all the others are told. */
const circleCount = 10;

/** A floor of tables behind one address. */
export async function startServer(running: ServerOptions): Promise<Server> {
  const { limits, host, trouble, gauges = noMetrics } = running;
  const store = running.gauges ? measured(running.store, running.gauges) : running.store;
  let isLost = false;
  const lost = (error: unknown): void => {
    if (!isLost) running.lost(error);
    isLost = true;
  };
  /** Whoever asks may come upon what no further try can help. */
  const meet = (what: string, error: unknown): void =>
    error instanceof DatabaseAway ? failed(what, error, true) : trouble(what, error);
  const met = (what: string, error: unknown): void => (isFatal(error) ? lost(error) : meet(what, error));
  const time = running.time ?? (await machineTime(store, running));
  const { now: clock, after } = time;
  const { care = usualCare, credit } = running;
  const started = clock();
  const extra = (table: string): TableDisplayInfo => extraOf(table, running, started);
  const moved = (feed: TablePublisher, entries: readonly StoredEntry[]): void => staff.moved(feed, entries);
  const { scanner = defaultScanFormat } = running;
  const pit = (): CardReaderPort => running.pit ?? staff;
  const hub = new PatronHub({
    store,
    gauges,
    clock,
    after,
    limits,
    credit,
    care,
    scanner,
    pit,
    extra,
    moved,
    trouble: met,
  });
  const settings = new Map(running.settings.map((setting) => [setting.table, setting]));
  const demo = credit !== null;
  const deskLimits = { handPay: running.handPay ?? null, nameFrom: running.nameFrom ?? null };
  const staff = new StaffHub({
    store,
    gauges,
    key: running.key,
    clock,
    after,
    limits,
    hub,
    settings,
    demo,
    deskLimits,
    scanner,
    signed: () => running.keeper?.signed ?? null,
    trouble: met,
  });
  const names = [host, ...running.names];
  const tables = (): readonly string[] | undefined => (ready ? [...floor.tables.keys()] : undefined);
  const app = createHttpApp({
    folder: running.screens,
    names,
    limits,
    tables,
    trouble,
    ...(running.tls && { tls: running.tls }),
  });
  const proxies = running.proxies ?? new Proxies();
  const people = (): StaffService | undefined => (ready ? floor.people : undefined);
  const failures = new SignInFailures({
    after: (span, run) => later(span, run),
    tell: (tried) => running.signInsFailed?.(tried),
  });
  const refused = (to: Refusing) => (code: string) => {
    gauges.refused(to, code);
    if (to === 'staff') failures.refused(code);
  };
  staffRoutes(app, {
    clock,
    owner: running.owner,
    proxies,
    tries: staff.tries,
    people,
    leaving: (session) => staff.leaving(session),
    refused: refused('staff'),
  });
  countConnections(app.server, limits, proxies);
  const callers = new Set<AnyCaller>();
  const circles = Array.from({ length: circleCount }, () => new Set<AnyCaller>());
  let arrivals = 0;
  let ready = false;
  const desk = { clock, limits, broken: (error: unknown) => met('connection', error) };
  const comes = (caller: AnyCaller, socket: WebSocket, raw: Duplex): void => {
    const circle = circles[arrivals++ % circleCount]!;
    for (const among of [callers, circle]) {
      among.add(caller);
      socket.once('close', () => among.delete(caller));
    }
    raw.on('data', (bytes: Buffer) => caller.arrives(bytes));
  };
  const sessionOf = (request: IncomingMessage): SignInSession | undefined =>
    people()?.byToken(cookieIn(request, 'session') ?? '');
  acceptSockets(app.server, {
    limits,
    names,
    proxies,
    isReady: () => ready,
    refused: refused('door'),
    entrances: {
      '/socket': {
        came: (socket, raw, address) =>
          comes(
            new Connection(socket, address, {
              ...desk,
              refused: refused('patron'),
              asked: (from, ask, arrived) => hub.asked(from, ask, arrived),
              left: (gone) => hub.left(gone),
            }),
            socket,
            raw,
          ),
      },
      '/staff-socket': {
        asks: (request) =>
          people()
            ?.look(cookieIn(request, 'session'))
            ?.then((denied) => denied && closing),
        barred: (request) => (sessionOf(request) === undefined ? notSignedIn : undefined),
        came: (socket, raw, address, request) => {
          const session = sessionOf(request);
          // It may have ended in the very moment in which the socket was opened.
          if (session === undefined) return socket.close(1008, notSignedIn.code);
          const connection = new StaffConnection(socket, address, session.id, {
            ...desk,
            refused: refused('staff'),
            asked: (from, ask, arrived) => staff.asked(from, ask, arrived),
            left: (gone) => staff.left(gone),
          });
          staff.came(connection);
          return comes(connection, socket, raw);
        },
      },
    },
  });

  // The port comes first: where it is taken, the record is left alone. Whoever asks too early is told to come again.
  await listen(app, host, running.port, running.furtherPorts ?? 0);
  const waiting = new Set<() => void>();
  let isOver = false;
  const later = (span: number, run: () => void): (() => void) => {
    // Whoever would try again after the end would keep the program from ending.
    if (isOver) return () => {};
    const stopWaiting = after(span, () => {
      waiting.delete(stopWaiting);
      run();
    });
    waiting.add(stopWaiting);
    return () => {
      waiting.delete(stopWaiting);
      stopWaiting();
    };
  };
  const outages = new Outages({ clock, after: later, tell: running.outage });
  const failed = (who: string, error: unknown, isPast = false): void => {
    if (!outages.isFailing) gauges.outage();
    outages.failed(who, error, isPast);
  };
  const mended = (who: string): void => outages.mended(who);
  const keep = keeping({ keeper: running.keeper, isLost: () => isLost, lost, failed, mended });
  const floor = await FloorRuntime.open(running.owner, running.settings, running.pace, {
    store,
    clock,
    chance: running.chance,
    key: running.key,
    ...(running.handPay !== undefined && { handPay: running.handPay }),
    ...(running.linkTime !== undefined && { linkTime: running.linkTime }),
    ...(running.opening !== undefined && { opening: running.opening }),
    ...(running.shared && { shared: running.shared }),
    ...(running.joins && { joins: true }),
    ...(running.staff && { staff: running.staff }),
    ...(running.doubt && { doubt: running.doubt }),
    ...(running.torn !== undefined && { torn: running.torn }),
    ...(running.uncovered && { uncovered: running.uncovered }),
    ...(running.latest !== undefined && { latest: running.latest }),
    ...(running.begins && { begins: running.begins }),
    after: later,
    pause: (span) => new Promise((resolve) => void later(span, resolve)),
    id: randomUUID,
    publish: (table, entries) => {
      // What cannot be shown is written all the same, and no reason for a table to stop.
      try {
        hub.publish(table, entries);
        // Of several nodes the one that drives the table counts its rounds.
        if (table.isDriven) for (const end of roundEndings(entries)) gauges.ended(table.id, end);
      } catch (error) {
        trouble(`the view of ${table.id}`, error);
      }
    },
    differs: (table, fields) => running.differs?.(table, fields),
    unlisted: (table) => running.unlisted?.(table),
    credited: (terminal) => hub.credited(terminal),
    relinked: (secretHash) => hub.relinked(secretHash),
    seated: (table) => hub.seated(table),
    scanned: (table, scan) => staff.scanned(table, scan),
    trouble: meet,
    stopped: (table, error) => {
      trouble(`table ${table}, which has stopped`, error);
      hub.stopped(table);
    },
    failed,
    mended,
    halted: (table, isHalted) => hub.halted(table, isHalted),
    lost,
    ...(time.jumped && { jumped: time.jumped }),
  }).catch(async (error: unknown) => {
    for (const stopWaiting of waiting) stopWaiting();
    await app.close();
    throw error;
  });
  await hub.open(floor);
  staff.open(floor);
  await keep('checkpoint');
  await keep('anchor');
  ready = true;

  const listens = watchSilentTables(floor, running.silent, (table, is) => hub.halted(table, is, 'record'));
  const pulse = startHeartbeat({
    floor,
    clock,
    stood: (error) => met('the floor after it stood still', error),
    mended,
    failed,
    lost,
    beats: () => {
      listens();
      void keep('anchor');
    },
  });
  const sign = setInterval(() => void keep('checkpoint'), signEvery);
  const inTurn = (every: number, act: (circle: ReadonlySet<AnyCaller>) => void): NodeJS.Timeout => {
    let turn = 0;
    return setInterval(() => act(circles[turn++ % circleCount]!), every / circleCount);
  };
  const tell = inTurn(tellEvery, (circle) => {
    const beat = beats({ clock, streamOf: (table) => floor.tables.get(table)?.stream, offsetOf: running.offsetOf });
    for (const caller of circle) {
      caller.beat(beat(caller));
      caller.hurry();
    }
  });
  const ping = inTurn(limits.ping, (circle) => {
    for (const caller of circle) caller.ping();
  });

  const stop = async (isLast: boolean): Promise<unknown> => {
    ready = false;
    hub.close();
    staff.close();
    // What cannot be written any more is no reason to stay: the record tells the next start where everything stood.
    const unrecorded = isLost ? undefined : await floor.park(isLast).catch((error: unknown) => error);
    const isClosed = isLast && !isLost && unrecorded === undefined;
    if (unrecorded !== undefined) trouble('closing', unrecorded);
    for (const caller of callers) caller.close(1001, 'server-closing');
    // A disconnect, a timer or another node may still submit a command; none may be in flight when the store is closed.
    if (!isLost) await floor.end();
    isOver = true;
    pulse.stop();
    for (const timer of [sign, tell, ping]) clearInterval(timer);
    for (const stopWaiting of waiting) stopWaiting();
    failures.close();
    await app.close();
    await keep('checkpoint', isClosed);
    await keep('anchor');
    await store.close();
    return unrecorded;
  };
  const { address, port, family } = app.server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  let stopped: Promise<unknown> | undefined;
  return {
    address: `${running.tls ? 'https' : 'http'}://${name}:${port}/`,
    floor,
    standing: () =>
      standingOf({
        floor,
        isReady: ready,
        isLost,
        isFailing: outages.isFailing,
        silent: running.silent ? longest(floor, running.silent) : pulse.silent(),
        callers,
      }),
    renew: (tls) => (app.server as unknown as TlsServer).setSecureContext(tls),
    close: (isLast = true) => (stopped ??= stop(isLast)),
    lose: lost,
  };
}
