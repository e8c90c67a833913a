import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../architecture/sources.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';

const folder = temporaryFolder('port');

const portOf = (address: string): number => Number(new URL(address).port);

test('the server takes the next free port when its port is in use, within the allowed range', async () => {
  const blocked = createServer().listen(0, '127.0.0.1');
  await once(blocked, 'listening');
  const { port } = blocked.address() as { port: number };
  const tables = ['tiger'];
  await expect(startTestServer({ tables, port })).rejects.toThrow('EADDRINUSE');
  const first = await startTestServer({ tables, port, extraPorts: 20 });
  const second = await startTestServer({ tables, port, extraPorts: 20 });
  const ports = [first, second].map(({ address }) => portOf(address));
  for (const used of ports) {
    expect(used).toBeGreaterThan(port);
    expect(used).toBeLessThanOrEqual(port + 20);
  }
  expect(new Set(ports).size).toBe(2);
  await first.close();
  await second.close();
  blocked.close();
});

test('serve with --port is refused where that port is taken', async () => {
  const blocked = createServer().listen(0, '127.0.0.1');
  await once(blocked, 'listening');
  const { port } = blocked.address() as { port: number };
  const refused = await punto(['serve', '--port', String(port), '--data', join(folder, 'refused')]);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toBe(
    `punto: The address 127.0.0.1 port ${port} is not available (EADDRINUSE); choose another address or port. (address-unavailable)\n`,
  );
  blocked.close();
});

test('serve without a port is at 2026 or, where that is taken, at the next free one', async () => {
  const blocked = createServer();
  // Whether the port was free or another program has it, as a demo may: it is taken now.
  const isOwn = await new Promise<boolean>((resolve) => {
    blocked.once('listening', () => resolve(true)).once('error', () => resolve(false));
    blocked.listen(2026, '127.0.0.1');
  });
  const program = spawn(process.execPath, [join(root, 'src/cli/main.ts'), 'serve', '--data', join(folder, 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  const address = /^Punto's demo floor is open at (http:\S+)\n/.exec(line.toString('utf8'))![1]!;
  expect(new URL(address).hostname).toBe('127.0.0.1');
  // Another program may have left its port since.
  expect(portOf(address)).toBeGreaterThanOrEqual(isOwn ? 2027 : 2026);
  expect(portOf(address)).toBeLessThan(2126);
  expect((await fetch(address)).status).toBe(200);
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  blocked.close();
});
