import { type IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** Content security policy: no content of other sites, no inline scripts or styles, no framing. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const securityHeaders: readonly (readonly [string, string])[] = [
  ['content-security-policy', contentSecurityPolicy],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
];

/**
 * Response that has the security headers. The HTTP server makes all its responses of this class. Only `rejectSocket`
 * writes a response without it, and adds the headers itself.
 */
class SecuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    for (const [name, value] of securityHeaders) this.setHeader(name, value);
  }
}

/** HSTS header: for a year browsers use this site over TLS only. */
const strictTransportSecurity = ['strict-transport-security', 'max-age=31536000'] as const;

class SecuredTlsResponse<Request extends IncomingMessage = IncomingMessage> extends SecuredResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    this.setHeader(...strictTransportSecurity);
  }
}

/**
 * Options of a Node HTTP server that make it send the security headers. They turn off the check of Node for a missing
 * Host header, because `checkHostHeader` makes this check.
 */
export const createSecuredHttpServerOptions = (
  isTls: boolean,
): ServerOptions<typeof IncomingMessage, typeof SecuredResponse> => ({
  ServerResponse: isTls ? SecuredTlsResponse : SecuredResponse,
  requireHostHeader: false,
});

export type HttpError = { readonly status: number; readonly code: string; readonly message: string };

export function rejectSocket(socket: Duplex, { status, code, message }: HttpError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ code, message });
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    ...[...securityHeaders, ...(socket instanceof TLSSocket ? [strictTransportSecurity] : [])].map(
      ([name, value]) => `${name}: ${value}`,
    ),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

export function httpErrorOfParser({ code }: NodeJS.ErrnoException): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'too-slow', message: 'The request took too long to arrive. Send it again.' };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, code: 'bad-request', message: 'The request headers are too long. Send fewer headers.' };
  }
  return { status: 400, code: 'bad-request', message: 'This is not a valid HTTP/1.1 request.' };
}
