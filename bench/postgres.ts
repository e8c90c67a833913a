import pg from 'pg';
import { postgresStore } from '../src/store/postgres.ts';
import { type StoredEntry } from '../src/store/store.ts';
import { Server, hasBinaries, installation } from '../tests/store/postgres.ts';
import { slipsOn, terminals } from './floor.ts';
import { percentile } from './measure.ts';

/** So many slips of each client go one by one. */
const single = 20;

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
  const store = await postgresStore(server.at('punto'), { connections });
  try {
    const { tables, perSecond: together, times, written } = await slipsOn(store);
    const apart = await apartOn(server, written);
    yield `  ${terminals} terminals at ${tables} tables: ${Math.round(together).toLocaleString('en')} slips a second, ${(together / apart).toFixed(1)} times one transaction a slip (${Math.round(apart).toLocaleString('en')})`;
    yield `  from slip to acknowledged, median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;
  } finally {
    await store.close();
    await server.end();
    remove();
  }
}

/** As many connections as the store has. */
const connections = 10;

/**
 * The same slips, each in a transaction of its own and in the plainest form that keeps it: its text under its id, and two
 * balances. Nothing is chained, compared or locked for it, and none is in the way of another.
 */
async function apartOn(server: Server, written: readonly StoredEntry[]): Promise<number> {
  await server.as('postgres', (client) => client.query('CREATE DATABASE plain'));
  await server.as('plain', async (client) => {
    await client.query(
      'CREATE TABLE slips (client int, turn int, body text NOT NULL, id text UNIQUE, PRIMARY KEY (client, turn))',
    );
    await client.query('CREATE TABLE credits (account text PRIMARY KEY, amount bigint NOT NULL)');
    await client.query(
      "INSERT INTO credits SELECT kind || n, 0 FROM generate_series(0, 999) n, unnest('{t,s}'::text[]) kind",
    );
  });
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port: server.port,
    user: 'punto',
    database: 'plain',
    max: connections,
  });
  const text = `WITH slip AS (INSERT INTO slips VALUES ($1, $2, $3, $4)),
    taken AS (UPDATE credits SET amount = amount - 100 WHERE account = $5)
    UPDATE credits SET amount = amount + 100 WHERE account = $6`;
  const play = async (client: number, from: number, turns: number): Promise<void> => {
    for (let turn = from; turn < from + turns; turn++) {
      const { event, command, postings } = written[(client + turn) % written.length]!;
      const id = `${Date.now().toString(16)}-${turn}-${client}`;
      const values = [client, turn, JSON.stringify({ event, command, postings }), id, `t${client}`, `s${client}`];
      await pool.query({ name: 'slip', text, values });
    }
  };
  const playAll = (from: number, turns: number): Promise<unknown> =>
    Promise.all(Array.from({ length: terminals }, (_, client) => play(client, from, turns)));
  try {
    await playAll(0, 3);
    const begun = performance.now();
    await playAll(3, single);
    return (terminals * single) / ((performance.now() - begun) / 1000);
  } finally {
    await pool.end();
  }
}
