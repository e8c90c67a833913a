import { type Account } from '../ledger/accounts.ts';
import { postingsOf } from '../ledger/postings.ts';
import { type Card } from '../rules/card.ts';
import { dealOf } from '../rules/deal.ts';
import { canonicalOf } from '../rules/hash.ts';
import { outcomeOf } from '../rules/settle.ts';
import { beginning } from '../store/chain.ts';
import { type BookedPosting, DamagedEntry, type Store, type StoredEntry } from '../store/store.ts';
import { isWholeShoe } from '../rules/commitment.ts';
import { type TableEvent } from '../table/events.ts';
import { evolve } from '../table/evolve.ts';
import { type Results } from '../table/kinds.ts';
import { gameNamed } from '../table/setting.ts';
import { type Table } from '../table/table.ts';

/** What a record was found to hold. */
export type Verified = {
  readonly streams: number;
  readonly entries: number;
  readonly rounds: number;
  readonly voids: number;
  readonly shoes: number;
  readonly accounts: number;
  /** The first entry or account that is not as it must be. */
  readonly problem: string | undefined;
};

/** A problem that ends the check. */
class Problem extends Error {}

type Counts = { streams: number; entries: number; rounds: number; voids: number; shoes: number };

/** What the postings of the record add up to. */
type Sum = { amount: number; postings: number; versions: number };

/**
 * Checks a record by itself: every hash chain, every event replayed, every round settled again from its cards, every posting
 * and balance worked out anew, every opened shoe held against its commitment.
 */
export async function verify(store: Store): Promise<Verified> {
  const counts: Counts = { streams: 0, entries: 0, rounds: 0, voids: 0, shoes: 0 };
  const sums = new Map<Account, Sum>();
  let problem: string | undefined;
  try {
    for (const stream of await store.streams()) {
      counts.streams += 1;
      await verifyStream(store, stream, counts, sums);
    }
    await verifyBalances(store, sums);
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof DamagedEntry)) throw error;
    problem = error.message;
  }
  return { ...counts, accounts: sums.size, problem };
}

async function verifyStream(store: Store, stream: string, counts: Counts, sums: Map<Account, Sum>): Promise<void> {
  const table = stream.split('/')[1] === 'table' ? new TableCheck(counts) : undefined;
  let previous = beginning;
  for await (const entries of store.read(stream)) {
    for (const entry of entries) {
      const claim = (holds: boolean, what: string): void => {
        if (!holds) throw new Problem(`Entry ${entry.sequence} of ${stream} ${what}.`);
      };
      claim(entry.previous === previous, 'does not follow the entry before it');
      previous = entry.hash;
      counts.entries += 1;
      table?.check(entry, claim);
      for (const posting of entry.postings) add(sums, posting, claim);
    }
  }
  if (table) table.end(stream);
}

type Claim = (holds: boolean, what: string) => void;

function add(sums: Map<Account, Sum>, posting: BookedPosting, claim: Claim): void {
  const { from, to, amount, fromBefore, fromAfter, fromVersion, toBefore, toAfter, toVersion } = posting;
  claim(fromAfter === fromBefore - amount && toAfter === toBefore + amount, 'has a posting that does not add up');
  for (const [account, change, version] of [
    [from, -amount, fromVersion],
    [to, amount, toVersion],
  ] as const) {
    const sum = sums.get(account) ?? { amount: 0, postings: 0, versions: 0 };
    sum.amount += change;
    sum.postings += 1;
    sum.versions += version;
    sums.set(account, sum);
  }
}

/** Each account holds what its postings add up to, and has seen each of them once. */
async function verifyBalances(store: Store, sums: ReadonlyMap<Account, Sum>): Promise<void> {
  const balances = await store.balances();
  let total = 0;
  for (const [account, { amount, version }] of balances) {
    const sum = sums.get(account);
    const once = sum !== undefined && sum.postings === version && sum.versions === (version * (version + 1)) / 2;
    if (!once || sum.amount !== amount) {
      throw new Problem(
        `The account ${account} holds ${amount} and its postings add up to ${sum?.amount ?? 'nothing'}.`,
      );
    }
    total += amount;
  }
  if (balances.size !== sums.size || total !== 0) throw new Problem('The balances do not add up to nothing.');
}

/** One table from its first entry to its last. */
class TableCheck {
  readonly #counts: Counts;
  readonly #ended = new Map<string, number>();
  #table: Table | undefined;
  #dealt: { readonly index: number; readonly card: string }[] = [];

  constructor(counts: Counts) {
    this.#counts = counts;
  }

  check({ event: recorded, postings }: StoredEntry, claim: Claim): void {
    const event = recorded as unknown as TableEvent;
    const plain = postings.map(({ from, to, amount }) => ({ from, to, amount }));
    let due;
    try {
      due = postingsOf(event, this.#table);
    } catch {
      claim(false, 'does not fit the table as it was');
    }
    claim(canonicalOf(due) === canonicalOf(plain), 'has other postings than its event leads to');
    if (event.type === 'RoundSettled' || event.type === 'RoundVoided') {
      this.#ended.set(event.round, (this.#ended.get(event.round) ?? 0) + 1);
      claim(this.#ended.get(event.round) === 1, 'ends a round that was over');
      this.#counts[event.type === 'RoundSettled' ? 'rounds' : 'voids'] += 1;
    }
    if (event.type === 'RoundSettled')
      claim(
        isSettledBy(this.#table!.round!.game, event.cards, event.results),
        'settles its round otherwise than the cards do',
      );
    if (event.type === 'RoundResettled' && event.results) {
      const round = [...this.#table!.history, this.#table!.round!].find(({ id }) => id === event.round)!;
      claim(isSettledBy(round.game, event.cards, event.results), 'settles its round otherwise than the cards do');
    }
    if (event.type === 'CardDealt' && event.index !== undefined)
      this.#dealt.push({ index: event.index, card: event.card });
    if (event.type === 'ShoeEnded') this.#endShoe(event.cards, event.salts, claim);
    try {
      this.#table = evolve(this.#table, event);
    } catch {
      claim(false, 'does not fit the table as it was');
    }
  }

  #endShoe(cards: readonly string[] | undefined, salts: readonly string[] | undefined, claim: Claim): void {
    const { id, size, root } = this.#table!.shoe!;
    if (root !== null && cards && salts) {
      claim(
        isWholeShoe({ shoe: id, size, root }, cards as readonly Card[], salts),
        'opens another shoe than was committed',
      );
      claim(
        this.#dealt.every(({ index, card }) => cards[index] === card),
        'opens a shoe that dealt other cards',
      );
    }
    this.#dealt = [];
    this.#counts.shoes += 1;
  }

  /** Every round but one that is still played has ended. */
  end(stream: string): void {
    for (const { id } of this.#table?.history ?? []) {
      if (this.#ended.get(id) !== 1) throw new Problem(`The round ${id} of ${stream} has no end.`);
    }
  }
}

/** Whether the results are those that the cards give, wager by wager. */
function isSettledBy(name: string, cards: readonly string[], results: Results): boolean {
  const game = gameNamed(name);
  const deal = dealOf(cards, { deck: game.deck, decks: 10 });
  if ('refused' in deal) return false;
  return Object.entries(results).every(([wager, { result, pays, commission, by }]) => {
    const outcome = outcomeOf(game.wagers[wager]!, deal.facts);
    const won = result === 'lose' ? -1 : pays[0] * (commission[1] - commission[0]);
    const per = result === 'lose' ? 1 : pays[1] * commission[1];
    return outcome.result === result && outcome.by === by && outcome.net[0] * per === won * outcome.net[1];
  });
}
