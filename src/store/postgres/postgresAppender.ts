import { type Account, isNonNegativeAccount } from '../../ledger/accounts.ts';
import { isRefused } from '../../base/refusal.ts';
import { genesisHash } from '../hashChain.ts';
import {
  type AppendPlan,
  type SerializedAppend,
  planAppend,
  serializeAppend,
  emptyBalance,
  emptyHead,
} from '../planAppend.ts';
import { type AppendRequest, type AppendResult, type Balance, DamagedStoreError, type StreamHead } from '../store.ts';
import { DatabaseUnavailableError } from '../failures.ts';
import { decodeAppendReceipt, encodeAppendReceipt } from '../appendCodec.ts';
import { retryUntilAnswered } from './retryWrite.ts';
import { isUniqueViolation, toStoreFailure } from './sqlFailures.ts';
import { type PgConnection, type PgRow, type PreparedStatement } from './connection.ts';
import { type ConnectionPool } from './connectionPool.ts';
import { type ReadPositionTracker, missingEntryText } from './readPositions.ts';
import { encodeTextArray } from './textArray.ts';
import { type KeyedMutex } from './keyedMutex.ts';

// Appends to PostgreSQL. One append is one statement and one round trip. The node computes bodies and hashes of the
// entries from its cache of heads and balances. The statement locks the head, and then the accounts sorted by name, so
// that no deadlock occurs. It compares the stored head and balances with those of the plan, and writes all entries or
// nothing. If the cache was stale, the statement returns the stored state and the node plans again.

/**
 * Common table expressions that select the head, the balances and the existing commands; `lock` is empty or FOR UPDATE.
 */
const lockedState = (lock: string): string => `
  head AS MATERIALIZED (SELECT sequence, hash, epoch FROM heads WHERE stream = $1 ${lock}),
  head_now AS MATERIALIZED (
    SELECT coalesce(max(sequence), 0) AS sequence, coalesce(max(hash), '${genesisHash}') AS hash, coalesce(max(epoch), 0) AS epoch
    FROM head
  ),
  balances_now AS MATERIALIZED (
    SELECT account, amount, version FROM balances
    WHERE account = ANY ($2::text[]) AND (SELECT sequence >= 0 FROM head_now)
    ORDER BY account ${lock}
  ),
  existing AS MATERIALIZED (SELECT command FROM entries WHERE command = ANY ($3::text[]))`;

/**
 * Result columns with the stored state; the balances only if the SQL condition `isNeeded` is true. Numbers in arrays
 * are sent as text, because the client does not parse arrays of numbers.
 */
const stateColumns = (isNeeded: string): string => `
  head_now.sequence, head_now.hash, head_now.epoch,
  CASE WHEN ${isNeeded} THEN (SELECT array_agg(account ORDER BY account) FROM balances_now) END AS accounts,
  CASE WHEN ${isNeeded} THEN (SELECT array_agg(amount::text ORDER BY account) FROM balances_now) END AS amounts,
  CASE WHEN ${isNeeded} THEN (SELECT array_agg(version::text ORDER BY account) FROM balances_now) END AS versions,
  (SELECT array_agg(command) FROM existing) AS commands`;

const readState: PreparedStatement = {
  name: 'state',
  text: `WITH ${lockedState('')} SELECT false AS fits, ${stateColumns('true')} FROM head_now`,
};

/**
 * Inserts new streams, accounts and commands without ON CONFLICT: a concurrent insert causes a unique violation, after
 * which the stored state is read again.
 */
const appendStatement: PreparedStatement = {
  name: 'append',
  text: `WITH ${lockedState('FOR UPDATE')},
  moved (account, amount, version, before, guarded) AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::integer[])
  ),
  fit AS MATERIALIZED (
    SELECT head_now.sequence = $4 AND head_now.hash = $5 AND head_now.epoch <= $6
       AND NOT EXISTS (SELECT FROM existing)
       AND NOT EXISTS (
         SELECT FROM moved LEFT JOIN balances_now USING (account) WHERE coalesce(balances_now.version, 0) <> moved.before
       ) AS fits
    FROM head_now
  ),
  former_head AS (
    UPDATE heads SET sequence = $4 + $12, hash = $7, epoch = $6 FROM fit
    WHERE fits AND stream = $1
  ),
  new_head AS (
    INSERT INTO heads (stream, sequence, hash, epoch)
    SELECT $1, $4 + $12, $7, $6 FROM fit WHERE fits AND NOT EXISTS (SELECT FROM head)
  ),
  former_balances AS (
    UPDATE balances SET amount = moved.amount, version = moved.version FROM fit, moved
    WHERE fits AND moved.before > 0 AND balances.account = moved.account
  ),
  new_balances AS (
    INSERT INTO balances (account, amount, version, guarded)
    SELECT account, amount, version, guarded FROM fit, moved WHERE fits AND before = 0 ORDER BY account
  ),
  new_entries AS (
    INSERT INTO entries (stream, sequence, hash, body, command, subject)
    SELECT $1, $4 + number, hash, body, command, subject
    FROM fit, unnest($13::text[], $14::text[], $15::text[], $16::text[]) WITH ORDINALITY AS
      fresh (hash, body, command, subject, number)
    WHERE fits ORDER BY number
  )
  SELECT fits, ${stateColumns('NOT fits')} FROM fit, head_now`
    .replaceAll(/\$(4|6|12)\b/g, '$$$1::bigint')
    .replaceAll(/\$(1|5|7)\b/g, '$$$1::text'),
};

const readHash: PreparedStatement = {
  name: 'hash-there',
  text: 'SELECT hash FROM entries WHERE stream = $1 AND sequence = $2',
};

type PlannedWrite = {
  readonly stream: string;
  readonly after: number;
  readonly plan: AppendPlan;
  /** Balance that the plan assumes for each account before the append. */
  readonly before: ReadonlyMap<Account, Balance>;
};

const lastEntryOf = ({ plan }: PlannedWrite) => plan.entries.at(-1)!;

const commandsOf = ({ plan }: PlannedWrite): readonly string[] =>
  plan.entries.flatMap(({ command }) => (command === null ? [] : [command]));

function parametersOf(write: PlannedWrite): readonly unknown[] {
  const { stream, after, plan, before } = write;
  const { entries, balances } = plan;
  const accounts = [...balances.keys()].toSorted();
  const newBalances = accounts.map((account) => balances.get(account)!);
  return [
    stream,
    encodeTextArray(accounts),
    encodeTextArray(commandsOf(write)),
    after,
    plan.previous,
    plan.epoch,
    lastEntryOf(write).hash,
    newBalances.map(({ amount }) => amount),
    newBalances.map(({ version }) => version),
    accounts.map((account) => before.get(account)!.version),
    accounts.map((account) => (isNonNegativeAccount(account) ? 1 : 0)),
    entries.length,
    encodeTextArray(entries.map(({ hash }) => hash)),
    encodeTextArray(entries.map(({ body }) => body)),
    encodeTextArray(entries.map(({ command }) => command)),
    encodeTextArray(entries.map(({ subject }) => subject)),
  ];
}

/** Stored head, balances and commands. A plan that does not match them is not written. */
type StoredState = {
  readonly head: StreamHead;
  readonly balances: ReadonlyMap<Account, Balance>;
  readonly commands: readonly string[];
};

type TextArray = readonly string[] | null;

function parseState(row: PgRow): StoredState {
  const { sequence, hash, epoch, accounts, amounts, versions, commands } = row as {
    [name in 'sequence' | 'epoch']: number;
  } & { [name in 'accounts' | 'amounts' | 'versions' | 'commands']: TextArray } & { hash: string };
  const safeInteger = (value: unknown): number => {
    const number = Number(value);
    if (typeof value !== 'bigint' && Number.isSafeInteger(number)) return number;
    throw new DamagedStoreError('The event store contains a number that is too large to be exact.');
  };
  return {
    head: { sequence: safeInteger(sequence), hash, epoch: safeInteger(epoch) },
    balances: new Map(
      (accounts ?? []).map((account, index) => [
        account as Account,
        { amount: safeInteger(amounts![index]), version: safeInteger(versions![index]) },
      ]),
    ),
    commands: commands ?? [],
  };
}

/** Maximum number of cached balances; beyond it the cache is cleared. */
const maxCachedBalances = 100_000;

type AppenderOptions = {
  readonly pool: ConnectionPool;
  readonly mutex: KeyedMutex;
  readonly timeoutMs: number;
  /** Records the head of each stream that was read or written. */
  readonly readPositions: ReadPositionTracker;
  /** Called before every append, so that the first append begins the epoch of the writer. */
  readonly beginEpoch: () => Promise<void>;
  /**
   * Makes a small write and waits for its confirmation. Then all data that was readable before the write is on the
   * synchronous standby too.
   */
  readonly confirm: (connection: PgConnection) => Promise<void>;
};

export class PostgresAppender {
  readonly #options: AppenderOptions;
  /**
   * Cached heads by stream. A cached head is never older than the last append to its stream that the database confirmed
   * to this node.
   */
  readonly #heads = new Map<string, StreamHead>();
  #balances = new Map<Account, Balance>();
  /** Appends in doubt by stream: the database did not answer, so they may be committed or not. */
  readonly #inDoubt = new Map<string, PlannedWrite>();

  constructor(options: AppenderOptions) {
    this.#options = options;
  }

  append(batch: AppendRequest): Promise<AppendResult> {
    const prepared = serializeAppend(batch);
    const accounts = [
      ...new Set(prepared.entries.flatMap(({ postings }) => postings.flatMap(({ from, to }) => [from, to]))),
    ];
    const keys = [streamKey(batch.stream), ...accounts.map((account) => `account ${account}`)];
    return this.#options.mutex.run(keys, async () => {
      await this.#options.beginEpoch();
      await this.#resolve(batch.stream);
      return this.#append(batch, prepared, accounts.toSorted());
    });
  }

  async #append(batch: AppendRequest, prepared: SerializedAppend, accounts: readonly Account[]): Promise<AppendResult> {
    const { stream, after } = batch;
    const refresh = async (): Promise<Set<string>> => {
      const ids = prepared.entries.map(({ id }) => id);
      return this.#refreshCache(stream, accounts, await this.#readState(stream, accounts, ids));
    };
    // Only state that was just read may refuse an append, because the cache may be stale.
    let isFresh = after > 0 && !this.#heads.has(stream);
    let commands = isFresh ? await refresh() : new Set<string>();
    for (;;) {
      const before = new Map<Account, Balance>();
      const plan = planAppend(prepared, {
        head: () => this.#heads.get(stream) ?? emptyHead,
        balance: (account) => {
          const balance = this.#balances.get(account) ?? emptyBalance;
          before.set(account, balance);
          return balance;
        },
        existingCommands: () => commands,
      });
      if (isRefused(plan)) {
        if (isFresh) return plan;
        commands = await refresh();
        isFresh = true;
        continue;
      }
      if (plan.entries.length === 0) return { entries: [] };
      const stored = await this.#write({ stream, after, plan, before });
      if (stored === undefined) return decodeAppendReceipt(batch, encodeAppendReceipt(plan));
      commands = this.#refreshCache(stream, accounts, stored);
      isFresh = true;
    }
  }

  /**
   * Writes the append. Returns undefined when the append is written, or the stored state when the plan does not match
   * that state.
   */
  async #write(write: PlannedWrite): Promise<StoredState | undefined> {
    const { stream } = write;
    const attempt = { isInDoubt: this.#inDoubt.has(stream) };
    try {
      const stored = await retryUntilAnswered(this.#options.timeoutMs, attempt, () =>
        this.#attempt(write, attempt.isInDoubt),
      );
      attempt.isInDoubt = false;
      if (stored === undefined) this.#cacheWrite(write);
      return stored;
    } finally {
      if (attempt.isInDoubt) this.#inDoubt.set(stream, write);
      else this.#inDoubt.delete(stream);
    }
  }

  /**
   * Writes once. If an earlier attempt is in doubt, the statement waits for the lock of that attempt on the head. After
   * the wait, the earlier attempt either is committed or can never be committed: the state that it assumes has changed,
   * or this attempt has written the same entries.
   */
  async #attempt(write: PlannedWrite, isInDoubt: boolean): Promise<StoredState | undefined> {
    const { pool, timeoutMs } = this.#options;
    let stored: StoredState | undefined;
    try {
      const [row] = await pool.use((connection) => connection.write(appendStatement, parametersOf(write), timeoutMs));
      stored = row!['fits'] === true ? undefined : parseState(row!);
    } catch (error) {
      // Another writer inserted the new stream, account or command first.
      if (!isUniqueViolation(error)) throw error;
      stored = await this.#readState(write.stream, [...write.before.keys()], commandsOf(write));
    }
    if (stored === undefined || !isInDoubt) return stored;
    return (await this.#isCommitted(write)) ? undefined : stored;
  }

  /**
   * True when the append can be read and `confirm` has succeeded, so that the append is on a synchronous standby too.
   */
  async #isCommitted(write: PlannedWrite): Promise<boolean> {
    const last = lastEntryOf(write);
    return this.#options.pool.use(async (connection) => {
      const [row] = await connection.query(readHash, [write.stream, last.sequence], this.#options.timeoutMs);
      if (row?.['hash'] !== last.hash) return false;
      await this.#options.confirm(connection);
      return true;
    });
  }

  async #readState(stream: string, accounts: readonly Account[], commands: readonly string[]): Promise<StoredState> {
    try {
      return await this.#options.pool.use(async (connection) =>
        parseState((await connection.query(readState, [stream, accounts, commands]))[0]!),
      );
    } catch (error) {
      throw toStoreFailure(error);
    }
  }

  /**
   * Puts the stored state into the cache. Returns the ids of the existing commands. Throws `DatabaseUnavailableError` when
   * the database is behind the cache.
   */
  #refreshCache(stream: string, accounts: readonly Account[], { head, balances, commands }: StoredState): Set<string> {
    const cached = this.#heads.get(stream);
    if (
      cached &&
      (head.sequence < cached.sequence || (head.sequence === cached.sequence && head.hash !== cached.hash))
    ) {
      throw new DatabaseUnavailableError(`The database is behind: ${missingEntryText(stream, cached.sequence)}.`);
    }
    if (head.sequence > 0) this.#cacheHead(stream, head);
    for (const account of accounts) this.#balances.set(account, balances.get(account) ?? emptyBalance);
    this.#limitCache();
    return new Set(commands);
  }

  #cacheWrite(write: PlannedWrite): void {
    const { sequence, hash } = lastEntryOf(write);
    this.#cacheHead(write.stream, { sequence, hash, epoch: write.plan.epoch });
    for (const [account, balance] of write.plan.balances) this.#balances.set(account, balance);
    this.#limitCache();
  }

  #cacheHead(stream: string, head: StreamHead): void {
    this.#heads.set(stream, head);
    this.#options.readPositions.record(stream, head);
  }

  #limitCache(): void {
    if (this.#balances.size > maxCachedBalances) this.#balances = new Map();
  }

  /**
   * Finds out the results of appends in doubt. `scope` limits the search to the appends of one stream, of one account
   * or of some commands; an empty `scope` means all appends.
   */
  async resolveInDoubt(
    scope: { readonly stream?: string; readonly account?: Account; readonly commands?: readonly string[] } = {},
  ): Promise<void> {
    const { stream, account, commands } = scope;
    const isUnscoped = stream === undefined && account === undefined && commands === undefined;
    const ids = new Set(commands);
    for (const write of this.#inDoubt.values()) {
      const isInScope =
        isUnscoped ||
        write.stream === stream ||
        (account !== undefined && write.before.has(account)) ||
        commandsOf(write).some((id) => ids.has(id));
      if (isInScope) await this.#options.mutex.run([streamKey(write.stream)], () => this.#resolve(write.stream));
    }
  }

  async #resolve(stream: string): Promise<void> {
    const write = this.#inDoubt.get(stream);
    if (write === undefined) return;
    const stored = await this.#write(write);
    if (stored) this.#refreshCache(stream, [...write.before.keys()], stored);
  }
}

const streamKey = (stream: string): string => `stream ${stream}`;
