import { describe } from 'vitest';
import { type Store } from '../../src/store/store.ts';
import { type StoreOpener, storeContract } from './storeContract.ts';
import { databases } from './databases.ts';
import { sideTablesContract } from './sideTablesContract.ts';
import { headsAndBalancesContract } from './headsAndBalancesContract.ts';

describe('the PostgreSQL store', () => {
  const { fresh, open } = databases('contract');
  const places = new WeakMap<Store, string>();
  const openIn = async (database: string): Promise<Store> => {
    const store = await open(database);
    places.set(store, database);
    return store;
  };
  const openFresh = async (): Promise<Store> => openIn(await fresh());
  headsAndBalancesContract('postgres', openFresh);
  const opener: StoreOpener = {
    open: openFresh,
    reopen: async (store) => {
      await store.close();
      return openIn(places.get(store)!);
    },
  };
  storeContract('postgres', opener);
  sideTablesContract('postgres', opener);
});
