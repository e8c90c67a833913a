import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Server, createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/** Below the ports that systems give to connections and to listeners without a port of their own. */
const [first, last] = [20_000, 30_000];

/** Claims on ports, held while this process lives. */
const claims: Socket[] = [];

/**
 * A port for a program that is yet to start. Until that listens there, a UDP socket with the same number keeps it from
 * all other callers, in every process; the system itself gives none of these ports.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last);
    const claim = createSocket('udp4');
    if (!(await gets(claim, () => claim.bind({ port, address: '127.0.0.1', exclusive: true })))) continue;
    const server = createServer();
    if (await gets(server, () => server.listen({ port, host: '127.0.0.1', exclusive: true }))) {
      server.close();
      await once(server, 'close');
      claims.push(claim.unref());
      return port;
    }
    claim.close();
  }
}

/** Whether a socket gets its port. */
async function gets(socket: Socket | Server, take: () => void): Promise<boolean> {
  const listening = once(socket, 'listening');
  take();
  return listening.then(
    () => true,
    () => false,
  );
}
