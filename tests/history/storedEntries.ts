import { type ProjectionEntry } from '../../src/history/entry.ts';
import { type TableHistory, emptyTableHistory, projectTableEntry } from '../../src/history/tableHistory.ts';
import { type Account } from '../../src/ledger/accounts.ts';
import { type Posting } from '../../src/ledger/tablePostings.ts';
import { canonicalJson } from '../../src/base/canonicalJson.ts';
import { type StoredEntry } from '../../src/store/store.ts';
import { type TableScenario } from '../table/tableScenario.ts';

type Event = { readonly type: string; readonly at: number };

/** History reads entries of the store without conversion. */
export const recordedEntry = (entry: StoredEntry): ProjectionEntry => entry;

/** Entries of several streams with account balances, parsed from JSON as a store gives them. */
export class EntryRecorder {
  readonly entries: ProjectionEntry[] = [];
  readonly #books = new Map<Account, { amount: number; version: number }>();

  add(stream: string, event: Event, postings: readonly Posting[]): this {
    const sequence = this.of(stream).length + 1;
    const booked = postings.map(({ from, to, amount }) => {
      const [debited, credited] = [this.#move(from, -amount), this.#move(to, amount)];
      return {
        from,
        to,
        amount,
        fromBefore: debited.before,
        fromAfter: debited.after,
        fromVersion: debited.version,
        toBefore: credited.before,
        toAfter: credited.after,
        toVersion: credited.version,
      };
    });
    const entry = { stream, sequence, at: event.at, event, postings: booked };
    this.entries.push(JSON.parse(canonicalJson(entry)) as ProjectionEntry);
    return this;
  }

  of(stream: string): readonly ProjectionEntry[] {
    return this.entries.filter((entry) => entry.stream === stream);
  }

  #move(account: Account, by: number): { before: number; after: number; version: number } {
    const { amount: before, version } = this.#books.get(account) ?? { amount: 0, version: 0 };
    const after = { amount: before + by, version: version + 1 };
    this.#books.set(account, after);
    return { before, after: after.amount, version: after.version };
  }
}

/** Entries of a table scenario, after a load of credit for its terminals. */
export function entriesOfScenario(
  scenario: TableScenario,
  credit = 10_000,
  terminals: readonly string[] = ['T1', 'T2', 'T3'],
): EntryRecorder {
  const recorder = new EntryRecorder();
  for (const terminal of terminals) {
    recorder.add(
      `sg1/terminal/${terminal}`,
      { type: 'CreditLoaded', at: scenario.entries[0]!.event.at, terminal, by: 'cash', amount: credit } as Event,
      [{ from: `sg1/SGD/cage/${terminal}`, to: `sg1/SGD/terminal/${terminal}`, amount: credit }],
    );
  }
  for (const { event, postings } of scenario.entries) recorder.add(tableStream, event, postings);
  return recorder;
}

export const tableStream = 'sg1/table/B1';

export const historyOf = (entries: readonly ProjectionEntry[], depth = 10): TableHistory =>
  entries.reduce(projectTableEntry, emptyTableHistory(entries[0]!.stream, depth));

export const historyOfScenario = (scenario: TableScenario, depth?: number): TableHistory =>
  historyOf(entriesOfScenario(scenario).of(tableStream), depth);
