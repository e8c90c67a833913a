// Installs the packages that a program needs, by the lockfiles, where they are missing. Runs on Node 20 with nothing
// installed: plain JavaScript, no dependencies. Prints to standard error only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const project = new URL('../', import.meta.url);
/** The manifest of the packaged Node, apart from the project's: only a machine with an older Node installs it. */
const runtime = new URL('runtime/', import.meta.url);
const lockFolder = new URL('.setup/', project);
const owner = new URL('owner', lockFolder);

export const oldestMajor = 24;
export const isNodeRecent = () => Number(process.versions.node.split('.')[0]) >= oldestMajor;

/** The note that npm writes at the end of an installation: which packages are there. */
const noteOf = (folder) => new URL('node_modules/.package-lock.json', folder);
const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {};
const lockedIn = (folder) => readPackages(new URL('package-lock.json', folder));

/** The packages that npm noted; undefined before the first installation, and after one that was cut short. */
function notedIn(folder) {
  try {
    return readPackages(noteOf(folder));
  } catch {
    return undefined;
  }
}

const machine = {
  os: process.platform,
  cpu: process.arch,
  /** Read last and only on Linux: the report takes milliseconds. */
  get libc() {
    process.report.excludeNetwork = true;
    return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  },
};

/** True when a package has no platform, or this one. */
export const isMadeFor = (entry, on) =>
  ['os', 'cpu', 'libc'].every((part) => entry[part] === undefined || [entry[part]].flat().includes(on[part]));

/**
 * The packages in which an installation differs from the lockfile, for a scope: `demo` is all but those flagged `dev`,
 * `all` is all. A larger installation satisfies the smaller scope. An optional package is required where it names this
 * platform; one without a platform (a dependency of a package for another platform) may be absent.
 */
export function differences(locked, noted, exists, scope, on = machine) {
  const isOptional = (entry) => entry.optional || (scope === 'demo' && entry.devOptional);
  const isRequired = (entry) => !isOptional(entry) || ((entry.os ?? entry.cpu) !== undefined && isMadeFor(entry, on));
  const isEqual = (path, { version, integrity }) =>
    noted[path].version === version && noted[path].integrity === integrity && exists(path);
  const surplus = Object.keys(noted).filter((path) => locked[path] === undefined);
  const wrong = Object.entries(locked)
    .filter(([path, entry]) => path !== '' && (scope === 'all' || !entry.dev))
    .filter(([path, entry]) => (noted[path] === undefined ? isRequired(entry) : !isEqual(path, entry)));
  return [...surplus, ...wrong.map(([path]) => path)];
}

function differencesIn(folder, scope) {
  const noted = notedIn(folder);
  if (noted === undefined) return ['node_modules'];
  return differences(lockedIn(folder), noted, (path) => existsSync(new URL(`${path}/package.json`, folder)), scope);
}

/** The packaged Node of this platform; undefined where there is none. */
export function packagedNode() {
  const found = Object.entries(lockedIn(runtime)).find(([path, entry]) => path !== '' && isMadeFor(entry, machine));
  return found && fileURLToPath(new URL(`${found[0]}/${found[1].bin.node}`, runtime));
}

/** Installs what a scope lacks, one process at a time. False, after a sentence, when that is not possible. */
export async function setUp(scope) {
  const lacking = () =>
    [{ folder: project, scope }, ...(isNodeRecent() ? [] : [{ folder: runtime, scope: 'all' }])].filter(
      (part) => differencesIn(part.folder, part.scope).length > 0,
    );
  if (lacking().length === 0) return true;
  if (!(await takeTurn())) return false;
  try {
    const incomplete = lacking();
    return incomplete.length === 0 || (await install(incomplete));
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

async function install(incomplete) {
  const startedAt = performance.now();
  console.error('punto: installing packages (first run, or the lockfile has changed) ...');
  if (incomplete.some(({ folder }) => folder === runtime)) {
    console.error(`punto: adding Node ${oldestMajor} for Punto alone; this machine has ${process.versions.node}.`);
  }
  const children = incomplete.map(({ folder, scope }) => startNpm(folder, scope));
  // An interrupted start ends npm too, before another start may install. On any other signal npm would take its time to
  // remove what it has unpacked, which the next `npm ci` does anyway.
  let interruptedBy;
  const interrupt = (signal) => {
    interruptedBy = signal;
    for (const child of children) child.kill('SIGKILL');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, interrupt);
  const ends = await Promise.all(children.map((child) => once(child, 'close').catch((error) => [error.code])));
  for (const signal of signals) process.off(signal, interrupt);
  if (interruptedBy !== undefined) {
    process.exitCode = 128 + constants.signals[interruptedBy];
    return false;
  }
  if (ends.some(([code]) => code !== 0)) {
    console.error('punto: the installation failed; check that npm can reach its registry, then start again.');
    return false;
  }
  const [missing] = incomplete.flatMap(({ folder, scope }) => differencesIn(folder, scope));
  if (missing !== undefined) {
    console.error(`punto: npm did not install ${missing} as locked; run \`npm install\`, then start again.`);
    return false;
  }
  console.error(`punto: installed in ${Math.ceil((performance.now() - startedAt) / 1000)} s.`);
  return true;
}

/**
 * `npm ci` empties node_modules first, under a server that may run from it, so that it is used only where there is no
 * complete installation. `npm install` adds to one. It trusts every folder that it finds, half unpacked ones too: the
 * note goes first, so that an installation that was cut short is followed by `npm ci`. Neither writes the lockfile.
 */
function startNpm(folder, scope) {
  const noted = notedIn(folder);
  rmSync(noteOf(folder), { force: true });
  const hasDev = Object.values(noted ?? {}).some(({ dev }) => dev);
  const args = [
    ...(noted === undefined ? ['ci'] : ['install', '--no-save']),
    // A larger installation is never made smaller.
    scope === 'all' || hasDev ? '--include=dev' : '--omit=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const options = { cwd: fileURLToPath(folder), stdio: ['ignore', 'ignore', 'inherit'] };
  return npm && /npm-cli\.[cm]?js$/.test(npm)
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Waits until no other process installs; false when the folder cannot be written. */
async function takeTurn() {
  for (let isWaiting = false; ;) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(owner, String(process.pid));
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        console.error(
          `punto: packages are missing and ${JSON.stringify(fileURLToPath(project))} cannot be written (${error.code}); run \`npm run build\` there once as its owner.`,
        );
        return false;
      }
    }
    if (isAbandoned()) {
      rmSync(lockFolder, { recursive: true, force: true });
      continue;
    }
    if (!isWaiting) console.error('punto: another process is installing; waiting for it ...');
    isWaiting = true;
    await setTimeout(200);
  }
}

/** True for a lock whose owner is gone, or that was never given one. */
function isAbandoned() {
  try {
    if (!existsSync(owner)) return Date.now() - statSync(lockFolder).mtimeMs > 5000;
    process.kill(Number(readFileSync(owner, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

// `node scripts/setup.mjs` installs everything, for tools that are started by their own command.
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (!(await setUp('all'))) process.exitCode ||= 1;
}
