import { termsOf } from '../table/declare/setting.ts';
import { type Driver } from './driver.ts';
import { type Pace, nextStep, shufflerPost } from './pace.ts';
import { DamagedSeal, sealShoe, unsealShoe } from './seal.ts';
import { type HiddenShoe, hiddenShoe } from './shoe.ts';
import { type FloorTable } from './table.ts';
import { type World } from './world.ts';

/** The dealer of a table without staff: it shuffles, seals and deals virtual shoes at a pace of its own. */
export function dealer(table: FloorTable, pace: Pace, world: World): Driver {
  const { store, key, chance } = world;
  let hidden: HiddenShoe | undefined;
  return {
    load: async () => {
      const shoe = table.runner.state?.shoe ?? null;
      if (shoe === null) return;
      try {
        hidden = await unsealShoe(store, shoe.id, key);
      } catch (error) {
        // A shoe whose order is lost is taken out of use, and its round is void. [READING 29]
        if (!(error instanceof DamagedSeal)) throw error;
        world.trouble(table.id, error);
      }
    },
    next: (state) => nextStep(state, pace, hidden, chance),
    // The order is sealed in the store before its root is recorded: a committed shoe can always be dealt.
    shuffle: async () => {
      const { setting, shoes } = table.table;
      const { game } = termsOf(setting);
      const id = `${table.id}-${shoes.length + 1}-${world.id().slice(0, 8)}`;
      const shuffled = hiddenShoe(id, { deck: game.deck, decks: setting.decks }, chance);
      await sealShoe(store, shuffled, key);
      hidden = shuffled;
      return table.own({ type: 'CommitShoe', who: shufflerPost, shoe: id, root: shuffled.root });
    },
  };
}
