import { afterAll, inject } from 'vitest';
import { type PostgresStoreOptions, openPostgresStore } from '../../../src/store/postgres/postgresStore.ts';
import { type Store } from '../../../src/store/store.ts';
import { PostgresServer, withClient, noBinaries } from './postgres.ts';

/** URL of the PostgreSQL server of the run. */
export const server = inject('postgres');

let databaseCount = 0;

/** Creates databases for the tests of a file; they are dropped when it ends. */
export function databases(file: string) {
  const names: string[] = [];
  const opened: Store[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()));
    if (names.length === 0) return;
    await withClient(server, 'postgres', async (client) => {
      for (const name of names) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    });
  });
  const create = async (options = ''): Promise<string> => {
    if (server === '') throw new Error(noBinaries);
    const name = `${file}_${process.pid}_${databaseCount++}`;
    await withClient(server, 'postgres', (client) => client.query(`CREATE DATABASE ${name} ${options}`));
    names.push(name);
    return name;
  };
  return {
    /** Name of a new empty database. */
    createDatabase: create,
    /** Store on a database, closed at the end of the file if not before. */
    open: async (database: string, options: PostgresStoreOptions = {}): Promise<Store> => {
      const store = await openPostgresStore(`${server}/${database}`, options);
      opened.push(store);
      return store;
    },
  };
}

/** Servers that the tests of a file may stop, break and change; removed after the file. */
export function servers(file: string) {
  const all: PostgresServer[] = [];
  afterAll(async () => {
    await Promise.all(all.map((one) => one.remove()));
  });
  const nameOf = (): string => `${file}_${process.pid}_${all.length}`;
  const start = async (...settings: readonly string[]): Promise<PostgresServer> => {
    const one = await PostgresServer.create(inject('installation'), nameOf(), ...settings);
    all.push(one);
    return one;
  };
  /** A primary with the database `punto`, and a synchronous standby. */
  const startPair = async () => {
    const primary = await start('wal_level=replica', 'max_wal_senders=4');
    const name = nameOf();
    const standby = await primary.standby(name);
    all.push(standby);
    await primary.withClient('postgres', (client) => client.query('CREATE DATABASE punto'));
    await primary.setSynchronousStandby(name);
    const address = `postgres://punto@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/punto`;
    return { primary, standby, address };
  };
  return { start, startPair };
}
