import { type AcceptedIntegrityIssue } from '../ports/floorConfig.ts';
import { floorDecider } from '../../deciders/deciders.ts';
import { DamagedStoreError } from '../../store/store.ts';
import { type FloorCommand, type ShoeRetirementReason } from '../../floor/commands.ts';
import { type FloorEvent } from '../../floor/events.ts';
import { type FloorDeciderRefusal } from '../../floor/decide.ts';
import { type FloorStreamState } from '../../floor/state.ts';
import { floorActor } from '../../access/actor.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { StreamAbortedError } from '../stream/pendingCommand.ts';
import { type CommandRefusal } from '../stream/refusals.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

/**
 * Names of the ticket keys, oldest first. `retiredCount` is the number of oldest keys that the start retires after a
 * rollback, and 0 at any other start. Tickets of retired keys are paid by hand only.
 */
export type TicketKeyNamesAtStart = { readonly names: readonly string[]; readonly retiredCount: number };

/**
 * True when the accepted integrity issue means that the event log may have been rolled back, and so may lack entries.
 */
export const isPossibleRollback = (issue: AcceptedIntegrityIssue | undefined): boolean =>
  issue !== undefined && issue.reason !== 'unsigned-entries';

/**
 * Maximum time between the last sign of life of a floor and its next start, in milliseconds. After a longer time, the
 * start retires the virtual shoes.
 */
export const maxRestBeforeShoeRetirementMs = 3_600_000;

/** Runs the floor decider, which records starts, closes, retired shoes, clock jumps and wrong ticket numbers. */
export class FloorStream {
  readonly #owner: PropertyAndCurrency;
  readonly #dependencies: FloorDependencies;
  /** The failure after which the floor stream stopped retrying; undefined if it has not stopped. */
  #abortError: unknown;
  readonly #processor: StreamProcessor<FloorStreamState | undefined, FloorCommand, FloorEvent, FloorDeciderRefusal>;

  constructor(owner: PropertyAndCurrency, balances: BalanceCache, dependencies: FloorDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    const { store, clock, onWarning, onRetrying, onRecovered, onFatal, sleep, cluster } = dependencies;
    const stream = `${owner.property}/floor/main`;
    const name = 'the floor stream';
    this.#processor = new StreamProcessor({
      decider: floorDecider,
      contextOf: () => ({}),
      store,
      stream,
      balances,
      key: dependencies.key,
      clock,
      publish: () => {},
      onWarning: (error) => onWarning(name, error),
      onCrashed: (error) => onWarning(`${name}, which has stopped`, error),
      onRetrying: (error) => onRetrying(name, error),
      onRecovered: () => onRecovered(name),
      onAborted: (error) => {
        this.#abortError = error;
        onRecovered(name);
      },
      onPaused: () => {},
      onFatal,
      sleep,
      outageReport: () => undefined,
      ...(cluster && { onAppended: (sequence) => cluster.publishHead(stream, sequence) }),
    });
  }

  get stream(): string {
    return this.#processor.stream;
  }

  stop(): Promise<void> {
    return this.#processor.stop();
  }

  /** Waits until this node has read the floor stream up to `sequence`, or until reading has failed too often. */
  readUpTo(sequence: number): Promise<void> {
    return this.#processor.untilPublished(sequence);
  }

  readToEnd(): Promise<void> {
    return this.#processor.readToEnd();
  }

  async load(): Promise<void> {
    await this.#processor.load();
    const { epoch = 0 } = this.#processor.state ?? {};
    const { store } = this.#dependencies;
    const known = await store.epoch();
    // The store may have a later epoch than the floor stream, because another node of the cluster may have opened the
    // store since the start.
    if (epoch <= Math.max(store.writerEpoch, known)) return;
    throw new DamagedStoreError(
      `The floor stream was written in writer epoch ${epoch}, but the last writer epoch of the store is ${known}.`,
    );
  }

  /** Names of all ticket keys, oldest first. */
  get ticketKeys(): readonly string[] {
    return this.#processor.state?.ticketKeys ?? [];
  }

  /** Number of retired ticket keys. The oldest ticket keys are retired first. */
  get retiredTicketKeys(): number {
    return this.#processor.state?.retiredKeys?.at(-1)?.keys ?? 0;
  }

  /**
   * Records the start and the names of the ticket keys. Retires `shoes` if an integrity issue was accepted or the
   * floor was at rest for too long.
   */
  async start(
    lastHeartbeat: number | undefined,
    shoes: readonly string[],
    { names: ticketKeys, retiredCount: retiredKeys }: TicketKeyNamesAtStart = { names: [], retiredCount: 0 },
  ): Promise<void> {
    const { store, integrityIssue, truncatedFrames, unsignedEntries } = this.#dependencies;
    const { property, currency } = this.#owner;
    const at = this.#dependencies.clock();
    // If the floor stopped before its first heartbeat, its last entry in this stream is its last sign of life.
    const since = Math.max(lastHeartbeat ?? 0, this.#processor.state?.at ?? 0);
    await this.#submit({
      type: 'StartFloor',
      property,
      currency,
      // The epoch must not decrease, even if this process opened the store before the last start.
      epoch: Math.max(store.writerEpoch, this.#processor.state?.epoch ?? 0),
      since: since === 0 ? null : since,
      ...(truncatedFrames !== undefined && { torn: truncatedFrames }),
      ...(unsignedEntries && { unsignedEntries }),
      ...(ticketKeys.length > 0 && { ticketKeys }),
    });
    const unretired = shoes.filter((shoe) => this.retirementReason(shoe) === undefined);
    if (integrityIssue) {
      const retired = retiredKeys > 0 && { retiredKeys };
      await this.#submit({ type: 'RetireShoes', shoes: unretired, ...integrityIssue, ...retired });
    } else if (unretired.length > 0 && at - since > maxRestBeforeShoeRetirementMs) {
      await this.#submit({ type: 'RetireShoes', shoes: unretired, reason: 'long-rest' });
    }
    this.join();
  }

  /** Joins a floor that this node or another node has started. From now on clock jumps are recorded. */
  join(): void {
    // Appends are retried without limit, because a clock jump must be recorded even after a full disk.
    this.#processor.retriesForever = true;
    this.#dependencies.subscribeClockJumps?.(({ from, to }) => {
      this.recordClockJump(from, to).catch((error: unknown) => this.#dependencies.onWarning('the floor stream', error));
    });
  }

  /** Reason why a shoe was retired; undefined if the shoe was not retired. */
  retirementReason(shoe: string): ShoeRetirementReason | undefined {
    const retired = this.#processor.state?.retired;
    return retired && Object.hasOwn(retired, shoe) ? retired[shoe] : undefined;
  }

  /**
   * True when `at` is not after the last accepted rollback. A table whose last entry is that old may lack later
   * entries.
   */
  isBeforeRollback(at: number): boolean {
    return at <= (this.#processor.state?.stateLostAt ?? -Infinity);
  }

  recordClockJump(from: number, to: number): Promise<void> {
    return this.#submit({ type: 'NoteClock', from, to });
  }

  recordWrongTicketNumbers(attempts: number, since: number): Promise<void> {
    return this.#submit({ type: 'ReportTicketAttempts', attempts, since });
  }

  close(): Promise<void> {
    this.stopRetrying();
    return this.#submit({ type: 'CloseFloor' });
  }

  /**
   * Stops unlimited retries. Call before this node leaves or closes the floor, so that a failing store does not delay
   * the end.
   */
  stopRetrying(): void {
    this.#processor.retriesForever = false;
  }

  async #submit(request: { readonly type: FloorCommand['type']; readonly [field: string]: unknown }): Promise<void> {
    const result: { readonly entries: unknown } | CommandRefusal = await this.#processor.submit(
      this.#dependencies.newId(),
      {
        actor: floorActor,
        ...request,
      },
    );
    if (this.#abortError !== undefined) {
      throw new StreamAbortedError('The floor stream cannot be written.', { cause: this.#abortError });
    }
    if (this.#processor.isStopped) {
      throw new Error('The floor stream has stopped. Read the error before this message, and start the server again.');
    }
    if ('refused' in result) throw new Error(`The floor stream cannot be written: ${result.message}`);
  }
}
