import { countText } from '../../base/countText.ts';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { quoted } from '../../base/refusal.ts';
import { writeFileAtomic } from '../../store/atomicFile.ts';
import { type StoreReader, type Store } from '../../store/store.ts';
import { type VirtualShoe, shoeFrom } from '../tables/virtualShoe.ts';

/** What was sealed is no longer what it was. */
export class DamagedSeal extends Error {
  /** What is done about it. */
  readonly does: string;

  constructor(message: string, does = 'the shoe is given up, and a round without a result is void') {
    super(message);
    this.does = does;
  }
}

/** The key at hand is not the one that sealed the shoes of the record. */
export class WrongKey extends Error {}

/**
 * The key that seals the order of shoes at rest. It lies beside the data folder, for its owner's eyes only. It is made
 * with a new record, never for one that has begun: its shoes could not be opened.
 */
export function openDataKey(file: string, isNew: boolean, isInUse = true): Buffer {
  if (existsSync(`${file}.next`) && isInUse) {
    throw new WrongKey(`The keys were being changed, as ${file}.next tells; run \`punto rotate\` again first.`);
  }
  if (!existsSync(file)) {
    if (!isNew) throw new WrongKey(`The key ${file} is missing; put back the key that sealed the shoes of the record.`);
    writeFileAtomic(file, randomBytes(32));
  }
  // Whatever became of its rights, it is for its owner's eyes only.
  chmodSync(file, 0o600);
  return keyAt(file);
}

/** The key in a file, for one who only looks. */
export function keyAt(file: string): Buffer {
  const key = readFileSync(file);
  if (key.length === 32) return key;
  throw new WrongKey(
    `The key ${file} has ${countText(key.length, 'byte')}; put back the key of 32 bytes that sealed the shoes.`,
  );
}

const cipher = 'aes-256-gcm';

/** A text as it lies in the store: nobody reads it without the key, changes it unseen, or passes it off as another. */
function sealed(id: string, text: string, key: Buffer): Uint8Array {
  const nonce = randomBytes(12);
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(id));
  return Buffer.concat([nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
}

function unsealed(id: string, bytes: Uint8Array, key: Buffer): string {
  const whole = Buffer.from(bytes);
  try {
    const opening = createDecipheriv(cipher, key, whole.subarray(0, 12))
      .setAAD(Buffer.from(id))
      .setAuthTag(whole.subarray(-16));
    return Buffer.concat([opening.update(whole.subarray(12, -16)), opening.final()]).toString('utf8');
  } catch {
    throw new DamagedSeal(
      `What is sealed as ${quoted(id)} cannot be opened; it is damaged, or sealed with another key.`,
    );
  }
}

const otherKey = 'The key does not open what is sealed in the record; put back the key that sealed it.';

/** What a key is tried on before it is used. */
const trial = 'key';

/** Whether this is the key of the record, before anything is sealed or dealt with it; a new record takes it as its own. */
export async function tryKey(store: Store, key: Buffer): Promise<void> {
  if ((await store.blob(trial)) === undefined) await store.putBlob(trial, sealed(trial, '', key));
  else await checkKey(store, key);
}

/** Refuses a key that is not the record's; one that was never tried fits any. */
export async function checkKey(store: Pick<StoreReader, 'blob'>, key: Buffer): Promise<void> {
  const bytes = await store.blob(trial);
  if (bytes === undefined) return;
  try {
    unsealed(trial, bytes, key);
  } catch {
    throw new WrongKey(otherKey);
  }
}

const sealOf = (shoe: string): string => `shoe/${shoe}`;

/** What is bound to the bytes that lie sealed under an id. */
const nameOf = (id: string): string => (id.startsWith(sealOf('')) ? id.slice(sealOf('').length) : id);

/** Seals a text under an id of its own. */
export const sealText = (store: Store, id: string, text: string, key: Buffer): Promise<void> =>
  store.putBlob(id, sealed(id, text, key));

export async function encryptShoe(store: Store, { id, cards, salts }: VirtualShoe, key: Buffer): Promise<void> {
  await store.putBlob(sealOf(id), sealed(id, JSON.stringify({ cards, salts }), key));
}

/** A shoe that was sealed, if it was. */
export async function unsealShoe(
  store: Pick<StoreReader, 'blob'>,
  id: string,
  key: Buffer,
): Promise<VirtualShoe | undefined> {
  const bytes = await store.blob(sealOf(id));
  if (bytes === undefined) return undefined;
  const { cards, salts } = JSON.parse(unsealed(id, bytes, key)) as Pick<VirtualShoe, 'cards' | 'salts'>;
  return shoeFrom(id, cards, salts);
}

/** Opens whatever is sealed under an id: of a shoe it gives the root, of a key of tickets the key. */
export const sealOpener =
  (store: Pick<StoreReader, 'blob'>, key: Buffer) =>
  async (id: string): Promise<string | undefined> => {
    if (id.startsWith(sealOf(''))) return (await unsealShoe(store, nameOf(id), key))?.root;
    const bytes = await store.blob(id);
    return bytes && unsealed(id, bytes, key);
  };

/**
 * Seals everything with another key; what was sealed with it already stays as it is, and so does a shoe that neither key
 * opens. Gives how much is sealed with it, and the shoes that are not.
 */
export async function sealAnew(
  store: Store,
  former: Buffer,
  next: Buffer,
): Promise<{ readonly sealed: number; readonly lost: readonly string[] }> {
  const ids = await store.blobIds();
  const lost: string[] = [];
  // The trial comes last: until then the former key is the record's.
  for (const id of ids.toSorted((one, other) => Number(one === trial) - Number(other === trial))) {
    const bytes = (await store.blob(id))!;
    const name = nameOf(id);
    if (isSealedWith(name, bytes, next)) continue;
    if (isSealedWith(name, bytes, former)) await store.putBlob(id, sealed(name, unsealed(name, bytes, former), next));
    else if (id === trial) throw new WrongKey(otherKey);
    else lost.push(name);
  }
  return { sealed: ids.length - lost.length, lost };
}

function isSealedWith(name: string, bytes: Uint8Array, key: Buffer): boolean {
  try {
    unsealed(name, bytes, key);
    return true;
  } catch {
    return false;
  }
}
