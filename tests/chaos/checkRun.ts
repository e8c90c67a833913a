import { type StoreReader, type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/verify/verify.ts';
import { type Auditor } from './auditor.ts';
import { recallDifferences } from './recallCheck.ts';

/** What is wrong with a record, and how much there is of each event. */
export type RunCheck = { readonly wrong: readonly string[]; readonly events: ReadonlyMap<string, number> };

/** Looks at a record that nobody writes to: by its verification, by an auditor, and by what sessions recall. */
export async function checkRun(store: Store, auditor: Auditor): Promise<RunCheck> {
  const { problem } = await verifyStore(store);
  const wrong = [
    ...(problem === undefined ? [] : [problem]),
    ...(await auditor.audit(store)),
    ...(await recallDifferences(store)).wrong,
  ];
  return { wrong, events: await eventsIn(store) };
}

async function eventsIn(record: StoreReader): Promise<ReadonlyMap<string, number>> {
  const events = new Map<string, number>();
  for (const stream of await record.streams()) {
    for await (const entries of record.read(stream)) {
      for (const { event } of entries) events.set(event.type, (events.get(event.type) ?? 0) + 1);
    }
  }
  return events;
}
