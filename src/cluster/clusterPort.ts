import { type ClusterPort } from '../runtime/ports/clusterPort.ts';
import { type Store } from '../store/store.ts';
import { fencedStore } from './fencedStore.ts';
import { type ClusterMessenger } from './clusterMessenger.ts';

type Parts = {
  readonly talk: ClusterMessenger;
  /** Whether nobody else can hold the lease of a table at this moment. */
  readonly isSure: (stream: string) => boolean;
  /** What a stream that was taken is written in. */
  readonly epochOf: (stream: string) => number | undefined;
};

/** What a floor on a record needs of the others there; it writes to a table's stream by the lease of that alone. */
export function sharedOn(store: Store, { talk, isSure, epochOf }: Parts): ClusterPort {
  const stores = new Map<string, Store>();
  return {
    storeOf: (stream) => {
      const right = { isSure: () => isSure(stream), epoch: () => epochOf(stream) };
      const made = stores.get(stream) ?? fencedStore(store, stream, right);
      stores.set(stream, made);
      return made;
    },
    ask: (stream, asking) => talk.ask(stream, asking),
    link: (stream, told) => talk.link(stream, told),
    moved: (stream, sequence) => talk.moved(stream, sequence),
    aside: (kind, id) => talk.aside(kind, id),
    there: (terminal, place) => talk.there(terminal, place),
    presence: talk.presence,
    scanned: (table, scan) => talk.scanned(table, scan),
  };
}
