import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from './freePort.ts';

test('a free port is given once, can be listened at, and stays claimed for other processes', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  const [port] = ports as [number];
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  const claim = createSocket('udp4');
  claim.bind(port, '127.0.0.1');
  await expect(once(claim, 'listening')).rejects.toThrow('EADDRINUSE');
  claim.close();
});

test('the claim on a port ends with its process and does not keep that alive', () => {
  const module = JSON.stringify(new URL('freePort.ts', import.meta.url).href);
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `import { freePort } from ${module}; console.log(await freePort());`],
    { encoding: 'utf8', timeout: 60_000 },
  );
  expect([status, Number(stdout) >= 20_000]).toEqual([0, true]);
});
