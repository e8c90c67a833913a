import { type Account } from '../../ledger/accounts.ts';
import { type StoreReader, type StoredEntry } from '../../store/store.ts';
import { disputedRounds } from '../../table/irregularities.ts';
import { type Table } from '../../table/state.ts';

/** Payouts of a round by account, in minor units, from the entries of its table up to `sequence`. */
type RoundPayouts = { readonly sequence: number; readonly amounts: ReadonlyMap<Account, number> };

/**
 * Payouts of disputed rounds before the current round. The state of a table contains only the hash of the slips of an
 * earlier round, so the payouts are read from the stream of the table.
 */
export class DisputedPayouts {
  readonly #store: Pick<StoreReader, 'read'>;
  readonly #rounds = new Map<string, RoundPayouts>();

  constructor(store: Pick<StoreReader, 'read'>) {
    this.#store = store;
  }

  /**
   * Reads the payouts of the earlier rounds that are disputed now, and forgets the payouts of all other rounds. Returns
   * undefined if no earlier round is disputed.
   */
  refresh(tables: Iterable<Table>): Promise<void> | undefined {
    const disputed = [...tables].flatMap((table) =>
      earlierDisputedRounds(table).map((round) => [round, streamOf(table)] as const),
    );
    const wanted = new Map(disputed);
    for (const round of this.#rounds.keys()) if (!wanted.has(round)) this.#rounds.delete(round);
    return wanted.size === 0 ? undefined : this.#readAll(wanted);
  }

  async #readAll(wanted: ReadonlyMap<string, string>): Promise<void> {
    for (const [round, stream] of wanted) this.#rounds.set(round, await this.#read(round, stream));
  }

  /** Payout of a round to an account, in minor units; undefined if the payouts of the round were not read. */
  paidTo(round: string, account: Account): number | undefined {
    const paid = this.#rounds.get(round);
    return paid && (paid.amounts.get(account) ?? 0);
  }

  async #read(round: string, stream: string): Promise<RoundPayouts> {
    const cached = this.#rounds.get(round);
    const amounts = new Map(cached?.amounts);
    let sequence = cached?.sequence ?? 0;
    for await (const entries of this.#store.read(stream, sequence)) {
      for (const entry of entries) if (isPaymentOf(round, entry)) add(amounts, entry);
      sequence = entries.at(-1)!.sequence;
    }
    return { sequence, amounts };
  }
}

const streamOf = ({ settings }: Table): string => `${settings.property}/table/${settings.table}`;

/** Disputed rounds before the current round. The table no longer has their slips. */
const earlierDisputedRounds = (table: Table): readonly string[] =>
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
