import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { type Duplex } from 'node:stream';

type Parts = {
  readonly host: string;
  readonly port: number;
  /** How many ports after it are tried where it is taken. */
  readonly furtherPorts: number;
  /** Where the floor is driven, if that is known. */
  readonly target: () => string | undefined;
};

export type Gateway = { readonly address: string; readonly port: number; readonly close: () => Promise<void> };

/** A name that a host is reached by; what listens everywhere is reached as this machine. */
const nameOf = (host: string): string =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;

/** The header of what was passed on. */
const passedOn = 'x-punto-passed-on';

const nobody = 'Nobody drives the floor at this moment; try again soon.';

/** What is said where the floor cannot be reached: the same shape as every other refusal. */
const refusal = JSON.stringify({ code: 'server-closing', message: nobody });

/** With whom it speaks is added, so that whoever drives the floor knows for whom this program asks. */
function forwardedFor({ headers, socket }: IncomingMessage): string {
  const said = [headers['x-forwarded-for'] ?? []].flat();
  return [...said, socket.remoteAddress ?? ''].join(', ');
}

/**
 * The door of a program that does not drive the floor: pages and sockets are passed on to the one that does, byte for byte,
 * and end when it does; whoever comes back is led to the next. It reads nothing of what it passes on, and answers nothing.
 */
export async function openGateway({ host, port, furtherPorts, target }: Parts): Promise<Gateway> {
  const passed = new Set<Duplex>();
  const keep = (socket: Duplex): void => {
    passed.add(socket);
    socket.once('close', () => passed.delete(socket));
  };

  /** Where to; nowhere for what was passed on once: two who take each other for the driver would pass it on for ever. */
  const targetOf = ({ headers }: IncomingMessage): string | undefined =>
    headers[passedOn] === undefined ? target() : undefined;

  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    const to = targetOf(asked);
    const fail = (): void => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(refusal);
    };
    if (to === undefined) return fail();
    const { hostname, port: at } = new URL(to);
    const headers = { ...asked.headers, 'x-forwarded-for': forwardedFor(asked), [passedOn]: '1' };
    const further = request({
      host: hostname,
      port: at,
      method: asked.method,
      path: asked.url,
      headers,
      setHost: false,
    });
    further.on('response', (given) => {
      answer.writeHead(given.statusCode!, given.rawHeaders);
      given.pipe(answer);
      given.on('error', () => answer.destroy());
    });
    further.on('error', fail);
    answer.on('close', () => further.destroy());
    asked.pipe(further);
  });

  server.on('upgrade', (asked: IncomingMessage, near: Duplex, head: Buffer) => {
    const to = targetOf(asked);
    keep(near);
    if (to === undefined) {
      near.on('error', () => {});
      near.end(
        `HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: ${refusal.length}\r\nConnection: close\r\n\r\n${refusal}`,
      );
      return;
    }
    const { hostname, port: at } = new URL(to);
    const far: Socket = connect({ host: hostname, port: Number(at), noDelay: true });
    keep(far);
    const lines = [`${asked.method} ${asked.url} HTTP/1.1`];
    for (let place = 0; place < asked.rawHeaders.length; place += 2) {
      const name = asked.rawHeaders[place]!;
      if (name.toLowerCase() !== 'x-forwarded-for') lines.push(`${name}: ${asked.rawHeaders[place + 1]}`);
    }
    lines.push(`X-Forwarded-For: ${forwardedFor(asked)}`, `${passedOn}: 1`);
    far.write(`${lines.join('\r\n')}\r\n\r\n`);
    far.write(head);
    near.pipe(far);
    far.pipe(near);
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const one of [near, far]) one.on('error', end).on('close', end);
  });

  for (let next = port, left = furtherPorts; ; next++, left--) {
    try {
      server.listen({ host, port: next });
      await once(server, 'listening');
      break;
    } catch (error) {
      if (left === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  const { port: at } = server.address() as AddressInfo;
  return {
    address: `http://${nameOf(host)}:${at}/`,
    port: at,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const socket of passed) socket.destroy();
      await closed;
    },
  };
}
