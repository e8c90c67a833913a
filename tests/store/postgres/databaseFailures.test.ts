import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SchemaTooNewError } from '../../../src/store/schemaVersion.ts';
import {
  type PostgresStoreOptions,
  openPostgresWholeStoreReader,
  openPostgresStore,
} from '../../../src/store/postgres/postgresStore.ts';
import { DamagedStoreError, MissingStoreError, type Store, UnusableStoreError } from '../../../src/store/store.ts';
import { DatabaseUnavailableError, StoreWriterEndedError, WriteFailedError } from '../../../src/store/failures.ts';
import { temporaryFolder } from '../../temporary.ts';
import { entry, load, terminal } from '../storeContract.ts';
import { certificateFor } from './certificate.ts';
import { servers } from './databases.ts';
import { type PostgresServer, giveToServer } from './postgres.ts';

/** The error of a rejected promise. */
const failure = async (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => expect.unreachable('It does not fail.'),
    (error: unknown) => error as Error,
  );

describe('failures of a database', () => {
  const { start } = servers('failures');
  const folder = temporaryFolder('failures');
  let server: PostgresServer;
  let databaseCount = 0;

  beforeAll(async () => {
    server = await start();
    const rules = join(server.data, 'pg_hba.conf');
    writeFileSync(rules, `host all keen 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await server.withClient('postgres', async (client) => {
      await client.query("CREATE ROLE keen LOGIN PASSWORD 'right'");
      await client.query('CREATE ROLE few LOGIN CONNECTION LIMIT 2');
      await client.query('SELECT pg_reload_conf()');
    });
  });

  const createDatabase = async (owner = 'punto', options = ''): Promise<string> => {
    const name = `d${databaseCount++}`;
    await server.withClient('postgres', (client) => client.query(`CREATE DATABASE ${name} OWNER ${owner} ${options}`));
    return name;
  };
  const open = async (address: string, opening: PostgresStoreOptions = {}): Promise<Store> => {
    const store = await openPostgresStore(address, opening);
    onTestFinished(() => store.close());
    return store;
  };
  const sql = (database: string, text: string): Promise<unknown> =>
    server.withClient(database, (client) => client.query(text));
  const append = (store: Store, after: number) =>
    store.append({ stream: 'a', after, entries: [entry(after, load(5), `c${after}`)] });

  test('a wrong or missing password is one sentence, and a password file is used', async () => {
    const database = await createDatabase('keen');
    const file = (password: string): string => {
      const path = join(folder, 'password');
      writeFileSync(path, `${password}\n`);
      chmodSync(path, 0o600);
      return path;
    };
    const address = `postgres://keen@127.0.0.1:${server.port}/${database}`;
    const wrong = await failure(open(`${address}?passfile=${file('wrong')}`));
    expect(wrong).toBeInstanceOf(UnusableStoreError);
    expect(wrong.message).toBe(
      `The database ${address} cannot be used: 127.0.0.1:${server.port} rejects the password of the user "keen"; set the right password in PGPASSWORD or a passfile.`,
    );
    vi.stubEnv('PGPASSWORD', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await failure(open(address))).message).toContain('asks for a password; set it in PGPASSWORD');
    vi.stubEnv('PGPASSWORD', 'right');
    await (await open(address)).close();
    vi.stubEnv('PGPASSWORD', 'wrong');
    await (await open(`${address}?passfile=${file('right')}`)).close();
  });

  test('no database, no server, no such host and no TLS are one sentence each', async () => {
    const where = `127.0.0.1:${server.port}`;
    const sentence = async (address: string): Promise<string> => {
      const error = await failure(open(address));
      expect(error).toBeInstanceOf(UnusableStoreError);
      return error.message.replace(/^.* cannot be used: /, '');
    };
    expect(await sentence(server.urlOf('none'))).toBe(
      `${where} has no database "none"; create the database, or name another.`,
    );
    expect(await sentence('postgres://punto@127.0.0.1:1/d')).toBe(
      '127.0.0.1:1 refuses connections: no server listens there.',
    );
    expect(await sentence('postgres://punto@none.invalid/d?sslmode=disable')).toBe(
      'none.invalid:5432 is an unknown host; correct its name, or check the DNS server.',
    );
    expect(await sentence(`${server.urlOf('postgres')}?sslmode=require`)).toBe(
      `${where} does not support TLS; enable TLS there, or use sslmode=disable.`,
    );
    expect(await sentence(`postgres://nobody@${where}/postgres`)).toMatch(
      /replies "role \\"nobody\\" does not exist" \(28000\)\.$/,
    );
    expect(await sentence(server.urlOf(await createDatabase('punto', "TEMPLATE template0 ENCODING 'LATIN1'")))).toBe(
      `${where} has the encoding LATIN1; create a database with the encoding UTF8.`,
    );
  });

  test('sslmode decides on TLS and on the check of the host name', async () => {
    const database = await createDatabase();
    const { certificate, key } = certificateFor('localhost');
    // Next to the data: the server may not read temporary folders of other users.
    const fileOf = (name: string): string => join(server.data, `${name}.pem`);
    for (const [name, text] of [
      ['certificate', certificate],
      ['key', key],
    ] as const) {
      writeFileSync(fileOf(name), text);
      chmodSync(fileOf(name), 0o600);
      giveToServer(fileOf(name));
    }
    await server.withClient('postgres', async (client) => {
      await client.query(`ALTER SYSTEM SET ssl_cert_file = '${fileOf('certificate')}'`);
      await client.query(`ALTER SYSTEM SET ssl_key_file = '${fileOf('key')}'`);
      await client.query('ALTER SYSTEM SET ssl = on');
      await client.query('SELECT pg_reload_conf()');
    });
    const isHidden = async (host: string, end: string): Promise<boolean> => {
      const store = await open(`postgres://punto@${host}:${server.port}/${database}?${end}`);
      await store.recordHeartbeats(['floor'], 1);
      const { rows } = await server.withClient(database, (client) =>
        client.query(
          "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'punto'",
        ),
      );
      await store.close();
      expect(rows).toHaveLength(1);
      return rows[0].ssl as boolean;
    };
    await vi.waitFor(async () => expect(await isHidden('localhost', 'sslmode=require')).toBe(true), {
      timeout: 300_000,
    });
    expect(await isHidden('localhost', 'sslmode=disable')).toBe(false);
    const named = `sslmode=verify-full&sslrootcert=${fileOf('certificate')}`;
    expect(await isHidden('localhost', named)).toBe(true);
    await expect(isHidden('127.0.0.1', named)).rejects.toThrow(
      'has a certificate of another host; use the host name in the certificate.',
    );
    await expect(isHidden('localhost', 'sslmode=verify-full')).rejects.toThrow(
      /has a certificate that is not trusted \([A-Z_]+\); name its certificate authority with sslrootcert\.$/,
    );
  });

  test('a database with tables of another program is refused and stays unchanged', async () => {
    const database = await createDatabase();
    await sql(database, 'CREATE TABLE customers (name text)');
    const error = await failure(open(server.urlOf(database)));
    expect(error).toBeInstanceOf(UnusableStoreError);
    expect(error.message).toBe(
      `The database ${server.urlOf(database)} contains tables of another program, such as "customers"; use an empty database.`,
    );
    const tables = await server.withClient(database, (client) =>
      client.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"),
    );
    expect(tables.rows).toEqual([{ table_name: 'customers' }]);
    // The database is refused also when its tables belong to another user.
    const foreign = await createDatabase('keen');
    await sql(foreign, 'CREATE TABLE customers (name text)');
    vi.stubEnv('PGPASSWORD', 'right');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(open(`postgres://keen@127.0.0.1:${server.port}/${foreign}`)).rejects.toThrow(
      'contains tables of another program, such as "customers"',
    );
  });

  test('a store that must exist and does not is refused and not created', async () => {
    const database = await createDatabase();
    await expect(open(server.urlOf(database), { mustExist: true })).rejects.toThrow(MissingStoreError);
    await expect(openPostgresWholeStoreReader(server.urlOf(database))).rejects.toThrow(MissingStoreError);
    await (await open(server.urlOf(database))).close();
    await (await open(server.urlOf(database), { mustExist: true })).close();
  });

  test('a store of a newer schema version is refused', async () => {
    const database = await createDatabase();
    await (await open(server.urlOf(database))).close();
    await sql(database, 'INSERT INTO punto_schema VALUES (8, now())');
    const error = await failure(open(server.urlOf(database)));
    expect(error).toBeInstanceOf(SchemaTooNewError);
    expect(error.message).toBe(
      'The event store has schema 8, and this program reads schemas up to 7; use a newer program.',
    );
    await sql(database, 'INSERT INTO punto_schema VALUES (9, now())');
    await expect(openPostgresWholeStoreReader(server.urlOf(database))).rejects.toThrow(SchemaTooNewError);
    await sql(database, 'DELETE FROM punto_schema');
    await expect(open(server.urlOf(database))).rejects.toThrow(DamagedStoreError);
  });

  test('a full disk is one sentence, writes nothing, and writes succeed once there is space', async () => {
    const database = await createDatabase();
    const store = await open(server.urlOf(database));
    await append(store, 0);
    // PostgreSQL itself reports it, as when a file cannot grow.
    await sql(
      database,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER no_room BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    );
    const error = await failure(append(store, 1));
    expect(error).toBeInstanceOf(WriteFailedError);
    expect(error.message).toMatch(/^The event store cannot be written: the disk of the database is full \(/);
    expect(await store.balance(terminal)).toEqual({ amount: 5, version: 1 });
    await sql(database, 'DROP TRIGGER no_room ON entries');
    expect(await append(store, 1)).toHaveProperty('entries');
  });

  test('the open connections do all work when the server has no more', async () => {
    const database = await createDatabase('few');
    const address = `postgres://few@127.0.0.1:${server.port}/${database}`;
    const store = await open(address, { maxConnections: 8 });
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        store.append({ stream: `s${n}`, after: 0, entries: [entry(n, [], `c${n}`)] }),
      ),
    );
    expect(results.every((result) => 'entries' in result)).toBe(true);
    // A process without a connection gets that error, and continues when there is one.
    const error = await failure(open(address));
    expect(error).toBeInstanceOf(UnusableStoreError);
    expect(error.message).toContain('has no free connection; close some connections, or raise max_connections.');
    await store.close();
    await (await open(address)).close();
  });

  test('an exhausted pool is one sentence', async () => {
    const store = await open(server.urlOf(await createDatabase()), { maxConnections: 1, timeoutMs: 3_000 });
    await store.append({ stream: 'a', after: 0, entries: [entry(0, load(5))] });
    for await (const _ of store.readHeadsAndBalances()) {
      const error = await failure(store.recordHeartbeats(['floor'], 1));
      expect(error).toBeInstanceOf(DatabaseUnavailableError);
      expect(error.message).toBe('All 1 connections to the database are in use.');
      break;
    }
    await store.recordHeartbeats(['floor'], 2);
  });

  test('a stopped server is reported as away, and writes succeed when it is back', async () => {
    const store = await open(server.urlOf(await createDatabase()));
    await append(store, 0);
    await server.end();
    await expect(append(store, 1)).rejects.toThrow(DatabaseUnavailableError);
    await expect(store.heads()).rejects.toThrow(DatabaseUnavailableError);
    await server.start();
    expect(await append(store, 1)).toHaveProperty('entries');
    await server.end('SIGKILL');
    await server.start();
    expect((await store.heads()).get('a')?.sequence).toBe(2);
    expect(await append(store, 2)).toHaveProperty('entries');
  });

  test('a missing table is damage, and a missing privilege is reported', async () => {
    const database = await createDatabase();
    const store = await open(server.urlOf(database));
    await append(store, 0);
    await sql(database, 'ALTER TABLE entries RENAME TO elsewhere');
    await expect(append(store, 1)).rejects.toThrow(DamagedStoreError);
    await expect(store.findCommands(['c0'])).rejects.toThrow(DamagedStoreError);
    await sql(database, 'ALTER TABLE elsewhere RENAME TO entries');
    expect(await append(store, 1)).toHaveProperty('entries');
    const error = await failure(open(`postgres://few@127.0.0.1:${server.port}/${database}`));
    expect(error.message).toContain('the database user lacks the permission');
  });

  test('close finishes earlier writes and refuses later ones', async () => {
    const database = await createDatabase();
    const store = await open(server.urlOf(database));
    const requests = Array.from({ length: 30 }, (_, after) => append(store, after));
    await store.close();
    for (const appended of await Promise.all(requests)) expect(appended).toHaveProperty('entries');
    await expect(store.recordHeartbeats(['floor'], 1)).rejects.toThrow(StoreWriterEndedError);
    await expect(append(store, 30)).rejects.toThrow(StoreWriterEndedError);
    const counted = await server.withClient(database, (client) =>
      client.query(
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'punto'",
      ),
    );
    expect(counted.rows).toEqual([{ n: 0 }]);
  });

  test('a reader sees the store as of one moment while it is being written', async () => {
    const database = await createDatabase();
    const store = await open(server.urlOf(database));
    await append(store, 0);
    const reader = await openPostgresWholeStoreReader(server.urlOf(database));
    onTestFinished(() => reader.close());
    const before = await reader.heads();
    await append(store, 1);
    expect(await reader.heads()).toEqual(before);
    expect(await reader.balance(terminal)).toEqual({ amount: 5, version: 1 });
    let length = 0;
    for await (const entries of reader.read('a')) length += entries.length;
    expect(length).toBe(1);
  });
});
