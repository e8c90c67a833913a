import { type ClusterPort } from '../runtime/ports/clusterPort.ts';
import { type Store } from '../store/store.ts';
import { createFencedStore } from './fencedStore.ts';
import { type ClusterMessenger } from './clusterMessenger.ts';
import { type CommandRouter } from './commandRouter.ts';

type ClusterPortOptions = {
  readonly router: CommandRouter;
  readonly messenger: ClusterMessenger;
  /** True if this node holds the lease of a stream, and no other node can hold it now. */
  readonly isLeaseCertain: (stream: string) => boolean;
  /** Fencing epoch of a stream; undefined unless this node has taken over the stream. */
  readonly epochOf: (stream: string) => number | undefined;
};

/**
 * Creates the cluster port of a floor. Each fenced store of the port appends to the stream of its table only while the
 * lease of that table is certain.
 */
export function createClusterPort(
  store: Store,
  { router, messenger, isLeaseCertain, epochOf }: ClusterPortOptions,
): ClusterPort {
  const stores = new Map<string, Store>();
  return {
    fencedStoreOf: (stream) => {
      const lease = { isCertain: () => isLeaseCertain(stream), epoch: () => epochOf(stream) };
      const fenced = stores.get(stream) ?? createFencedStore(store, stream, lease);
      stores.set(stream, fenced);
      return fenced;
    },
    forward: (stream, command) => router.forward(stream, command),
    reportConnection: (stream, report) => messenger.reportConnection(stream, report),
    publishHead: (stream, sequence) => messenger.publishHead(stream, sequence),
    publishValue: (kind, id) => messenger.publishValue(kind, id),
    publishSeat: (terminal, seat) => messenger.publishSeat(terminal, seat),
    remoteTerminals: messenger.presence,
    publishRefusedScan: (table, scan) => messenger.publishRefusedScan(table, scan),
  };
}
