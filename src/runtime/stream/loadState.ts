import { type RegisteredDecider, type DomainEvent } from '../../deciders/deciders.ts';
import { verifySnapshot, snapshotSchemaVersion } from '../../store/snapshot.ts';
import { type StoreReader } from '../../store/store.ts';

/** State of a stream as loaded from the event store, up to the entry `sequence`. */
export type LoadedState<State> = {
  readonly state: State;
  readonly sequence: number;
  readonly at: number;
  /** Hash of the last entry that was applied; empty if there is none. */
  readonly head: string;
  /** Sequence of the last saved snapshot; 0 if there is none. */
  readonly snapshotAt: number;
};

export type LoadOptions<State, Event extends DomainEvent> = {
  readonly store: StoreReader;
  readonly stream: string;
  readonly decider: Pick<RegisteredDecider<State, never, Event, never>, 'initial' | 'evolve' | 'parseEvent'>;
  readonly onWarning: (error: unknown) => void;
  /** Data key, which authenticates snapshots. */
  readonly key: Buffer;
};

/** Loads the state of a stream: reads the last snapshot and applies the entries after it. */
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

/** Loads the last snapshot. Undefined if there is none, if it is not authentic, or if it has another schema version. */
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
    const versions = `schema version ${saved.version}, and this program reads version ${snapshotSchemaVersion}`;
    onWarning(
      new Error(`The snapshot of ${stream} has ${versions}; the state of the stream is computed from all entries.`),
    );
    return undefined;
  }
  const entry = await verifySnapshot(store, stream, saved, key);
  if (entry) {
    const state = JSON.parse(saved.state) as State;
    return { state, sequence, at: entry.at, head: entry.hash, snapshotAt: sequence };
  }
  onWarning(
    new Error(`The snapshot of ${stream} is not authentic; the state of the stream is computed from all entries.`),
  );
  return undefined;
}
