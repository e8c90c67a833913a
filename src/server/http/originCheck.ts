import { type IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { type HttpError } from './responseHeaders.ts';

/** Host name of a Host header, without the port; undefined if the header is missing or malformed. */
export function hostNameOfHeader(host: string | undefined): string | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:/@\s[\]]+)(:\d{1,5})?$/i.exec(host ?? '');
  return match?.[1]?.toLowerCase().replace(/^\[|\]$/g, '');
}

/**
 * Checks the Host header, to prevent DNS rebinding: the host must be an IP address, localhost or a configured name.
 * There must be exactly one Host header. If there were two, a proxy might read the first and this server the second.
 */
export function checkHostHeader(
  { headers, rawHeaders }: IncomingMessage,
  names: readonly string[],
): HttpError | undefined {
  const count = rawHeaders.filter((text, n) => n % 2 === 0 && text.toLowerCase() === 'host').length;
  if (count !== 1) {
    const message = `The request has ${count === 0 ? 'no Host header' : `${count} Host headers`}; send one.`;
    return { status: 400, code: 'bad-request', message };
  }
  const name = hostNameOfHeader(headers.host);
  const isOwn =
    name !== undefined && (isIP(name) > 0 || ['localhost', ...names].some((own) => own.toLowerCase() === name));
  return isOwn
    ? undefined
    : {
        status: 403,
        code: 'foreign-origin',
        message: 'Unknown host name. Use a name that was given with --name, or the IP address.',
      };
}

export const isTlsRequest = ({ socket }: IncomingMessage): boolean => socket instanceof TLSSocket;

/**
 * True if the Origin header shows that a page of this server sent the request. Protects against requests from pages of
 * other sites (CSRF).
 */
export function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined || host === undefined) return false;
  // With TLS on this server, the origin must be https. Without TLS, both http and https are accepted, because a proxy
  // in front of this server may add TLS.
  return origin === `https://${host}` || (origin === `http://${host}` && !isTlsRequest(request));
}
