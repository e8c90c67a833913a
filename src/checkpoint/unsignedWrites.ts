import { type Account } from '../ledger/accounts.ts';
import { type Balance, DamagedStoreError, type StoredEntry } from '../store/store.ts';
import { type HeadPosition, type HeadPositions } from './checkpointFormat.ts';

/** Two balances of an account since the last checkpoint: before its first posting, and after its last posting. */
type AccountChange = { readonly before: Balance; readonly after: Balance };

/**
 * Writes of this process since the last checkpoint. A process that writes alone checks before its next checkpoint that
 * the store has exactly the signed entries and these writes.
 */
export class UnsignedWrites {
  readonly #heads = new Map<string, HeadPosition>();
  readonly #changes = new Map<Account, AccountChange>();
  /**
   * First entry that another writer appended. It is noticed when an append of this process does not directly follow the
   * last known entry of the stream.
   */
  #foreign: { readonly stream: string; readonly sequence: number } | undefined;

  /** Adds appended entries of one stream. `signed`: heads at the last checkpoint, undefined before the first. */
  add(entries: readonly StoredEntry[], signed: HeadPositions | undefined): void {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return;
    const { stream } = last;
    const expected = (this.#heads.get(stream)?.sequence ?? signed?.get(stream)?.sequence ?? 0) + 1;
    if (signed && first.sequence !== expected) this.#foreign ??= { stream, sequence: expected };
    this.#heads.set(stream, { sequence: last.sequence, hash: last.hash });
    for (const { postings } of entries) {
      for (const { from, fromBefore, fromAfter, fromVersion, to, toBefore, toAfter, toVersion } of postings) {
        this.#addChange(
          from,
          { amount: fromBefore, version: fromVersion - 1 },
          { amount: fromAfter, version: fromVersion },
        );
        this.#addChange(to, { amount: toBefore, version: toVersion - 1 }, { amount: toAfter, version: toVersion });
      }
    }
  }

  #addChange(account: Account, before: Balance, after: Balance): void {
    const change = this.#changes.get(account) ?? { before, after };
    this.#changes.set(account, {
      before: before.version < change.before.version ? before : change.before,
      after: after.version > change.after.version ? after : change.after,
    });
  }

  has(account: Account): boolean {
    return this.#changes.has(account);
  }

  /** Returns the balances at the last checkpoint: undoes these writes. */
  rewind(balances: readonly (readonly [Account, Balance])[]): readonly (readonly [Account, Balance])[] {
    if (!balances.some(([account]) => this.has(account))) return balances;
    return balances.flatMap(([account, balance]) => {
      const before = this.#changes.get(account)?.before ?? balance;
      return before.version === 0 ? [] : [[account, before] as const];
    });
  }

  /** Throws when another writer has changed a stream or a balance. */
  check(moved: HeadPositions, balances: ReadonlyMap<Account, Balance>, signed: HeadPositions): void {
    this.#checkHeads(moved, signed);
    for (const [account, { amount, version }] of balances) {
      const { after } = this.#changes.get(account)!;
      // A lower version is no error: this balance was read before the last writes, and the next checkpoint checks those
      // writes.
      if (version < after.version || (version === after.version && amount === after.amount)) continue;
      throw new DamagedStoreError(`The account ${account} does not have the balance that this process wrote.`);
    }
  }

  #checkHeads(moved: HeadPositions, signed: HeadPositions): void {
    let foreign = this.#foreign;
    for (const [stream, { sequence, hash }] of moved) {
      const [signedUpTo, head] = [signed.get(stream)?.sequence ?? 0, this.#heads.get(stream)];
      const isOwn =
        head !== undefined &&
        sequence > signedUpTo &&
        (sequence < head.sequence || (sequence === head.sequence && hash === head.hash));
      if (!isOwn) foreign ??= { stream, sequence: Math.min(sequence, Math.max(signedUpTo, head?.sequence ?? 0) + 1) };
    }
    if (foreign === undefined) return;
    throw new DamagedStoreError(
      `Entry ${foreign.sequence} of ${foreign.stream} was not written by this process, which must be the only writer.`,
    );
  }

  /**
   * Removes the writes that the new checkpoint covers. Writes that followed after the state for this checkpoint was
   * read stay unsigned.
   */
  markSigned(moved: HeadPositions, balances: ReadonlyMap<Account, Balance>): void {
    this.#foreign = undefined;
    for (const [stream, { sequence }] of moved) {
      if ((this.#heads.get(stream)?.sequence ?? 0) <= sequence) this.#heads.delete(stream);
    }
    for (const [account, { after }] of this.#changes) {
      const balance = balances.get(account);
      if (balance === undefined) continue;
      if (after.version > balance.version) this.#changes.set(account, { before: balance, after });
      else this.#changes.delete(account);
    }
  }
}
