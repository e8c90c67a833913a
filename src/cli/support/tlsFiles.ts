import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { isoTime } from '../../runtime/ports/clock.ts';
import { type Tls } from '../../server/http/pages.ts';
import { CliError } from './cliError.ts';

/** Where the certificate and its key are. */
export type TlsFiles = { readonly cert: string; readonly keyFile: string };

/** Both files, or neither. */
export function tlsFilesOption(cert: string | undefined, keyFile: string | undefined): TlsFiles | undefined {
  if (cert === undefined && keyFile === undefined) return undefined;
  if (cert !== undefined && keyFile !== undefined) return { cert, keyFile };
  throw new CliError(2, 'missing-argument', 'TLS takes a certificate and its key; give --cert and --key-file.');
}

/** What the files hold, or what is wrong with them; a certificate that browsers refuse by its dates is warned of. */
export function readTls({ cert, keyFile }: TlsFiles, now: number, warns: (text: string) => void): Tls {
  const tls = { cert: contentOf(cert, 'certificate'), key: contentOf(keyFile, 'key') };
  const certificate = certificateIn(tls.cert, cert);
  if (!certificate.checkPrivateKey(keyIn(tls.key, keyFile))) {
    throw wrong(`The key in ${JSON.stringify(keyFile)} is not that of the certificate in ${JSON.stringify(cert)}`);
  }
  try {
    createSecureContext(tls);
  } catch (error) {
    throw wrong(`The certificate in ${JSON.stringify(cert)} cannot be used with its key (${(error as Error).message})`);
  }
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now > to) warns(`the certificate in ${JSON.stringify(cert)} has expired, at ${isoTime(to)}; get another.`);
  if (now < from) warns(`the certificate in ${JSON.stringify(cert)} is not valid before ${isoTime(from)}.`);
  return tls;
}

function contentOf(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = `The ${what} file ${JSON.stringify(file)} cannot be read (${code}); name another.`;
    throw new CliError(1, 'unreadable-file', message);
  }
}

/** The first certificate is the server's own; those behind it lead to its root. */
function certificateIn(text: string, file: string): X509Certificate {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw wrong(`${JSON.stringify(file)} holds no certificate as PEM`);
  try {
    return new X509Certificate(text);
  } catch {
    throw wrong(`The certificate in ${JSON.stringify(file)} is damaged`);
  }
}

function keyIn(text: string, file: string) {
  if (text.includes('ENCRYPTED')) throw wrong(`The key in ${JSON.stringify(file)} is under a password; take it off`);
  try {
    return createPrivateKey(text);
  } catch {
    throw wrong(`${JSON.stringify(file)} holds no private key as PEM`);
  }
}

const wrong = (what: string): CliError => new CliError(1, 'bad-certificate', `${what}; name another.`);
