import { type Account } from '../ledger/accounts.ts';
import {
  type AppendRequest,
  type AppendResult,
  type Balance,
  DamagedStoreError,
  type Store,
  WriterTakenOverError,
} from '../store/store.ts';
import { WriteFailedError } from '../store/failures.ts';
import { appendAnchorLine, replaceAnchor, isAnchorRewriteDue, copyAnchorBeforeRewrite } from './anchorFile.ts';
import {
  BalancesHash,
  type Checkpoint,
  type IntegrityIssue,
  type AnchorLine,
  type HeadPosition,
  type HeadPositions,
  handoverTextToSign,
  hashOfText,
  headsToJson,
  formatHeadsAsJsonMembers,
  signCheckpointOrLine,
  signAnchorLineOfAllHeads,
} from './checkpointFormat.ts';
import { verifyEntriesSinceCheckpoint } from './verifyEntriesSinceCheckpoint.ts';
import { type Signer } from './signingKey.ts';
import { type CheckpointChain, balancesHashOfCheckpoint } from './checks.ts';
import { type HeadTracker, closedFloorText } from './headTracker.ts';
import { UnsignedWrites } from './unsignedWrites.ts';

/** Further options for a cluster, where the signing node also signs entries of other nodes. */
export type ClusterSigningOptions = {
  readonly headTracker: HeadTracker;
  /**
   * True if this node still holds the floor lease; the holder of the lease signs checkpoints. Throws when it is
   * uncertain which node holds the lease.
   */
  readonly isLeaseHolder: () => boolean | Promise<boolean>;
};

type CheckpointWriterOptions = {
  readonly store: Store;
  /** Loads the signing key; called when a signature is due. */
  readonly signer: () => Signer;
  /** Path of the anchor file, outside the data folder. */
  readonly file: string;
  readonly clock: () => number;
  /** The checkpoints of the store, already verified. */
  readonly chain: CheckpointChain;
  /** The previous signer, which signs the handover; only in a key rotation. */
  readonly previousSigner?: Signer;
  /** Fencing epoch that checkpoints and anchor lines name; by default `writerEpoch` of the store. */
  readonly epoch?: number;
  /** Present in a cluster. Without it, this process is the only writer of the store. */
  readonly cluster?: ClusterSigningOptions;
  /**
   * Heads in the anchor file of this node; present when the node takes over signing. The heads that this node signs
   * must not be lower.
   */
  readonly anchoredHeads?: HeadPositions;
};

/**
 * The anchor is updated at least every `maxIdleMs` milliseconds, even without new entries. So an unsigned entry that is
 * much later than the last update is suspicious.
 */
const maxIdleMs = 5_000;

/**
 * What a checkpoint signs, read from the store as of one moment. `moved`: heads that have moved since the last
 * checkpoint of this writer; before its first checkpoint, all heads. `changedBalances`: balances of the accounts that
 * this process has written since the last checkpoint; empty in a cluster.
 */
type SigningState = {
  readonly moved: HeadPositions;
  readonly balancesHash: string;
  readonly changedBalances: ReadonlyMap<Account, Balance>;
  /** Number of appends with an unknown result, when this state was read; 0 in a cluster. */
  readonly writesInDoubt: number;
};

/**
 * Checkpoint writer: signs checkpoints into the store, and heads into the anchor file, whenever `checkpoint` or
 * `anchor` is called.
 */
export class CheckpointWriter {
  readonly #options: CheckpointWriterOptions;
  #lastCheckpoint: Pick<Checkpoint, 'number' | 'signer' | 'closed' | 'balances'> | undefined;
  #lastHash: string | null;
  #lastSigned: { readonly at: number; readonly hash: string } | null = null;
  /** Heads at the last checkpoint of this writer; undefined before its first checkpoint, which lists all streams. */
  #signedHeads: Map<string, HeadPosition> | undefined;
  readonly #unsignedWrites = new UnsignedWrites();
  /** Number of appends of this process so far whose result was unknown. */
  #writesInDoubt = 0;
  /** Number of appends with an unknown result, when the state for the last checkpoint was read. */
  #signedWritesInDoubt = 0;
  /** Heads that the anchor does not contain yet; undefined when the anchor must be rewritten. */
  #unanchoredHeads: Map<string, HeadPosition> | undefined;
  /** Time and checkpoint number of the last line of the anchor. */
  #anchored = { at: 0, number: 0 };
  readonly #appends = new Set<Promise<unknown>>();
  /** While this promise is set, new appends wait until it resolves. */
  #gate: Promise<void> | undefined;
  /** True once this process closes the floor; every later append is refused. */
  #isClosed = false;
  /** True when another node signs now. */
  #isTakenOver = false;
  /** In a cluster: the highest head that this node has read of each stream. The anchor never gets a lower head. */
  readonly #readHeads: Map<string, HeadPosition>;
  #initialAnchorBytes = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(options: CheckpointWriterOptions) {
    this.#options = options;
    this.#lastCheckpoint = options.chain.last;
    this.#lastHash = options.chain.hashes.at(-1) ?? null;
    this.#readHeads = new Map(options.anchoredHeads);
  }

  /** Time and hash of the last checkpoint that this writer signed; null before the first. */
  get signed(): { readonly at: number; readonly hash: string } | null {
    return this.#lastSigned;
  }

  /** The store with tracked appends; all writes of this process must go through it. */
  trackedStore(): Store {
    const { store } = this.#options;
    return {
      ...store,
      append: async (batch) => {
        while (this.#gate) await this.#gate;
        if (this.#isClosed) throw new WriteFailedError(closedFloorText);
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
      if (!(error instanceof WriteFailedError)) this.#writesInDoubt += 1;
      throw error;
    }
  }

  /** Runs tasks one after another, in FIFO order, if this process may sign. */
  #enqueue(task: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(() => this.#asLeaseHolder(task));
    this.#queue = done.catch(() => {});
    return done;
  }

  /** Runs a task if this process may sign. A former lease holder may not, because its successor writes the anchor. */
  async #asLeaseHolder(task: () => Promise<void>): Promise<void> {
    await this.#refuseTakenOver();
    try {
      await task();
    } catch (error) {
      // If another node has taken over signing, its writes look like damage to this node. The take-over is thrown
      // instead of the damage.
      if (error instanceof DamagedStoreError) await this.#refuseTakenOver();
      throw error;
    }
  }

  async #refuseTakenOver(): Promise<void> {
    const { store, cluster } = this.#options;
    if (cluster) this.#isTakenOver ||= !(await cluster.isLeaseHolder());
    if (this.#isTakenOver) throw new WriterTakenOverError('Another node signs the checkpoints now.');
    if (!cluster && (await store.epoch()) > store.writerEpoch)
      throw new WriterTakenOverError('Another process has opened the event store.');
  }

  /**
   * Records heads that were read. In a cluster they arrive in any order, so a head that is not higher than the recorded
   * head of its stream is ignored.
   */
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

  /**
   * Rewrites the anchor with all heads and the integrity issue. If the issue is new, copies the previous anchor first.
   * `isAlreadyAnchored`: the issue is not new, because the previous anchor contains it.
   */
  beginAnchor(issue?: IntegrityIssue, isAlreadyAnchored = false): Promise<void> {
    return this.#enqueue(async () => {
      if (issue && !isAlreadyAnchored) await copyAnchorBeforeRewrite(this.#options.file);
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
        signAnchorLineOfAllHeads(heads, line, this.#options.signer()),
      );
    } catch (error) {
      this.#unanchoredHeads = undefined;
      throw error;
    }
  }

  /**
   * Appends the heads that have moved to the anchor. If the anchor is missing, too large, or may end with an incomplete
   * line, rewrites the anchor with all heads.
   */
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
        // A part of the line may be in the file, so the next update rewrites the anchor.
        this.#unanchoredHeads = undefined;
        throw error;
      }
    });
  }

  async #allHeads(): Promise<readonly string[]> {
    const chunks: string[] = [];
    for await (const { heads } of this.#options.store.readHeadsAndBalances()) {
      if (heads.length === 0) break;
      chunks.push(formatHeadsAsJsonMembers(heads));
      if (this.#options.cluster) for (const [stream, head] of heads) this.#readHeads.set(stream, head);
    }
    return chunks;
  }

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

  /**
   * Signs a checkpoint in three cases: it is the first of this writer, a stream has grown, or the floor closes
   * (`isClosed`).
   */
  checkpoint(isClosed = false): Promise<void> {
    return this.#enqueue(async () => {
      this.#isClosed ||= isClosed;
      const { store, previousSigner, cluster } = this.#options;
      if (cluster) cluster.headTracker.isClosed ||= isClosed;
      const signer = this.#options.signer();
      const state = await (cluster ? this.#stateInCluster() : this.#stateOfSingleWriter());
      const { moved, balancesHash } = state;
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
        balances: balancesHash,
        ...(isClosed && { closed: true }),
        ...(hasNewSigner &&
          previousSigner && { handover: previousSigner.sign(handoverTextToSign(signer.name, number)) }),
      };
      const { text, signature } = signCheckpointOrLine(checkpoint, signer);
      await store.saveCheckpoint({ number, text, signature }).catch((error: unknown) => {
        // In a cluster, another node has saved a checkpoint with this number first. So that node signs the checkpoints
        // now.
        this.#isTakenOver ||= cluster !== undefined && error instanceof WriterTakenOverError;
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
      balancesHash: balancesHashOfCheckpoint(this.#lastCheckpoint),
      readHeads: this.#readHeads,
    };
    const { heads, balancesHash } = await verifyEntriesSinceCheckpoint(store, basis, this.#signedHeads === undefined);
    return { moved: heads, balancesHash, changedBalances: new Map(), writesInDoubt: 0 };
  }

  /**
   * Reads the state of a store with a single writer, and verifies that only this process has written since the last
   * checkpoint. Two cases are not verified: the first checkpoint of this writer, and a checkpoint after an append with
   * an unknown result.
   */
  async #stateOfSingleWriter(): Promise<SigningState> {
    const writesInDoubt = this.#writesInDoubt;
    const [present, signed] = [new BalancesHash(), new BalancesHash()];
    const moved = new Map<string, HeadPosition>();
    const changedBalances = new Map<Account, Balance>();
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
          if (this.#unsignedWrites.has(account)) changedBalances.set(account, balance);
      }
    } finally {
      await chunks.return?.();
    }
    const state = { moved, balancesHash: present.digest(), changedBalances, writesInDoubt };
    if (this.#signedHeads === undefined || this.#writesInDoubt !== this.#signedWritesInDoubt) return state;
    this.#unsignedWrites.check(moved, changedBalances, this.#signedHeads);
    if (signed.digest() !== this.#lastCheckpoint?.balances) {
      throw new DamagedStoreError(
        'The stored balances differ from the signed balances plus the later writes of this process.',
      );
    }
    return state;
  }

  /** Runs a task while no append runs. Waits for the running appends first; new appends wait for the task. */
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

  #markSigned({ moved, changedBalances, writesInDoubt }: SigningState, checkpoint: Checkpoint, text: string): void {
    this.#signedHeads ??= new Map();
    for (const [stream, { sequence, hash }] of moved) this.#signedHeads.set(stream, { sequence, hash });
    this.#unsignedWrites.markSigned(moved, changedBalances);
    [this.#lastCheckpoint, this.#lastHash, this.#signedWritesInDoubt] = [checkpoint, hashOfText(text), writesInDoubt];
    this.#lastSigned = { at: checkpoint.at, hash: this.#lastHash };
  }
}
