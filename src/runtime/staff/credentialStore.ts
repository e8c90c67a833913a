import { createHash, createHmac, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { type SecretKind } from '../../staff/fieldTypes.ts';
import { type StaffMember, type SignInSession } from '../../staff/state.ts';
import { isPin, pinDigits } from '../../access/pin.ts';
import {
  type AuthenticatedKind,
  readAuthenticated,
  writeAuthenticated,
  verifiedText,
} from '../../store/authenticatedValues.ts';
import { type Store } from '../../store/store.ts';
import { Finding } from '../terminals/secretBindings.ts';
import { type ClusterPort } from '../ports/clusterPort.ts';
import { DamagedSeal, sealOpener, sealText } from '../encryption/encryptedBlobs.ts';

/** What it takes to try one secret; it stands beside each hash, so that it can be raised. */
export type Cost = { readonly N: number; readonly r: number; readonly p: number };
export const usualCost: Cost = { N: 2 ** 15, r: 8, p: 1 };
/** What everybody knows is not worth more. */
export const leastCost: Cost = { N: 16, r: 1, p: 1 };

const pinsSealed = 'pins';
const keyLength = 32;
const leastLetters = 10;
const mostLetters = 200;
const runs = '01234567890123456789 98765432109876543210';

/** Whether somebody may choose a secret: six digits that are no run and not one digit alone, or ten letters and more. */
export function isFit(kind: SecretKind, secret: string): boolean {
  if (kind === 'pin') return isPin(secret) && !runs.includes(secret) && new Set(secret).size > 1;
  return secret.isWellFormed() && Array.from(secret).length >= leastLetters && secret.length <= mostLetters;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
export const newToken = (): string => randomBytes(32).toString('hex');
export const newMark = (): string => randomBytes(16).toString('hex');

/** A secret that somebody is given: without letters that look like others. */
export function newSecret(kind: SecretKind, below: (limit: number) => number): string {
  const letters = kind === 'pin' ? '0123456789' : 'abcdefghjkmnpqrstuvwxyz23456789';
  const length = kind === 'pin' ? pinDigits : 16;
  const secret = Array.from({ length }, () => letters[below(letters.length)]!).join('');
  if (!isFit(kind, secret)) return newSecret(kind, below);
  return kind === 'pin' ? secret : secret.replace(/(.{4})(?=.)/g, '$1-');
}

const derived = (secret: Buffer | string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // So little is not worth a thread, whose time would be by chance.
    if (N === leastCost.N) {
      resolve(scryptSync(secret, salt, keyLength, { N, r, p }));
      return;
    }
    scrypt(secret, salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });

type Led = { readonly session: string; readonly person: string; readonly since: number };

/**
 * What proves who somebody is: hashes of secrets, tokens and keys of consoles, and the names that belong to nobody else. All
 * of it lies beside the chain, bound with the key of the record; no secret is kept anywhere.
 */
export class CredentialStore {
  readonly #store: Store;
  readonly #key: Buffer;
  readonly #cost: Cost;
  readonly #trouble: (error: unknown) => void;
  /** What PINs are keyed with before they are hashed. It is sealed, and outlives a change of keys. */
  #pins: Buffer | undefined;
  #secrets = new Map<string, string>();
  #tokens = new Map<string, Led>();
  #consoles = new Map<string, string>();
  #names = new Map<string, string>();

  /** Those who write here too, and are told. */
  readonly #shared: Pick<ClusterPort, 'aside'> | undefined;

  constructor(
    store: Store,
    key: Buffer,
    cost: Cost,
    trouble: (error: unknown) => void,
    shared?: Pick<ClusterPort, 'aside'>,
  ) {
    this.#shared = shared;
    this.#store = store;
    this.#key = key;
    this.#cost = cost;
    this.#trouble = trouble;
  }

  async load(): Promise<void> {
    try {
      const sealed = await sealOpener(this.#store, this.#key)(pinsSealed);
      this.#pins = sealed === undefined ? undefined : Buffer.from(sealed, 'hex');
    } catch (error) {
      if (!(error instanceof DamagedSeal)) throw error;
      this.#trouble(new DamagedSeal(error.message, 'no PIN is known any more; give everybody another'));
    }
    this.#secrets = await this.#read('secret');
    this.#consoles = await this.#read('console');
    this.#names = await this.#read('name');
    for (const [hash, text] of await this.#read('session')) this.#tokens.set(hash, ledBy(text));
  }

  /** Reads again what is kept under an id, since other nodes may have written it. */
  async look(kind: AuthenticatedKind, id: string): Promise<void> {
    const value = (await this.#store.listValues(kind, [id])).get(id);
    const text = value === undefined ? undefined : verifiedText(this.#key, kind, id, value);
    if (kind === 'session') change(this.#tokens, id, text === undefined ? undefined : ledBy(text));
    else if (kind === 'secret') change(this.#secrets, id, text);
    else if (kind === 'console') change(this.#consoles, id, text);
    else if (kind === 'name') change(this.#names, id, text);
  }

  /** The same of a token and of the key of a console that somebody comes with. */
  async lookFor(token: string, key: string): Promise<void> {
    await Promise.all([this.look('session', hashOf(token)), this.look('console', hashOf(key))]);
  }

  /** What everybody is called, once more. */
  async lookForNames(): Promise<void> {
    this.#names = await this.#read('name');
  }

  async #read(kind: AuthenticatedKind): Promise<Map<string, string>> {
    const { values: kept, forged } = await readAuthenticated(this.#store, this.#key, kind);
    for (const id of forged) {
      const message = `the ${kind} ${id} was not written with the key of the record and does not count; find out who wrote to the folder.`;
      this.#trouble(new Finding(message));
    }
    return new Map(kept);
  }

  /** Makes the key of PINs where there is none. */
  async begin(): Promise<void> {
    if (this.#pins !== undefined) return;
    // Several nodes may begin at once: they come to the same.
    const pins = this.#shared ? createHmac('sha256', this.#key).update(pinsSealed).digest() : randomBytes(32);
    await sealText(this.#store, pinsSealed, pins.toString('hex'), this.#key);
    this.#pins = pins;
  }

  async #keep(kind: AuthenticatedKind, id: string, text: string | undefined): Promise<void> {
    await writeAuthenticated(this.#store, this.#key, kind, id, text);
    this.#shared?.aside(kind, id);
  }

  /** Keeps the hash of a secret under a mark of its own: it counts once the record names that. */
  async keepSecret(person: string, kind: SecretKind, mark: string, secret: string, cost = this.#cost): Promise<void> {
    const salt = randomBytes(16);
    const hash = await derived(this.#keyed(kind, secret), salt, cost);
    const text = ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(' ');
    const id = secretId(person, kind, mark);
    await this.#keep('secret', id, text);
    this.#secrets.set(id, text);
  }

  /** What was kept of a secret that is none any more. */
  async forgetSecret(person: string, kind: SecretKind, mark: string): Promise<void> {
    const id = secretId(person, kind, mark);
    this.#secrets.delete(id);
    await this.#keep('secret', id, undefined);
  }

  /** Whether a secret is that of somebody. It takes as long where there is nobody, or no secret. */
  async isRight(member: StaffMember | undefined, kind: SecretKind, secret: string): Promise<boolean> {
    const known = member?.secrets[kind];
    const id = known ? secretId(member.person, kind, known.mark) : undefined;
    if (id !== undefined && this.#shared && !this.#secrets.has(id)) await this.look('secret', id);
    const kept = id === undefined ? undefined : this.#secrets.get(id);
    const [, N, r, p, salt, hash = ''] = kept?.split(' ') ?? [];
    const cost = kept === undefined ? this.#cost : { N: Number(N), r: Number(r), p: Number(p) };
    const given = secret.slice(0, mostLetters);
    const got = await derived(this.#keyed(kind, given), Buffer.from(salt ?? person0, 'base64url'), cost);
    const due = hash === '' ? Buffer.alloc(keyLength) : Buffer.from(hash, 'base64url');
    return due.length === got.length && timingSafeEqual(got, due) && kept !== undefined;
  }

  /** A PIN has so few digits that the hash alone would give it away: a key comes first. */
  #keyed(kind: SecretKind, secret: string): Buffer | string {
    const text = secret.normalize('NFKC');
    return kind === 'pin'
      ? createHmac('sha256', this.#pins ?? this.#key)
          .update(`pin ${text}`)
          .digest()
      : text;
  }

  /** A token leads to a session from now on. */
  async keepToken(token: string, { id, person, since }: SignInSession): Promise<void> {
    await this.#keep('session', hashOf(token), `${id} ${person} ${since}`);
    this.#tokens.set(hashOf(token), { session: id, person, since });
  }

  /** The session that a token leads to. */
  ofToken(token: string): Led | undefined {
    return this.#tokens.get(hashOf(token));
  }

  /** Tokens of sessions that are over lead nowhere. */
  async dropTokens(isOver: (session: string) => boolean): Promise<void> {
    for (const [hash, { session }] of this.#tokens) {
      if (!isOver(session)) continue;
      this.#tokens.delete(hash);
      await this.#keep('session', hash, undefined);
    }
  }

  async keepConsole(key: string, console: string): Promise<void> {
    await this.#keep('console', hashOf(key), console);
    this.#consoles.set(hashOf(key), console);
  }

  ofConsole(key: string): string | undefined {
    return this.#consoles.get(hashOf(key));
  }

  async keepName(person: string, name: string | undefined): Promise<void> {
    await this.#keep('name', person, name);
    if (name === undefined) this.#names.delete(person);
    else this.#names.set(person, name);
  }

  nameOf(person: string): string | undefined {
    return this.#names.get(person);
  }
}

function ledBy(text: string): Led {
  const [session = '', person = '', since = ''] = text.split(' ');
  return { session, person, since: Number(since) };
}

function change<Value>(kept: Map<string, Value>, id: string, value: Value | undefined): void {
  if (value === undefined) kept.delete(id);
  else kept.set(id, value);
}

const secretId = (person: string, kind: SecretKind, mark: string): string => `${person}/${kind}/${mark}`;
/** The salt of nobody. */
const person0 = Buffer.alloc(16).toString('base64url');
