import { quoted } from '../../base/refusal.ts';
import { isFatalStoreError } from '../../store/failures.ts';
import { type CommandRefusal, cannotRecord, secretRevoked } from '../stream/refusals.ts';
import { Finding, SecretBindings } from './secretBindings.ts';
import { ReservedTerminals } from './reservedTerminals.ts';
import { type Owner, type RuntimeDependencies } from '../ports/runtimeDependencies.ts';

/** Another node has renewed the secret at the same moment. */
const renewedElsewhere: CommandRefusal = { ...secretRevoked };

/** A command for a reserved terminal is refused if another node has bound its secret to another terminal. */
const onlySeat = (terminal: string, seated: string | CommandRefusal): string | CommandRefusal =>
  typeof seated !== 'string' || seated === terminal ? seated : cannotRecord;

/** Bindings of secrets to terminals of a floor, including terminals without entries. */
export abstract class TerminalBindings {
  readonly #owner: Owner;
  readonly #dependencies: RuntimeDependencies;
  readonly bindings: SecretBindings;
  readonly #inProgress = new Map<string, Promise<string | CommandRefusal>>();
  readonly #reserved = new ReservedTerminals();
  /** Highest number that was given to a terminal. */
  #lastNumber = 0;
  /** Terminals with a binding or with entries. */
  readonly #names = new Set<string>();

  constructor(owner: Owner, dependencies: RuntimeDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    this.bindings = new SecretBindings(dependencies.store, dependencies.key, dependencies.cluster);
  }

  /** Marks a terminal as known to have no entries, or forgets it. */
  protected abstract setReserved(terminal: string, isReserved: boolean): void;

  /** Starts a terminal, with credit if any is given. */
  protected abstract startTerminal(terminal: string, credit: number): Promise<string | CommandRefusal>;

  /** Loads bindings and terminal names from the store. */
  async load(): Promise<void> {
    for (const terminal of await this.bindings.load()) {
      const message =
        'a link to it was not written with the key of the record and is not followed; find out who wrote to the folder.';
      this.#dependencies.onWarning(`terminal ${quoted(terminal)}`, new Finding(message));
    }
    for (const terminal of this.bindings.terminals()) this.register(terminal);
    // Names in the event log are never given again, even if their bindings are lost.
    const prefix = `${this.#owner.property}/terminal/`;
    for (const stream of await this.#dependencies.store.streams()) {
      if (stream.startsWith(prefix)) this.register(stream.slice(prefix.length));
    }
  }

  /** Registers a name; its number is not given again. */
  protected register(terminal: string): void {
    this.#names.add(terminal);
    const [, number = 0] = /^T(\d+)$/.exec(terminal) ?? [];
    this.#lastNumber = Math.max(this.#lastNumber, Number(number));
  }

  /** Reserves a new terminal for a secret. Nothing is stored before its first command. */
  reserve(secretHash: string): string {
    // Numbers are never reused.
    this.#lastNumber += 1;
    const { terminalNamespace } = this.#dependencies;
    const terminal =
      terminalNamespace === undefined ? `T${this.#lastNumber}` : `T${terminalNamespace}-${this.#lastNumber}`;
    this.#reserved.reserve(terminal, secretHash);
    this.setReserved(terminal, true);
    return terminal;
  }

  /** True if the terminal has a binding or entries. */
  isRegistered(terminal: string): boolean {
    return this.#names.has(terminal);
  }

  get names(): Iterable<string> {
    return this.#names;
  }

  /** True if the terminal has no entries yet. */
  isReserved(terminal: string): boolean {
    return this.#reserved.secretOf(terminal) !== undefined;
  }

  /** Gives up a terminal without entries. */
  release(terminal: string): void {
    const secretHash = this.#reserved.secretOf(terminal);
    if (secretHash === undefined || this.#inProgress.has(secretHash)) return;
    this.#reserved.release(terminal);
    this.#reserved.forgetFormer(terminal);
    this.setReserved(terminal, false);
  }

  /**
   * In a cluster, reads bindings of these secrets again; resolves to a refusal if the store fails. Undefined without a
   * cluster.
   */
  refreshSecrets(secretHashes: readonly string[]): Promise<CommandRefusal | undefined> | undefined {
    return (
      this.#dependencies.cluster &&
      this.#refreshSecrets(secretHashes).catch((error: unknown) => this.storeFailed(error))
    );
  }

  async #refreshSecrets(secretHashes: readonly string[]): Promise<undefined> {
    for (const secretHash of await this.bindings.refresh(secretHashes)) {
      const terminal = this.bindings.terminalOf(secretHash) ?? this.bindings.device(secretHash)?.terminal;
      if (terminal !== undefined && this.bindings.device(secretHash)?.role !== 'shoe') this.register(terminal);
      this.release(this.#reserved.terminalOf(secretHash) ?? '');
      this.#dependencies.onSecretChanged?.(secretHash);
    }
  }

  isRevoked(secretHash: string): boolean {
    return this.#reserved.isRevoked(secretHash) || this.bindings.isRevoked(secretHash);
  }

  /** The terminal of a secret, with or without entries. */
  terminalOf(secretHash: string): string | undefined {
    return this.bindings.terminalOf(secretHash) ?? this.#reserved.terminalOf(secretHash);
  }

  /**
   * Replaces the secret of a terminal, or returns the refusal. Can be repeated after a failure. Nothing is stored for
   * a terminal without entries.
   */
  async renew(secretHash: string, next: string): Promise<CommandRefusal | undefined> {
    while (this.#inProgress.has(secretHash)) await this.#inProgress.get(secretHash);
    const terminal = this.terminalOf(secretHash);
    if (terminal === undefined) return secretRevoked;
    const isReserved = this.isReserved(terminal);
    if (!isReserved || this.bindings.isInDoubt(secretHash)) {
      const { bindings } = this;
      const writing = (isReserved ? bindings.revoke(secretHash, terminal) : bindings.renew(secretHash, next))
        .catch((error: unknown) => this.storeFailed(error))
        .then((isFirst) =>
          bindings.isRevoked(secretHash) ? (isFirst === false ? renewedElsewhere : secretRevoked) : cannotRecord,
        )
        .finally(() => this.#inProgress.delete(secretHash));
      // Blocks seats by the old secret in the meantime.
      this.#inProgress.set(secretHash, writing);
      const stored = await writing;
      if (stored === cannotRecord) return cannotRecord;
      if (stored === renewedElsewhere) return secretRevoked;
    }
    if (isReserved) this.#reserved.rebind(terminal, secretHash, next);
    return undefined;
  }

  /**
   * The terminal of a secret: the bound one or a new one. A secret never gets two terminals: the binding is durable
   * before the terminal starts, and a repeated seat changes nothing.
   */
  seat(secretHash: string, credit: number): Promise<string | CommandRefusal> {
    let inProgress = this.#inProgress.get(secretHash);
    if (inProgress === undefined) {
      inProgress = this.#seat(secretHash, credit)
        .catch((error: unknown) => this.storeFailed(error))
        .finally(() => this.#inProgress.delete(secretHash));
      this.#inProgress.set(secretHash, inProgress);
    }
    return inProgress;
  }

  async #seat(secretHash: string, credit: number): Promise<string | CommandRefusal> {
    if (this.isRevoked(secretHash)) return secretRevoked;
    if (this.bindings.terminalOf(secretHash) === undefined) {
      const reserved = this.#reserved.terminalOf(secretHash) ?? this.reserve(secretHash);
      await this.bindings.bind(secretHash, reserved);
      this.#reserved.release(reserved);
      if (this.bindings.terminalOf(secretHash) !== reserved) this.#dropReservation(secretHash, reserved);
    }
    const terminal = this.bindings.terminalOf(secretHash);
    if (terminal === undefined) return secretRevoked;
    return this.#begin(terminal, credit);
  }

  #begin(terminal: string, credit: number): Promise<string | CommandRefusal> {
    this.#names.add(terminal);
    return this.startTerminal(terminal, credit);
  }

  /** Another node has bound or revoked the secret. */
  #dropReservation(secretHash: string, reserved: string): void {
    this.#reserved.forgetFormer(reserved);
    this.setReserved(reserved, false);
    this.#dependencies.onSecretChanged?.(secretHash);
  }

  /** Starts a reserved or bound terminal, with credit if any is given. */
  async begin(terminal: string, credit: number): Promise<string | CommandRefusal> {
    const secretHash = this.#reserved.secretOf(terminal);
    return secretHash === undefined
      ? this.#begin(terminal, credit)
      : onlySeat(terminal, await this.seat(secretHash, credit));
  }

  /** Stores the binding before the first command of a terminal; returns the refusal, if any. */
  protected async seatFirst(terminal: string): Promise<CommandRefusal | undefined> {
    const secretHash = this.#reserved.secretOf(terminal);
    const seated = secretHash === undefined ? terminal : onlySeat(terminal, await this.seat(secretHash, 0));
    return typeof seated === 'string' ? undefined : seated;
  }

  /** True if the terminal is registered here or, in a cluster, has entries in the store. */
  async isRegisteredAnywhere(terminal: string): Promise<boolean> {
    if (this.isRegistered(terminal) || this.#dependencies.cluster === undefined) return this.isRegistered(terminal);
    for await (const _ of this.#dependencies.store.read(`${this.#owner.property}/terminal/${terminal}`, 0, 1)) {
      this.register(terminal);
      break;
    }
    return this.isRegistered(terminal);
  }

  /** Reports a failed read or write. A later retry starts from the beginning. */
  storeFailed(error: unknown): CommandRefusal {
    const { onRetrying, onRecovered, onFatal } = this.#dependencies;
    // A fatal failure is not retried.
    if (isFatalStoreError(error)) {
      onFatal(error);
      return cannotRecord;
    }
    onRetrying('seats', error);
    onRecovered('seats');
    return cannotRecord;
  }
}
