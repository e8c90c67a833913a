import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

const run = promisify(execFile);
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');

/** `bot` needs a running server: tests/browser/package.test.ts runs it. */
const names = globSync('*.mjs', { cwd: join(root, 'examples') })
  .map((file) => file.replace('.mjs', ''))
  .filter((name) => name !== 'bot');

/** The flags that make this Node look like 20: it gives that version and does not run TypeScript. */
const asNode20 = [
  '--no-strip-types',
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}})',
];

/** The Node that runs npm, where it does not run TypeScript itself. */
function olderNode(): string | undefined {
  const node = process.env['npm_node_execpath'];
  if (node === undefined) return undefined;
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout;
  return Number(/^v(\d+)/.exec(version)?.[1]) < 24 ? node : undefined;
}

/** The command and the output of an example, as docs/library.md shows them. */
async function transcriptOf(node: string, flags: readonly string[], name: string): Promise<string> {
  const { stdout } = await run(node, [...flags, join(root, 'scripts/example.mjs'), name]);
  return `$ npm run --silent example ${name}\n${stdout}\`\`\``;
}

test('an example that is started directly fails on the Node that these tests make look like 20', async () => {
  const direct = run(process.execPath, [...asNode20, join(root, 'examples/settle.mjs')]);
  await expect(direct).rejects.toThrow('ERR_UNKNOWN_FILE_EXTENSION');
});

// The way to another Node is the same for every example, so one shows it.
test('`npm run example settle` prints what docs/library.md shows when Node looks like 20', async () => {
  expect(page).toContain(await transcriptOf(process.execPath, asNode20, 'settle'));
});

const older = olderNode();

test.skipIf(older === undefined).for(names)(
  '`npm run example %s` prints what docs/library.md shows when the Node of npm is older than 24',
  async (name) => {
    expect(page).toContain(await transcriptOf(older!, [], name));
  },
);

test('`npm run example` names the examples when it is given none of them', async () => {
  const unknown = run(process.execPath, [join(root, 'scripts/example.mjs'), 'lion']);
  const message = 'punto: There is no example "lion"; choose one of bot, certain, game, par, roads, settle, table.\n';
  await expect(unknown).rejects.toMatchObject({ code: 2, stdout: '', stderr: message });
});
