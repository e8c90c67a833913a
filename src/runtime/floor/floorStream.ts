import { type AcceptedIntegrityIssue } from '../ports/floorConfig.ts';
import { floorDecider } from '../../deciders/deciders.ts';
import { DamagedStore } from '../../store/store.ts';
import { type FloorCommand, type RetirementReason } from '../../floor/commands.ts';
import { type FloorEvent } from '../../floor/events.ts';
import { type FloorDeciderRefusal } from '../../floor/decide.ts';
import { type FloorState } from '../../floor/state.ts';
import { floorActor } from '../../access/actor.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { CannotRecord } from '../stream/pendingCommand.ts';
import { type CommandRefusal } from '../stream/refusals.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** Names of the ticket keys, and how many of the oldest are retired: their tickets are not paid automatically. */
export type TicketKeys = { readonly names: readonly string[]; readonly retiredCount: number };

/** True if the event log may have been rolled back, so that unknown entries are missing. */
export const isRolledBack = (issue: AcceptedIntegrityIssue | undefined): boolean =>
  issue !== undefined && issue.reason !== 'unsigned-entries';

/** Shoes are retired when the floor had no heartbeat for longer than this, in milliseconds. */
export const longRestMs = 3_600_000;

/** Runs the floor decider: starts, closes, retired shoes and clock jumps. */
export class FloorStream {
  readonly #owner: Owner;
  readonly #dependencies: RuntimeDependencies;
  /** Why the stream was aborted. */
  #abortError: unknown;
  readonly #processor: StreamProcessor<FloorState | undefined, FloorCommand, FloorEvent, FloorDeciderRefusal>;

  constructor(owner: Owner, balances: BalanceCache, dependencies: RuntimeDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    const { store, clock, onWarning, onRetrying, onRecovered, onFatal, sleep, cluster } = dependencies;
    const stream = `${owner.property}/floor/main`;
    const name = 'the journal';
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

  /** Resolves when entries of another node have been read up to a sequence. */
  readUpTo(sequence: number): Promise<void> {
    return this.#processor.untilPublished(sequence);
  }

  /** Reads all entries of other nodes. */
  readToEnd(): Promise<void> {
    return this.#processor.readToEnd();
  }

  async load(): Promise<void> {
    await this.#processor.load();
    const { epoch = 0 } = this.#processor.state ?? {};
    const { store } = this.#dependencies;
    const known = await store.epoch();
    // In a cluster another node may have opened the store later than the one that started the floor.
    if (epoch <= Math.max(store.writerEpoch, known)) return;
    throw new DamagedStore(`The journal tells of epoch ${epoch}, and the record knows of ${known} epochs.`);
  }

  /** Names of the ticket keys. */
  get ticketKeys(): readonly string[] {
    return this.#processor.state?.ticketKeys ?? [];
  }

  /** Number of retired ticket keys, the oldest ones. */
  get retiredTicketKeys(): number {
    return this.#processor.state?.retiredKeys?.at(-1)?.keys ?? 0;
  }

  /** Records the start with the ticket keys, and retires shoes if the log was rolled back or rested too long. */
  async start(
    lastHeartbeat: number | undefined,
    shoes: readonly string[],
    { names: ticketKeys, retiredCount: retiredKeys }: TicketKeys = { names: [], retiredCount: 0 },
  ): Promise<void> {
    const { store, integrityIssue, truncatedFrames, unsignedEntries } = this.#dependencies;
    const { property, currency } = this.#owner;
    const at = this.#dependencies.clock();
    // A floor that stopped before its first heartbeat was last alive when it wrote here.
    const since = Math.max(lastHeartbeat ?? 0, this.#processor.state?.at ?? 0);
    await this.#submit({
      type: 'StartFloor',
      property,
      currency,
      // The epoch must not decrease when this process opened the store before the last start.
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
    } else if (unretired.length > 0 && at - since > longRestMs) {
      await this.#submit({ type: 'RetireShoes', shoes: unretired, reason: 'long-rest' });
    }
    this.join();
  }

  /** Joins a floor that was started here or at another node. */
  join(): void {
    // From now on appends are retried for ever: a clock jump must be recorded even after a full disk.
    this.#processor.retriesForever = true;
    this.#dependencies.subscribeClockJumps?.(({ from, to }) => {
      this.recordClockJump(from, to).catch((error: unknown) => this.#dependencies.onWarning('the journal', error));
    });
  }

  /** Why a shoe was retired; undefined if it was not. */
  retirementReason(shoe: string): RetirementReason | undefined {
    const retired = this.#processor.state?.retired;
    return retired && Object.hasOwn(retired, shoe) ? retired[shoe] : undefined;
  }

  /** True if the time is before an accepted rollback: later entries of a table may be missing. */
  isBeforeRollback(at: number): boolean {
    return at <= (this.#processor.state?.stateLostAt ?? -Infinity);
  }

  recordClockJump(from: number, to: number): Promise<void> {
    return this.#submit({ type: 'NoteClock', from, to });
  }

  /** Ticket numbers that do not exist were tried. */
  recordWrongTicketNumbers(attempts: number, since: number): Promise<void> {
    return this.#submit({ type: 'ReportTicketAttempts', attempts, since });
  }

  close(): Promise<void> {
    this.stopRetrying();
    return this.#submit({ type: 'CloseFloor' });
  }

  /** Before leaving or closing: a failing store must not delay the stop. */
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
      throw new CannotRecord('The journal of the floor cannot be written.', { cause: this.#abortError });
    }
    if (this.#processor.isStopped) {
      throw new Error(
        'The journal of the floor has stopped; see what was said of it before, and start the server again.',
      );
    }
    if ('refused' in result) throw new Error(`The journal of the floor cannot be written: ${result.message}`);
  }
}
