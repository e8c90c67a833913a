import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type HiddenShoe, shoeFrom } from './shoe.ts';

/** The key that seals the order of shoes at rest. It lies beside the data folder, for its owner's eyes only. */
export function keyIn(file: string): Buffer {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600, flag: 'wx' });
  const key = readFileSync(file);
  if (key.length !== 32)
    throw new Error(`The key ${file} has ${key.length} bytes; put the key of 32 bytes back that sealed the shoes.`);
  return key;
}

const cipher = 'aes-256-gcm';

/** A shoe as it lies in the store: nobody reads its order without the key, or changes it unseen. */
export function sealedShoe({ id, cards, salts }: HiddenShoe, key: Buffer): Uint8Array {
  const nonce = randomBytes(12);
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(id));
  const text = JSON.stringify({ cards, salts });
  return Buffer.concat([nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
}

export function unsealedShoe(id: string, bytes: Uint8Array, key: Buffer): HiddenShoe {
  const whole = Buffer.from(bytes);
  const opening = createDecipheriv(cipher, key, whole.subarray(0, 12))
    .setAAD(Buffer.from(id))
    .setAuthTag(whole.subarray(-16));
  const text = Buffer.concat([opening.update(whole.subarray(12, -16)), opening.final()]).toString('utf8');
  const { cards, salts } = JSON.parse(text) as Pick<HiddenShoe, 'cards' | 'salts'>;
  return shoeFrom(id, cards, salts);
}
