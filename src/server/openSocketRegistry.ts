import { type IncomingMessage } from 'node:http';
import { type Duplex } from 'node:stream';
import { type WebSocket } from 'ws';
import { type RefusalRecipient } from '../metrics/metrics.ts';
import { type StaffService } from '../runtime/staff/staffService.ts';
import { type SignInSession } from '../staff/state.ts';
import { type ServerHubs } from './serverFloor.ts';
import { notSignedInError, serverClosingError } from './http/httpErrors.ts';
import { DeviceConnection } from './socket/deviceConnection.ts';
import { type ConnectionHandler, type SocketConnection } from './socket/socketConnection.ts';
import { StaffConnection } from './socket/staffConnection.ts';
import { type SocketEndpoint } from './socket/webSocketUpgrades.ts';
import { readStaffCookie } from './staff/cookies.ts';

type AnyConnection = Pick<
  SocketConnection<never, never>,
  'sendHeartbeat' | 'closeIfSlow' | 'ping' | 'close' | 'trackBytes' | 'untilHandled'
>;

/**
 * Number of groups into which the connections are divided. A timer works on one group at a time, because work on all
 * connections at once would delay the messages that arrive meanwhile.
 */
const groupCount = 10;

export class OpenSocketRegistry {
  readonly all = new Set<AnyConnection>();
  readonly #groups = Array.from({ length: groupCount }, () => new Set<AnyConnection>());
  #added = 0;
  /** Open connections, and closed connections whose messages are still being handled. */
  readonly #unfinished = new Set<AnyConnection>();

  add(connection: AnyConnection, socket: WebSocket, raw: Duplex): void {
    const group = this.#groups[this.#added++ % groupCount]!;
    for (const connections of [this.all, group]) {
      connections.add(connection);
      socket.once('close', () => connections.delete(connection));
    }
    this.#unfinished.add(connection);
    socket.once('close', async () => {
      await connection.untilHandled();
      this.#unfinished.delete(connection);
    });
    raw.on('data', (bytes: Buffer) => connection.trackBytes(bytes));
  }

  /** Waits until the server has handled all messages that have arrived, also those of closed connections. */
  async untilHandled(): Promise<void> {
    await Promise.all([...this.#unfinished].map((connection) => connection.untilHandled()));
  }

  /**
   * Starts a timer that calls `run` with one group after another. Each group has its turn once in `everyMs`
   * milliseconds.
   */
  inTurn(everyMs: number, run: (group: ReadonlySet<AnyConnection>) => void): NodeJS.Timeout {
    let turn = 0;
    return setInterval(() => run(this.#groups[turn++ % groupCount]!), everyMs / groupCount);
  }
}

type EndpointOptions = {
  readonly sockets: OpenSocketRegistry;
  readonly hubs: ServerHubs;
  readonly handler: Pick<ConnectionHandler<never, never>, 'clock' | 'limits' | 'onDefect'>;
  /** The staff service; undefined while the server starts or closes. */
  readonly staffService: () => StaffService | undefined;
  readonly onRefusal: (target: RefusalRecipient) => (code: string) => void;
};

export function createSocketEndpoints(options: EndpointOptions): { readonly [path: string]: SocketEndpoint } {
  const { sockets, hubs, handler, staffService, onRefusal } = options;
  const sessionOf = (request: IncomingMessage): SignInSession | undefined =>
    staffService()?.sessionByToken(readStaffCookie(request, 'session') ?? '');
  return {
    '/socket': {
      onConnection: (socket, raw, address) => {
        const connection = new DeviceConnection(socket, address, {
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
          ?.refresh(readStaffCookie(request, 'session'))
          ?.then((refusal) => refusal && serverClosingError),
      refusalFor: (request) => (sessionOf(request) === undefined ? notSignedInError : undefined),
      onConnection: (socket, raw, address, request) => {
        const session = sessionOf(request);
        // The sign-in session may have ended during the upgrade.
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
