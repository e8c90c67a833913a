import { expect } from 'vitest';
import { checkAndSignStore } from '../../../src/checkpoint/storeCheck.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { type Store, type StoredEntry } from '../../../src/store/store.ts';
import { flushPromises } from '../../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../../runtime/support/demo.ts';
import { seatPatron, start, testDependencies } from '../../runtime/support/testDependencies.ts';

type PlayOptions = {
  /** Data folder; signer and anchor are beside it. */
  readonly folder: string;
  readonly seed: string;
  /** Cards behind the cutting card of a table; as in the demo by default. */
  readonly behind?: (table: string) => number;
  /** Slip for the n-th bet. */
  readonly slip: (number: number) => { readonly [wager: string]: number };
  /** Stops when this is true of the published entries. */
  readonly isEnough: (written: readonly StoredEntry[]) => boolean;
  readonly meanwhile?: () => Promise<void>;
};

/** Plays rounds with bets at two tables of a floor, signs a checkpoint and returns the entries. */
export async function playRounds(store: Store, options: PlayOptions): Promise<readonly StoredEntry[]> {
  const { folder, seed, behind, slip, isEnough, meanwhile } = options;
  const keyPaths = { signer: `${folder}.signer`, anchor: `${folder}.anchor` };
  const { writer: checkpointWriter } = await checkAndSignStore(store, keyPaths, () => start, undefined);
  const { dependencies, published, warnings, time } = testDependencies(checkpointWriter.trackedStore(), seed);
  const settings = demoSettings
    .filter(({ table }) => table === 'tiger' || table === 'sands-elements')
    .map((settingsOfTable) => ({ ...settingsOfTable, ...(behind && { behind: behind(settingsOfTable.table) }) }));
  const floor = await openFloor(demoOwner, settings, demoPace, dependencies);
  const session = await seatPatron(floor, 'a', demoCredit);
  const betRounds = new Set<string>();
  for (let steps = 0; !isEnough(published) && steps < 3_000; steps++) {
    await time.step();
    for (const table of floor.tables.values()) {
      await table.processor.idle();
      const { round, phase } = table.table;
      if (phase !== 'betting' || betRounds.has(round!.id)) continue;
      betRounds.add(round!.id);
      const request = { type: 'SetSlip', actor: { terminal: session }, round: round!.id, slip: slip(betRounds.size) };
      void table.submit(`b${betRounds.size}`, request);
    }
    await flushPromises();
    await meanwhile?.();
  }
  for (const table of floor.tables.values()) await table.processor.idle();
  expect(warnings).toEqual([]);
  return published;
}
