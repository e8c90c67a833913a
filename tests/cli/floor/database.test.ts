import { once } from 'node:events';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { databases, server } from '../../store/postgres/databases.ts';
import { withClient } from '../../store/postgres/postgres.ts';
import { freePort } from '../../freePort.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { quickDemoOf, started } from '../support/serverProcess.ts';

const root = temporaryFolder('database');

/** Two tables whose rounds last a few seconds. */
const property = join(root, 'property.jsonc');
beforeAll(() => writeFileSync(property, quickDemoOf(1_000, 'B01', 'X09')));

describe('a floor on a database', () => {
  const { createDatabase } = databases('floor');
  const addressOf = (database: string): string => `${server}/${database}`;
  const serveArgs = (data: string, database: string): readonly string[] => [
    '--property',
    property,
    '--data',
    data,
    '--store',
    addressOf(database),
  ];

  /** A port of its own, since other tests take the default ports for a moment. */
  const at = async (): Promise<readonly string[]> => ['--port', String(await freePort())];

  /**
   * Stakes something on the next round that takes bets and was not staked on before; gives the number of that round. One
   * that has closed by then is followed by another, with an id of its own.
   */
  async function bets(
    guest: PatronSocket,
    name: string,
    before = 0,
  ): Promise<{ readonly round: number; readonly id: string }> {
    for (let last = before, n = 0; ; n++) {
      const { table, view } = await guest.receive(
        'table',
        (one) => one.view.phase === 'betting' && one.view.round !== null && one.view.round.number > last,
      );
      const { id: round, number } = view.round!;
      const id = `${name}-${n}`;
      guest.send({ type: 'slip', id, table, round, slip: { banker: 500 } });
      const answer = await Promise.any([
        guest.receive('accepted', (one) => one.id === id),
        guest.receive('refused', (one) => one.id === id),
      ]);
      if (answer.type === 'accepted') return { round: number, id };
      expect(answer.code).toBe('bets-closed');
      last = number;
    }
  }

  test('keeps every accepted bet when it is killed and started again, and its store verifies', async () => {
    const [database, data] = [await createDatabase(), join(root, 'killed')];
    const first = await started(serveArgs(data, database));
    await first.waitForOutput(/is open at/);
    const names = ['slip-one', 'slip-two', 'slip-three'];
    const ids: string[] = [];
    let guest = await PatronSocket.join(first, secretOf('a'), 'B01');
    const { terminal } = await guest.receive('balance');
    let last = 0;
    for (const name of names) {
      const { round, id } = await bets(guest, name, last);
      ids.push(id);
      last = round;
    }
    first.program.kill('SIGKILL');
    await once(first.program, 'exit');

    // It waits until the one that was killed has been silent for long enough.
    const second = await started([...serveArgs(data, database), ...(await at())]);
    await second.waitForOutput(/is open at/);
    guest = await PatronSocket.join(second, secretOf('a'), 'B01');
    expect((await guest.receive('balance')).terminal).toBe(terminal);
    ids.push((await bets(guest, 'slip-four', last)).id);
    second.program.kill('SIGTERM');
    expect(await once(second.program, 'exit')).toEqual([0, null]);

    const { status, stdout, stderr } = await punto(['verify', '--data', data, '--store', addressOf(database)]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Everything is as it was written, and all amounts add up.');
    expect(stdout).toContain('Every entry is covered by a signature.');
    expect(stdout).toContain('Blobs decrypted and equal to');
    const accepted = await withClient(server, database, (client) =>
      client.query(`SELECT command FROM entries WHERE command LIKE 'slip-%/${terminal}' ORDER BY append_order`),
    );
    expect(accepted.rows.map(({ command }) => command as string)).toEqual(ids.map((id) => `${id}/${terminal}`));
  });

  test('logs no outage at its first start and after a kill', async () => {
    const [database, data] = [await createDatabase(), join(root, 'calm')];
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const { program, waitForOutput } = await started([
        ...serveArgs(data, database),
        '--log',
        'json',
        ...(await at()),
      ]);
      let log = '';
      program.stderr.on('data', (text: Buffer) => (log += text.toString()));
      await waitForOutput(/is open at/);
      // Several heartbeats, each with an anchor.
      await setTimeout(3_000);
      program.kill(signal);
      await once(program, 'close');
      const events = log
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { event?: string }).event);
      expect(events).toEqual(signal === 'SIGKILL' ? ['started'] : ['started', 'stopping', 'ended']);
    }
  });

  test('makes the folder of its keys, and names a file that it cannot use', async () => {
    const [database, data] = [await createDatabase(), join(root, 'new/folder/data')];
    const { program, waitForOutput } = await started([...serveArgs(data, database), ...(await at())]);
    await waitForOutput(/is open at/);
    expect([`${data}.key`, `${data}.signer`, `${data}.anchor`].map((file) => existsSync(file))).toEqual([
      true,
      true,
      true,
    ]);
    program.kill('SIGTERM');
    await once(program, 'exit');
    const { stderr } = await punto([
      'serve',
      ...serveArgs(join(root, 'elsewhere'), await createDatabase()),
      '--key',
      join(root, 'none/key'),
    ]);
    expect(stderr).toMatch(
      /^punto: The file "[^"]+\/none\/key[^"]*" cannot be used \(ENOENT\); create its folder\. \(unusable-data\)\n$/,
    );
  });

  test('is refused with one sentence when it cannot start, and nothing is changed', async () => {
    const [database, data] = [await createDatabase(), join(root, 'refused')];
    const sentence = async (...more: readonly string[]): Promise<string> => (await punto(['serve', ...more])).stderr;
    expect(await sentence('--store', 'postgres://punto@127.0.0.1:1/d', '--data', data)).toBe(
      'punto: The database postgres://punto@127.0.0.1:1/d cannot be used: 127.0.0.1:1 refuses connections: no server listens there. (unusable-data)\n',
    );
    expect(await sentence('--store', 'postgres://punto:word@127.0.0.1:1/d', '--data', data)).toMatch(
      /^punto: A database URL must not contain a password, .+ \(unusable-data\)\n$/,
    );
    expect(await sentence('--key', 'k', '--data', data)).toMatch(
      /give --key only with --store\. \(malformed-argument\)\n$/,
    );
    const key = join(root, 'shared.key');
    const first = await started([...serveArgs(data, database), '--key', key]);
    await first.waitForOutput(/is open at/);
    expect([existsSync(key), existsSync(`${data}.key`)]).toEqual([true, false]);
    first.program.kill('SIGTERM');
    expect(await once(first.program, 'exit'), first.output()).toEqual([0, null]);

    expect(await sentence(...serveArgs(data, database))).toMatch(
      /^punto: The key .+ is missing; put back .+ \(wrong-key\)\n$/,
    );
    writeFileSync(`${data}.key`, new Uint8Array(32));
    expect(await sentence(...serveArgs(data, database))).toMatch(/^punto: The data key is not .+ \(wrong-key\)\n$/);
    expect(await punto(['verify', '--data', data, '--store', addressOf(database), '--key', key])).toMatchObject({
      status: 0,
    });

    const other = await createDatabase();
    expect(await sentence(...serveArgs(data, other))).toMatch(
      /^punto: There is no event store in the database .+; put the event log back, .+ Its anchor lists \d+ entries .+ \(missing-record\)\n$/,
    );
    await withClient(server, other, (client) => client.query('CREATE TABLE chips (colour text)'));
    rmSync(`${data}.key`);
    renameSync(`${data}.anchor`, `${data}.kept`);
    expect(await sentence(...serveArgs(data, other))).toMatch(
      /contains tables of another program, such as "chips".+ \(unusable-data\)\n$/,
    );
    await withClient(server, database, (client) =>
      client.query('INSERT INTO punto_schema SELECT max(version) + 1, now() FROM punto_schema'),
    );
    expect(await sentence(...serveArgs(data, database))).toMatch(
      /^punto: The event store has schema \d+, .+ \(newer-record\)\n$/,
    );
  });

  test('shares its tables between two nodes that start together; a third leads none; punto nodes lists the leaders', async () => {
    const [database, data] = [await createDatabase(), join(root, 'several')];
    const nodes = async (): Promise<readonly string[]> =>
      (await punto(['nodes', '--store', addressOf(database)])).stdout.trim().split('\n');
    const waitForNodes = async (matches: (rows: readonly string[]) => boolean): Promise<readonly string[]> => {
      for (;;) {
        const rows = (await nodes()).slice(1);
        if (matches(rows)) return rows;
        await setTimeout(100);
      }
    };
    expect(await nodes()).toEqual(['No node is running.']);
    const all = serveArgs(data, database);
    const ports = [await at(), await at()];
    const both = await Promise.all(ports.map((own) => started([...all, ...own])));
    for (const one of both) await one.waitForOutput(/is open at/);
    const port = await freePort();
    const third = await started([...all, ...(await at()), '--tables', 'none', '--node', `http://localhost:${port}/`]);
    await third.waitForOutput(/is open at/);
    const isShared = [/leads (B01|X09)(;|$)/, /leads (B01|X09)(;|$)/, /leads no table/];
    const rows = await waitForNodes(
      (listed) => listed.length === 3 && listed.every((row, index) => isShared[index]!.test(row)),
    );
    expect(rows.filter((row) => row.includes('signs checkpoints'))).toHaveLength(1);
    expect(rows[2]).toContain(`http://localhost:${port}/`);

    // The leader of B01 is killed and another node leads it; the third may not lead.
    const guest = await PatronSocket.join(third, secretOf('b'), 'B01');
    const { round } = await bets(guest, 'slip-early');
    const leaderRow = rows.findIndex((row) => row.includes('leads B01'));
    const leader = both.find(({ address }) => rows[leaderRow]!.includes(address))!;
    leader.program.kill('SIGKILL');
    await bets(guest, 'slip-later', round);
    const later = await waitForNodes((listed) =>
      listed.some((row) => row.includes('leads B01, X09; signs checkpoints')),
    );
    expect(later.filter((row) => /leads (B01|X09)/.test(row))).toHaveLength(1);
    guest.terminate();
    for (const one of [both.find((other) => other !== leader)!, third]) {
      one.program.kill('SIGTERM');
      expect(await once(one.program, 'exit')).toEqual([0, null]);
    }
    expect(await punto(['verify', '--data', data, '--store', addressOf(database)])).toMatchObject({ status: 0 });
  });

  test('warns early when a node could not take over', async () => {
    const [database, data] = [await createDatabase(), join(root, 'unready')];
    const leader = await started(serveArgs(data, database));
    const other = await punto(['serve', ...serveArgs(join(root, 'elsewhere'), database)]);
    expect(other).toMatchObject({ status: 1, stdout: '' });
    expect(other.stderr).toMatch(/^punto: The file .+elsewhere\.key is missing; .+ \(wrong-key\)\n$/);
    leader.program.kill('SIGTERM');
    await once(leader.program, 'exit');
  });

  test.each([
    ['--lease', '100'],
    ['--tables', 'some'],
    ['--node', 'activity'],
  ])('refuses a malformed %s', async (option, value) => {
    const refused = await punto(['serve', '--store', 'postgres://punto@127.0.0.1:1/d', option, value]);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(new RegExp(`^punto: ${option} is .+ \\(malformed-argument\\)\n$`));
  });
});
