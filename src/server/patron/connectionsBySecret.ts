import { type Denied } from '../../runtime/stream/pendingCommand.ts';
import { type FloorRuntime } from '../../runtime/floorRuntime.ts';
import { type DeviceKind } from '../../runtime/terminals/secretBindings.ts';
import { type Connection } from '../socket/patronConnection.ts';
import { revoked } from './secretRotation.ts';
import { type Scheduler } from '../operations/serverClock.ts';

/** So often it is asked whether the secrets of those who are here are dead, in case that nobody could tell, in milliseconds. */
export const sweepEvery = 10_000;

/** What whoever comes back by itself is told: somebody is at another terminal by now, or the record cannot be asked. */
const [comeAgain, comeLater] = [1012, 1013];

type Parts = {
  readonly floor: FloorRuntime;
  readonly after: Scheduler['after'];
  /** Who somebody is from now on, by a secret: the reader of a table's cards, a device of a terminal, or a patron. */
  readonly reader: (connection: Connection, table: string) => void;
  readonly device: (connection: Connection, device: { readonly terminal: string; readonly role: DeviceKind }) => void;
  readonly patron: (connection: Connection, secretHash: string) => void;
};

/** Everyone who has come by a secret. Where other nodes are on the record it is asked first what that is worth. */
export class ConnectionsBySecret {
  readonly #parts: Parts;
  readonly #by = new Map<string, Set<Connection>>();
  #stop: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    if (parts.floor.isShared) this.#sweepLater();
  }

  /** Whether a secret is one to be known by; whoever has a dead one is let go. */
  async greet(connection: Connection, secretHash: string): Promise<boolean> {
    const { terminals } = this.#parts.floor;
    const denied = await this.ask(connection, secretHash);
    if (denied || connection.gone) return false;
    if (terminals.isDead(secretHash)) {
      connection.dismiss(revoked);
      return false;
    }
    this.rename(connection, secretHash);
    const device = terminals.links.device(secretHash);
    if (device?.role === 'shoe') this.#parts.reader(connection, device.terminal);
    else if (device) this.#parts.device(connection, device);
    else this.#parts.patron(connection, secretHash);
    return true;
  }

  /** Asks the record of secrets, where others write there; whoever they are of comes back later where it cannot be asked. */
  async ask(connection: Connection, ...secretHashes: readonly string[]): Promise<Denied | undefined> {
    const looking = this.#parts.floor.terminals.look(secretHashes);
    const denied = looking && (await looking);
    if (denied) later(connection, denied);
    return denied;
  }

  /** Whether somebody's terminal could be read from the record; where not, its patron comes back later. */
  async reads(connection: Connection, reading: Promise<unknown>): Promise<boolean> {
    try {
      await reading;
      return true;
    } catch (error) {
      later(connection, this.#parts.floor.terminals.unwritten(error));
      return false;
    }
  }

  /** A connection is known by another secret from now on. */
  rename(connection: Connection, secretHash: string): void {
    this.left(connection);
    connection.secretHash = secretHash;
    this.#by.set(secretHash, (this.#by.get(secretHash) ?? new Set()).add(connection));
  }

  left(connection: Connection): void {
    const { secretHash = '' } = connection;
    const others = this.#by.get(secretHash);
    others?.delete(connection);
    if (others?.size === 0) this.#by.delete(secretHash);
  }

  /** Another node has linked a secret, or killed it: whoever came by it is let go, or comes back to the right terminal. */
  relinked(secretHash: string): void {
    const { terminals } = this.#parts.floor;
    const device = terminals.links.device(secretHash);
    const terminal = terminals.of(secretHash);
    for (const connection of this.#by.get(secretHash) ?? []) {
      const isElsewhere = connection.terminal !== undefined && connection.terminal !== terminal;
      const isOther = (device === undefined && isElsewhere) || (device && connection.role !== device.role);
      if (terminals.isDead(secretHash)) connection.dismiss(revoked);
      else if (isOther) connection.close(comeAgain, 'linked-elsewhere');
    }
  }

  /** Nobody is asked after any more. */
  close(): void {
    this.#stop?.();
  }

  #sweepLater(): void {
    this.#stop = this.#parts.after(sweepEvery, () => {
      void this.#parts.floor.terminals.look([...this.#by.keys()]);
      this.#sweepLater();
    });
  }
}

function later(connection: Connection, denied: Denied): void {
  connection.refuse(denied);
  connection.close(comeLater, denied.refused);
}
