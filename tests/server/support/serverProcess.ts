// A server on a data folder with rounds of a fraction of a second, in its own process, which a test kills.
import { systemRandom } from '../../../src/runtime/ports/random.ts';
import { demoCredit, demoOwner, demoSettings } from '../../runtime/support/demo.ts';
import { loadOrCreateDataKey } from '../../../src/runtime/encryption/dataKey.ts';
import { defaultServerLimits } from '../../../src/server/limits/serverLimits.ts';
import { startServer } from '../../../src/server/startServer.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';

/** Options that the test passes as JSON. */
export type ProgramOptions = {
  /** Cards behind the cutting card of every shoe. */
  readonly behind?: number;
  /** The disk will fail; the program has to survive outages. */
  readonly isDiskBad?: boolean;
};

function exitWithError(what: string, error: unknown): never {
  process.stderr.write(`${what}: ${String(error)}\n`);
  process.exit(3);
}

const [folder, screensFolder, optionsText] = process.argv.slice(2) as [string, string, string];
const { behind, isDiskBad = false } = JSON.parse(optionsText) as ProgramOptions;
const store = await openSqliteStore(folder);
const { address } = await startServer({
  store,
  key: loadOrCreateDataKey(`${folder}.key`, (await store.streams()).length === 0),
  random: systemRandom,
  owner: demoOwner,
  settings: demoSettings.map((setting) => ({
    ...setting,
    ...(behind !== undefined && { behind }),
    bettingTime: isDiskBad ? 1_000 : 250,
    grace: 20,
    pause: 20,
    interruption: isDiskBad ? 1_000 : 100,
  })),
  pace: { betweenRounds: 20, betweenCards: 15 },
  demoCredit,
  limits: {
    ...defaultServerLimits,
    seatsPerMinute: 1_000_000,
    messageBurst: 1_000,
    messagesPerSecond: 1_000,
    writeBurst: 1_000_000,
  },
  screensFolder,
  host: '127.0.0.1',
  hostNames: [],
  port: 0,
  warn: exitWithError,
  onOutage: ({ error }) => {
    if (!isDiskBad) exitWithError('the event store', error);
  },
  onFatal: (error) => exitWithError('the lost event store', error),
});
process.stdout.write(`${address}\n`);
