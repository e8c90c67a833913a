import { type AnchorState } from '../checkpoint/anchorFile.ts';
import { type Account, isStakes } from '../ledger/accounts.ts';
import { DamagedRecord, type StreamHead, type StoreReader } from '../store/store.ts';
import { type Amendment, amendments as allAmendments } from './amendments.ts';
import { Balances, freshSeed } from './balances.ts';
import { type IsBound, type Opens, verifyBeats, verifyBound, verifyEpochs, verifySeals } from './sideTables.ts';
import { verifyEnded, verifyLeft } from './emptiedAccounts.ts';
import { verifyLimits } from './sessionLimits.ts';
import { verifyPosts } from './staffRoles.ts';
import { VerifyError, claim } from './verifyError.ts';
import { type Missing, type Signatures, verifyAnchor, verifySignatures, verifyStarts } from './signatures.ts';
import { type StreamCheckOptions, type StreamSummary, verifyStream } from './verifyStream.ts';
import { type Tickets, noTickets, verifyTickets } from './tickets.ts';

/** What a record was found to hold. */
export type Verified = {
  readonly streams: number;
  readonly entries: number;
  readonly rounds: number;
  readonly voids: number;
  readonly shoes: number;
  readonly accounts: number;
  /** How often each amendment let the record stand, by its number. */
  readonly amended: ReadonlyMap<number, number>;
  /** The snapshots that were passed over, by their streams, with their forms. */
  readonly passedOver: ReadonlyMap<string, number>;
  /** What is signed; undefined where something else was wrong before that was looked at. */
  readonly signatures: Signatures | undefined;
  /** What the anchor knows of, and the record does not have. */
  readonly missing: Missing;
  /** What tickets were issued and paid for, and what is outstanding. */
  readonly tickets: Tickets;
  /** How much of what is sealed was opened, and held against what its table has committed to. */
  readonly opened: number;
  /** The first entry or account that is not as it must be. */
  readonly problem: string | undefined;
};

/** The outcome of one stream: what it holds, or what is wrong with it. */
export type StreamVerdict = { readonly part: StreamSummary } | { readonly problem: string };

/** A stream that is not as it must be is an outcome; anything else that goes wrong is ours. */
export async function verdictOf(checking: Promise<StreamSummary>): Promise<StreamVerdict> {
  try {
    return { part: await checking };
  } catch (error) {
    return { problem: problemIn(error) };
  }
}

/** What is wrong with the record; any other error is ours, and goes on. */
function problemIn(error: unknown): string {
  if (!(error instanceof VerifyError) && !(error instanceof DamagedRecord)) throw error;
  return error.message;
}

export type How = {
  /** What is known of the record elsewhere. */
  readonly anchor?: AnchorState;
  /** Whether each start of a floor has signed it, as `punto serve` does. */
  readonly isSigned?: boolean;
  /** Opens what is sealed, where the key is at hand. */
  readonly opens?: Opens;
  /** Whether what lies beside the chain was written with the key, where that is at hand. */
  readonly isBound?: IsBound;
  /** Called now and then with how many entries have been read, and how many there are. */
  readonly told?: (entries: number, all: number) => void;
} & (
  | { readonly amendments?: readonly Amendment[]; readonly checkers?: undefined }
  /** Several who check a stream at a time, by all amendments that there are. */
  | { readonly checkers: Checkers; readonly amendments?: undefined }
);

/** What all who check streams for one check of a record must know. */
export type VerifyTask = Pick<StreamCheckOptions, 'seed' | 'limited'>;

/** Those who check streams for one check of a record. */
export type Checkers = {
  readonly count: number;
  readonly check: (stream: string, asked: VerifyTask, told: (entries: number) => void) => Promise<StreamVerdict>;
};

/** What is found in a record whose streams cannot even be listed. */
const nothing: Omit<Verified, 'problem'> = {
  streams: 0,
  entries: 0,
  rounds: 0,
  voids: 0,
  shoes: 0,
  accounts: 0,
  amended: new Map(),
  passedOver: new Map(),
  signatures: undefined,
  missing: [],
  tickets: noTickets,
  opened: 0,
};

/**
 * Checks a record by itself: every hash chain, every command decided again, every round settled again from its cards, every
 * posting and balance worked out anew, every card and every opened shoe held against its commitment, every signature
 * checked, and what is kept beside the chain held against it.
 */
export async function verifyStore(store: StoreReader, how: How = {}): Promise<Verified> {
  const { amendments = allAmendments, told = () => {} } = how;
  let heads: ReadonlyMap<string, StreamHead>;
  let streams: readonly string[];
  try {
    heads = await store.heads();
    streams = (await store.streams()).toSorted();
  } catch (error) {
    return { ...nothing, problem: problemIn(error) };
  }
  const all = [...heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  const seed = freshSeed();
  let read = 0;
  const hear = (entries: number): void => told((read += entries), all);
  const checkers: Checkers = how.checkers ?? {
    count: 1,
    check: (stream, asked, heard) => verdictOf(verifyStream(store, stream, { ...asked, amendments, told: heard })),
  };
  // Terminals come first: what is set there says which slips of tables are looked at.
  const isTerminal = (stream: string): boolean => stream.split('/', 2)[1] === 'terminal';
  const outcomes = new Map<string, StreamVerdict>();
  const limited = new Set<string>();
  for (const some of [streams.filter(isTerminal), streams.filter((stream) => !isTerminal(stream))]) {
    const found = await shared(some, heads, checkers, (stream) => checkers.check(stream, { seed, limited }, hear));
    for (const [stream, outcome] of found) {
      outcomes.set(stream, outcome);
      if ('part' in outcome) for (const session of outcome.part.limited.keys()) limited.add(session);
    }
  }
  return summed(store, streams, outcomes, new Balances(seed), heads, how);
}

/** The longest streams first, each to whoever is free; once one is bad, only those that stand before it. */
async function shared(
  streams: readonly string[],
  heads: ReadonlyMap<string, StreamHead>,
  { count }: Checkers,
  check: (stream: string) => Promise<StreamVerdict>,
): Promise<ReadonlyMap<string, StreamVerdict>> {
  const lengthOf = (place: number): number => heads.get(streams[place]!)?.sequence ?? 0;
  const places = [...streams.keys()].toReversed();
  const waiting = count === 1 ? places : places.toSorted((one, other) => lengthOf(one) - lengthOf(other));
  const outcomes = new Map<string, StreamVerdict>();
  let bad = Infinity;
  const work = async (): Promise<void> => {
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      if (place > bad) continue;
      const outcome = await check(streams[place]!);
      outcomes.set(streams[place]!, outcome);
      if ('problem' in outcome) bad = Math.min(bad, place);
    }
  };
  await Promise.all(Array.from({ length: count }, work));
  return outcomes;
}

/** All streams together: balances, stakes, currencies and heads. */
async function summed(
  store: StoreReader,
  streams: readonly string[],
  outcomes: ReadonlyMap<string, StreamVerdict>,
  balances: Balances,
  heads: ReadonlyMap<string, StreamHead>,
  { anchor, opens, isBound, isSigned = false }: How,
): Promise<Verified> {
  const counts = { entries: 0, rounds: 0, voids: 0, shoes: 0 };
  const amended = new Map<number, number>();
  const passedOver = new Map<string, number>();
  const found = new Map<string, StreamSummary>();
  let problem: string | undefined;
  let signatures: Signatures | undefined;
  let opened = 0;
  let tickets = noTickets;
  let missing: Missing = [];
  for (const stream of streams) {
    const outcome = outcomes.get(stream)!;
    // Nothing after it counts, also where somebody has read it.
    if ('problem' in outcome) {
      ({ problem } = outcome);
      break;
    }
    const { part } = outcome;
    found.set(stream, part);
    counts.entries += part.entries;
    counts.rounds += part.played.rounds;
    counts.voids += part.played.voids;
    counts.shoes += part.played.shoes;
    for (const [number, times] of part.amended) amended.set(number, (amended.get(number) ?? 0) + times);
    if (part.otherForm !== undefined) passedOver.set(stream, part.otherForm);
    balances.join(part.totals);
  }
  try {
    if (problem === undefined) {
      verifyCurrencies(found);
      verifyPosts(found, heads);
      await balances.verify(store);
      await verifyLeft(
        store,
        [...found.values()].flatMap(({ left }) => left),
      );
      await verifyEnded(
        store,
        [...found.values()].flatMap(({ owner, ended }) => ended.map((one) => [owner, one] as const)),
        balances,
      );
      await verifyLimits(
        store,
        [...found.values()].flatMap(({ slips }) => slips),
        new Map([...found.values()].flatMap(({ limited }) => [...limited])),
      );
      verifyStakes(
        balances,
        new Map([...found.values()].flatMap(({ stakes }) => (stakes === undefined ? [] : [stakes]))),
      );
      verifyHeads(heads, found);
      verifySnapshots(await store.snapshots(), found);
      await verifyBeats(store, found);
      await verifyEpochs(store, found);
      if (isBound) await verifyBound(store, isBound);
      const sealed = await verifySeals(store, found, opens);
      ({ opened } = sealed);
      tickets = verifyTickets(found, balances, sealed.ticketKeys);
      signatures = await verifySignatures(store, heads);
      if (anchor) missing = await verifyAnchor(store, heads, signatures, anchor);
      if (isSigned && missing.length === 0) verifyStarts(signatures, found);
    }
  } catch (error) {
    problem = problemIn(error);
  }
  const { accounts } = balances;
  return {
    streams: streams.length,
    ...counts,
    accounts: accounts.length,
    amended,
    passedOver,
    signatures,
    missing,
    tickets,
    opened,
    problem,
  };
}

/** Each property has one currency. */
function verifyCurrencies(found: ReadonlyMap<string, StreamSummary>): void {
  const currencies = new Map<string, string>();
  for (const [stream, { owner }] of found) {
    const { property, currency } = owner;
    const other = currencies.get(property) ?? currency;
    claim({ stream, sequence: 1 }, other === currency, `counts in ${currency}, and others in ${other}`);
    currencies.set(property, currency);
  }
}

/** No stream ends before or after where it was last written. */
function verifyHeads(kept: ReadonlyMap<string, StreamHead>, found: ReadonlyMap<string, StreamSummary>): void {
  for (const stream of new Set([...kept.keys(), ...found.keys()])) {
    const [last, due] = [found.get(stream)?.head, kept.get(stream)];
    const [end, written] = [last?.sequence ?? 0, due?.sequence ?? 0];
    if (end !== written) {
      throw new VerifyError(`The stream ${stream} ends with entry ${end}, and was last written at entry ${written}.`);
    }
    if (last?.hash !== due?.hash)
      throw new VerifyError(`The stream ${stream} does not end with the entry last written there.`);
  }
}

/** Nobody has saved a state of a stream that does not exist. */
function verifySnapshots(kept: readonly string[], found: ReadonlyMap<string, StreamSummary>): void {
  const stray = kept.find((stream) => !found.has(stream));
  if (stray !== undefined) throw new VerifyError(`The stream ${stray} has a snapshot, and no entries.`);
}

/** The stakes of each table are the slips that are open there. */
export function verifyStakes(balances: Pick<Balances, 'accounts' | 'of'>, stakes: ReadonlyMap<Account, number>): void {
  for (const account of new Set([...balances.accounts, ...stakes.keys()])) {
    if (!isStakes(account)) continue;
    const held = balances.of(account);
    const due = stakes.get(account);
    if (held !== due)
      throw new VerifyError(`The account ${account} holds ${held} and the open slips are ${due ?? 'none'}.`);
  }
}
