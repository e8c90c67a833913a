import { type Server } from 'node:net';
import { type TrustedProxies, addressLimitKeyOf } from './clientAddress.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';

/** Quota of connections: a maximum in total and a maximum per client address. */
export class ConnectionQuota {
  readonly #max: number;
  readonly #maxPerAddress: number;
  #total = 0;
  readonly #byAddress = new Map<string, number>();

  constructor(max: number, maxPerAddress: number) {
    this.#max = max;
    this.#maxPerAddress = maxPerAddress;
  }

  /**
   * True if no more connections are allowed, in total or for this address. If `address` is undefined, only the total is
   * checked.
   */
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
 * Counts new TCP connections and destroys connections above the quota. A connection of a trusted proxy is counted only
 * in the total: the address of its client is in the request headers, which have not arrived yet.
 */
export function limitTcpConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: ServerLimits,
  proxies: TrustedProxies,
): void {
  const quota = new ConnectionQuota(maxConnections, maxConnectionsPerAddress);
  server.prependListener('connection', (socket) => {
    const from = socket.remoteAddress ?? '';
    const address = proxies.has(from) ? undefined : addressLimitKeyOf(from);
    if (quota.isFull(address)) {
      socket.destroy();
      return;
    }
    quota.acquire(address);
    socket.once('close', () => quota.release(address));
  });
}
