import { type ReadStream, createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/temporary.ts';
import { createFileMemoryCacheHook } from './fileMemoryCacheHook.ts';

const folder = temporaryFolder('files');
const page = join(folder, 'index.html');
beforeAll(() => writeFileSync(page, 'page'));

/** File cache hook whose reads end when the test settles them by `ends`. */
function watched() {
  const read: string[] = [];
  const ends: PromiseWithResolvers<Buffer>[] = [];
  const answer = createFileMemoryCacheHook((path) => {
    read.push(path);
    const end = Promise.withResolvers<Buffer>();
    ends.push(end);
    return end.promise;
  });
  const streams: ReadStream[] = [];
  const ask = (path: string): Promise<unknown> => {
    const stream = createReadStream(path);
    streams.push(stream);
    return answer(undefined, undefined, stream);
  };
  return { ask, read, ends, streams };
}

test('the file cache reads a file once and shares its bytes', async () => {
  const { ask, read, ends, streams } = watched();
  const reads = Array.from({ length: 600 }, () => ask(page));
  expect(read).toEqual([page]);
  expect(streams.every(({ destroyed }) => destroyed)).toBe(true);
  const bytes = Buffer.from('page');
  ends[0]!.resolve(bytes);
  for (const given of await Promise.all(reads)) expect(given).toBe(bytes);
  expect(await ask(page)).toBe(bytes);
  expect(read).toHaveLength(1);
});

test('the file cache reports a failed read to all waiters and reads again later', async () => {
  const { ask, read, ends } = watched();
  const reads = [ask(page), ask(page)];
  ends[0]!.reject(new Error('too many files are open'));
  for (const { status } of await Promise.allSettled(reads)) expect(status).toBe('rejected');
  const last = ask(page);
  ends[1]!.resolve(Buffer.from('page'));
  expect(String(await last)).toBe('page');
  expect(read).toHaveLength(2);
});

test('the file cache reads files and passes other payloads through', async () => {
  const answer = createFileMemoryCacheHook();
  expect(String(await answer(undefined, undefined, createReadStream(page)))).toBe('page');
  expect(await answer(undefined, undefined, '{"code":"not-found"}')).toBe('{"code":"not-found"}');
});

test('the file cache reports a file that cannot be opened once, by its reply', async () => {
  const stream = createReadStream(join(folder, 'missing.html'));
  const closed = new Promise<void>((resolve) => stream.on('close', () => resolve()));
  const reply = createFileMemoryCacheHook()(undefined, undefined, stream);
  await expect(reply).rejects.toMatchObject({ code: 'ENOENT' });
  // An error of the stream without a listener fails the run.
  await closed;
});
