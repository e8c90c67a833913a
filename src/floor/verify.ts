import { type Account } from '../ledger/accounts.ts';
import { isObject } from '../rules/fields.ts';
import { canonicalOf } from '../rules/hash.ts';
import { beginning, bodyOf, hashOfBody } from '../store/chain.ts';
import {
  type CommandMark,
  DamagedEntry,
  type Head,
  type Snapshot,
  type Store,
  type StoredEntry,
} from '../store/store.ts';
import { type Table } from '../table/table.ts';
import { isId } from '../table/declare/kinds.ts';
import { Problem, claim } from './problem.ts';
import { TableReplay } from './replay.ts';
import { snapshotHash } from './runner.ts';
import { type Secrets, TerminalCheck } from './seats.ts';
import { Sums } from './sums.ts';

/** What a record was found to hold. */
export type Verified = {
  readonly streams: number;
  readonly entries: number;
  readonly rounds: number;
  readonly voids: number;
  readonly shoes: number;
  readonly accounts: number;
  /** The first entry or account that is not as it must be. */
  readonly problem: string | undefined;
};

/** What is known of a record as far as it was read. */
type Found = {
  readonly counts: { streams: number; entries: number; rounds: number; voids: number; shoes: number };
  readonly sums: Sums;
  /** What each account of stakes holds by the slips of its table. */
  readonly stakes: Map<Account, number>;
  /** Each property has one currency. */
  readonly currencies: Map<string, string>;
  readonly secrets: Secrets;
  /** The last entry of each stream. */
  readonly heads: Map<string, Head>;
};

/**
 * Checks a record by itself: every hash chain, every command decided again, every round settled again from its cards, every
 * posting and balance worked out anew, every card and every opened shoe held against its commitment.
 */
export async function verify(store: Store): Promise<Verified> {
  const found: Found = {
    counts: { streams: 0, entries: 0, rounds: 0, voids: 0, shoes: 0 },
    sums: new Sums(),
    stakes: new Map(),
    currencies: new Map(),
    secrets: new Map(),
    heads: new Map(),
  };
  let problem: string | undefined;
  try {
    // Tables come before terminals, and tell their currency.
    for (const stream of (await store.streams()).toSorted()) {
      found.counts.streams += 1;
      await verifyStream(store, stream, found);
    }
    await found.sums.verify(store);
    verifyStakes(found);
    verifyHeads(await store.heads(), found.heads);
  } catch (error) {
    if (!(error instanceof Problem) && !(error instanceof DamagedEntry)) throw error;
    problem = error.message;
  }
  return { ...found.counts, accounts: found.sums.accounts.length, problem };
}

/** What a stream is held to, entry by entry; `finish` is told that the entries of a command are all there. */
type Check = { readonly take: (entry: StoredEntry) => void; readonly finish: () => void };

async function verifyStream(store: Store, stream: string, found: Found): Promise<void> {
  const [property = '', kind, name, ...more] = stream.split('/');
  const named = isId(property) && isId(name) && more.length === 0;
  if (named && kind === 'table') {
    const replay = new TableReplay(stream, found.counts);
    const snapshot = await store.snapshot(stream);
    let isMet = snapshot === undefined;
    await verifyEntries(store, stream, replay, found, (head) => {
      if (head.sequence !== snapshot?.sequence) return;
      isMet = isSnapshotOf(snapshot, head, replay.table);
    });
    if (!isMet) throw new Problem(`The snapshot of ${stream} is not what its entries lead to.`);
    const [account, amount] = replay.end();
    found.stakes.set(account, amount);
    verifyCurrency(stream, property, account.split('/')[1]!, found);
  } else if (named && kind === 'terminal') {
    const check = new TerminalCheck(stream, found.currencies.get(property), found.secrets);
    await verifyEntries(store, stream, check, found);
  } else claim({ stream, sequence: 1 }, false, 'is of neither a table nor a terminal');
}

function verifyCurrency(stream: string, property: string, currency: string, { currencies }: Found): void {
  const other = currencies.get(property) ?? currency;
  claim({ stream, sequence: 1 }, other === currency, `opens a table in ${currency}, and others have ${other}`);
  currencies.set(property, currency);
}

/** Every entry follows the one before it, in its chain and in time, and bears its command. */
async function verifyEntries(
  store: Store,
  stream: string,
  check: Check,
  { counts, sums, heads }: Found,
  passed: (head: Head) => void = () => {},
): Promise<void> {
  let previous = beginning;
  let sequence = 0;
  let at = 0;
  let last: CommandMark | undefined;
  for await (const entries of store.read(stream)) {
    const known = await store.commands(idsOf(entries));
    for (const entry of entries) {
      const { command } = entry;
      const begins = command === null || command.id !== last?.id;
      if (begins) {
        check.finish();
        passed({ sequence, hash: previous });
      }
      counts.entries += 1;
      claim(entry, isWellFormed(entry), 'is not an entry as it must be');
      claim(entry, hashOfBody(bodyOf(entry)) === entry.hash, 'does not give the hash it was written with');
      claim(entry, entry.previous === previous, 'does not follow the entry before it');
      claim(entry, entry.at === entry.event.at, 'has another time than its event');
      claim(entry, entry.at >= at, 'is of an earlier time than the entry before it');
      if (command !== null && begins) {
        const place = known.get(command.id);
        claim(entry, place !== undefined, 'cannot be found by the id of its command');
        claim(
          entry,
          place.stream === stream && place.sequence === entry.sequence,
          () => `bears the id of the command that begins at entry ${place.sequence} of ${place.stream}`,
        );
      }
      claim(
        entry,
        begins || command.hash === last?.hash,
        'has another hash of what was asked than the entry before it',
      );
      check.take(entry);
      sums.add(entry);
      previous = entry.hash;
      sequence = entry.sequence;
      at = entry.at;
      last = command ?? undefined;
    }
  }
  check.finish();
  passed({ sequence, hash: previous });
  heads.set(stream, { sequence, hash: previous });
}

/** No stream ends before or after where it was last written. */
function verifyHeads(kept: ReadonlyMap<string, Head>, found: ReadonlyMap<string, Head>): void {
  for (const stream of new Set([...kept.keys(), ...found.keys()])) {
    const [last, due] = [found.get(stream), kept.get(stream)];
    if (last?.sequence !== due?.sequence) {
      throw new Problem(
        `The stream ${stream} ends with entry ${last?.sequence ?? 0}, and was last written at entry ${due?.sequence ?? 0}.`,
      );
    }
    if (last?.hash !== due?.hash)
      throw new Problem(`The stream ${stream} does not end with the entry last written there.`);
  }
}

/** Whether a state that was saved is the one that the entries lead to. */
function isSnapshotOf({ state, hash }: Snapshot, head: Head, table: Table | undefined): boolean {
  return snapshotHash(state, head.hash) === hash && canonicalOf(JSON.parse(state)) === canonicalOf(table);
}

const idsOf = (entries: readonly StoredEntry[]): readonly string[] => [
  ...new Set(entries.flatMap(({ command }) => (command ? [command.id] : []))),
];

/** Whether an entry has all its parts and no others. */
function isWellFormed({ event, postings, command, ...rest }: StoredEntry): boolean {
  const hasMark =
    command === null ||
    (isObject(command) &&
      Object.keys(command).length === 2 &&
      typeof command.id === 'string' &&
      typeof command.hash === 'string');
  return (
    hasMark && isObject(event) && Array.isArray(postings) && postings.every(isPosting) && Object.keys(rest).length === 5
  );
}

function isPosting(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { from, to, ...numbers } = value;
  return (
    typeof from === 'string' &&
    typeof to === 'string' &&
    Object.keys(numbers).length === 7 &&
    Object.values(numbers).every(Number.isSafeInteger)
  );
}

/** The stakes of each table are the slips that are open there. */
export function verifyStakes({
  sums,
  stakes,
}: {
  readonly sums: Pick<Sums, 'accounts' | 'of'>;
  readonly stakes: Found['stakes'];
}): void {
  for (const account of new Set([...sums.accounts, ...stakes.keys()])) {
    if (!isStakes(account)) continue;
    const held = sums.of(account);
    const due = stakes.get(account);
    if (held !== due)
      throw new Problem(`The account ${account} holds ${held} and the open slips are ${due ?? 'none'}.`);
  }
}

const isStakes = (account: Account): boolean => account.split('/')[2] === 'stakes';
