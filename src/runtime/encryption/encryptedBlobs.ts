import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { UnusableDataKeyError } from './dataKey.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { type StoreReader, type Store } from '../../store/store.ts';

/** Error: an encrypted blob is missing, cannot be decrypted, or is not the blob that the event log names. */
export class DamagedBlobError extends Error {
  /** What follows from the damage, as text for the operator. */
  readonly consequence: string;

  constructor(message: string, consequence = 'the shoe is discarded, and a round without a result is void') {
    super(message);
    this.consequence = consequence;
  }
}

const algorithm = 'aes-256-gcm';

/**
 * AES-256-GCM with the id as additional data: without the key a blob cannot be read, and a changed or swapped blob is
 * detected.
 */
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
    throw new DamagedBlobError(
      `The encrypted blob ${quoteForMessage(id)} cannot be decrypted; it is damaged, or encrypted with another key.`,
    );
  }
}

const otherKey = 'The data key is not the key of this store; put back the key that encrypted its data.';

/**
 * Id of the check blob: an empty text, encrypted with the data key. The check blob shows whether a key belongs to the
 * store.
 */
const keyCheckId = 'key';

/**
 * Throws `UnusableDataKeyError` if the data key is not the key of the store. A store without a check blob gets one,
 * encrypted with this key.
 */
export async function checkOrAdoptDataKey(store: Store, key: Buffer): Promise<void> {
  if ((await store.blob(keyCheckId)) === undefined) await store.putBlob(keyCheckId, encrypt(keyCheckId, '', key));
  else await checkDataKey(store, key);
}

/**
 * Throws `UnusableDataKeyError` if the data key is not the key of the store. A store without a check blob accepts any
 * key.
 */
export async function checkDataKey(store: Pick<StoreReader, 'blob'>, key: Buffer): Promise<void> {
  const bytes = await store.blob(keyCheckId);
  if (bytes === undefined) return;
  try {
    decrypt(keyCheckId, bytes, key);
  } catch {
    throw new UnusableDataKeyError(otherKey);
  }
}

const shoePrefix = 'shoe/';

/** Name that is authenticated with a blob: its id, without the prefix `shoe/` if the blob is a shoe. */
const authenticatedName = (id: string): string => (id.startsWith(shoePrefix) ? id.slice(shoePrefix.length) : id);

export const putEncryptedBlob = (store: Store, id: string, text: string, key: Buffer): Promise<void> =>
  store.putBlob(id, encrypt(authenticatedName(id), text, key));

/**
 * Resolves to the decrypted text of a blob; undefined if there is no such blob. Throws `DamagedBlobError` if the blob cannot
 * be decrypted.
 */
export async function readEncryptedBlob(
  store: Pick<StoreReader, 'blob'>,
  id: string,
  key: Buffer,
): Promise<string | undefined> {
  const bytes = await store.blob(id);
  return bytes && decrypt(authenticatedName(id), bytes, key);
}

/**
 * Encrypts all blobs with the next key. Blobs that neither the former nor the next key decrypts are left as they are;
 * `lostBlobs` has their names. `encryptedCount` is the number of blobs that are encrypted with the next key now. The
 * function can be run again after a crash.
 */
export async function reencryptBlobs(
  store: Store,
  former: Buffer,
  next: Buffer,
): Promise<{ readonly encryptedCount: number; readonly lostBlobs: readonly string[] }> {
  const ids = await store.blobIds();
  const lostBlobs: string[] = [];
  // The check blob is encrypted last. Until then the store accepts the former key, so that an interrupted rotation can
  // be repeated.
  for (const id of ids.toSorted((one, other) => Number(one === keyCheckId) - Number(other === keyCheckId))) {
    const bytes = (await store.blob(id))!;
    const name = authenticatedName(id);
    if (isEncryptedWith(name, bytes, next)) continue;
    if (isEncryptedWith(name, bytes, former))
      await store.putBlob(id, encrypt(name, decrypt(name, bytes, former), next));
    else if (id === keyCheckId) throw new UnusableDataKeyError(otherKey);
    else lostBlobs.push(name);
  }
  return { encryptedCount: ids.length - lostBlobs.length, lostBlobs };
}

function isEncryptedWith(name: string, bytes: Uint8Array, key: Buffer): boolean {
  try {
    decrypt(name, bytes, key);
    return true;
  } catch {
    return false;
  }
}
