// A server on a data folder, with rounds of a fraction of a second, in a process of its own that somebody will kill.
import { systemRandom } from '../../src/runtime/ports/random.ts';
import { demoCredit, demoOwner, demoSettings } from '../runtime/demo.ts';
import { openDataKey } from '../../src/runtime/encryption/dataKey.ts';
import { defaultLimits } from '../../src/server/limits/serverLimits.ts';
import { startServer } from '../../src/server/startServer.ts';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';

/** What a test wants of it. */
export type Wishes = {
  /** So many cards behind the cutting card of every shoe. */
  readonly behind?: number;
  /** The disk will fail, and the program is to get over it. */
  readonly isDiskBad?: boolean;
};

function failed(what: string, error: unknown): never {
  process.stderr.write(`${what}: ${String(error)}\n`);
  process.exit(3);
}

const [folder, screensFolder, wishes] = process.argv.slice(2) as [string, string, string];
const { behind, isDiskBad = false } = JSON.parse(wishes) as Wishes;
const store = await sqliteStore(folder);
const { address } = await startServer({
  store,
  key: openDataKey(`${folder}.key`, (await store.streams()).length === 0),
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
    ...defaultLimits,
    seatsPerMinute: 1_000_000,
    messageBurst: 1_000,
    messagesPerSecond: 1_000,
    writeBurst: 1_000_000,
  },
  screensFolder,
  host: '127.0.0.1',
  hostNames: [],
  port: 0,
  warn: failed,
  onOutage: ({ error }) => {
    if (!isDiskBad) failed('the record', error);
  },
  onFatal: (error) => failed('the record, which is lost', error),
});
process.stdout.write(`${address}\n`);
