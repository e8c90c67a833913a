import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openSqliteReadOnly } from '../../../src/store/sqlite/readOnlyStore.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqliteStore.ts';
import { type WriterReply, type WriterTask } from '../../../src/store/sqlite/writerProtocol.ts';
import { temporaryFolder } from '../../temporary.ts';

const folder = temporaryFolder('writer');
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

type UnnumberedTask = WriterTask extends infer T ? (T extends WriterTask ? Omit<T, 'number'> : never) : never;

/** The writer thread, on a disk that behaves as a file says. */
async function startWriter(data: string) {
  const file = join(folder, 'disk');
  const setDisk = (what: string): void => writeFileSync(file, what);
  setDisk('4294967294');
  // A store that exists, led by its last opener.
  const store = await openSqliteStore(data);
  const { writerEpoch } = store;
  await store.close();
  const writer = new Worker(new URL('../../../src/store/sqlite/writerWorker.ts', import.meta.url), {
    workerData: { file: join(data, 'record.sqlite'), writerEpoch },
    execArgv: ['--import', pathOf('../../cli/support/diskFaults.ts')],
    env: { ...process.env, DISK_FILE: file },
  });
  const ended = once(writer, 'exit');
  await once(writer, 'message');
  let number = 0;
  const send = async (...tasks: readonly UnnumberedTask[]): Promise<readonly WriterReply[]> => {
    for (const task of tasks) writer.postMessage({ ...task, number: ++number });
    return ((await once(writer, 'message')) as [readonly WriterReply[]])[0];
  };
  /** Repeats tasks until two are in one transaction; returns the error of each. */
  const together = async (...tasks: readonly UnnumberedTask[]): Promise<readonly (string | undefined)[]> => {
    for (let tries = 100; tries > 0; tries--) {
      const results = [...(await send(...tasks))];
      if (results.length === tasks.length) return results.map(({ error }) => error);
      while (results.length < tasks.length) results.push(...((await once(writer, 'message')) as [WriterReply[]])[0]);
    }
    throw new Error('They never come at the same time.');
  };
  return { send, together, setDisk, ended };
}

const putBlobTask = (id: string, bytes: number) =>
  ({ type: 'putBlob', id, bytes: new Uint8Array(bytes).fill(7) }) as const;

test('the writer thread replies with disk errors and continues', async () => {
  const data = mkdtempSync(join(folder, 'data-'));
  const { send, together, setDisk, ended } = await startWriter(data);
  expect(await send(putBlobTask('first', 10))).toEqual([{ number: 1, value: undefined }]);
  setDisk('1');
  // SQLite rolls back the whole transaction, with all tasks in it.
  const full = 'Error: database or disk is full (SQLite 13)';
  expect(await together(putBlobTask('a', 100_000), { type: 'heartbeats', names: ['floor'], at: 5 })).toEqual([
    full,
    full,
  ]);
  setDisk('failing');
  expect(await send(putBlobTask('b', 10))).toMatchObject([{ error: 'Error: disk I/O error (SQLite 778)' }]);
  setDisk('malformed');
  expect(await send(putBlobTask('c', 10))).toMatchObject([
    { error: 'Error: database disk image is malformed (SQLite 11)', isDamaged: true },
  ]);
  // A close needs no write.
  setDisk('4294967294');
  expect(await send(putBlobTask('d', 100_000))).toEqual([{ number: expect.any(Number), value: undefined }]);
  setDisk('failing');
  expect(await send({ type: 'close' })).toEqual([{ number: expect.any(Number) }]);
  await ended;
  const reader = await openSqliteReadOnly(data);
  for (const [id, length] of [
    ['first', 10],
    ['a', undefined],
    ['b', undefined],
    ['c', undefined],
    ['d', 100_000],
  ] as const) {
    expect((await reader.blob(id))?.length).toBe(length);
  }
  await reader.close();
});
