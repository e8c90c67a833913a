import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usualLease } from '../src/nodes/leases.ts';
import { demoSettings } from '../tests/floor/demo.ts';
import { NodeProcess } from '../tests/nodes/process.ts';
import { Guest, secretOf } from '../tests/server/house.ts';
import { Server, freePort, hasBinaries, installation } from '../tests/store/postgres.ts';
import { percentile } from './measure.ts';

/** So many slips go by each way. */
const slips = 300;

/** A slip at the node that drives its table and at another, in turns; and how soon the other drives all tables after a kill. */
export async function* nodesBench(): AsyncGenerator<string> {
  yield 'nodes (two processes on one PostgreSQL; ratio of a slip at another node to one at the node that drives its table)';
  if (!hasBinaries) {
    yield '  skipped: there are no binaries of PostgreSQL for this system';
    return;
  }
  const root = mkdtempSync(join(tmpdir(), 'punto-bench-nodes-'));
  const { folder, remove } = installation();
  const server = await Server.made(folder, 'bench', 'fsync=on');
  await server.as('postgres', (client) => client.query('CREATE DATABASE punto'));
  const screens = join(root, 'screens');
  mkdirSync(screens);
  writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Punto</title>');
  const kills: (() => void)[] = [];
  const made = async (): Promise<NodeProcess> =>
    new NodeProcess(
      {
        address: server.at('punto'),
        folder: join(root, 'data'),
        screens,
        port: await freePort(),
        lasts: usualLease,
        bettingTime: 600_000,
      },
      join(root, 'compiled'),
      (kill) => kills.push(kill),
    );
  try {
    const [driver, other] = [await made(), await made()];
    driver.start();
    await driver.until(() => driver.isOpen, 'open');
    other.start();
    await other.until(() => other.driven.length >= demoSettings.length / 2, 'drives its share');
    const table = driver.driven[0]!;
    const guests = await Promise.all(
      [driver, other].map((node, n) => Guest.seated(node, secretOf(String(n + 1)), table)),
    );
    const times: [number[], number[]] = [[], []];
    for (let n = 0; n < slips + 20; n++) {
      for (const [place, guest] of guests.entries()) {
        const time = await slipOf(guest, table, n);
        // The first few warm both ways up.
        if (n >= 20) times[place as 0 | 1].push(time);
      }
    }
    const [here, there] = times.map((all) => [percentile(all, 0.5), percentile(all, 0.99)] as const);
    yield `  slip to acknowledged at the node that drives: median ${here![0].toFixed(1)} ms, p99 ${here![1].toFixed(1)} ms`;
    yield `  by the other one: median ${there![0].toFixed(1)} ms, p99 ${there![1].toFixed(1)} ms; ${(there![0] / here![0]).toFixed(2)} and ${(there![1] / here![1]).toFixed(2)} times`;
    const killed = performance.now();
    await driver.signal('SIGKILL');
    await other.until(() => other.driven.length === demoSettings.length, 'drives all tables');
    const span = (performance.now() - killed) / 1_000;
    yield `  all ten tables driven again ${span.toFixed(1)} s after a kill, with a lease of ${usualLease / 1_000} s`;
    for (const guest of guests) guest.leave();
  } finally {
    for (const kill of kills) kill();
    await server.end();
    remove();
    rmSync(root, { recursive: true, force: true });
  }
}

/** How long a slip takes until it is acknowledged, in milliseconds. */
async function slipOf(guest: Guest, table: string, n: number): Promise<number> {
  const round = await guest.round();
  const id = `bench-slip-${n}`;
  const from = guest.heard.length;
  const begun = performance.now();
  guest.say({ type: 'slip', id, table, round, slip: { banker: 100 + (n % 2) * 100 } });
  await guest.hears('accepted', (told) => told.id === id, from);
  return performance.now() - begun;
}
