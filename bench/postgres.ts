import { type Account } from '../src/ledger/accounts.ts';
import { postgresStore } from '../src/store/postgres.ts';
import { type Store, type StoredEntry } from '../src/store/store.ts';
import { Server, hasBinaries, installation } from '../tests/store/postgres.ts';
import { slipsOn, terminals } from './floor.ts';
import { percentile } from './measure.ts';

/** So many slips of each client go one by one. */
const single = 12;

/** Slips that are durable when they are acknowledged, on PostgreSQL, against one transaction for each, by as many clients. */
export async function* postgresBench(): AsyncGenerator<string> {
  yield 'postgres (durable slips on PostgreSQL; ratio to one transaction a slip on the same server)';
  if (!hasBinaries) {
    yield '  skipped: there are no binaries of PostgreSQL for this system';
    return;
  }
  const { folder, remove } = installation();
  const server = await Server.made(folder, 'bench', 'fsync=on', 'shared_buffers=256MB', 'max_wal_size=4GB');
  await server.as('postgres', (client) => client.query('CREATE DATABASE punto'));
  const store = await postgresStore(server.at('punto'));
  try {
    const { tables, perSecond: together, times, written } = await slipsOn(store);
    const apart = await apartOn(store, written);
    yield `  ${terminals} terminals at ${tables} tables: ${Math.round(together).toLocaleString('en')} slips a second, ${(together / apart).toFixed(1)} times one transaction a slip (${Math.round(apart).toLocaleString('en')})`;
    yield `  from slip to acknowledged, median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  } finally {
    await store.close();
    await server.end();
    remove();
  }
}

/** The same slips, each in one statement and one transaction, none in the way of another: streams and accounts of their own. */
async function apartOn(store: Store, written: readonly StoredEntry[]): Promise<number> {
  const play = async (client: number, turns: number, run: string): Promise<void> => {
    const accounts: readonly Account[] = [`b/SGD/house/${client}`, `b/SGD/external/${client}`];
    for (let turn = 0; turn < turns; turn++) {
      const { event, command } = written[(client + turn) % written.length]!;
      const postings = [{ from: accounts[0]!, to: accounts[1]!, amount: 100 }];
      const entry = {
        event,
        postings,
        command: { ...command, id: `${Date.now().toString(16)}-${run}-${turn}-${client}` },
      };
      const after = run === 'warm' ? turn : turn + 3;
      const answer = await store.append({ stream: `one/${client}`, after, entries: [entry] });
      if ('refused' in answer) throw new Error(answer.refused);
    }
  };
  const playAll = (turns: number, run: string): Promise<unknown> =>
    Promise.all(Array.from({ length: terminals }, (_, client) => play(client, turns, run)));
  await playAll(3, 'warm');
  const begun = performance.now();
  await playAll(single, 'run');
  return (terminals * single) / ((performance.now() - begun) / 1000);
}
