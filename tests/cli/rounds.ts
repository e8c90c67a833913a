import { expect } from 'vitest';
import { openChecked } from '../../src/checkpoint/openStore.ts';
import { FloorRuntime } from '../../src/runtime/floorRuntime.ts';
import { type Store, type StoredEntry } from '../../src/store/store.ts';
import { rest } from '../chaos/time.ts';
import { demoCredit, demoOwner, demoPace, demoSettings } from '../runtime/demo.ts';
import { seated, start, worldOf } from '../runtime/made.ts';

type Ways = {
  /** The folder beside which signer and anchor lie. */
  readonly folder: string;
  readonly seed: string;
  /** So many cards are behind the cutting card, by table; as the demo has it unless given. */
  readonly behind?: (table: string) => number;
  /** What is staked on the round that is bet on as the so manyth. */
  readonly slip: (number: number) => { readonly [wager: string]: number };
  /** Whether it is enough, by what was written. */
  readonly isEnough: (written: readonly StoredEntry[]) => boolean;
  readonly meanwhile?: () => Promise<void>;
};

/** Plays rounds with bets at two tables of a floor whose record is in a store, and signs it; gives what was written. */
export async function roundsOn(store: Store, ways: Ways): Promise<readonly StoredEntry[]> {
  const { folder, seed, behind, slip, isEnough, meanwhile } = ways;
  const places = { signer: `${folder}.signer`, anchor: `${folder}.anchor` };
  const { writer: keeper } = await openChecked(store, places, () => start, undefined);
  const { world, published, troubles, time } = worldOf(keeper.trackedStore(), seed);
  const settings = demoSettings
    .filter(({ table }) => table === 'tiger' || table === 'sands-elements')
    .map((setting) => ({ ...setting, ...(behind && { behind: behind(setting.table) }) }));
  const floor = await FloorRuntime.open(demoOwner, settings, demoPace, world);
  const session = await seated(floor, 'a', demoCredit);
  const bets = new Set<string>();
  for (let steps = 0; !isEnough(published) && steps < 3_000; steps++) {
    await time.step();
    for (const table of floor.tables.values()) {
      await table.processor.idle();
      const { round, phase } = table.table;
      if (phase !== 'betting' || bets.has(round!.id)) continue;
      bets.add(round!.id);
      const asked = { type: 'SetSlip', actor: { terminal: session }, round: round!.id, slip: slip(bets.size) };
      void table.submit(`b${bets.size}`, asked);
    }
    await rest();
    await meanwhile?.();
  }
  for (const table of floor.tables.values()) await table.processor.idle();
  expect(troubles).toEqual([]);
  return published;
}
