import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readAnchor } from '../../src/checkpoint/anchorFile.ts';
import { checkAndSignStore } from '../../src/checkpoint/storeCheck.ts';
import { createMemoryStore } from '../../src/store/memoryStore.ts';
import { type Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../temporary.ts';

const root = temporaryFolder('full');

const clock = (): number => 1_700_000_000_000;

async function grow(store: Store, stream = 'a'): Promise<void> {
  const after = (await store.heads()).get(stream)?.sequence ?? 0;
  const entry = { event: { type: 'Noted', v: 1, at: 1 }, postings: [], command: { id: `${stream}${after}` } };
  expect(await store.append({ stream, after, entries: [entry] })).toHaveProperty('entries');
}

/** Event store with an anchor of two lines. */
async function openedStore(name: string) {
  const behind = createMemoryStore();
  const files = { signer: join(root, `${name}.signer`), anchor: join(root, `${name}.anchor`) };
  const { writer } = await checkAndSignStore(behind, files, clock, undefined);
  const store = writer.trackedStore();
  await grow(store);
  await writer.anchor();
  const anchoredSequence = (): number | undefined => readAnchor(files.anchor)!.heads.get('a')?.sequence;
  return {
    behind,
    files,
    writer,
    store,
    anchoredSequence,
    text: () => readFileSync(files.anchor, 'utf8'),
  };
}

/** From now on a write stores only half of its bytes, until the returned function is called. */
async function fullDisk(): Promise<() => void> {
  const some = await open(join(root, 'some'), 'a');
  const files = Object.getPrototypeOf(some) as FileHandle;
  await some.close();
  const full = vi.spyOn(files, 'writeFile').mockImplementation(async function (this: FileHandle, data) {
    const text = data as string;
    await this.write(text.slice(0, text.length / 2));
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  const freeSpace = (): void => full.mockRestore();
  onTestFinished(freeSpace);
  return freeSpace;
}

test('an incomplete anchor line on a full disk is ignored and the next line lists all heads', async () => {
  const { writer, store, anchoredSequence, text } = await openedStore('next');
  const freeSpace = await fullDisk();
  await grow(store);
  await expect(writer.anchor()).rejects.toThrow('ENOSPC');
  expect([text().split('\n').length, text().endsWith('\n'), anchoredSequence()]).toEqual([3, false, 1]);
  // Also while the disk is still full.
  await grow(store);
  await expect(writer.anchor()).rejects.toThrow('ENOSPC');
  expect(anchoredSequence()).toBe(1);
  freeSpace();
  await writer.anchor();
  expect([text().split('\n').length, text().endsWith('\n'), anchoredSequence()]).toEqual([2, true, 3]);
  await grow(store);
  await writer.anchor();
  expect([text().split('\n').length, anchoredSequence()]).toEqual([3, 4]);
});

test('a start after a full disk rewrites the anchor, and is refused while the disk is full', async () => {
  const { behind, files, writer, store, anchoredSequence, text } = await openedStore('start');
  const freeSpace = await fullDisk();
  await grow(store);
  await expect(writer.anchor()).rejects.toThrow('ENOSPC');
  const before = text();
  await expect(checkAndSignStore(behind, files, clock, undefined)).rejects.toThrow(
    /cannot be written \(ENOSPC\); check its folder, or name another file\.$/,
  );
  expect(text()).toBe(before);
  freeSpace();
  const { writer: next, issue } = await checkAndSignStore(behind, files, clock, undefined);
  expect([issue, anchoredSequence(), text().endsWith('\n')]).toEqual([undefined, 2, true]);
  await grow(next.trackedStore());
  await next.anchor();
  expect(anchoredSequence()).toBe(3);
});

test('an anchor with a long first line is rewritten only after it has grown', async () => {
  const { files, writer, store, anchoredSequence } = await openedStore('long');
  for (let n = 0; n < 7_000; n++) await grow(store, `terminal-${n}`);
  rmSync(files.anchor);
  await writer.anchor();
  const sizeNow = (): number => statSync(files.anchor).size;
  const size = sizeNow();
  writeFileSync(files.anchor, ' '.repeat(2 ** 20), { flag: 'a' });
  await grow(store);
  await writer.anchor();
  expect(sizeNow()).toBeGreaterThan(size + 2 ** 20);
  writeFileSync(files.anchor, ' '.repeat(3 * size), { flag: 'a' });
  await grow(store);
  await writer.anchor();
  expect(sizeNow()).toBeLessThan(2 * size);
  expect(anchoredSequence()).toBe(3);
});
