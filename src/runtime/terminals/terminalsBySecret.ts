import { quoteForMessage } from '../../base/refusal.ts';
import { isFatalStoreError } from '../../store/failures.ts';
import {
  type CommandRefusal,
  type FinalRefusal,
  cannotRecordRefusal,
  resultUnknownRefusal,
  secretRevokedRefusal,
} from '../stream/refusals.ts';
import { OperatorWarning, SecretBindings } from './secretBindings.ts';
import { ReservedTerminals } from './reservedTerminals.ts';
import { type PropertyAndCurrency, type FloorDependencies } from '../ports/runtimeDependencies.ts';

/**
 * Means that another node has replaced the secret at the same moment. `renew` recognizes this copy by identity, and
 * returns `secretRevokedRefusal` instead.
 */
const renewedElsewhere: CommandRefusal = { ...secretRevokedRefusal };

/**
 * Checks the result of seating the reserved terminal `terminal`: `seated` is the terminal that was seated, or a
 * refusal. If another terminal was seated, another node has bound the secret to that terminal. Then the function
 * returns `result-unknown`: the command may be stored in the stream of that terminal, and a resend gets its result.
 */
const onlySeat = (terminal: string, seated: string | CommandRefusal): string | CommandRefusal =>
  typeof seated !== 'string' || seated === terminal ? seated : resultUnknownRefusal;

/** Base class that finds the terminal of a secret, and binds secrets to new terminals. */
export abstract class TerminalsBySecret {
  readonly #owner: PropertyAndCurrency;
  readonly #dependencies: FloorDependencies;
  readonly bindings: SecretBindings;
  readonly #inProgress = new Map<string, Promise<string | CommandRefusal>>();
  readonly #reserved = new ReservedTerminals();
  /**
   * Number in the newest terminal name, such as 12 in T12. It is at least the number of each registered terminal
   * without namespace.
   */
  #lastNumber = 0;
  /** Names of the terminals that have a binding or entries, as far as this node knows. */
  readonly #names = new Set<string>();

  constructor(owner: PropertyAndCurrency, dependencies: FloorDependencies) {
    this.#owner = owner;
    this.#dependencies = dependencies;
    this.bindings = new SecretBindings(dependencies.store, dependencies.key, dependencies.cluster);
  }

  /** Called when a terminal is reserved, and when its reservation ends without entries. */
  protected abstract setReserved(terminal: string, isReserved: boolean): void;

  /** Records the seat of a terminal, and loads demo credit if `credit` is not 0. Returns the terminal or a refusal. */
  protected abstract startTerminal(terminal: string, credit: number): Promise<string | CommandRefusal>;

  async load(): Promise<void> {
    for (const terminal of await this.bindings.load()) {
      const message =
        'A stored secret of this terminal was not written with the data key of this store and is ignored. ' +
        'Find out who wrote to the event store.';
      this.#dependencies.onWarning(`terminal ${quoteForMessage(terminal)}`, new OperatorWarning(message));
    }
    for (const terminal of this.bindings.terminals()) this.register(terminal);
    // The name of a terminal with entries is never given to another terminal, even if its binding is lost.
    const prefix = `${this.#owner.property}/terminal/`;
    for (const stream of await this.#dependencies.store.streams()) {
      if (stream.startsWith(prefix)) this.register(stream.slice(prefix.length));
    }
  }

  /** Registers the name of a terminal, so that its number is not given again. */
  protected register(terminal: string): void {
    this.#names.add(terminal);
    const [, number = 0] = /^T(\d+)$/.exec(terminal) ?? [];
    this.#lastNumber = Math.max(this.#lastNumber, Number(number));
  }

  /** Reserves a new terminal for a secret. Nothing is stored before the first command of the terminal. */
  reserve(secretHash: string): string {
    this.#lastNumber += 1;
    const { terminalNamespace } = this.#dependencies;
    const terminal =
      terminalNamespace === undefined ? `T${this.#lastNumber}` : `T${terminalNamespace}-${this.#lastNumber}`;
    this.#reserved.reserve(terminal, secretHash);
    this.setReserved(terminal, true);
    return terminal;
  }

  /** True if this node knows a binding or entries of the terminal. */
  isRegistered(terminal: string): boolean {
    return this.#names.has(terminal);
  }

  get names(): Iterable<string> {
    return this.#names;
  }

  /** True if the terminal is reserved for a secret and has no entries yet. */
  isReserved(terminal: string): boolean {
    return this.#reserved.secretOf(terminal) !== undefined;
  }

  /** Ends the reservation of a terminal without entries, unless the terminal is being seated. */
  release(terminal: string): void {
    const secretHash = this.#reserved.secretOf(terminal);
    if (secretHash === undefined || this.#inProgress.has(secretHash)) return;
    this.#reserved.release(terminal);
    this.#reserved.forgetFormer(terminal);
    this.setReserved(terminal, false);
  }

  /**
   * Reads the bindings of these secrets again, because other nodes may have changed them. Resolves to a refusal if the
   * store fails. Returns undefined without a cluster.
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

  /**
   * Call before a refusal is sent to a terminal without entries. Another node may have bound the secret to another
   * terminal, and the command may be stored in the stream of that terminal. In this case, and if the store fails, the
   * method returns `result-unknown`. Undefined means that the refusal may be sent. Without a cluster nothing is read.
   */
  async unconfirmedRefusal(terminal: string): Promise<FinalRefusal | undefined> {
    if (this.#dependencies.cluster === undefined || this.#names.has(terminal)) return undefined;
    const secretHash = this.#reserved.secretOf(terminal);
    if (secretHash === undefined) return resultUnknownRefusal;
    const failure = await this.refreshSecrets([secretHash]);
    const isConfirmed =
      failure === undefined && !this.isRevoked(secretHash) && this.terminalOf(secretHash) === terminal;
    return isConfirmed ? undefined : resultUnknownRefusal;
  }

  isRevoked(secretHash: string): boolean {
    return this.#reserved.isRevoked(secretHash) || this.bindings.isRevoked(secretHash);
  }

  /** The terminal that is bound to a secret or reserved for it; undefined if there is none. */
  terminalOf(secretHash: string): string | undefined {
    return this.bindings.terminalOf(secretHash) ?? this.#reserved.terminalOf(secretHash);
  }

  /**
   * Replaces the secret of a terminal; returns a refusal if the replacement failed. The call can be repeated after a
   * failure. For a reserved terminal nothing is stored, unless its binding is in doubt.
   */
  async renew(secretHash: string, next: string): Promise<CommandRefusal | undefined> {
    while (this.#inProgress.has(secretHash)) await this.#inProgress.get(secretHash);
    const terminal = this.terminalOf(secretHash);
    if (terminal === undefined) return secretRevokedRefusal;
    const isReserved = this.isReserved(terminal);
    if (!isReserved || this.bindings.isInDoubt(secretHash)) {
      const { bindings } = this;
      const writing = (isReserved ? bindings.revoke(secretHash, terminal) : bindings.renew(secretHash, next))
        .catch((error: unknown) => this.storeFailed(error))
        .then((isFirst) =>
          bindings.isRevoked(secretHash)
            ? isFirst === false
              ? renewedElsewhere
              : secretRevokedRefusal
            : cannotRecordRefusal,
        )
        .finally(() => this.#inProgress.delete(secretHash));
      // While the new secret is written, the old secret cannot take a seat.
      this.#inProgress.set(secretHash, writing);
      const stored = await writing;
      if (stored === cannotRecordRefusal) return cannotRecordRefusal;
      if (stored === renewedElsewhere) return secretRevokedRefusal;
    }
    if (isReserved) this.#reserved.rebind(terminal, secretHash, next);
    return undefined;
  }

  /**
   * Seats the terminal that is bound to a secret, or else a new terminal. Returns the name of the terminal, or a
   * refusal. A secret never gets two terminals: the binding is stored before the seat is recorded, and a repeated call
   * changes nothing.
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
    if (this.isRevoked(secretHash)) return secretRevokedRefusal;
    if (this.bindings.terminalOf(secretHash) === undefined) {
      const reserved = this.#reserved.terminalOf(secretHash) ?? this.reserve(secretHash);
      await this.bindings.bind(secretHash, reserved);
      this.#reserved.release(reserved);
      if (this.bindings.terminalOf(secretHash) !== reserved) this.#dropReservation(secretHash, reserved);
    }
    const terminal = this.bindings.terminalOf(secretHash);
    if (terminal === undefined) return secretRevokedRefusal;
    return this.#begin(terminal, credit);
  }

  #begin(terminal: string, credit: number): Promise<string | CommandRefusal> {
    this.#names.add(terminal);
    return this.startTerminal(terminal, credit);
  }

  /** Drops a reservation after another node has bound or revoked the secret. */
  #dropReservation(secretHash: string, reserved: string): void {
    this.#reserved.forgetFormer(reserved);
    this.setReserved(reserved, false);
    this.#dependencies.onSecretChanged?.(secretHash);
  }

  /**
   * Seats a reserved or bound terminal, and loads demo credit if `credit` is not 0. Returns the terminal or a refusal.
   * A terminal that is neither has lost its reservation, because another node has bound the secret to another terminal.
   * The command may be stored in the stream of that terminal, so the result is `result-unknown`.
   */
  async begin(terminal: string, credit: number): Promise<string | CommandRefusal> {
    const secretHash = this.#reserved.secretOf(terminal);
    if (secretHash !== undefined) return onlySeat(terminal, await this.seat(secretHash, credit));
    const isBound = this.#names.has(terminal) || this.bindings.has(terminal, 'terminal');
    return isBound ? this.#begin(terminal, credit) : resultUnknownRefusal;
  }

  /** Seats a terminal that stands for the cage, and so has no secret. Returns the terminal or a refusal. */
  seatCageTerminal(terminal: string): Promise<string | CommandRefusal> {
    return this.#begin(terminal, 0);
  }

  /** Seats a reserved terminal before its first command; returns a refusal if it could not be seated. */
  protected async seatFirst(terminal: string): Promise<CommandRefusal | undefined> {
    const secretHash = this.#reserved.secretOf(terminal);
    const seated = secretHash === undefined ? terminal : onlySeat(terminal, await this.seat(secretHash, 0));
    return typeof seated === 'string' ? undefined : seated;
  }

  /** True if the terminal is registered at this node or, in a cluster, has entries in the store. */
  async isRegisteredAnywhere(terminal: string): Promise<boolean> {
    if (this.isRegistered(terminal) || this.#dependencies.cluster === undefined) return this.isRegistered(terminal);
    for await (const _ of this.#dependencies.store.read(`${this.#owner.property}/terminal/${terminal}`, 0, 1)) {
      this.register(terminal);
      break;
    }
    return this.isRegistered(terminal);
  }

  /** Reports a failed read or write, and returns the refusal for the client. The caller does not retry. */
  storeFailed(error: unknown): CommandRefusal {
    const { onRetrying, onRecovered, onFatal } = this.#dependencies;
    // A fatal failure ends the process, so it is not reported as a retry.
    if (isFatalStoreError(error)) {
      onFatal(error);
      return cannotRecordRefusal;
    }
    onRetrying('seats', error);
    onRecovered('seats');
    return cannotRecordRefusal;
  }
}
