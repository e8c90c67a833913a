import { assert } from '../../base/assert.ts';
import { parseConnectionUrl, redactedUrl } from './connectionUrl.ts';
import { PostgresAppender } from './postgresAppender.ts';
import { retryUntilAnswered } from './retryWrite.ts';
import { isUniqueViolation, toStoreFailure } from './sqlFailures.ts';
import { connectToPrimary } from './hostSelection.ts';
import { SqlError, type PgConnection, NoAnswerError } from './connection.ts';
import { ConnectionPool } from './connectionPool.ts';
import { type WholeStoreReader } from '../storeExport.ts';
import {
  type RunQuery,
  createPostgresReader,
  readPostgresHeadsAndBalances,
  createPostgresExportReader,
} from './queries.ts';
import { readPostgresSchemaVersion, migratePostgres } from './migrations.ts';
import { ReadPositionTracker } from './readPositions.ts';
import { KeyedMutex } from './keyedMutex.ts';
import {
  MissingStoreError,
  type HeadsAndBalancesChunk,
  type Store,
  type StoredEntry,
  UnusableStoreError,
} from '../store.ts';
import { DatabaseUnavailableError, StoreWriterEndedError, checkpointConflictError } from '../failures.ts';

export type PostgresStoreOptions = {
  /** Throws `MissingStoreError` when the database contains no store, instead of creating one. */
  readonly mustExist?: boolean;
  readonly maxConnections?: number;
  /** Milliseconds after which a write without an answer is in doubt, and a wait for a free connection fails. */
  readonly timeoutMs?: number;
  /** Last entry of each stream that this process has read. In a cluster, `ClusterMembership` uses the same object. */
  readonly readPositions?: ReadPositionTracker;
};

const unconfirmedText = (subject: string): string =>
  `${subject} does not confirm writes; its synchronous standby may be down`;

const defaults = { mustExist: false, maxConnections: 10, timeoutMs: 10_000 } as const;

const upsertSnapshot = `INSERT INTO snapshots (stream, sequence, version, state, hash) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (stream) DO UPDATE
  SET sequence = excluded.sequence, version = excluded.version, state = excluded.state, hash = excluded.hash`;
const upsertHeartbeats = `INSERT INTO heartbeats (name, at) SELECT name, $2 FROM unnest($1::text[]) AS names (name) ORDER BY name
  ON CONFLICT (name) DO UPDATE SET at = excluded.at`;
const upsertBlob =
  'INSERT INTO blobs (id, bytes) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes';
const upsertValue = `INSERT INTO key_values (kind, id, value) VALUES ($1, $2, $3)
  ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`;
/** Inserts a value. An existing value is written again unchanged, so that the synchronous standby confirms it too. */
const insertValueIfAbsent = `INSERT INTO key_values (kind, id, value) VALUES ($1, $2, $3)
  ON CONFLICT (kind, id) DO UPDATE SET value = key_values.value RETURNING value`;
const insertCheckpoint = `INSERT INTO checkpoints (number, text, signature)
  SELECT $1::bigint, $2::text, $3::text WHERE $1::bigint = (SELECT coalesce(max(number), 0) + 1 FROM checkpoints)
  RETURNING number`;
const insertEpoch = `INSERT INTO epochs (epoch, at, begun, confirmations)
  SELECT coalesce(max(epoch), 0) + 1, $1, false, 0 FROM epochs RETURNING epoch`;

/**
 * Opens an event store in PostgreSQL. Several nodes write to the store at once; no lock covers the whole store. Each
 * stream is fenced by the sequence and epoch of its head. Each opened store has a unique `writerEpoch`, which is
 * reserved at the opening and begins with the first write. An epoch without a write is released when the store is
 * closed.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const {
    mustExist,
    maxConnections,
    timeoutMs,
    readPositions = new ReadPositionTracker(),
  } = { ...defaults, ...options };
  const address = parseConnectionUrl(url);
  const initial = await orUnusable(connectToPrimary(address, { timeoutMs, check: async () => undefined }));
  let writerEpoch: number;
  try {
    await migratePostgres(initial, address, mustExist, timeoutMs);
    writerEpoch = await reserveEpoch(initial, timeoutMs);
  } catch (error) {
    if (!(error instanceof NoAnswerError) || !error.isTimeout) throw unusable(error);
    throw new UnusableStoreError(`${unconfirmedText(`The database ${redactedUrl(address)}`)}.`);
  } finally {
    await initial.close();
  }

  let preferredHost: string | undefined = initial.host;
  const connect = async (): Promise<PgConnection> => {
    const connection = await connectToPrimary(address, { preferredHost, timeoutMs, check: rejection });
    preferredHost = connection.host;
    return connection;
  };
  const pool = new ConnectionPool(maxConnections, timeoutMs, connect);
  const mutex = new KeyedMutex();
  /**
   * Makes a small write. When the write is confirmed, all data that was readable before it is on the synchronous
   * standby too.
   */
  const confirm = async (connection: PgConnection): Promise<void> => {
    const rows = await connection.write(
      'UPDATE epochs SET confirmations = confirmations + 1 WHERE epoch = $1 RETURNING epoch',
      [writerEpoch],
      timeoutMs,
    );
    if (rows.length === 0)
      throw new DatabaseUnavailableError('The database contains another event store than the one that was opened.');
  };
  const appender = new PostgresAppender({ pool, mutex, timeoutMs, readPositions, beginEpoch: () => begin(), confirm });
  async function rejection(connection: PgConnection): Promise<string | undefined> {
    const mismatch = await readPositions.findMismatch(connection, timeoutMs);
    if (mismatch !== undefined) return mismatch;
    try {
      await confirm(connection);
      return undefined;
    } catch (error) {
      if (error instanceof DatabaseUnavailableError)
        return `${connection.host} contains another event store than the one that was opened`;
      const isUnconfirmed =
        error instanceof NoAnswerError ? error.isTimeout : error instanceof SqlError && error.state === '55P03';
      if (!isUnconfirmed) throw error;
      return unconfirmedText(connection.host);
    }
  }

  const write = (statement: string, values: readonly unknown[]) =>
    retryUntilAnswered(timeoutMs, { isInDoubt: false }, () =>
      pool.use((connection) => connection.write(statement, values, timeoutMs)),
    );
  let isClosed = false;
  let epochBegun: Promise<unknown> | undefined;
  const begin = async (): Promise<void> => {
    epochBegun ??= write('UPDATE epochs SET begun = true WHERE epoch = $1', [writerEpoch]);
    try {
      await epochBegun;
    } catch (error) {
      epochBegun = undefined;
      throw error;
    }
  };
  /** Keyed mutex for writes: writes with the same key run in FIFO order. */
  const serialized = async <Result>(key: string, task: () => Promise<Result>): Promise<Result> => {
    if (isClosed) throw new StoreWriterEndedError('The event store is closed.');
    return mutex.run([key], async () => {
      await begin();
      return task();
    });
  };
  const put = async (key: string, statement: string, values: readonly unknown[]): Promise<void> =>
    void (await serialized(key, () => write(statement, values)));

  /** Runs a read. A read without an answer is retried once, because the server may have ended an idle connection. */
  const query: RunQuery = async (statement, values) => {
    const attempt = (): Promise<Awaited<ReturnType<RunQuery>>> =>
      pool.use((connection) => connection.query(statement, values));
    try {
      return await attempt().catch((error: unknown) => {
        if (error instanceof NoAnswerError) return attempt();
        throw error;
      });
    } catch (error) {
      throw toStoreFailure(error);
    }
  };
  const queries = createPostgresReader(query);

  async function* trackPositions(pages: AsyncIterable<readonly StoredEntry[]>): AsyncGenerator<readonly StoredEntry[]> {
    for await (const entries of pages) {
      for (const entry of entries) readPositions.record(entry.stream, entry);
      yield entries;
    }
  }

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    isClosed = true;
    await mutex.whenIdle();
    if (epochBegun === undefined) await releaseEpoch(pool, writerEpoch, timeoutMs);
    await pool.close();
  };

  return {
    ...queries,
    writerEpoch,
    append: async (batch) => {
      if (isClosed) throw new StoreWriterEndedError('The event store is closed.');
      return appender.append(batch);
    },
    read: async function* (stream, after, pageSize) {
      await appender.resolveInDoubt({ stream });
      yield* trackPositions(queries.read(stream, after, pageSize));
    },
    readMany: (positions, maxEntries) => trackPositions(queries.readMany!(positions, maxEntries)),
    heads: async () => {
      await appender.resolveInDoubt();
      return queries.heads();
    },
    balance: async (account) => {
      await appender.resolveInDoubt({ account });
      return queries.balance(account);
    },
    balances: async () => {
      await appender.resolveInDoubt();
      return queries.balances();
    },
    findCommands: async (ids) => {
      await appender.resolveInDoubt({ commands: ids });
      return queries.findCommands(ids);
    },
    findBySubject: async (subject, from) => {
      await appender.resolveInDoubt();
      return queries.findBySubject(subject, from);
    },
    readHeadsAndBalances: async function* () {
      await appender.resolveInDoubt();
      const connection = await pool.acquire();
      try {
        yield* readSnapshot(connection);
      } finally {
        pool.release(connection);
      }
    },
    saveSnapshot: (stream, snapshot) =>
      snapshot === undefined
        ? put(`snapshot ${stream}`, 'DELETE FROM snapshots WHERE stream = $1', [stream])
        : put(`snapshot ${stream}`, upsertSnapshot, [
            stream,
            snapshot.sequence,
            snapshot.version,
            snapshot.state,
            snapshot.hash,
          ]),
    putBlob: (id, bytes) => put(`blob ${id}`, upsertBlob, [id, Buffer.from(bytes)]),
    recordHeartbeats: (names, at) => put('heartbeats', upsertHeartbeats, [[...new Set(names)], at]),
    putValue: (kind, id, value) =>
      value === undefined
        ? put(`value ${kind} ${id}`, 'DELETE FROM key_values WHERE kind = $1 AND id = $2', [kind, id])
        : put(`value ${kind} ${id}`, upsertValue, [kind, id, value]),
    putValueIfAbsent: async (kind, id, value) => {
      const [row] = await serialized(`value ${kind} ${id}`, () => write(insertValueIfAbsent, [kind, id, value]));
      return row!['value'] as string;
    },
    saveCheckpoint: ({ number, text, signature }) =>
      serialized('checkpoints', () =>
        retryUntilAnswered(timeoutMs, { isInDoubt: false }, ({ isInDoubt: isDoubtful }) =>
          pool.use(async (connection) => {
            const isNext = await connection.write(insertCheckpoint, [number, text, signature], timeoutMs).then(
              (rows) => rows.length > 0,
              (error: unknown) => {
                if (isUniqueViolation(error)) return false;
                throw error;
              },
            );
            if (isNext) return;
            const [existing] = await connection.query('SELECT text, signature FROM checkpoints WHERE number = $1', [
              number,
            ]);
            assert(existing !== undefined, 'a checkpoint has the next number');
            const isOwn = isDoubtful && existing['text'] === text && existing['signature'] === signature;
            if (!isOwn) throw checkpointConflictError(number);
            await confirm(connection);
          }),
        ),
      ),
    close: () => (closing ??= close()),
  };
}

async function reserveEpoch(connection: PgConnection, timeoutMs: number): Promise<number> {
  for (;;) {
    try {
      const [row] = await connection.write(insertEpoch, [Date.now()], timeoutMs);
      return row!['epoch'] as number;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
  }
}

/**
 * Deletes the reserved epoch of a writer that wrote nothing. If the database does not answer, the epoch stays reserved,
 * which is harmless.
 */
async function releaseEpoch(pool: ConnectionPool, epoch: number, timeoutMs: number): Promise<void> {
  try {
    await pool.use((connection) =>
      connection.write('DELETE FROM epochs WHERE epoch = $1 AND NOT begun', [epoch], timeoutMs),
    );
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError) && !(error instanceof NoAnswerError)) throw error;
  }
}

/** Opens a reader of the whole store as of one moment, even while nodes write to the store. */
export async function openPostgresWholeStoreReader(
  url: string,
): Promise<WholeStoreReader & Pick<Store, 'readHeadsAndBalances'>> {
  const address = parseConnectionUrl(url);
  const connection = await orUnusable(
    connectToPrimary(address, { timeoutMs: defaults.timeoutMs, check: async () => undefined }),
  );
  try {
    if ((await readPostgresSchemaVersion(connection, address)) === 0)
      throw new MissingStoreError('There is no event store in the database.');
    await connection.query(beginSnapshot);
  } catch (error) {
    await connection.close();
    throw unusable(error);
  }
  const query: RunQuery = async (statement, values) => {
    try {
      return await connection.query(statement, values, readTimeoutMs);
    } catch (error) {
      throw toStoreFailure(error);
    }
  };
  return {
    ...createPostgresReader(query),
    ...createPostgresExportReader(query),
    readHeadsAndBalances: () => readPostgresHeadsAndBalances(query),
    close: () => connection.close(),
  };
}

const readTimeoutMs = 600_000;

const beginSnapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function* readSnapshot(connection: PgConnection): AsyncGenerator<HeadsAndBalancesChunk> {
  try {
    await connection.query(beginSnapshot);
    yield* readPostgresHeadsAndBalances((statement, values) => connection.query(statement, values));
  } catch (error) {
    throw toStoreFailure(error);
  } finally {
    if (!connection.isBroken) await connection.query('ROLLBACK');
  }
}

/**
 * Converts an error at the opening of a store. An unavailable database becomes `UnusableStoreError`, because the
 * operator must correct the cause.
 */
function unusable(error: unknown): unknown {
  const failure = toStoreFailure(error);
  return failure instanceof DatabaseUnavailableError ? new UnusableStoreError(failure.message) : failure;
}

async function orUnusable(connecting: Promise<PgConnection>): Promise<PgConnection> {
  try {
    return await connecting;
  } catch (error) {
    throw unusable(error);
  }
}
