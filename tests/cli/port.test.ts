import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../architecture/sources.ts';
import { house } from '../server/house.ts';
import { temporaryFolder } from '../temporary.ts';
import { punto } from './punto.ts';

const folder = temporaryFolder('port');

/** Sits on a port, once nobody else does: other tests that run meanwhile have floors there for a moment. */
async function taking(port: number): Promise<Server> {
  for (;;) {
    const taken = createServer();
    const known = new Promise<boolean>((resolve) => {
      taken.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    taken.listen(port, '127.0.0.1');
    if (await known) return taken;
    await setTimeout(50);
  }
}

const portOf = (address: string): number => Number(new URL(address).port);

test('where the port is taken the next free one is used, and none beyond those allowed', async () => {
  const blocked = createServer().listen(0, '127.0.0.1');
  await once(blocked, 'listening');
  const { port } = blocked.address() as { port: number };
  const tables = ['tiger'];
  await expect(house({ tables, port })).rejects.toThrow('EADDRINUSE');
  const first = await house({ tables, port, furtherPorts: 20 });
  const second = await house({ tables, port, furtherPorts: 20 });
  expect(portOf(first.address)).toBeGreaterThan(port);
  expect(portOf(second.address)).toBeGreaterThan(portOf(first.address));
  expect(portOf(second.address)).toBeLessThanOrEqual(port + 20);
  await first.close();
  await second.close();
  blocked.close();
});

test('serve without a port is at 2026 or the next free one, and with --port it is that one or refused', async () => {
  const blocked = await taking(2026);
  const refused = await punto(['serve', '--port', '2026', '--data', join(folder, 'refused')]);
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toBe(
    'punto: The address 127.0.0.1 port 2026 cannot be had (EADDRINUSE); choose another. (address-unavailable)\n',
  );
  const program = spawn(process.execPath, [join(root, 'src/cli/main.ts'), 'serve', '--data', join(folder, 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  const address = /^Punto's demo floor is open at (http:\S+)\n/.exec(line.toString('utf8'))![1]!;
  expect(new URL(address).hostname).toBe('127.0.0.1');
  expect(portOf(address)).toBeGreaterThan(2026);
  expect(portOf(address)).toBeLessThan(2126);
  expect((await fetch(address)).status).toBe(200);
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  blocked.close();
});
