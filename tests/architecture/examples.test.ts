import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { asOlder, projectForOlder } from './olderNode.ts';
import { root } from './sources.ts';

const run = promisify(execFile);
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');

/** `bot` needs a running server: tests/browser/build/package.test.ts runs it. */
const names = globSync('*.mjs', { cwd: join(root, 'examples') })
  .map((file) => file.replace('.mjs', ''))
  .filter((name) => name !== 'bot');

/** The flags that make this Node look like 20: it gives that version and does not run TypeScript. */
const asNode20 = ['--no-strip-types', ...asOlder];

type Case = {
  readonly name: string;
  readonly version: string;
  readonly node: string;
  readonly flags: readonly string[];
  /** The folder of the project. */
  readonly project: string;
};

const folder = temporaryFolder('examples');
beforeAll(() => projectForOlder(folder));

/** The way to another Node is the same for every example, so that one shows it where this Node only looks like 20. */
const emulated: Case = {
  name: 'settle',
  version: 'made to look like 20',
  node: process.execPath,
  flags: asNode20,
  project: folder,
};

/** Every example on the Node that runs npm, where that one is too old for TypeScript. */
function onOlderNode(): readonly Case[] {
  const node = process.env['npm_node_execpath'];
  if (node === undefined) return [];
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  return Number(/^v(\d+)/.exec(version)?.[1]) < 24
    ? names.map((name) => ({ name, version, node, flags: [], project: root }))
    : [];
}

/** The command and the output of an example, as docs/library.md shows them. */
async function transcriptOf({ name, node, flags, project }: Case): Promise<string> {
  const { stdout } = await run(node, [...flags, join(project, 'scripts/example.mjs'), name]);
  return `$ npm run --silent example ${name}\n${stdout}\`\`\``;
}

test('an example that is started directly fails on the Node that these tests make look like 20', async () => {
  const direct = run(process.execPath, [...asNode20, join(root, 'examples/settle.mjs')]);
  await expect(direct).rejects.toThrow('ERR_UNKNOWN_FILE_EXTENSION');
});

test.for([emulated, ...onOlderNode()])(
  '`npm run example $name` prints what docs/library.md shows on a Node $version',
  async (one) => {
    expect(page).toContain(await transcriptOf(one));
  },
);

test('`npm run example` names the examples when it is given none of them', async () => {
  const unknown = run(process.execPath, [join(root, 'scripts/example.mjs'), 'lion']);
  const message = 'punto: There is no example "lion"; choose one of bot, certain, game, par, roads, settle, table.\n';
  await expect(unknown).rejects.toMatchObject({ code: 2, stdout: '', stderr: message });
});
