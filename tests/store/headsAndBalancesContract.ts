import { expect, test } from 'vitest';
import { type Account } from '../../src/ledger/accounts.ts';
import { type Balance, type StreamHead, type Store } from '../../src/store/store.ts';
import { entry, external, load, terminal } from './storeContract.ts';

/** Heads and balances of all chunks; a hook runs between them. */
async function collectChunks(store: Store, between: () => Promise<void> = async () => {}) {
  const collected = { heads: new Map<string, StreamHead>(), balances: new Map<Account, Balance>() };
  for await (const { heads, balances } of store.readHeadsAndBalances()) {
    for (const [stream, head] of heads) collected.heads.set(stream, head);
    for (const [account, balance] of balances) collected.balances.set(account, balance);
    await between();
  }
  return collected;
}

/** Contract of `readHeadsAndBalances` for every store. */
export function headsAndBalancesContract(name: string, open: () => Promise<Store>): void {
  test(`${name}: readHeadsAndBalances is as of one moment`, async () => {
    const store = await open();
    expect(await collectChunks(store)).toEqual({ heads: new Map(), balances: new Map() });
    await store.append({ stream: 'a', after: 0, entries: [entry(1, load(5))] });
    const { heads, balances } = await collectChunks(store);
    expect(heads).toEqual(await store.heads());
    expect(balances).toEqual(await store.balances());
    // A concurrent append is in both or in neither.
    const [collected] = await Promise.all([
      collectChunks(store),
      store.append({ stream: 'a', after: 1, entries: [entry(2, load(7))] }),
    ]);
    const { sequence } = collected.heads.get('a')!;
    expect(collected.balances.get(terminal)).toEqual({ amount: sequence === 1 ? 5 : 12, version: sequence });
    await store.close();
  });

  test(`${name}: readHeadsAndBalances comes in sorted chunks without later writes`, async () => {
    const store = await open();
    const accounts = Array.from({ length: 2_500 }, (_, n): Account => `sg1/SGD/terminal/T${n}.1`);
    const loads = accounts.map((to) => ({ from: external, to, amount: 1 }));
    await store.append({ stream: 'a', after: 0, entries: [entry(1, loads)] });
    const before = { heads: await store.heads(), balances: await store.balances() };
    let written = 0;
    const meanwhile = async (): Promise<void> => {
      written += 1;
      await store.append({
        stream: 'a',
        after: written,
        entries: [entry(written + 1, [...load(7), ...loads.slice(0, 9)])],
      });
    };
    const collected = await collectChunks(store, meanwhile);
    expect(collected).toEqual(before);
    const order = [...collected.balances.keys()];
    expect(order).toEqual(order.toSorted());
    // An early end of the iteration leaves nothing open.
    for await (const chunk of store.readHeadsAndBalances()) if (chunk.heads.length > 0) break;
    await store.close();
  });
}
