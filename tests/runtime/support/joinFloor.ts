import { FloorStream } from '../../../src/runtime/floor/floorStream.ts';
import { BalanceCache } from '../../../src/runtime/stream/balanceCache.ts';
import { Terminals } from '../../../src/runtime/terminals/terminals.ts';
import { type FloorDependencies } from '../../../src/runtime/ports/runtimeDependencies.ts';
import { type Store } from '../../../src/store/store.ts';
import { type TestClock } from '../../chaos/time.ts';
import { demoOwner } from './demo.ts';
import { testDependencies } from './testDependencies.ts';

/** Floor stream and terminals of a process that joins a running floor. */
export async function joinFloor(store: Store, seed: string, time: TestClock, more: Partial<FloorDependencies> = {}) {
  const dependencies = {
    ...testDependencies(store, seed, time).dependencies,
    terminalNamespace: store.writerEpoch,
    ...more,
  };
  const balances = new BalanceCache(await store.balances());
  const floorStream = new FloorStream(demoOwner, balances, dependencies);
  const terminals = new Terminals(
    demoOwner,
    dependencies,
    balances,
    () => [],
    async () => {},
  );
  await floorStream.load();
  await terminals.load();
  floorStream.join();
  return { floorStream, terminals };
}
