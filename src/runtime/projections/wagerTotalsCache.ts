import { createHmac, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type WagerTotals, emptyWagerTotals, projectWagerTotals } from '../../history/wagerTotals.ts';
import { type Store } from '../../store/store.ts';

/** Beside the chain, by the stream: a code that only the key of the record gives, and the figures. */
const kind = 'figures';
/** The form of what is kept; another one is made anew from the record. */
const form = 1;
/** After so many entries what they came to is kept, so that a start need not read them again. */
const keepAfter = 20_000;
/** So many entries are read at once; in between whatever else waits comes first. */
const atOnce = 200;

type Parts = { readonly store: Pick<Store, 'read' | 'listValues' | 'putValue'>; readonly key: Buffer };

/** The figures of every table, brought up to the end of its record whenever somebody asks. */
export class FloorFigures {
  readonly #parts: Parts;
  readonly #figures = new Map<string, Promise<WagerTotals>>();
  readonly #kept = new Map<string, number>();
  #saved: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Those of a table by its stream, as the record has it now. One after another: each reads on where the last one ended. */
  of(stream: string): Promise<WagerTotals> {
    const before = this.#figures.get(stream) ?? this.#begin(stream);
    const after = before.then((figures) => this.#readOn(figures));
    // Whoever asks after a failure begins anew.
    this.#figures.set(stream, after);
    after.catch(() => this.#figures.delete(stream));
    return after;
  }

  /** Keeps what has been read, for the next start. */
  async keep(): Promise<void> {
    for (const figures of this.#figures.values()) await this.#keep(await figures);
  }

  async #begin(stream: string): Promise<WagerTotals> {
    const saved = (await (this.#saved ??= this.#parts.store.listValues(kind))).get(stream) ?? '';
    const [code, text] = [saved.slice(0, 43), saved.slice(44)];
    const due = codeOf(this.#parts.key, stream, text);
    // What nobody with the key has written is not believed; nothing is lost by that.
    if (code.length !== due.length || !timingSafeEqual(Buffer.from(code), Buffer.from(due)))
      return emptyWagerTotals(stream);
    const { form: was, figures } = JSON.parse(text) as { form: number; figures: WagerTotals };
    if (was !== form) return emptyWagerTotals(stream);
    this.#kept.set(stream, figures.sequence);
    return figures;
  }

  async #readOn(figures: WagerTotals): Promise<WagerTotals> {
    for await (const entries of this.#parts.store.read(figures.stream, figures.sequence, atOnce)) {
      for (const entry of entries) projectWagerTotals(figures, entry);
      await setImmediate();
    }
    if (figures.sequence - (this.#kept.get(figures.stream) ?? 0) > keepAfter) await this.#keep(figures);
    return figures;
  }

  async #keep(figures: WagerTotals): Promise<void> {
    if (figures.sequence === (this.#kept.get(figures.stream) ?? 0)) return;
    const text = JSON.stringify({ form, figures });
    this.#kept.set(figures.stream, figures.sequence);
    await this.#parts.store.putValue(kind, figures.stream, `${codeOf(this.#parts.key, figures.stream, text)} ${text}`);
  }
}

const codeOf = (key: Buffer, stream: string, text: string): string =>
  createHmac('sha256', key).update(`figures ${stream} ${text}`).digest('base64url');
