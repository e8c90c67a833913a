import { gameAndRulebookOf } from '../../table/schema/settings.ts';
import { type Store } from '../../store/store.ts';
import { type ShoeState, type Table } from '../../table/state.ts';
import { type TableAutomation } from './tableAutomation.ts';
import { type ShoeRetirementReason } from '../../floor/commands.ts';
import { type FloorStream } from '../floor/floorStream.ts';
import { type DueStep, delayStepToOpeningTurn, nextUnattendedStep } from './pacing.ts';
import { shufflerActor } from '../../access/actor.ts';
import { DamagedBlobError } from '../encryption/encryptedBlobs.ts';
import { saveEncryptedShoe, readEncryptedShoe } from './encryptedShoes.ts';
import { type VirtualShoe, shuffleVirtualShoe } from './virtualShoe.ts';
import { type TableRuntime, type TableConfig } from './tableRuntime.ts';
import { type FloorDependencies } from '../ports/runtimeDependencies.ts';

const retirementTexts: { readonly [W in ShoeRetirementReason]: string } = {
  'behind-anchor': 'The event log was rolled back: the next cards of the shoe may be known.',
  'anchor-missing': 'The anchor file was missing: the next cards of the shoe may be known.',
  'unsigned-entries': 'The event log had unsigned entries: the next cards of the shoe may be known.',
  'long-rest': 'The floor was out of service for a long time: the next cards of the shoe may be known.',
};

/**
 * Loads the virtual shoe of a table: decrypts it and checks it against its root. Throws `DamagedBlobError` if the shoe is
 * missing or damaged.
 */
async function loadShoe({ id, root }: Pick<ShoeState, 'id' | 'root'>, store: Store, key: Buffer): Promise<VirtualShoe> {
  const found = await readEncryptedShoe(store, id, key);
  if (found === undefined)
    throw new DamagedBlobError(`The encrypted order of the shoe ${id} is committed, but its blob is missing.`);
  if (found.root !== root) throw new DamagedBlobError(`The encrypted order of the shoe ${id} does not match its root.`);
  return found;
}

/**
 * Automation of an unattended table: it shuffles and encrypts virtual shoes, and deals from them at the pace of the
 * table.
 */
export function createAutoDealer(
  table: TableRuntime,
  { pace }: TableConfig,
  dependencies: FloorDependencies,
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
        // The order of the shoe is lost. The shoe is discarded, and a round without a result is void. [READING 29]
        if (!(error instanceof DamagedBlobError)) throw error;
        dependencies.onWarning(`table ${table.id}`, error);
      }
    },
    next: (state) => {
      const why = virtualShoe && floorStream.retirementReason(virtualShoe.id);
      const step = nextUnattendedStep(state, pace, why ? undefined : virtualShoe, random, why && retirementTexts[why]);
      return settingsChange(state) ?? delayStepToOpeningTurn(step, pace, since);
    },
    // The encrypted cards of a shoe are stored before `CommitShoe` records the root. So a committed shoe can always be
    // dealt.
    shuffle: async () => {
      const { settings, shoes } = table.table;
      const { game } = gameAndRulebookOf(settings);
      const id = `${table.id}-${shoes.length + 1}-${dependencies.newId().slice(0, 8)}`;
      const shuffled = shuffleVirtualShoe(id, { deck: game.deck, decks: settings.decks }, random);
      await saveEncryptedShoe(store, shuffled, key);
      virtualShoe = shuffled;
      return table.submitAsFloor({ type: 'CommitShoe', actor: shufflerActor, shoe: id, root: shuffled.root });
    },
  };
}
