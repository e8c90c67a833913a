import { createHmac, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { type Store } from '../store/store.ts';

// Kept beside the chain, by the hash of a secret: the terminal that it leads to, with a code that only the key of the
// record gives, since nothing there is signed; and, where it leads nowhere any more, the one that it led to.
const linkKind = 'patron';
const revokedKind = 'revoked';

/** What was found in the record and is told by one sentence: no place in the program has to do with it. */
export class Finding extends Error {
  [inspect.custom](): string {
    return this.message;
  }
}

/** What a secret is for: a terminal, a device at one, or the shoe of a table, which reads cards. */
export const roles = ['terminal', 'acceptor', 'printer', 'shoe'] as const;
export type Role = (typeof roles)[number];
/** Where a secret leads: to a terminal, or to the table whose shoe it is of. */
type Led = { readonly terminal: string; readonly role: Role };

/** Which secret leads to which terminal. A secret itself is kept by its browser alone. */
export class Links {
  readonly #store: Pick<Store, 'aside' | 'putAside'>;
  readonly #links = new Map<string, Led>();
  readonly #revoked = new Set<string>();
  /** Those whose link may be written or not: the store has not said that it is. */
  readonly #inDoubt = new Set<string>();
  readonly #key: Buffer;

  constructor(store: Pick<Store, 'aside' | 'putAside'>, key: Buffer) {
    this.#store = store;
    this.#key = key;
  }

  /** Reads them; gives the terminals of those that nobody with the key has written, which lead nowhere. */
  async load(): Promise<readonly string[]> {
    const forged: string[] = [];
    for (const secretHash of (await this.#store.aside(revokedKind)).keys()) this.#revoked.add(secretHash);
    for (const [secretHash, value] of await this.#store.aside(linkKind)) {
      const [terminal = '', code = '', word = 'terminal'] = value.split(' ');
      const led = { terminal, role: roles.find((one) => one === word) ?? 'terminal' };
      if (!isSame(code, codeOf(this.#key, secretHash, led))) forged.push(terminal);
      else if (!this.#revoked.has(secretHash)) this.#links.set(secretHash, led);
    }
    return forged;
  }

  /** Writes them for another key, from which on they count. */
  async keepWith(key: Buffer): Promise<void> {
    for (const [secretHash, led] of this.#links) {
      await this.#store.putAside(linkKind, secretHash, textOf(key, secretHash, led));
    }
  }

  get size(): number {
    return this.#links.size;
  }

  /** Every terminal that a secret leads to. */
  terminals(): Iterable<string> {
    return [...this.#links.values()].flatMap(({ terminal, role }) => (role === 'shoe' ? [] : terminal));
  }

  /** The terminal that a secret is of. */
  of(secretHash: string): string | undefined {
    const led = this.#links.get(secretHash);
    return led?.role === 'terminal' ? led.terminal : undefined;
  }

  /** The device that a secret is of, and the terminal or table it serves. */
  device(secretHash: string): Led | undefined {
    const led = this.#links.get(secretHash);
    return led?.role === 'terminal' ? undefined : led;
  }

  /** Whether a secret leads to a terminal in a role. */
  has(terminal: string, role: Role): boolean {
    return [...this.#links.values()].some((led) => led.terminal === terminal && led.role === role);
  }

  /** Whether a secret once led to a terminal and does no more. */
  isRevoked(secretHash: string): boolean {
    return this.#revoked.has(secretHash);
  }

  /** Whether a link was to be written for a secret, and nobody knows whether it was. */
  isInDoubt(secretHash: string): boolean {
    return this.#inDoubt.has(secretHash);
  }

  async link(secretHash: string, terminal: string, role: Role = 'terminal'): Promise<void> {
    const led = { terminal, role };
    this.#inDoubt.add(secretHash);
    await this.#store.putAside(linkKind, secretHash, textOf(this.#key, secretHash, led));
    this.#inDoubt.delete(secretHash);
    this.#links.set(secretHash, led);
  }

  /** Another secret leads to the terminal of this one, which is dead from then on. */
  async renew(secretHash: string, next: string): Promise<void> {
    const { terminal } = this.#links.get(secretHash)!;
    await this.link(next, terminal);
    await this.kill(secretHash, terminal);
  }

  /** No secret leads to a terminal any more; gives how many did. */
  async revoke(terminal: string): Promise<number> {
    const dead = [...this.#links].flatMap(([secretHash, one]) => (one.terminal === terminal ? [secretHash] : []));
    for (const secretHash of dead) await this.kill(secretHash, terminal);
    return dead.length;
  }

  /** A secret of a terminal leads nowhere: once the first of the two is written, whatever becomes of the second. */
  async kill(secretHash: string, terminal: string): Promise<void> {
    await this.#store.putAside(revokedKind, secretHash, terminal);
    this.#revoked.add(secretHash);
    this.#inDoubt.delete(secretHash);
    this.#links.delete(secretHash);
    await this.#store.putAside(linkKind, secretHash, undefined);
  }
}

/** As it is written; a terminal needs no word for its role. */
const textOf = (key: Buffer, secretHash: string, led: Led): string =>
  [led.terminal, codeOf(key, secretHash, led), ...(led.role === 'terminal' ? [] : [led.role])].join(' ');

const codeOf = (key: Buffer, secretHash: string, { terminal, role }: Led): string =>
  createHmac('sha256', key)
    .update(['link', secretHash, terminal, ...(role === 'terminal' ? [] : [role])].join(' '))
    .digest('base64url');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
