import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { punto } from '../cli/support/punto.ts';
import { root, sources } from './sources.ts';

const run = promisify(execFile);
const pages = sources('{*.md,docs/**/*.md}');

/** The examples of a page: what stands after a dollar sign, and the lines below it up to the next. */
const examplesIn = (text: string): readonly { command: string; output: string }[] =>
  [...text.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((example) => {
        const [command, ...output] = example.split('\n');
        return { command: command!, output: output.join('\n').trimEnd() };
      }),
  );

const examples = pages.flatMap(({ path, text }) => examplesIn(text).map((example) => [path, example] as const));

/** A call of punto by itself, or with a line of input: its words and its input. Anything else is for a shell. */
function callIn(command: string): { words: readonly string[]; input: string } | undefined {
  const [, line, call] = /^(?:echo '([^']*)' \| )?punto ([\w@=., "-]+)$/.exec(command) ?? [];
  if (call === undefined) return undefined;
  const words = [...call.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, text]) => text ?? word);
  return { words, input: line === undefined ? '' : `${line}\n` };
}

function shell(command: string): string {
  const path = [join(root, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path };
  return spawnSync('sh', ['-c', command], { cwd: root, env, encoding: 'utf8' }).stdout;
}

test.for(examples)('%s shows what $command prints', async ([, { command, output }]) => {
  const call = callIn(command);
  const stdout = call ? (await punto(call.words, call.input)).stdout : shell(command);
  expect(stdout.trimEnd()).toBe(output);
});

test('an example says in a shell what it says here', () => {
  const [, { command, output }] = examples.find(([, one]) => one.command.startsWith('echo'))!;
  expect(shell(command).trimEnd()).toBe(output);
});

type Program = { readonly page: string; readonly code: string };

/** Programs that only run beside a server: tests/browser/build/package.test.ts runs this one against its own server. */
const needServer = ['examples/bot.mjs'].map((file) => readFileSync(join(root, file), 'utf8'));

const programs: readonly Program[] = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => ({ page: path, code: code! })),
);

type Result = { readonly stated: string; readonly printed: readonly string[] };

/** The results that a program states as `console.log(...); // result`, each with what its line really prints. */
async function resultsOf(code: string): Promise<readonly Result[]> {
  const results: string[] = [];
  const marked = code.replaceAll(/console\.log\((.*)\);?\s*\/\/\s*(.*)$/gm, (_, values: string, result: string) => {
    results.push(result);
    return `console.log('result', ${results.length - 1}, ${values});`;
  });
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', marked], { cwd: root });
  return results.map((stated, n) => {
    const mark = `result ${n} `;
    const lines = stdout.split('\n').filter((line) => line.startsWith(mark));
    return { stated, printed: lines.map((line) => line.slice(mark.length)) };
  });
}

test('every `js` block of the pages runs as it is, and prints the results that its comments state', async () => {
  const runnable = programs.filter(({ code }) => !needServer.includes(code));
  expect(programs.length - runnable.length).toBe(needServer.length);
  const results = await Promise.all(
    runnable.map(async ({ page, code }) => (await resultsOf(code)).map((result) => ({ page, ...result }))),
  );
  expect(results.flat().map(({ page }) => page)).toContain('README.md');
  for (const { page, stated, printed } of results.flat()) expect(printed, page).toEqual([stated]);
});

test('a result that a comment states is compared with the printed one, and a program that fails is reported', async () => {
  const code = "import { slots } from 'punto';\nconsole.log(slots.length, 'cards'); // 5 cards\n";
  expect(await resultsOf(code)).toEqual([{ stated: '5 cards', printed: ['6 cards'] }]);
  await expect(resultsOf("import { seats } from 'punto';\n")).rejects.toThrow(
    "does not provide an export named 'seats'",
  );
});

/** The anchors that a page has on GitHub: those of its headings, and those that it sets itself. */
const anchorsIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  ),
  ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id!),
];

test('the pages have examples, and links that lead somewhere', () => {
  expect(examples.length).toBeGreaterThan(2);
  const known = new Set(sources('{*,docs/**/*,rulebook/*}.md').map(({ path }) => path));
  for (const { path, text } of pages) {
    for (const [, target, anchor] of text.matchAll(/\]\(([^)#:]*)(?:#([^)]+))?\)/g)) {
      const place = target === '' ? path : join(dirname(path), target!);
      const found = known.has(place) || existsSync(join(root, place));
      expect(found, `${path}: ${target}`).toBe(true);
      if (anchor !== undefined) expect(anchorsIn(readFileSync(join(root, place), 'utf8')), path).toContain(anchor);
    }
  }
});

test('docs/library.md names every export of the library', async () => {
  const { text } = pages.find(({ path }) => path === 'docs/library.md')!;
  const entryPoints = Object.values((await import('../../package.json', { with: { type: 'json' } })).default.exports);
  expect(entryPoints).toHaveLength(7);
  for (const entryPoint of entryPoints) {
    const exported = Object.keys((await import(join(root, entryPoint))) as object);
    expect(exported.length).toBeGreaterThan(3);
    expect(
      exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)),
      entryPoint,
    ).toEqual([]);
  }
});

test('ARCHITECTURE.md has at most 2,000 words', () => {
  const { text } = pages.find(({ path }) => path === 'ARCHITECTURE.md')!;
  expect(text.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(2_000);
});

test('paths in ARCHITECTURE.md and in the decisions exist', () => {
  const checked = pages.filter(({ path }) => path === 'ARCHITECTURE.md' || path.startsWith('docs/decisions/'));
  expect(checked.length).toBeGreaterThan(5);
  const isThere = (name: string): boolean => ['', 'src/'].some((folder) => existsSync(join(root, folder, name)));
  const missing = checked.flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'store/NAME' && !isThere(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('README.md has at most 120 lines, the two commands and the legal notices', () => {
  const { text } = pages.find(({ path }) => path === 'README.md')!;
  expect(text.split('\n').length).toBeLessThanOrEqual(120);
  for (const words of ['npm start', 'npm test', 'belong to their owners', 'not affiliated', 'licence', 'regulator']) {
    expect(text).toContain(words);
  }
});
