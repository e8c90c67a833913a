// A node on a database, with rounds of a fraction of a second, in a process of its own that somebody will kill.
import { runStartupChecks } from '../../src/cli/floor/startupChecks.ts';
import { runClusterNode } from '../../src/cli/floor/clusterProcess.ts';
import { systemRandom } from '../../src/runtime/ports/random.ts';
import { defaultLimits } from '../../src/server/limits/serverLimits.ts';
import { startServer } from '../../src/server/startServer.ts';
import { demoCredit, demoOwner, demoSettings } from '../runtime/demo.ts';
import { interruption } from './pace.ts';

/** What a test wants of it. */
export type Wishes = {
  readonly address: string;
  readonly folder: string;
  readonly screens: string;
  readonly port: number;
  readonly lasts: number;
  /** Bets stay open for so long, in milliseconds. */
  readonly bettingTime?: number;
  readonly mayDrive?: boolean;
  /** The tables of the floor; all of the demo unless given. */
  readonly tables?: readonly string[];
};

const wishes = JSON.parse(process.argv[2]!) as Wishes;
const { address, folder, screens: screensFolder, port, lasts, bettingTime = 1_000, mayDrive = true, tables } = wishes;

const settings = tables ? demoSettings.filter(({ table }) => tables.includes(table)) : demoSettings;

const tell = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (what: string, error: unknown): void => void process.stderr.write(`${what}: ${String(error)}\n`);

const kept = { key: `${folder}.key`, signer: `${folder}.signer`, anchor: `${folder}.anchor` };
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());

await runClusterNode(
  {
    databaseUrl: address,
    storePaths: kept,
    leaseMs: lasts,
    mayLead: mayDrive,
    listen: { host: '127.0.0.1', port: 0 },
    stop: stop.signal,
    warn: (text) => complain('said', text),
    print: tell,
    logError: complain,
  },
  async (store, together) => {
    const over = new AbortController();
    let lost: unknown;
    const lose = (error: unknown): void => {
      lost ??= error;
      over.abort();
    };
    const server = await startServer({
      ...(await runStartupChecks(store, together, { keyPaths: kept, keyFile: kept.key })),
      random: systemRandom,
      owner: demoOwner,
      settings: settings.map((setting) => ({
        ...setting,
        bettingTime,
        grace: 20,
        pause: 20,
        interruption,
      })),
      pace: { betweenRounds: 20, betweenCards: 15 },
      demoCredit,
      limits: {
        ...defaultLimits,
        seatsPerMinute: 1_000_000,
        maxSlipsPerRound: 1_000_000,
        messageBurst: 1_000,
        messagesPerSecond: 1_000,
        writeBurst: 1_000_000,
      },
      screensFolder,
      host: '127.0.0.1',
      hostNames: [],
      port,
      warn: complain,
      onOutage: ({ state, error }) => complain(`outage ${state}`, error),
      onFatal: lose,
    });
    await together!.opened(server.address, server.floor);
    tell(`is open at ${server.address}, ${together!.role}`);
    let said = '';
    const looking = setInterval(() => {
      const driven = [...server.floor.tables.keys()].filter((table) => server.floor.isLeading(table)).join(' ');
      if (driven !== said) tell(`drives ${driven}`);
      said = driven;
    }, 20);
    const ends = AbortSignal.any([stop.signal, over.signal]);
    if (!ends.aborted) await new Promise((done) => ends.addEventListener('abort', done));
    if (lost !== undefined) server.abandon(lost);
    const unrecorded = await server.close(lost !== undefined || (await together!.handOver()));
    clearInterval(looking);
    if (lost !== undefined || unrecorded !== undefined) throw lost ?? unrecorded;
  },
);
