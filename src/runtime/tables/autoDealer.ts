import { resolveSettings } from '../../table/schema/settings.ts';
import { type Store } from '../../store/store.ts';
import { type ShoeState, type Table } from '../../table/state.ts';
import { type TableAutomation } from './stepScheduler.ts';
import { type RetirementReason } from '../../floor/commands.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type DueStep, waitForTurn, nextStep } from './pacing.ts';
import { shufflerActor } from '../../access/actor.ts';
import { DamagedBlob } from '../encryption/encryptedBlobs.ts';
import { encryptShoe, decryptShoe } from './encryptedShoes.ts';
import { type VirtualShoe, shuffledShoe } from './virtualShoe.ts';
import { type TableRuntime, type TableConfig } from './tableRuntime.ts';
import { type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

const retirementTexts: { readonly [W in RetirementReason]: string } = {
  'behind-anchor': 'The record was turned back: what comes next in the shoe may have been seen.',
  'anchor-missing': 'The anchor of the record was missing: what comes next in the shoe may have been seen.',
  'unsigned-entries': 'Entries were found that nobody had signed: what comes next in the shoe may have been seen.',
  'long-rest': 'The floor was not seen for long: what comes next in the shoe may have been seen.',
};

/** The order of the shoe at a table, decrypted and checked against its root. */
async function loadShoe({ id, root }: Pick<ShoeState, 'id' | 'root'>, store: Store, key: Buffer): Promise<VirtualShoe> {
  const found = await decryptShoe(store, id, key);
  if (found === undefined) throw new DamagedBlob(`The shoe ${id} is committed, but its blob is missing.`);
  if (found.root !== root) throw new DamagedBlob(`What is sealed as the shoe ${id} is not what its root was taken of.`);
  return found;
}

/** Automation of an unattended table: shuffles, encrypts and deals virtual shoes at its pace. */
export function autoDealer(
  table: TableRuntime,
  { pace }: TableConfig,
  dependencies: RuntimeDependencies,
  floorStream: Pick<FloorStream, 'retirementReason'>,
  settingsChange: (state: Table) => DueStep | undefined,
): TableAutomation {
  const { store, key, random } = dependencies;
  const since = dependencies.clock();
  let virtualShoe: VirtualShoe | undefined;
  return {
    load: async () => {
      const { shoe = null, settings } = table.processor.state ?? {};
      if (shoe === null || settings?.attended !== false) return;
      try {
        virtualShoe = await loadShoe(shoe, store, key);
      } catch (error) {
        // A shoe whose order is lost is retired, and its round is void. [READING 29]
        if (!(error instanceof DamagedBlob)) throw error;
        dependencies.onWarning(`table ${table.id}`, error);
      }
    },
    next: (state) => {
      const why = virtualShoe && floorStream.retirementReason(virtualShoe.id);
      const step = nextStep(state, pace, why ? undefined : virtualShoe, random, why && retirementTexts[why]);
      return settingsChange(state) ?? waitForTurn(step, pace, since);
    },
    // The order is stored before its root is recorded, so that a committed shoe can always be dealt.
    shuffle: async () => {
      const { settings, shoes } = table.table;
      const { game } = resolveSettings(settings);
      const id = `${table.id}-${shoes.length + 1}-${dependencies.newId().slice(0, 8)}`;
      const shuffled = shuffledShoe(id, { deck: game.deck, decks: settings.decks }, random);
      await encryptShoe(store, shuffled, key);
      virtualShoe = shuffled;
      return table.submitAsFloor({ type: 'CommitShoe', actor: shufflerActor, shoe: id, root: shuffled.root });
    },
  };
}
