import { parentPort, workerData } from 'node:worker_threads';
import { type Account } from '../ledger/accounts.ts';
import { type Prepared, beginning, book, isGuarded, untouched } from './chain.ts';
import { openRecord } from './migrations.ts';
import { type Balance } from './store.ts';
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
  'INSERT INTO snapshots (stream, sequence, state) VALUES (?, ?, ?) ON CONFLICT (stream) DO UPDATE SET sequence = excluded.sequence, state = excluded.state',
);
const putSealed = database.prepare(
  'INSERT INTO sealed (id, bytes) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes',
);
const putBeat = database.prepare(
  'INSERT INTO beats (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
);
const headOf = database.prepare('SELECT sequence, hash FROM entries WHERE stream = ? ORDER BY sequence DESC LIMIT 1');
const balanceOf = database.prepare('SELECT amount, version FROM balances WHERE account = ?');
const commandsOf = database.prepare(
  'SELECT command AS id FROM entries WHERE command IN (SELECT value FROM json_each(?))',
);

type Head = { readonly sequence: number; readonly hash: string };

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
  const marked = new Set<string>();
  for (const { sequence, hash, body, command } of booked.entries) {
    const first = command && !marked.has(command.id) ? command.id : null;
    if (first !== null) marked.add(first);
    insertEntry.run(stream, sequence, hash, body, first);
  }
  for (const [account, balance] of booked.balances) {
    putBalance.run(account, balance.amount, balance.version, isGuarded(account) ? 1 : 0);
    balances.set(account, balance);
  }
  const last = booked.entries.at(-1);
  if (last) heads.set(stream, { sequence: last.sequence, hash: last.hash });
  return shortened(booked);
}

function carryOut(ask: Ask): Answer['value'] {
  switch (ask.type) {
    case 'append':
      return appendNow(unpacked(ask.batch));
    case 'snapshot':
      putSnapshot.run(ask.stream, ask.snapshot.sequence, ask.snapshot.state);
      return undefined;
    case 'seal':
      putSealed.run(ask.id, ask.bytes);
      return undefined;
    case 'beat':
      putBeat.run(ask.at);
      return undefined;
    case 'close':
      return undefined;
  }
}

let waiting: Ask[] = [];

function flush(): void {
  const asks = waiting;
  waiting = [];
  let answers: Answer[];
  try {
    database.exec('BEGIN IMMEDIATE');
    answers = asks.map((ask) => ({ number: ask.number, value: carryOut(ask) }));
    database.exec('COMMIT');
  } catch (error) {
    // Nothing of this commit stands; what was worked out for it is forgotten.
    if (database.isTransaction) database.exec('ROLLBACK');
    heads = new Map();
    balances = new Map();
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
