import { type IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** The eight parts of an IPv6 address, be its end written as IPv4 or not. */
function partsOf(address: string): readonly number[] {
  const [head = '', tail] = address
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: readonly string[]) => {
      const [a, b, c, d] = parts.slice(0, 4).map(Number) as [number, number, number, number];
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    })
    .split('::');
  const read = (text: string): readonly number[] =>
    text === '' ? [] : text.split(':').map((part) => Number.parseInt(part, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/** An address in its plain form: IPv4 where it is one, whatever it comes as, and no name of a wire. */
function plain(address: string): string {
  const [bare = ''] = address.split('%');
  if (isIP(bare) !== 6) return bare;
  const parts = partsOf(bare);
  const isMapped = parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff;
  return isMapped ? [parts[6]! >> 8, parts[6]! & 255, parts[7]! >> 8, parts[7]! & 255].join('.') : bare;
}

/** What an address is counted as: IPv4 by itself, IPv6 by its first 64 bits, since all that follow are one subscriber's. */
export function groupOf(address: string): string {
  const bare = plain(address);
  if (isIP(bare) !== 6) return bare;
  const parts = partsOf(bare).slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(':')}::/64`;
}

const own = new BlockList();
own.addSubnet('127.0.0.0', 8, 'ipv4');
own.addAddress('::1', 'ipv6');

/** Whether whoever listens there is reached from this machine alone. */
export function isThisMachine(host: string): boolean {
  // An address may be written short, or as one number: 127.1 is one.
  const short =
    /^[\da-fx.]+$/i.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
  const bare = plain(short);
  const version = isIP(bare);
  return version === 0 ? host.toLowerCase() === 'localhost' : own.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/** The proxies that are believed when they say for whom they ask. */
export class Proxies {
  readonly #trusted = new BlockList();

  /** Trusts an address or a block of them, such as 10.0.0.0/8; false where the text is neither. */
  trust(text: string): boolean {
    const [, network = '', bits] = /^([0-9a-f:.]+?)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
    const version = isIP(network);
    if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128)) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) this.#trusted.addAddress(network, family);
    else this.#trusted.addSubnet(network, Number(bits), family);
    return true;
  }

  has(address: string): boolean {
    const bare = plain(address);
    const version = isIP(bare);
    return version !== 0 && this.#trusted.check(bare, version === 4 ? 'ipv4' : 'ipv6');
  }

  /**
   * Whose request it is: whoever sends it or, where that is a proxy, the last address in `X-Forwarded-For` that is none.
   * What others write there is not believed; where a proxy names nobody, it is its own request.
   */
  askerOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
    const said = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    let asker = socket.remoteAddress ?? '';
    while (this.has(asker)) {
      const before = (said.pop() ?? '').trim().replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, '$1$3');
      if (isIP(plain(before)) === 0) break;
      asker = before;
    }
    return asker;
  }
}
