import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorCodes } from '../../src/cli/support/codes.ts';
import { breaches, impurities, importsOf, law, lawIn } from './law.ts';
import { sources } from './sources.ts';

const code = sources('src/**/*.{ts,tsx}');
const product = code.filter(({ path }) => !/\.test\.tsx?$/.test(path));
const tests = [...sources('tests/**/*.ts'), ...code.filter(({ path }) => path.endsWith('.test.ts'))];

test('the rooms import only what the house allows', () => {
  expect(product.length).toBeGreaterThan(25);
  expect(product.flatMap((source) => breaches(source))).toEqual([]);
});

test('the pure rooms know no clock, no chance, no process and no network', () => {
  expect(product.flatMap(impurities)).toEqual([]);
});

test('the map of the house has a row for each room, and no room imports one that is not there', () => {
  const rooms = new Set(product.map(({ path }) => path.split('/')[1]!));
  const listed = [...law.mayImport.keys()];
  expect([...rooms].filter((room) => listed.every((one) => one.split('/')[0] !== room))).toEqual([]);
  expect(listed.filter((room) => !product.some(({ path }) => path.startsWith(`src/${room}/`)))).toEqual([]);
  expect([...law.mayImport.values()].flat().filter((room) => !listed.includes(room))).toEqual([]);
  expect(law.pure.size).toBeGreaterThan(5);
  expect(lawIn('| `src/a` *pure* | x | - |\n| `src/b/c` | y | a, b |').mayImport).toEqual(
    new Map([
      ['a', []],
      ['b/c', ['a', 'b']],
    ]),
  );
});

test('the law notices every kind of breach', () => {
  const wrong = (path: string, text: string) => breaches({ path, text });
  expect(wrong('src/rules/a.ts', "import { b } from '../games/b.ts';")).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "export * from '../cli/main.ts';")).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "await import('../cli/main.ts')")).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "import 'node:fs';")).toHaveLength(1);
  expect(wrong('src/games/a.ts', 'import x from "lodash";')).toHaveLength(1);
  expect(wrong('src/rules/a.ts', "import { b } from '../../tests/house/law.ts';")).toHaveLength(1);
  expect(wrong('src/attic/a.ts', '')).toHaveLength(1);
  expect(wrong('src/table/evolve/a.ts', "import { b } from '../decide/b.ts';")).toHaveLength(1);
  expect(wrong('src/table/declare/a.ts', "import { b } from '../table.ts';")).toHaveLength(1);
  expect(wrong('src/ledger/a.ts', "import { b } from '../table/evolve/b.ts';")).toEqual([]);
  expect(wrong('src/cli/play/a.ts', "import { b } from '../../table/decide/b.ts';")).toEqual([]);
  expect(wrong('src/games/a.ts', "import { b } from '../rules/b.ts';\nimport { c } from './c.ts';")).toEqual([]);
  expect(wrong('src/rules/a.ts', "import { sha256 } from '@noble/hashes/sha2.js';")).toEqual([]);
  expect(impurities({ path: 'src/rules/a.ts', text: 'const n = Math.random();' })).toHaveLength(1);
  expect(impurities({ path: 'src/rules/a.ts', text: '/** Not Math.random. */' })).toEqual([]);
  expect(importsOf("import {\n  a,\n} from './a.ts';")).toEqual(['./a.ts']);
});

test('patron and staff screens may not import each other, and may share what lies beside them', () => {
  const map = `
| \`src/web/shared\` | x | - |
| \`src/web/patron\` | x | web/shared |
| \`src/web/staff\` | x | web/shared |
| \`src/desk\` | x | web |`;
  const wrong = (path: string, from: string) => breaches({ path, text: `import { a } from '${from}';` }, lawIn(map));
  expect(wrong('src/web/staff/a.tsx', '../patron/slip.ts')).toEqual([
    'src/web/staff/a.tsx imports src/web/patron/slip.ts, but web/staff may not import web/patron',
  ]);
  expect(wrong('src/web/patron/a.tsx', '../staff/cage.tsx')).toHaveLength(1);
  expect(wrong('src/web/shared/a.tsx', '../patron/slip.ts')).toHaveLength(1);
  expect(wrong('src/web/staff/a.tsx', '../shared/cards.tsx')).toEqual([]);
  expect(wrong('src/desk/a.ts', '../web/patron/slip.ts')).toEqual([]);
  // The rows of today's map say the same of the screens that there are.
  expect(breaches({ path: 'src/web/shared/a.ts', text: "import { a } from '../patron/slip.ts';" })).toHaveLength(1);
  expect(law.mayImport.get('web/patron')).toContain('web/shared');
});

test('nothing draws cards or money by Math.random', () => {
  expect(product.filter(({ text }) => /Math\.random/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no test is skipped, singled out or left for later, and only listed files expect failures', () => {
  const others = tests.filter(({ path }) => !path.endsWith('house.test.ts'));
  const pathsWith = (mark: RegExp): readonly string[] =>
    others.filter(({ text }) => mark.test(text)).map(({ path }) => path);
  expect(pathsWith(/\b(?:test|it|describe|suite)\.(?:skip|only|todo|skipIf|runIf)\b/)).toEqual([]);
  // The layout for tablets held upright and turned phones is still to come.
  expect(pathsWith(/\btest\.fails\b|, \{ fails: \w+ \}, /)).toEqual(['tests/browser/sizes.test.ts']);
});

test('docs/errors.md lists just the error codes that there are, and each is given somewhere', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(errorCodes);
  const raised = product
    .filter(({ path }) => !path.endsWith('/refusal.ts') && !path.endsWith('/refusals.ts'))
    .map(({ text }) => text.replaceAll(/const commandErrors[\s\S]*?as const;/g, ''))
    .join('\n');
  for (const name of errorCodes) expect(raised.includes(`'${name}'`), name).toBe(true);
});

test('files stay short enough to be read whole', () => {
  for (const { path, text } of [...product, ...tests]) expect(text.split('\n').length, path).toBeLessThan(450);
});
