import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseConnectionUrl } from './connectionUrl.ts';
import { PgConnection } from './connection.ts';

/** Authentication request of a PostgreSQL server. */
function queried(kind: number, more: string): Buffer {
  const head = Buffer.from('R________');
  head.writeInt32BE(8 + more.length, 1);
  head.writeInt32BE(kind, 5);
  return Buffer.concat([head, Buffer.from(more, 'latin1')]);
}

test('connect leaves no connection behind when a host asks for a password and there is none', async () => {
  vi.stubEnv('PGPASSWORD', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const host = createServer((socket: Socket) => {
    const message = [queried(10, 'SCRAM-SHA-256\0\0'), queried(11, 'r=a,s=b,i=1')];
    socket.on('error', () => {});
    socket.on('data', () => void socket.write(message.shift()!));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void host.close());
  await once(host, 'listening');
  const left = once(host, 'connection').then(([socket]) => once(socket as Socket, 'close'));
  const { port } = host.address() as AddressInfo;
  const address = parseConnectionUrl(`postgres://punto@127.0.0.1:${port}/d`);
  await expect(PgConnection.connect(address.hosts[0]!, address, 5_000)).rejects.toThrow(
    'client password must be a string',
  );
  await left;
});
