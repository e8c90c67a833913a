import { type Account } from '../../ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../../store/store.ts';
import { disputedRounds } from '../../table/irregularities.ts';
import { type Table } from '../../table/state.ts';

/** What each account has got from a round, up to an entry of its table. */
type Paid = { readonly sequence: number; readonly amounts: ReadonlyMap<Account, number> };

/** What was paid from rounds that are behind and in question: of those a table knows the hash of their slips alone. */
export class DisputedPayouts {
  readonly #store: Pick<StoreReader, 'read'>;
  readonly #rounds = new Map<string, Paid>();

  constructor(store: Pick<StoreReader, 'read'>) {
    this.#store = store;
  }

  /** Reads what is not known yet of the rounds that are in question now, where there are any, and forgets all others. */
  look(tables: Iterable<Table>): Promise<void> | undefined {
    const behind = [...tables].flatMap((table) => behindAt(table).map((round) => [round, streamOf(table)] as const));
    const wanted = new Map(behind);
    for (const round of this.#rounds.keys()) if (!wanted.has(round)) this.#rounds.delete(round);
    return wanted.size === 0 ? undefined : this.#readAll(wanted);
  }

  async #readAll(wanted: ReadonlyMap<string, string>): Promise<void> {
    for (const [round, stream] of wanted) this.#rounds.set(round, await this.#read(round, stream));
  }

  /** What an account has got from a round; undefined where that has not been read. */
  from(round: string, account: Account): number | undefined {
    const paid = this.#rounds.get(round);
    return paid && (paid.amounts.get(account) ?? 0);
  }

  async #read(round: string, stream: string): Promise<Paid> {
    const known = this.#rounds.get(round);
    const amounts = new Map(known?.amounts);
    let sequence = known?.sequence ?? 0;
    for await (const entries of this.#store.read(stream, sequence)) {
      for (const entry of entries) if (isPaymentOf(round, entry)) add(amounts, entry);
      sequence = entries.at(-1)!.sequence;
    }
    return { sequence, amounts };
  }
}

const streamOf = ({ setting }: Table): string => `${setting.property}/table/${setting.table}`;

/** Rounds in question whose slips the table no longer has. */
const behindAt = (table: Table): readonly string[] =>
  disputedRounds(table)
    .map(({ round }) => round)
    .filter((round) => round !== table.round?.id);

const isPaymentOf = (round: string, { event }: StoredEntry): boolean =>
  event.type === 'SettlementPosted' && event['round'] === round;

function add(amounts: Map<Account, number>, { postings }: StoredEntry): void {
  for (const { from, to, amount } of postings) {
    amounts.set(from, (amounts.get(from) ?? 0) - amount);
    amounts.set(to, (amounts.get(to) ?? 0) + amount);
  }
}
