import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Server, createServer } from 'node:net';
import { randomInt } from 'node:crypto';

/** Below the ephemeral port range of operating systems. */
const [first, last] = [20_000, 30_000];

/** Sockets that claim ports while this process lives. */
const claims: Socket[] = [];

/**
 * A free port for a process that is yet to start. Until the process listens there, a UDP socket with the same number
 * keeps the port from all other callers, in every process; the system itself assigns none of these ports.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last);
    const claim = createSocket('udp4');
    if (!(await bindsPort(claim, () => claim.bind({ port, address: '127.0.0.1', exclusive: true })))) continue;
    const server = createServer();
    if (await bindsPort(server, () => server.listen({ port, host: '127.0.0.1', exclusive: true }))) {
      server.close();
      await once(server, 'close');
      claims.push(claim.unref());
      return port;
    }
    claim.close();
  }
}

/** Whether a socket gets its port. */
async function bindsPort(socket: Socket | Server, bind: () => void): Promise<boolean> {
  const listening = once(socket, 'listening');
  bind();
  return listening.then(
    () => true,
    () => false,
  );
}
