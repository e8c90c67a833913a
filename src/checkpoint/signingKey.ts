import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { writeFileAtomic } from '../store/atomicFile.ts';

/** Signer of checkpoints and anchor lines: an Ed25519 key in a file outside the data folder. */
export type Signer = {
  /** The public key as text: `ed25519:` and 43 base64url characters. */
  readonly name: string;
  readonly sign: (text: string) => string;
};

/** Error: the signing key is missing or unreadable, or another key signed the store. */
export class UnusableSigningKeyError extends Error {}

const prefix = 'ed25519:';

/**
 * Loads the private key from a file, and makes the file private to its owner (mode 0600). If the file is missing,
 * creates a key; without `mayCreate`, throws.
 */
export function loadOrCreateSigner(file: string, mayCreate: boolean): Signer {
  if (!existsSync(file)) {
    if (!mayCreate) {
      throw new UnusableSigningKeyError(
        `The signing key ${file} is missing; restore the key that signed the event store.`,
      );
    }
    writeFileAtomic(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  chmodSync(file, 0o600);
  return parseSigner(readFileSync(file, 'utf8'), file);
}

export function parseSigner(pem: string, file: string): Signer {
  try {
    const key = createPrivateKey(pem);
    const { crv, x } = createPublicKey(key).export({ format: 'jwk' });
    if (crv === 'Ed25519') {
      return { name: `${prefix}${x}`, sign: (text) => sign(null, Buffer.from(text), key).toString('base64url') };
    }
  } catch (error) {
    throw new UnusableSigningKeyError(
      `The signing key ${file} cannot be read (${(error as Error).message}); restore it.`,
    );
  }
  throw new UnusableSigningKeyError(
    `The signing key ${file} is not an Ed25519 key; restore the key that signed the event store.`,
  );
}

export function verifySignature(text: string, signature: string, name: string): boolean {
  if (!/^ed25519:[\w-]{43}$/.test(name)) return false;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: name.slice(prefix.length) }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}
