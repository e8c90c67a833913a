import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// Node cannot create certificates. This is the minimum of X.509 for a self-signed certificate of localhost, so the
// repository holds no key and no certificate expires.

/** DER encoding: tag, length, value. */
function der(kind: number, ...parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([kind, ...size]), value]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const bits = (value: Buffer): Buffer => der(0x03, Buffer.from([0]), value);
const time = (at: number): Buffer =>
  der(0x18, Buffer.from(new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, ''), 'ascii'));

const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const commonName = oid(0x55, 0x04, 0x03);
const otherNames = oid(0x55, 0x1d, 0x11);
const constraints = oid(0x55, 0x1d, 0x13);

const pem = (what: string, bytes: Buffer): string =>
  `-----BEGIN ${what}-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${what}-----\n`;

export type KeyAndCertificate = { readonly cert: string; readonly key: string };

const day = 24 * 3_600_000;

/** Self-signed certificate of 127.0.0.1 and localhost with its key, by default valid from yesterday for a year. */
export function selfSignedCertificate({
  from = Date.now() - day,
  to = Date.now() + 365 * day,
} = {}): KeyAndCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from('localhost')))));
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    name,
    sequence(time(from), time(to)),
    name,
    spkiOf(publicKey),
    der(
      0xa3,
      sequence(
        sequence(otherNames, der(0x04, names)),
        sequence(constraints, der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
      ),
    ),
  );
  const signature = sign('sha256', body, privateKey);
  return {
    cert: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, bits(signature))),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' });
