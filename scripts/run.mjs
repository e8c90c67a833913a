// Starts a TypeScript file of the project on a Node that runs TypeScript, after set-up. Runs on Node 20.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runtime, setUp } from './setup.mjs';

const root = new URL('../', import.meta.url);

const needs24 = 'punto: this needs Node 24 or later, and the one in node_modules does not start here; install Node 24.';

/** Runs `file` with `args`, in this process where it can, and takes over its exit code. */
export async function run(file, args) {
  if (!setUp()) {
    process.exitCode = 1;
    return;
  }
  const script = fileURLToPath(new URL(file, root));
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    // What was compiled once is read back: most of a short start.
    module.enableCompileCache(fileURLToPath(new URL('node_modules/.cache/compiled', root)));
    process.argv.splice(1, process.argv.length, script, ...args);
    await import(pathToFileURL(script).href);
    return;
  }
  const node = runtime && fileURLToPath(new URL(`node_modules/${runtime}`, root));
  if (!node || !existsSync(node)) {
    console.error(needs24);
    process.exitCode = 1;
    return;
  }
  // The other end of the channel tells the other when this one is gone, however it ended.
  const child = spawn(node, [script, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  // This one only hands signals on and waits for the other to end in its own way. A terminal sends Ctrl-C to both, so
  // that the other may get it twice.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', () => {
    console.error(needs24);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (code === 127) console.error(needs24);
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
