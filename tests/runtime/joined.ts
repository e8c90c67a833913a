import { FloorStream } from '../../src/runtime/floor/floorStream.ts';
import { BalanceCache } from '../../src/runtime/stream/balanceCache.ts';
import { Terminals } from '../../src/runtime/terminals/terminals.ts';
import { type RuntimeDependencies } from '../../src/runtime/ports/runtimeDependencies.ts';
import { type Store } from '../../src/store/store.ts';
import { type TestClock } from '../chaos/time.ts';
import { demoOwner } from './demo.ts';
import { worldOf } from './made.ts';

/** What one that joins has of a floor: the journal and terminals, of its own reading. */
export async function joinedOn(store: Store, seed: string, time: TestClock, more: Partial<RuntimeDependencies> = {}) {
  const world = { ...worldOf(store, seed, time).world, terminalNamespace: store.writerEpoch, ...more };
  const purse = new BalanceCache(await store.balances());
  const journal = new FloorStream(demoOwner, purse, world);
  const terminals = new Terminals(
    demoOwner,
    world,
    purse,
    () => [],
    async () => {},
  );
  await journal.load();
  await terminals.load();
  journal.join();
  return { journal, terminals };
}
