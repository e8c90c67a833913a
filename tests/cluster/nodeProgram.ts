// Cluster node in its own process, with rounds of a fraction of a second; a test will kill it.
import { prepareStoreForServer } from '../../src/cli/floor/prepareStoreForServer.ts';
import { runClusterNode } from '../../src/cli/floor/clusterProcess.ts';
import { systemRandom } from '../../src/runtime/ports/random.ts';
import { defaultServerLimits } from '../../src/server/limits/serverLimits.ts';
import { startServer } from '../../src/server/startServer.ts';
import { demoCredit, demoOwner, demoSettings } from '../runtime/support/demo.ts';
import { handPayLimit, interruptionMs } from './pace.ts';

/** Options of the node, as JSON in the first argument. */
export type NodeOptions = {
  readonly address: string;
  readonly folder: string;
  readonly screens: string;
  readonly port: number;
  readonly leaseMs: number;
  /** Betting time in milliseconds. */
  readonly bettingTime?: number;
  readonly mayLead?: boolean;
  /** Tables of the floor; default: all tables of the demo. */
  readonly tables?: readonly string[];
  /** True for demo staff of every role, and a limit of hand-pays. */
  readonly staff?: boolean;
};

const options = JSON.parse(process.argv[2]!) as NodeOptions;
const {
  address,
  folder,
  screens: screensFolder,
  port,
  leaseMs,
  bettingTime = 1_000,
  mayLead = true,
  tables,
  staff,
} = options;

const settings = tables ? demoSettings.filter(({ table }) => tables.includes(table)) : demoSettings;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const logError = (what: string, error: unknown): void => void process.stderr.write(`${what}: ${String(error)}\n`);

const keyPaths = { key: `${folder}.key`, signer: `${folder}.signer`, anchor: `${folder}.anchor` };
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());

await runClusterNode(
  {
    databaseUrl: address,
    storePaths: keyPaths,
    leaseMs,
    mayLead,
    listen: { host: '127.0.0.1', port: 0 },
    stop: stop.signal,
    warn: (text) => logError('warning', text),
    print,
    logError,
  },
  async (store, clusterNode) => {
    const over = new AbortController();
    let fatalError: unknown;
    const abort = (error: unknown): void => {
      fatalError ??= error;
      over.abort();
    };
    const server = await startServer({
      ...(await prepareStoreForServer(store, clusterNode, { keyPaths, keyFile: keyPaths.key })),
      random: systemRandom,
      owner: demoOwner,
      settings: settings.map((setting) => ({
        ...setting,
        bettingTime,
        grace: 20,
        pause: 20,
        interruption: interruptionMs,
      })),
      pace: { betweenRounds: 20, betweenCards: 15 },
      demoCredit,
      ...(staff && { initialStaff: { demo: true }, handPayLimit }),
      limits: {
        ...defaultServerLimits,
        seatsPerMinute: 1_000_000,
        maxSlipsPerRound: 1_000_000,
        messageBurst: 1_000,
        messagesPerSecond: 1_000,
        writeBurst: 1_000_000,
        signInBurst: 1_000_000,
      },
      screensFolder,
      host: '127.0.0.1',
      hostNames: [],
      port,
      warn: logError,
      onOutage: ({ state, error }) => logError(`outage ${state}`, error),
      onFatal: abort,
    });
    await clusterNode!.opened(server.address, server.floor);
    print(`is open at ${server.address}, ${clusterNode!.role}`);
    let lastPrinted = '';
    const poll = setInterval(() => {
      const led = [...server.floor.tables.keys()].filter((table) => server.floor.isLeading(table)).join(' ');
      if (led !== lastPrinted) print(`leads ${led}`);
      lastPrinted = led;
    }, 20);
    const ends = AbortSignal.any([stop.signal, over.signal]);
    if (!ends.aborted) await new Promise((done) => ends.addEventListener('abort', done));
    if (fatalError !== undefined) server.abandon(fatalError);
    const unrecorded = await server.close(fatalError !== undefined || (await clusterNode!.handOver()));
    clearInterval(poll);
    if (fatalError !== undefined || unrecorded !== undefined) throw fatalError ?? unrecorded;
  },
);
