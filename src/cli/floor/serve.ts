import { resolve } from 'node:path';
import { type UnsignedRange, unsignedRangeText } from '../../checkpoint/checks.ts';
import { systemRandom } from '../../runtime/ports/random.ts';
import { type FirstPassword } from '../../runtime/staff/initialStaff.ts';
import { defaultLeaseMs } from '../../cluster/leases.ts';
import { quoted } from '../../base/refusal.ts';
import { TrustedProxies, isLoopback } from '../../server/http/clientAddress.ts';
import { ScreensNotBuilt, ensureScreens } from '../../assets/ensureScreens.ts';
import { defaultLimits } from '../../server/limits/serverLimits.ts';
import { startServer } from '../../server/startServer.ts';
import { type Server } from '../../server/serverOptions.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { type Store } from '../../store/store.ts';
import { type CliCommand, type Pipes, type OptionValues, optionText, repeatedOptionTexts } from '../support/command.ts';
import {
  encryptionKeyPath,
  openDataFolder,
  tornCommitText,
  databaseErrorToCliError,
  toCliError,
} from '../support/openStore.ts';
import { type ServerLog, createServerLog } from '../support/serverLog.ts';
import { runStartupChecks } from './startupChecks.ts';
import { type RunFloor, runClusterNode } from './clusterProcess.ts';
import { renameOlderDemo } from './olderDemo.ts';
import { type SqliteStore } from '../../store/sqlite/sqliteStore.ts';
import { type MetricsEndpoint, openMetricsEndpoint, parseHostAndPort } from './metricsEndpoint.ts';
import { print } from '../support/print.ts';
import { demoPropertyFile, readProperty } from '../support/readProperty.ts';
import { CliError } from '../support/cliError.ts';
import { type TlsFiles, readTls, tlsFilesOption } from '../support/tlsFiles.ts';

const defaultHost = '127.0.0.1';
const defaultData = 'data';
/** Always the same, so that bookmarks work. If it is in use, the next free one of `furtherPorts` is taken. */
const defaultPort = 2026;
const furtherPorts = 99;

export const serveCommand: CliCommand = {
  help: `Usage: punto serve [--property FILE] [--port N] [--host H] [--name N] [--proxy ADDRESS] [--data DIR]
                   [--store ADDRESS] [--key FILE] [--node ADDRESS] [--link [HOST:]PORT] [--lease MS] [--tables none]
                   [--anchor FILE] [--signer FILE] [--go-on WORDS] [--clock accept] [--cert FILE --key-file FILE]
                   [--metrics [HOST:]PORT] [--log json]

  --property FILE
               the property to run: its tables with games, limits and times; \`punto init\` writes one to begin from. The
               demo floor unless given: ten tables that deal by themselves, three for a dealer, and credit that
               is worth nothing
  --port N     the port, 1 to 65535: that one or none. Unless given, ${defaultPort}, or the next free one after it
  --host H     the address to listen at; ${defaultHost} unless given, so that only this machine can reach it
  --name N     a name that browsers may know this server by besides its address; may be given several times
  --proxy ADDRESS
               a proxy that is believed when it says in X-Forwarded-For for whom it asks: an address or a block of them
               such as 10.0.0.0/8; may be given several times
  --data DIR   the folder of the record; \`${defaultData}\` in the working directory unless given. The key that seals the
               order of undealt cards lies beside it, as DIR.key
  --store ADDRESS
               a PostgreSQL database that the record is in instead, such as postgres://user@host:5432,host:5432/punto;
               keys and anchor are still those beside DIR
  --key FILE   with --store, the key that seals, the same for every program on the database; DIR.key unless given
  --node ADDRESS
               with --store, where browsers reach this program, such as http://10.0.0.5:2026/, for those who look with
               \`punto nodes\`; where it listens unless given
  --link [HOST:]PORT
               with --store, where the other programs on the database reach this one; any free port of the host it
               listens at unless given. What goes there is sealed with the key of the property
  --lease MS   with --store, after how many milliseconds of silence another program on the database takes over; the same
               for all of them, and ${defaultLeaseMs} unless given
  --tables none
               with --store, drives no table and takes over nothing: it only holds sockets
  --anchor FILE
               where it is written, as the record grows, how far it has got; DIR.anchor unless given. It belongs on
               another machine or medium than the record: by it a record that was turned back is known
  --signer FILE
               the private key (Ed25519) that signs how far the record has got; DIR.signer unless given, made with a new
               record
  --go-on WORDS
               goes on with a record that ends before its anchor does, or holds what no floor has signed, by the two
               words that the refusal names; every shoe is given up, and the record says so
  --clock accept
               take the clock of this machine as it is, although it is more than an hour behind the record or more than
               400 days ahead of it
  --cert FILE  speaks TLS by the certificate in the file, as PEM with those between it and its root; without it plain
               HTTP, for this machine or for a proxy with TLS
  --key-file FILE
               the private key of that certificate, as PEM without a password. SIGHUP reads both files again
  --metrics [HOST:]PORT
               answers /healthz, /readyz and /metrics there, for operators and their programs; ${defaultHost} unless a
               host is given. Not done unless given
  --log json   what the operator is told while it runs goes to standard error as lines of JSON, not as sentences
Prints one line with the address, and at the first start of a property one with the password of its first administrator,
which is shown this once. Everything that is shown or paid is in the record first: whatever ends the program, a
start on the same folder goes on where it stood. SIGTERM or Ctrl-C takes no more bets, deals what has begun to its end
and closes, and says so at once; bets on a round that has not begun stay in the record. Exit code 0.`,
  options: {
    property: { type: 'string' },
    port: { type: 'string' },
    host: { type: 'string' },
    name: { type: 'string', multiple: true },
    proxy: { type: 'string', multiple: true },
    data: { type: 'string' },
    store: { type: 'string' },
    key: { type: 'string' },
    lease: { type: 'string' },
    tables: { type: 'string' },
    node: { type: 'string' },
    link: { type: 'string' },
    anchor: { type: 'string' },
    signer: { type: 'string' },
    'go-on': { type: 'string' },
    clock: { type: 'string' },
    cert: { type: 'string' },
    'key-file': { type: 'string' },
    metrics: { type: 'string' },
    log: { type: 'string' },
  },
  maxArguments: 0,
  run: async (values, _, pipes) => {
    const log = createServerLog(optionText(values, 'log'), pipes.errors);
    let metrics: MetricsEndpoint | undefined;
    try {
      metrics = await openMetricsEndpoint(optionText(values, 'metrics'), log);
      return await runServer(values, pipes, log, metrics);
    } catch (error) {
      return log.refused(error);
    } finally {
      await metrics?.close();
    }
  },
};

/** Runs a floor until a signal stops it or it cannot continue. */
async function runServer(
  values: OptionValues,
  { output, signals }: Pipes,
  log: ServerLog,
  metrics: MetricsEndpoint | undefined,
): Promise<number> {
  const listenPorts = portOption(optionText(values, 'port'));
  const clockAccepted = isClockAccepted(optionText(values, 'clock'));
  const host = optionText(values, 'host') ?? defaultHost;
  const proxies = proxyOption(repeatedOptionTexts(values, 'proxy'));
  const data = resolve(optionText(values, 'data') ?? defaultData);
  const property = readProperty(optionText(values, 'property') ?? demoPropertyFile, Date.now(), log.lines);
  const certificateFiles = tlsFilesOption(optionText(values, 'cert'), optionText(values, 'key-file'));
  const tls = certificateFiles && readTls(certificateFiles, Date.now(), log.warn);
  const {
    owner,
    tables,
    demo,
    handPay: handPayLimit,
    nameFrom: payeeNameFrom,
    responsibleGaming,
    disconnectDelay: disconnectReportMs,
    scanner: scanFormat,
  } = property;
  const screensFolder = await ensureScreensBuilt(log);
  const keyPaths = {
    signer: resolve(optionText(values, 'signer') ?? `${data}.signer`),
    anchor: resolve(optionText(values, 'anchor') ?? `${data}.anchor`),
  };
  const databaseUrl = optionText(values, 'store');
  const key = encryptionKeyPath(optionText(values, 'key'), databaseUrl, data);
  const mayLead = mayLeadOption(optionText(values, 'tables'), databaseUrl);
  const leaseMs = leaseOption(optionText(values, 'lease'), databaseUrl);
  const storeText = (): string =>
    databaseUrl === undefined
      ? `data folder ${JSON.stringify(data)}`
      : `database ${redactedUrl(parseConnectionUrl(databaseUrl))}`;
  const toStoreError = (error: unknown): unknown =>
    databaseUrl === undefined ? toCliError(data, error) : databaseErrorToCliError(databaseUrl, error);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    signals.on(signal, () => {
      // Behind scripts/run.mjs one Ctrl-C arrives twice: from the terminal, and from the process that passes it on.
      if (stop.signal.aborted) return;
      stop.abort();
      log.stopping(signal, databaseUrl !== undefined);
    });
  }
  const floorName = demo === null ? `The floor of ${owner.property}` : "Punto's demo floor";

  /** Runs the floor on a store, until a signal arrives or the store is lost. */
  const runFloor: RunFloor = async (store, cluster) => {
    const { torn: tornFrames = 0 } = store as { readonly torn?: number };
    if (tornFrames > 0) log.warn(tornCommitText(tornFrames));
    const failureAbort = new AbortController();
    const stopOrFailure = AbortSignal.any([stop.signal, failureAbort.signal]);
    let storeFailure: unknown;
    const loseStore = (error: unknown): void => {
      storeFailure ??= error;
      failureAbort.abort();
    };
    let server: Server;
    try {
      await refuseOtherProperty(store, owner.property, storeText());
      const storeOptions = await runStartupChecks(store, cluster, {
        keyPaths,
        keyFile: key,
        acceptedIssue: optionText(values, 'go-on'),
        clockOptions: { acceptClock: clockAccepted, onClockJump: log.clockJumped },
        onUnsignedSigned: (unsignedRange) => log.warn(unsignedText(unsignedRange)),
      });
      server = await startServer({
        ...storeOptions,
        ...(tornFrames > 0 && { tornFrames }),
        random: systemRandom,
        owner,
        settings: tables.map(({ settings }) => settings),
        pace: (table) => tables.find(({ settings }) => settings.table === table)!.pace,
        themeOf: (table) => tables.find(({ settings }) => settings.table === table)!.theme,
        demoCredit: demo?.credit ?? null,
        ...(handPayLimit !== null && { handPayLimit }),
        ...(payeeNameFrom !== null && { payeeNameFrom }),
        initialStaff: { demo: demo !== null },
        responsibleGaming,
        disconnectReportMs,
        scanFormat,
        onSettingsDiffer: (table, fields) => log.warn(differingText(table, fields, demo !== null)),
        onUnlistedTable: (table) => log.warn(unlistedText(table)),
        limits: defaultLimits,
        screensFolder,
        host,
        hostNames: repeatedOptionTexts(values, 'name'),
        proxies,
        ...listenPorts,
        ...(tls && { tls }),
        ...(metrics && { metrics: metrics.gauges }),
        onSignInFailures: log.signInsFailed,
        onOutage: log.outage,
        onFatal: loseStore,
        warn: log.error,
      });
    } catch (error) {
      await store.close();
      throw storeFailure ?? error;
    }
    await cluster?.opened(server.address, server.floor).catch(async (error: unknown) => {
      await server.close(false);
      throw error;
    });
    metrics?.follow(server.status);
    const { firstPassword } = server.floor;
    print(
      output,
      `${floorName} is open at ${server.address}`,
      staffText(server.address, demo !== null),
      ...(firstPassword ? [firstSecretText(firstPassword)] : []),
      ...(metrics ? [`Operator metrics at ${metrics.address}metrics, probes at /readyz and /healthz.`] : []),
    );
    log.started(floorName, server.address);
    if (!tls && !isLoopback(host)) log.warn(noTlsText(host));
    if (certificateFiles) signals.on('SIGHUP', () => reloadCertificate(server, certificateFiles, log));
    if (!stopOrFailure.aborted) await new Promise((done) => stopOrFailure.addEventListener('abort', done));
    if (storeFailure !== undefined) server.abandon(storeFailure);
    const mustClose = storeFailure !== undefined || ((await cluster?.handOver()) ?? true);
    const closeError = await server.close(mustClose);
    if (storeFailure !== undefined || closeError !== undefined) throw storeFailure ?? closeError;
  };
  const isPlainDemo = !['data', 'property', 'anchor', 'signer'].some((option) => values[option] !== undefined);
  const openData = (): Promise<SqliteStore> =>
    openDataFolder(data, keyPaths.anchor).catch((error: unknown) => {
      if (!isPlainDemo || !(error instanceof CliError) || error.code !== 'older-record') throw error;
      log.warn(olderDemoText(data, renameOlderDemo(data)));
      return openDataFolder(data, keyPaths.anchor);
    });
  try {
    if (databaseUrl === undefined) await runFloor(await openData());
    else {
      const clusterLog = {
        warn: (text: string) => log.warn(text),
        print: (line: string) => print(output, line),
        logError: log.error,
      };
      const browserUrl = browserUrlOption(optionText(values, 'node'));
      const listen = nodeAddressOption(optionText(values, 'link'), host, browserUrl);
      await runClusterNode(
        {
          databaseUrl,
          storePaths: { ...keyPaths, key },
          leaseMs,
          mayLead,
          listen,
          ...(browserUrl !== undefined && { browserUrl }),
          stop: stop.signal,
          ...(metrics && {
            leaseChanged: (stream, change) => metrics.gauges.leased(stream.slice(stream.lastIndexOf('/') + 1), change),
          }),
          ...clusterLog,
        },
        runFloor,
      );
    }
  } catch (error) {
    throw toAddressError(error, host, listenPorts) ?? toStoreError(error);
  } finally {
    stop.abort();
  }
  log.ended();
  return 0;
}

/** Builds the screens if needed and returns their folder. Prints the output of a failed build. */
async function ensureScreensBuilt(log: ServerLog): Promise<string> {
  try {
    return await ensureScreens(() =>
      log.lines.write('punto: building the screens (first start, or their sources have changed) ...\n'),
    );
  } catch (error) {
    if (!(error instanceof ScreensNotBuilt)) throw error;
    if (error.output !== '') log.lines.write(error.output);
    throw new CliError(1, 'screens-not-built', error.message);
  }
}

/** Reloads the certificate on SIGHUP; keeps the old one if the new one cannot be used. */
function reloadCertificate(server: Server, files: TlsFiles, log: ServerLog): void {
  try {
    server.renewCertificate(readTls(files, Date.now(), log.warn));
    log.certificateReloaded();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    log.warn(`${error.message} The certificate of before stays. (${error.code})`);
  }
}

/** Printed, since no patron page links to the staff sign-in. */
const staffText = (address: string, isDemo: boolean): string =>
  `Staff sign in at ${address}staff${isDemo ? ' (one click in this demo)' : ''}`;

/** The only credentials of a new property. They are not stored and cannot be shown again. */
const firstSecretText = ({ number, password }: FirstPassword): string =>
  `The first administrator is ${number}, with the password ${password}, to be changed when it is first used. It is shown this once.`;

function isClockAccepted(text: string | undefined): boolean {
  if (text === undefined || text === 'accept') return text !== undefined;
  throw new CliError(2, 'malformed-argument', `--clock is ${quoted(text)}; write accept, or leave it out.`);
}

type Ports = { readonly port: number; readonly extraPorts: number };

function portOption(text: string | undefined): Ports {
  if (text === undefined) return { port: defaultPort, extraPorts: furtherPorts };
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return { port, extraPorts: 0 };
  throw new CliError(2, 'malformed-argument', `--port is ${quoted(text)}; write a whole number from 1 to 65535.`);
}

function proxyOption(texts: readonly string[]): TrustedProxies {
  const proxies = new TrustedProxies();
  const invalid = texts.find((text) => !proxies.trust(text));
  if (invalid === undefined) return proxies;
  const message = `--proxy is ${quoted(invalid)}; write an address or a block of them, such as 10.0.0.0/8.`;
  throw new CliError(2, 'malformed-argument', message);
}

const noTlsText = (host: string): string =>
  `others can reach ${host}, and there is no TLS: anyone on the network path can read and change everything, secrets of ` +
  `terminals included; give --cert and --key-file, or listen at ${defaultHost} behind a proxy with TLS.`;

/** The operator chose the address, so it is no defect when it is not available. */
function toAddressError(error: unknown, host: string, { port, extraPorts }: Ports): CliError | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const portText = extraPorts === 0 ? port : `${port} to ${port + extraPorts}`;
  return new CliError(
    1,
    'address-unavailable',
    `The address ${host} port ${portText} is not available (${code}); choose another.`,
  );
}

/** A setting in the file that differs from the stored one is reported and not applied automatically. [READING 49] */
const differingText = (table: string, fields: readonly string[], isDemo: boolean): string =>
  `the property file differs from the record of table ${table} in ${fields.join(', ')}; ` +
  (isDemo ? 'the demo takes it over between rounds.' : 'the record counts until two persons change the settings.');

const unlistedText = (table: string): string =>
  `the table ${table} of the event log is not in the property file; it is not dealt, and its stakes stay ` +
  'until it is in the file again.';

/** 500 ms to 60 s: long enough to be renewed in time, short enough for a quick takeover. */
function leaseOption(text: string | undefined, databaseUrl: string | undefined): number {
  if (text === undefined) return defaultLeaseMs;
  if (databaseUrl === undefined) {
    throw new CliError(
      2,
      'malformed-argument',
      'No other node takes over a data folder; give --lease only with --store.',
    );
  }
  const leaseMs = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (leaseMs >= 500 && leaseMs <= 60_000) return leaseMs;
  throw new CliError(2, 'malformed-argument', `--lease is ${quoted(text)}; write milliseconds, from 500 to 60000.`);
}

/** URL of this node for browsers. */
function browserUrlOption(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:\/\/[^/]+\/?$/.test(text)) return new URL(text).href;
  throw new CliError(
    2,
    'malformed-argument',
    `--node is ${quoted(text)}; write an address such as http://10.0.0.5:2026/.`,
  );
}

type NodeAddress = { readonly host: string; readonly port: number; readonly reached?: string };

/** Address for other nodes. A node that listens on all interfaces gives them the host name of --node. */
function nodeAddressOption(text: string | undefined, host: string, browserUrl: string | undefined): NodeAddress {
  const address = text === undefined ? { host, port: 0 } : parseHostAndPort('--link', text, host);
  const listensEverywhere = address.host === '0.0.0.0' || address.host === '::';
  return {
    ...address,
    ...(listensEverywhere && browserUrl !== undefined && { reached: new URL(browserUrl).hostname }),
  };
}

function mayLeadOption(text: string | undefined, databaseUrl: string | undefined): boolean {
  if (text === undefined) return true;
  if (text === 'none' && databaseUrl !== undefined) return false;
  throw new CliError(
    2,
    'malformed-argument',
    `--tables is ${quoted(text)}; write none, with --store, or leave it out.`,
  );
}

const unsignedText = (unsignedRange: UnsignedRange): string =>
  `${unsignedRangeText(unsignedRange)}: they were written in the last seconds before the floor ended, or by another program. They ` +
  'are signed from now on, and the floor stream names them.';

/** A store holds one property; refuses one that holds another. */
async function refuseOtherProperty(store: Store, property: string, storeText: string): Promise<void> {
  const other = (await store.streams()).find((stream) => !stream.startsWith(`${property}/`));
  if (other === undefined) return;
  const message = `The ${storeText} holds the record of ${JSON.stringify(other.split('/', 1)[0])}; name another.`;
  throw new CliError(1, 'other-property', message);
}

const olderDemoText = (data: string, moved: string): string =>
  `The demo data in ${data} was written by an earlier version; it is now in ${moved}, and a new demo starts.`;
