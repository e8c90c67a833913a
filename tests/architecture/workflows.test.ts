import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { sources } from './sources.ts';

const workflows = sources('.github/workflows/*.yml');

test('every workflow may only read the repository', () => {
  expect(workflows.map(({ path }) => path)).toContain('.github/workflows/test.yml');
  for (const { path, text } of workflows) expect(text, path).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
});

test('the tests run on the oldest Node that package.json allows, and on the oldest that runs TypeScript', () => {
  const { text } = workflows.find(({ path }) => path.endsWith('/test.yml'))!;
  const versions = /node: \[(.*)\]/.exec(text)![1]!.split(', ').map(Number);
  expect(manifest.engines.node).toBe(`>=${versions[0]}`);
  expect(versions).toContain(24);
});

test('the tests run with the whole history, so that the messages of commits are checked', () => {
  const { text } = workflows.find(({ path }) => path.endsWith('/test.yml'))!;
  expect(text).toContain('actions/checkout@v4\n        with:\n          fetch-depth: 0\n');
});
