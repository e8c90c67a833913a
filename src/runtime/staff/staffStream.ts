import { staffDecider } from '../../deciders/deciders.ts';
import { type StaffRegisterCommand } from '../../staff/commands.ts';
import { type StaffEvent } from '../../staff/events.ts';
import { type StaffRegisterRefusal } from '../../staff/decision.ts';
import { type StaffState } from '../../staff/state.ts';
import { type StoredEntry } from '../../store/store.ts';
import { type CommandResult, type CommandContext, StreamAbortedError } from '../stream/pendingCommand.ts';
import {
  type CommandRefusal,
  type UncheckedRefusal,
  cannotRecordRefusal,
  commandReusedRefusal,
} from '../stream/refusals.ts';
import { floorActor } from '../../access/actor.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

export type StaffCommandRequest = { readonly type: string; readonly [field: string]: unknown };

const streamName = 'the staff stream';

/** Runs the staff decider, keeps its committed state, and publishes its committed events. */
export class StaffStream {
  readonly #dependencies: FloorDependencies;
  readonly #processor: StreamProcessor<StaffState | undefined, StaffRegisterCommand, StaffEvent, StaffRegisterRefusal>;
  /** Committed state. Readers must not see the pending state of the processor. */
  #committed: StaffState | undefined;
  #sequence = 0;
  #abortError: unknown;
  /** True while an outage pauses the staff stream. Meanwhile `attempt` refuses commands. */
  #isPaused = false;
  readonly #onPause = new Set<() => void>();
  readonly #listeners = new Set<(events: readonly StaffEvent[]) => void>();

  constructor(owner: PropertyAndCurrency, balances: BalanceCache, dependencies: FloorDependencies) {
    this.#dependencies = dependencies;
    const { store, clock, onWarning, onRetrying, onRecovered, onFatal, sleep, key, cluster } = dependencies;
    const stream = `${owner.property}/staff/main`;
    this.#processor = new StreamProcessor({
      decider: staffDecider,
      contextOf: () => ({}),
      store,
      stream,
      balances,
      key,
      clock,
      publish: (entries) => this.#publish(entries),
      onWarning: (error) => onWarning(streamName, error),
      onCrashed: (error) => onWarning(`${streamName}, which has stopped`, error),
      onRetrying: (error) => onRetrying(streamName, error),
      onRecovered: () => onRecovered(streamName),
      onAborted: (error) => {
        this.#abortError = error;
        onRecovered(streamName);
      },
      onPaused: (isPaused) => this.#setPaused(isPaused),
      onFatal,
      sleep,
      outageReport: () => undefined,
      // In a cluster a command is refused only after the stream was read to its end.
      ...(cluster && {
        staleReads: { isOnlyWriter: false, needsRead: (_, refusal) => refusal !== undefined, read: async () => {} },
        onAppended: (sequence) => cluster.publishHead(stream, sequence),
      }),
    });
  }

  get stream(): string {
    return this.#processor.stream;
  }

  stop(): Promise<void> {
    return this.#processor.stop();
  }

  /** Waits until this node has read the staff stream up to `sequence`, or until reading has failed too often. */
  readUpTo(sequence: number): Promise<void> {
    return this.#processor.untilPublished(sequence);
  }

  async load(): Promise<void> {
    await this.#processor.load();
    this.#committed = structuredClone(this.#processor.state);
    this.#sequence = this.#processor.sequence;
  }

  readToEnd(): Promise<void> {
    return this.#processor.readToEnd();
  }

  get state(): StaffState | undefined {
    return this.#committed;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** If true, appends are retried until an outage is over; if false, an outage stops the stream. */
  set retriesForever(retriesForever: boolean) {
    this.#processor.retriesForever = retriesForever;
  }

  subscribe(listener: (events: readonly StaffEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #publish(entries: readonly StoredEntry[]): void {
    const events = eventsOf(entries);
    for (const event of events) this.#committed = staffDecider.evolve(this.#committed, event);
    this.#sequence = entries.at(-1)!.sequence;
    for (const listener of this.#listeners) {
      // A failing listener must not stop the stream.
      try {
        listener(events);
      } catch (error) {
        this.#dependencies.onWarning(streamName, error);
      }
    }
  }

  #setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused) for (const refuseNow of this.#onPause) refuseNow();
  }

  submit(
    id: string,
    request: StaffCommandRequest,
    person: string,
    at: number,
    context: CommandContext,
  ): Promise<CommandResult> {
    return this.#processor.submit(id, { ...request, actor: { person } }, at, context);
  }

  /**
   * Answers a command that was refused before `submit`: with its stored result if the command is stored, else with the
   * refusal.
   */
  refuse(id: string, request: StaffCommandRequest, person: string, refusal: UncheckedRefusal): Promise<CommandResult> {
    return this.#processor.refuse(id, { ...request, actor: { person } }, refusal);
  }

  /**
   * Submits a command of the system. During an outage the command is refused at once. If the command is nevertheless
   * stored later, the session that it started is ended.
   */
  async attempt(request: StaffCommandRequest): Promise<readonly StaffEvent[] | CommandRefusal> {
    if (this.#isPaused) return cannotRecordRefusal;
    const { promise, resolve } = Promise.withResolvers<CommandRefusal>();
    const refuseNow = (): void => resolve(cannotRecordRefusal);
    this.#onPause.add(refuseNow);
    const submitted = this.#processor.submit(this.#dependencies.newId(), { ...request, actor: floorActor });
    const result = await Promise.race([submitted, promise]);
    this.#onPause.delete(refuseNow);
    if (result === cannotRecordRefusal) void submitted.then((late) => this.#undoSignIn(late));
    return 'refused' in result ? result : eventsOf(result.entries);
  }

  #undoSignIn(late: CommandResult): void {
    if ('refused' in late) return;
    for (const event of eventsOf(late.entries)) {
      if (event.type !== 'SignedIn') continue;
      const request = { type: 'SignOut', session: event.session, reason: 'ended', actor: floorActor };
      void this.#processor.submit(this.#dependencies.newId(), request);
    }
  }

  /**
   * Writes all staff commands that the start of the floor needs; throws if the stream cannot be written. Returns false
   * if another node that starts at the same time wrote first.
   */
  async writeAll(requests: readonly StaffCommandRequest[]): Promise<boolean> {
    const { cluster, newId } = this.#dependencies;
    const from = this.#sequence;
    // Nodes that begin at the same entry of the staff stream give their requests the same ids, so only the requests of
    // the first node are stored.
    const idOf = (index: number): string => (cluster ? `begin/staff/${from}/${index}` : newId());
    const results = await Promise.all(
      requests.map((one, index) => this.#processor.submit(idOf(index), { ...one, actor: floorActor })),
    );
    if (this.#abortError !== undefined) {
      throw new StreamAbortedError('The staff stream cannot be written.', { cause: this.#abortError });
    }
    const refused = results.flatMap((one) => ('refused' in one ? [one] : []));
    if (cluster && refused.some((one) => one.refused === commandReusedRefusal.refused)) {
      await this.readToEnd();
      return false;
    }
    if (refused[0]) throw new Error(`The staff stream cannot be written: ${refused[0].message}`);
    return true;
  }
}

const eventsOf = (entries: readonly StoredEntry[]): readonly StaffEvent[] =>
  entries.map(({ event }) => staffDecider.parseEvent(event));
