import { type Store, TakenOver } from '../store/store.ts';
import { WriteFailed } from '../store/trouble.ts';
import { addLine, beginWith, isDue, keepFormer } from './file.ts';
import {
  type Checkpoint,
  type Doubt,
  type Line,
  type Place,
  type Places,
  hashOfBalances,
  hashOfText,
  headsOf,
  handoverOf,
  signed,
} from './mark.ts';
import { type Signer } from './signer.ts';
import { type Followed } from './standing.ts';

type Parts = {
  readonly store: Store;
  /** Who signs, asked for when something is signed first. */
  readonly signer: () => Signer;
  /** Where the anchor lies, away from the data. */
  readonly file: string;
  readonly clock: () => number;
  /** The checkpoints that are in the record already. */
  readonly followed: Followed;
  /** Who signed so far, where that was another: it hands over. */
  readonly former?: Signer;
};

/** An anchor is told at least so often, in milliseconds, that nothing has moved: by it a late entry is known. */
const idle = 5_000;

/** Signs what a record came to: in the record itself now and then, in the anchor as the record grows. */
export class Keeper {
  readonly #parts: Parts;
  #last: Pick<Checkpoint, 'number' | 'signer' | 'closed'> | undefined;
  #hash: string | null;
  /** Where streams stood at the last checkpoint; none before the first of this epoch, which names all. */
  #signed: Places | undefined;
  /** Where streams have got to that the anchor does not know of; undefined where it is to be begun anew. */
  #moved: Map<string, Place> | undefined;
  /** When the anchor was last told something, and of which checkpoint. */
  #told = { at: 0, number: 0 };
  readonly #writing = new Set<Promise<unknown>>();
  /** Whether it is signed that nothing follows. */
  #isClosed = false;
  /** How long the anchor was when it was begun, in bytes. */
  #begun = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#last = parts.followed.last;
    this.#hash = parts.followed.hashes.at(-1) ?? null;
  }

  /** The store, with what is written to it noted. */
  watched(): Store {
    const { store } = this.#parts;
    return {
      ...store,
      append: async (batch) => {
        if (this.#isClosed) throw new WriteFailed('It is signed that nothing follows in the record.');
        const writing = store.append(batch);
        this.#writing.add(writing);
        const appended = await writing.finally(() => this.#writing.delete(writing));
        const end = 'entries' in appended ? appended.entries.at(-1) : undefined;
        if (end) this.#moved?.set(batch.stream, end);
        return appended;
      },
    };
  }

  /** One at a time, in the order in which they were asked for. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(() => this.#asHolder(act));
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Whoever was taken over leaves the anchor to its successor. */
  async #asHolder(act: () => Promise<void>): Promise<void> {
    const { store } = this.#parts;
    if ((await store.epoch()) > store.held) throw new TakenOver('Another program has opened the record.');
    await act();
  }

  /** Begins the anchor with everything that the record holds; in spite of a new doubt, what was known before is kept. */
  begin(doubt?: Doubt, isKnown = false): Promise<void> {
    return this.#inTurn(async () => {
      if (doubt && !isKnown) await keepFormer(this.#parts.file);
      await this.#begin(doubt);
    });
  }

  async #begin(doubt?: Doubt): Promise<void> {
    const moved = new Map<string, Place>();
    this.#moved = moved;
    try {
      this.#begun = await beginWith(this.#parts.file, this.#line(await this.#parts.store.heads(), true, doubt));
    } catch (error) {
      this.#moved = undefined;
      throw error;
    }
  }

  /** Tells the anchor how far the record has got. */
  anchor(): Promise<void> {
    return this.#inTurn(async () => {
      const moved = this.#moved;
      if (moved === undefined || isDue(this.#parts.file, this.#begun)) return this.#begin();
      const isKnown = moved.size === 0 && this.#told.number === (this.#last?.number ?? 0);
      if (isKnown && this.#parts.clock() - this.#told.at < idle) return;
      this.#moved = new Map();
      try {
        await addLine(this.#parts.file, this.#line(moved, false));
      } catch (error) {
        // Part of the line may stand there: the next one begins anew.
        this.#moved = undefined;
        throw error;
      }
    });
  }

  #line(places: Iterable<readonly [string, Place]>, whole: boolean, doubt?: Doubt): ReturnType<typeof signed> {
    const last = this.#last && { number: this.#last.number, hash: this.#hash! };
    const { handovers } = this.#parts.followed;
    const stamp = this.#stamp();
    this.#told = { at: stamp.at, number: last?.number ?? 0 };
    const line: Line = {
      ...stamp,
      whole,
      heads: headsOf(places),
      ...(last && { checkpoint: last }),
      ...(whole && handovers.length > 0 && { handovers }),
      ...(doubt && { doubt }),
    };
    return signed(line, this.#parts.signer());
  }

  #stamp() {
    const { store, signer, clock } = this.#parts;
    return { v: 1, at: clock(), epoch: store.held, signer: signer().name } as const;
  }

  /** Signs, in the record, where it stands: at first, and then if it has moved; in the end also that nothing follows. */
  checkpoint(isClosed = false): Promise<void> {
    return this.#inTurn(async () => {
      this.#isClosed ||= isClosed;
      if (isClosed) await Promise.allSettled(this.#writing);
      const { store, former } = this.#parts;
      const signer = this.#parts.signer();
      const { heads, balances } = await store.standing();
      const moved = [...heads].filter(([stream, { sequence }]) => this.#signed?.get(stream)?.sequence !== sequence);
      const isSaid = !isClosed || this.#last?.closed === true;
      if (this.#signed !== undefined && moved.length === 0 && isSaid) return;
      const number = (this.#last?.number ?? 0) + 1;
      const isOther = this.#last !== undefined && this.#last.signer !== signer.name;
      const checkpoint: Checkpoint = {
        ...this.#stamp(),
        whole: this.#signed === undefined,
        heads: headsOf(moved),
        number,
        previous: this.#hash,
        balances: hashOfBalances(balances),
        ...(isClosed && { closed: true }),
        ...(isOther && former && { handover: former.sign(handoverOf(signer.name, number)) }),
      };
      const { text, signature } = signed(checkpoint, signer);
      await store.checkpoint({ number, text, signature });
      [this.#last, this.#hash, this.#signed] = [checkpoint, hashOfText(text), heads];
    });
  }
}
