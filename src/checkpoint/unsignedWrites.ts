import { type Account } from '../ledger/accounts.ts';
import { type Balance, DamagedRecord, type StoredEntry } from '../store/store.ts';
import { type HeadPosition, type HeadPositions } from './checkpointFormat.ts';

/** What an account held before the first posting since the last checkpoint, and what the last one has left there. */
type Touched = { readonly before: Balance; readonly after: Balance };

/**
 * What this program has written since the last checkpoint. Nobody else writes to its record: by this it is known that what
 * stands there is what was signed last and what was written since, before that is signed in turn.
 */
export class UnsignedWrites {
  /** Where each stream was last written to. */
  readonly #ends = new Map<string, HeadPosition>();
  readonly #touched = new Map<Account, Touched>();
  /** The first entry that somebody else must have written, where this program has written behind one. */
  #foreign: { readonly stream: string; readonly sequence: number } | undefined;

  /** Takes down what was written to a stream that was signed up to there. */
  take(entries: readonly StoredEntry[], signed: HeadPositions | undefined): void {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return;
    const { stream } = last;
    const due = (this.#ends.get(stream)?.sequence ?? signed?.get(stream)?.sequence ?? 0) + 1;
    if (signed && first.sequence !== due) this.#foreign ??= { stream, sequence: due };
    this.#ends.set(stream, { sequence: last.sequence, hash: last.hash });
    for (const { postings } of entries) {
      for (const { from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
        this.#touch(
          from,
          { amount: fromBefore, version: fromVersion - 1 },
          { amount: fromAfter, version: fromVersion },
        );
        this.#touch(to, { amount: toBefore, version: toVersion - 1 }, { amount: toAfter, version: toVersion });
      }
    }
  }

  #touch(account: Account, before: Balance, after: Balance): void {
    const known = this.#touched.get(account) ?? { before, after };
    this.#touched.set(account, {
      before: before.version < known.before.version ? before : known.before,
      after: after.version > known.after.version ? after : known.after,
    });
  }

  /** Whether an account was written to. */
  has(account: Account): boolean {
    return this.#touched.has(account);
  }

  /** What some accounts held when it was last signed, by what they hold now. */
  before(balances: readonly (readonly [Account, Balance])[]): readonly (readonly [Account, Balance])[] {
    if (!balances.some(([account]) => this.has(account))) return balances;
    return balances.flatMap(([account, held]) => {
      const before = this.#touched.get(account)?.before ?? held;
      return before.version === 0 ? [] : [[account, before] as const];
    });
  }

  /** Every stream that has moved since it was signed was moved by this program, and every account that it wrote to. */
  check(moved: HeadPositions, held: ReadonlyMap<Account, Balance>, signed: HeadPositions): void {
    this.#checkEnds(moved, signed);
    for (const [account, { amount, version }] of held) {
      const { after } = this.#touched.get(account)!;
      // What was written behind that moment is looked at the next time.
      if (version < after.version || (version === after.version && amount === after.amount)) continue;
      throw new DamagedRecord(`The account ${account} does not hold what this program has left there while it ran.`);
    }
  }

  #checkEnds(moved: HeadPositions, signed: HeadPositions): void {
    let foreign = this.#foreign;
    for (const [stream, { sequence, hash }] of moved) {
      const [known, end] = [signed.get(stream)?.sequence ?? 0, this.#ends.get(stream)];
      const isOwn =
        end !== undefined &&
        sequence > known &&
        (sequence < end.sequence || (sequence === end.sequence && hash === end.hash));
      if (!isOwn) foreign ??= { stream, sequence: Math.min(sequence, Math.max(known, end?.sequence ?? 0) + 1) };
    }
    if (foreign === undefined) return;
    throw new DamagedRecord(
      `Entry ${foreign.sequence} of ${foreign.stream} is not one that this program has written there while it ran.`,
    );
  }

  /** It is signed up to there: only what was written behind that is still to be signed. */
  signed(moved: HeadPositions, held: ReadonlyMap<Account, Balance>): void {
    this.#foreign = undefined;
    for (const [stream, { sequence }] of moved) {
      if ((this.#ends.get(stream)?.sequence ?? 0) <= sequence) this.#ends.delete(stream);
    }
    for (const [account, { after }] of this.#touched) {
      const now = held.get(account);
      if (now === undefined) continue;
      if (after.version > now.version) this.#touched.set(account, { before: now, after });
      else this.#touched.delete(account);
    }
  }
}
