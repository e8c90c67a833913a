import { describe } from 'vitest';
import { type Store } from '../../../src/store/store.ts';
import { type StoreOpener, storeContract } from '../storeContract.ts';
import { databases } from './databases.ts';
import { sideTablesContract } from '../sideTablesContract.ts';
import { headsAndBalancesContract } from '../headsAndBalancesContract.ts';

describe('the PostgreSQL store', () => {
  const { createDatabase, open } = databases('contract');
  const databaseOf = new WeakMap<Store, string>();
  const openIn = async (database: string): Promise<Store> => {
    const store = await open(database);
    databaseOf.set(store, database);
    return store;
  };
  const openFresh = async (): Promise<Store> => openIn(await createDatabase());
  headsAndBalancesContract('postgres', openFresh);
  const opener: StoreOpener = {
    open: openFresh,
    reopen: async (store) => {
      await store.close();
      return openIn(databaseOf.get(store)!);
    },
  };
  storeContract('postgres', opener);
  sideTablesContract('postgres', opener);
});
