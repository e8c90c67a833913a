import { type RequestListener } from 'node:http';
import { type Server, type Socket } from 'node:net';
import { type Proxies, groupOf } from './clientAddress.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';

/** Room for so many in all, and for so many of one address. */
export class ConnectionQuota {
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
export function countConnections(server: Server, { lines, linesPerAddress }: ServerLimits, proxies: Proxies): void {
  const room = new ConnectionQuota(lines, linesPerAddress);
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

/** What Node reads requests with, and whom it hands them to. The types do not know of it; without it all is only slower. */
type Read = Socket & { readonly parser?: { onIncoming?: unknown } | null };

/**
 * Hands requests on while few of their connection wait for an answer, and otherwise ends the connection. What Node has
 * read by then is still made into requests, hundreds of them: they go nowhere.
 */
export function limitPipelining(most: number): (handle: RequestListener) => RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (handle) => (request, answer) => {
    const socket: Read = request.socket;
    if (socket.destroyed) return;
    const before = waiting.get(socket) ?? 0;
    if (before >= most) {
      if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 0;
      socket.destroy();
      return;
    }
    waiting.set(socket, before + 1);
    answer.once('close', () => waiting.set(socket, waiting.get(socket)! - 1));
    handle(request, answer);
  };
}
