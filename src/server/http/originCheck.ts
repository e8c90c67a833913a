import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type HttpError } from './responseHeaders.ts';

/** Host name in a Host header, without the port; undefined if missing or malformed. */
function hostNameIn(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/@\s[\]]+)(:\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase().replace(/^\[|\]$/g, '');
}

/**
 * Checks the Host header, against DNS rebinding: it has to be an IP address, localhost or a configured name. Exactly
 * one header is allowed, since a proxy may read another of two than this server does.
 */
export function hostError({ headers, rawHeaders }: IncomingMessage, names: readonly string[]): HttpError | undefined {
  const count = rawHeaders.filter((text, n) => n % 2 === 0 && text.toLowerCase() === 'host').length;
  if (count !== 1) {
    const message = `The request has ${count === 0 ? 'no Host header' : `${count} Host headers`}; send one.`;
    return { status: 400, code: 'bad-request', message };
  }
  const name = hostNameIn(headers.host);
  const isOwn =
    name !== undefined && (isIP(name) > 0 || ['localhost', ...names].some((own) => own.toLowerCase() === name));
  return isOwn
    ? undefined
    : { status: 403, code: 'foreign-origin', message: 'Unknown host name; use one of the names given with --name.' };
}

/** True when TLS ends at this server. */
export const isEncrypted = ({ socket }: IncomingMessage): boolean => socket instanceof TLSSocket;

/** True when a page of this server sent the request, and not a page of another site (CSRF). */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || host === undefined) return false;
  // Behind a proxy that ends TLS the origin may be http or https. With TLS here it must be https.
  return origin === `https://${host}` || (origin === `http://${host}` && !isEncrypted(request));
}
