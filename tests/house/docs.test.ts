import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root, sources } from './sources.ts';

const pages = sources('{*.md,docs/*.md}');

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

test.for(examples)('%s shows what $command prints', ([, { command, output }]) => {
  const path = [join(root, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { stdout } = spawnSync('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, PATH: path },
    encoding: 'utf8',
  });
  expect(stdout.trimEnd()).toBe(output);
});

test('the pages have examples, and links that lead somewhere', () => {
  expect(examples.length).toBeGreaterThan(2);
  const known = new Set(sources('{*,docs/*,rulebook/*}.md').map(({ path }) => path));
  for (const { path, text } of pages) {
    for (const [, target] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
      const found = known.has(join(dirname(path), target!)) || ['rulebook', 'LICENSE'].includes(target!);
      expect(found, `${path}: ${target}`).toBe(true);
    }
  }
});

test('README.md is short and says what must be said', () => {
  const { text } = pages.find(({ path }) => path === 'README.md')!;
  expect(text.split('\n').length).toBeLessThanOrEqual(100);
  for (const words of ['npm start', 'npm test', 'belong to their owners', 'not affiliated', 'licence', 'regulator']) {
    expect(text).toContain(words);
  }
});
