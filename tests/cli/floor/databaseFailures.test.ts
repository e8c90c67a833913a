import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { servers } from '../../store/postgres/databases.ts';
import { type PostgresServer } from '../../store/postgres/postgres.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';
import { type ServerProcess, demoOf, started } from '../support/serverProcess.ts';

describe('a database failure', () => {
  const { start } = servers('recovered');
  const folder = temporaryFolder('recovered');
  let server: PostgresServer;
  let property: string;
  let databaseCount = 0;

  beforeAll(async () => {
    server = await start();
    const rules = join(server.data, 'pg_hba.conf');
    writeFileSync(rules, `host all keen 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await server.withClient('postgres', async (client) => {
      await client.query("CREATE ROLE keen LOGIN PASSWORD 'right'");
      await client.query('SELECT pg_reload_conf()');
    });
    property = join(folder, 'property.jsonc');
    const demo = demoOf('B01').replace('"bettingTime": 15000', '"bettingTime": 600000, "interruption": 600000');
    writeFileSync(property, demo);
    vi.stubEnv('PGPASSWORD', 'right');
  });
  afterAll(() => void vi.unstubAllEnvs());

  const sql = async (database: string, ...texts: readonly string[]): Promise<void> =>
    server.withClient(database, async (client) => {
      for (const text of texts) await client.query(text);
    });

  /** Creates a database and returns the options of a command for it. */
  async function createDatabase(): Promise<{
    readonly database: string;
    readonly data: string;
    readonly words: string[];
  }> {
    const [database, data] = [`d${databaseCount}`, join(folder, `data-${databaseCount}`)];
    databaseCount += 1;
    await sql('postgres', `CREATE DATABASE ${database} OWNER keen`);
    const address = `postgres://keen@127.0.0.1:${server.port}/${database}`;
    return { database, data, words: ['--property', property, '--data', data, '--store', address] };
  }

  const stopFloor = async ({ program }: ServerProcess): Promise<void> => {
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  };

  /** Sends bets until one gets the wanted answer. */
  async function betUntil(
    guest: PatronSocket,
    round: string,
    name: string,
    expectedAnswer: 'accepted' | 'refused',
  ): Promise<string> {
    for (let n = 1; ; n++) {
      const id = `${name}-${String(n).padStart(6, '0')}`;
      const from = guest.received.length;
      guest.send({ type: 'slip', id, table: 'B01', round, slip: { tie: 100 * (1 + (n % 9)) } });
      const answer = await Promise.any([
        guest.receive('accepted', (reply) => reply.id === id, from),
        guest.receive('refused', (one) => one.id === id, from),
      ]);
      if (answer.type === expectedAnswer) return 'code' in answer ? answer.code : answer.type;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  const disconnectAll = (database: string): string =>
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`;

  type DatabaseFault = {
    readonly what: string;
    /** Log line for the operator. */
    readonly logPattern: RegExp;
    readonly inject: (database: string) => Promise<void>;
    readonly repair: (database: string) => Promise<void>;
  };
  const faults: readonly DatabaseFault[] = [
    {
      what: 'its disk is full',
      logPattern: /the disk of the database is full/,
      inject: (database) =>
        sql(
          database,
          `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
          'CREATE TRIGGER no_room BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION full_disk()',
        ),
      repair: (database) => sql(database, 'DROP TRIGGER no_room ON entries'),
    },
    {
      // A standby that never existed has the same effect as a lost one.
      what: 'its synchronous standby is lost',
      logPattern:
        /the database does not answer: No answer came from .+; the database is down, or waits for a synchronous standby that is down\./,
      inject: () => sql('postgres', "ALTER SYSTEM SET synchronous_standby_names = 'lost'", 'SELECT pg_reload_conf()'),
      // The operator removes the standby.
      repair: () => sql('postgres', 'ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()'),
    },
    {
      what: 'its password is another',
      logPattern: /rejects the password of the user "keen"/,
      inject: (database) => sql('postgres', "ALTER ROLE keen PASSWORD 'other'", disconnectAll(database)),
      repair: () => sql('postgres', "ALTER ROLE keen PASSWORD 'right'"),
    },
    {
      what: 'it has no free connection',
      logPattern: /has no free connection/,
      inject: (database) => sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT 0', disconnectAll(database)),
      repair: () => sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT -1'),
    },
    {
      what: 'it is not there',
      logPattern: /has no database "d\d+"/,
      inject: (database) =>
        sql(
          'postgres',
          `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`,
          disconnectAll(database),
          `ALTER DATABASE ${database} RENAME TO elsewhere`,
        ),
      repair: (database) =>
        sql(
          'postgres',
          `ALTER DATABASE elsewhere RENAME TO ${database}`,
          `ALTER DATABASE ${database} ALLOW_CONNECTIONS true`,
        ),
    },
  ];

  test.each(faults)('is reported while a floor runs, and play continues when it is fixed: $what', async (one) => {
    const { database, data, words: args } = await createDatabase();
    const floor = await started(args);
    await floor.waitForOutput(/is open at/);
    const guest = await PatronSocket.join(floor, secretOf('1'), 'B01');
    const { terminal } = await guest.receive('balance');
    const round = await guest.bettingRound();
    await betUntil(guest, round, 'before', 'accepted');
    await one.inject(database);
    expect(await betUntil(guest, round, 'during', 'refused')).toMatch(/^(?:result-unknown|cannot-record)$/);
    await guest.receive('table', ({ view }) => view.stopped?.kind === 'cannot-record');
    await floor.waitForOutput(one.logPattern);
    const from = guest.received.length;
    await one.repair(database);
    await guest.receive('table', ({ view }) => view.stopped === null, from);
    await betUntil(guest, round, 'after', 'accepted');
    await floor.waitForOutput(/punto: writing works again after \d+\.\d s; before that it failed /);
    const accepted = guest.received.flatMap((message) => (message.type === 'accepted' ? [message.id] : []));
    guest.terminate();
    await stopFloor(floor);
    const verified = await punto(['verify', ...args.slice(2)]);
    expect([verified.status, verified.stderr, data]).toEqual([0, '', data]);
    // Every acknowledged bet is stored once.
    const { rows } = await server.withClient(database, (client) =>
      client.query('SELECT command FROM entries WHERE command = ANY ($1)', [accepted.map((id) => `${id}/${terminal}`)]),
    );
    expect(rows).toHaveLength(accepted.length);
  });

  test('refuses a start with one sentence, loses nothing, and the floor starts when it is fixed', async () => {
    const { database, data, words: args } = await createDatabase();
    const first = await started(args);
    await first.waitForOutput(/is open at/);
    const guest = await PatronSocket.join(first, secretOf('1'), 'B01');
    const round = await guest.bettingRound();
    await betUntil(guest, round, 'before', 'accepted');
    guest.terminate();
    await stopFloor(first);
    const expectRefusal = async (expectedAnswer: RegExp): Promise<void> => {
      const ran = await punto(['serve', ...args]);
      expect([ran.status, ran.stdout]).toEqual([1, '']);
      expect(ran.stderr).toMatch(/^punto: [^\n]+ \([a-z-]+\)\n$/);
      expect(ran.stderr).toMatch(expectedAnswer);
    };
    const before = await punto(['export', ...args.slice(4)]);

    vi.stubEnv('PGPASSWORD', 'wrong');
    await expectRefusal(/rejects the password of the user "keen"; .+ \(unusable-data\)/);
    vi.stubEnv('PGPASSWORD', 'right');

    await sql('postgres', `ALTER DATABASE ${database} RENAME TO gone`);
    await expectRefusal(/has no database "d\d+"; create the database, or name another\. \(unusable-data\)/);
    // A database of another program has its name.
    await sql('postgres', `CREATE DATABASE ${database} OWNER keen`);
    await sql(database, 'CREATE TABLE customers (name text)');
    await expectRefusal(/contains tables of another program, such as "customers"; .+ \(unusable-data\)/);
    await sql('postgres', `DROP DATABASE ${database}`, `ALTER DATABASE gone RENAME TO ${database}`);

    await sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT 0');
    await expectRefusal(/has no free connection; .+ \(unusable-data\)/);
    await sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT -1');

    await sql(database, 'INSERT INTO punto_schema SELECT max(version) + 1, now() FROM punto_schema');
    await expectRefusal(
      /^punto: The event store has schema \d+, and this program reads schemas up to \d+; .+ \(newer-record\)/,
    );
    await sql(database, 'DELETE FROM punto_schema WHERE version = (SELECT max(version) FROM punto_schema)');

    renameSync(`${data}.key`, `${data}.kept`);
    writeFileSync(`${data}.key`, new Uint8Array(32), { mode: 0o600 });
    await expectRefusal(/^punto: The data key is not .+ \(wrong-key\)/);
    renameSync(`${data}.kept`, `${data}.key`);

    await sql(
      database,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
      'CREATE TRIGGER no_room BEFORE INSERT ON checkpoints FOR EACH ROW EXECUTE FUNCTION full_disk()',
    );
    await expectRefusal(
      /accepts no writes \(.+the disk of the database is full.+\); repair it and start again\. \(cannot-record\)/,
    );
    await sql(database, 'DROP TRIGGER no_room ON checkpoints');

    expect(await punto(['export', ...args.slice(4)])).toEqual(before);
    const again = await started(args);
    await again.waitForOutput(/is open at/);
    const returning = await PatronSocket.join(again, secretOf('1'), 'B01');
    await betUntil(returning, round, 'after', 'accepted');
    returning.terminate();
    await stopFloor(again);
    expect(await punto(['verify', ...args.slice(2)])).toMatchObject({ status: 0, stderr: '' });
  });
});
