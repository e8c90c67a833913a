import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ServerMessageOf } from '../../../src/wire/messages.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { databases, server } from '../../store/postgres/databases.ts';
import { withClient } from '../../store/postgres/postgres.ts';
import { temporaryFolder } from '../../temporary.ts';
import { type RunResult, punto } from '../support/punto.ts';
import { type ServerProcess, demoOf, started } from '../support/serverProcess.ts';

const root = temporaryFolder('alone');
const data = join(root, 'data');
const key = join(root, 'shared.key');
const property = join(root, 'property.jsonc');
beforeAll(() => writeFileSync(property, demoOf('B01')));

describe('a command that needs the store for itself', () => {
  const { createDatabase } = databases('alone');
  let address: string;
  beforeAll(async () => void (address = `${server}/${await createDatabase()}`));
  const storeOptions = (): readonly string[] => ['--data', data, '--store', address, '--key', key];
  const runCommand = (...args: readonly string[]): Promise<RunResult> => punto([...args, ...storeOptions()]);
  const startFloor = (): Promise<ServerProcess> => started(['--property', property, ...storeOptions()]);
  const stopFloor = async ({ program }: ServerProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    program.kill(signal);
    await once(program, 'exit');
  };
  let ticket = '';

  const commandLines = (): readonly (readonly string[])[] => [
    ['enrol', 'T7'],
    ['revoke', 'T1-1'],
    ['staff', 'reset', 'N-1'],
    ['pay', '--cage', 'C-1', '--ticket', ticket],
    ['rotate'],
  ];

  test('the command is refused when the database has no store', async () => {
    for (const commandLine of [['enrol', 'T7'], ['rotate'], ['staff', 'reset', 'N-1']]) {
      const { status, stderr } = await runCommand(...commandLine);
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^punto: There is no event store .+ \(missing-record\)\n$/),
      ]);
    }
    const without = await punto(['enrol', '--data', data, '--key', key, 'T7']);
    expect(without.stderr).toMatch(/give --key only with --store\. \(malformed-argument\)\n$/);
  });

  test('every command is refused with data-in-use while a node runs, also one that leads no tables', async () => {
    const floor = await startFloor();
    await floor.waitForOutput(/is open at/);
    const guest = await PatronSocket.join(floor, secretOf('a'), 'B01');
    guest.send({ type: 'collect', id: 'collect-a' });
    const collected: ServerMessageOf<'collected'> = await guest.receive('collected');
    ticket = collected.ticket!.number;
    guest.terminate();
    for (const commandLine of commandLines()) {
      const { status, stdout, stderr } = await runCommand(...commandLine);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^punto: Node \w{8} runs on the database \S+ \(last heartbeat \d+\.\d s ago\); stop it first\. \(data-in-use\)\n$/,
      );
    }
    await stopFloor(floor);
    const nodeWithoutTables = await started(['--property', property, ...storeOptions(), '--tables', 'none']);
    expect(nodeWithoutTables.output()).toMatch(
      /^No node has opened the floor yet; this node leads no tables and waits until another node has opened the floor/,
    );
    expect((await runCommand('rotate')).stderr).toContain('(data-in-use)');
    await stopFloor(nodeWithoutTables);
  });

  test('pay, enrol, revoke, staff reset and rotate work when no node runs, and the store verifies', async () => {
    expect(await runCommand('pay', '--cage', 'C-1', '--ticket', ticket)).toMatchObject({
      status: 0,
      stdout: '1,000.00 XTS is paid for the ticket, by C-1.\n',
    });
    expect((await runCommand('pay', '--cage', 'C-1', '--ticket', ticket)).stderr).toContain('(ticket-paid)');
    expect((await runCommand('enrol', 'T7')).stdout).toMatch(
      /^The key of the terminal T7, shown only this once: [0-9a-f]{64}\n$/,
    );
    expect((await runCommand('enrol', 'T7')).stderr).toContain('(already-enrolled)');
    expect(await runCommand('revoke', 'T7')).toMatchObject({
      status: 0,
      stdout: 'All keys of T7 are revoked; no browser or device can use it.\n',
    });
    expect((await runCommand('staff', 'reset', 'N-1')).stdout).toMatch(/^The password of N-1 is \S{19}\. /);
    const before = readFileSync(key);
    const rotated = await runCommand('rotate');
    expect([rotated.status, rotated.stderr]).toEqual([0, '']);
    expect(rotated.stdout).toContain(`encrypted with the new key ${key}: `);
    expect(readFileSync(`${key}.former-1`)).toEqual(before);
    const verified = await runCommand('verify');
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    expect(verified.stdout).toContain('Every entry is covered by a signature.');
    expect((await punto(['nodes', '--store', address])).stdout).toBe('No node is running.\n');
  });

  test('a command waits while another holds the lease, and a floor starts after it', async () => {
    // Another command holds the lease of the floor for two seconds.
    await withClient(server, address.split('/').at(-1)!, (client) =>
      client.query(
        `INSERT INTO leases (name, node, since, until)
         VALUES ('floor', 'command', clock_timestamp(), clock_timestamp() + interval '2 seconds')
         ON CONFLICT (name) DO UPDATE SET node = excluded.node, since = excluded.since, until = excluded.until`,
      ),
    );
    expect((await runCommand('enrol', 'T8')).status).toBe(0);
    const floor = await startFloor();
    await floor.waitForOutput(/is open at/);
    await stopFloor(floor, 'SIGKILL');
    // A killed node counts as present until its lease has expired.
    expect((await runCommand('enrol', 'T9')).stderr).toContain('(data-in-use)');
  });
});
