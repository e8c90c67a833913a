// `npm run bench -- [--short] [NAME ...]`: each figure is a ratio to a reference that runs beside it, so that a slow
// machine slows both.
import { parseArgs } from 'node:util';
import { benches } from './benches.ts';
import { StalledError } from './support/progress.ts';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  strict: false,
  allowPositionals: true,
});
const unknown = [
  ...Object.keys(values)
    .filter((option) => option !== 'short')
    .map((option) => `option --${option}`),
  ...positionals.filter((name) => !Object.hasOwn(benches, name)).map((name) => `bench ${name}`),
];
if (unknown.length > 0) {
  const names = Object.keys(benches).join(', ');
  console.error(`There is no ${unknown.join(', no ')}; give --short, and any of these benches: ${names}.`);
  process.exit(2);
}
const size = values.short ? 'short' : 'full';
if (size === 'short') console.log('Short form: small counts show that the benches work, and the figures mean nothing.');
let failed = false;
for (const [name, bench] of Object.entries(benches)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  try {
    for await (const line of bench.run(size)) console.log(line);
  } catch (error) {
    console.error(`The bench ${name} failed:`, error instanceof StalledError ? error.message : error);
    failed = true;
  }
}
// A bench that failed may have left timers that keep the process alive; one that passed must not.
if (failed) process.exit(1);
