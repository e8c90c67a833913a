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
import { type CliCommand, type Pipes, type Values, optionText, optionTexts } from '../support/command.ts';
import { keyPath, openDataFolder, tornCommitText, toDatabaseError, toCliError } from '../support/openStore.ts';
import { type ServerLog, createServerLog } from '../support/serverLog.ts';
import { runStartupChecks } from './startupChecks.ts';
import { type RunFloor, runClusterNode } from './clusterProcess.ts';
import { type MetricsEndpoint, openMetricsEndpoint, parseHostAndPort } from './metricsEndpoint.ts';
import { print } from '../support/print.ts';
import { demoFile, readProperty } from '../support/readProperty.ts';
import { CliError } from '../support/cliError.ts';
import { type TlsFiles, readTls, tlsFilesOption } from '../support/tlsFiles.ts';

const usualHost = '127.0.0.1';
const usualData = 'data';
/** Easy to remember, so that a bookmark leads back to the floor. Where it is taken, the next free one of so many is used. */
const usualPort = 2026;
const furtherPorts = 99;

export const serve: CliCommand = {
  help: `Usage: punto serve [--property FILE] [--port N] [--host H] [--name N] [--proxy ADDRESS] [--data DIR]
                   [--store ADDRESS] [--key FILE] [--node ADDRESS] [--link [HOST:]PORT] [--lease MS] [--tables none]
                   [--anchor FILE] [--signer FILE] [--go-on WORDS] [--clock accept] [--cert FILE --key-file FILE]
                   [--metrics [HOST:]PORT] [--log json]

  --property FILE
               the property to run: its tables with games, limits and times; \`punto init\` writes one to begin from. The
               demo floor unless given: ten tables that deal by themselves, three for a dealer, and credit that
               is worth nothing
  --port N     the port, 1 to 65535: that one or none. Unless given, ${usualPort}, or the next free one after it
  --host H     the address to listen at; ${usualHost} unless given, so that only this machine can reach it
  --name N     a name that browsers may know this server by besides its address; may be given several times
  --proxy ADDRESS
               a proxy that is believed when it says in X-Forwarded-For for whom it asks: an address or a block of them
               such as 10.0.0.0/8; may be given several times
  --data DIR   the folder of the record; \`${usualData}\` in the working directory unless given. The key that seals the
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
               answers /healthz, /readyz and /metrics there, for operators and their programs; ${usualHost} unless a
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
  mostArguments: 0,
  run: async (values, _, pipes) => {
    const log = createServerLog(optionText(values, 'log'), pipes.errors);
    let watching: MetricsEndpoint | undefined;
    try {
      watching = await openMetricsEndpoint(optionText(values, 'metrics'), log);
      return await serving(values, pipes, log, watching);
    } catch (error) {
      return log.refused(error);
    } finally {
      await watching?.close();
    }
  },
};

/** Runs a floor until it is told to end, or cannot go on. */
async function serving(
  values: Values,
  { output, signals }: Pipes,
  log: ServerLog,
  watching: MetricsEndpoint | undefined,
): Promise<number> {
  const ports = portsIn(optionText(values, 'port'));
  const accepted = isClockAccepted(optionText(values, 'clock'));
  const host = optionText(values, 'host') ?? usualHost;
  const proxies = proxiesIn(optionTexts(values, 'proxy'));
  const data = resolve(optionText(values, 'data') ?? usualData);
  const property = readProperty(optionText(values, 'property') ?? demoFile, Date.now(), log.lines);
  const tlsFiles = tlsFilesOption(optionText(values, 'cert'), optionText(values, 'key-file'));
  const tls = tlsFiles && readTls(tlsFiles, Date.now(), log.warns);
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
  const built = await builtScreens(log);
  const places = {
    signer: resolve(optionText(values, 'signer') ?? `${data}.signer`),
    anchor: resolve(optionText(values, 'anchor') ?? `${data}.anchor`),
  };
  const address = optionText(values, 'store');
  const key = keyPath(optionText(values, 'key'), address, data);
  const mayDrive = mayDriveIn(optionText(values, 'tables'), address);
  const lasts = leaseIn(optionText(values, 'lease'), address);
  const where = (): string =>
    address === undefined
      ? `data folder ${JSON.stringify(data)}`
      : `database ${redactedUrl(parseConnectionUrl(address))}`;
  const troubled = (error: unknown): unknown =>
    address === undefined ? toCliError(data, error) : toDatabaseError(address, error);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    signals.on(signal, () => {
      // Behind scripts/run.mjs one Ctrl-C arrives twice: from the terminal, and from the process that passes it on.
      if (stop.signal.aborted) return;
      stop.abort();
      log.stopping(signal, address !== undefined);
    });
  }
  const floor = demo === null ? `The floor of ${owner.property}` : "Punto's demo floor";

  /** Runs the floor on a record, until it is told to end or the record is lost. */
  const run: RunFloor = async (opened, together) => {
    const { torn: tornFrames = 0 } = opened as { readonly torn?: number };
    if (tornFrames > 0) log.warns(tornCommitText(tornFrames));
    const over = new AbortController();
    const ends = AbortSignal.any([stop.signal, over.signal]);
    let lost: unknown;
    const lose = (error: unknown): void => {
      lost ??= error;
      over.abort();
    };
    let server: Server;
    try {
      await ownRecord(opened, owner.property, where());
      const begun = await runStartupChecks(opened, together, {
        places,
        key,
        said: optionText(values, 'go-on'),
        timed: { acceptClock: accepted, onClockJump: log.jumped },
        uncovered: (uncovered) => log.warns(uncoveredLine(uncovered)),
      });
      server = await startServer({
        ...begun,
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
        onSettingsDiffer: (table, fields) => log.warns(differing(table, fields, demo !== null)),
        onUnlistedTable: (table) => log.warns(unlisted(table)),
        limits: defaultLimits,
        screensFolder: built,
        host,
        hostNames: optionTexts(values, 'name'),
        proxies,
        ...ports,
        ...(tls && { tls }),
        ...(watching && { metrics: watching.gauges }),
        onSignInFailures: log.signInsFailed,
        onOutage: log.outage,
        onFatal: lose,
        warn: log.trouble,
      });
    } catch (error) {
      await opened.close();
      throw lost ?? error;
    }
    await together?.opened(server.address, server.floor).catch(async (error: unknown) => {
      await server.close(false);
      throw error;
    });
    watching?.follow(server.status);
    const { firstPassword } = server.floor;
    print(
      output,
      `${floor} is open at ${server.address}`,
      staffLine(server.address, demo !== null),
      ...(firstPassword ? [firstLine(firstPassword)] : []),
      ...(watching ? [`Operator metrics at ${watching.address}metrics, probes at /readyz and /healthz.`] : []),
    );
    log.started(floor, server.address);
    if (!tls && !isLoopback(host)) log.warns(unprotected(host));
    if (tlsFiles) signals.on('SIGHUP', () => renew(server, tlsFiles, log));
    if (!ends.aborted) await new Promise((done) => ends.addEventListener('abort', done));
    if (lost !== undefined) server.abandon(lost);
    const isLast = lost !== undefined || ((await together?.handOver()) ?? true);
    const unrecorded = await server.close(isLast);
    if (lost !== undefined || unrecorded !== undefined) throw lost ?? unrecorded;
  };
  try {
    if (address === undefined) await run(await openDataFolder(data, places.anchor));
    else {
      const told = {
        say: (text: string) => log.warns(text),
        print: (line: string) => print(output, line),
        trouble: log.trouble,
      };
      const node = nodeIn(optionText(values, 'node'));
      const at = linkIn(optionText(values, 'link'), host, node.node);
      await runClusterNode(
        {
          address,
          kept: { ...places, key },
          lasts,
          mayDrive,
          at,
          ...node,
          stop: stop.signal,
          ...(watching && {
            changed: (stream, how) => watching.gauges.leased(stream.slice(stream.lastIndexOf('/') + 1), how),
          }),
          ...told,
        },
        run,
      );
    }
  } catch (error) {
    throw addressTaken(error, host, ports) ?? troubled(error);
  } finally {
    stop.abort();
  }
  log.ended();
  return 0;
}

/** The folder of the screens. A build that fails prints its output and ends the start. */
async function builtScreens(log: ServerLog): Promise<string> {
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

/** Reads the certificate again; where it cannot be used, the one before stays. */
function renew(server: Server, files: TlsFiles, log: ServerLog): void {
  try {
    server.renewCertificate(readTls(files, Date.now(), log.warns));
    log.renewed();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    log.warns(`${error.message} The certificate of before stays. (${error.code})`);
  }
}

/** No page of a patron links to the sign-in of staff. */
const staffLine = (address: string, isDemo: boolean): string =>
  `Staff sign in at ${address}staff${isDemo ? ' (one click in this demo)' : ''}`;

/** The one way in that a new property has; nobody can tell it again. */
const firstLine = ({ number, password }: FirstPassword): string =>
  `The first administrator is ${number}, with the password ${password}, to be changed when it is first used. It is shown this once.`;

function isClockAccepted(text: string | undefined): boolean {
  if (text === undefined || text === 'accept') return text !== undefined;
  throw new CliError(2, 'malformed-argument', `--clock is ${quoted(text)}; write accept, or leave it out.`);
}

type Ports = { readonly port: number; readonly extraPorts: number };

function portsIn(text: string | undefined): Ports {
  if (text === undefined) return { port: usualPort, extraPorts: furtherPorts };
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return { port, extraPorts: 0 };
  throw new CliError(2, 'malformed-argument', `--port is ${quoted(text)}; write a whole number from 1 to 65535.`);
}

function proxiesIn(texts: readonly string[]): TrustedProxies {
  const proxies = new TrustedProxies();
  const wrong = texts.find((text) => !proxies.trust(text));
  if (wrong === undefined) return proxies;
  const message = `--proxy is ${quoted(wrong)}; write an address or a block of them, such as 10.0.0.0/8.`;
  throw new CliError(2, 'malformed-argument', message);
}

const unprotected = (host: string): string =>
  `others can reach ${host}, and there is no TLS: whoever is on the way can read and change everything, secrets of ` +
  `terminals included; give --cert and --key-file, or listen at ${usualHost} behind a proxy with TLS.`;

/** The operator chose the address, so that it is no defect when it is not available. */
function addressTaken(error: unknown, host: string, { port, extraPorts: further }: Ports): CliError | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const where = further === 0 ? port : `${port} to ${port + further}`;
  return new CliError(
    1,
    'address-unavailable',
    `The address ${host} port ${where} is not available (${code}); choose another.`,
  );
}

/** A setting that differs from the record's is said, and not applied by itself. [READING 49] */
const differing = (table: string, fields: readonly string[], isDemo: boolean): string =>
  `the property file differs from the record of table ${table} in ${fields.join(', ')}; ` +
  (isDemo ? 'the demo takes it over between rounds.' : 'the record counts until two persons change the settings.');

const unlisted = (table: string): string =>
  `the table ${table} of the record is not in the property file; nobody deals it, and what is staked there stands ` +
  'until it is in the file again.';

/** A lease is long enough to be renewed in time, and short enough that nobody waits for a minute. */
function leaseIn(text: string | undefined, address: string | undefined): number {
  if (text === undefined) return defaultLeaseMs;
  if (address === undefined) {
    throw new CliError(
      2,
      'malformed-argument',
      'Nobody else takes over a data folder; give --lease with --store alone.',
    );
  }
  const lasts = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (lasts >= 500 && lasts <= 60_000) return lasts;
  throw new CliError(2, 'malformed-argument', `--lease is ${quoted(text)}; write milliseconds, from 500 to 60000.`);
}

/** Where browsers reach this program. */
function nodeIn(text: string | undefined): { readonly node?: string } {
  if (text === undefined) return {};
  if (URL.canParse(text) && /^https?:\/\/[^/]+\/?$/.test(text)) return { node: new URL(text).href };
  throw new CliError(
    2,
    'malformed-argument',
    `--node is ${quoted(text)}; write an address such as http://10.0.0.5:2026/.`,
  );
}

type Linked = { readonly host: string; readonly port: number; readonly reached?: string };

/** Where other programs on the database reach this one: by the name that browsers use, where it listens everywhere. */
function linkIn(text: string | undefined, host: string, node: string | undefined): Linked {
  const place = text === undefined ? { host, port: 0 } : parseHostAndPort('--link', text, host);
  const isEverywhere = place.host === '0.0.0.0' || place.host === '::';
  return { ...place, ...(isEverywhere && node !== undefined && { reached: new URL(node).hostname }) };
}

/** Whether this program may drive tables. */
function mayDriveIn(text: string | undefined, address: string | undefined): boolean {
  if (text === undefined) return true;
  if (text === 'none' && address !== undefined) return false;
  throw new CliError(
    2,
    'malformed-argument',
    `--tables is ${quoted(text)}; write none, with --store, or leave it out.`,
  );
}

const uncoveredLine = (uncovered: UnsignedRange): string =>
  `${unsignedRangeText(uncovered)}: they were written in the last seconds before the floor ended, or by somebody else. They ` +
  'are signed from now on, and the journal names them.';

/** A folder or a database holds one property. */
async function ownRecord(store: Store, property: string, where: string): Promise<void> {
  const other = (await store.streams()).find((stream) => !stream.startsWith(`${property}/`));
  if (other === undefined) return;
  const message = `The ${where} holds the record of ${JSON.stringify(other.split('/', 1)[0])}; name another.`;
  throw new CliError(1, 'other-property', message);
}
