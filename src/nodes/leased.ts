import { type Store } from '../store/store.ts';
import { DatabaseAway } from '../store/trouble.ts';
import { type Lease } from './lease.ts';

const unsure =
  'The right to write to the record could not be renewed in time: the database does not answer, or the clock of this machine is far from its own.';

/**
 * A store that writes nothing unless this program surely holds the lease at that moment, and everything in the epoch that it
 * began by: what is still on its way when another takes over finds no row.
 */
export function leased(store: Store, lease: Pick<Lease, 'isSure'>): Store {
  const refuseUnsure = (): void => {
    if (!lease.isSure) throw new DatabaseAway(unsure);
  };
  return {
    ...store,
    append: async (batch) => {
      refuseUnsure();
      return store.append({ ...batch, epoch: store.held });
    },
    saveSnapshot: async (stream, snapshot) => {
      refuseUnsure();
      return store.saveSnapshot(stream, snapshot);
    },
    seal: async (id, bytes) => {
      refuseUnsure();
      return store.seal(id, bytes);
    },
    beat: async (names, at) => {
      refuseUnsure();
      return store.beat(names, at);
    },
    putAside: async (kind, id, value) => {
      refuseUnsure();
      return store.putAside(kind, id, value);
    },
    claimAside: async (kind, id, value) => {
      refuseUnsure();
      return store.claimAside(kind, id, value);
    },
    checkpoint: async (checkpoint) => {
      refuseUnsure();
      return store.checkpoint(checkpoint);
    },
  };
}
