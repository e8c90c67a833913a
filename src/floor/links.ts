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

/** Which secret leads to which terminal. A secret itself is kept by its browser alone. */
export class Links {
  readonly #store: Pick<Store, 'aside' | 'putAside'>;
  readonly #links = new Map<string, string>();
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
      const [terminal = '', code = ''] = value.split(' ');
      if (!isSame(code, codeOf(this.#key, secretHash, terminal))) forged.push(terminal);
      else if (!this.#revoked.has(secretHash)) this.#links.set(secretHash, terminal);
    }
    return forged;
  }

  /** Writes them for another key, from which on they count. */
  async keepWith(key: Buffer): Promise<void> {
    for (const [secretHash, terminal] of this.#links) {
      await this.#store.putAside(linkKind, secretHash, `${terminal} ${codeOf(key, secretHash, terminal)}`);
    }
  }

  get size(): number {
    return this.#links.size;
  }

  /** Every terminal that a secret leads to. */
  terminals(): Iterable<string> {
    return this.#links.values();
  }

  of(secretHash: string): string | undefined {
    return this.#links.get(secretHash);
  }

  /** Whether a secret once led to a terminal and does no more. */
  isRevoked(secretHash: string): boolean {
    return this.#revoked.has(secretHash);
  }

  /** Whether a link was to be written for a secret, and nobody knows whether it was. */
  isInDoubt(secretHash: string): boolean {
    return this.#inDoubt.has(secretHash);
  }

  async link(secretHash: string, terminal: string): Promise<void> {
    const code = codeOf(this.#key, secretHash, terminal);
    this.#inDoubt.add(secretHash);
    await this.#store.putAside(linkKind, secretHash, `${terminal} ${code}`);
    this.#inDoubt.delete(secretHash);
    this.#links.set(secretHash, terminal);
  }

  /** Another secret leads to the terminal of this one, which is dead from then on. */
  async renew(secretHash: string, next: string): Promise<void> {
    const terminal = this.#links.get(secretHash)!;
    await this.link(next, terminal);
    await this.kill(secretHash, terminal);
  }

  /** No secret leads to a terminal any more; gives how many did. */
  async revoke(terminal: string): Promise<number> {
    const dead = [...this.#links].flatMap(([secretHash, one]) => (one === terminal ? [secretHash] : []));
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

const codeOf = (key: Buffer, secretHash: string, terminal: string): string =>
  createHmac('sha256', key).update(`link ${secretHash} ${terminal}`).digest('base64url');

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
