import { type Account } from '../ledger/accounts.ts';
import {
  type AppendRequest,
  type AppendResult,
  type Balance,
  DamagedStore,
  type Store,
  WriterTakenOver,
} from '../store/store.ts';
import { WriteFailed } from '../store/failures.ts';
import { appendAnchorLine, replaceAnchor, isAnchorRewriteDue, keepPreviousAnchor } from './anchorFile.ts';
import {
  BalancesHash,
  type Checkpoint,
  type IntegrityIssue,
  type AnchorLine,
  type HeadPosition,
  type HeadPositions,
  handoverText,
  hashOfText,
  headsToJson,
  formatHeadMembers,
  signCheckpointOrLine,
  signLineOfAllHeads,
} from './checkpointFormat.ts';
import { verifySinceCheckpoint } from './verifySinceCheckpoint.ts';
import { type Signer } from './signingKey.ts';
import { type CheckpointChain, balancesHashAt } from './checks.ts';
import { type HeadTracker, closedFloorText } from './headTracker.ts';
import { UnsignedWrites } from './unsignedWrites.ts';

/** For a signing node in a cluster, which also signs what other nodes have written. */
export type ClusterSigning = {
  readonly headTracker: HeadTracker;
  /** Whether this node still holds the lease for signing. Throws when that is uncertain. */
  readonly isLeaseHolder: () => boolean | Promise<boolean>;
};

type CheckpointWriterOptions = {
  readonly store: Store;
  /** Called when the first signature is due. */
  readonly signer: () => Signer;
  /** Path of the anchor file, outside the data folder. */
  readonly file: string;
  readonly clock: () => number;
  /** The checkpoints in the store so far. */
  readonly chain: CheckpointChain;
  /** The previous signer, if another: it signs the handover. */
  readonly previousSigner?: Signer;
  /** Epoch of the store; that of this writer unless given. */
  readonly epoch?: number;
  /** Without it, no other node writes to the store. */
  readonly cluster?: ClusterSigning;
  /** Heads in the anchor that other nodes have written. */
  readonly anchoredHeads?: HeadPositions;
};

/** The anchor is updated at least this often, so that entries without signature can be dated. */
const maxIdleMs = 5_000;

/** What a checkpoint signs: heads that have moved, the hash of all balances, and the balances of written accounts. */
type SigningState = {
  readonly moved: HeadPositions;
  readonly balances: string;
  readonly balancesBefore: ReadonlyMap<Account, Balance>;
  /** Number of appends in doubt at that moment. */
  readonly writesInDoubt: number;
};

/** Checkpoint writer: signs checkpoints into the store at intervals, and heads into the anchor file as the store grows. */
export class CheckpointWriter {
  readonly #options: CheckpointWriterOptions;
  #lastCheckpoint: Pick<Checkpoint, 'number' | 'signer' | 'closed' | 'balances'> | undefined;
  #lastHash: string | null;
  #lastSigned: { readonly at: number; readonly hash: string } | null = null;
  /** Heads at the last checkpoint; undefined before the first of this epoch, which lists all. */
  #signedHeads: Map<string, HeadPosition> | undefined;
  readonly #unsignedWrites = new UnsignedWrites();
  /** Number of appends whose result is unknown: now, and at the last checkpoint. */
  #writesInDoubt = 0;
  #signedWritesInDoubt = 0;
  /** Heads that the anchor does not have yet; undefined when it must be rewritten. */
  #unanchoredHeads: Map<string, HeadPosition> | undefined;
  /** Time and checkpoint number of the last line in the anchor. */
  #anchored = { at: 0, number: 0 };
  readonly #appends = new Set<Promise<unknown>>();
  /** While set, appends wait for it. */
  #gate: Promise<void> | undefined;
  /** A checkpoint with `closed` is signed: nothing may follow. */
  #isClosed = false;
  /** Another node signs now. */
  #isTakenOver = false;
  /** In a cluster: last positions read. The anchor never gets less. */
  readonly #readHeads: Map<string, HeadPosition>;
  #initialAnchorBytes = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(options: CheckpointWriterOptions) {
    this.#options = options;
    this.#lastCheckpoint = options.chain.last;
    this.#lastHash = options.chain.hashes.at(-1) ?? null;
    this.#readHeads = new Map(options.anchoredHeads);
  }

  /** Time and hash of the last checkpoint of this process. */
  get signed(): { readonly at: number; readonly hash: string } | null {
    return this.#lastSigned;
  }

  /** The store; its appends are tracked. */
  trackedStore(): Store {
    const { store } = this.#options;
    return {
      ...store,
      append: async (batch) => {
        while (this.#gate) await this.#gate;
        if (this.#isClosed) throw new WriteFailed(closedFloorText);
        const append = this.#append(batch).finally(() => this.#appends.delete(append));
        this.#appends.add(append);
        return append;
      },
    };
  }

  async #append(batch: AppendRequest): Promise<AppendResult> {
    try {
      const result = await this.#options.store.append(batch);
      const entries = 'entries' in result ? result.entries : [];
      const last = entries.at(-1);
      if (last) this.#unanchoredHeads?.set(batch.stream, last);
      this.#unsignedWrites.add(entries, this.#signedHeads);
      return result;
    } catch (error) {
      if (!(error instanceof WriteFailed)) this.#writesInDoubt += 1;
      throw error;
    }
  }

  /** Serial queue, in FIFO order. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => this.#asLeaseHolder(task));
    this.#queue = done.catch(() => {});
    return done;
  }

  /** A former lease holder leaves the anchor to its successor. */
  async #asLeaseHolder(task: () => Promise<void>): Promise<void> {
    await this.#refuseTakenOver();
    try {
      await task();
    } catch (error) {
      // Writes of a successor are no damage.
      if (error instanceof DamagedStore) await this.#refuseTakenOver();
      throw error;
    }
  }

  async #refuseTakenOver(): Promise<void> {
    const { store, cluster } = this.#options;
    if (cluster) this.#isTakenOver ||= !(await cluster.isLeaseHolder());
    if (this.#isTakenOver) throw new WriterTakenOver('Another program signs the record.');
    if (!cluster && (await store.epoch()) > store.writerEpoch)
      throw new WriterTakenOver('Another program has opened the record.');
  }

  /** In a cluster heads are reported in any order; only later ones are kept. */
  #recordReadHeads(heads: Iterable<readonly [string, HeadPosition]>): void {
    for (const [stream, { sequence, hash }] of heads) {
      if (sequence <= (this.#readHeads.get(stream)?.sequence ?? 0)) continue;
      this.#readHeads.set(stream, { sequence, hash });
      this.#unanchoredHeads?.set(stream, { sequence, hash });
    }
  }

  #collectReadHeads(): void {
    const { cluster } = this.#options;
    if (cluster) this.#recordReadHeads(cluster.headTracker.drain());
  }

  /** Rewrites the anchor with all heads. A new integrity issue keeps a copy of the previous anchor. */
  beginAnchor(issue?: IntegrityIssue, isAlreadyAnchored = false): Promise<void> {
    return this.#enqueue(async () => {
      if (issue && !isAlreadyAnchored) await keepPreviousAnchor(this.#options.file);
      await this.#replaceAnchor(issue);
    });
  }

  async #replaceAnchor(issue?: IntegrityIssue): Promise<void> {
    const unanchored = new Map<string, HeadPosition>();
    this.#unanchoredHeads = unanchored;
    try {
      const heads = await this.#allHeads();
      const { handovers } = this.#options.chain;
      const line = {
        ...this.#line(true),
        ...(handovers.length > 0 && { handovers }),
        ...(issue && { issue }),
      };
      this.#initialAnchorBytes = await replaceAnchor(
        this.#options.file,
        signLineOfAllHeads(heads, line, this.#options.signer()),
      );
    } catch (error) {
      this.#unanchoredHeads = undefined;
      throw error;
    }
  }

  /** Appends the heads that have moved to the anchor. */
  anchor(): Promise<void> {
    return this.#enqueue(async () => {
      this.#collectReadHeads();
      const unanchored = this.#unanchoredHeads;
      if (unanchored === undefined || isAnchorRewriteDue(this.#options.file, this.#initialAnchorBytes))
        return this.#replaceAnchor();
      const isUpToDate = unanchored.size === 0 && this.#anchored.number === (this.#lastCheckpoint?.number ?? 0);
      if (isUpToDate && this.#options.clock() - this.#anchored.at < maxIdleMs) return;
      this.#unanchoredHeads = new Map();
      try {
        const line = { ...this.#line(false), heads: headsToJson(unanchored) };
        await appendAnchorLine(this.#options.file, signCheckpointOrLine(line, this.#options.signer()));
      } catch (error) {
        // A part of the line may have been written, so the next update rewrites the anchor.
        this.#unanchoredHeads = undefined;
        throw error;
      }
    });
  }

  /** All heads, serialised in chunks. */
  async #allHeads(): Promise<readonly string[]> {
    const chunks: string[] = [];
    for await (const { heads } of this.#options.store.readHeadsAndBalances()) {
      if (heads.length === 0) break;
      chunks.push(formatHeadMembers(heads));
      if (this.#options.cluster) for (const [stream, head] of heads) this.#readHeads.set(stream, head);
    }
    return chunks;
  }

  /** An anchor line without heads. */
  #line(whole: boolean): Omit<AnchorLine, 'heads'> {
    const checkpoint = this.#lastCheckpoint && { number: this.#lastCheckpoint.number, hash: this.#lastHash! };
    const stamp = this.#stamp();
    this.#anchored = { at: stamp.at, number: checkpoint?.number ?? 0 };
    return { ...stamp, whole, ...(checkpoint && { checkpoint }) };
  }

  #stamp() {
    const { store, signer, clock, epoch = store.writerEpoch } = this.#options;
    return { v: 1, at: clock(), epoch, signer: signer().name } as const;
  }

  /** Signs a checkpoint: the first one, and then if something has moved; `isClosed` also signs that nothing follows. */
  checkpoint(isClosed = false): Promise<void> {
    return this.#enqueue(async () => {
      this.#isClosed ||= isClosed;
      const { store, previousSigner, cluster } = this.#options;
      if (cluster) cluster.headTracker.isClosed ||= isClosed;
      const signer = this.#options.signer();
      const state = await (cluster ? this.#stateInCluster() : this.#stateOfSingleWriter());
      const { moved, balances } = state;
      const isCloseSigned = !isClosed || this.#lastCheckpoint?.closed === true;
      if (this.#signedHeads !== undefined && moved.size === 0 && isCloseSigned) return;
      const number = (this.#lastCheckpoint?.number ?? 0) + 1;
      const hasNewSigner = this.#lastCheckpoint !== undefined && this.#lastCheckpoint.signer !== signer.name;
      const checkpoint: Checkpoint = {
        ...this.#stamp(),
        whole: this.#signedHeads === undefined,
        heads: headsToJson(moved),
        number,
        previous: this.#lastHash,
        balances,
        ...(isClosed && { closed: true }),
        ...(hasNewSigner && previousSigner && { handover: previousSigner.sign(handoverText(signer.name, number)) }),
      };
      const { text, signature } = signCheckpointOrLine(checkpoint, signer);
      await store.saveCheckpoint({ number, text, signature }).catch((error: unknown) => {
        // The node that was faster signs from now on.
        this.#isTakenOver ||= cluster !== undefined && error instanceof WriterTakenOver;
        throw error;
      });
      this.#markSigned(state, checkpoint, text);
      if (cluster) this.#recordReadHeads(moved);
    });
  }

  /** Verifies all entries since the last checkpoint, whichever node wrote them. */
  async #stateInCluster(): Promise<SigningState> {
    const { store, chain } = this.#options;
    this.#collectReadHeads();
    const basis = {
      signedHeads: this.#signedHeads ?? chain.heads,
      balancesHash: balancesHashAt(this.#lastCheckpoint),
      readHeads: this.#readHeads,
    };
    const { heads, balancesHash: balances } = await verifySinceCheckpoint(
      store,
      basis,
      this.#signedHeads === undefined,
    );
    return { moved: heads, balances, balancesBefore: new Map(), writesInDoubt: 0 };
  }

  /** Verifies that only this process has written since the last checkpoint. */
  async #stateOfSingleWriter(): Promise<SigningState> {
    const writesInDoubt = this.#writesInDoubt;
    const [present, signed] = [new BalancesHash(), new BalancesHash()];
    const moved = new Map<string, HeadPosition>();
    const balancesBefore = new Map<Account, Balance>();
    const isSigned = (stream: string, { sequence, hash }: HeadPosition): boolean => {
      const head = this.#signedHeads?.get(stream);
      return head?.sequence === sequence && head.hash === hash;
    };
    const chunks = this.#options.store.readHeadsAndBalances()[Symbol.asyncIterator]();
    try {
      for (let next = await this.#whileIdle(() => chunks.next()); next.done !== true; next = await chunks.next()) {
        const { heads, balances } = next.value;
        for (const [stream, head] of heads) if (!isSigned(stream, head)) moved.set(stream, head);
        present.add(balances);
        signed.add(this.#unsignedWrites.rewind(balances));
        for (const [account, balance] of balances)
          if (this.#unsignedWrites.has(account)) balancesBefore.set(account, balance);
      }
    } finally {
      await chunks.return?.();
    }
    const state = { moved, balances: present.digest(), balancesBefore, writesInDoubt };
    if (this.#signedHeads === undefined || this.#writesInDoubt !== this.#signedWritesInDoubt) return state;
    this.#unsignedWrites.check(moved, balancesBefore, this.#signedHeads);
    if (signed.digest() !== this.#lastCheckpoint?.balances) {
      throw new DamagedStore('The balances are not those that were signed and what this program has written since.');
    }
    return state;
  }

  /** Holds back appends and waits for those under way, so that all results are known. */
  async #whileIdle<T>(task: () => Promise<T>): Promise<T> {
    const open = Promise.withResolvers<void>();
    this.#gate = open.promise;
    try {
      await Promise.allSettled(this.#appends);
      return await task();
    } finally {
      this.#gate = undefined;
      open.resolve();
    }
  }

  #markSigned({ moved, balancesBefore, writesInDoubt }: SigningState, checkpoint: Checkpoint, text: string): void {
    this.#signedHeads ??= new Map();
    for (const [stream, { sequence, hash }] of moved) this.#signedHeads.set(stream, { sequence, hash });
    this.#unsignedWrites.markSigned(moved, balancesBefore);
    [this.#lastCheckpoint, this.#lastHash, this.#signedWritesInDoubt] = [checkpoint, hashOfText(text), writesInDoubt];
    this.#lastSigned = { at: checkpoint.at, hash: this.#lastHash };
  }
}
