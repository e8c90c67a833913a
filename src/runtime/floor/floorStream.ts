import { floorDecider } from '../../deciders/deciders.ts';
import { DamagedRecord } from '../../store/store.ts';
import { type FloorCommand, type MissingEntries, type RetirementReason } from '../../floor/commands.ts';
import { type FloorEvent } from '../../floor/events.ts';
import { type FloorDeciderRefusal } from '../../floor/decide.ts';
import { type FloorState } from '../../floor/state.ts';
import { floorPost } from '../tables/pacing.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { CannotRecord, type Denied } from '../stream/pendingCommand.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** Why a floor may not deal on from the shoes of its record, where that was known before it began. */
export type AcceptedIntegrityIssue = {
  readonly why: Exclude<RetirementReason, 'long-rest'>;
  /** The words by which the operator went on all the same. */
  readonly words: string;
  /** What is known elsewhere, and missing here. */
  readonly missing: MissingEntries;
};

/** The keys of tickets by their names, and how many of them, the oldest, are not paid any more. */
export type TicketKeys = { readonly names: readonly string[]; readonly held: number };

/** Whether a record may end before it once did: what it does not know may have happened. */
export const isTurnedBack = (doubt: AcceptedIntegrityIssue | undefined): boolean =>
  doubt !== undefined && doubt.why !== 'unsigned-entries';

/** After so long without a sign of life the shoes of a floor are not dealt any more, in milliseconds. */
export const longRest = 3_600_000;

/** The journal of a floor: when it ran, which shoes it gave up, and what its clock did. */
export class FloorStream {
  readonly #owner: Owner;
  readonly #world: RuntimeDependencies;
  /** Why it could not be written, where it was given up. */
  #gaveUp: unknown;
  readonly #runner: StreamProcessor<FloorState | undefined, FloorCommand, FloorEvent, FloorDeciderRefusal>;

  constructor(owner: Owner, purse: BalanceCache, world: RuntimeDependencies) {
    this.#owner = owner;
    this.#world = world;
    const { store, clock, trouble, failed, mended, lost, pause, shared } = world;
    const stream = `${owner.property}/journal/floor`;
    const who = 'the journal';
    this.#runner = new StreamProcessor({
      decider: floorDecider,
      brings: () => ({}),
      store,
      stream,
      purse,
      key: world.key,
      clock,
      publish: () => {},
      trouble: (error) => trouble(who, error),
      stopped: (error) => trouble(`${who}, which has stopped`, error),
      failed: (error) => failed(who, error),
      mended: () => mended(who),
      gaveUp: (error) => {
        this.#gaveUp = error;
        mended(who);
      },
      halted: () => {},
      lost,
      wait: pause,
      report: () => undefined,
      ...(shared && { moved: (sequence) => shared.moved(stream, sequence) }),
    });
  }

  get stream(): string {
    return this.#runner.stream;
  }

  /** Reads and writes nothing more. */
  end(): Promise<void> {
    return this.#runner.end();
  }

  /** It was written to elsewhere: resolves once it has been read up to there. */
  heard(sequence: number): Promise<void> {
    return this.#runner.reached(sequence);
  }

  /** Reads all that others have written. */
  read(): Promise<void> {
    return this.#runner.readAll();
  }

  async load(): Promise<void> {
    await this.#runner.load();
    const { epoch = 0 } = this.#runner.state ?? {};
    const { store } = this.#world;
    const known = await store.epoch();
    // Of several who have the record open, the one who began the floor may have opened it last.
    if (epoch <= Math.max(store.writerEpoch, known)) return;
    throw new DamagedRecord(`The journal tells of epoch ${epoch}, and the record knows of ${known} epochs.`);
  }

  /** The names of the keys of tickets. */
  get ticketKeys(): readonly string[] {
    return this.#runner.state?.ticketKeys ?? [];
  }

  /** Tickets of so many keys, the oldest, are held. */
  get heldKeys(): number {
    return this.#runner.state?.held?.at(-1)?.keys ?? 0;
  }

  /** Writes down that the floor begins, by which keys tickets have their numbers, and what it does not go on with. */
  async start(
    lastBeat: number | undefined,
    shoes: readonly string[],
    { names: ticketKeys, held: heldKeys }: TicketKeys = { names: [], held: 0 },
  ): Promise<void> {
    const { store, doubt, torn, uncovered } = this.#world;
    const { property, currency } = this.#owner;
    const at = this.#world.clock();
    // One that ended before its first heartbeat was seen when it wrote something here.
    const since = Math.max(lastBeat ?? 0, this.#runner.state?.at ?? 0);
    await this.#write({
      type: 'StartFloor',
      property,
      currency,
      // One that has waited since before the floor last began does not count back.
      epoch: Math.max(store.writerEpoch, this.#runner.state?.epoch ?? 0),
      since: since === 0 ? null : since,
      ...(torn !== undefined && { torn }),
      ...(uncovered && { uncovered }),
      ...(ticketKeys.length > 0 && { ticketKeys }),
    });
    const used = shoes.filter((shoe) => this.retired(shoe) === undefined);
    if (doubt) {
      const held = heldKeys > 0 && { heldKeys };
      await this.#write({ type: 'RetireShoes', shoes: used, ...doubt, ...held });
    } else if (used.length > 0 && at - since > longRest) {
      await this.#write({ type: 'RetireShoes', shoes: used, why: 'long-rest' });
    }
    this.join();
  }

  /** Goes on with a floor that has begun, be it at another program on the record. */
  join(): void {
    // From now on it waits for as long as it takes: a jump of the clock is not forgotten over a full disk.
    this.#runner.isPatient = true;
    this.#world.jumped?.(({ from, to }) => {
      this.jumped(from, to).catch((error: unknown) => this.#world.trouble('the journal', error));
    });
  }

  /** Why a shoe is not dealt any more, if so. */
  retired(shoe: string): RetirementReason | undefined {
    const retired = this.#runner.state?.retired;
    return retired && Object.hasOwn(retired, shoe) ? retired[shoe] : undefined;
  }

  /** Whether what last happened to a table at that time lies before a doubt: what came after it may be lost. */
  isDoubted(at: number): boolean {
    return at <= (this.#runner.state?.doubted ?? -Infinity);
  }

  jumped(from: number, to: number): Promise<void> {
    return this.#write({ type: 'NoteClock', from, to });
  }

  /** Numbers were tried that are of no ticket. */
  tried(tries: number, since: number): Promise<void> {
    return this.#write({ type: 'NoteTries', tries, since });
  }

  close(): Promise<void> {
    this.leave();
    return this.#write({ type: 'CloseFloor' });
  }

  /** Leaves the floor to others, or to its end: what cannot be recorded any more is no reason to stay. */
  leave(): void {
    this.#runner.isPatient = false;
  }

  async #write(asked: { readonly type: FloorCommand['type']; readonly [field: string]: unknown }): Promise<void> {
    const answered: { readonly entries: unknown } | Denied = await this.#runner.submit(this.#world.id(), {
      who: floorPost,
      ...asked,
    });
    if (this.#gaveUp !== undefined) {
      throw new CannotRecord('The journal of the floor cannot be written.', { cause: this.#gaveUp });
    }
    if (this.#runner.isStopped) {
      throw new Error(
        'The journal of the floor has stopped; see what was said of it before, and start the server again.',
      );
    }
    if ('refused' in answered) throw new Error(`The journal of the floor cannot be written: ${answered.message}`);
  }
}
