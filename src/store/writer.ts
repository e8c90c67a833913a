import { parentPort, workerData } from 'node:worker_threads';
import { type Account } from '../ledger/accounts.ts';
import { type Prepared, beginning, book, isGuarded, untouched } from './chain.ts';
import { openRecord } from './migrations.ts';
import { type Balance, type Head } from './store.ts';
import { type Answer, type Ask, type Written, shortened, unpacked } from './writing.ts';

// The one thread that writes. It takes all that waits at once and makes it durable with one commit: hundreds of slips
// share the wait for the disk.

const port = parentPort!;
const database = openRecord((workerData as { file: string }).file);

const insertEntry = database.prepare(
  'INSERT INTO entries (stream, sequence, hash, body, command) VALUES (?, ?, ?, ?, ?)',
);
const putBalance = database.prepare(
  'INSERT INTO balances (account, amount, version, guarded) VALUES (?, ?, ?, ?) ON CONFLICT (account) DO UPDATE SET amount = excluded.amount, version = excluded.version',
);
const putSnapshot = database.prepare(
  'INSERT INTO snapshots (stream, sequence, state, hash) VALUES (?, ?, ?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, state = excluded.state, hash = excluded.hash',
);
const putSealed = database.prepare(
  'INSERT INTO sealed (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes',
);
const putBeat = database.prepare(
  'INSERT INTO beats (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at',
);
const headOf = database.prepare('SELECT sequence, hash FROM heads WHERE stream = ?');
const putHead = database.prepare(
  'INSERT INTO heads (stream, sequence, hash) VALUES (?, ?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash',
);
const balanceOf = database.prepare('SELECT amount, version FROM balances WHERE account = ?');
const commandsOf = database.prepare(
  'SELECT command AS id FROM entries WHERE command IN (SELECT value FROM json_each(?))',
);

/** What is known without asking the disk; put aside when a commit fails. */
let heads = new Map<string, Head>();
let balances = new Map<Account, Balance>();

function appendNow(batch: Prepared): Written {
  const booked = book(batch, {
    head: (stream) => heads.get(stream) ?? (headOf.get(stream) as Head | undefined) ?? { sequence: 0, hash: beginning },
    balance: (account) => balances.get(account) ?? (balanceOf.get(account) as Balance | undefined) ?? untouched,
    known: (commands) => new Set(commandsOf.all(JSON.stringify(commands)).map(({ id }) => id as string)),
  });
  if ('refused' in booked) return booked;
  const { stream } = batch;
  for (const { sequence, hash, body, command } of booked.entries) {
    insertEntry.run(stream, sequence, hash, body, command);
  }
  for (const [account, balance] of booked.balances) {
    putBalance.run(account, balance.amount, balance.version, isGuarded(account) ? 1 : 0);
    balances.set(account, balance);
  }
  const last = booked.entries.at(-1);
  if (last) {
    putHead.run(stream, last.sequence, last.hash);
    heads.set(stream, { sequence: last.sequence, hash: last.hash });
  }
  return shortened(booked);
}

function carryOut(ask: Ask): Answer['value'] {
  switch (ask.type) {
    case 'append':
      return appendNow(unpacked(ask.batch));
    case 'snapshot':
      putSnapshot.run(ask.stream, ask.snapshot.sequence, ask.snapshot.state, ask.snapshot.hash);
      return undefined;
    case 'seal':
      putSealed.run(ask.id, ask.bytes);
      return undefined;
    case 'beat':
      for (const name of ask.names) putBeat.run(name, ask.at);
      return undefined;
    case 'close':
      return undefined;
  }
}

let waiting: Ask[] = [];

/** One that fails fails alone; nothing of it stands. */
function attempt(ask: Ask): Answer {
  database.exec('SAVEPOINT one');
  try {
    const value = carryOut(ask);
    database.exec('RELEASE one');
    return { number: ask.number, value };
  } catch (error) {
    forget();
    if (!database.isTransaction) throw error;
    database.exec('ROLLBACK TO one; RELEASE one');
    return { number: ask.number, error: String(error) };
  }
}

/** What was worked out may not stand: the disk is asked again. */
function forget(): void {
  heads = new Map();
  balances = new Map();
}

function flush(): void {
  const asks = waiting;
  waiting = [];
  let answers: Answer[];
  try {
    database.exec('BEGIN IMMEDIATE');
    answers = asks.map(attempt);
    database.exec('COMMIT');
  } catch (error) {
    // Nothing of this commit stands.
    if (database.isTransaction) database.exec('ROLLBACK');
    forget();
    answers = asks.map(({ number }) => ({ number, error: String(error) }));
  }
  port.postMessage(answers);
  if (asks.some(({ type }) => type === 'close')) {
    database.close();
    port.close();
  }
}

port.on('message', (ask: Ask) => {
  if (waiting.length === 0) setImmediate(flush);
  waiting.push(ask);
});
port.postMessage([]);
