import { type FloorHandlersForCluster } from './floorHandlersForCluster.ts';

const pollMs = 1_000;

type HeadPollerOptions = {
  readonly handlers: FloorHandlersForCluster;
  readonly headsOf: (streams: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Called when the database did not reply. */
  readonly onDatabaseFailure: (error: unknown) => void;
  readonly onWarning: (what: string, error: unknown) => void;
};

/** Polls the heads of the streams that this node has in memory, because a notification of another node may be lost. */
export class HeadPoller {
  readonly #options: HeadPollerOptions;
  readonly #timer: NodeJS.Timeout;
  #polling: Promise<void> | undefined;

  constructor(options: HeadPollerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      this.#polling ??= this.#poll().finally(() => (this.#polling = undefined));
    }, pollMs);
  }

  async #poll(): Promise<void> {
    const { handlers, headsOf, onDatabaseFailure, onWarning } = this.#options;
    const streams = handlers.streamsInMemory();
    if (streams.length === 0) return;
    let heads: ReadonlyMap<string, number>;
    try {
      heads = await headsOf(streams);
    } catch (error) {
      onDatabaseFailure(error);
      return;
    }
    await handlers.readUpTo(heads).catch((error: unknown) => onWarning('nodes', error));
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
  }
}
