import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import { isRefused } from '../../base/refusal.ts';
import { type Account, isGuarded } from '../../ledger/accounts.ts';
import { type Prepared, planAppend, untouched, emptyHead } from '../hashChain.ts';
import { connect } from './migrations.ts';
import { type Balance, type StreamHead, type Snapshot } from '../store.ts';
import { isCorruption } from '../failures.ts';
import { type WriterReply, type WriterTask, type AppendReceipt, encodeReceipt, unpacked } from '../appendCodec.ts';

// The one thread that writes. It takes all that waits at once and makes it durable with one commit: hundreds of slips
// share the wait for the disk.

const port = parentPort!;
const { file, held } = workerData as { file: string; held: number };
const database = connect(file);

const insertEntry = database.prepare(
  'INSERT INTO entries (stream, sequence, hash, body, command, subject) VALUES (?, ?, ?, ?, ?, ?)',
);
const putBalance = database.prepare(
  'INSERT INTO balances (account, amount, version, guarded) VALUES (?, ?, ?, ?) ON CONFLICT (account) DO UPDATE SET amount = excluded.amount, version = excluded.version',
);
const putSnapshot = database.prepare(
  'INSERT INTO snapshots (stream, sequence, form, state, hash) VALUES (?, ?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, form = excluded.form, state = excluded.state, hash = excluded.hash',
);
const dropSnapshot = database.prepare('DELETE FROM snapshots WHERE stream = ?');
const putSealed = database.prepare(
  'INSERT INTO sealed (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes',
);
const putBeat = database.prepare(
  'INSERT INTO beats (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at',
);
const putAside = database.prepare(
  'INSERT INTO aside (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value',
);
const claimAside = database.prepare(
  'INSERT INTO aside (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = value RETURNING value',
);
const dropAside = database.prepare('DELETE FROM aside WHERE kind = ? AND id = ?');
const putCheckpoint = database.prepare('INSERT INTO checkpoints (number, text, signature) VALUES (?, ?, ?)');
const lastCheckpoint = database.prepare('SELECT coalesce(max(number), 0) AS number FROM checkpoints');
const lastEpoch = database.prepare('SELECT coalesce(max(epoch), 0) AS epoch FROM epochs');
const beginEpoch = database.prepare('INSERT INTO epochs (epoch, at) VALUES (?, ?)');
const headOf = database.prepare('SELECT sequence, hash, epoch FROM heads WHERE stream = ?');
const putHead = database.prepare(
  'INSERT INTO heads (stream, sequence, hash, epoch) VALUES (?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, epoch = excluded.epoch',
);
const balanceOf = database.prepare('SELECT amount, version FROM balances WHERE account = ?');
const commandsOf = database.prepare(
  'SELECT command AS id FROM entries WHERE command IN (SELECT value FROM json_each(?))',
);

/** What is known without asking the disk; put aside when a commit fails. */
let heads = new Map<string, StreamHead>();
let balances = new Map<Account, Balance>();

function appendNow(batch: Prepared): AppendReceipt {
  const booked = planAppend(batch, {
    head: (stream) => heads.get(stream) ?? (headOf.get(stream) as StreamHead | undefined) ?? emptyHead,
    balance: (account) => balances.get(account) ?? (balanceOf.get(account) as Balance | undefined) ?? untouched,
    known: (commands) => new Set(commandsOf.all(JSON.stringify(commands)).map(({ id }) => id as string)),
  });
  if (isRefused(booked)) return booked;
  const { stream } = batch;
  for (const { sequence, hash, body, command, subject } of booked.entries) {
    insertEntry.run(stream, sequence, hash, body, command, subject);
  }
  for (const [account, balance] of booked.balances) {
    putBalance.run(account, balance.amount, balance.version, isGuarded(account) ? 1 : 0);
    balances.set(account, balance);
  }
  const last = booked.entries.at(-1);
  if (last) {
    putHead.run(stream, last.sequence, last.hash, booked.epoch);
    heads.set(stream, { sequence: last.sequence, hash: last.hash, epoch: booked.epoch });
  }
  return encodeReceipt(booked);
}

function keepSnapshot(stream: string, snapshot: Snapshot | undefined): void {
  if (snapshot === undefined) dropSnapshot.run(stream);
  else putSnapshot.run(stream, snapshot.sequence, snapshot.form, snapshot.state, snapshot.hash);
}

function carryOut(task: WriterTask): WriterReply['value'] {
  switch (task.type) {
    case 'append':
      return appendNow(unpacked(task.batch));
    case 'snapshot':
      keepSnapshot(task.stream, task.snapshot);
      return undefined;
    case 'seal':
      putSealed.run(task.id, task.bytes);
      return undefined;
    case 'beat':
      for (const name of task.names) putBeat.run(name, task.at);
      return undefined;
    case 'aside':
      if (task.value === undefined) dropAside.run(task.kind, task.id);
      else putAside.run(task.kind, task.id, task.value);
      return undefined;
    case 'claim':
      return claimAside.get(task.kind, task.id, task.value)!['value'] as string;
    case 'checkpoint':
      assert(task.checkpoint.number === (lastCheckpoint.get()!['number'] as number) + 1, 'a checkpoint is the next');
      putCheckpoint.run(task.checkpoint.number, task.checkpoint.text, task.checkpoint.signature);
      return undefined;
    case 'close':
      return undefined;
  }
}

let waiting: WriterTask[] = [];

/** One that fails fails alone; nothing of it stands. */
function attempt(task: WriterTask): WriterReply {
  database.exec('SAVEPOINT one');
  try {
    const value = carryOut(task);
    database.exec('RELEASE one');
    return { number: task.number, value };
  } catch (error) {
    forget();
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO one; RELEASE one');
    return failed(task, error);
  }
}

/** Nothing is written once another program has opened the record; one may still close. */
const fence = ({ number, type }: WriterTask): WriterReply =>
  type === 'close' ? { number } : { number, error: 'another program has opened it', isTakenOver: true };

/** Whatever a disk cannot do is an answer; nobody dies of it. To end nothing has to be written. */
const failed = ({ number, type }: WriterTask, error: unknown): WriterReply =>
  type === 'close' ? { number } : { number, error: textOf(error), ...(isCorruption(error) && { damaged: true }) };

function textOf(error: unknown): string {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? String(error) : `${String(error)} (SQLite ${errcode})`;
}

/** What was worked out may not stand: the disk is asked again. */
function forget(): void {
  heads = new Map();
  balances = new Map();
}

/** Whether frames of a commit that failed may lie in the log, where they could be taken for a part of a later one. */
let isUnclean = false;

function clean(): void {
  const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
  isUnclean = busy !== 0;
}

/** Nothing of a commit that failed stands. */
function undo(): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** Whether the epoch of this opener has begun: it does with what is written first, in the same commit. */
let isBegun = false;

/** Whether this opener may write: nobody has begun an epoch since it began its own, or since it opened the record. */
function begin(): boolean {
  const last = lastEpoch.get()!['epoch'] as number;
  if (isBegun) return last === held;
  if (last !== held - 1) return false;
  beginEpoch.run(held, Date.now());
  return true;
}

function flush(): void {
  const tasks = waiting;
  waiting = [];
  let answers: WriterReply[];
  try {
    undo();
    if (isUnclean) clean();
    database.exec('BEGIN IMMEDIATE');
    // To end nothing has to be written.
    const isOver = tasks.every(({ type }) => type === 'close');
    const mayWrite = !isOver && begin();
    answers = mayWrite ? tasks.map(attempt) : tasks.map(fence);
    database.exec('COMMIT');
    isBegun ||= mayWrite;
  } catch (error) {
    isUnclean = true;
    forget();
    answers = tasks.map((task) => failed(task, error));
    try {
      undo();
    } catch {
      // The disk fails at that too; nothing is written before it has been done, and then it says why.
    }
  }
  port.postMessage(answers);
  if (tasks.some(({ type }) => type === 'close')) {
    database.close();
    port.close();
  }
}

port.on('message', (task: WriterTask) => {
  if (waiting.length === 0) setImmediate(flush);
  waiting.push(task);
});
port.postMessage([]);
