import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Account, isNonNegativeAccount } from '../../ledger/accounts.ts';
import { type SerializedAppend, planAppend, emptyBalance, emptyHead } from '../planAppend.ts';
import { connectSqlite } from './migrations.ts';
import { type Balance, type StreamHead, type Snapshot } from '../store.ts';
import { isCorruptionError } from '../failures.ts';
import { type AppendReceipt, encodeAppendReceipt } from '../appendCodec.ts';
import { type WriterReply, type WriterTask, unpackAppend } from './writerProtocol.ts';

// Writer thread. Group commit: all tasks in the queue share one commit and one flush to disk.

const port = parentPort!;
const { file, writerEpoch } = workerData as { file: string; writerEpoch: number };
const database = connectSqlite(file);

const insertEntry = database.prepare(
  'INSERT INTO entries (stream, sequence, hash, body, command, subject) VALUES (?, ?, ?, ?, ?, ?)',
);
const upsertBalance = database.prepare(
  'INSERT INTO balances (account, amount, version, guarded) VALUES (?, ?, ?, ?) ON CONFLICT (account) DO UPDATE SET amount = excluded.amount, version = excluded.version',
);
const upsertSnapshot = database.prepare(
  'INSERT INTO snapshots (stream, sequence, version, state, hash) VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, version = excluded.version, state = excluded.state, hash = excluded.hash',
);
const deleteSnapshot = database.prepare('DELETE FROM snapshots WHERE stream = ?');
const upsertBlob = database.prepare(
  'INSERT INTO blobs (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes',
);
const upsertHeartbeat = database.prepare(
  'INSERT INTO heartbeats (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at',
);
const upsertValue = database.prepare(
  'INSERT INTO key_values (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value',
);
const insertValueIfAbsent = database.prepare(
  'INSERT INTO key_values (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = value RETURNING value',
);
const deleteValue = database.prepare('DELETE FROM key_values WHERE kind = ? AND id = ?');
const insertCheckpoint = database.prepare('INSERT INTO checkpoints (number, text, signature) VALUES (?, ?, ?)');
const selectLastCheckpoint = database.prepare('SELECT coalesce(max(number), 0) AS number FROM checkpoints');
const selectLastEpoch = database.prepare('SELECT coalesce(max(epoch), 0) AS epoch FROM epochs');
const insertEpoch = database.prepare('INSERT INTO epochs (epoch, at) VALUES (?, ?)');
const selectHead = database.prepare('SELECT sequence, hash, epoch FROM heads WHERE stream = ?');
const upsertHead = database.prepare(
  'INSERT INTO heads (stream, sequence, hash, epoch) VALUES (?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, epoch = excluded.epoch',
);
const selectBalance = database.prepare('SELECT amount, version FROM balances WHERE account = ?');
const selectCommands = database.prepare(
  'SELECT command AS id FROM entries WHERE command IN (SELECT value FROM json_each(?))',
);

/**
 * Caches of heads and balances. Both are cleared when a task or a commit fails, because they may contain values that
 * were rolled back.
 */
let heads = new Map<string, StreamHead>();
let balances = new Map<Account, Balance>();

function append(batch: SerializedAppend): AppendReceipt {
  const plan = planAppend(batch, {
    head: (stream) => heads.get(stream) ?? (selectHead.get(stream) as StreamHead | undefined) ?? emptyHead,
    balance: (account) => balances.get(account) ?? (selectBalance.get(account) as Balance | undefined) ?? emptyBalance,
    existingCommands: (commands) => new Set(selectCommands.all(JSON.stringify(commands)).map(({ id }) => id as string)),
  });
  if (isRefused(plan)) return plan;
  const { stream } = batch;
  for (const { sequence, hash, body, command, subject } of plan.entries) {
    insertEntry.run(stream, sequence, hash, body, command, subject);
  }
  for (const [account, balance] of plan.balances) {
    upsertBalance.run(account, balance.amount, balance.version, isNonNegativeAccount(account) ? 1 : 0);
    balances.set(account, balance);
  }
  const last = plan.entries.at(-1);
  if (last) {
    upsertHead.run(stream, last.sequence, last.hash, plan.epoch);
    heads.set(stream, { sequence: last.sequence, hash: last.hash, epoch: plan.epoch });
  }
  return encodeAppendReceipt(plan);
}

function saveSnapshot(stream: string, snapshot: Snapshot | undefined): void {
  if (snapshot === undefined) deleteSnapshot.run(stream);
  else upsertSnapshot.run(stream, snapshot.sequence, snapshot.version, snapshot.state, snapshot.hash);
}

function run(task: WriterTask): WriterReply['value'] {
  switch (task.type) {
    case 'append':
      return append(unpackAppend(task.batch));
    case 'snapshot':
      saveSnapshot(task.stream, task.snapshot);
      return undefined;
    case 'putBlob':
      upsertBlob.run(task.id, task.bytes);
      return undefined;
    case 'heartbeats':
      for (const name of task.names) upsertHeartbeat.run(name, task.at);
      return undefined;
    case 'putValue':
      if (task.value === undefined) deleteValue.run(task.kind, task.id);
      else upsertValue.run(task.kind, task.id, task.value);
      return undefined;
    case 'putValueIfAbsent':
      return insertValueIfAbsent.get(task.kind, task.id, task.value)!['value'] as string;
    case 'checkpoint':
      assert(
        task.checkpoint.number === (selectLastCheckpoint.get()!['number'] as number) + 1,
        'a checkpoint has the next number',
      );
      insertCheckpoint.run(task.checkpoint.number, task.checkpoint.text, task.checkpoint.signature);
      return undefined;
    case 'close':
      return undefined;
  }
}

let queue: WriterTask[] = [];

/** Runs a task in a savepoint of its own, so that a failed task does not affect the others. */
function attempt(task: WriterTask): WriterReply {
  database.exec('SAVEPOINT one');
  try {
    const value = run(task);
    database.exec('RELEASE one');
    return { number: task.number, value };
  } catch (error) {
    clearCache();
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO one; RELEASE one');
    return failedReply(task, error);
  }
}

/** Reply when another process has begun a later epoch. A `close` still succeeds. */
const fencedReply = ({ number, type }: WriterTask): WriterReply =>
  type === 'close'
    ? { number }
    : { number, error: 'Another process has taken over the event store.', isTakenOver: true };

/** Reply to a failed task. A `close` succeeds anyway, because it writes nothing. */
const failedReply = ({ number, type }: WriterTask, error: unknown): WriterReply =>
  type === 'close'
    ? { number }
    : { number, error: errorText(error), ...(isCorruptionError(error) && { isDamaged: true }) };

function errorText(error: unknown): string {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? String(error) : `${String(error)} (SQLite ${errcode})`;
}

function clearCache(): void {
  heads = new Map();
  balances = new Map();
}

/**
 * True when a failed commit may have left frames in the WAL. SQLite could mistake these frames for a part of a later
 * commit, so the WAL is emptied before the next commit.
 */
let mayHaveStaleFrames = false;

function truncateWal(): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  mayHaveStaleFrames = busy !== 0;
}

function rollBack(): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** True after the commit of the first write. That commit also begins the epoch of this writer. */
let hasBegun = false;

/**
 * Begins the epoch of this writer, if it has not begun. False when another writer has begun an epoch since the store
 * was opened.
 */
function beginEpoch(): boolean {
  const lastEpoch = selectLastEpoch.get()!['epoch'] as number;
  if (hasBegun) return lastEpoch === writerEpoch;
  if (lastEpoch !== writerEpoch - 1) return false;
  insertEpoch.run(writerEpoch, Date.now());
  return true;
}

function flush(): void {
  const tasks = queue;
  queue = [];
  let replies: WriterReply[];
  try {
    rollBack();
    if (mayHaveStaleFrames) truncateWal();
    database.exec('BEGIN IMMEDIATE');
    // A `close` writes nothing, so it begins no epoch.
    const isOver = tasks.every(({ type }) => type === 'close');
    const mayWrite = !isOver && beginEpoch();
    replies = mayWrite ? tasks.map(attempt) : tasks.map(fencedReply);
    database.exec('COMMIT');
    hasBegun ||= mayWrite;
  } catch (error) {
    mayHaveStaleFrames = true;
    clearCache();
    replies = tasks.map((task) => failedReply(task, error));
    try {
      rollBack();
    } catch {
      // The next write tries the rollback again. If the rollback fails again, that write fails with its error.
    }
  }
  port.postMessage(replies);
  if (tasks.some(({ type }) => type === 'close')) {
    database.close();
    port.close();
  }
}

port.on('message', (task: WriterTask) => {
  if (queue.length === 0) setImmediate(flush);
  queue.push(task);
});
port.postMessage([]);
