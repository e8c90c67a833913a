import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type HttpError } from './responseHeaders.ts';

/** The name in a Host header, without its port: undefined when there is none or it is not one. */
function nameIn(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/@\s[\]]+)(:\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase().replace(/^\[|\]$/g, '');
}

/**
 * Whether a request names this server: by an address, as localhost, or by a name it was told. Any other name leads here
 * only because somebody else's name server says so. A proxy may have gone by another of two names than we would.
 */
export function wrongHost({ headers, rawHeaders }: IncomingMessage, names: readonly string[]): HttpError | undefined {
  const said = rawHeaders.filter((text, n) => n % 2 === 0 && text.toLowerCase() === 'host').length;
  if (said !== 1) {
    const message = `The request has ${said === 0 ? 'no Host header' : `${said} Host headers`}; send one.`;
    return { status: 400, code: 'bad-request', message };
  }
  const name = nameIn(headers.host);
  const isOwn =
    name !== undefined && (isIP(name) > 0 || ['localhost', ...names].some((own) => own.toLowerCase() === name));
  return isOwn
    ? undefined
    : { status: 403, code: 'foreign-origin', message: 'This server does not go by that name; use one of its own.' };
}

/** Whether it came to this server itself under TLS. */
export const isEncrypted = ({ socket }: IncomingMessage): boolean => socket instanceof TLSSocket;

/** Whether a page of this server asks, and not one of another site that a patron happens to have open. */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || host === undefined) return false;
  // Before a proxy it may be either; a page that came without TLS is none of a server that has it.
  return origin === `https://${host}` || (origin === `http://${host}` && !isEncrypted(request));
}
