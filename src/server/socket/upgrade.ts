import { type IncomingMessage, type Server } from 'node:http';
import { type Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Proxies, groupOf } from '../http/clientAddress.ts';
import { type HttpError, rejectSocket } from '../http/responseHeaders.ts';
import { ConnectionQuota } from '../http/connectionQuota.ts';
import { type ServerLimits } from '../limits/serverLimits.ts';
import { isOwnOrigin, wrongHost } from '../http/originCheck.ts';

type Door = {
  readonly limits: ServerLimits;
  /** What this server is called. */
  readonly names: readonly string[];
  readonly proxies: Proxies;
  readonly isReady: () => boolean;
  /** Somebody was not let in, by that code. */
  readonly refused: (code: string) => void;
  /** What is behind it, by the path that is asked for. */
  readonly entrances: { readonly [path: string]: Entrance };
};

/** One way in. */
type Entrance = {
  /** What has to be asked before anybody is let in by it; gives why nobody is. Undefined where nothing has. */
  readonly asks?: (request: IncomingMessage) => Promise<HttpError | undefined> | undefined;
  /** Why somebody is not let in by it, beside what counts for all. */
  readonly barred?: (request: IncomingMessage) => HttpError | undefined;
  /** Somebody is let in, with the address that counts for them. */
  readonly came: (socket: WebSocket, raw: Duplex, address: string, request: IncomingMessage) => void;
};

/** Beyond this, in bytes, a frame is not even read to its end. */
const largestFrame = 1 << 16;
/** The parts that a frame may come in; the largest has 46 of the usual size. */
const mostParts = 128;
/** Who does not answer when told to go is put out after so many milliseconds. The types do not know of it. */
const patience = { closeTimeout: 2_000 };

/** Lets in whoever asks for a socket, or says why not. */
export function acceptSockets(server: Server, { limits, names, proxies, isReady, refused, entrances }: Door): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestFrame,
    maxFragments: limits.fragments,
    maxBufferedChunks: mostParts,
    ...patience,
    perMessageDeflate: false,
    autoPong: false,
  });
  sockets.on('wsClientError', ({ message }, raw) =>
    rejectSocket(raw, { status: 400, code: 'bad-request', message: `No socket is opened: ${message}.` }),
  );
  const room = new ConnectionQuota(limits.connections, limits.connectionsPerAddress);

  const entranceOf = ({ url = '' }: IncomingMessage): Entrance | undefined =>
    Object.hasOwn(entrances, url) ? entrances[url] : undefined;

  const wrongWith = (request: IncomingMessage, address: string): HttpError | undefined => {
    if (!isReady()) return closing;
    const foreign = wrongHost(request, names);
    if (foreign) return foreign;
    if (!isOwnOrigin(request)) return foreignOrigin;
    const entrance = entranceOf(request);
    if (entrance === undefined) return notFound;
    return room.isFull(address) ? tooMany : undefined;
  };

  server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy());
    const address = groupOf(proxies.askerOf(request));
    const wrong = wrongWith(request, address);
    const asking = wrong ? undefined : entranceOf(request)!.asks?.(request);
    if (asking === undefined) letIn(request, raw, head, address, wrong ?? entranceOf(request)!.barred?.(request));
    else void letInAfter(asking, request, raw, head, address);
  });

  const letInAfter = async (
    asking: Promise<HttpError | undefined>,
    request: IncomingMessage,
    raw: Duplex,
    head: Buffer,
    address: string,
  ): Promise<void> => {
    const denied = await asking;
    // Much may have changed meanwhile.
    const wrong = denied ?? wrongWith(request, address) ?? entranceOf(request)!.barred?.(request);
    if (!raw.destroyed) letIn(request, raw, head, address, wrong);
  };

  const letIn = (
    request: IncomingMessage,
    raw: Duplex,
    head: Buffer,
    address: string,
    wrong: HttpError | undefined,
  ): void => {
    if (wrong) {
      refused(wrong.code);
      rejectSocket(raw, wrong);
      return;
    }
    sockets.handleUpgrade(request, raw, head, (socket) => {
      room.enter(address);
      socket.once('close', () => room.leave(address));
      entranceOf(request)!.came(socket, raw, address, request);
    });
  };
}

export const closing: HttpError = {
  status: 503,
  code: 'server-closing',
  message: 'The server is starting or closing; try again soon.',
};
const foreignOrigin: HttpError = {
  status: 403,
  code: 'foreign-origin',
  message: 'A socket is opened for pages of this server alone; load one.',
};
const notFound: HttpError = {
  status: 404,
  code: 'not-found',
  message: 'There is no socket at that address; use /socket.',
};
const tooMany: HttpError = {
  status: 503,
  code: 'too-many-connections',
  message: 'There are too many connections; close some, or try again soon.',
};
