import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { writeFileAtomic } from '../store/atomicFile.ts';

/** Whoever signs what a record came to: an Ed25519 key that lies apart from the data. */
export type Signer = {
  /** The public key, by which everyone checks: ed25519: and 43 letters. */
  readonly name: string;
  readonly sign: (text: string) => string;
};

/** The key that signs cannot be used. */
export class WrongSigner extends Error {}

const prefix = 'ed25519:';

/** The signer whose private key is in a file; made with a new record alone, for its owner's eyes only. */
export function signerIn(file: string, mayMake: boolean): Signer {
  if (!existsSync(file)) {
    if (!mayMake) {
      throw new WrongSigner(`The signing key ${file} is missing; put back the key that signed the record.`);
    }
    writeFileAtomic(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  }
  chmodSync(file, 0o600);
  return signerFrom(readFileSync(file, 'utf8'), file);
}

export function signerFrom(pem: string, file: string): Signer {
  try {
    const key = createPrivateKey(pem);
    const { crv, x } = createPublicKey(key).export({ format: 'jwk' });
    if (crv === 'Ed25519') {
      return { name: `${prefix}${x}`, sign: (text) => sign(null, Buffer.from(text), key).toString('base64url') };
    }
  } catch (error) {
    throw new WrongSigner(`The signing key ${file} cannot be read (${(error as Error).message}); put it back.`);
  }
  throw new WrongSigner(`The signing key ${file} is no Ed25519 key; put back the key that signed the record.`);
}

/** Whether a text was signed by the owner of that public key. */
export function verifySignature(text: string, signature: string, name: string): boolean {
  if (!/^ed25519:[\w-]{43}$/.test(name)) return false;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: name.slice(prefix.length) }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}
