import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { WrongKey } from './dataKey.ts';
import { quoted } from '../../base/refusal.ts';
import { type StoreReader, type Store } from '../../store/store.ts';

/** An encrypted blob is missing or cannot be decrypted. */
export class DamagedBlob extends Error {
  /** What the system does about it, for the operator. */
  readonly consequence: string;

  constructor(message: string, does = 'the shoe is given up, and a round without a result is void') {
    super(message);
    this.consequence = does;
  }
}

const algorithm = 'aes-256-gcm';

/** AES-256-GCM with the name as additional data: a blob cannot be read, changed or swapped without the key. */
function encrypt(id: string, text: string, key: Buffer): Uint8Array {
  const nonce = randomBytes(12);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(id));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(id: string, bytes: Uint8Array, key: Buffer): string {
  const whole = Buffer.from(bytes);
  try {
    const decipher = createDecipheriv(algorithm, key, whole.subarray(0, 12))
      .setAAD(Buffer.from(id))
      .setAuthTag(whole.subarray(-16));
    return Buffer.concat([decipher.update(whole.subarray(12, -16)), decipher.final()]).toString('utf8');
  } catch {
    throw new DamagedBlob(
      `What is sealed as ${quoted(id)} cannot be opened; it is damaged, or sealed with another key.`,
    );
  }
}

const otherKey = 'The key does not open what is sealed in the record; put back the key that sealed it.';

/** Id of the blob that a key is checked against. */
const keyCheckId = 'key';

/** Checks the data key before it is used; a new store adopts it. */
export async function adoptKey(store: Store, key: Buffer): Promise<void> {
  if ((await store.blob(keyCheckId)) === undefined) await store.putBlob(keyCheckId, encrypt(keyCheckId, '', key));
  else await checkKey(store, key);
}

/** Throws if the data key is not the store's; a store without the check blob accepts any. */
export async function checkKey(store: Pick<StoreReader, 'blob'>, key: Buffer): Promise<void> {
  const bytes = await store.blob(keyCheckId);
  if (bytes === undefined) return;
  try {
    decrypt(keyCheckId, bytes, key);
  } catch {
    throw new WrongKey(otherKey);
  }
}

const shoePrefix = 'shoe/';

/** Name that is authenticated with a blob: shoes by their id without the prefix. */
const authenticatedName = (id: string): string => (id.startsWith(shoePrefix) ? id.slice(shoePrefix.length) : id);

export const putEncrypted = (store: Store, id: string, text: string, key: Buffer): Promise<void> =>
  store.putBlob(id, encrypt(authenticatedName(id), text, key));

/** The text of a blob; undefined if there is none. */
export async function readEncrypted(
  store: Pick<StoreReader, 'blob'>,
  id: string,
  key: Buffer,
): Promise<string | undefined> {
  const bytes = await store.blob(id);
  return bytes && decrypt(authenticatedName(id), bytes, key);
}

/**
 * Encrypts all blobs with the next key. Blobs that already use it stay, and so do blobs that neither key decrypts.
 * Safe to run again after a crash.
 */
export async function reencryptBlobs(
  store: Store,
  former: Buffer,
  next: Buffer,
): Promise<{ readonly sealed: number; readonly lost: readonly string[] }> {
  const ids = await store.blobIds();
  const lost: string[] = [];
  // The check blob comes last: until then the former key is the store's.
  for (const id of ids.toSorted((one, other) => Number(one === keyCheckId) - Number(other === keyCheckId))) {
    const bytes = (await store.blob(id))!;
    const name = authenticatedName(id);
    if (isEncryptedWith(name, bytes, next)) continue;
    if (isEncryptedWith(name, bytes, former))
      await store.putBlob(id, encrypt(name, decrypt(name, bytes, former), next));
    else if (id === keyCheckId) throw new WrongKey(otherKey);
    else lost.push(name);
  }
  return { sealed: ids.length - lost.length, lost };
}

function isEncryptedWith(name: string, bytes: Uint8Array, key: Buffer): boolean {
  try {
    decrypt(name, bytes, key);
    return true;
  } catch {
    return false;
  }
}
