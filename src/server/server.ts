import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Chance } from '../floor/chance.ts';
import { Floor, type Owner, floorPulse } from '../floor/floor.ts';
import { type Pace } from '../floor/pace.ts';
import { type Store } from '../store/store.ts';
import { Connection } from './connection.ts';
import { Hub } from './hub.ts';
import { type Limits } from './limits.ts';
import { isOwnHost, isOwnOrigin } from './origin.ts';
import { pages } from './pages.ts';

/** Time as a server knows it. */
export type Time = {
  readonly now: () => number;
  /** Calls back after so many milliseconds; gives what stops it. */
  readonly after: (time: number, run: () => void) => () => void;
};

/** What a server runs on. */
export type Running = {
  readonly store: Store;
  readonly key: Buffer;
  readonly chance: Chance;
  readonly owner: Owner;
  readonly settings: readonly { readonly table: string; readonly [field: string]: unknown }[];
  readonly pace: Pace;
  /** What a new terminal begins with, in whole minor units. */
  readonly credit: number;
  readonly limits: Limits;
  /** The folder with the built screens. */
  readonly screens: string;
  readonly host: string;
  /** What else this server is called, besides its address and localhost. */
  readonly names: readonly string[];
  readonly port: number;
  /** The time of this machine unless given; a test moves its own. */
  readonly time?: Time;
  readonly trouble: (what: string, error: unknown) => void;
};

export type Server = {
  readonly address: string;
  readonly floor: Floor;
  /** Takes no more bets, ends what is being dealt, and lets everyone go. */
  readonly close: () => Promise<void>;
};

const beatEvery = 1_000;
const tellEvery = 5_000;
const pingEvery = 15_000;
/** Beyond this, in bytes, a frame is not even read to its end. */
const largestFrame = 1 << 16;

/** The time of day; where it is set back, be it between two starts, time goes on from where it was. */
function wallClock(since: number): () => number {
  const from = Math.max(since, Date.now()) - performance.now();
  let last = 0;
  return () => (last = Math.max(last, Date.now(), Math.floor(from + performance.now())));
}

const machineTime = (since: number): Time => ({
  now: wallClock(since),
  after: (time, run) => {
    const timer = setTimeout(run, time);
    return () => clearTimeout(timer);
  },
});

/** A floor of tables behind one address. */
export async function startServer(running: Running): Promise<Server> {
  const { store, limits, host, trouble } = running;
  const { now: clock, after } = running.time ?? machineTime((await store.lastBeat(floorPulse)) ?? 0);
  const hub = new Hub({ clock, limits, credit: running.credit });
  const names = [host, ...running.names];
  const app = pages(running.screens, names);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestFrame,
    perMessageDeflate: false,
    autoPong: false,
  });
  // Beyond what is ever served, a connection is not even looked at.
  app.server.maxConnections = limits.connections + 100;
  const connections = new Set<Connection>();
  const perAddress = new Map<string, number>();
  let ready = false;

  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const address = request.socket.remoteAddress ?? '';
    const here = perAddress.get(address) ?? 0;
    if (!ready) return turnAway(socket, 503, 'server-closing');
    if (!isOwnHost(request, names) || !isOwnOrigin(request)) return turnAway(socket, 403, 'foreign-origin');
    if (request.url !== '/socket') return turnAway(socket, 404, 'not-found');
    if (connections.size >= limits.connections || here >= limits.connectionsPerAddress) {
      return turnAway(socket, 503, 'too-many-connections');
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
      const connection = new Connection(ws, address, {
        clock,
        limits,
        asked: (from, ask, arrived) => hub.asked(from, ask, arrived),
        left: (gone) => {
          connections.delete(gone);
          const others = perAddress.get(address)! - 1;
          if (others === 0) perAddress.delete(address);
          else perAddress.set(address, others);
          hub.left(gone);
        },
        broken: (error) => trouble('connection', error),
      });
      connections.add(connection);
    });
  });

  // The port comes first: where it is taken, the record is left alone. Whoever asks too early is told to come again.
  await app.listen({ host, port: running.port });
  const waiting = new Set<() => void>();
  const floor = await Floor.open(running.owner, running.settings, running.pace, {
    store,
    clock,
    chance: running.chance,
    key: running.key,
    after: (time, run) => {
      const stopWaiting = after(time, () => {
        waiting.delete(stopWaiting);
        run();
      });
      waiting.add(stopWaiting);
      return () => {
        waiting.delete(stopWaiting);
        stopWaiting();
      };
    },
    pause: (time) => new Promise((resolve) => void after(time, resolve)),
    id: randomUUID,
    publish: (table, entries) => {
      // What cannot be shown is written all the same, and no reason for a table to stop.
      try {
        hub.publish(table, entries);
      } catch (error) {
        trouble(`the view of ${table.id}`, error);
      }
    },
    trouble: (table, error) => trouble(`table ${table}`, error),
    stopped: (table, error) => {
      trouble(`table ${table}, which has stopped`, error);
      hub.stopped(table);
    },
  }).catch(async (error: unknown) => {
    for (const stopWaiting of waiting) stopWaiting();
    await app.close();
    throw error;
  });
  await hub.open(floor);
  ready = true;

  const beat = setInterval(() => floor.beat().catch((error: unknown) => trouble('heartbeat', error)), beatEvery);
  const tell = setInterval(() => {
    const text = JSON.stringify({ type: 'beat', at: clock() });
    for (const connection of connections) if (connection.secretHash !== undefined) connection.send(text);
  }, tellEvery);
  const ping = setInterval(() => {
    for (const connection of connections) connection.ping();
  }, pingEvery);

  const stop = async (): Promise<void> => {
    ready = false;
    hub.close();
    // What cannot be written any more is no reason to stay: the record tells the next start where everything stood.
    await floor.park().catch((error: unknown) => trouble('closing', error));
    for (const timer of [beat, tell, ping]) clearInterval(timer);
    for (const stopWaiting of waiting) stopWaiting();
    for (const connection of connections) connection.close(1001, 'server-closing');
    await app.close();
    await store.close();
  };
  const { address, port, family } = app.server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  let stopped: Promise<void> | undefined;
  return { address: `http://${name}:${port}/`, floor, close: () => (stopped ??= stop()) };
}

/** An answer to somebody who wanted a socket and gets none. */
function turnAway(socket: Duplex, status: 403 | 404 | 503, code: string): void {
  const body = JSON.stringify({ code });
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
