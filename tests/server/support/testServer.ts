import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { type RandomSource, createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { demoCredit, demoOwner, demoSettings } from '../../runtime/support/demo.ts';
import { SecretBindings, type DeviceKind } from '../../../src/runtime/terminals/secretBindings.ts';
import { type Metrics } from '../../../src/metrics/metrics.ts';
import { type Pace } from '../../../src/runtime/tables/pacing.ts';
import { type OutageReport } from '../../../src/runtime/stream/outageReporter.ts';
import { checkOrAdoptDataKey } from '../../../src/runtime/encryption/encryptedBlobs.ts';
import { type ClusterPort } from '../../../src/runtime/ports/clusterPort.ts';
import { type StaffConfig } from '../../../src/runtime/ports/floorConfig.ts';
import { TrustedProxies } from '../../../src/server/http/clientAddress.ts';
import { type ServerLimits, defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { hashSecret } from '../../../src/server/patron/secretRotationHandler.ts';
import { type TlsCertificate } from '../../../src/server/http/httpApp.ts';
import { startServer } from '../../../src/server/startServer.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { type CardReaderDealerPort } from '../../../src/server/patron/cardReaderScanHandler.ts';
import { type ScanFormat } from '../../../src/rules/scanFormat.ts';
import { type Scheduler } from '../../../src/runtime/ports/scheduler.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { closeLater } from '../../closing.ts';
import { applyDelta } from '../../../src/wire/viewDelta.ts';
import { type ServerMessage, type ServerMessageOf, serverMessageSchemas } from '../../../src/wire/messages.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';

export const secretOf = (letter: string): string => letter.repeat(64);

/** Secrets with the terminal or device to which each is bound. */
export type EnrolledSecrets = readonly (readonly [secret: string, terminal: string, role: DeviceKind])[];

/** Memory store of a real-money property, with these secrets bound. */
export async function storeWithSecrets(key: Buffer, enrolled: EnrolledSecrets): Promise<Store> {
  const store = createMemoryStore();
  await checkOrAdoptDataKey(store, key);
  const bindings = new SecretBindings(store, key);
  for (const [secret, terminal, role] of enrolled) await bindings.bind(hashSecret(secret), terminal, role);
  return store;
}

export type TestServerOptions = {
  readonly tables?: readonly string[];
  readonly times?: { readonly [name in 'bettingTime' | 'grace' | 'pause' | 'interruption']?: number };
  /** Further settings of every table. */
  readonly settings?: { readonly [field: string]: unknown };
  readonly pace?: Pace;
  readonly limits?: Partial<ServerLimits>;
  readonly store?: Store;
  readonly key?: Buffer;
  readonly random?: RandomSource;
  readonly screensFolder?: string;
  readonly port?: number;
  readonly extraPorts?: number;
  readonly scheduler?: Scheduler;
  /** Initial credit of a terminal; null where money is real. */
  readonly demoCredit?: number | null;
  readonly handPayLimit?: number;
  /** Card readers of live tables, their scan format, and the delay of disconnect reports. */
  readonly cardReaderPort?: CardReaderDealerPort;
  readonly scanFormat?: ScanFormat;
  readonly disconnectReportMs?: number;
  /** Initial staff; none by default. */
  readonly initialStaff?: StaffConfig;
  /** Address to listen at; 127.0.0.1 by default. */
  readonly host?: string;
  /** Other names of the server. */
  readonly hostNames?: readonly string[];
  readonly onDemoForwarded?: (code: string) => void;
  /** Addresses of trusted proxies. */
  readonly proxies?: readonly string[];
  readonly tls?: TlsCertificate;
  readonly metrics?: Metrics;
  readonly checkpoints?: Parameters<typeof startServer>[0]['checkpoints'];
  readonly onSignInFailures?: (failures: { readonly [code: string]: number }) => void;
  /** Other nodes on the event store, and the number of this opening. */
  readonly cluster?: ClusterPort;
  readonly openingNumber?: number;
  readonly silenceOf?: (stream: string) => number;
  readonly leaderClockOffset?: (stream: string) => number;
  readonly warn?: (what: string, error: unknown) => void;
  readonly onOutage?: (outage: OutageReport) => void;
  readonly onFatal?: (error: unknown) => void;
  /** When the server is closed: at the end of its test or of the file. */
  readonly closeAfter?: 'test' | 'file';
};

/** Page of one line, for tests without a browser. */
const plainScreens = fileURLToPath(new URL('screens', import.meta.url));

/** Starts a demo floor in this process, by default on a memory store; bets stay open for ten minutes. */
export function startTestServer(options: TestServerOptions = {}): Promise<Server> {
  const {
    tables,
    times,
    settings,
    pace = { betweenRounds: 0, betweenCards: 0 },
    limits,
    store = createMemoryStore(),
  } = options;
  const chosen = tables ? demoSettings.filter(({ table }) => tables.includes(table)) : demoSettings;
  const proxies = new TrustedProxies();
  for (const proxy of options.proxies ?? []) proxies.trust(proxy);
  const server = startServer({
    store,
    proxies,
    key: options.key ?? randomBytes(32),
    random: options.random ?? createSeededRandom('house'),
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
    demoCredit: options.demoCredit === undefined ? demoCredit : options.demoCredit,
    ...(options.handPayLimit !== undefined && { handPayLimit: options.handPayLimit }),
    ...(options.cardReaderPort && { cardReaderPort: options.cardReaderPort }),
    ...(options.scanFormat && { scanFormat: options.scanFormat }),
    ...(options.disconnectReportMs !== undefined && { disconnectReportMs: options.disconnectReportMs }),
    ...(options.initialStaff && { initialStaff: options.initialStaff }),
    ...(options.cluster && { cluster: options.cluster }),
    ...(options.openingNumber !== undefined && { openingNumber: options.openingNumber }),
    ...(options.silenceOf && { silenceOf: options.silenceOf }),
    ...(options.leaderClockOffset && { leaderClockOffset: options.leaderClockOffset }),
    ...(options.tls && { tls: options.tls }),
    ...(options.metrics && { metrics: options.metrics }),
    ...(options.checkpoints && { checkpoints: options.checkpoints }),
    ...(options.onSignInFailures && { onSignInFailures: options.onSignInFailures }),
    limits: { ...defaultServerLimits, ...limits },
    screensFolder: options.screensFolder ?? plainScreens,
    host: options.host ?? '127.0.0.1',
    hostNames: options.hostNames ?? [],
    ...(options.onDemoForwarded && { onDemoForwarded: options.onDemoForwarded }),
    port: options.port ?? 0,
    extraPorts: options.extraPorts ?? 0,
    ...(options.scheduler && { scheduler: options.scheduler }),
    onOutage:
      options.onOutage ??
      (({ error }) => {
        throw new Error('The event store fails.', { cause: error });
      }),
    onFatal:
      options.onFatal ??
      ((error) => {
        throw new Error('The event store is lost.', { cause: error });
      }),
    warn:
      options.warn ??
      ((what, error) => {
        throw new Error(what, { cause: error });
      }),
  });
  // Registered before the start completes, because a server for a whole file opens before its first test. A server
  // that fails to start needs no close; the test that awaits it fails.
  const close = async (): Promise<unknown> => (await server.catch(() => undefined))?.close();
  closeLater(close, options.closeAfter);
  return server;
}

/** Patron terminal on a WebSocket. Tests also send malformed messages with it. */
export class PatronSocket {
  readonly received: ServerMessage[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;
  readonly socket: WebSocket;
  #table: ServerMessageOf<'table'> | undefined;
  #lobby: ServerMessageOf<'lobby'> | undefined;
  #wake = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#accept(JSON.parse(data.toString('utf8')) as ServerMessage);
      this.#notify();
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString('utf8') };
      this.#notify();
    });
    socket.on('error', () => {});
  }

  /** Checks each message against its schema. A delta is stored as the whole message that results from it. */
  #accept(message: ServerMessage): void {
    const problem = serverMessageSchemas[message.type].check(message);
    if (problem) throw new Error(`The message ${message.type} is wrong: ${JSON.stringify(problem)}`);
    if (message.type === 'change') {
      const last = this.#table!;
      if (message.version !== last.version + 1)
        throw new Error(`After version ${last.version} comes ${message.version}.`);
      this.#table = { ...last, version: message.version, view: applyDelta(last.view, message) };
    } else if (message.type === 'tile') {
      const last = this.#lobby!;
      if (message.version !== last.version + 1)
        throw new Error(`After version ${last.version} comes ${message.version}.`);
      const tiles = last.tiles.map((tile) => (tile.table === message.table ? applyDelta(tile, message) : tile));
      this.#lobby = { ...last, version: message.version, tiles };
    } else if (message.type === 'table') this.#table = message;
    else if (message.type === 'lobby') this.#lobby = message;
    this.received.push(message.type === 'change' ? this.#table! : message.type === 'tile' ? this.#lobby! : message);
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  /** Waits for the next message or close, for five minutes at most. */
  async #nextEvent(complaint: string): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`For five minutes ${complaint}.`)), 300_000);
    await Promise.race([this.#wake.promise, promise]).finally(() => clearTimeout(timer));
  }

  static async connect(
    server: Pick<Server, 'address'>,
    headers: { readonly [name: string]: string } = {},
  ): Promise<PatronSocket> {
    const to = new URL('socket', server.address);
    const socket = new WebSocket(`ws://${to.host}/socket`, { headers: { origin: to.origin, ...headers } });
    const patron = new PatronSocket(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))));
      socket.once('error', reject);
    });
    return patron;
  }

  /** Connects, sends hello with a secret, and sits down at the table, if given. */
  static async join(server: Pick<Server, 'address'>, secret: string, table?: string): Promise<PatronSocket> {
    const patron = await PatronSocket.connect(server);
    patron.send({ type: 'hello', v: protocolVersion, secret });
    await patron.receive('welcome');
    if (table !== undefined) {
      patron.send({ type: 'sit', table });
      await patron.receive('own');
    }
    return patron;
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** First message of a type among those received since `from`; waits for it. */
  async receive<T extends ServerMessage['type']>(
    type: T,
    isExpected: (message: ServerMessageOf<T>) => boolean = () => true,
    from = 0,
  ): Promise<ServerMessageOf<T>> {
    for (;;) {
      const found = this.received
        .slice(from)
        .find(
          (message): message is ServerMessageOf<T> =>
            message.type === type && isExpected(message as ServerMessageOf<T>),
        );
      if (found !== undefined) return found;
      if (this.closed !== undefined) throw new Error(`closed by ${this.closed.code} ${this.closed.reason}`);
      await this.#nextEvent(`no expected ${type} was received`);
    }
  }

  /** Sends a message and waits for its refusal. */
  async refusalOf(message: unknown): Promise<ServerMessageOf<'refused'>> {
    const from = this.received.length;
    this.send(message);
    return this.receive('refused', () => true, from);
  }

  async waitForClose(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.closed === undefined) await this.#nextEvent('the socket stays open');
    return this.closed;
  }

  /** Id of the round that takes bets. */
  async bettingRound(): Promise<string> {
    const { view } = await this.receive('table', ({ view: { phase, round } }) => phase === 'betting' && round !== null);
    return view.round!.id;
  }

  terminate(): void {
    this.socket.terminate();
  }
}
