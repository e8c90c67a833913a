import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../freePort.ts';
import { root } from '../../architecture/sources.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { databases, server } from '../../store/postgres/databases.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { demoOf, quickDemoOf, started } from '../support/serverProcess.ts';

const folder = temporaryFolder('watch');

const plenty = '4294967294';

/** Value of a metric by its name and labels. */
const metricIn = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length));
};

test('the metrics endpoint shows that a floor is alive, ready and busy, and that its disk is full and then is not', async () => {
  const [data, file, property] = ['data', 'room', 'jsonc'].map((end) => join(folder, `floor.${end}`)) as [
    string,
    string,
    string,
  ];
  const demo = demoOf('B01', 'S02').replace('"bettingTime": 15000', '"bettingTime": 600000, "interruption": 600000');
  writeFileSync(property, demo);
  writeFileSync(file, plenty);
  const port = await freePort();
  const start = ['--import', join(root, 'tests/cli/support/diskFaults.ts'), join(root, 'src/cli/main.ts')];
  const args = ['--data', data, '--property', property, '--metrics', String(port), '--log', 'json'];
  const { program, address, output, waitForOutput } = await started(args, { start, env: { DISK_FILE: file } });
  const fetchText = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const waitForReadiness = async (code: string | undefined): Promise<void> => {
    for (;;) {
      const { status, text } = await fetchText('readyz');
      const body = JSON.parse(text) as { readonly code?: string };
      expect(status).toBe(body.code === undefined ? 200 : 503);
      if (body.code === code) return;
      await setTimeout(50);
    }
  };
  await waitForOutput(/"event":"started"/);
  expect(output()).toContain(`Operator metrics at http://127.0.0.1:${port}/metrics, probes at /readyz and /healthz.\n`);
  expect(await fetchText('healthz')).toEqual({ status: 200, text: '{"alive":true}\n' });
  expect(await fetchText('readyz')).toEqual({ status: 200, text: '{"ready":true}\n' });
  // Not at the address of patrons.
  for (const path of ['metrics', 'healthz', 'readyz']) expect((await fetch(new URL(path, address))).status).toBe(404);

  const guest = await PatronSocket.join({ address }, secretOf('1'), 'B01');
  const round = await guest.bettingRound();
  for (let n = 1; n <= 20; n++) {
    const id = `slip-${String(n).padStart(6, '0')}`;
    guest.send({ type: 'slip', id, table: 'B01', round, slip: { tie: 100 * n } });
    await guest.receive('accepted', (one) => one.id === id);
    await setTimeout(80);
  }
  await guest.refusalOf({ type: 'slip', id: 'slip-900000', table: 'B01', round: 'another', slip: { tie: 100 } });
  const { text: busy } = await fetchText('metrics');
  expect(metricIn(busy, 'punto_answer_seconds_count{to="slip",end="done"}')).toBe(20);
  expect(metricIn(busy, 'punto_answer_seconds_bucket{le="10",to="slip",end="done"}')).toBe(20);
  expect(metricIn(busy, 'punto_refusals_total{to="patron",code="bets-closed"}')).toBe(1);
  expect(metricIn(busy, 'punto_connections{of="patron"}')).toBe(1);
  expect(metricIn(busy, 'punto_append_seconds_count{end="written"}')).toBeGreaterThanOrEqual(20);
  expect(metricIn(busy, 'punto_append_commands_sum')).toBeGreaterThanOrEqual(20);
  expect(metricIn(busy, 'punto_view_bytes_count{of="table",form="whole"}')).toBe(1);
  for (const own of ['own', 'balance']) {
    expect(metricIn(busy, `punto_view_bytes_count{of="${own}",form="whole"}`)).toBeGreaterThanOrEqual(20);
  }
  expect(metricIn(busy, 'punto_outages_total')).toBe(0);
  expect(metricIn(busy, 'punto_table_up{table="B01"}')).toBe(1);
  expect(metricIn(busy, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  // Nothing in it leads to a terminal, a round or a person.
  expect(busy).not.toMatch(/demo\/|terminal="|T1\b|session/);

  writeFileSync(file, 'failing');
  await waitForReadiness('cannot-record');
  expect(await fetchText('healthz')).toMatchObject({ status: 200 });
  const { text: full } = await fetchText('metrics');
  expect(metricIn(full, 'punto_ready')).toBe(0);
  expect(metricIn(full, 'punto_failing')).toBe(1);
  expect(metricIn(full, 'punto_outages_total')).toBe(1);
  await waitForOutput(/"event":"outage","state":"begun"/);
  writeFileSync(file, plenty);
  await waitForReadiness(undefined);
  await waitForOutput(/"event":"outage","state":"over"/);
  expect(metricIn((await fetchText('metrics')).text, 'punto_ready')).toBe(1);

  guest.terminate();
  program.kill('SIGTERM');
  expect(await once(program, 'exit')).toEqual([0, null]);
  const lines = output()
    .trimEnd()
    .split('\n')
    .slice(3)
    .map((line) => JSON.parse(line) as { readonly event: string; readonly level: string });
  expect(lines.map(({ event }) => event)).toEqual(['started', 'outage', 'outage', 'stopping', 'ended']);
});

describe('of several nodes', () => {
  const { createDatabase } = databases('watch');

  test('the metrics endpoint shows which node has taken, lost or handed over a table', async () => {
    const [data, property] = [join(folder, 'several'), join(folder, 'several.jsonc')];
    writeFileSync(property, quickDemoOf(1_000, 'B01', 'X09'));
    const args = ['--data', data, '--property', property, '--store', `${server}/${await createDatabase()}`];
    const node = async () => {
      const port = await freePort();
      const changes = async (what: string, change: string): Promise<number> =>
        metricIn(
          await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
          `punto_lease_changes_total{of="${what}",change="${change}"}`,
        ) ?? 0;
      const until = async (what: string, change: string): Promise<void> => {
        while ((await changes(what, change)) === 0) await setTimeout(50);
      };
      const own = ['--port', String(await freePort()), '--metrics', String(port)];
      const { program, waitForOutput } = await started([...args, ...own]);
      await waitForOutput(/is open at/);
      return { program, changes, until };
    };
    const first = await node();
    await Promise.all(['floor', 'B01', 'X09'].map((what) => first.until(what, 'taken')));
    const second = await node();
    // The table whose round ends first is handed over first.
    await expect
      .poll(async () => (await first.changes('B01', 'given')) + (await first.changes('X09', 'given')), {
        timeout: 300_000,
      })
      .toBe(1);
    const [handedOver, remaining] = (await first.changes('B01', 'given')) === 1 ? ['B01', 'X09'] : ['X09', 'B01'];
    await second.until(handedOver, 'taken');
    expect(await second.changes('floor', 'taken')).toBe(0);
    // It sleeps through its leases, and wakes up.
    first.program.kill('SIGSTOP');
    await second.until(remaining, 'taken');
    await second.until('floor', 'taken');
    first.program.kill('SIGCONT');
    await first.until(remaining, 'lost');
    await first.until('floor', 'lost');
    expect(await second.changes('floor', 'lost')).toBe(0);
  });
});

test('the metrics endpoint counts dealt rounds', async () => {
  const property = join(folder, 'quick.jsonc');
  writeFileSync(property, quickDemoOf(500, 'B01'));
  const port = await freePort();
  await started(['--data', join(folder, 'quick'), '--property', property, '--metrics', `127.0.0.1:${port}`]);
  const settled = async (): Promise<number> =>
    metricIn(
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      'punto_rounds_total{table="B01",end="settled"}',
    ) ?? 0;
  await expect.poll(settled, { timeout: 600_000, interval: 200 }).toBeGreaterThanOrEqual(1);
});

test('a wrong or unavailable --metrics address is refused before the store is opened', async () => {
  const data = join(folder, 'none');
  for (const wrong of ['0', '65536', 'metrics', 'http://127.0.0.1:9464', '1:2:3', ':9464']) {
    const ran = await punto(['serve', '--data', data, '--metrics', wrong]);
    expect(ran, wrong).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toMatch(/^punto: --metrics is .+; write a port, .+ \(malformed-argument\)\n$/);
  }
  const blocked = createServer().listen(0, '127.0.0.1');
  await once(blocked, 'listening');
  const { port } = blocked.address() as { port: number };
  const ran = await punto(['serve', '--data', data, '--metrics', String(port)]);
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(ran.stderr).toBe(
    `punto: The address 127.0.0.1 port ${port} for --metrics is not available (EADDRINUSE); choose another address or port. (address-unavailable)\n`,
  );
  blocked.close();
});

test('a refused start is one JSON line with --log json, with the same exit code', async () => {
  const ran = await punto([
    'serve',
    '--data',
    join(folder, 'no'),
    '--property',
    join(folder, 'no.jsonc'),
    '--log',
    'json',
  ]);
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  expect(JSON.parse(ran.stderr)).toMatchObject({ level: 'fatal', event: 'refused', code: 'unreadable-file' });
  const property = join(folder, 'wrong.jsonc');
  writeFileSync(property, '{ "property": "house", }');
  const wrong = await punto(['serve', '--data', join(folder, 'no'), '--property', property, '--log', 'json']);
  const events = wrong.stderr
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event);
  expect(new Set(events)).toEqual(new Set(['mistake', 'refused']));
  expect(events.at(-1)).toBe('refused');
  const result = await punto(['serve', '--log', 'xml']);
  expect(result).toMatchObject({
    status: 2,
    stderr: 'punto: --log is "xml"; write text or json. (malformed-argument)\n',
  });
});
