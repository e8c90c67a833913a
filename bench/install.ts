import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../tests/freePort.ts';
import { type BenchSize } from './support/bench.ts';
import { type Sized, bytesIn, megabytes, packagesOf, updateSizes } from './support/sizes.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Time from the first page to the reading of memory: by then every module is loaded and rounds are dealt. */
const restMs = 10_000;

/** Time from a stop to the next start: long enough that the open rounds count as interrupted, as after a night. */
const pauseMs = 15_000;

/** A clone of the last commit, with the Node and the npm cache that it is used with. */
type Clone = { readonly folder: string; readonly node: string; readonly cache: string };

/**
 * What a newcomer waits for: clone, `npm start`, first page, with an empty and with a filled npm cache, on an older Node
 * where the machine has one and on this one. The reference is an installation of all packages, as `npm test` makes it.
 */
export async function* installBench(size: BenchSize): AsyncGenerator<string> {
  yield 'install (clone, npm start, first page)';
  if (size === 'short') {
    yield* byLockfile();
    return;
  }
  if (updateSizes()) yield '  bench/sizes.json has changed; commit it';
  for (const node of [...olderNodes(), process.execPath]) {
    const home = mkdtempSync(join(tmpdir(), 'punto-install-'));
    try {
      const version = versionOf(node);
      let demo: Installed | undefined;
      for (const cache of ['empty', 'filled']) {
        const clone = cloneInto(join(home, cache), { node, cache: join(home, 'cache') });
        const first = await start(clone);
        await setTimeout(pauseMs);
        const second = await start(clone);
        const installed = installedIn(clone, first.installed);
        demo ??= installed;
        yield `  Node ${version}, ${cache} npm cache: ${textOf(installed)}; first page after ${seconds(first.page)}, ${memory(first)}; second start ${seconds(second.page)}, ${memory(second)}`;
      }
      const all = installAll(cloneInto(join(home, 'all'), { node, cache: join(home, 'cache-all') }));
      yield `  Node ${version}, all packages, empty npm cache: ${textOf(all)}; npm start installs ${share(demo!.bytes, all.bytes)} of the megabytes in ${share(demo!.ms, all.ms)} of the time`;
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }
}

/** The short form needs no network: what the lockfiles and bench/sizes.json say. */
function* byLockfile(): Generator<string> {
  const [demo, runtime] = [packagesOf('demo'), packagesOf('runtime')];
  const text = (packages: readonly Sized[]): string =>
    `${packages.length} packages, ${Math.round(megabytes(packages.reduce((sum, { bytes = Number.NaN }) => sum + bytes, 0)))} MB`;
  yield `  by the lockfiles: ${text(demo)}; with the packaged Node ${text([...demo, ...runtime])}`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const share = (part: number, whole: number): string => (part / whole).toFixed(2);
const memory = ({ resident }: Started): string => `${Math.round(resident / 1e6)} MB resident`;

const versionOf = (node: string): string =>
  spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1) ?? '';

/** The first Node on the path that does not run TypeScript by itself, if there is one. */
function olderNodes(): readonly string[] {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  return found.filter((node) => existsSync(node) && Number.parseInt(versionOf(node), 10) < 24).slice(0, 1);
}

function cloneInto(folder: string, { node, cache }: Omit<Clone, 'folder'>): Clone {
  const { status, stderr } = spawnSync('git', ['clone', '--quiet', root, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git clone failed: ${stderr}`);
  mkdirSync(cache, { recursive: true });
  return { folder, node, cache };
}

/** The environment of a shell that has this Node and this npm cache. */
const environment = ({ node, cache }: Clone): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [dirname(node), process.env['PATH']].join(delimiter),
  npm_config_cache: cache,
});

/** npm as a script, to be run by the Node that is measured; the shell's own where no npm has started this bench. */
const npm = process.env['npm_execpath'];

type Started = {
  /** Milliseconds until the packages were there, and until the first page was. */
  readonly installed: number;
  readonly page: number;
  /** Bytes of the server's process. */
  readonly resident: number;
};

/** Starts the demo, waits for its first page, reads its memory and ends it. */
async function start(clone: Clone): Promise<Started> {
  const [port, metrics] = [await freePort(), await freePort()];
  const npmArgs = ['start', '--', '--port', String(port), '--metrics', String(metrics)];
  const [program, ...args] = npm === undefined ? ['npm', ...npmArgs] : [clone.node, npm, ...npmArgs];
  const startedAt = performance.now();
  // A group of its own, so that npm, its shell and the server can be ended together.
  const child = spawn(program, args, {
    cwd: clone.folder,
    env: environment(clone),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  let installed = 0;
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.on('data', (part: Buffer) => {
      output += String(part);
      if (installed === 0 && output.includes('punto: installed')) installed = performance.now() - startedAt;
    });
  }
  try {
    while (!(await isAnswered(`http://127.0.0.1:${port}/`))) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${output}`);
      await setTimeout(50);
    }
    const page = performance.now() - startedAt;
    await setTimeout(restMs);
    const gauges = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
    const [, resident] = /^process_resident_memory_bytes (\S+)$/m.exec(gauges)!;
    return { installed, page, resident: Number(resident) };
  } finally {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await ended;
  }
}

async function isAnswered(address: string): Promise<boolean> {
  try {
    const { ok } = await fetch(address);
    return ok;
  } catch {
    return false;
  }
}

/** What the starts before have compiled is no part of the installation. */
function cachedIn(home: string): number {
  const cache = join(home, '.cache');
  return existsSync(cache) ? bytesIn(cache) : 0;
}

type Installed = { readonly packages: number; readonly bytes: number; readonly ms: number };

const textOf = ({ packages, bytes, ms }: Installed): string =>
  `${packages} packages, ${Math.round(megabytes(bytes))} MB installed in ${seconds(ms)}`;

function installedIn({ folder }: Clone, ms: number): Installed {
  const homes = [folder, join(folder, 'scripts/runtime')].map((home) => join(home, 'node_modules'));
  const present = homes.filter((home) => existsSync(home));
  const packagesIn = (home: string): number => {
    const lock = JSON.parse(readFileSync(join(home, '.package-lock.json'), 'utf8')) as { readonly packages: object };
    return Object.keys(lock.packages).length;
  };
  return {
    packages: present.reduce((sum, home) => sum + packagesIn(home), 0),
    bytes: present.reduce((sum, home) => sum + bytesIn(home) - cachedIn(home), 0),
    ms,
  };
}

/** All packages, without a start. */
function installAll(clone: Clone): Installed {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(clone.node, ['scripts/setup.mjs'], {
    cwd: clone.folder,
    env: environment(clone),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The installation of all packages failed:\n${stderr}`);
  return installedIn(clone, performance.now() - startedAt);
}
