import { staffDecider } from '../../deciders/deciders.ts';
import { type StaffRegisterCommand } from '../../staff/commands.ts';
import { type StaffEvent } from '../../staff/events.ts';
import { type StaffRegisterRefusal } from '../../staff/decision.ts';
import { type StaffState } from '../../staff/state.ts';
import { type StoredEntry } from '../../store/store.ts';
import {
  type CommandResult,
  type Brought,
  CannotRecord,
  type Denied,
  cannotRecord,
  reused,
} from '../stream/pendingCommand.ts';
import { floorPost } from '../tables/pacing.ts';
import { type BalanceCache } from '../stream/balanceCache.ts';
import { StreamProcessor } from '../stream/streamProcessor.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

export type Asking = { readonly type: string; readonly [field: string]: unknown };

/** What it is called where something went wrong with it. */
const register = 'the register of people';

/** The stream of the people of a floor, as it is written, and whoever listens to it. */
export class StaffStream {
  readonly #world: RuntimeDependencies;
  readonly #runner: StreamProcessor<StaffState | undefined, StaffRegisterCommand, StaffEvent, StaffRegisterRefusal>;
  /** As the record has it. What decides runs ahead while it writes, and nobody may see that. */
  #written: StaffState | undefined;
  #sequence = 0;
  #gaveUp: unknown;
  /** It cannot record for the time being; those who wait to be let in are told. */
  #isHalted = false;
  readonly #impatient = new Set<() => void>();
  readonly #listeners = new Set<(events: readonly StaffEvent[]) => void>();

  constructor(owner: Owner, purse: BalanceCache, world: RuntimeDependencies) {
    this.#world = world;
    const { store, clock, trouble, failed, mended, lost, pause, key, shared } = world;
    const stream = `${owner.property}/people/staff`;
    this.#runner = new StreamProcessor({
      decider: staffDecider,
      brings: () => ({}),
      store,
      stream,
      purse,
      key,
      clock,
      publish: (entries) => this.#publish(entries),
      trouble: (error) => trouble(register, error),
      stopped: (error) => trouble(`${register}, which has stopped`, error),
      failed: (error) => failed(register, error),
      mended: () => mended(register),
      gaveUp: (error) => {
        this.#gaveUp = error;
        mended(register);
      },
      halted: (isHalted) => this.#halted(isHalted),
      lost,
      wait: pause,
      report: () => undefined,
      // Where others write as well, nothing is refused by what has not been read to its end.
      ...(shared && {
        guess: { isAlone: false, isOne: (_, denied) => denied !== undefined, read: async () => {} },
        moved: (sequence) => shared.moved(stream, sequence),
      }),
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

  async load(): Promise<void> {
    await this.#runner.load();
    this.#written = structuredClone(this.#runner.state);
    this.#sequence = this.#runner.sequence;
  }

  /** Reads on to the end, to which other nodes write too. */
  fresh(): Promise<void> {
    return this.#runner.readAll();
  }

  get state(): StaffState | undefined {
    return this.#written;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Whether it waits for a disk for as long as it takes. */
  set isPatient(patient: boolean) {
    this.#runner.isPatient = patient;
  }

  changed(listener: (events: readonly StaffEvent[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #publish(entries: readonly StoredEntry[]): void {
    const events = eventsIn(entries);
    for (const event of events) this.#written = staffDecider.evolve(this.#written, event);
    this.#sequence = entries.at(-1)!.sequence;
    for (const listener of this.#listeners) {
      // Whoever cannot follow is no reason for the register to stop.
      try {
        listener(events);
      } catch (error) {
        this.#world.trouble(register, error);
      }
    }
  }

  #halted(isHalted: boolean): void {
    this.#isHalted = isHalted;
    if (isHalted) for (const tell of this.#impatient) tell();
  }

  /** Asks in the name of a person. */
  submit(id: string, asked: Asking, person: string, at: number, brought: Brought): Promise<CommandResult> {
    return this.#runner.submit(id, { ...asked, who: { person } }, at, brought);
  }

  /** Asks in the name of the floor; nobody waits for a disk, and whoever was let in after that has gone. */
  async attempt(asked: Asking): Promise<readonly StaffEvent[] | Denied> {
    if (this.#isHalted) return cannotRecord;
    const { promise, resolve } = Promise.withResolvers<Denied>();
    const tell = (): void => resolve(cannotRecord);
    this.#impatient.add(tell);
    const answering = this.#runner.submit(this.#world.id(), { ...asked, who: floorPost });
    const answered = await Promise.race([answering, promise]);
    this.#impatient.delete(tell);
    if (answered === cannotRecord) void answering.then((late) => this.#undo(late));
    return 'refused' in answered ? answered : eventsIn(answered.entries);
  }

  #undo(late: CommandResult): void {
    if ('refused' in late) return;
    for (const event of eventsIn(late.entries)) {
      if (event.type !== 'SignedIn') continue;
      const asked = { type: 'SignOut', session: event.session, why: 'ended', who: floorPost };
      void this.#runner.submit(this.#world.id(), asked);
    }
  }

  /** What a start writes: all of it, or there is no start. Gives false where another node that starts was first. */
  async write(asked: readonly Asking[]): Promise<boolean> {
    const { shared, id } = this.#world;
    const from = this.#sequence;
    // Of several that begin behind the same entry one is taken: the others have used the same ids for something else.
    const idOf = (place: number): string => (shared ? `begin/people/${from}/${place}` : id());
    const answers = await Promise.all(
      asked.map((one, place) => this.#runner.submit(idOf(place), { ...one, who: floorPost })),
    );
    if (this.#gaveUp !== undefined) {
      throw new CannotRecord('The register of people cannot be written.', { cause: this.#gaveUp });
    }
    const refused = answers.flatMap((one) => ('refused' in one ? [one] : []));
    if (shared && refused.some((one) => one.refused === reused.refused)) {
      await this.fresh();
      return false;
    }
    if (refused[0]) throw new Error(`The register of people cannot be written: ${refused[0].message}`);
    return true;
  }
}

const eventsIn = (entries: readonly StoredEntry[]): readonly StaffEvent[] =>
  entries.map(({ event }) => staffDecider.eventFrom(event));
