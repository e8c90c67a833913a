import { type IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import { type Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** Nothing from elsewhere, nothing inline, nothing framed. */
const policy = [
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

const headers: readonly (readonly [string, string])[] = [
  ['content-security-policy', policy],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
];

/** Every answer begins with the headers, whoever gives it: a page, the framework or Node itself. */
class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...given);
    for (const [name, value] of headers) this.setHeader(name, value);
  }
}

/** Whoever has come by TLS once comes by nothing else for a year. */
const onlyTls = ['strict-transport-security', 'max-age=31536000'] as const;

class TlsAnswer<Request extends IncomingMessage = IncomingMessage> extends Answer<Request> {
  constructor(...given: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...given);
    this.setHeader(...onlyTls);
  }
}

/** How Node answers by itself; a request without a name for the server is left to us. */
export const answering = (isTls: boolean): ServerOptions<typeof IncomingMessage, typeof Answer> => ({
  ServerResponse: isTls ? TlsAnswer : Answer,
  requireHostHeader: false,
});

/** What is wrong with a request, as it is answered. */
export type HttpError = { readonly status: number; readonly code: string; readonly message: string };

/** An answer to somebody who gets nothing else on this socket: it ends with it. */
export function rejectSocket(socket: Duplex, { status, code, message }: HttpError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify({ code, message });
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    ...[...headers, ...(socket instanceof TLSSocket ? [onlyTls] : [])].map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** What is wrong with what was no request, as Node found it. */
export function wrongWith({ code }: NodeJS.ErrnoException): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'too-slow', message: 'The request took too long to come; send it again.' };
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return { status: 431, code: 'bad-request', message: 'The headers of the request are too long; send fewer.' };
  }
  return { status: 400, code: 'bad-request', message: 'That is no request in HTTP/1.1; send one.' };
}
