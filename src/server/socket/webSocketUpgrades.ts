import { type IncomingMessage, type Server } from 'node:http';
import { type Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type TrustedProxies, addressLimitKeyOf } from '../http/clientAddress.ts';
import { type HttpError, rejectSocket } from '../http/responseHeaders.ts';
import { ConnectionQuota } from '../http/connectionQuota.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { serverClosingError } from '../http/httpErrors.ts';
import { isOwnOrigin, checkHostHeader } from '../http/originCheck.ts';

type UpgradeOptions = {
  readonly limits: ServerLimits;
  readonly hostNames: readonly string[];
  readonly proxies: TrustedProxies;
  readonly isReady: () => boolean;
  readonly onRefusal: (code: string) => void;
  readonly endpoints: { readonly [path: string]: SocketEndpoint };
};

/** Endpoint for WebSockets at one path, with the checks before the upgrade and the callback after it. */
export type SocketEndpoint = {
  /**
   * First check before the upgrade, which may read the store. Returns undefined if the request needs no such check; a
   * promise of undefined if the check passes.
   */
  readonly checkFirst?: (request: IncomingMessage) => Promise<HttpError | undefined> | undefined;
  /** Gives the error with which this endpoint rejects a request. Errors that all endpoints share are found before. */
  readonly refusalFor?: (request: IncomingMessage) => HttpError | undefined;
  /** Called with each new connection. `address` is the key for limits per client address. */
  readonly onConnection: (socket: WebSocket, raw: Duplex, address: string, request: IncomingMessage) => void;
};

/**
 * Maximum size of a WebSocket frame. If the header of a frame names a larger size, `ws` closes the socket without
 * reading the rest of the frame.
 */
const maxFrameBytes = 1 << 16;
/** Maximum number of chunks in which one frame may arrive; the largest frame has 46 TCP segments of the usual size. */
const maxBufferedChunks = 128;
/** Option of `ws` that its types lack: maximum time of the closing handshake, in milliseconds. */
const closeOptions = { closeTimeout: 2_000 };

export function acceptWebSocketUpgrades(
  server: Server,
  { limits, hostNames, proxies, isReady, onRefusal, endpoints }: UpgradeOptions,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxFrameBytes,
    maxFragments: limits.maxFragments,
    maxBufferedChunks,
    ...closeOptions,
    perMessageDeflate: false,
    autoPong: false,
  });
  sockets.on('wsClientError', ({ message }, raw) =>
    rejectSocket(raw, { status: 400, code: 'bad-request', message: `The WebSocket cannot be opened: ${message}.` }),
  );
  const quota = new ConnectionQuota(limits.maxSockets, limits.maxSocketsPerAddress);

  const endpointOf = ({ url = '' }: IncomingMessage): SocketEndpoint | undefined =>
    Object.hasOwn(endpoints, url) ? endpoints[url] : undefined;

  const commonRefusal = (request: IncomingMessage, address: string): HttpError | undefined => {
    if (!isReady()) return serverClosingError;
    const foreign = checkHostHeader(request, hostNames);
    if (foreign) return foreign;
    if (!isOwnOrigin(request)) return foreignOrigin;
    const entrance = endpointOf(request);
    if (entrance === undefined) return notFound;
    return quota.isFull(address) ? tooMany : undefined;
  };

  server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy());
    const address = addressLimitKeyOf(proxies.clientAddressOf(request));
    const error = commonRefusal(request, address);
    const check = error ? undefined : endpointOf(request)!.checkFirst?.(request);
    if (check === undefined) accept(request, raw, head, address, error ?? endpointOf(request)!.refusalFor?.(request));
    else void acceptAfter(check, request, raw, head, address);
  });

  const acceptAfter = async (
    check: Promise<HttpError | undefined>,
    request: IncomingMessage,
    raw: Duplex,
    head: Buffer,
    address: string,
  ): Promise<void> => {
    const refusal = await check;
    // The server may have closed, or reached a quota, during the asynchronous check. So the other checks are made
    // again.
    const error = refusal ?? commonRefusal(request, address) ?? endpointOf(request)!.refusalFor?.(request);
    if (!raw.destroyed) accept(request, raw, head, address, error);
  };

  const accept = (
    request: IncomingMessage,
    raw: Duplex,
    head: Buffer,
    address: string,
    error: HttpError | undefined,
  ): void => {
    if (error) {
      onRefusal(error.code);
      rejectSocket(raw, error);
      return;
    }
    sockets.handleUpgrade(request, raw, head, (socket) => {
      quota.acquire(address);
      socket.once('close', () => quota.release(address));
      endpointOf(request)!.onConnection(socket, raw, address, request);
    });
  };
}

const foreignOrigin: HttpError = {
  status: 403,
  code: 'foreign-origin',
  message: 'Only pages of this server may open a WebSocket. Load one of its pages.',
};
const notFound: HttpError = {
  status: 404,
  code: 'not-found',
  message: 'There is no WebSocket at this path. Use /socket or, for staff, /staff-socket.',
};
const tooMany: HttpError = {
  status: 503,
  code: 'too-many-connections',
  message: 'Too many connections. Close some, or try again shortly.',
};
