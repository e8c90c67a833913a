import { createHmac, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type WagerTotals, emptyWagerTotals, projectEntryToWagerTotals } from '../../history/wagerTotals.ts';
import { type Store } from '../../store/store.ts';

/** Kind of the saved totals in the key-value table. The id is the stream; the value is a MAC and the totals. */
const kind = 'wager-totals';
/** Schema version of saved totals. Totals of another version are computed again from the entries. */
const schemaVersion = 1;
/** Number of new entries after which totals are saved, so that a restart need not read those entries again. */
const saveEvery = 20_000;
/** Number of entries that are read at once; other work runs between two reads. */
const batchSize = 200;

type WagerTotalsOptions = { readonly store: Pick<Store, 'read' | 'listValues' | 'putValue'>; readonly key: Buffer };

/** Wager totals of all tables. Each request reads the new entries of the table first. */
export class WagerTotalsCache {
  readonly #options: WagerTotalsOptions;
  readonly #totals = new Map<string, Promise<WagerTotals>>();
  readonly #savedSequences = new Map<string, number>();
  #stored: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(options: WagerTotalsOptions) {
    this.#options = options;
  }

  /**
   * Current totals of a stream. Requests for a stream run one after another, and each request continues where the last
   * request ended.
   */
  totalsOf(stream: string): Promise<WagerTotals> {
    const before = this.#totals.get(stream) ?? this.#load(stream);
    const after = before.then((totals) => this.#readNew(totals));
    // After a failure the next request begins with the saved totals again.
    this.#totals.set(stream, after);
    after.catch(() => this.#totals.delete(stream));
    return after;
  }

  async save(): Promise<void> {
    for (const totals of this.#totals.values()) await this.#save(await totals);
  }

  async #load(stream: string): Promise<WagerTotals> {
    const saved = (await this.#readSaved()).get(stream) ?? '';
    const [mac, text] = [saved.slice(0, 43), saved.slice(44)];
    const expected = macOf(this.#options.key, stream, text);
    // Totals without a valid MAC are computed again from the entries.
    if (mac.length !== expected.length || !timingSafeEqual(Buffer.from(mac), Buffer.from(expected)))
      return emptyWagerTotals(stream);
    const { version, totals } = JSON.parse(text) as { version: number; totals: WagerTotals };
    if (version !== schemaVersion) return emptyWagerTotals(stream);
    this.#savedSequences.set(stream, totals.sequence);
    return totals;
  }

  /** Saved totals of all streams, read once. After a failure the next request reads them again. */
  #readSaved(): Promise<ReadonlyMap<string, string>> {
    if (this.#stored === undefined) {
      this.#stored = this.#options.store.listValues(kind);
      this.#stored.catch(() => (this.#stored = undefined));
    }
    return this.#stored;
  }

  async #readNew(totals: WagerTotals): Promise<WagerTotals> {
    for await (const entries of this.#options.store.read(totals.stream, totals.sequence, batchSize)) {
      for (const entry of entries) projectEntryToWagerTotals(totals, entry);
      await setImmediate();
    }
    if (totals.sequence - (this.#savedSequences.get(totals.stream) ?? 0) > saveEvery) await this.#save(totals);
    return totals;
  }

  async #save(totals: WagerTotals): Promise<void> {
    if (totals.sequence === (this.#savedSequences.get(totals.stream) ?? 0)) return;
    const text = JSON.stringify({ version: schemaVersion, totals });
    this.#savedSequences.set(totals.stream, totals.sequence);
    await this.#options.store.putValue(kind, totals.stream, `${macOf(this.#options.key, totals.stream, text)} ${text}`);
  }
}

const macOf = (key: Buffer, stream: string, text: string): string =>
  createHmac('sha256', key).update(`wager-totals ${stream} ${text}`).digest('base64url');
