import { type RequestListener } from 'node:http';
import { type Server, type Socket } from 'node:net';
import { type TrustedProxies, addressGroup } from './clientAddress.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';

/** Quota: a maximum in total and per address. */
export class ConnectionQuota {
  readonly #max: number;
  readonly #maxPerAddress: number;
  #total = 0;
  readonly #byAddress = new Map<string, number>();

  constructor(max: number, maxPerAddress: number) {
    this.#max = max;
    this.#maxPerAddress = maxPerAddress;
  }

  /** Without an address only the total counts. */
  isFull(address: string | undefined): boolean {
    const used = address === undefined ? 0 : (this.#byAddress.get(address) ?? 0);
    return this.#total >= this.#max || used >= this.#maxPerAddress;
  }

  acquire(address: string | undefined): void {
    this.#total += 1;
    if (address !== undefined) this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
  }

  release(address: string | undefined): void {
    this.#total -= 1;
    if (address === undefined) return;
    const rest = this.#byAddress.get(address)! - 1;
    if (rest === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, rest);
  }
}

/**
 * Counts TCP connections on arrival and destroys those above the quota. Connections of a trusted proxy count in total
 * only: their clients are known only after the request headers.
 */
export function limitConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: ServerLimits,
  proxies: TrustedProxies,
): void {
  const quota = new ConnectionQuota(maxConnections, maxConnectionsPerAddress);
  server.prependListener('connection', (socket) => {
    const from = socket.remoteAddress ?? '';
    const address = proxies.has(from) ? undefined : addressGroup(from);
    if (quota.isFull(address)) {
      socket.destroy();
      return;
    }
    quota.acquire(address);
    socket.once('close', () => quota.release(address));
  });
}

/** Node's HTTP parser of a socket; not in the type declarations. Without it the limit works, but more slowly. */
type SocketWithParser = Socket & { readonly parser?: { onIncoming?: unknown } | null };

/**
 * Limits HTTP pipelining: destroys a connection with too many unanswered requests. Node still parses what it has
 * already read into requests, hundreds of them; they are dropped.
 */
export function limitPipelining(max: number): (handle: RequestListener) => RequestListener {
  const pending = new WeakMap<Socket, number>();
  return (handle) => (request, answer) => {
    const socket: SocketWithParser = request.socket;
    if (socket.destroyed) return;
    const before = pending.get(socket) ?? 0;
    if (before >= max) {
      if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 0;
      socket.destroy();
      return;
    }
    pending.set(socket, before + 1);
    answer.once('close', () => pending.set(socket, pending.get(socket)! - 1));
    handle(request, answer);
  };
}
