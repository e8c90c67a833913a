import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import {
  readLicenceNotice,
  readLicenceNotices,
  packageFolderOfModule,
  formatLicenceNotices,
} from '../../../src/assets/licenceNotices.ts';
import { root } from '../../architecture/sources.ts';

const packages = join(root, 'node_modules');

test('packageFolder gives the innermost package, the bundler for its modules, and none for ours', () => {
  const folders = [
    '/checkout/node_modules/preact/hooks/dist/hooks.mjs',
    '/checkout/node_modules/@preact/signals/dist/signals.mjs?used',
    '/checkout/node_modules/one/node_modules/@scope/two/index.js',
    '\0/checkout/node_modules/three/index.js?commonjs-proxy',
    'C:\\checkout\\node_modules\\four\\index.js',
    '/checkout/src/web/patron/main.tsx',
    '\0vite/preload-helper.js',
  ].map(packageFolderOfModule);
  expect(folders).toEqual([
    '/checkout/node_modules/preact',
    '/checkout/node_modules/@preact/signals',
    '/checkout/node_modules/one/node_modules/@scope/two',
    '/checkout/node_modules/three',
    'C:\\checkout\\node_modules\\four',
    undefined,
    `${packages}${sep}vite`,
  ]);
});

test('licenceNotices gives one notice per package, with all its licence files', () => {
  const modules = ['qr/index.js', 'qr/decode.js', 'preact/dist/preact.mjs'].map((file) => join(packages, file));
  const notices = readLicenceNotices(new Set([...modules, join(root, 'src/web/patron/main.tsx')]));
  expect(notices.map(({ name }) => name)).toEqual(['qr', 'preact']);
  // qr is dual-licensed.
  expect(notices[0]!.text).toMatch(/Apache License[\s\S]*MIT License/);
  expect(formatLicenceNotices(notices)).toMatch(
    /^The screens of Punto .*\n\n=+\n\npreact [\d.]+\n\n[^=]*=+\n\nqr [\d.]+\n\n/,
  );
});

test('licenceNotice throws when a package has no licence file', () => {
  expect(() => readLicenceNotice(join(root, 'bin'))).toThrow('has no licence file');
});
