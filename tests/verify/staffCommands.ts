import { applyEventsWithPostings, tableDecider } from '../../src/deciders/deciders.ts';
import { commandFromRecord } from '../../src/store/commandRecord.ts';
import { type StoredPayload, type CommandRecord, type RecordedEvent } from '../../src/store/store.ts';
import { type Table } from '../../src/table/state.ts';
import { type Posting } from '../../src/ledger/tablePostings.ts';
import { type UnwrittenEntry, withoutField, expectRecord, commandRecord, withEvent } from './forgedStore.ts';

// Entries of staff commands at a table.

export const dealer = { person: 'd1', role: 'dealer' };
export const supervisor = { person: 's1', role: 'supervisor' };
export const manager = { person: 'm1', role: 'gaming-shift-manager' };

export type StaffRequest = {
  readonly type: string;
  readonly actor: object;
  /** Milliseconds since the last event. */
  readonly delayMs?: number;
  readonly [field: string]: unknown;
};
export type RequestSource = StaffRequest | ((table: Table) => StaffRequest);

const isContextField = (field: string): boolean => tableDecider.contextFields.has(field);

/** Splits a request into payload and context: amounts, slips, and the role of a person. */
export function splitRequest({ actor, ...all }: StaffRequest): {
  readonly request: StoredPayload;
  readonly context: CommandRecord['context'];
} {
  const fields = withoutField(all, 'delayMs');
  const { person, ...role } = actor as { person?: string };
  const names = Object.keys(fields);
  const only = (wanted: boolean) =>
    Object.fromEntries(names.filter((name) => isContextField(name) === wanted).map((name) => [name, fields[name]]));
  return {
    request: { ...only(false), actor: person === undefined ? { ...actor } : { person } } as StoredPayload,
    context: { ...only(true), ...(person !== undefined && { authority: role }) },
  };
}

/** The entries before, and those that the table decides for the requests of staff. */
export function entriesFor(
  before: readonly UnwrittenEntry[],
  start: number,
  ...requests: readonly RequestSource[]
): readonly UnwrittenEntry[] {
  let state: Table | undefined;
  for (const { event } of before) state = tableDecider.evolve(state, tableDecider.parseEvent(structuredClone(event)));
  const more = requests.flatMap((one, n) => {
    const staffRequest = typeof one === 'function' ? one(state!) : one;
    const { request, context } = splitRequest(staffRequest);
    const at = (state?.at ?? start) + (staffRequest.delayMs ?? 0);
    const command = tableDecider.parseCommand(commandFromRecord({ request, context }, at));
    if ('refused' in command) throw new Error(command.message);
    const decision = tableDecider.decide(command, state);
    if ('refused' in decision) throw new Error(decision.message);
    const { entries, state: reached } = applyEventsWithPostings(tableDecider, decision, state);
    state = reached;
    return entries.map(({ event, postings }, chunk) => ({
      event: structuredClone(event) as unknown as RecordedEvent,
      postings,
      command: chunk === 0 ? commandRecord(`staff-${n}`, request, { context }) : { id: `staff-${n}` },
    }));
  });
  return [...before, ...more];
}

/** Approval of the supervisor for the open proposal. */
export const approve = ({ proposal }: Table) =>
  ({ type: 'Approve', actor: supervisor, proposal: proposal!.id, hash: proposal!.hash }) as const;

/** Entries of which one is forged; `bad` is its sequence. */
export type Forged = { readonly entries: readonly UnwrittenEntry[]; readonly bad: number };

export const lastIndexOf = (entries: readonly UnwrittenEntry[], type: string): number =>
  entries.findLastIndex(({ event }) => event.type === type);

/** The entries up to an index, with another entry there. */
export const replaceEntry = (entries: readonly UnwrittenEntry[], index: number, entry: UnwrittenEntry): Forged => ({
  entries: [...entries.slice(0, index), entry],
  bad: index + 1,
});

/** The entries up to the last event of a type, with changed fields there. */
export function changeEvent(
  entries: readonly UnwrittenEntry[],
  type: string,
  fields: object,
  postings?: readonly Posting[],
): Forged {
  const index = lastIndexOf(entries, type);
  const entry = withEvent(entries[index]!, fields);
  return replaceEntry(entries, index, { ...entry, postings: postings ?? entry.postings });
}

/** The entries up to the last event of a type, with changed context there. */
export function withContext(entries: readonly UnwrittenEntry[], type: string, context: object): Forged {
  const index = lastIndexOf(entries, type);
  const honestLog = expectRecord(entries[index]!);
  const command = { ...honestLog, context: { ...honestLog.context, ...context } };
  return replaceEntry(entries, index, { ...entries[index]!, command });
}
