import { type Account, isGuarded } from '../../ledger/accounts.ts';
import { isRefused } from '../../base/refusal.ts';
import { genesisHash } from '../hashChain.ts';
import {
  type AppendPlan,
  type PreparedAppend,
  planAppend,
  prepareAppend,
  emptyBalance,
  emptyHead,
} from '../planAppend.ts';
import { type AppendRequest, type AppendResult, type Balance, DamagedRecord, type StreamHead } from '../store.ts';
import { DatabaseAway } from '../failures.ts';
import { decodeReceipt, encodeReceipt } from '../appendCodec.ts';
import { isTaken, toFailure, retryUntilKnown } from './retryWrite.ts';
import { type PgConnection, type PgRow, type Statement } from './connection.ts';
import { type Pool } from './connectionPool.ts';
import { type ReadPositions, behind } from './readPositions.ts';
import { encodeTextArray } from './textArray.ts';
import { type KeyedMutex } from './keyedMutex.ts';

// One append is one statement, and one way there and back. The node works out texts and hashes from what it knows; the
// statement locks the head and then the accounts in the order of their names, compares what the node went by, and writes all
// or nothing. Where something was otherwise it says what is, and the node works it out again.

/** What stands there of a stream, of accounts and of commands; locked by whoever is to write. */
const looks = (lock: string): string => `
  head AS MATERIALIZED (SELECT sequence, hash, epoch FROM heads WHERE stream = $1 ${lock}),
  place AS MATERIALIZED (
    SELECT coalesce(max(sequence), 0) AS sequence, coalesce(max(hash), '${genesisHash}') AS hash, coalesce(max(epoch), 0) AS epoch
    FROM head
  ),
  held AS MATERIALIZED (
    SELECT account, amount, version FROM balances
    WHERE account = ANY ($2::text[]) AND (SELECT sequence >= 0 FROM place)
    ORDER BY account ${lock}
  ),
  known AS MATERIALIZED (SELECT command FROM entries WHERE command = ANY ($3::text[]))`;

/** Numbers come as texts: no client counts what is in a list. */
const found = (isNeeded: string): string => `
  place.sequence, place.hash, place.epoch,
  CASE WHEN ${isNeeded} THEN (SELECT array_agg(account ORDER BY account) FROM held) END AS accounts,
  CASE WHEN ${isNeeded} THEN (SELECT array_agg(amount::text ORDER BY account) FROM held) END AS amounts,
  CASE WHEN ${isNeeded} THEN (SELECT array_agg(version::text ORDER BY account) FROM held) END AS versions,
  (SELECT array_agg(command) FROM known) AS commands`;

const look: Statement = { name: 'look', text: `WITH ${looks('')} SELECT false AS fits, ${found('true')} FROM place` };

/**
 * New streams, accounts and commands are inserted: where somebody else was first, the database says so, and nothing of the
 * statement stands.
 */
const append: Statement = {
  name: 'append',
  text: `WITH ${looks('FOR UPDATE')},
  moved (account, amount, version, before, guarded) AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::integer[])
  ),
  fit AS MATERIALIZED (
    SELECT place.sequence = $4 AND place.hash = $5 AND place.epoch <= $6
       AND NOT EXISTS (SELECT FROM known)
       AND NOT EXISTS (
         SELECT FROM moved LEFT JOIN held USING (account) WHERE coalesce(held.version, 0) <> moved.before
       ) AS fits
    FROM place
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
  SELECT fits, ${found('NOT fits')} FROM fit, place`
    .replaceAll(/\$(4|6|12)\b/g, '$$$1::bigint')
    .replaceAll(/\$(1|5|7)\b/g, '$$$1::text'),
};

const hashThere: Statement = {
  name: 'hash-there',
  text: 'SELECT hash FROM entries WHERE stream = $1 AND sequence = $2',
};

/** An append worked out to the last byte, with what it goes by. */
type Write = {
  readonly stream: string;
  readonly after: number;
  readonly booked: AppendPlan;
  /** What each account is to have held before. */
  readonly before: ReadonlyMap<Account, Balance>;
};

const lastOf = ({ booked }: Write) => booked.entries.at(-1)!;

const commandsOf = ({ booked }: Write): readonly string[] =>
  booked.entries.flatMap(({ command }) => (command === null ? [] : [command]));

function valuesOf(write: Write): readonly unknown[] {
  const { stream, after, booked, before } = write;
  const { entries, balances } = booked;
  const accounts = [...balances.keys()].toSorted();
  const held = accounts.map((account) => balances.get(account)!);
  return [
    stream,
    encodeTextArray(accounts),
    encodeTextArray(commandsOf(write)),
    after,
    booked.previous,
    booked.epoch,
    lastOf(write).hash,
    held.map(({ amount }) => amount),
    held.map(({ version }) => version),
    accounts.map((account) => before.get(account)!.version),
    accounts.map((account) => (isGuarded(account) ? 1 : 0)),
    entries.length,
    encodeTextArray(entries.map(({ hash }) => hash)),
    encodeTextArray(entries.map(({ body }) => body)),
    encodeTextArray(entries.map(({ command }) => command)),
    encodeTextArray(entries.map(({ subject }) => subject)),
  ];
}

/** What an append has found where it did not fit. */
type Present = {
  readonly head: StreamHead;
  readonly balances: ReadonlyMap<Account, Balance>;
  readonly commands: readonly string[];
};

type Texts = readonly string[] | null;

function presentIn(row: PgRow): Present {
  const { sequence, hash, epoch, accounts, amounts, versions, commands } = row as {
    [name in 'sequence' | 'epoch']: number;
  } & { [name in 'accounts' | 'amounts' | 'versions' | 'commands']: Texts } & { hash: string };
  const exact = (value: unknown): number => {
    const number = Number(value);
    if (typeof value !== 'bigint' && Number.isSafeInteger(number)) return number;
    throw new DamagedRecord('The record holds a number that is too large to be told exactly.');
  };
  return {
    head: { sequence: exact(sequence), hash, epoch: exact(epoch) },
    balances: new Map(
      (accounts ?? []).map((account, place) => [
        account as Account,
        { amount: exact(amounts![place]), version: exact(versions![place]) },
      ]),
    ),
    commands: commands ?? [],
  };
}

/** So many balances are known without asking; what is forgotten is asked for again. */
const mostBalances = 100_000;

type Parts = {
  readonly pool: Pool;
  readonly turns: KeyedMutex;
  /** So long an answer is waited for, in milliseconds. */
  readonly patience: number;
  /** How far the record has been seen: never behind what was acknowledged. */
  readonly seen: ReadPositions;
  /** Before anything is written: the epoch of this opener begins. */
  readonly begin: () => Promise<void>;
  /** Resolves once something that was written after all that can be seen has been acknowledged. */
  readonly confirm: (link: PgConnection) => Promise<void>;
};

export class Appender {
  readonly #parts: Parts;
  /** Where streams stand as far as this node has seen: never behind what was acknowledged to it. */
  readonly #heads = new Map<string, StreamHead>();
  #balances = new Map<Account, Balance>();
  /** What may stand or not, by stream, since its answer did not come. */
  readonly #doubts = new Map<string, Write>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  append(batch: AppendRequest): Promise<AppendResult> {
    const asked = prepareAppend(batch);
    const accounts = [
      ...new Set(asked.entries.flatMap(({ postings }) => postings.flatMap(({ from, to }) => [from, to]))),
    ];
    const keys = [streamKey(batch.stream), ...accounts.map((account) => `account ${account}`)];
    return this.#parts.turns.take(keys, async () => {
      await this.#parts.begin();
      await this.#resolve(batch.stream);
      return this.#append(batch, asked, accounts.toSorted());
    });
  }

  async #append(batch: AppendRequest, asked: PreparedAppend, accounts: readonly Account[]): Promise<AppendResult> {
    const { stream, after } = batch;
    const ask = async (): Promise<Set<string>> => {
      const ids = asked.entries.map(({ id }) => id);
      return this.#learn(stream, accounts, await this.#look(stream, accounts, ids));
    };
    // What a node knows is a guess: it refuses nothing by that alone.
    let isKnown = after > 0 && !this.#heads.has(stream);
    let commands = isKnown ? await ask() : new Set<string>();
    for (;;) {
      const before = new Map<Account, Balance>();
      const booked = planAppend(asked, {
        head: () => this.#heads.get(stream) ?? emptyHead,
        balance: (account) => {
          const held = this.#balances.get(account) ?? emptyBalance;
          before.set(account, held);
          return held;
        },
        existingCommands: () => commands,
      });
      if (isRefused(booked)) {
        if (isKnown) return booked;
        commands = await ask();
        isKnown = true;
        continue;
      }
      if (booked.entries.length === 0) return { entries: [] };
      const present = await this.#carryOut({ stream, after, booked, before });
      if (present === undefined) return decodeReceipt(batch, encodeReceipt(booked));
      commands = this.#learn(stream, accounts, present);
      isKnown = true;
    }
  }

  /** Writes it, or gives what stands there instead. */
  async #carryOut(write: Write): Promise<Present | undefined> {
    const { stream } = write;
    const tried = { isDoubtful: this.#doubts.has(stream) };
    try {
      const present = await retryUntilKnown(this.#parts.patience, tried, () => this.#attempt(write, tried.isDoubtful));
      tried.isDoubtful = false;
      if (present === undefined) this.#remember(write);
      return present;
    } finally {
      if (tried.isDoubtful) this.#doubts.set(stream, write);
      else this.#doubts.delete(stream);
    }
  }

  /**
   * Where an earlier try may stand, this one waits at the head for it. Either it stands then, or it never will: what it went
   * by is no longer so, or this try has written the same.
   */
  async #attempt(write: Write, isDoubtful: boolean): Promise<Present | undefined> {
    const { pool, patience } = this.#parts;
    let present: Present | undefined;
    try {
      const [row] = await pool.use((link) => link.write(append, valuesOf(write), patience));
      present = row!['fits'] === true ? undefined : presentIn(row!);
    } catch (error) {
      // Somebody else was first with a new stream, account or command.
      if (!isTaken(error)) throw error;
      present = await this.#look(write.stream, [...write.before.keys()], commandsOf(write));
    }
    if (present === undefined || !isDoubtful) return present;
    return (await this.#stands(write)) ? undefined : present;
  }

  /** Whether a write stands; it is one for good only once something behind it has been acknowledged. */
  async #stands(write: Write): Promise<boolean> {
    const last = lastOf(write);
    return this.#parts.pool.use(async (link) => {
      const [row] = await link.ask(hashThere, [write.stream, last.sequence], this.#parts.patience);
      if (row?.['hash'] !== last.hash) return false;
      await this.#parts.confirm(link);
      return true;
    });
  }

  async #look(stream: string, accounts: readonly Account[], commands: readonly string[]): Promise<Present> {
    try {
      return await this.#parts.pool.use(async (link) =>
        presentIn((await link.ask(look, [stream, accounts, commands]))[0]!),
      );
    } catch (error) {
      throw toFailure(error);
    }
  }

  /** Takes down what is, and gives the commands that are there. */
  #learn(stream: string, accounts: readonly Account[], { head, balances, commands }: Present): Set<string> {
    const seen = this.#heads.get(stream);
    if (seen && (head.sequence < seen.sequence || (head.sequence === seen.sequence && head.hash !== seen.hash))) {
      throw new DatabaseAway(behind(stream, seen.sequence));
    }
    if (head.sequence > 0) this.#know(stream, head);
    for (const account of accounts) this.#balances.set(account, balances.get(account) ?? emptyBalance);
    this.#trim();
    return new Set(commands);
  }

  #remember(write: Write): void {
    const { sequence, hash } = lastOf(write);
    this.#know(write.stream, { sequence, hash, epoch: write.booked.epoch });
    for (const [account, balance] of write.booked.balances) this.#balances.set(account, balance);
    this.#trim();
  }

  #know(stream: string, head: StreamHead): void {
    this.#heads.set(stream, head);
    this.#parts.seen.note(stream, head);
  }

  #trim(): void {
    if (this.#balances.size > mostBalances) this.#balances = new Map();
  }

  /** Finds out what became of what was not answered, before the record is believed on that matter. */
  async settle(
    concerns: { readonly stream?: string; readonly account?: Account; readonly commands?: readonly string[] } = {},
  ): Promise<void> {
    const { stream, account, commands } = concerns;
    const isAny = stream === undefined && account === undefined && commands === undefined;
    const ids = new Set(commands);
    for (const write of this.#doubts.values()) {
      const isMeant =
        isAny ||
        write.stream === stream ||
        (account !== undefined && write.before.has(account)) ||
        commandsOf(write).some((id) => ids.has(id));
      if (isMeant) await this.#parts.turns.take([streamKey(write.stream)], () => this.#resolve(write.stream));
    }
  }

  async #resolve(stream: string): Promise<void> {
    const write = this.#doubts.get(stream);
    if (write === undefined) return;
    const present = await this.#carryOut(write);
    if (present) this.#learn(stream, [...write.before.keys()], present);
  }
}

const streamKey = (stream: string): string => `stream ${stream}`;
