import { type CommandRefusal } from '../../runtime/stream/refusals.ts';
import { secretRevoked } from '../../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type PatronConnection } from '../socket/patronConnection.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';

/** Interval of the check for revoked secrets, in case a notification of another node was lost. */
export const sweepEveryMs = 10_000;

/**
 * WebSocket close codes after which a client reconnects: its secret has another terminal, or the store does not answer.
 */
const [reconnectNow, reconnectLater] = [1012, 1013];

type ConnectionsBySecretDependencies = {
  readonly floor: FloorRuntime;
  readonly after: Scheduler['after'];
  /** Bind a connection to what its secret belongs to: a card reader, a device of a terminal, or a patron. */
  readonly bindReader: (connection: PatronConnection, table: string) => void;
  readonly bindDevice: (
    connection: PatronConnection,
    bindDevice: { readonly terminal: string; readonly role: DeviceKind },
  ) => void;
  readonly bindPatron: (connection: PatronConnection, secretHash: string) => void;
};

/** Connections by the hash of their secret. In a cluster the event store is read before a secret is trusted. */
export class ConnectionsBySecret {
  readonly #dependencies: ConnectionsBySecretDependencies;
  readonly #bySecret = new Map<string, Set<PatronConnection>>();
  #stopSweep: (() => void) | undefined;

  constructor(dependencies: ConnectionsBySecretDependencies) {
    this.#dependencies = dependencies;
    if (dependencies.floor.isClustered) this.#scheduleSweep();
  }

  /** False if the connection was refused: a revoked secret, or the store did not answer. */
  async bind(connection: PatronConnection, secretHash: string): Promise<boolean> {
    const { terminals } = this.#dependencies.floor;
    const refusal = await this.refresh(connection, secretHash);
    if (refusal || connection.isClosed) return false;
    if (terminals.isRevoked(secretHash)) {
      connection.refuseAndClose(secretRevoked);
      return false;
    }
    this.rebind(connection, secretHash);
    const device = terminals.bindings.device(secretHash);
    if (device?.role === 'shoe') this.#dependencies.bindReader(connection, device.terminal);
    else if (device) this.#dependencies.bindDevice(connection, device);
    else this.#dependencies.bindPatron(connection, secretHash);
    return true;
  }

  /** Reads the current bindings in a cluster. If the store does not answer, the client is asked to reconnect later. */
  async refresh(connection: PatronConnection, ...secretHashes: readonly string[]): Promise<CommandRefusal | undefined> {
    const read = this.#dependencies.floor.terminals.refreshSecrets(secretHashes);
    const refusal = read && (await read);
    if (refusal) askToReconnect(connection, refusal);
    return refusal;
  }

  /** False if the read failed; then the client is asked to reconnect later. */
  async waitForRead(connection: PatronConnection, read: Promise<unknown>): Promise<boolean> {
    try {
      await read;
      return true;
    } catch (error) {
      askToReconnect(connection, this.#dependencies.floor.terminals.storeFailed(error));
      return false;
    }
  }

  rebind(connection: PatronConnection, secretHash: string): void {
    this.remove(connection);
    connection.secretHash = secretHash;
    this.#bySecret.set(secretHash, (this.#bySecret.get(secretHash) ?? new Set()).add(connection));
  }

  remove(connection: PatronConnection): void {
    const { secretHash = '' } = connection;
    const others = this.#bySecret.get(secretHash);
    others?.delete(connection);
    if (others?.size === 0) this.#bySecret.delete(secretHash);
  }

  /** Another node bound or revoked a secret: its connections are closed, or reconnect to the right terminal. */
  onRebound(secretHash: string): void {
    const { terminals } = this.#dependencies.floor;
    const device = terminals.bindings.device(secretHash);
    const terminal = terminals.terminalOf(secretHash);
    for (const connection of this.#bySecret.get(secretHash) ?? []) {
      const isOtherTerminal = connection.terminal !== undefined && connection.terminal !== terminal;
      const isRebound = (device === undefined && isOtherTerminal) || (device && connection.deviceKind !== device.role);
      if (terminals.isRevoked(secretHash)) connection.refuseAndClose(secretRevoked);
      else if (isRebound) connection.close(reconnectNow, 'linked-elsewhere');
    }
  }

  close(): void {
    this.#stopSweep?.();
  }

  #scheduleSweep(): void {
    this.#stopSweep = this.#dependencies.after(sweepEveryMs, () => {
      void this.#dependencies.floor.terminals.refreshSecrets([...this.#bySecret.keys()]);
      this.#scheduleSweep();
    });
  }
}

function askToReconnect(connection: PatronConnection, refusal: CommandRefusal): void {
  connection.refuse(refusal);
  connection.close(reconnectLater, refusal.refused);
}
