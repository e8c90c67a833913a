import { afterAll, inject } from 'vitest';
import { type PostgresOpening, postgresStore } from '../../src/store/postgres.ts';
import { type Store } from '../../src/store/store.ts';
import { asIn, noBinaries } from './postgres.ts';

/** The one PostgreSQL of a run. */
export const server = inject('postgres');

let made = 0;

/** Databases for the tests of a file, which are gone when it ends. */
export function databases(file: string) {
  const names: string[] = [];
  const opened: Store[] = [];
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()));
    if (names.length === 0) return;
    await asIn(server, 'postgres', async (client) => {
      for (const name of names) await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    });
  });
  const fresh = async (words = ''): Promise<string> => {
    if (server === '') throw new Error(noBinaries);
    const name = `${file}_${process.pid}_${made++}`;
    await asIn(server, 'postgres', (client) => client.query(`CREATE DATABASE ${name} ${words}`));
    names.push(name);
    return name;
  };
  return {
    /** The name of an empty one. */
    fresh,
    /** A store on one, closed at the end if not before. */
    open: async (database: string, opening: PostgresOpening = {}): Promise<Store> => {
      const store = await postgresStore(`${server}/${database}`, opening);
      opened.push(store);
      return store;
    },
  };
}
