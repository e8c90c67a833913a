import { type StoreReader, type Store } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { type Auditor } from './auditor.ts';
import { recallDifferences } from './recallCheck.ts';

/** Problems of an event store, and its number of events by type. */
export type RunCheck = { readonly problems: readonly string[]; readonly events: ReadonlyMap<string, number> };

/** Checks a store without writers: verification, audit, and recall of all sessions. */
export async function checkRun(store: Store, auditor: Auditor): Promise<RunCheck> {
  const { problem } = await verifyStore(store);
  const problems = [
    ...(problem === undefined ? [] : [problem]),
    ...(await auditor.audit(store)),
    ...(await recallDifferences(store)).problems,
  ];
  return { problems, events: await countEvents(store) };
}

async function countEvents(store: StoreReader): Promise<ReadonlyMap<string, number>> {
  const events = new Map<string, number>();
  for (const stream of await store.streams()) {
    for await (const entries of store.read(stream)) {
      for (const { event } of entries) events.set(event.type, (events.get(event.type) ?? 0) + 1);
    }
  }
  return events;
}
