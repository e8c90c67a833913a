// Starts a TypeScript program of the project on a Node that runs TypeScript, after the packages that it needs are
// installed. Runs on Node 20 with nothing installed.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isNodeRecent, oldestMajor, packagedNode, setUp } from './setup.mjs';

const root = new URL('../', import.meta.url);

/** Whether a program needs the packages of the demo alone. All others are tools of developers and need all packages. */
const isDemoProgram = (file) => ['src/cli/main.ts', 'scripts/build.ts'].includes(file) || file.startsWith('examples/');

const needs = `punto: this needs Node ${oldestMajor} or later`;
const remedy = `install Node ${oldestMajor}.`;
const packagedFails = `${needs}, and the packaged one does not start here; ${remedy}`;

/** Runs `file` with `args`, in this process where it can, and takes over its exit code. */
export async function run(file, args) {
  const isRecent = isNodeRecent();
  const packaged = isRecent ? undefined : packagedNode();
  if (!isRecent && packaged === undefined) {
    console.error(`${needs}; ${remedy}`);
    process.exitCode = 1;
    return;
  }
  if (!(await setUp(isDemoProgram(file) ? 'demo' : 'all'))) {
    process.exitCode ||= 1;
    return;
  }
  if (isRecent) {
    const script = fileURLToPath(new URL(file, root));
    // What was compiled once is read back: most of a short start, and 30 MB less of memory.
    module.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/compiled', root)));
    process.argv.splice(1, process.argv.length, script, ...args);
    await import(pathToFileURL(script).href);
    return;
  }
  // Node 24.0, all that the registry has for one platform, still calls TypeScript and SQLite experimental. By the
  // channel the child learns that this process is gone, however it ended.
  const self = fileURLToPath(import.meta.url);
  const child = spawn(packaged, ['--disable-warning=ExperimentalWarning', self, file, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // This process only forwards signals and waits for the child to end in its own way. A terminal sends Ctrl-C to both,
  // so that the child may get it twice.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => {
    console.error(packagedFails);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (code === 127) console.error(packagedFails);
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exitCode = code;
  });
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [file, ...args] = process.argv.slice(2);
  await run(file, args);
}
