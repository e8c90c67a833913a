import { type Account } from '../ledger/accounts.ts';
import {
  type AppendRequest,
  type AppendResult,
  type Balance,
  DamagedRecord,
  type Store,
  TakenOver,
} from '../store/store.ts';
import { WriteFailed } from '../store/failures.ts';
import { addLine, beginWith, isDue, keepFormer } from './anchorFile.ts';
import {
  BalancesHash,
  type Checkpoint,
  type IntegrityIssue,
  type AnchorLine,
  type HeadPosition,
  type HeadPositions,
  handoverOf,
  hashOfText,
  headsOf,
  headsText,
  signValue,
  signedWith,
} from './checkpointFormat.ts';
import { reached } from './catchUp.ts';
import { type Signer } from './signingKey.ts';
import { type CheckpointChain, balancesBy } from './checks.ts';
import { type HeadTracker, nothingFollows } from './headTracker.ts';
import { UnsignedWrites } from './unsignedWrites.ts';

/** What whoever signs needs where others write to the record as well: it signs what it has read then. */
export type ClusterSigning = {
  /** What this program sees of the record. */
  readonly watch: HeadTracker;
  /** Whether it is still this program that signs. Throws where that is not sure now. */
  readonly isHolder: () => boolean | Promise<boolean>;
};

type Parts = {
  readonly store: Store;
  /** Who signs, asked for when something is signed first. */
  readonly signer: () => Signer;
  /** Where the anchor lies, away from the data. */
  readonly file: string;
  readonly clock: () => number;
  /** The checkpoints that are in the record already. */
  readonly followed: CheckpointChain;
  /** Who signed so far, where that was another: it hands over. */
  readonly former?: Signer;
  /** How often the record had been opened by now; as often as this opener knows unless given. */
  readonly epoch?: number;
  /** Nobody else writes to the record unless given. */
  readonly others?: ClusterSigning;
  /** Where an anchor knows streams to have been, where others have told it. */
  readonly seen?: HeadPositions;
};

/** An anchor is told at least so often, in milliseconds, that nothing has moved: by it a late entry is known. */
const idle = 5_000;

/** Where a record stands, as it is signed: the streams that have moved, all balances as a hash, those that were written to. */
type Standing = {
  readonly moved: HeadPositions;
  readonly balances: string;
  readonly held: ReadonlyMap<Account, Balance>;
  /** How many writes had failed by then without anybody knowing whether they stand. */
  readonly doubts: number;
};

/** Signs what a record came to: in the record itself now and then, in the anchor as the record grows. */
export class CheckpointWriter {
  readonly #parts: Parts;
  #last: Pick<Checkpoint, 'number' | 'signer' | 'closed' | 'balances'> | undefined;
  #hash: string | null;
  #signedAt: { readonly at: number; readonly hash: string } | null = null;
  /** Where streams stood at the last checkpoint; none before the first of this epoch, which names all. */
  #signed: Map<string, HeadPosition> | undefined;
  readonly #written = new UnsignedWrites();
  /** How many writes have failed so that nobody knows whether they stand, and how many had at the last checkpoint. */
  #doubts = 0;
  #signedDoubts = 0;
  /** Where streams have got to that the anchor does not know of; undefined where it is to be begun anew. */
  #moved: Map<string, HeadPosition> | undefined;
  /** When the anchor was last told something, and of which checkpoint. */
  #told = { at: 0, number: 0 };
  readonly #writing = new Set<Promise<unknown>>();
  /** Whoever wants to write waits for it. */
  #gate: Promise<void> | undefined;
  /** Whether it is signed that nothing follows. */
  #isClosed = false;
  /** Whether another signs by now. */
  #isOver = false;
  /** Where others write as well: where streams have been seen. The anchor is never told less. */
  readonly #seen: Map<string, HeadPosition>;
  /** How long the anchor was when it was begun, in bytes. */
  #begun = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#last = parts.followed.last;
    this.#hash = parts.followed.hashes.at(-1) ?? null;
    this.#seen = new Map(parts.seen);
  }

  /** When the record was last signed by this program, and the hash of what was signed. */
  get signed(): { readonly at: number; readonly hash: string } | null {
    return this.#signedAt;
  }

  /** The store, with what is written to it noted. */
  watched(): Store {
    const { store } = this.#parts;
    return {
      ...store,
      append: async (batch) => {
        while (this.#gate) await this.#gate;
        if (this.#isClosed) throw new WriteFailed(nothingFollows);
        const writing = this.#append(batch).finally(() => this.#writing.delete(writing));
        this.#writing.add(writing);
        return writing;
      },
    };
  }

  async #append(batch: AppendRequest): Promise<AppendResult> {
    try {
      const appended = await this.#parts.store.append(batch);
      const entries = 'entries' in appended ? appended.entries : [];
      const end = entries.at(-1);
      if (end) this.#moved?.set(batch.stream, end);
      this.#written.take(entries, this.#signed);
      return appended;
    } catch (error) {
      if (!(error instanceof WriteFailed)) this.#doubts += 1;
      throw error;
    }
  }

  /** One at a time, in the order in which they were asked for. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(() => this.#asHolder(act));
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Whoever was taken over leaves the anchor to its successor. */
  async #asHolder(act: () => Promise<void>): Promise<void> {
    await this.#refuseTakenOver();
    try {
      await act();
    } catch (error) {
      // What a successor has just written is no damage.
      if (error instanceof DamagedRecord) await this.#refuseTakenOver();
      throw error;
    }
  }

  async #refuseTakenOver(): Promise<void> {
    const { store, others } = this.#parts;
    if (others) this.#isOver ||= !(await others.isHolder());
    if (this.#isOver) throw new TakenOver('Another program signs the record.');
    if (!others && (await store.epoch()) > store.writerEpoch)
      throw new TakenOver('Another program has opened the record.');
  }

  /** Takes down where streams have got to, where others write to them as well and tell of it in any order. */
  #see(places: Iterable<readonly [string, HeadPosition]>): void {
    for (const [stream, { sequence, hash }] of places) {
      if (sequence <= (this.#seen.get(stream)?.sequence ?? 0)) continue;
      this.#seen.set(stream, { sequence, hash });
      this.#moved?.set(stream, { sequence, hash });
    }
  }

  #look(): void {
    const { others } = this.#parts;
    if (others) this.#see(others.watch.take());
  }

  /** Begins the anchor with everything that the record holds; in spite of a new doubt, what was known before is kept. */
  begin(doubt?: IntegrityIssue, isKnown = false): Promise<void> {
    return this.#inTurn(async () => {
      if (doubt && !isKnown) await keepFormer(this.#parts.file);
      await this.#begin(doubt);
    });
  }

  async #begin(doubt?: IntegrityIssue): Promise<void> {
    const moved = new Map<string, HeadPosition>();
    this.#moved = moved;
    try {
      const heads = await this.#allHeads();
      const { handovers } = this.#parts.followed;
      const line = {
        ...this.#line(true),
        ...(handovers.length > 0 && { handovers }),
        ...(doubt && { doubt }),
      };
      this.#begun = await beginWith(this.#parts.file, signedWith(heads, line, this.#parts.signer()));
    } catch (error) {
      this.#moved = undefined;
      throw error;
    }
  }

  /** Tells the anchor how far the record has got. */
  anchor(): Promise<void> {
    return this.#inTurn(async () => {
      this.#look();
      const moved = this.#moved;
      if (moved === undefined || isDue(this.#parts.file, this.#begun)) return this.#begin();
      const isKnown = moved.size === 0 && this.#told.number === (this.#last?.number ?? 0);
      if (isKnown && this.#parts.clock() - this.#told.at < idle) return;
      this.#moved = new Map();
      try {
        const line = { ...this.#line(false), heads: headsOf(moved) };
        await addLine(this.#parts.file, signValue(line, this.#parts.signer()));
      } catch (error) {
        // Part of the line may stand there: the next one begins anew.
        this.#moved = undefined;
        throw error;
      }
    });
  }

  /** All streams with where they stand, written out part by part. */
  async #allHeads(): Promise<readonly string[]> {
    const parts: string[] = [];
    for await (const { heads } of this.#parts.store.readHeadsAndBalances()) {
      if (heads.length === 0) break;
      parts.push(headsText(heads));
      if (this.#parts.others) for (const [stream, head] of heads) this.#seen.set(stream, head);
    }
    return parts;
  }

  /** A line for the anchor but for its streams; it counts as told from now on. */
  #line(whole: boolean): Omit<AnchorLine, 'heads'> {
    const last = this.#last && { number: this.#last.number, hash: this.#hash! };
    const stamp = this.#stamp();
    this.#told = { at: stamp.at, number: last?.number ?? 0 };
    return { ...stamp, whole, ...(last && { checkpoint: last }) };
  }

  #stamp() {
    const { store, signer, clock, epoch = store.writerEpoch } = this.#parts;
    return { v: 1, at: clock(), epoch, signer: signer().name } as const;
  }

  /** Signs, in the record, where it stands: at first, and then if it has moved; in the end also that nothing follows. */
  checkpoint(isClosed = false): Promise<void> {
    return this.#inTurn(async () => {
      this.#isClosed ||= isClosed;
      const { store, former, others } = this.#parts;
      if (others) others.watch.isClosed ||= isClosed;
      const signer = this.#parts.signer();
      const standing = await (others ? this.#reached() : this.#standing());
      const { moved, balances } = standing;
      const isSaid = !isClosed || this.#last?.closed === true;
      if (this.#signed !== undefined && moved.size === 0 && isSaid) return;
      const number = (this.#last?.number ?? 0) + 1;
      const isOther = this.#last !== undefined && this.#last.signer !== signer.name;
      const checkpoint: Checkpoint = {
        ...this.#stamp(),
        whole: this.#signed === undefined,
        heads: headsOf(moved),
        number,
        previous: this.#hash,
        balances,
        ...(isClosed && { closed: true }),
        ...(isOther && former && { handover: former.sign(handoverOf(signer.name, number)) }),
      };
      const { text, signature } = signValue(checkpoint, signer);
      await store.checkpoint({ number, text, signature }).catch((error: unknown) => {
        // Whoever was faster signs from now on.
        this.#isOver ||= others !== undefined && error instanceof TakenOver;
        throw error;
      });
      this.#isSigned(standing, checkpoint, text);
      if (others) this.#see(moved);
    });
  }

  /** Where the record stands, by what was written to it since it was last signed, whoever has written that. */
  async #reached(): Promise<Standing> {
    const { store, followed } = this.#parts;
    this.#look();
    const known = { signed: this.#signed ?? followed.places, balances: balancesBy(this.#last), seen: this.#seen };
    const { heads, balances } = await reached(store, known, this.#signed === undefined);
    return { moved: heads, balances, held: new Map(), doubts: 0 };
  }

  /** Where the record stands, if nobody else has written to it since it was last signed here. */
  async #standing(): Promise<Standing> {
    const doubts = this.#doubts;
    const [all, before] = [new BalancesHash(), new BalancesHash()];
    const moved = new Map<string, HeadPosition>();
    const held = new Map<Account, Balance>();
    const isSame = (stream: string, { sequence, hash }: HeadPosition): boolean => {
      const known = this.#signed?.get(stream);
      return known?.sequence === sequence && known.hash === hash;
    };
    const parts = this.#parts.store.readHeadsAndBalances()[Symbol.asyncIterator]();
    try {
      for (let next = await this.#alone(() => parts.next()); next.done !== true; next = await parts.next()) {
        const { heads, balances } = next.value;
        for (const [stream, head] of heads) if (!isSame(stream, head)) moved.set(stream, head);
        all.add(balances);
        before.add(this.#written.before(balances));
        for (const [account, balance] of balances) if (this.#written.has(account)) held.set(account, balance);
      }
    } finally {
      await parts.return?.();
    }
    const standing = { moved, balances: all.end(), held, doubts };
    if (this.#signed === undefined || this.#doubts !== this.#signedDoubts) return standing;
    this.#written.check(moved, held, this.#signed);
    if (before.end() !== this.#last?.balances) {
      throw new DamagedRecord('The balances are not those that were signed and what this program has written since.');
    }
    return standing;
  }

  /** At a moment when all that was written is known here, and nothing is under way. */
  async #alone<T>(act: () => Promise<T>): Promise<T> {
    const open = Promise.withResolvers<void>();
    this.#gate = open.promise;
    try {
      await Promise.allSettled(this.#writing);
      return await act();
    } finally {
      this.#gate = undefined;
      open.resolve();
    }
  }

  #isSigned({ moved, held, doubts }: Standing, checkpoint: Checkpoint, text: string): void {
    this.#signed ??= new Map();
    for (const [stream, { sequence, hash }] of moved) this.#signed.set(stream, { sequence, hash });
    this.#written.signed(moved, held);
    [this.#last, this.#hash, this.#signedDoubts] = [checkpoint, hashOfText(text), doubts];
    this.#signedAt = { at: checkpoint.at, hash: this.#hash };
  }
}
