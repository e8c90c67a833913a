import { type ScryptCost } from '../ports/floorConfig.ts';
import { createHash, createHmac, randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { type SecretKind } from '../../staff/fieldTypes.ts';
import { secretValueId } from '../../staff/secretValueId.ts';
import { type StaffMember, type SignInSession } from '../../staff/state.ts';
import { isPin, pinLength } from '../../access/pin.ts';
import {
  type AuthenticatedValueKind,
  readAuthenticatedValues,
  writeAuthenticatedValue,
  textOfAuthenticValue,
} from '../../store/authenticatedValues.ts';
import { type Store } from '../../store/store.ts';
import { OperatorWarning } from '../terminals/secretBindings.ts';
import { type ClusterPort } from '../ports/clusterPort.ts';
import { DamagedBlobError, putEncryptedBlob, readEncryptedBlob } from '../encryption/encryptedBlobs.ts';

export const defaultScryptCost: ScryptCost = { N: 2 ** 15, r: 8, p: 1 };
/**
 * Cost of scrypt that is so low that a hash protects nothing. Use it only for secrets that are public anyway, such as
 * demo PINs.
 */
export const insecureScryptCost: ScryptCost = { N: 16, r: 1, p: 1 };

const pinKeyBlob = 'pins';
const keyLength = 32;
const minPasswordLength = 10;
const maxPasswordLength = 200;
const digitRuns = '01234567890123456789 98765432109876543210';

/** True for a PIN of six digits that are neither a run nor all equal, and for a password of 10 to 200 characters. */
export function isAcceptablePinOrPassword(kind: SecretKind, secret: string): boolean {
  if (kind === 'pin') return isPin(secret) && !digitRuns.includes(secret) && new Set(secret).size > 1;
  return secret.isWellFormed() && Array.from(secret).length >= minPasswordLength && secret.length <= maxPasswordLength;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
export const newToken = (): string => randomBytes(32).toString('hex');
/** Makes a mark: the random id under which the hash of one PIN or password is saved. */
export const newSecretHashId = (): string => randomBytes(16).toString('hex');

/** Generates a PIN or a password; a password has no letters or digits that look alike. */
export function newPinOrPassword(kind: SecretKind, below: (limit: number) => number): string {
  const letters = kind === 'pin' ? '0123456789' : 'abcdefghjkmnpqrstuvwxyz23456789';
  const length = kind === 'pin' ? pinLength : 16;
  const secret = Array.from({ length }, () => letters[below(letters.length)]!).join('');
  if (!isAcceptablePinOrPassword(kind, secret)) return newPinOrPassword(kind, below);
  return kind === 'pin' ? secret : secret.replace(/(.{4})(?=.)/g, '$1-');
}

const deriveHash = (secret: Buffer | string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // A hash of the insecure cost is computed on this thread. On another thread the computation would end at an
    // unpredictable time, and a test run with a seed could not be repeated.
    if (N === insecureScryptCost.N) {
      resolve(scryptSync(secret, salt, keyLength, { N, r, p }));
      return;
    }
    scrypt(secret, salt, keyLength, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });

type TokenOwner = { readonly session: string; readonly person: string; readonly since: number };

/**
 * Credentials of staff: hashes of PINs, passwords, session tokens and console keys. Also has the names of staff. All
 * values are in the key-value table, authenticated with the data key. Secrets themselves are never stored.
 */
export class CredentialStore {
  readonly #store: Store;
  readonly #key: Buffer;
  readonly #cost: ScryptCost;
  readonly #onWarning: (error: unknown) => void;
  /**
   * PIN key: key of the HMAC that is applied to PINs before they are hashed; undefined until the key is created. The
   * key is stored as an encrypted blob and survives a rotation of the data key.
   */
  #pinKey: Buffer | undefined;
  #secrets = new Map<string, string>();
  #tokens = new Map<string, TokenOwner>();
  #consoles = new Map<string, string>();
  #names = new Map<string, string>();

  /** The other nodes, which are notified of each change; undefined without a cluster. */
  readonly #cluster: Pick<ClusterPort, 'publishValue'> | undefined;

  constructor(
    store: Store,
    key: Buffer,
    cost: ScryptCost,
    onWarning: (error: unknown) => void,
    cluster?: Pick<ClusterPort, 'publishValue'>,
  ) {
    this.#cluster = cluster;
    this.#store = store;
    this.#key = key;
    this.#cost = cost;
    this.#onWarning = onWarning;
  }

  async load(): Promise<void> {
    try {
      const decrypted = await readEncryptedBlob(this.#store, pinKeyBlob, this.#key);
      this.#pinKey = decrypted === undefined ? undefined : Buffer.from(decrypted, 'hex');
    } catch (error) {
      if (!(error instanceof DamagedBlobError)) throw error;
      this.#onWarning(
        new DamagedBlobError(error.message, 'no PIN is valid any more; issue a new PIN to every staff member'),
      );
    }
    this.#secrets = await this.#read('secret');
    this.#consoles = await this.#read('console');
    this.#names = await this.#read('name');
    for (const [hash, text] of await this.#read('session')) this.#tokens.set(hash, parseTokenOwner(text));
  }

  /** Reads a value again from the key-value table, because another node may have changed it. */
  async refresh(kind: AuthenticatedValueKind, id: string): Promise<void> {
    const value = (await this.#store.listValues(kind, [id])).get(id);
    const text = value === undefined ? undefined : textOfAuthenticValue(this.#key, kind, id, value);
    if (kind === 'session') setOrDelete(this.#tokens, id, text === undefined ? undefined : parseTokenOwner(text));
    else if (kind === 'secret') setOrDelete(this.#secrets, id, text);
    else if (kind === 'console') setOrDelete(this.#consoles, id, text);
    else if (kind === 'name') setOrDelete(this.#names, id, text);
  }

  async refreshTokenAndConsole(token: string, key: string): Promise<void> {
    await Promise.all([this.refresh('session', hashOf(token)), this.refresh('console', hashOf(key))]);
  }

  async refreshNames(): Promise<void> {
    this.#names = await this.#read('name');
  }

  async #read(kind: AuthenticatedValueKind): Promise<Map<string, string>> {
    const { values: stored, forged } = await readAuthenticatedValues(this.#store, this.#key, kind);
    for (const id of forged) {
      const message =
        `The stored ${kind} ${id} was not written with the data key of this store and is ignored. ` +
        'Find out who wrote to the event store.';
      this.#onWarning(new OperatorWarning(message));
    }
    return new Map(stored);
  }

  async createPinKey(): Promise<void> {
    if (this.#pinKey !== undefined) return;
    // Nodes that start at the same time must get the same PIN key. So in a cluster the PIN key is derived from the data
    // key.
    const pinKey = this.#cluster ? createHmac('sha256', this.#key).update(pinKeyBlob).digest() : randomBytes(32);
    await putEncryptedBlob(this.#store, pinKeyBlob, pinKey.toString('hex'), this.#key);
    this.#pinKey = pinKey;
  }

  async #save(kind: AuthenticatedValueKind, id: string, text: string | undefined): Promise<void> {
    await writeAuthenticatedValue(this.#store, this.#key, kind, id, text);
    this.#cluster?.publishValue(kind, id);
  }

  /** Saves the hash of a PIN or password under a new mark. The hash is valid as soon as an entry names the mark. */
  async saveSecret(person: string, kind: SecretKind, mark: string, secret: string, cost = this.#cost): Promise<void> {
    const salt = randomBytes(16);
    const hash = await deriveHash(this.#keyed(kind, secret), salt, cost);
    const text = ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(' ');
    const id = secretValueId(person, kind, mark);
    await this.#save('secret', id, text);
    this.#secrets.set(id, text);
  }

  async deleteSecret(person: string, kind: SecretKind, mark: string): Promise<void> {
    const id = secretValueId(person, kind, mark);
    this.#secrets.delete(id);
    await this.#save('secret', id, undefined);
  }

  /**
   * Checks a PIN or password. If the member or the secret does not exist, the check takes equally long, so its
   * duration reveals nothing.
   */
  async isCorrect(member: StaffMember | undefined, kind: SecretKind, secret: string): Promise<boolean> {
    const known = member?.secrets[kind];
    const id = known ? secretValueId(member.person, kind, known.mark) : undefined;
    if (id !== undefined && this.#cluster && !this.#secrets.has(id)) await this.refresh('secret', id);
    const stored = id === undefined ? undefined : this.#secrets.get(id);
    const [, N, r, p, salt, hash = ''] = stored?.split(' ') ?? [];
    const cost = stored === undefined ? this.#cost : { N: Number(N), r: Number(r), p: Number(p) };
    const given = secret.slice(0, maxPasswordLength);
    const actual = await deriveHash(this.#keyed(kind, given), Buffer.from(salt ?? emptySalt, 'base64url'), cost);
    const expected = hash === '' ? Buffer.alloc(keyLength) : Buffer.from(hash, 'base64url');
    return expected.length === actual.length && timingSafeEqual(actual, expected) && stored !== undefined;
  }

  /** Input of the hash function. A PIN is too short to be protected by a hash alone, so an HMAC is applied first. */
  #keyed(kind: SecretKind, secret: string): Buffer | string {
    const text = secret.normalize('NFKC');
    return kind === 'pin'
      ? createHmac('sha256', this.#pinKey ?? this.#key)
          .update(`pin ${text}`)
          .digest()
      : text;
  }

  async saveToken(token: string, { id, person, since }: SignInSession): Promise<void> {
    await this.#save('session', hashOf(token), `${id} ${person} ${since}`);
    this.#tokens.set(hashOf(token), { session: id, person, since });
  }

  /** The session to which a token belongs; undefined if the token is unknown. */
  ownerOfToken(token: string): TokenOwner | undefined {
    return this.#tokens.get(hashOf(token));
  }

  async deleteTokens(isOver: (session: string) => boolean): Promise<void> {
    for (const [hash, { session }] of this.#tokens) {
      if (!isOver(session)) continue;
      this.#tokens.delete(hash);
      await this.#save('session', hash, undefined);
    }
  }

  async saveConsole(key: string, console: string): Promise<void> {
    await this.#save('console', hashOf(key), console);
    this.#consoles.set(hashOf(key), console);
  }

  consoleOfKey(key: string): string | undefined {
    return this.#consoles.get(hashOf(key));
  }

  async saveName(person: string, name: string | undefined): Promise<void> {
    await this.#save('name', person, name);
    if (name === undefined) this.#names.delete(person);
    else this.#names.set(person, name);
  }

  nameOf(person: string): string | undefined {
    return this.#names.get(person);
  }
}

function parseTokenOwner(text: string): TokenOwner {
  const [session = '', person = '', since = ''] = text.split(' ');
  return { session, person, since: Number(since) };
}

function setOrDelete<Value>(stored: Map<string, Value>, id: string, value: Value | undefined): void {
  if (value === undefined) stored.delete(id);
  else stored.set(id, value);
}

/** Salt for a check without a stored hash, so that the check takes equally long. */
const emptySalt = Buffer.alloc(16).toString('base64url');
