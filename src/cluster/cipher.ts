import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

// What both ends of a link make of the property's key: proofs that they have it, and a key for each direction of this one
// link. The key itself never goes over the wire.

/** Who dials whom, and what each has drawn for this link alone. */
export type Greeting = {
  readonly from: string;
  readonly to: string;
  readonly near: Buffer;
  readonly far: Buffer;
};

const derived = (key: Buffer, salt: Buffer, purpose: readonly string[], length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, JSON.stringify(['punto link', ...purpose]), length));

/** Shows that somebody has the key, to just this other one and for just this link. */
export function proofOf(key: Buffer, side: 'dials' | 'accepts', { from, to, near, far }: Greeting): Buffer {
  const proving = derived(key, Buffer.alloc(0), ['proof'], 32);
  return createHmac('sha256', proving)
    .update(JSON.stringify([side, from, to, near.toString('hex'), far.toString('hex')]))
    .digest();
}

export const isSame = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const cipher = 'aes-256-gcm';
const tagLength = 16;

/** One direction of a link. Frames are counted and not numbered: one that is missing, doubled or in another place fails. */
class Direction {
  readonly #key: Buffer;
  #count = 0n;

  constructor(key: Buffer) {
    this.#key = key;
  }

  #next(): Buffer {
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(this.#count++, 4);
    return nonce;
  }

  seal(text: string): Buffer {
    const sealing = createCipheriv(cipher, this.#key, this.#next());
    return Buffer.concat([sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
  }

  /** Throws where it is not the next frame as it was sealed. */
  open(frame: Buffer): string {
    const opening = createDecipheriv(cipher, this.#key, this.#next(), { authTagLength: tagLength });
    opening.setAuthTag(frame.subarray(-tagLength));
    return Buffer.concat([opening.update(frame.subarray(0, -tagLength)), opening.final()]).toString('utf8');
  }
}

/** What goes out and what comes in, for one of the two ends. */
export function directionsOf(key: Buffer, side: 'dials' | 'accepts', { from, to, near, far }: Greeting) {
  const keys = derived(key, Buffer.concat([near, far]), ['frames', from, to], 64);
  const [there, back] = [new Direction(keys.subarray(0, 32)), new Direction(keys.subarray(32))];
  return side === 'dials' ? { out: there, in: back } : { out: back, in: there };
}
