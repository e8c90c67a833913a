import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { isoTime } from '../../runtime/ports/clock.ts';
import { type TlsCertificate } from '../../server/http/pages.ts';
import { CliError } from './cliError.ts';

/** Paths of the certificate and its private key. */
export type TlsFiles = { readonly cert: string; readonly keyFile: string };

/** The options --cert and --key-file; one without the other is refused. */
export function tlsFilesOption(cert: string | undefined, keyFile: string | undefined): TlsFiles | undefined {
  if (cert === undefined && keyFile === undefined) return undefined;
  if (cert !== undefined && keyFile !== undefined) return { cert, keyFile };
  throw new CliError(2, 'missing-argument', 'TLS takes a certificate and its key; give --cert and --key-file.');
}

/** Reads and checks both files. Warns of a certificate that is expired or not valid yet. */
export function readTls({ cert, keyFile }: TlsFiles, now: number, warn: (text: string) => void): TlsCertificate {
  const tls = { cert: readText(cert, 'certificate'), key: readText(keyFile, 'key') };
  const certificate = parseCertificate(tls.cert, cert);
  if (!certificate.checkPrivateKey(parsePrivateKey(tls.key, keyFile))) {
    throw toCertificateError(
      `The key in ${JSON.stringify(keyFile)} is not that of the certificate in ${JSON.stringify(cert)}`,
    );
  }
  try {
    createSecureContext(tls);
  } catch (error) {
    throw toCertificateError(
      `The certificate in ${JSON.stringify(cert)} cannot be used with its key (${(error as Error).message})`,
    );
  }
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now > to) warn(`the certificate in ${JSON.stringify(cert)} has expired, at ${isoTime(to)}; get another.`);
  if (now < from) warn(`the certificate in ${JSON.stringify(cert)} is not valid before ${isoTime(from)}.`);
  return tls;
}

function readText(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `The ${what} file ${JSON.stringify(file)} cannot be read (${code}); name another.`;
    throw new CliError(1, 'unreadable-file', message);
  }
}

/** Parses the first certificate of the chain, the one of the server. */
function parseCertificate(text: string, file: string): X509Certificate {
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw toCertificateError(`${JSON.stringify(file)} holds no certificate as PEM`);
  try {
    return new X509Certificate(text);
  } catch {
    throw toCertificateError(`The certificate in ${JSON.stringify(file)} is damaged`);
  }
}

function parsePrivateKey(text: string, file: string) {
  if (text.includes('ENCRYPTED'))
    throw toCertificateError(`The key in ${JSON.stringify(file)} is under a password; take it off`);
  try {
    return createPrivateKey(text);
  } catch {
    throw toCertificateError(`${JSON.stringify(file)} holds no private key as PEM`);
  }
}

const toCertificateError = (what: string): CliError => new CliError(1, 'bad-certificate', `${what}; name another.`);
