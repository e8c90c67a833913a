import { quoted } from '../../base/refusal.ts';
import { isFatal } from '../../store/failures.ts';
import { type Denied, cannotRecord, revoked } from '../stream/pendingCommand.ts';
import { Finding, SecretBindings } from './secretBindings.ts';
import { Reserved } from './reservedTerminals.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** Another node has given the terminal another secret at the same moment. */
const lateRenewal: Denied = { ...revoked };

/** Whoever asks by a terminal of which nothing was written comes back by the one that another node has linked meanwhile. */
const ownSeat = (terminal: string, seated: string | Denied): string | Denied =>
  typeof seated !== 'string' || seated === terminal ? seated : cannotRecord;

/** Which secret leads to which terminal of a floor, be something of that terminal written or not. */
export abstract class TerminalBindings {
  readonly #owner: Owner;
  readonly #world: RuntimeDependencies;
  readonly links: SecretBindings;
  readonly #linking = new Map<string, Promise<string | Denied>>();
  readonly #reserved = new Reserved();
  /** The highest number that a terminal was ever given. */
  #numbers = 0;
  /** All that are linked, or of which something is written. */
  readonly #names = new Set<string>();

  constructor(owner: Owner, world: RuntimeDependencies) {
    this.#owner = owner;
    this.#world = world;
    this.links = new SecretBindings(world.store, world.key, world.shared);
  }

  /** Nothing is written of a terminal, and that is known of it; or it is forgotten. */
  protected abstract held(terminal: string, isHeld: boolean): void;

  /** A terminal that a secret leads to begins, with credit where it is given any. */
  protected abstract begun(terminal: string, credit: number): Promise<string | Denied>;

  /** Who is linked to which terminal, from the store. */
  async load(): Promise<void> {
    for (const terminal of await this.links.load()) {
      const message =
        'a link to it was not written with the key of the record and is not followed; find out who wrote to the folder.';
      this.#world.trouble(`terminal ${quoted(terminal)}`, new Finding(message));
    }
    for (const terminal of this.links.terminals()) this.use(terminal);
    // Nobody is given a terminal that somebody else has played at, whatever became of the links.
    const prefix = `${this.#owner.property}/terminal/`;
    for (const stream of await this.#world.store.streams()) {
      if (stream.startsWith(prefix)) this.use(stream.slice(prefix.length));
    }
  }

  /** A number that is taken is not given again. */
  protected use(terminal: string): void {
    this.#names.add(terminal);
    const [, number = 0] = /^T(\d+)$/.exec(terminal) ?? [];
    this.#numbers = Math.max(this.#numbers, Number(number));
  }

  /** A terminal for a secret that has none. Nothing of it is written before something is asked of it. */
  reserve(secretHash: string): string {
    // A number is used once.
    this.#numbers += 1;
    const { opening } = this.#world;
    const terminal = opening === undefined ? `T${this.#numbers}` : `T${opening}-${this.#numbers}`;
    this.#reserved.hold(terminal, secretHash);
    this.held(terminal, true);
    return terminal;
  }

  /** Whether a secret leads to a terminal, or something of it is written. */
  isKnown(terminal: string): boolean {
    return this.#names.has(terminal);
  }

  /** All terminals that patrons play at, in no order. */
  get names(): Iterable<string> {
    return this.#names;
  }

  /** Whether nothing of a terminal is written yet. */
  isReserved(terminal: string): boolean {
    return this.#reserved.secretOf(terminal) !== undefined;
  }

  /** A terminal of which nothing was written is not kept any longer. */
  release(terminal: string): void {
    const secretHash = this.#reserved.secretOf(terminal);
    if (secretHash === undefined || this.#linking.has(secretHash)) return;
    this.#reserved.release(terminal);
    this.#reserved.forget(terminal);
    this.held(terminal, false);
  }

  /**
   * Asks the record of some secrets before anything follows from them, where other nodes may have written of them too; gives
   * why not, where it cannot be asked. Undefined where nobody else writes.
   */
  look(secretHashes: readonly string[]): Promise<Denied | undefined> | undefined {
    return this.#world.shared && this.#look(secretHashes).catch((error: unknown) => this.unwritten(error));
  }

  async #look(secretHashes: readonly string[]): Promise<undefined> {
    for (const secretHash of await this.links.look(secretHashes)) {
      const terminal = this.links.of(secretHash) ?? this.links.device(secretHash)?.terminal;
      if (terminal !== undefined && this.links.device(secretHash)?.role !== 'shoe') this.use(terminal);
      this.release(this.#reserved.of(secretHash) ?? '');
      this.#world.relinked?.(secretHash);
    }
  }

  /** Whether a secret led to a terminal and does no more. */
  isDead(secretHash: string): boolean {
    return this.#reserved.isDead(secretHash) || this.links.isRevoked(secretHash);
  }

  /** The terminal that a secret leads to, be something of it written or not. */
  of(secretHash: string): string | undefined {
    return this.links.of(secretHash) ?? this.#reserved.of(secretHash);
  }

  /**
   * Another secret for the terminal of this one, which leads there no more; or why not. Asked again after a failure it goes
   * on where it stood. Where nothing is written of the terminal, nothing is written of its secrets.
   */
  async renew(secretHash: string, next: string): Promise<Denied | undefined> {
    while (this.#linking.has(secretHash)) await this.#linking.get(secretHash);
    const terminal = this.of(secretHash);
    if (terminal === undefined) return revoked;
    const isReserved = this.isReserved(terminal);
    if (!isReserved || this.links.isInDoubt(secretHash)) {
      const { links } = this;
      const writing = (isReserved ? links.kill(secretHash, terminal) : links.renew(secretHash, next))
        .catch((error: unknown) => this.unwritten(error))
        .then((isFirst) => (links.isRevoked(secretHash) ? (isFirst === false ? lateRenewal : revoked) : cannotRecord))
        .finally(() => this.#linking.delete(secretHash));
      // Whoever wants a seat by the old one meanwhile gets none.
      this.#linking.set(secretHash, writing);
      const written = await writing;
      if (written === cannotRecord) return cannotRecord;
      if (written === lateRenewal) return revoked;
    }
    if (isReserved) this.#reserved.pass(terminal, secretHash, next);
    return undefined;
  }

  /**
   * The terminal of a secret, known by the secret's hash: the one it is linked to, or a new one. Nobody gets two, however
   * often and in whatever trouble they ask: the link is durable before the terminal begins, and seating it again is
   * harmless.
   */
  seat(secretHash: string, credit: number): Promise<string | Denied> {
    let linking = this.#linking.get(secretHash);
    if (linking === undefined) {
      linking = this.#seat(secretHash, credit)
        .catch((error: unknown) => this.unwritten(error))
        .finally(() => this.#linking.delete(secretHash));
      this.#linking.set(secretHash, linking);
    }
    return linking;
  }

  async #seat(secretHash: string, credit: number): Promise<string | Denied> {
    if (this.isDead(secretHash)) return revoked;
    if (this.links.of(secretHash) === undefined) {
      const reserved = this.#reserved.of(secretHash) ?? this.reserve(secretHash);
      await this.links.link(secretHash, reserved);
      this.#reserved.release(reserved);
      if (this.links.of(secretHash) !== reserved) this.#lost(secretHash, reserved);
    }
    const terminal = this.links.of(secretHash);
    if (terminal === undefined) return revoked;
    return this.#begin(terminal, credit);
  }

  #begin(terminal: string, credit: number): Promise<string | Denied> {
    this.#names.add(terminal);
    return this.begun(terminal, credit);
  }

  /** Another node has linked the secret, or killed it: what was reserved for it is nobody's. */
  #lost(secretHash: string, reserved: string): void {
    this.#reserved.forget(reserved);
    this.held(reserved, false);
    this.#world.relinked?.(secretHash);
  }

  /** A terminal that is reserved or linked begins, with credit where it is given any. */
  async begin(terminal: string, credit: number): Promise<string | Denied> {
    const secretHash = this.#reserved.secretOf(terminal);
    return secretHash === undefined
      ? this.#begin(terminal, credit)
      : ownSeat(terminal, await this.seat(secretHash, credit));
  }

  /** What is asked of a terminal of which nothing is written has its link written first; gives why not. */
  protected async seatFirst(terminal: string): Promise<Denied | undefined> {
    const secretHash = this.#reserved.secretOf(terminal);
    const seated = secretHash === undefined ? terminal : ownSeat(terminal, await this.seat(secretHash, 0));
    return typeof seated === 'string' ? undefined : seated;
  }

  /** Whether a terminal is known, here or, where other nodes write there too, by the record. */
  async isAnywhere(terminal: string): Promise<boolean> {
    if (this.isKnown(terminal) || this.#world.shared === undefined) return this.isKnown(terminal);
    for await (const _ of this.#world.store.read(`${this.#owner.property}/terminal/${terminal}`, 0, 1)) {
      this.use(terminal);
      break;
    }
    return this.isKnown(terminal);
  }

  /** The record failed, be it written or read: who asks again later is let in, is seated, or given another secret, as if for the first time. */
  unwritten(error: unknown): Denied {
    const { failed, mended, lost } = this.#world;
    // Nobody waits for what does not come back.
    if (isFatal(error)) {
      lost(error);
      return cannotRecord;
    }
    failed('seats', error);
    mended('seats');
    return cannotRecord;
  }
}
