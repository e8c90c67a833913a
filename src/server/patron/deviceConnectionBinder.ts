import { type CommandRefusal } from '../../runtime/stream/refusals.ts';
import { secretRevokedRefusal } from '../../runtime/stream/refusals.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type DeviceConnection } from '../socket/deviceConnection.ts';
import { type Scheduler } from '../../runtime/ports/scheduler.ts';

/**
 * Interval at which a node reads secrets and sessions from the store again, in milliseconds. Other nodes send
 * notifications of changes, but a notification may be lost.
 */
export const credentialRefreshEveryMs = 10_000;

/**
 * WebSocket close codes that ask a client to reconnect. `reconnectNow`: the secret of the client now belongs to another
 * terminal. `reconnectLater`: the store does not answer.
 */
const [reconnectNow, reconnectLater] = [1012, 1013];

type ConnectionsBySecretDependencies = {
  readonly floor: FloorRuntime;
  readonly after: Scheduler['after'];
  readonly bindReader: (connection: DeviceConnection, table: string) => void;
  readonly bindDevice: (
    connection: DeviceConnection,
    bindDevice: { readonly terminal: string; readonly role: DeviceKind },
  ) => void;
  readonly bindPatron: (connection: DeviceConnection, secretHash: string) => void;
};

/**
 * Binds each connection to the terminal or device that owns its secret, and keeps the open connections by the hash of
 * the secret. In a cluster the owner is read from the store before the connection is bound.
 */
export class DeviceConnectionBinder {
  readonly #dependencies: ConnectionsBySecretDependencies;
  readonly #bySecret = new Map<string, Set<DeviceConnection>>();
  #stopSweep: (() => void) | undefined;

  constructor(dependencies: ConnectionsBySecretDependencies) {
    this.#dependencies = dependencies;
    if (dependencies.floor.isClustered) this.#scheduleSweep();
  }

  /**
   * Binds a new connection to the terminal or device that owns its secret. Returns false if the secret is revoked, the
   * store did not answer, or the connection has closed.
   */
  async bind(connection: DeviceConnection, secretHash: string): Promise<boolean> {
    const { terminals } = this.#dependencies.floor;
    const refusal = await this.refresh(connection, secretHash);
    if (refusal || connection.isClosed) return false;
    if (terminals.isRevoked(secretHash)) {
      connection.refuseAndClose(secretRevokedRefusal);
      return false;
    }
    this.rebind(connection, secretHash);
    const device = terminals.bindings.device(secretHash);
    if (device?.role === 'shoe') this.#dependencies.bindReader(connection, device.terminal);
    else if (device) this.#dependencies.bindDevice(connection, device);
    else this.#dependencies.bindPatron(connection, secretHash);
    return true;
  }

  /**
   * In a cluster, reads from the store again to whom secrets belong. If the store does not answer, asks the client to
   * reconnect later, and returns the refusal.
   */
  async refresh(connection: DeviceConnection, ...secretHashes: readonly string[]): Promise<CommandRefusal | undefined> {
    const read = this.#dependencies.floor.terminals.refreshSecrets(secretHashes);
    const refusal = read && (await read);
    if (refusal) askToReconnect(connection, refusal);
    return refusal;
  }

  /** Waits for a read of the store. If the read fails, asks the client to reconnect later and returns false. */
  async waitForRead(connection: DeviceConnection, read: Promise<unknown>): Promise<boolean> {
    try {
      await read;
      return true;
    } catch (error) {
      askToReconnect(connection, this.#dependencies.floor.terminals.storeFailed(error));
      return false;
    }
  }

  rebind(connection: DeviceConnection, secretHash: string): void {
    this.remove(connection);
    connection.secretHash = secretHash;
    this.#bySecret.set(secretHash, (this.#bySecret.get(secretHash) ?? new Set()).add(connection));
  }

  remove(connection: DeviceConnection): void {
    const { secretHash = '' } = connection;
    const others = this.#bySecret.get(secretHash);
    others?.delete(connection);
    if (others?.size === 0) this.#bySecret.delete(secretHash);
  }

  /**
   * Call when another node has bound or revoked a secret. Closes the connections with this secret if it is revoked, or
   * now belongs to another terminal or device.
   */
  onRebound(secretHash: string): void {
    const { terminals } = this.#dependencies.floor;
    const device = terminals.bindings.device(secretHash);
    const terminal = terminals.terminalOf(secretHash);
    for (const connection of this.#bySecret.get(secretHash) ?? []) {
      const isOtherTerminal = connection.terminal !== undefined && connection.terminal !== terminal;
      const isRebound = (device === undefined && isOtherTerminal) || (device && connection.deviceKind !== device.role);
      if (terminals.isRevoked(secretHash)) connection.refuseAndClose(secretRevokedRefusal);
      else if (isRebound) connection.close(reconnectNow, 'bound-elsewhere');
    }
  }

  close(): void {
    this.#stopSweep?.();
  }

  #scheduleSweep(): void {
    this.#stopSweep = this.#dependencies.after(credentialRefreshEveryMs, () => {
      void this.#dependencies.floor.terminals.refreshSecrets([...this.#bySecret.keys()]);
      this.#scheduleSweep();
    });
  }
}

function askToReconnect(connection: DeviceConnection, refusal: CommandRefusal): void {
  connection.refuse(refusal);
  connection.close(reconnectLater, refusal.refused);
}
