import { type IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The eight 16-bit groups of an IPv6 address. The last two groups may be written as an IPv4 address. */
function ipv6Groups(address: string): readonly number[] {
  const [head = '', tail] = address
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: readonly string[]) => {
      const [a, b, c, d] = octets.slice(0, 4).map(Number) as [number, number, number, number];
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    })
    .split('::');
  const read = (text: string): readonly number[] =>
    text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/** Normalizes an IP address: an IPv4-mapped IPv6 address becomes IPv4, and a zone id is removed. */
function normalizeAddress(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  const groups = ipv6Groups(bare);
  const isMapped = groups.slice(0, 5).every((part) => part === 0) && groups[5] === 0xffff;
  return isMapped ? [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.') : bare;
}

/**
 * Key of a client address for limits: the whole IPv4 address, or the /64 prefix of an IPv6 address. A /64 block belongs
 * to one subscriber, who could use any address in it.
 */
export function addressLimitKeyOf(address: string): string {
  const bare = normalizeAddress(address);
  if (isIP(bare) !== 6) return bare;
  const groups = ipv6Groups(bare).slice(0, 4);
  return `${groups.map((part) => part.toString(16)).join(':')}::/64`;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True if a server that listens at `host` can be reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
  // An IPv4 address may be shortened, such as 127.1, or written as one number. The URL parser expands it.
  const expanded =
    /^[\da-fx.]+$/i.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
  const bare = normalizeAddress(expanded);
  const version = isIP(bare);
  return version === 0 ? host.toLowerCase() === 'localhost' : loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/** Proxies whose `X-Forwarded-For` header is trusted. */
export class TrustedProxies {
  readonly #trusted = new BlockList();
  #isEmpty = true;

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Adds an address or a CIDR block such as 10.0.0.0/8; returns false for any other text. */
  trust(text: string): boolean {
    const [, network = '', bits] = /^([0-9a-f:.]+?)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
    const version = isIP(network);
    if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128)) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) this.#trusted.addAddress(network, family);
    else this.#trusted.addSubnet(network, Number(bits), family);
    this.#isEmpty = false;
    return true;
  }

  has(address: string): boolean {
    const bare = normalizeAddress(address);
    const version = isIP(bare);
    return version !== 0 && this.#trusted.check(bare, version === 4 ? 'ipv4' : 'ipv6');
  }

  /**
   * Address of the client of a request. If the peer of the socket is no trusted proxy, the peer is the client, and
   * `X-Forwarded-For` is ignored. Otherwise the client is the last address in `X-Forwarded-For` that is no trusted
   * proxy. A proxy that gives no address counts as the client.
   */
  clientAddressOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    let client = socket.remoteAddress ?? '';
    while (this.has(client)) {
      const previous = (forwarded.pop() ?? '').trim().replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3');
      if (isIP(normalizeAddress(previous)) === 0) break;
      client = previous;
    }
    return client;
  }
}
