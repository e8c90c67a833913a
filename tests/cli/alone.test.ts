import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ServerMessageOf } from '../../src/wire/messages.ts';
import { Guest, secretOf } from '../server/house.ts';
import { databases, server } from '../store/databases.ts';
import { asIn } from '../store/postgres.ts';
import { temporaryFolder } from '../temporary.ts';
import { type Ran, punto } from './punto.ts';
import { type Started, demoOf, started } from './started.ts';

const root = temporaryFolder('alone');
const data = join(root, 'data');
const key = join(root, 'shared.key');
const property = join(root, 'property.jsonc');
beforeAll(() => writeFileSync(property, demoOf('B01')));

describe('a record in a database', () => {
  const { fresh } = databases('alone');
  let address: string;
  beforeAll(async () => void (address = `${server}/${await fresh()}`));
  const where = (): readonly string[] => ['--data', data, '--store', address, '--key', key];
  const ran = (...words: readonly string[]): Promise<Ran> => punto([...words, ...where()]);
  const serves = (): Promise<Started> => started(['--property', property, ...where()]);
  const ends = async ({ program }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    program.kill(signal);
    await once(program, 'exit');
  };
  let ticket = '';

  const acts = (): readonly (readonly string[])[] => [
    ['enrol', 'T7'],
    ['revoke', 'T1-1'],
    ['people', 'reset', 'N-1'],
    ['pay', '--cage', 'C-1', '--ticket', ticket],
    ['rotate'],
  ];

  test('must be there before anything is done on it', async () => {
    for (const act of [['enrol', 'T7'], ['rotate'], ['people', 'reset', 'N-1']]) {
      const { status, stderr } = await ran(...act);
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^punto: There is no record .+ \(missing-record\)\n$/),
      ]);
    }
    const without = await punto(['enrol', '--data', data, '--key', key, 'T7']);
    expect(without.stderr).toMatch(/give --key with --store alone\. \(malformed-argument\)\n$/);
  });

  test('is left alone by every command while a node is there, be it one that drives nothing, in one sentence', async () => {
    const floor = await serves();
    await floor.says(/is open at/);
    const guest = await Guest.seated(floor, secretOf('a'), 'B01');
    guest.say({ type: 'collect', id: 'collect-a' });
    const collected: ServerMessageOf<'collected'> = await guest.hears('collected');
    ticket = collected.ticket!.number;
    guest.leave();
    for (const act of acts()) {
      const { status, stdout, stderr } = await ran(...act);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^punto: Node \w{8} runs on the database \S+ \(last heard of \d+\.\d s ago\); stop it first\. \(data-in-use\)\n$/,
      );
    }
    await ends(floor);
    const gate = await started(['--property', property, ...where(), '--tables', 'none']);
    expect(gate.said()).toMatch(/^Nobody has opened the floor yet; this node, which drives no tables, joins /);
    expect((await ran('rotate')).stderr).toContain('(data-in-use)');
    await ends(gate);
  });

  test('is paid from, enrolled at, revoked at, reset and given other keys once no node is there, and verifies', async () => {
    expect(await ran('pay', '--cage', 'C-1', '--ticket', ticket)).toMatchObject({
      status: 0,
      stdout: '1,000.00 XTS is paid for the ticket, by C-1.\n',
    });
    expect((await ran('pay', '--cage', 'C-1', '--ticket', ticket)).stderr).toContain('(ticket-paid)');
    expect((await ran('enrol', 'T7')).stdout).toMatch(/^The key of the terminal T7, shown this once: [0-9a-f]{64}\n$/);
    expect((await ran('enrol', 'T7')).stderr).toContain('(already-enrolled)');
    expect(await ran('revoke', 'T7')).toMatchObject({ status: 0, stdout: 'No secret leads to T7 any more.\n' });
    expect((await ran('people', 'reset', 'N-1')).stdout).toMatch(/^The password of N-1 is \S{19}, /);
    const before = readFileSync(key);
    const rotated = await ran('rotate');
    expect([rotated.status, rotated.stderr]).toEqual([0, '']);
    expect(rotated.stdout).toContain(`is sealed with the new key ${key}.`);
    expect(readFileSync(`${key}.former-1`)).toEqual(before);
    const verified = await ran('verify');
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    expect(verified.stdout).toContain('Every entry is covered by a signature.');
    expect((await punto(['nodes', '--store', address])).stdout).toBe('Nobody is there.\n');
  });

  test('is waited for while another command is at work, and goes on with a floor after that', async () => {
    // Another command holds what whoever drives the floor holds, for two seconds.
    await asIn(server, address.split('/').at(-1)!, (client) =>
      client.query(
        `INSERT INTO leases (name, node, since, until)
         VALUES ('floor', 'command', clock_timestamp(), clock_timestamp() + interval '2 seconds')
         ON CONFLICT (name) DO UPDATE SET node = excluded.node, since = excluded.since, until = excluded.until`,
      ),
    );
    expect((await ran('enrol', 'T8')).status).toBe(0);
    const floor = await serves();
    await floor.says(/is open at/);
    await ends(floor, 'SIGKILL');
    // One that was killed may be there still, as far as anybody knows.
    expect((await ran('enrol', 'T9')).stderr).toContain('(data-in-use)');
  });
});
