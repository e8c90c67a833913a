import { type AnchorState } from '../checkpoint/anchorFile.ts';
import { type Account, isStakesAccount } from '../ledger/accounts.ts';
import { DamagedStoreError, type StreamHead, type StoreReader } from '../store/store.ts';
import { type DeciderAmendment, deciderAmendments as allAmendments } from './amendments.ts';
import { BalanceCheck, randomFingerprintSeed } from './balances.ts';
import {
  type IsValueAuthentic,
  type DecryptBlob,
  verifyHeartbeats,
  verifyAuthenticatedValues,
  verifyStaffSecretHashesExist,
  verifyFloorEpochs,
  verifyBlobs,
} from './sideTables.ts';
import { verifySessionEndsWithoutCollect, verifyLeftoverBalances } from './emptiedAccounts.ts';
import { verifySessionLimits } from './sessionLimits.ts';
import { verifyStaffRoles } from './staffRoles.ts';
import { VerifyError, assertOfEntry } from './verifyError.ts';
import {
  type TruncatedStreams,
  type SignatureReport,
  verifyAnchor,
  verifySignatures,
  assertFloorStartsAreSigned,
} from './signatures.ts';
import { type StreamVerifyOptions, type StreamSummary, verifyStream } from './verifyStream.ts';
import { type TicketTotals, zeroTicketTotals, verifyTickets } from './tickets.ts';

/** Result of the verification of a store: counts, and the first problem if there is one. */
export type VerifyReport = {
  readonly streams: number;
  readonly entries: number;
  readonly rounds: number;
  readonly voids: number;
  readonly shoes: number;
  readonly accounts: number;
  /** Number of commands that each amendment accepted, by the number of the amendment. */
  readonly amendmentUses: ReadonlyMap<number, number>;
  /** Snapshots that were ignored, because this program cannot read their schema version: that version, by stream. */
  readonly ignoredSnapshots: ReadonlyMap<string, number>;
  /** Undefined when a problem was found before or in the check of the signatures. */
  readonly signatures: SignatureReport | undefined;
  /** Streams that end before their head in the anchor. */
  readonly truncatedStreams: TruncatedStreams;
  readonly tickets: TicketTotals;
  /** Number of blobs that were decrypted. */
  readonly openedBlobs: number;
  /** The first problem; undefined when the store verifies. */
  readonly problem: string | undefined;
};

export type StreamVerdict = { readonly summary: StreamSummary } | { readonly problem: string };

/** Turns the problem of a stream into a verdict. Throws any other error, since it is a defect. */
export async function streamVerdictOf(check: Promise<StreamSummary>): Promise<StreamVerdict> {
  try {
    return { summary: await check };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof VerifyError) && !(error instanceof DamagedStoreError)) throw error;
  return error.message;
}

export type VerifyOptions = {
  readonly anchor?: AnchorState;
  /** True when every start of the floor signs a checkpoint, as `punto serve` does. */
  readonly isSigned?: boolean;
  /** Decrypts blobs; present only with the data key. */
  readonly openBlob?: DecryptBlob;
  /** Checks MACs of the key-value table; present only with the data key. */
  readonly isAuthentic?: IsValueAuthentic;
  /** Called with the number of entries read so far, and with the number of all entries. */
  readonly onProgress?: (entries: number, all: number) => void;
} & (
  | { readonly amendments?: readonly DeciderAmendment[]; readonly checkers?: undefined }
  /** `checkers` verify the streams in parallel. They apply all amendments, so no other amendments can be given. */
  | { readonly checkers: StreamCheckers; readonly amendments?: undefined }
);

export type StreamVerifyInputs = Pick<StreamVerifyOptions, 'seed' | 'limited'>;

export type StreamCheckers = {
  readonly count: number;
  readonly check: (
    stream: string,
    task: StreamVerifyInputs,
    onProgress: (entries: number) => void,
  ) => Promise<StreamVerdict>;
};

/** Report on a store that cannot list its streams. */
const emptyReport: Omit<VerifyReport, 'problem'> = {
  streams: 0,
  entries: 0,
  rounds: 0,
  voids: 0,
  shoes: 0,
  accounts: 0,
  amendmentUses: new Map(),
  ignoredSnapshots: new Map(),
  signatures: undefined,
  truncatedStreams: [],
  tickets: zeroTicketTotals,
  openedBlobs: 0,
};

/**
 * Verifies a store: hash chains, signatures, postings and balances, shoe commitments, and the data outside the hash
 * chain. Every command is decided again, and every round is settled again from its cards.
 */
export async function verifyStore(store: StoreReader, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { amendments = allAmendments, onProgress = () => {} } = options;
  let heads: ReadonlyMap<string, StreamHead>;
  let streams: readonly string[];
  try {
    heads = await store.heads();
    streams = (await store.streams()).toSorted();
  } catch (error) {
    return { ...emptyReport, problem: problemOf(error) };
  }
  const total = [...heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  const seed = randomFingerprintSeed();
  let read = 0;
  const addProgress = (entries: number): void => onProgress((read += entries), total);
  const checkers: StreamCheckers = options.checkers ?? {
    count: 1,
    check: (stream, task, onRead) =>
      streamVerdictOf(verifyStream(store, stream, { ...task, amendments, onProgress: onRead })),
  };
  // Terminals are verified before tables, because the session limits of terminals determine which slips of tables are
  // checked.
  const isTerminal = (stream: string): boolean => stream.split('/', 2)[1] === 'terminal';
  const verdicts = new Map<string, StreamVerdict>();
  const limited = new Set<string>();
  for (const group of [streams.filter(isTerminal), streams.filter((stream) => !isTerminal(stream))]) {
    const checked = await checkStreams(group, heads, checkers, (stream) =>
      checkers.check(stream, { seed, limited }, addProgress),
    );
    for (const [stream, verdict] of checked) {
      verdicts.set(stream, verdict);
      if ('summary' in verdict) for (const session of verdict.summary.limited.keys()) limited.add(session);
    }
  }
  return checkTogether(store, streams, verdicts, new BalanceCheck(seed), heads, options);
}

/**
 * Verifies streams; in parallel, the longest stream is begun first. After a problem, only streams earlier in the list
 * are still verified. So the reported problem is always that of the first bad stream in the list.
 */
async function checkStreams(
  streams: readonly string[],
  heads: ReadonlyMap<string, StreamHead>,
  { count }: StreamCheckers,
  check: (stream: string) => Promise<StreamVerdict>,
): Promise<ReadonlyMap<string, StreamVerdict>> {
  const lengthAt = (index: number): number => heads.get(streams[index]!)?.sequence ?? 0;
  const indexes = [...streams.keys()].toReversed();
  const queue = count === 1 ? indexes : indexes.toSorted((a, b) => lengthAt(a) - lengthAt(b));
  const verdicts = new Map<string, StreamVerdict>();
  let firstBad = Infinity;
  const work = async (): Promise<void> => {
    for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
      if (index > firstBad) continue;
      const verdict = await check(streams[index]!);
      verdicts.set(streams[index]!, verdict);
      if ('problem' in verdict) firstBad = Math.min(firstBad, index);
    }
  };
  await Promise.all(Array.from({ length: count }, work));
  return verdicts;
}

async function checkTogether(
  store: StoreReader,
  streams: readonly string[],
  verdicts: ReadonlyMap<string, StreamVerdict>,
  balances: BalanceCheck,
  heads: ReadonlyMap<string, StreamHead>,
  { anchor, openBlob, isAuthentic, isSigned = false }: VerifyOptions,
): Promise<VerifyReport> {
  const counts = { entries: 0, rounds: 0, voids: 0, shoes: 0 };
  const amendmentUses = new Map<number, number>();
  const ignoredSnapshots = new Map<string, number>();
  const summaries = new Map<string, StreamSummary>();
  let problem: string | undefined;
  let signatures: SignatureReport | undefined;
  let openedBlobs = 0;
  let tickets = zeroTicketTotals;
  let truncatedStreams: TruncatedStreams = [];
  for (const stream of streams) {
    const verdict = verdicts.get(stream)!;
    // Streams after the first stream with a problem are not counted, even if they were verified.
    if ('problem' in verdict) {
      ({ problem } = verdict);
      break;
    }
    const { summary } = verdict;
    summaries.set(stream, summary);
    counts.entries += summary.entries;
    counts.rounds += summary.counts.rounds;
    counts.voids += summary.counts.voids;
    counts.shoes += summary.counts.shoes;
    for (const [number, times] of summary.amended) amendmentUses.set(number, (amendmentUses.get(number) ?? 0) + times);
    if (summary.ignoredSnapshotVersion !== undefined) ignoredSnapshots.set(stream, summary.ignoredSnapshotVersion);
    balances.merge(summary.totals);
  }
  try {
    if (problem === undefined) {
      verifyCurrencies(summaries);
      verifyStaffRoles(summaries, heads);
      await balances.verify(store);
      await verifyLeftoverBalances(
        store,
        [...summaries.values()].flatMap(({ leftovers: left }) => left),
      );
      await verifySessionEndsWithoutCollect(
        store,
        [...summaries.values()].flatMap(({ owner, emptySessions: ended }) =>
          ended.map((session) => [owner, session] as const),
        ),
        balances,
      );
      await verifySessionLimits(
        store,
        [...summaries.values()].flatMap(({ slips }) => slips),
        new Map([...summaries.values()].flatMap(({ limited }) => [...limited])),
      );
      verifyStakesAccounts(
        balances,
        new Map([...summaries.values()].flatMap(({ stakes }) => (stakes === undefined ? [] : [stakes]))),
      );
      verifyHeads(heads, summaries);
      verifySnapshots(await store.snapshots(), summaries);
      await verifyHeartbeats(store, summaries);
      await verifyFloorEpochs(store, summaries);
      if (isAuthentic) {
        await verifyAuthenticatedValues(store, isAuthentic);
        await verifyStaffSecretHashesExist(store, summaries);
      }
      const blobs = await verifyBlobs(store, summaries, openBlob);
      ({ opened: openedBlobs } = blobs);
      tickets = verifyTickets(summaries, balances, blobs.ticketKeys);
      signatures = await verifySignatures(store, heads);
      if (anchor) truncatedStreams = await verifyAnchor(store, heads, signatures, anchor);
      if (isSigned && truncatedStreams.length === 0) assertFloorStartsAreSigned(signatures, summaries);
    }
  } catch (error) {
    problem = problemOf(error);
  }
  const { accounts } = balances;
  return {
    streams: streams.length,
    ...counts,
    accounts: accounts.length,
    amendmentUses,
    ignoredSnapshots,
    signatures,
    truncatedStreams,
    tickets,
    openedBlobs,
    problem,
  };
}

/** Throws unless all streams of a property have the same currency. */
function verifyCurrencies(summaries: ReadonlyMap<string, StreamSummary>): void {
  const currencies = new Map<string, string>();
  for (const [stream, { owner }] of summaries) {
    const { property, currency } = owner;
    const other = currencies.get(property) ?? currency;
    assertOfEntry(
      { stream, sequence: 1 },
      other === currency,
      `has the currency ${currency}, but other streams have ${other}`,
    );
    currencies.set(property, currency);
  }
}

/** Throws unless every stream ends with its stored head. */
function verifyHeads(heads: ReadonlyMap<string, StreamHead>, summaries: ReadonlyMap<string, StreamSummary>): void {
  for (const stream of new Set([...heads.keys(), ...summaries.keys()])) {
    const [last, stored] = [summaries.get(stream)?.head, heads.get(stream)];
    const [end, storedEnd] = [last?.sequence ?? 0, stored?.sequence ?? 0];
    if (end !== storedEnd) {
      throw new VerifyError(`The stream ${stream} ends with entry ${end}, but its stored head is entry ${storedEnd}.`);
    }
    if (last?.hash !== stored?.hash)
      throw new VerifyError(
        `The last entry of the stream ${stream}, entry ${end}, has another hash than the stored head.`,
      );
  }
}

/** Throws when there is a snapshot of a stream without entries. */
function verifySnapshots(snapshots: readonly string[], summaries: ReadonlyMap<string, StreamSummary>): void {
  const stray = snapshots.find((stream) => !summaries.has(stream));
  if (stray !== undefined) throw new VerifyError(`The stream ${stray} has a snapshot, but no entries.`);
}

/** Throws unless the stakes account of each table has its expected balance. */
export function verifyStakesAccounts(
  balances: Pick<BalanceCheck, 'accounts' | 'of'>,
  stakes: ReadonlyMap<Account, number>,
): void {
  for (const account of new Set([...balances.accounts, ...stakes.keys()])) {
    if (!isStakesAccount(account)) continue;
    const balance = balances.of(account);
    const expected = stakes.get(account);
    if (balance !== expected)
      throw new VerifyError(
        `The account ${account} has the balance ${balance}, but the open slips add up to ${expected ?? 0}.`,
      );
  }
}
