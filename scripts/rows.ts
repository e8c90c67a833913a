// Writes rulebook/tests.json: which tests show each row of the books, each reading and each house procedure. Run it with
// `npm run rows` when a test that cites one has come, gone or got another name; `npm test` says when it is due.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groupByRow, textOf } from '../tests/rulebook/testsByRow.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'punto-rows-'));
try {
  const list = join(folder, 'list.json');
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  // Tests are collected by running their files: most names are made from tables.
  const args = ['--no-memory-protection-keys', runner, 'list', '--no-static-parse', `--json=${list}`];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The tests could not be listed.');
  const tests = JSON.parse(readFileSync(list, 'utf8')) as { readonly name: string; readonly file: string }[];
  const testsByRow = groupByRow(
    tests.map(({ name, file }) => ({ name, file: relative(root, file).replaceAll('\\', '/') })),
  );
  writeFileSync(join(root, 'rulebook', 'tests.json'), textOf(testsByRow));
  console.log(`${Object.keys(testsByRow).length} rows, readings and procedures are shown by tests.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
