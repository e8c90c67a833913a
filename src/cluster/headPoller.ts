import { type NodeHandlers } from './nodeHandlers.ts';

/** The heads of what is followed are looked at so often, whatever is heard, in milliseconds. */
const pollTime = 1_000;

type Parts = {
  readonly calls: NodeHandlers;
  readonly headsOf: (streams: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** The database could not be asked. */
  readonly away: (error: unknown) => void;
  readonly trouble: (what: string, error: unknown) => void;
};

/** Looks how far streams have got, since a hint may be lost. */
export class Poll {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    }, pollTime);
  }

  async #look(): Promise<void> {
    const { calls, headsOf, away, trouble } = this.#parts;
    const streams = calls.followed();
    if (streams.length === 0) return;
    let heads: ReadonlyMap<string, number>;
    try {
      heads = await headsOf(streams);
    } catch (error) {
      away(error);
      return;
    }
    await calls.heard(heads).catch((error: unknown) => trouble('nodes', error));
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }
}
