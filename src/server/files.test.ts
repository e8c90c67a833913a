import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Files } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'punto-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), 'page');
writeFileSync(join(folder, 'assets', 'part.js'), 'part');

/** The files of the folder, and what was read of the disk for them: each read ends as it is told to. */
function watched() {
  const read: string[] = [];
  const ends: PromiseWithResolvers<Buffer>[] = [];
  const files = new Files(folder, (file) => {
    read.push(file);
    const end = Promise.withResolvers<Buffer>();
    ends.push(end);
    return end.promise;
  });
  return { files, read, ends };
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

test('however many ask for a file, it is read once, and they are given the same bytes', async () => {
  const { files, read, ends } = watched();
  const asked = Array.from({ length: 6_000 }, () => files.named('/assets/part.js'));
  expect(read).toEqual([join(folder, 'assets', 'part.js')]);
  const bytes = Buffer.from('part');
  ends[0]!.resolve(bytes);
  for (const given of await Promise.all(asked)) expect(given).toBe(bytes);
  expect(await files.named('/assets/part.js')).toBe(bytes);
  expect(read).toHaveLength(1);
});

test('what was not in the folder at the start is not looked for on the disk', async () => {
  const { files, read } = watched();
  for (const name of ['/', '/other.html', '/../files.ts', '/assets', '/assets/../index.html', 'index.html']) {
    expect(await files.named(name), name).toBeUndefined();
  }
  expect(read).toEqual([]);
});

test('a read that fails fails those who wait for it, and the next who asks tries again', async () => {
  const { files, read, ends } = watched();
  const asked = [files.named('/index.html'), files.named('/index.html')];
  ends[0]!.reject(failure('EMFILE'));
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
  const again = files.named('/index.html');
  ends[1]!.reject(failure('ENOENT'));
  expect(await again).toBeUndefined();
  const last = files.named('/index.html');
  ends[2]!.resolve(Buffer.from('page'));
  expect(String(await last)).toBe('page');
  expect(read).toHaveLength(3);
});

test('a file is read from the folder', async () => {
  const files = new Files(folder);
  expect(String(await files.named('/assets/part.js'))).toBe('part');
});
