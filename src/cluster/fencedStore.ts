import { type Store } from '../store/store.ts';
import { DatabaseAway } from '../store/failures.ts';

/** Nobody knows at this moment whether a lease is still held: it may have ended, and another may have it. */
export class Unsure extends DatabaseAway {
  constructor() {
    super(
      'The right to write to the record could not be renewed in time: the database, or its synchronous standby, does not answer, or the clock of this machine is far from its own.',
    );
  }
}

/** What is known of the lease of one stream. */
type Right = {
  /** Whether nobody else can hold it at this moment. */
  readonly isSure: () => boolean;
  /** The epoch that it was taken by; undefined once it was lost or let go. */
  readonly epoch: () => number | undefined;
};

/**
 * The record as whoever drives one stream writes to it: to that stream only while this program surely holds its lease, and
 * in the epoch that it was taken by, so that what is still on its way when another takes over finds no row. Once the lease
 * is lost nothing is tried any more: another epoch has begun, or is about to. All other streams have no lease, and are
 * fenced by their heads.
 */
export function fencedStore(store: Store, stream: string, { isSure, epoch }: Right): Store {
  let last = 0;
  const refuseUnsure = (): void => {
    if (!isSure()) throw new Unsure();
  };
  return {
    ...store,
    append: async (batch) => {
      if (batch.stream !== stream) return store.append(batch);
      const now = epoch();
      if (now === undefined) return { refused: 'epoch-over', epoch: last + 1 };
      last = now;
      refuseUnsure();
      return store.append({ ...batch, epoch: now });
    },
    saveSnapshot: async (name, snapshot) => {
      if (name === stream) refuseUnsure();
      return store.saveSnapshot(name, snapshot);
    },
    putBlob: async (id, bytes) => {
      refuseUnsure();
      return store.putBlob(id, bytes);
    },
  };
}
