import { type IncomingMessage } from 'node:http';
import { type Duplex } from 'node:stream';
import { type WebSocket } from 'ws';
import { type RefusalTarget } from '../metrics/metrics.ts';
import { type StaffService } from '../runtime/staff/staffService.ts';
import { type SignInSession } from '../staff/state.ts';
import { type Hubs } from './serverFloor.ts';
import { notSignedInError, serverClosingError } from './http/httpErrors.ts';
import { PatronConnection } from './socket/patronConnection.ts';
import { type ConnectionHandler, type SocketConnection } from './socket/socketConnection.ts';
import { StaffConnection } from './socket/staffConnection.ts';
import { type SocketEndpoint } from './socket/upgrade.ts';
import { cookieIn } from './staff/cookies.ts';

type AnyConnection = Pick<
  SocketConnection<never, never>,
  'sendHeartbeat' | 'closeIfSlow' | 'ping' | 'close' | 'trackBytes'
>;

/** Periodic work is spread over this many groups of connections, so that no message waits for all of them. */
const groupCount = 10;

/** The open WebSockets of a server. */
export class OpenSockets {
  readonly all = new Set<AnyConnection>();
  readonly #groups = Array.from({ length: groupCount }, () => new Set<AnyConnection>());
  #added = 0;

  add(connection: AnyConnection, socket: WebSocket, raw: Duplex): void {
    const group = this.#groups[this.#added++ % groupCount]!;
    for (const connections of [this.all, group]) {
      connections.add(connection);
      socket.once('close', () => connections.delete(connection));
    }
    raw.on('data', (bytes: Buffer) => connection.trackBytes(bytes));
  }

  /** Runs a task for every connection once in `everyMs`, group by group. */
  inTurn(everyMs: number, run: (group: ReadonlySet<AnyConnection>) => void): NodeJS.Timeout {
    let turn = 0;
    return setInterval(() => run(this.#groups[turn++ % groupCount]!), everyMs / groupCount);
  }
}

type EndpointOptions = {
  readonly sockets: OpenSockets;
  readonly hubs: Hubs;
  readonly handler: Pick<ConnectionHandler<never, never>, 'clock' | 'limits' | 'onDefect'>;
  /** Undefined while the floor starts. */
  readonly staffService: () => StaffService | undefined;
  readonly onRefusal: (target: RefusalTarget) => (code: string) => void;
};

/** The sockets of patrons and of staff, by path. */
export function socketEndpoints(options: EndpointOptions): { readonly [path: string]: SocketEndpoint } {
  const { sockets, hubs, handler, staffService, onRefusal } = options;
  const sessionOf = (request: IncomingMessage): SignInSession | undefined =>
    staffService()?.sessionByToken(cookieIn(request, 'session') ?? '');
  return {
    '/socket': {
      onConnection: (socket, raw, address) => {
        const connection = new PatronConnection(socket, address, {
          ...handler,
          onRefusal: onRefusal('patron'),
          onMessage: (from, message, arrivedAt) => hubs.patrons.onMessage(from, message, arrivedAt),
          onClose: (closed) => hubs.patrons.onClose(closed),
        });
        sockets.add(connection, socket, raw);
      },
    },
    '/staff-socket': {
      checkFirst: (request) =>
        staffService()
          ?.refresh(cookieIn(request, 'session'))
          ?.then((refusal) => refusal && serverClosingError),
      refusalFor: (request) => (sessionOf(request) === undefined ? notSignedInError : undefined),
      onConnection: (socket, raw, address, request) => {
        const session = sessionOf(request);
        // The session may have ended during the upgrade.
        if (session === undefined) return socket.close(1008, notSignedInError.code);
        const connection = new StaffConnection(socket, address, session.id, {
          ...handler,
          onRefusal: onRefusal('staff'),
          onMessage: (from, message, arrivedAt) => hubs.staff.onMessage(from, message, arrivedAt),
          onClose: (closed) => hubs.staff.onClose(closed),
        });
        hubs.staff.add(connection);
        return sockets.add(connection, socket, raw);
      },
    },
  };
}
