import { type Store } from '../store/store.ts';
import { DatabaseUnavailableError } from '../store/failures.ts';

/** Error: the lease of this node may have expired, so another node may hold it. */
export class LeaseUncertainError extends DatabaseUnavailableError {
  constructor() {
    super(
      'The lease could not be renewed in time: the database or its synchronous standby does not answer, or the clock of this machine is wrong.',
    );
  }
}

type StreamLease = {
  /** True if this node holds the lease, and no other node can hold it now. */
  readonly isCertain: () => boolean;
  /** Fencing epoch; undefined after the lease was lost or released. */
  readonly epoch: () => number | undefined;
};

/**
 * Fenced store: appends to `stream` only while the lease of the stream is certain, and with the fencing epoch of that
 * lease. So a late write of a former leader fails. After this node has lost the lease, appends are refused without a
 * request to the database. Appends to any other stream are passed on; only their expected sequence protects that
 * stream.
 */
export function createFencedStore(store: Store, stream: string, { isCertain, epoch }: StreamLease): Store {
  let last = 0;
  const requireCertainLease = (): void => {
    if (!isCertain()) throw new LeaseUncertainError();
  };
  return {
    ...store,
    append: async (batch) => {
      if (batch.stream !== stream) return store.append(batch);
      const now = epoch();
      if (now === undefined) return { refused: 'epoch-over', epoch: last + 1 };
      last = now;
      requireCertainLease();
      return store.append({ ...batch, epoch: now });
    },
    saveSnapshot: async (name, snapshot) => {
      if (name === stream) requireCertainLease();
      return store.saveSnapshot(name, snapshot);
    },
    putBlob: async (id, bytes) => {
      requireCertainLease();
      return store.putBlob(id, bytes);
    },
  };
}
