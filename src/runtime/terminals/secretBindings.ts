import { createHmac, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { type Store } from '../../store/store.ts';
import { type ClusterPort } from '../ports/clusterPort.ts';

// Kinds of values in the key-value table. The id of a value is the hash of a secret. A `binding` value names the
// terminal or device of the secret, with a MAC under the data key, because no checkpoint covers the key-value table. A
// `revoked` value names the terminal of a revoked secret.
const bindingKind = 'binding';
const revokedKind = 'revoked';
export const secretBindingValueKinds: readonly string[] = [bindingKind, revokedKind];

/** A warning for the operator that is printed as one sentence, without a stack trace. */
export class OperatorWarning extends Error {
  [inspect.custom](): string {
    return this.message;
  }
}

/** Kinds of devices with a secret: terminals, bill acceptors and printers at a terminal, and card readers ('shoe'). */
export const deviceKinds = ['terminal', 'acceptor', 'printer', 'shoe'] as const;
export type DeviceKind = (typeof deviceKinds)[number];
/** The device to which a secret is bound. For a card reader `terminal` is the id of its table. */
type Binding = { readonly terminal: string; readonly role: DeviceKind };

type ValueStore = Pick<Store, 'listValues' | 'putValue' | 'putValueIfAbsent'>;

/** Bindings of secrets to terminals and devices. Only the hash of a secret is stored; the device keeps the secret. */
export class SecretBindings {
  readonly #store: ValueStore;
  readonly #bindings = new Map<string, Binding>();
  readonly #revoked = new Set<string>();
  /** Hashes of secrets whose binding may or may not have been stored. */
  readonly #inDoubt = new Set<string>();
  readonly #key: Buffer;
  /** The other nodes, which are notified of each change; undefined without a cluster. */
  readonly #cluster: Pick<ClusterPort, 'publishValue'> | undefined;

  constructor(store: ValueStore, key: Buffer, cluster?: Pick<ClusterPort, 'publishValue'>) {
    this.#store = store;
    this.#key = key;
    this.#cluster = cluster;
  }

  /** Loads all bindings. A binding with a wrong MAC is ignored; returns the terminals of such bindings. */
  async load(): Promise<readonly string[]> {
    const forged: string[] = [];
    for (const secretHash of (await this.#store.listValues(revokedKind)).keys()) this.#revoked.add(secretHash);
    for (const [secretHash, value] of await this.#store.listValues(bindingKind)) {
      const binding = this.#parseBinding(secretHash, value);
      if (binding === undefined) forged.push(value.split(' ')[0]!);
      else if (!this.#revoked.has(secretHash)) this.#bindings.set(secretHash, binding);
    }
    return forged;
  }

  /** Parses a stored binding; undefined if its MAC is wrong. */
  #parseBinding(secretHash: string, value: string): Binding | undefined {
    const [terminal = '', mac = '', word = 'terminal'] = value.split(' ');
    const binding = { terminal, role: deviceKinds.find((kind) => kind === word) ?? 'terminal' };
    return isEqualInConstantTime(mac, macOf(this.#key, secretHash, binding)) ? binding : undefined;
  }

  /**
   * Reads the bindings of these secrets again, because other nodes may have changed them. Returns the hashes whose
   * binding or revocation is new to this node. A revocation is final, so a stale read cannot undo it.
   */
  async refresh(secretHashes: readonly string[]): Promise<readonly string[]> {
    // `revoke` stores the revocation before it deletes the binding. So if the first read misses a deleted binding, the
    // second read finds its revocation.
    const bindings = await this.#store.listValues(bindingKind, secretHashes);
    const revoked = await this.#store.listValues(revokedKind, secretHashes);
    return secretHashes.filter((secretHash) => {
      if (revoked.has(secretHash)) {
        const isNew = !this.#revoked.has(secretHash);
        this.#markRevoked(secretHash);
        return isNew;
      }
      const stored = bindings.get(secretHash);
      const binding =
        stored === undefined || this.isRevoked(secretHash) ? undefined : this.#parseBinding(secretHash, stored);
      if (binding === undefined || this.#bindings.has(secretHash)) return false;
      this.#bindings.set(secretHash, binding);
      return true;
    });
  }

  #markRevoked(secretHash: string): void {
    this.#revoked.add(secretHash);
    this.#inDoubt.delete(secretHash);
    this.#bindings.delete(secretHash);
  }

  /** Stores all bindings again, with MACs by another data key. */
  async rewriteWith(key: Buffer): Promise<void> {
    for (const [secretHash, binding] of this.#bindings) {
      await this.#store.putValue(bindingKind, secretHash, textOf(key, secretHash, binding));
    }
  }

  get size(): number {
    return this.#bindings.size;
  }

  terminals(): Iterable<string> {
    return [...this.#bindings.values()].flatMap(({ terminal, role }) => (role === 'shoe' ? [] : terminal));
  }

  terminalOf(secretHash: string): string | undefined {
    const binding = this.#bindings.get(secretHash);
    return binding?.role === 'terminal' ? binding.terminal : undefined;
  }

  /** Binding of a device that is not a terminal; undefined if the secret is not bound or belongs to a terminal. */
  device(secretHash: string): Binding | undefined {
    const binding = this.#bindings.get(secretHash);
    return binding?.role === 'terminal' ? undefined : binding;
  }

  has(terminal: string, role: DeviceKind): boolean {
    return [...this.#bindings.values()].some((binding) => binding.terminal === terminal && binding.role === role);
  }

  isRevoked(secretHash: string): boolean {
    return this.#revoked.has(secretHash);
  }

  /** True when a write of the binding is running or has failed, so that the binding may or may not be stored. */
  isInDoubt(secretHash: string): boolean {
    return this.#inDoubt.has(secretHash);
  }

  /** Binds a secret to a terminal or device. If another node has bound the secret first, that binding counts. */
  async bind(secretHash: string, terminal: string, role: DeviceKind = 'terminal'): Promise<void> {
    const binding = { terminal, role };
    this.#inDoubt.add(secretHash);
    const text = textOf(this.#key, secretHash, binding);
    if (this.#cluster) await this.#saveIfAbsent(secretHash, text, binding);
    else await this.#save(secretHash, text, binding);
  }

  async #save(secretHash: string, text: string, binding: Binding): Promise<void> {
    await this.#store.putValue(bindingKind, secretHash, text);
    this.#inDoubt.delete(secretHash);
    this.#bindings.set(secretHash, binding);
    this.#cluster?.publishValue(bindingKind, secretHash);
  }

  async #saveIfAbsent(secretHash: string, text: string, own: Binding): Promise<void> {
    const binding = this.#parseBinding(secretHash, await this.#store.putValueIfAbsent(bindingKind, secretHash, text));
    if (binding === undefined) return this.#save(secretHash, text, own);
    this.#inDoubt.delete(secretHash);
    this.#bindings.set(secretHash, binding);
    this.#cluster!.publishValue(bindingKind, secretHash);
    // Another node may have revoked the secret before it was bound here.
    await this.refresh([secretHash]);
    return undefined;
  }

  /**
   * Replaces a secret: binds the new secret `next` to the terminal, then revokes the old secret. Returns false if
   * another node has replaced the old secret first.
   */
  async renew(secretHash: string, next: string): Promise<boolean> {
    const { terminal } = this.#bindings.get(secretHash)!;
    await this.bind(next, terminal);
    if (this.terminalOf(next) !== terminal) return false;
    const isFirst = await this.revoke(secretHash, terminal, next);
    if (!isFirst) await this.revoke(next, terminal);
    return isFirst;
  }

  /** Revokes the secrets of a terminal and of its devices; returns their number. */
  async revokeAllOf(terminal: string): Promise<number> {
    const revoked = [...this.#bindings].flatMap(([secretHash, one]) => (one.terminal === terminal ? [secretHash] : []));
    for (const secretHash of revoked) await this.revoke(secretHash, terminal);
    return revoked.length;
  }

  /**
   * Revokes a secret. The first of its two writes makes the revocation effective, and the second deletes the binding.
   * Returns false if another node has already replaced the secret by a secret other than `next`.
   */
  async revoke(secretHash: string, terminal: string, next?: string): Promise<boolean> {
    const text = this.#cluster && next !== undefined ? `${terminal} ${next}` : terminal;
    const isFirst = text === terminal || (await this.#store.putValueIfAbsent(revokedKind, secretHash, text)) === text;
    if (text === terminal) await this.#store.putValue(revokedKind, secretHash, terminal);
    this.#markRevoked(secretHash);
    this.#cluster?.publishValue(revokedKind, secretHash);
    await this.#store.putValue(bindingKind, secretHash, undefined);
    return isFirst;
  }
}

/** Stored text of a binding; the device kind is left out if it is 'terminal'. */
const textOf = (key: Buffer, secretHash: string, binding: Binding): string =>
  [binding.terminal, macOf(key, secretHash, binding), ...(binding.role === 'terminal' ? [] : [binding.role])].join(' ');

const macOf = (key: Buffer, secretHash: string, { terminal, role }: Binding): string =>
  createHmac('sha256', key)
    .update(['binding', secretHash, terminal, ...(role === 'terminal' ? [] : [role])].join(' '))
    .digest('base64url');

const isEqualInConstantTime = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
