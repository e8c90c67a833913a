import { resolveSettings } from '../../table/schema/settings.ts';
import { type Store } from '../../store/store.ts';
import { type ShoeState, type Table } from '../../table/state.ts';
import { type TableAutomation } from './stepScheduler.ts';
import { type RetirementReason } from '../../floor/commands.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type DueStep, inTurn, nextStep, shufflerPost } from './pacing.ts';
import { DamagedSeal, encryptShoe, unsealShoe } from '../encryption/encryptedBlobs.ts';
import { type VirtualShoe, hiddenShoe } from './virtualShoe.ts';
import { type TableRuntime, type TableConfig } from './tableRuntime.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** Why a shoe is given up, in words. */
const givenUp: { readonly [W in RetirementReason]: string } = {
  'behind-anchor': 'The record was turned back: what comes next in the shoe may have been seen.',
  'anchor-missing': 'The anchor of the record was missing: what comes next in the shoe may have been seen.',
  'unsigned-entries': 'Entries were found that nobody had signed: what comes next in the shoe may have been seen.',
  'long-rest': 'The floor was not seen for long: what comes next in the shoe may have been seen.',
};

/** The order of a shoe that is at a table, as it lies sealed. */
async function shoeOf({ id, root }: Pick<ShoeState, 'id' | 'root'>, store: Store, key: Buffer): Promise<VirtualShoe> {
  const found = await unsealShoe(store, id, key);
  if (found === undefined) throw new DamagedSeal(`The shoe ${id} is committed, and not sealed any more.`);
  if (found.root !== root) throw new DamagedSeal(`What is sealed as the shoe ${id} is not what its root was taken of.`);
  return found;
}

/** The dealer of a table without staff: it shuffles, seals and deals virtual shoes at a pace of its own. */
export function autoDealer(
  table: TableRuntime,
  { pace }: TableConfig,
  world: RuntimeDependencies,
  journal: Pick<FloorStream, 'retired'>,
  change: (state: Table) => DueStep | undefined,
): TableAutomation {
  const { store, key, chance } = world;
  const since = world.clock();
  let hidden: VirtualShoe | undefined;
  return {
    load: async () => {
      const { shoe = null, setting } = table.runner.state ?? {};
      if (shoe === null || setting?.attended !== false) return;
      try {
        hidden = await shoeOf(shoe, store, key);
      } catch (error) {
        // A shoe whose order is lost is taken out of use, and its round is void. [READING 29]
        if (!(error instanceof DamagedSeal)) throw error;
        world.trouble(`table ${table.id}`, error);
      }
    },
    next: (state) => {
      const why = hidden && journal.retired(hidden.id);
      const step = nextStep(state, pace, why ? undefined : hidden, chance, why && givenUp[why]);
      return change(state) ?? inTurn(step, pace, since);
    },
    // The order is sealed in the store before its root is recorded: a committed shoe can always be dealt.
    shuffle: async () => {
      const { setting, shoes } = table.table;
      const { game } = resolveSettings(setting);
      const id = `${table.id}-${shoes.length + 1}-${world.id().slice(0, 8)}`;
      const shuffled = hiddenShoe(id, { deck: game.deck, decks: setting.decks }, chance);
      await encryptShoe(store, shuffled, key);
      hidden = shuffled;
      return table.own({ type: 'CommitShoe', who: shufflerPost, shoe: id, root: shuffled.root });
    },
  };
}
