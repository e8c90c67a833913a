import { assert } from '../../base/assert.ts';
import { parseConnectionUrl, redactedUrl } from './connectionUrl.ts';
import { Appender } from './appender.ts';
import { isTaken, toFailure, retryUntilKnown } from './retryWrite.ts';
import { connectToPrimary } from './hostSelection.ts';
import { SqlError, type PgConnection, NoAnswer } from './connection.ts';
import { Pool } from './connectionPool.ts';
import { type FullReader } from '../storeExport.ts';
import { type RunStatement, postgresQueries, postgresHeadsAndBalances, postgresFullReader } from './queries.ts';
import { postgresSchemaVersion, migratePostgres } from './migrations.ts';
import { ReadPositions } from './readPositions.ts';
import { KeyedMutex } from './keyedMutex.ts';
import { MissingRecord, type HeadsAndBalances, type Store, type StoredEntry, UnusableData } from '../store.ts';
import { DatabaseAway, RecordLost, checkpointConflict } from '../failures.ts';

export type PostgresOpening = {
  /** Whether there must be a record. */
  readonly mustExist?: boolean;
  /** So many connections at most. */
  readonly connections?: number;
  /** So long an answer is waited for before nobody knows what became of it, in milliseconds. */
  readonly patience?: number;
  /** How far this program has seen the record, where it does so in other ways as well. */
  readonly seen?: ReadPositions;
};

const unconfirmed = 'does not confirm what is written; its synchronous standby may be lost';

const usual = { mustExist: false, connections: 10, patience: 10_000 } as const;

const snapshotText = `INSERT INTO snapshots (stream, sequence, form, state, hash) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (stream) DO UPDATE
  SET sequence = excluded.sequence, form = excluded.form, state = excluded.state, hash = excluded.hash`;
const beatText = `INSERT INTO beats (name, at) SELECT name, $2 FROM unnest($1::text[]) AS names (name) ORDER BY name
  ON CONFLICT (name) DO UPDATE SET at = excluded.at`;
const sealText = 'INSERT INTO sealed (id, bytes) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes';
const asideText = `INSERT INTO aside (kind, id, value) VALUES ($1, $2, $3)
  ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`;
/** What stands is written once more: then it is on the standby as well, where one is waited for. */
const claimText = `INSERT INTO aside (kind, id, value) VALUES ($1, $2, $3)
  ON CONFLICT (kind, id) DO UPDATE SET value = aside.value RETURNING value`;
const checkpointText = `INSERT INTO checkpoints (number, text, signature)
  SELECT $1::bigint, $2::text, $3::text WHERE $1::bigint = (SELECT coalesce(max(number), 0) + 1 FROM checkpoints)
  RETURNING number`;
const openText = `INSERT INTO epochs (epoch, at, begun, seen)
  SELECT coalesce(max(epoch), 0) + 1, $1, false, 0 FROM epochs RETURNING epoch`;

/**
 * The record in a PostgreSQL database. Several nodes write to it at once, so there is no lock on the whole and nobody is
 * taken over: a stream is fenced by its head, by sequence and by epoch. `held` is a number that no other opener has; it is
 * taken on opening, since several may open at the same moment, counts once something was written under it, and is given
 * back on closing where nothing was.
 */
export async function postgresStore(text: string, opening: PostgresOpening = {}): Promise<Store> {
  const { mustExist, connections, patience, seen = new ReadPositions() } = { ...usual, ...opening };
  const address = parseConnectionUrl(text);
  const first = await opened(connectToPrimary(address, { patience, check: async () => undefined }));
  let held: number;
  try {
    await migratePostgres(first, address, mustExist, patience);
    held = await numberIn(first, patience);
  } catch (error) {
    if (!(error instanceof NoAnswer) || !error.isLate) throw unusable(error);
    throw new UnusableData(`The database ${redactedUrl(address)} ${unconfirmed}.`);
  } finally {
    await first.close();
  }

  let last: string | undefined = first.at;
  const connect = async (): Promise<PgConnection> => {
    const link = await connectToPrimary(address, { first: last, patience, check: checked });
    last = link.at;
    return link;
  };
  const pool = new Pool(connections, patience, connect);
  const turns = new KeyedMutex();
  /** All that could be seen before is on the standby as well, where one is waited for, once this has been acknowledged. */
  const confirm = async (link: PgConnection): Promise<void> => {
    const rows = await link.write(
      'UPDATE epochs SET seen = seen + 1 WHERE epoch = $1 RETURNING epoch',
      [held],
      patience,
    );
    if (rows.length === 0) throw new DatabaseAway('The database holds another record than the one that was opened.');
  };
  const appender = new Appender({ pool, turns, patience, seen, begin: () => begin(), confirm });
  async function checked(link: PgConnection): Promise<string | undefined> {
    const strange = await seen.strangeIn(link, patience);
    if (strange !== undefined) return strange;
    try {
      await confirm(link);
      return undefined;
    } catch (error) {
      if (error instanceof DatabaseAway) return 'holds another record than the one that was opened';
      const isStuck = error instanceof NoAnswer ? error.isLate : error instanceof SqlError && error.state === '55P03';
      if (!isStuck) throw error;
      return unconfirmed;
    }
  }

  const write = (statement: string, values: readonly unknown[]) =>
    retryUntilKnown(patience, { isDoubtful: false }, () => pool.use((link) => link.write(statement, values, patience)));
  let isClosed = false;
  let begun: Promise<unknown> | undefined;
  const begin = async (): Promise<void> => {
    begun ??= write('UPDATE epochs SET begun = true WHERE epoch = $1', [held]);
    try {
      await begun;
    } catch (error) {
      begun = undefined;
      throw error;
    }
  };
  /** What concerns the same happens in the order in which it was asked for. */
  const inTurn = async <Given>(key: string, act: () => Promise<Given>): Promise<Given> => {
    if (isClosed) throw new RecordLost('The record is closed.');
    return turns.take([key], async () => {
      await begin();
      return act();
    });
  };
  const put = async (key: string, statement: string, values: readonly unknown[]): Promise<void> =>
    void (await inTurn(key, () => write(statement, values)));

  /** A connection that was lost while nothing was asked is found out by asking; that may be asked again. */
  const ask: RunStatement = async (statement, values) => {
    const once = (): Promise<Awaited<ReturnType<RunStatement>>> => pool.use((link) => link.ask(statement, values));
    try {
      return await once().catch((error: unknown) => {
        if (error instanceof NoAnswer) return once();
        throw error;
      });
    } catch (error) {
      throw toFailure(error);
    }
  };
  const read = postgresQueries(ask);

  async function* noted(parts: AsyncIterable<readonly StoredEntry[]>): AsyncGenerator<readonly StoredEntry[]> {
    for await (const entries of parts) {
      for (const entry of entries) seen.note(entry.stream, entry);
      yield entries;
    }
  }

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    isClosed = true;
    await turns.idle();
    if (begun === undefined) await giveBack(pool, held, patience);
    await pool.close();
  };

  return {
    ...read,
    writerEpoch: held,
    append: async (batch) => {
      if (isClosed) throw new RecordLost('The record is closed.');
      return appender.append(batch);
    },
    read: async function* (stream, after, atOnce) {
      await appender.settle({ stream });
      yield* noted(read.read(stream, after, atOnce));
    },
    readMany: (places, most) => noted(read.readMany!(places, most)),
    heads: async () => {
      await appender.settle();
      return read.heads();
    },
    balance: async (account) => {
      await appender.settle({ account });
      return read.balance(account);
    },
    balances: async () => {
      await appender.settle();
      return read.balances();
    },
    findCommands: async (ids) => {
      await appender.settle({ commands: ids });
      return read.findCommands(ids);
    },
    findBySubject: async (subject, from) => {
      await appender.settle();
      return read.findBySubject(subject, from);
    },
    readHeadsAndBalances: async function* () {
      await appender.settle();
      const link = await pool.take();
      try {
        yield* standing(link);
      } finally {
        pool.give(link);
      }
    },
    saveSnapshot: (stream, snapshot) =>
      snapshot === undefined
        ? put(`snapshot ${stream}`, 'DELETE FROM snapshots WHERE stream = $1', [stream])
        : put(`snapshot ${stream}`, snapshotText, [
            stream,
            snapshot.sequence,
            snapshot.form,
            snapshot.state,
            snapshot.hash,
          ]),
    putBlob: (id, bytes) => put(`seal ${id}`, sealText, [id, Buffer.from(bytes)]),
    recordHeartbeats: (names, at) => put('beats', beatText, [[...new Set(names)], at]),
    putValue: (kind, id, value) =>
      value === undefined
        ? put(`aside ${kind} ${id}`, 'DELETE FROM aside WHERE kind = $1 AND id = $2', [kind, id])
        : put(`aside ${kind} ${id}`, asideText, [kind, id, value]),
    putValueIfAbsent: async (kind, id, value) => {
      const [row] = await inTurn(`aside ${kind} ${id}`, () => write(claimText, [kind, id, value]));
      return row!['value'] as string;
    },
    checkpoint: ({ number, text: said, signature }) =>
      inTurn('checkpoints', () =>
        retryUntilKnown(patience, { isDoubtful: false }, ({ isDoubtful }) =>
          pool.use(async (link) => {
            const isNext = await link.write(checkpointText, [number, said, signature], patience).then(
              (rows) => rows.length > 0,
              (error: unknown) => {
                if (isTaken(error)) return false;
                throw error;
              },
            );
            if (isNext) return;
            const [there] = await link.ask('SELECT text, signature FROM checkpoints WHERE number = $1', [number]);
            assert(there !== undefined, 'a checkpoint is the next');
            const isOwn = isDoubtful && there['text'] === said && there['signature'] === signature;
            if (!isOwn) throw checkpointConflict(number);
            await confirm(link);
          }),
        ),
      ),
    close: () => (closing ??= close()),
  };
}

/** Takes a number that nobody else has. */
async function numberIn(link: PgConnection, patience: number): Promise<number> {
  for (;;) {
    try {
      const [row] = await link.write(openText, [Date.now()], patience);
      return row!['epoch'] as number;
    } catch (error) {
      if (!isTaken(error)) throw error;
    }
  }
}

/** To end nothing has to be written: a number that cannot be given back is left out. */
async function giveBack(pool: Pool, held: number, patience: number): Promise<void> {
  try {
    await pool.use((link) => link.write('DELETE FROM epochs WHERE epoch = $1 AND NOT begun', [held], patience));
  } catch (error) {
    if (!(error instanceof DatabaseAway) && !(error instanceof NoAnswer)) throw error;
  }
}

/** The record of a database for one who only looks: all of it as of one moment, also while others write. */
export async function postgresReader(text: string): Promise<FullReader & Pick<Store, 'readHeadsAndBalances'>> {
  const address = parseConnectionUrl(text);
  const link = await opened(connectToPrimary(address, { patience: usual.patience, check: async () => undefined }));
  try {
    if ((await postgresSchemaVersion(link, address)) === 0)
      throw new MissingRecord('There is no record in the database.');
    await link.ask(snapshot);
  } catch (error) {
    await link.close();
    throw unusable(error);
  }
  const ask: RunStatement = async (statement, values) => {
    try {
      return await link.ask(statement, values, longestLook);
    } catch (error) {
      throw toFailure(error);
    }
  };
  return {
    ...postgresQueries(ask),
    ...postgresFullReader(ask),
    readHeadsAndBalances: () => postgresHeadsAndBalances(ask),
    close: () => link.close(),
  };
}

/** Whoever looks at all of a record may wait so long for a part of it, in milliseconds. */
const longestLook = 600_000;

const snapshot = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function* standing(link: PgConnection): AsyncGenerator<HeadsAndBalances> {
  try {
    await link.ask(snapshot);
    yield* postgresHeadsAndBalances((statement, values) => link.ask(statement, values));
  } catch (error) {
    throw toFailure(error);
  } finally {
    if (!link.isBroken) await link.ask('ROLLBACK');
  }
}

/** What is wrong on opening is the operator's matter, in one sentence. */
function unusable(error: unknown): unknown {
  const trouble = toFailure(error);
  return trouble instanceof DatabaseAway ? new UnusableData(trouble.message) : trouble;
}

async function opened(link: Promise<PgConnection>): Promise<PgConnection> {
  try {
    return await link;
  } catch (error) {
    throw unusable(error);
  }
}
