import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { type RandomSource, seededRandom } from '../../src/runtime/ports/random.ts';
import { demoCredit, demoOwner, demoSettings } from '../runtime/demo.ts';
import { SecretBindings, type DeviceKind } from '../../src/runtime/terminals/secretBindings.ts';
import { type Metrics } from '../../src/metrics/metrics.ts';
import { type Pace } from '../../src/runtime/tables/pacing.ts';
import { type Outage } from '../../src/runtime/ports/outageReporter.ts';
import { adoptKey } from '../../src/runtime/encryption/encryptedBlobs.ts';
import { type ClusterPort } from '../../src/runtime/ports/clusterPort.ts';
import { type StaffConfig } from '../../src/runtime/ports/floorConfig.ts';
import { TrustedProxies } from '../../src/server/http/clientAddress.ts';
import { type ServerLimits, defaultLimits } from '../../src/server/limits/serverLimits.ts';
import { hashSecret } from '../../src/server/patron/secretRotation.ts';
import { type Tls } from '../../src/server/http/pages.ts';
import { startServer } from '../../src/server/startServer.ts';
import { type Server } from '../../src/server/serverOptions.ts';
import { type CardReaderPort } from '../../src/server/patron/cardReaders.ts';
import { type ScanFormat } from '../../src/rules/scanFormat.ts';
import { type Scheduler } from '../../src/runtime/ports/scheduler.ts';
import { memoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { closeLater } from '../closing.ts';
import { applyDelta } from '../../src/wire/viewDelta.ts';
import { type ServerMessage, type ServerMessageOf, serverMessages } from '../../src/wire/messages.ts';
import { protocolVersion } from '../../src/wire/protocolVersion.ts';

export const secretOf = (letter: string): string => letter.repeat(64);

/** Keys that lead to a terminal or a device. */
export type Enrolled = readonly (readonly [secret: string, terminal: string, role: DeviceKind])[];

/** A record of a property where money is real, with what was enrolled there. */
export async function enrolledAt(key: Buffer, enrolled: Enrolled): Promise<Store> {
  const store = memoryStore();
  await adoptKey(store, key);
  const links = new SecretBindings(store, key);
  for (const [secret, terminal, role] of enrolled) await links.bind(hashSecret(secret), terminal, role);
  return store;
}

type Wanted = {
  readonly tables?: readonly string[];
  readonly times?: { readonly [name in 'bettingTime' | 'grace' | 'pause' | 'interruption']?: number };
  /** What else is said of every table. */
  readonly settings?: { readonly [field: string]: unknown };
  readonly pace?: Pace;
  readonly limits?: Partial<ServerLimits>;
  readonly store?: Store;
  readonly key?: Buffer;
  readonly chance?: RandomSource;
  readonly screens?: string;
  readonly port?: number;
  readonly furtherPorts?: number;
  readonly time?: Scheduler;
  /** What a terminal begins with; null where money is real. */
  readonly credit?: number | null;
  readonly handPay?: number;
  /** Who deals at live tables, what their readers say, and when broken links are reported. */
  readonly pit?: CardReaderPort;
  readonly scanner?: ScanFormat;
  readonly disconnectDelay?: number;
  /** How the people of the floor begin; none do unless given. */
  readonly staff?: StaffConfig;
  /** Proxies that are trusted. */
  readonly proxies?: readonly string[];
  readonly tls?: Tls;
  readonly gauges?: Metrics;
  readonly keeper?: Parameters<typeof startServer>[0]['checkpoints'];
  readonly signInsFailed?: (failures: { readonly [code: string]: number }) => void;
  /** Others on the record, and the number that this one has there. */
  readonly shared?: ClusterPort;
  readonly opening?: number;
  readonly silent?: (stream: string) => number;
  readonly offsetOf?: (stream: string) => number;
  readonly fault?: (what: string, error: unknown) => void;
  readonly outage?: (outage: Outage) => void;
  readonly disconnected?: (error: unknown) => void;
  /** Whether it is closed at the end of the test that starts it, or of the file. */
  readonly closes?: 'test' | 'file';
};

/** A page of one line, for tests without a browser. */
const plainScreens = fileURLToPath(new URL('screens', import.meta.url));

/** A demo floor in this process, on a store in memory; bets stay open for ten minutes unless told otherwise. */
export function house(wanted: Wanted = {}): Promise<Server> {
  const {
    tables,
    times,
    settings,
    pace = { betweenRounds: 0, betweenCards: 0 },
    limits,
    store = memoryStore(),
  } = wanted;
  const chosen = tables ? demoSettings.filter(({ table }) => tables.includes(table)) : demoSettings;
  const proxies = new TrustedProxies();
  for (const proxy of wanted.proxies ?? []) proxies.trust(proxy);
  const server = startServer({
    store,
    proxies,
    key: wanted.key ?? randomBytes(32),
    random: wanted.chance ?? seededRandom('house'),
    owner: demoOwner,
    settings: chosen.map((setting) => ({
      ...setting,
      bettingTime: 600_000,
      grace: 0,
      pause: 0,
      ...times,
      ...settings,
    })),
    pace,
    demoCredit: wanted.credit === undefined ? demoCredit : wanted.credit,
    ...(wanted.handPay !== undefined && { handPayLimit: wanted.handPay }),
    ...(wanted.pit && { cardReaderPort: wanted.pit }),
    ...(wanted.scanner && { scanFormat: wanted.scanner }),
    ...(wanted.disconnectDelay !== undefined && { disconnectReportMs: wanted.disconnectDelay }),
    ...(wanted.staff && { initialStaff: wanted.staff }),
    ...(wanted.shared && { cluster: wanted.shared }),
    ...(wanted.opening !== undefined && { openingNumber: wanted.opening }),
    ...(wanted.silent && { silenceOf: wanted.silent }),
    ...(wanted.offsetOf && { leaderClockOffset: wanted.offsetOf }),
    ...(wanted.tls && { tls: wanted.tls }),
    ...(wanted.gauges && { metrics: wanted.gauges }),
    ...(wanted.keeper && { checkpoints: wanted.keeper }),
    ...(wanted.signInsFailed && { onSignInFailures: wanted.signInsFailed }),
    limits: { ...defaultLimits, ...limits },
    screensFolder: wanted.screens ?? plainScreens,
    host: '127.0.0.1',
    hostNames: ['punto.example'],
    port: wanted.port ?? 0,
    extraPorts: wanted.furtherPorts ?? 0,
    ...(wanted.time && { scheduler: wanted.time }),
    onOutage:
      wanted.outage ??
      (({ error }) => {
        throw new Error('The record fails.', { cause: error });
      }),
    onFatal:
      wanted.disconnected ??
      ((error) => {
        throw new Error('The record is lost.', { cause: error });
      }),
    warn:
      wanted.fault ??
      ((what, error) => {
        throw new Error(what, { cause: error });
      }),
  });
  // Registered before it has started: a server that a file starts for all its tests is open before the first of them. One
  // that does not start has nothing to close, and fails the test that waits for it.
  const close = async (): Promise<unknown> => (await server.catch(() => undefined))?.close();
  closeLater(close, wanted.closes);
  return server;
}

/** A terminal that speaks the protocol, and a malicious one where a test wants it. */
export class Guest {
  readonly heard: ServerMessage[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly socket: WebSocket;
  #table: ServerMessageOf<'table'> | undefined;
  #lobby: ServerMessageOf<'lobby'> | undefined;
  #wake = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#take(JSON.parse(data.toString('utf8')) as ServerMessage);
      this.#stir();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') };
      this.#stir();
    });
    socket.on('error', () => {});
  }

  /** Every message is held to its declaration, and what has changed is heard as the whole that it makes. */
  #take(told: ServerMessage): void {
    const problem = serverMessages[told.type].check(told);
    if (problem) throw new Error(`The message ${told.type} is wrong: ${JSON.stringify(problem)}`);
    if (told.type === 'change') {
      const last = this.#table!;
      if (told.version !== last.version + 1) throw new Error(`After version ${last.version} comes ${told.version}.`);
      this.#table = { ...last, version: told.version, view: applyDelta(last.view, told) };
    } else if (told.type === 'tile') {
      const last = this.#lobby!;
      if (told.version !== last.version + 1) throw new Error(`After version ${last.version} comes ${told.version}.`);
      const tiles = last.tiles.map((tile) => (tile.table === told.table ? applyDelta(tile, told) : tile));
      this.#lobby = { ...last, version: told.version, tiles };
    } else if (told.type === 'table') this.#table = told;
    else if (told.type === 'lobby') this.#lobby = told;
    this.heard.push(told.type === 'change' ? this.#table! : told.type === 'tile' ? this.#lobby! : told);
  }

  #stir(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Something has come; a minute without anything is too long for any test. */
  async #stirred(otherwise: string): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`For a minute ${otherwise}.`)), 60_000);
    await Promise.race([this.#wake.promise, promise]).finally(() => clearTimeout(timer));
  }

  static async arrive(
    server: Pick<Server, 'address'>,
    headers: { readonly [name: string]: string } = {},
  ): Promise<Guest> {
    const to = new URL('socket', server.address);
    const socket = new WebSocket(`ws://${to.host}/socket`, { headers: { origin: to.origin, ...headers } });
    const guest = new Guest(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))));
      socket.once('error', reject);
    });
    return guest;
  }

  /** Says hello with a secret, and sits down if a table is named. */
  static async seated(server: Pick<Server, 'address'>, secret: string, table?: string): Promise<Guest> {
    const guest = await Guest.arrive(server);
    guest.say({ type: 'hello', v: protocolVersion, secret });
    await guest.hears('welcome');
    if (table !== undefined) {
      guest.say({ type: 'sit', table });
      await guest.hears('own');
    }
    return guest;
  }

  say(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message of a type, or the first among those that came since `from`. */
  async hears<T extends ServerMessage['type']>(
    type: T,
    fits: (tell: ServerMessageOf<T>) => boolean = () => true,
    from = 0,
  ): Promise<ServerMessageOf<T>> {
    for (;;) {
      const found = this.heard
        .slice(from)
        .find((tell): tell is ServerMessageOf<T> => tell.type === type && fits(tell as ServerMessageOf<T>));
      if (found !== undefined) return found;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#stirred(`nothing like ${type} was heard`);
    }
  }

  /** The refusal of what was said last. */
  async refusal(message: unknown): Promise<ServerMessageOf<'refused'>> {
    const from = this.heard.length;
    this.say(message);
    return this.hears('refused', () => true, from);
  }

  async left(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.closed === undefined) await this.#stirred('the socket stays open');
    return this.closed;
  }

  /** The round that takes bets. */
  async round(): Promise<string> {
    const { view } = await this.hears('table', ({ view: { phase, round } }) => phase === 'betting' && round !== null);
    return view.round!.id;
  }

  leave(): void {
    this.socket.terminate();
  }
}
