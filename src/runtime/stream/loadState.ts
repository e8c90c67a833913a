import { type LedgerDecider, type DomainEvent } from '../../deciders/deciders.ts';
import { verifiedSnapshotEntry, snapshotSchemaVersion } from '../../store/snapshot.ts';
import { type StoreReader } from '../../store/store.ts';

/** State loaded from the event store, with the position it reaches and the snapshot it began from. */
export type LoadedState<State> = {
  readonly state: State;
  readonly sequence: number;
  readonly at: number;
  /** Hash of the last entry. */
  readonly head: string;
  readonly snapshotAt: number;
};

export type LoadOptions<State, Event extends DomainEvent> = {
  readonly store: StoreReader;
  readonly stream: string;
  readonly decider: Pick<LedgerDecider<State, never, Event, never>, 'initial' | 'evolve' | 'parseEvent'>;
  readonly onWarning: (error: unknown) => void;
  /** Data key; it authenticates snapshots. */
  readonly key: Buffer;
};

/** Loads the last snapshot and applies the entries after it. */
export async function loadState<State, Event extends DomainEvent>(
  options: LoadOptions<State, Event>,
): Promise<LoadedState<State>> {
  const { store, stream, decider } = options;
  let { state, sequence, at, head, snapshotAt } = (await loadSnapshot(options)) ?? {
    state: decider.initial,
    sequence: 0,
    at: 0,
    head: '',
    snapshotAt: 0,
  };
  for await (const entries of store.read(stream, sequence)) {
    for (const { event } of entries) state = decider.evolve(state, decider.parseEvent(event));
    sequence += entries.length;
    head = entries.at(-1)!.hash;
    at = entries.at(-1)!.at;
  }
  return { state, sequence, at, head, snapshotAt };
}

/** The last snapshot if it is authentic and of this schema version; else undefined, and all entries are applied. */
async function loadSnapshot<State, Event extends DomainEvent>({
  store,
  stream,
  onWarning,
  key,
}: LoadOptions<State, Event>): Promise<LoadedState<State> | undefined> {
  const saved = await store.snapshot(stream);
  if (saved === undefined) return undefined;
  const { sequence } = saved;
  if (saved.version !== snapshotSchemaVersion) {
    const forms = `of form ${saved.version}, and this program reads form ${snapshotSchemaVersion}`;
    onWarning(new Error(`The snapshot of ${stream} is ${forms}; its state is worked out anew.`));
    return undefined;
  }
  const entry = await verifiedSnapshotEntry(store, stream, saved, key);
  if (entry) {
    const state = JSON.parse(saved.state) as State;
    return { state, sequence, at: entry.at, head: entry.hash, snapshotAt: sequence };
  }
  onWarning(new Error(`The snapshot of ${stream} is not the one that was saved; its state is worked out anew.`));
  return undefined;
}
