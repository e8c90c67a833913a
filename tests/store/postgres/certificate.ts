import { generateKeyPairSync, sign } from 'node:crypto';

/** DER element: tag, length, contents. */
function chunk(tag: number, ...inner: readonly Buffer[]): Buffer {
  const content = Buffer.concat(inner);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const list = (...inner: readonly Buffer[]): Buffer => chunk(0x30, ...inner);
const number = (value: number): Buffer => chunk(0x02, Buffer.from([value]));
const object = (hex: string): Buffer => chunk(0x06, Buffer.from(hex, 'hex'));
const day = (text: string): Buffer => chunk(0x17, Buffer.from(`${text}000000Z`));

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

/** Self-signed certificate for a host, since Node can create keys but no certificates. */
export function certificateFor(host: string): { readonly certificate: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = list(object('2a8648ce3d040302'));
  const name = list(chunk(0x31, list(object('550403'), chunk(0x0c, Buffer.from(host)))));
  const names = list(object('551d11'), chunk(0x04, list(chunk(0x82, Buffer.from(host)))));
  const body = list(
    chunk(0xa0, number(2)),
    number(1),
    algorithm,
    name,
    list(day('200101'), day('491231')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    chunk(0xa3, list(names)),
  );
  const signature = chunk(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  return {
    certificate: pem(list(body, algorithm, signature)),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}
