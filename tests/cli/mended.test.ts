import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Guest, secretOf } from '../server/house.ts';
import { servers } from '../store/databases.ts';
import { type Server } from '../store/postgres.ts';
import { temporaryFolder } from '../temporary.ts';
import { punto } from './punto.ts';
import { type Started, demoOf, started } from './started.ts';

describe('what is wrong with a database', () => {
  const { start } = servers('mended');
  const folder = temporaryFolder('mended');
  let server: Server;
  let property: string;
  let made = 0;

  beforeAll(async () => {
    server = await start();
    const rules = join(server.data, 'pg_hba.conf');
    writeFileSync(rules, `host all keen 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await server.as('postgres', async (client) => {
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
    server.as(database, async (client) => {
      for (const text of texts) await client.query(text);
    });

  /** A new database, with what a command needs to know of it. */
  async function place(): Promise<{ readonly database: string; readonly data: string; readonly words: string[] }> {
    const [database, data] = [`d${made}`, join(folder, `data-${made}`)];
    made += 1;
    await sql('postgres', `CREATE DATABASE ${database} OWNER keen`);
    const address = `postgres://keen@127.0.0.1:${server.port}/${database}`;
    return { database, data, words: ['--property', property, '--data', data, '--store', address] };
  }

  const ends = async ({ program }: Started): Promise<void> => {
    program.kill('SIGTERM');
    expect(await once(program, 'exit')).toEqual([0, null]);
  };

  /** Sends bets until one is answered as wanted. */
  async function betUntil(guest: Guest, round: string, name: string, wanted: 'accepted' | 'refused'): Promise<string> {
    for (let n = 1; ; n++) {
      const id = `${name}-${String(n).padStart(6, '0')}`;
      const from = guest.heard.length;
      guest.say({ type: 'slip', id, table: 'B01', round, slip: { tie: 100 * (1 + (n % 9)) } });
      const answer = await Promise.any([
        guest.hears('accepted', (one) => one.id === id, from),
        guest.hears('refused', (one) => one.id === id, from),
      ]);
      if (answer.type === wanted) return 'code' in answer ? answer.code : answer.type;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  const put = (database: string): string =>
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`;

  type Trouble = {
    readonly what: string;
    /** What the operator reads. */
    readonly says: RegExp;
    readonly breaks: (database: string) => Promise<void>;
    readonly mends: (database: string) => Promise<void>;
  };
  const troubles: readonly Trouble[] = [
    {
      what: 'its disk is full',
      says: /the disk of the database is full/,
      breaks: (database) =>
        sql(
          database,
          `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
          'CREATE TRIGGER no_room BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION full_disk()',
        ),
      mends: (database) => sql(database, 'DROP TRIGGER no_room ON entries'),
    },
    {
      // A server without one waits for it as for one that is lost.
      what: 'its synchronous standby is lost',
      says: /the database does not answer: No answer came from .+; it is away, or waits for a synchronous standby that is lost\./,
      breaks: () => sql('postgres', "ALTER SYSTEM SET synchronous_standby_names = 'lost'", 'SELECT pg_reload_conf()'),
      // The operator goes on without it.
      mends: () => sql('postgres', 'ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()'),
    },
    {
      what: 'its password is another',
      says: /does not take that password for the user "keen"/,
      breaks: (database) => sql('postgres', "ALTER ROLE keen PASSWORD 'other'", put(database)),
      mends: () => sql('postgres', "ALTER ROLE keen PASSWORD 'right'"),
    },
    {
      what: 'it has no connection left',
      says: /has no connection left/,
      breaks: (database) => sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT 0', put(database)),
      mends: () => sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT -1'),
    },
    {
      what: 'it is not there',
      says: /has no database "d\d+"/,
      breaks: (database) =>
        sql(
          'postgres',
          `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`,
          put(database),
          `ALTER DATABASE ${database} RENAME TO elsewhere`,
        ),
      mends: (database) =>
        sql(
          'postgres',
          `ALTER DATABASE elsewhere RENAME TO ${database}`,
          `ALTER DATABASE ${database} ALLOW_CONNECTIONS true`,
        ),
    },
  ];

  test.each(troubles)(
    'while a floor plays is said, and play goes on by itself when it is mended: $what',
    async (one) => {
      const { database, data, words } = await place();
      const floor = await started(words);
      await floor.says(/is open at/);
      const guest = await Guest.seated(floor, secretOf('1'), 'B01');
      const { terminal } = await guest.hears('balance');
      const round = await guest.round();
      await betUntil(guest, round, 'before', 'accepted');
      await one.breaks(database);
      expect(await betUntil(guest, round, 'during', 'refused')).toMatch(/^(?:result-unknown|cannot-record)$/);
      await guest.hears('table', ({ view }) => view.stopped?.kind === 'cannot-record');
      await floor.says(one.says);
      const from = guest.heard.length;
      await one.mends(database);
      await guest.hears('table', ({ view }) => view.stopped === null, from);
      await betUntil(guest, round, 'after', 'accepted');
      await floor.says(/punto: writing works again after \d+\.\d s; it failed /);
      const accepted = guest.heard.flatMap((told) => (told.type === 'accepted' ? [told.id] : []));
      guest.leave();
      await ends(floor);
      const verified = await punto(['verify', ...words.slice(2)]);
      expect([verified.status, verified.stderr, data]).toEqual([0, '', data]);
      // All that was acknowledged is there, once.
      const { rows } = await server.as(database, (client) =>
        client.query('SELECT command FROM entries WHERE command = ANY ($1)', [
          accepted.map((id) => `${id}/${terminal}`),
        ]),
      );
      expect(rows).toHaveLength(accepted.length);
    },
  );

  test('before a start is one sentence, nothing is lost, and it starts when that is mended', async () => {
    const { database, data, words } = await place();
    const first = await started(words);
    await first.says(/is open at/);
    const guest = await Guest.seated(first, secretOf('1'), 'B01');
    const round = await guest.round();
    await betUntil(guest, round, 'before', 'accepted');
    guest.leave();
    await ends(first);
    const refused = async (wanted: RegExp): Promise<void> => {
      const ran = await punto(['serve', ...words]);
      expect([ran.status, ran.stdout]).toEqual([1, '']);
      expect(ran.stderr).toMatch(/^punto: [^\n]+ \([a-z-]+\)\n$/);
      expect(ran.stderr).toMatch(wanted);
    };
    const before = await punto(['export', ...words.slice(4)]);

    vi.stubEnv('PGPASSWORD', 'wrong');
    await refused(/does not take that password for the user "keen"; .+ \(unusable-data\)/);
    vi.stubEnv('PGPASSWORD', 'right');

    await sql('postgres', `ALTER DATABASE ${database} RENAME TO gone`);
    await refused(/has no database "d\d+"; make it, or name another\. \(unusable-data\)/);
    // In its place one of another program.
    await sql('postgres', `CREATE DATABASE ${database} OWNER keen`);
    await sql(database, 'CREATE TABLE customers (name text)');
    await refused(/holds tables of another program, such as "customers"; .+ \(unusable-data\)/);
    await sql('postgres', `DROP DATABASE ${database}`, `ALTER DATABASE gone RENAME TO ${database}`);

    await sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT 0');
    await refused(/has no connection left; .+ \(unusable-data\)/);
    await sql('postgres', 'ALTER ROLE keen CONNECTION LIMIT -1');

    await sql(database, 'INSERT INTO punto_schema SELECT max(version) + 1, now() FROM punto_schema');
    await refused(
      /^punto: The event store has schema \d+ and this program knows schemas up to \d+; .+ \(newer-record\)/,
    );
    await sql(database, 'DELETE FROM punto_schema WHERE version = (SELECT max(version) FROM punto_schema)');

    renameSync(`${data}.key`, `${data}.kept`);
    writeFileSync(`${data}.key`, new Uint8Array(32), { mode: 0o600 });
    await refused(/^punto: The key does not open .+ \(wrong-key\)/);
    renameSync(`${data}.kept`, `${data}.key`);

    await sql(
      database,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
      'CREATE TRIGGER no_room BEFORE INSERT ON checkpoints FOR EACH ROW EXECUTE FUNCTION full_disk()',
    );
    await refused(
      /takes nothing \(.+the disk of the database is full.+\); see to it, and start again\. \(cannot-record\)/,
    );
    await sql(database, 'DROP TRIGGER no_room ON checkpoints');

    expect(await punto(['export', ...words.slice(4)])).toEqual(before);
    const again = await started(words);
    await again.says(/is open at/);
    const back = await Guest.seated(again, secretOf('1'), 'B01');
    await betUntil(back, round, 'after', 'accepted');
    back.leave();
    await ends(again);
    expect(await punto(['verify', ...words.slice(2)])).toMatchObject({ status: 0, stderr: '' });
  });
});
