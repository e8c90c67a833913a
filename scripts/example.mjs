// `npm run example NAME`: runs a program of examples/ on a Node that runs TypeScript. Runs on Node 20.
import { readdirSync } from 'node:fs';
import { run } from './run.mjs';

const [name, ...args] = process.argv.slice(2);
const names = readdirSync(new URL('../examples/', import.meta.url)).map((file) => file.replace(/\.mjs$/, ''));

if (names.includes(name)) await run(`examples/${name}.mjs`, args);
else {
  const wrong = name === undefined ? 'No example was named' : `There is no example "${name}"`;
  console.error(`punto: ${wrong}; choose one of ${names.join(', ')}.`);
  process.exitCode = 2;
}
