import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemRandom } from '../../runtime/ports/random.ts';
import { defaultLeaseMs } from '../../cluster/nodeLeases.ts';
import { isLoopbackHost } from '../../server/http/clientAddress.ts';
import { ScreensNotBuiltError, ensureScreens } from '../../assets/ensureScreens.ts';
import { defaultServerLimits } from '../../server/limits/serverLimits.ts';
import { startServer } from '../../server/startServer.ts';
import { type Server } from '../../server/serverOptions.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { type Store } from '../../store/store.ts';
import {
  type CliCommand,
  type CommandStreams,
  type OptionValues,
  optionText,
  repeatedOptionTexts,
} from '../support/commandLine.ts';
import {
  encryptionKeyPath,
  openDataFolderStore,
  tornCommitText,
  databaseErrorToCliError,
  storeErrorToCliError,
} from '../support/openStore.ts';
import { type ServerLog, createServerLog } from '../support/serverLog.ts';
import { prepareStoreForServer } from './prepareStoreForServer.ts';
import { type FloorRunFunction, runClusterNode } from './clusterProcess.ts';
import { renameOlderDemo } from './renameOlderDemo.ts';
import {
  type PortRange,
  parseBrowserUrlOption,
  defaultDataFolder,
  defaultHost,
  defaultPort,
  parseClockAcceptOption,
  parseLeaseOption,
  parseMayLeadTablesOption,
  parseClusterListenOption,
  parsePortOption,
  parseProxyOption,
} from './serveOptions.ts';
import {
  settingsDifferText,
  demoCodeText,
  demoForwardedText,
  firstPasswordText,
  noTlsText,
  olderDemoMovedText,
  staffSignInText,
  unlistedTableText,
  unsignedEntriesText,
} from './serveTexts.ts';
import { type SqliteStore } from '../../store/sqlite/sqliteStore.ts';
import { type MetricsServer, openMetricsServer } from './metricsServer.ts';
import { print } from '../support/print.ts';
import { demoPropertyPath, readProperty } from '../support/readProperty.ts';
import { CliError } from '../support/cliError.ts';
import { type TlsFiles, readTlsCertificate, parseTlsFilesOption } from '../support/tlsFiles.ts';

export const serveCommand: CliCommand = {
  help: `Usage: punto serve [--property FILE] [--port N] [--host H] [--name N] [--proxy ADDRESS] [--data DIR]
                   [--store ADDRESS] [--key FILE] [--node ADDRESS] [--cluster [HOST:]PORT] [--lease MS]
                   [--tables none] [--anchor FILE] [--signer FILE] [--go-on WORDS] [--clock accept]
                   [--cert FILE --key-file FILE] [--metrics [HOST:]PORT] [--log json]

  --property FILE
               the property file: tables with their games, limits and times; \`punto init\` writes an example. Default: the
               demo floor with ten tables that deal by themselves, three tables with a dealer, and credit without value
  --port N     the port, 1 to 65535; if it is in use, the start fails. Default ${defaultPort}, or the next free port
  --host H     the address to listen at; default ${defaultHost}, so that only this machine can reach the server
  --name N     another host name by which browsers reach this server; may be given several times
  --proxy ADDRESS
               a trusted proxy, which names its client in X-Forwarded-For: an address, or a block such as 10.0.0.0/8; may
               be given several times
  --data DIR   the data folder, which contains the event log; default \`${defaultDataFolder}\` in the working directory. The
               encryption key for the order of undealt cards is next to it, as DIR.key
  --store ADDRESS
               a PostgreSQL database for the event log instead, such as postgres://user@host:5432,host:5432/punto; the
               keys and the anchor are still those next to DIR
  --key FILE   with --store, the encryption key, the same for every node on the database; default DIR.key
  --node ADDRESS
               with --store, the address at which browsers reach this node, such as http://10.0.0.5:2026/, as
               \`punto nodes\` shows it; default: the address at which it listens
  --cluster [HOST:]PORT
               with --store, the address at which other nodes reach this one; default: any free port of --host. The
               connection is encrypted with the key of the property
  --lease MS   with --store, milliseconds without a heartbeat after which another node takes over; the same for all
               nodes; default ${defaultLeaseMs}
  --tables none
               with --store, this node leads no table; it only serves browsers
  --anchor FILE
               the anchor file, which shows which entries the event log had; default DIR.anchor. Keep it on another machine
               or disk than the event log: it reveals a store that was rolled back
  --signer FILE
               the private key (Ed25519) that signs checkpoints; default DIR.signer, created with a new store
  --go-on WORDS
               accepts a store that ends before its anchor, or has entries that no floor has signed. WORDS are the two
               words that the refusal names. Every shoe is retired, and the event log shows the decision
  --clock accept
               accepts the clock of this machine although it is more than an hour behind the event log or more than 400
               days ahead of it
  --cert FILE  the TLS certificate in PEM format, followed by its intermediate certificates. Without it the server speaks
               plain HTTP, for this machine or for a proxy with TLS
  --key-file FILE
               the private key of the certificate, in PEM format without a password. SIGHUP reloads both files
  --metrics [HOST:]PORT
               serves /healthz, /readyz and /metrics for operators at this address; default host ${defaultHost}. Without
               this option they are not served
  --log json   writes the log to standard error as JSON lines instead of sentences
Prints the addresses for patrons and for staff. At the first start of a property it also prints the password of the first
administrator, which is shown only once. Everything is stored before it is shown or paid: however the server ends, the next
start on the same folder continues after the last stored entry. After SIGTERM or Ctrl-C the server accepts no more bets,
completes the rounds in play and closes with exit code 0. Bets on a round that has not begun stay in the event log.`,
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
    cluster: { type: 'string' },
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
    let metrics: MetricsServer | undefined;
    try {
      metrics = await openMetricsServer(optionText(values, 'metrics'), log);
      return await runServer(values, pipes, log, metrics);
    } catch (error) {
      return log.refused(error);
    } finally {
      await metrics?.close();
    }
  },
};

/**
 * Runs a floor until a stop signal arrives, then returns the exit code 0. Throws if the floor cannot start or continue.
 */
async function runServer(
  values: OptionValues,
  { output, signals }: CommandStreams,
  log: ServerLog,
  metrics: MetricsServer | undefined,
): Promise<number> {
  const listenPorts = parsePortOption(optionText(values, 'port'));
  const clockAccepted = parseClockAcceptOption(optionText(values, 'clock'));
  const host = optionText(values, 'host') ?? defaultHost;
  const proxies = parseProxyOption(repeatedOptionTexts(values, 'proxy'));
  const data = resolve(optionText(values, 'data') ?? defaultDataFolder);
  const property = readProperty(optionText(values, 'property') ?? demoPropertyPath, Date.now(), log.lines);
  const certificateFiles = parseTlsFilesOption(optionText(values, 'cert'), optionText(values, 'key-file'));
  const tls = certificateFiles && readTlsCertificate(certificateFiles, Date.now(), log.warn);
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
  const mayLead = parseMayLeadTablesOption(optionText(values, 'tables'), databaseUrl);
  const leaseMs = parseLeaseOption(optionText(values, 'lease'), databaseUrl);
  const storeText = (): string =>
    databaseUrl === undefined
      ? `data folder ${JSON.stringify(data)}`
      : `database ${redactedUrl(parseConnectionUrl(databaseUrl))}`;
  const toStoreError = (error: unknown): unknown =>
    databaseUrl === undefined ? storeErrorToCliError(data, error) : databaseErrorToCliError(databaseUrl, error);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    signals.on(signal, () => {
      // If scripts/run.mjs has started this process, one Ctrl-C may arrive twice: from the terminal window, and
      // forwarded by the parent process.
      if (stop.signal.aborted) return;
      stop.abort();
      log.stopping(signal, databaseUrl !== undefined);
    });
  }
  const floorName = demo === null ? `The floor of ${owner.property}` : "Punto's demo floor";

  const runFloor: FloorRunFunction = async (store, cluster) => {
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
      const storeOptions = await prepareStoreForServer(store, cluster, {
        keyPaths,
        keyFile: key,
        acceptedIssue: optionText(values, 'go-on'),
        clockOptions: { acceptClock: clockAccepted, onClockJump: log.clockJumped },
        onUnsignedSigned: (unsignedRange) => log.warn(unsignedEntriesText(unsignedRange)),
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
        onDemoForwarded: (code) => print(output, demoForwardedText(code)),
        onSettingsDiffer: (table, fields) => log.warn(settingsDifferText(table, fields, demo !== null)),
        onUnlistedTable: (table) => log.warn(unlistedTableText(table)),
        limits: defaultServerLimits,
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
    metrics?.setStatusSource(server.status);
    const { firstPassword } = server.floor;
    const { code, isCodeAlwaysNeeded } = server.demoSignIn;
    print(
      output,
      `${floorName} is open at ${server.address}`,
      staffSignInText(server.address, demo !== null),
      ...(demo !== null && isCodeAlwaysNeeded ? [demoCodeText(code)] : []),
      ...(firstPassword ? [firstPasswordText(firstPassword)] : []),
      ...(metrics ? [`Operator metrics at ${metrics.address}metrics, probes at /readyz and /healthz.`] : []),
    );
    log.started(floorName, server.address);
    if (!tls && !isLoopbackHost(host)) log.warn(noTlsText(host));
    if (certificateFiles) signals.on('SIGHUP', () => reloadCertificate(server, certificateFiles, log));
    if (!stopOrFailure.aborted) await new Promise((done) => stopOrFailure.addEventListener('abort', done));
    if (storeFailure !== undefined) server.abandon(storeFailure);
    const mustClose = storeFailure !== undefined || ((await cluster?.handOver()) ?? true);
    const closeError = await server.close(mustClose);
    if (storeFailure !== undefined || closeError !== undefined) throw storeFailure ?? closeError;
  };
  const isPlainDemo = !['data', 'property', 'anchor', 'signer'].some((option) => values[option] !== undefined);
  const openData = (): Promise<SqliteStore> =>
    openDataFolderStore(data, keyPaths.anchor).catch((error: unknown) => {
      if (!isPlainDemo || !(error instanceof CliError) || error.code !== 'older-record') throw error;
      log.warn(olderDemoMovedText(data, renameOlderDemo(data)));
      return openDataFolderStore(data, keyPaths.anchor);
    });
  try {
    if (databaseUrl === undefined) await runFloor(await openData());
    else {
      // Creates the parent folder of DIR. The keys and the anchor are there even if the event log is in a database.
      mkdirSync(dirname(data), { recursive: true, mode: 0o700 });
      const clusterLog = {
        warn: (text: string) => log.warn(text),
        print: (line: string) => print(output, line),
        logError: log.error,
      };
      const browserUrl = parseBrowserUrlOption(optionText(values, 'node'));
      const listen = parseClusterListenOption(optionText(values, 'cluster'), host, browserUrl);
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
            leaseChanged: (stream, change) =>
              metrics.gauges.leaseChanged(stream.slice(stream.lastIndexOf('/') + 1), change),
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
    if (!(error instanceof ScreensNotBuiltError)) throw error;
    if (error.output !== '') log.lines.write(error.output);
    throw new CliError(1, 'screens-not-built', error.message);
  }
}

/** Reads the certificate file again. If its certificate cannot be used, the previous certificate stays in use. */
function reloadCertificate(server: Server, files: TlsFiles, log: ServerLog): void {
  try {
    server.renewCertificate(readTlsCertificate(files, Date.now(), log.warn));
    log.certificateReloaded();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    log.warn(`${error.message} The old certificate stays in use. (${error.code})`);
  }
}

/**
 * Makes a CliError if the server could not listen at the address of --host and --port. Gives undefined for any other
 * error.
 */
function toAddressError(error: unknown, host: string, { port, extraPorts }: PortRange): CliError | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const portText = extraPorts === 0 ? port : `${port} to ${port + extraPorts}`;
  return new CliError(
    1,
    'address-unavailable',
    `The address ${host} port ${portText} is not available (${code}); choose another address or port.`,
  );
}

async function refuseOtherProperty(store: Store, property: string, storeText: string): Promise<void> {
  const other = (await store.streams()).find((stream) => !stream.startsWith(`${property}/`));
  if (other === undefined) return;
  const message = `The ${storeText} contains the event log of ${JSON.stringify(other.split('/', 1)[0])}; give another store, or the property file of that property.`;
  throw new CliError(1, 'other-property', message);
}
