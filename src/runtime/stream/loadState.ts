import { type LedgerDecider, type DomainEvent } from '../../deciders/deciders.ts';
import { snapshotEntry, snapshotSchemaVersion } from '../../store/snapshot.ts';
import { type StoreReader } from '../../store/store.ts';

/** A state worked out from the record, with the entry it was worked out up to and the snapshot it began from. */
export type Worked<State> = {
  readonly state: State;
  readonly sequence: number;
  readonly at: number;
  /** The hash of the last entry. */
  readonly head: string;
  readonly snapshotAt: number;
};

/** What a stream is read by. */
export type ReadingParts<State, Event extends DomainEvent> = {
  readonly store: StoreReader;
  readonly stream: string;
  readonly decider: Pick<LedgerDecider<State, never, Event, never>, 'initial' | 'evolve' | 'eventFrom'>;
  readonly trouble: (error: unknown) => void;
  /** The key of the record, with which snapshots are bound to their entries. */
  readonly key: Buffer;
};

/** What the record of a stream comes to: the last snapshot and what came after it. */
export async function loadState<State, Event extends DomainEvent>(
  parts: ReadingParts<State, Event>,
): Promise<Worked<State>> {
  const { store, stream, decider } = parts;
  let { state, sequence, at, head, snapshotAt } = (await fromSnapshot(parts)) ?? {
    state: decider.initial,
    sequence: 0,
    at: 0,
    head: '',
    snapshotAt: 0,
  };
  for await (const entries of store.read(stream, sequence)) {
    for (const { event } of entries) state = decider.evolve(state, decider.eventFrom(event));
    sequence += entries.length;
    head = entries.at(-1)!.hash;
    at = entries.at(-1)!.at;
  }
  return { state, sequence, at, head, snapshotAt };
}

/** The last snapshot, if it is what was saved at that entry; else everything is worked out from the first one. */
async function fromSnapshot<State, Event extends DomainEvent>({
  store,
  stream,
  trouble,
  key,
}: ReadingParts<State, Event>): Promise<Worked<State> | undefined> {
  const saved = await store.snapshot(stream);
  if (saved === undefined) return undefined;
  const { sequence } = saved;
  if (saved.form !== snapshotSchemaVersion) {
    const forms = `of form ${saved.form}, and this program reads form ${snapshotSchemaVersion}`;
    trouble(new Error(`The snapshot of ${stream} is ${forms}; its state is worked out anew.`));
    return undefined;
  }
  const entry = await snapshotEntry(store, stream, saved, key);
  if (entry) {
    const state = JSON.parse(saved.state) as State;
    return { state, sequence, at: entry.at, head: entry.hash, snapshotAt: sequence };
  }
  trouble(new Error(`The snapshot of ${stream} is not the one that was saved; its state is worked out anew.`));
  return undefined;
}
