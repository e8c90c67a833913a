import { X509Certificate, createPrivateKey } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { isoTime } from '../../runtime/ports/clock.ts';
import { type TlsCertificate } from '../../server/http/httpApp.ts';
import { CliError } from './cliError.ts';
import { readTextFile } from './readTextFile.ts';

export type TlsFiles = { readonly cert: string; readonly keyFile: string };

/** Paths from the options --cert and --key-file. Throws if only one of the two options is given. */
export function parseTlsFilesOption(cert: string | undefined, keyFile: string | undefined): TlsFiles | undefined {
  if (cert === undefined && keyFile === undefined) return undefined;
  if (cert !== undefined && keyFile !== undefined) return { cert, keyFile };
  throw new CliError(2, 'missing-argument', 'TLS needs a certificate and its key; give both --cert and --key-file.');
}

/**
 * Reads the certificate and its key. Throws if they do not belong together; warns if the certificate is not valid now.
 */
export function readTlsCertificate(
  { cert, keyFile }: TlsFiles,
  now: number,
  warn: (text: string) => void,
): TlsCertificate {
  const tls = { cert: readTextFile(cert, 'certificate'), key: readTextFile(keyFile, 'key') };
  const certificate = parseCertificate(tls.cert, cert);
  if (!certificate.checkPrivateKey(parsePrivateKey(tls.key, keyFile))) {
    throw toCertificateError(
      `The key in ${JSON.stringify(keyFile)} does not belong to the certificate in ${JSON.stringify(cert)}`,
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
  if (now > to) warn(`the certificate in ${JSON.stringify(cert)} expired at ${isoTime(to)}; renew it.`);
  if (now < from) warn(`the certificate in ${JSON.stringify(cert)} is not valid before ${isoTime(from)}.`);
  return tls;
}

/**
 * Parses the first certificate in the file: the certificate of the server. Certificates of authorities may follow it.
 */
function parseCertificate(text: string, file: string): X509Certificate {
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw toCertificateError(`${JSON.stringify(file)} contains no certificate in PEM format`);
  try {
    return new X509Certificate(text);
  } catch {
    throw toCertificateError(`The certificate in ${JSON.stringify(file)} is damaged`);
  }
}

function parsePrivateKey(text: string, file: string) {
  if (text.includes('ENCRYPTED'))
    throw toCertificateError(`The key in ${JSON.stringify(file)} is protected by a password, which Punto cannot enter`);
  try {
    return createPrivateKey(text);
  } catch {
    throw toCertificateError(`${JSON.stringify(file)} contains no private key in PEM format`);
  }
}

const toCertificateError = (what: string): CliError =>
  new CliError(1, 'bad-certificate', `${what}; give another file.`);
