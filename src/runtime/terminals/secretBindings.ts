import { createHmac, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { type Store } from '../../store/store.ts';
import { type ClusterPort } from '../ports/clusterPort.ts';

// Kept beside the chain, by the hash of a secret: the terminal that it leads to, with a code that only the key of the
// record gives, since nothing there is signed; and, where it leads nowhere any more, the one that it led to.
const linkKind = 'patron';
const revokedKind = 'revoked';
/** What is kept of secrets. */
export const linkKinds: readonly string[] = [linkKind, revokedKind];

/** What was found in the record and is told by one sentence: no place in the program has to do with it. */
export class Finding extends Error {
  [inspect.custom](): string {
    return this.message;
  }
}

/** What a secret is for: a terminal, a device at one, or the shoe of a table, which reads cards. */
export const roles = ['terminal', 'acceptor', 'printer', 'shoe'] as const;
export type DeviceKind = (typeof roles)[number];
/** Where a secret leads: to a terminal, or to the table whose shoe it is of. */
type Led = { readonly terminal: string; readonly role: DeviceKind };

type Kept = Pick<Store, 'listValues' | 'putValue' | 'putValueIfAbsent'>;

/** Which secret leads to which terminal. A secret itself is kept by its browser alone. */
export class SecretBindings {
  readonly #store: Kept;
  readonly #links = new Map<string, Led>();
  readonly #revoked = new Set<string>();
  /** Those whose link may be written or not: the store has not said that it is. */
  readonly #inDoubt = new Set<string>();
  readonly #key: Buffer;
  /** Those who write links too, and are told. */
  readonly #shared: Pick<ClusterPort, 'aside'> | undefined;

  constructor(store: Kept, key: Buffer, shared?: Pick<ClusterPort, 'aside'>) {
    this.#store = store;
    this.#key = key;
    this.#shared = shared;
  }

  /** Reads them; gives the terminals of those that nobody with the key has written, which lead nowhere. */
  async load(): Promise<readonly string[]> {
    const forged: string[] = [];
    for (const secretHash of (await this.#store.listValues(revokedKind)).keys()) this.#revoked.add(secretHash);
    for (const [secretHash, value] of await this.#store.listValues(linkKind)) {
      const led = this.#ledBy(secretHash, value);
      if (led === undefined) forged.push(value.split(' ')[0]!);
      else if (!this.#revoked.has(secretHash)) this.#links.set(secretHash, led);
    }
    return forged;
  }

  /** Where a link leads, if it was written with the key. */
  #ledBy(secretHash: string, value: string): Led | undefined {
    const [terminal = '', code = '', word = 'terminal'] = value.split(' ');
    const led = { terminal, role: roles.find((one) => one === word) ?? 'terminal' };
    return isSame(code, codeOf(this.#key, secretHash, led)) ? led : undefined;
  }

  /**
   * Reads again what is kept of some secrets, since others may have written it, and gives those of which something is new. A
   * link stands until its secret is dead, and that is for good: what was read late takes nothing away.
   */
  async look(secretHashes: readonly string[]): Promise<readonly string[]> {
    // Whoever kills a secret writes that down before the link goes.
    const links = await this.#store.listValues(linkKind, secretHashes);
    const dead = await this.#store.listValues(revokedKind, secretHashes);
    return secretHashes.filter((secretHash) => {
      if (dead.has(secretHash)) {
        const isNews = !this.#revoked.has(secretHash);
        this.#bury(secretHash);
        return isNews;
      }
      const link = links.get(secretHash);
      const led = link === undefined || this.isRevoked(secretHash) ? undefined : this.#ledBy(secretHash, link);
      if (led === undefined || this.#links.has(secretHash)) return false;
      this.#links.set(secretHash, led);
      return true;
    });
  }

  #bury(secretHash: string): void {
    this.#revoked.add(secretHash);
    this.#inDoubt.delete(secretHash);
    this.#links.delete(secretHash);
  }

  /** Writes them for another key, from which on they count. */
  async keepWith(key: Buffer): Promise<void> {
    for (const [secretHash, led] of this.#links) {
      await this.#store.putValue(linkKind, secretHash, textOf(key, secretHash, led));
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
  has(terminal: string, role: DeviceKind): boolean {
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

  /** A secret leads to a terminal from now on; where another node was first, to the one that it says. */
  async link(secretHash: string, terminal: string, role: DeviceKind = 'terminal'): Promise<void> {
    const led = { terminal, role };
    this.#inDoubt.add(secretHash);
    const text = textOf(this.#key, secretHash, led);
    if (this.#shared) await this.#claim(secretHash, text, led);
    else await this.#linked(secretHash, text, led);
  }

  async #linked(secretHash: string, text: string, led: Led): Promise<void> {
    await this.#store.putValue(linkKind, secretHash, text);
    this.#inDoubt.delete(secretHash);
    this.#links.set(secretHash, led);
    this.#shared?.aside(linkKind, secretHash);
  }

  async #claim(secretHash: string, text: string, own: Led): Promise<void> {
    const led = this.#ledBy(secretHash, await this.#store.putValueIfAbsent(linkKind, secretHash, text));
    if (led === undefined) return this.#linked(secretHash, text, own);
    this.#inDoubt.delete(secretHash);
    this.#links.set(secretHash, led);
    this.#shared!.aside(linkKind, secretHash);
    // It may have been killed elsewhere before it was linked here.
    await this.look([secretHash]);
    return undefined;
  }

  /** Another secret leads to the terminal of this one, which is dead from then on; false where others were first. */
  async renew(secretHash: string, next: string): Promise<boolean> {
    const { terminal } = this.#links.get(secretHash)!;
    await this.link(next, terminal);
    if (this.of(next) !== terminal) return false;
    const isFirst = await this.kill(secretHash, terminal, next);
    if (!isFirst) await this.kill(next, terminal);
    return isFirst;
  }

  /** No secret leads to a terminal any more; gives how many did. */
  async revoke(terminal: string): Promise<number> {
    const dead = [...this.#links].flatMap(([secretHash, one]) => (one.terminal === terminal ? [secretHash] : []));
    for (const secretHash of dead) await this.kill(secretHash, terminal);
    return dead.length;
  }

  /**
   * A secret of a terminal leads nowhere: once the first of the two is written, whatever becomes of the second. Gives false
   * where another node has killed it for another secret.
   */
  async kill(secretHash: string, terminal: string, next?: string): Promise<boolean> {
    const text = this.#shared && next !== undefined ? `${terminal} ${next}` : terminal;
    const isFirst = text === terminal || (await this.#store.putValueIfAbsent(revokedKind, secretHash, text)) === text;
    if (text === terminal) await this.#store.putValue(revokedKind, secretHash, terminal);
    this.#bury(secretHash);
    this.#shared?.aside(revokedKind, secretHash);
    await this.#store.putValue(linkKind, secretHash, undefined);
    return isFirst;
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
