import { type StoredPayload, type StoreReader, type StoredEntry } from '../../store/store.ts';
import { type CommandResult, type CommandContext, emptyContext } from './pendingCommand.ts';
import { type UncheckedRefusal, resultUnknownRefusal } from './refusals.ts';
import { type ForwardedCommand, type ClusterPort } from '../ports/clusterPort.ts';
import { hasRoleInRequest, malformedTextRefusal, requestHashIfWellFormed, roleInRequestRefusal } from './wellFormed.ts';

type CommandForwarderOptions = {
  readonly cluster: Pick<ClusterPort, 'forward'>;
  readonly store: Pick<StoreReader, 'read'>;
  readonly stream: string;
  /** Returns the sequence up to which this node has read each stream on which the decision depends. */
  readonly readPositions: (request: StoredPayload) => Promise<ForwardedCommand['readPositions']>;
  /** Resolves when this node has published the stream up to `sequence`. */
  readonly untilPublished: (sequence: number) => Promise<void>;
  /** Answers a refused command: with its stored result if the command is stored, else with the refusal. */
  readonly refuse: (id: string, request: StoredPayload, refusal: UncheckedRefusal) => Promise<CommandResult>;
  readonly onWarning: (error: unknown) => void;
};

/**
 * Forwards commands to the node that leads a table. A result is returned only after this node has published the entries
 * of the command.
 */
export class CommandForwarder {
  readonly #options: CommandForwarderOptions;
  /**
   * Number of forwarded commands without a result. While the number is above zero, `#recent` collects all published
   * entries, in order and without gaps.
   */
  #pending = 0;
  #recent: StoredEntry[] = [];
  #isStopped = false;
  readonly #stopped = Promise.withResolvers<typeof resultUnknownRefusal>();

  constructor(options: CommandForwarderOptions) {
    this.#options = options;
  }

  published(entries: readonly StoredEntry[]): void {
    if (this.#pending > 0) this.#recent.push(...entries);
  }

  async forward(id: string, request: StoredPayload, context: CommandContext = emptyContext): Promise<CommandResult> {
    if (requestHashIfWellFormed(id, request) === undefined) return malformedTextRefusal;
    if (hasRoleInRequest(request)) return roleInRequestRefusal;
    if (this.#isStopped) return resultUnknownRefusal;
    const { cluster, stream, readPositions, untilPublished, refuse, onWarning } = this.#options;
    this.#pending += 1;
    try {
      const command = { id, request, context, readPositions: await readPositions(request) };
      const result = await Promise.race([cluster.forward(stream, command), this.#stopped.promise]);
      if ('refused' in result) return await refuse(id, request, result);
      const { from, to } = result;
      await untilPublished(to);
      if (this.#isStopped) return resultUnknownRefusal;
      return { entries: await this.#entriesBetween(from, to) };
    } catch (error) {
      onWarning(error);
      return resultUnknownRefusal;
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#recent = [];
    }
  }

  /** Resolves all pending commands to `result-unknown`. A resend with the same id to another node gets the result. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopped.resolve(resultUnknownRefusal);
    while (this.#pending > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Finds the entries of a result, in memory if possible, else in the event store. */
  async #entriesBetween(from: number, to: number): Promise<readonly StoredEntry[]> {
    const first = this.#recent[0]?.sequence ?? Infinity;
    const last = this.#recent.at(-1)?.sequence ?? 0;
    if (first <= from && to <= last) return this.#recent.slice(from - first, to - first + 1);
    const found: StoredEntry[] = [];
    for await (const entries of this.#options.store.read(this.#options.stream, from - 1, to - from + 1)) {
      found.push(...entries);
      if (found.length > to - from) break;
    }
    if (found.length <= to - from)
      throw new Error(
        `The entries of a forwarded command are missing: this node finds no entry ${to} of ${this.#options.stream}.`,
      );
    return found.slice(0, to - from + 1);
  }
}
