import { type StoredRequest, type StoreReader, type StoredEntry } from '../../store/store.ts';
import { type CommandResult, type Brought, noContext, unknown } from './pendingCommand.ts';
import { type ForwardedCommand, type ClusterPort } from '../ports/clusterPort.ts';
import { asksPost, brokenText, hashOfWhole, postAsked } from './wellFormed.ts';

type Parts = {
  readonly shared: Pick<ClusterPort, 'ask'>;
  readonly store: Pick<StoreReader, 'read'>;
  readonly stream: string;
  /** How far those streams have been read here that a command is decided by. */
  readonly seen: (asked: StoredRequest) => Promise<ForwardedCommand['seen']>;
  /** Resolves once the stream has been shown here up to an entry. */
  readonly reached: (sequence: number) => Promise<void>;
  readonly trouble: (error: unknown) => void;
};

/** Asks whoever drives a table elsewhere, and gives the answer once what it tells of has been shown here. */
export class CommandForwarder {
  readonly #parts: Parts;
  /** So many wait for an answer; meanwhile what is shown is kept for them, in the order of the stream and without a gap. */
  #waiting = 0;
  #recent: StoredEntry[] = [];
  #isOver = false;
  readonly #over = Promise.withResolvers<typeof unknown>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** These have been shown. */
  show(entries: readonly StoredEntry[]): void {
    if (this.#waiting > 0) this.#recent.push(...entries);
  }

  async ask(id: string, asked: StoredRequest, brought: Brought = noContext): Promise<CommandResult> {
    if (hashOfWhole(id, asked) === undefined) return brokenText;
    if (asksPost(asked)) return postAsked;
    if (this.#isOver) return unknown;
    const { shared, stream, seen, reached, trouble } = this.#parts;
    this.#waiting += 1;
    try {
      const asking = { id, asked, brought, seen: await seen(asked) };
      const answered = await Promise.race([shared.ask(stream, asking), this.#over.promise]);
      if ('refused' in answered) return answered;
      const { from, to } = answered;
      await reached(to);
      if (this.#isOver) return unknown;
      return { entries: await this.#between(from, to) };
    } catch (error) {
      trouble(error);
      return unknown;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#recent = [];
    }
  }

  /** Nobody waits for an answer any more, as none can be read: whoever asks again elsewhere by the same id is given it. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#over.resolve(unknown);
    while (this.#waiting > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** The entries of an answer: at hand where it is new, and in the record in any case. */
  async #between(from: number, to: number): Promise<readonly StoredEntry[]> {
    const first = this.#recent[0]?.sequence ?? Infinity;
    const last = this.#recent.at(-1)?.sequence ?? 0;
    if (first <= from && to <= last) return this.#recent.slice(from - first, to - first + 1);
    const found: StoredEntry[] = [];
    for await (const entries of this.#parts.store.read(this.#parts.stream, from - 1, to - from + 1)) {
      found.push(...entries);
      if (found.length > to - from) break;
    }
    if (found.length <= to - from) throw new Error(`The record of ${this.#parts.stream} does not reach to ${to} yet.`);
    return found.slice(0, to - from + 1);
  }
}
