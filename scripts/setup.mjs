// Makes node_modules equal to the lockfile when it is not. Runs on Node 20 with nothing installed: plain JavaScript,
// no dependencies. Everything it says goes to standard error.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const lockFolder = new URL('.setup/', root);
const owner = new URL('owner', lockFolder);

const packagesIn = (file) => JSON.parse(readFileSync(new URL(file, root), 'utf8')).packages ?? {};

/** Whether what npm says it installed is what the lockfile asks for. A plain `npm ci` counts as well. */
function installed() {
  let found;
  try {
    found = packagesIn('node_modules/.package-lock.json');
  } catch {
    return false; // never installed, or an installation that was cut short: npm writes this file last
  }
  const wanted = packagesIn('package-lock.json');
  const same = (a, b) => a.version === b.version && a.integrity === b.integrity;
  return (
    Object.keys(found).every((path) => wanted[path] !== undefined) &&
    Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      return found[path] === undefined ? entry.optional === true : same(found[path], entry);
    })
  );
}

/** Installs if needed; two first runs at once take turns. Returns false when npm failed. */
export function setUp() {
  if (installed()) return true;
  takeTurn();
  try {
    return installed() || install();
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}

function install() {
  console.error('punto: installing dependencies from the lockfile (first run, or the lockfile changed) ...');
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
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

function takeTurn() {
  for (let said = false; ;) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(owner, String(process.pid));
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
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
