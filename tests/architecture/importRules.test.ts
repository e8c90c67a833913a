import { expect, test } from 'vitest';
import { breaches, impurities, importRules, importsOf, parseImportRules } from './importRules.ts';
import { sources } from './sources.ts';

const product = sources('src/**/*.{ts,tsx}').filter(({ path }) => !/\.test\.tsx?$/.test(path));

test('folders import only what the table of ARCHITECTURE.md allows', () => {
  expect(product.length).toBeGreaterThan(700);
  expect(product.flatMap((source) => breaches(source))).toEqual([]);
});

test('pure folders use no clock, randomness, process or network', () => {
  expect(importRules.pure.size).toBeGreaterThan(15);
  expect(product.flatMap(impurities)).toEqual([]);
});

test('the table has a row for every top folder and names only folders that exist', () => {
  const folders = new Set(product.map(({ path }) => path.split('/')[1]!));
  const listed = [...importRules.allowed.keys()];
  expect([...folders].filter((folder) => listed.every((one) => one.split('/')[0] !== folder))).toEqual([]);
  expect(listed.filter((folder) => !product.some(({ path }) => path.startsWith(`src/${folder}/`)))).toEqual([]);
  const named = new Set(listed.flatMap((folder) => [folder, folder.split('/')[0]!]));
  expect([...importRules.allowed.values()].flat().filter((folder) => !named.has(folder))).toEqual([]);
});

test('a row may name folders in braces, all sub-folders, or all folders but some', () => {
  const { allowed, pure } = parseImportRules(`
| \`src/a\` *pure* | x | - |
| \`src/b/c\` | x | a, b/{d, e} |
| \`src/b\` | x | b/* |
| \`src/b/d\` | x | a |
| \`src/e\` | x | all but b |`);
  expect([...pure]).toEqual(['a']);
  expect(allowed.get('a')).toEqual([]);
  expect(allowed.get('b/c')).toEqual(['a', 'b/d', 'b/e']);
  expect(allowed.get('b')).toEqual(['b/c', 'b/d']);
  expect(allowed.get('e')).toEqual(['a']);
});

test('every form of import is checked', () => {
  const wrong = (path: string, text: string) => breaches({ path, text });
  expect(wrong('src/rules/a.ts', "import { b } from '../games/b.ts';")).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "export * from '../cli/main.ts';")).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "await import('../cli/main.ts')")).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "import 'node:fs';")).toHaveLength(1);
  expect(wrong('src/games/a.ts', 'import x from "lodash";')).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "import { b } from '../../tests/architecture/importRules.ts';")).toHaveLength(1);
  expect(wrong('src/attic/a.ts', '')).toHaveLength(1);
  expect(wrong('src/table/evolve/a.ts', "import { b } from '../decide/b.ts';")).toHaveLength(1);
  expect(wrong('src/table/schema/a.ts', "import { b } from '../state.ts';")).toHaveLength(1);
  expect(wrong('src/ledger/a.ts', "import { b } from '../table/evolve/b.ts';")).toEqual([]);
  expect(wrong('src/cli/play/a.ts', "import { b } from '../../table/decide/b.ts';")).toEqual([]);
  expect(wrong('src/games/a.ts', "import { b } from '../rules/b.ts';\nimport { c } from './c.ts';")).toEqual([]);
  expect(wrong('src/rules/a.ts', "import { sha256 } from '@noble/hashes/sha2.js';")).toEqual([]);
  expect(impurities({ path: 'src/rules/a.ts', text: 'const n = Math.random();' })).toHaveLength(1);
  expect(impurities({ path: 'src/rules/a.ts', text: '/** Not Math.random. */' })).toEqual([]);
  expect(importsOf("import {\n  a,\n} from './a.ts';")).toEqual(['./a.ts']);
});

test('screens of patrons and staff share web/shared and do not import each other', () => {
  const wrong = (path: string, from: string) => breaches({ path, text: `import { a } from '${from}';` });
  expect(wrong('src/web/staff/a.tsx', '../patron/app/state.ts')).toEqual([
    'src/web/staff/a.tsx imports src/web/patron/app/state.ts, but web/staff may not import web/patron',
  ]);
  expect(wrong('src/web/patron/a.tsx', '../staff/app/state.ts')).toHaveLength(1);
  expect(wrong('src/web/shared/a.tsx', '../patron/app/state.ts')).toHaveLength(1);
  expect(wrong('src/web/staff/a.tsx', '../shared/cards/card.tsx')).toEqual([]);
});
