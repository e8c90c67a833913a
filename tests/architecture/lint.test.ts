import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary.ts';
import { root } from './sources.ts';

/** The globals that lint refuses in these files of a project with the configuration of this one, each used once. */
function refusedIn(paths: readonly string[], names: readonly string[]): readonly string[] {
  const folder = temporaryFolder('lint');
  cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), names.map((name) => `console.log(${name});\n`).join(''));
  }
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json', ...paths],
    { cwd: folder, encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { code: string; message: string; filename: string }[];
  };
  return diagnostics
    .filter(({ code }) => code === 'eslint(no-restricted-globals)')
    .map(({ message, filename }) => `${filename} ${/'(\w+)'/.exec(message)![1]}`)
    .toSorted();
}

const inAll = (paths: readonly string[], names: readonly string[]): readonly string[] =>
  paths.flatMap((path) => names.map((name) => `${path} ${name}`)).toSorted();

const server = ['src/server/a.ts', 'src/rules/a.ts', 'tests/server/a.ts', 'bench/a.ts', 'scripts/a.ts'];

test('lint refuses every variable of a browser that Node lacks outside the screens and their tests', () => {
  const [library] = globSync('node_modules/@typescript/typescript-*/lib/lib.dom.d.ts', { cwd: root });
  const declared = [
    ...readFileSync(join(root, library!), 'utf8').matchAll(/^declare (?:var|const|function) ([a-z]\w*)/gm),
  ];
  const names = [...new Set(declared.map(([, name]) => name!))].filter(
    (name) => !name.startsWith('on') && (name === 'navigator' || !(name in globalThis)),
  );
  for (const name of [
    'name',
    'event',
    'status',
    'screen',
    'alert',
    'document',
    'window',
    'localStorage',
    'indexedDB',
  ]) {
    expect(names).toContain(name);
  }
  expect(refusedIn([...server, 'src/web/a.ts', 'tests/browser/a.ts'], names)).toEqual(inAll(server, names));
});

test('lint refuses the variables of Node in the screens', () => {
  const names = [
    'process',
    'Buffer',
    'global',
    'require',
    'module',
    'exports',
    '__filename',
    '__dirname',
    'setImmediate',
  ];
  const screens = ['src/web/a.ts', 'src/web/patron/a.tsx'];
  expect(refusedIn([...screens, ...server], names)).toEqual(inAll(screens, names));
});
