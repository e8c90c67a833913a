import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

// Authentication and encryption of a node connection. Both ends have the data key of the property. This key is never
// sent. From the data key, both ends derive a proof of its possession, and a frame key for each direction.

/** Ids of the dialing and the accepting node, and their random nonces for this connection. */
export type NodeHandshake = {
  readonly from: string;
  readonly to: string;
  readonly dialerNonce: Buffer;
  readonly accepterNonce: Buffer;
};

const deriveKey = (key: Buffer, salt: Buffer, purpose: readonly string[], length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, JSON.stringify(['punto link', ...purpose]), length));

/** Proof that one end has the data key of the property. The proof is valid only for this peer and this connection. */
export function proveKeyPossession(
  key: Buffer,
  side: 'dials' | 'accepts',
  { from, to, dialerNonce, accepterNonce }: NodeHandshake,
): Buffer {
  const proving = deriveKey(key, Buffer.alloc(0), ['proof'], 32);
  return createHmac('sha256', proving)
    .update(JSON.stringify([side, from, to, dialerNonce.toString('hex'), accepterNonce.toString('hex')]))
    .digest();
}

export const isEqualInConstantTime = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const algorithm = 'aes-256-gcm';
const tagLength = 16;

/**
 * AES-256-GCM for the frames of one direction, with a counter as nonce. So decryption fails at a lost, repeated or
 * reordered frame.
 */
class FrameCipher {
  readonly #key: Buffer;
  #count = 0n;

  constructor(key: Buffer) {
    this.#key = key;
  }

  #nextNonce(): Buffer {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(this.#count++, 4);
    return nonce;
  }

  encrypt(text: string): Buffer {
    const cipher = createCipheriv(algorithm, this.#key, this.#nextNonce());
    return Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts a frame. Throws if the frame is not exactly the next frame that the peer sent. */
  decrypt(frame: Buffer): string {
    const decipher = createDecipheriv(algorithm, this.#key, this.#nextNonce(), { authTagLength: tagLength });
    decipher.setAuthTag(frame.subarray(-tagLength));
    return Buffer.concat([decipher.update(frame.subarray(0, -tagLength)), decipher.final()]).toString('utf8');
  }
}

export function createFrameCiphers(
  key: Buffer,
  side: 'dials' | 'accepts',
  { from, to, dialerNonce, accepterNonce }: NodeHandshake,
) {
  const keys = deriveKey(key, Buffer.concat([dialerNonce, accepterNonce]), ['frames', from, to], 64);
  const [there, back] = [new FrameCipher(keys.subarray(0, 32)), new FrameCipher(keys.subarray(32))];
  return side === 'dials' ? { out: there, in: back } : { out: back, in: there };
}
