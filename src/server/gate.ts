import { type Server } from 'node:net';
import { type Proxies, groupOf } from './address.ts';
import { type Limits } from './limits.ts';

/** Room for so many in all, and for so many of one address. */
export class Room {
  readonly #most: number;
  readonly #mostOfOne: number;
  #all = 0;
  readonly #of = new Map<string, number>();

  constructor(most: number, mostOfOne: number) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  /** Whether there is none for one more of an address; for one of no address, whether there is none at all. */
  isFull(address: string | undefined): boolean {
    const here = address === undefined ? 0 : (this.#of.get(address) ?? 0);
    return this.#all >= this.#most || here >= this.#mostOfOne;
  }

  enter(address: string | undefined): void {
    this.#all += 1;
    if (address !== undefined) this.#of.set(address, (this.#of.get(address) ?? 0) + 1);
  }

  leave(address: string | undefined): void {
    this.#all -= 1;
    if (address === undefined) return;
    const others = this.#of.get(address)! - 1;
    if (others === 0) this.#of.delete(address);
    else this.#of.set(address, others);
  }
}

/**
 * Counts connections as they come, before a word is said, and ends at once those for which there is no room. A proxy's are
 * counted in all alone: for whom each of them is will be known by what it says.
 */
export function countConnections(server: Server, { lines, linesPerAddress }: Limits, proxies: Proxies): void {
  const room = new Room(lines, linesPerAddress);
  server.prependListener('connection', (socket) => {
    const from = socket.remoteAddress ?? '';
    const address = proxies.has(from) ? undefined : groupOf(from);
    if (room.isFull(address)) {
      socket.destroy();
      return;
    }
    room.enter(address);
    socket.once('close', () => room.leave(address));
  });
}
