import { type IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** No foreign content, no inline scripts or styles, no framing. */
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

/** Sets the security headers on every response: of a page, of the framework and of Node itself. */
class SecuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    for (const [name, value] of securityHeaders) this.setHeader(name, value);
  }
}

/** HSTS: browsers use TLS only, for a year. */
const strictTransportSecurity = ['strict-transport-security', 'max-age=31536000'] as const;

class SecuredTlsResponse<Request extends IncomingMessage = IncomingMessage> extends SecuredResponse<Request> {
  constructor(...args: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...args);
    this.setHeader(...strictTransportSecurity);
  }
}

/** Options of the HTTP server. A missing Host header is handled by `hostError`. */
export const responseOptions = (isTls: boolean): ServerOptions<typeof IncomingMessage, typeof SecuredResponse> => ({
  ServerResponse: isTls ? SecuredTlsResponse : SecuredResponse,
  requireHostHeader: false,
});

export type HttpError = { readonly status: number; readonly code: string; readonly message: string };

/** Writes an error response to a raw socket and closes it. */
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

/** HTTP error for what Node's parser rejected. */
export function parseErrorOf({ code }: NodeJS.ErrnoException): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'too-slow', message: 'The request took too long to come; send it again.' };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, code: 'bad-request', message: 'The headers of the request are too long; send fewer.' };
  }
  return { status: 400, code: 'bad-request', message: 'That is no request in HTTP/1.1; send one.' };
}
