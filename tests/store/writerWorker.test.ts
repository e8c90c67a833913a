import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openReadOnly } from '../../src/store/sqlite/readOnlyStore.ts';
import { sqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { type WriterReply, type WriterTask } from '../../src/store/sqlite/writerProtocol.ts';
import { temporaryFolder } from '../temporary.ts';

const folder = temporaryFolder('writer');
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

type UnnumberedTask = WriterTask extends infer T ? (T extends WriterTask ? Omit<T, 'number'> : never) : never;

/** The thread that writes, on a disk that does what a file says. */
async function startWriter(data: string) {
  const file = join(folder, 'disk');
  const say = (what: string): void => writeFileSync(file, what);
  say('4294967294');
  // A record that is there already, held by whoever opened it last.
  const store = await sqliteStore(data);
  const { writerEpoch } = store;
  await store.close();
  const writer = new Worker(new URL('../../src/store/sqlite/writerWorker.ts', import.meta.url), {
    workerData: { file: join(data, 'record.sqlite'), writerEpoch },
    execArgv: ['--import', pathOf('../cli/room.ts')],
    env: { ...process.env, ROOM_FILE: file },
  });
  const ended = once(writer, 'exit');
  await once(writer, 'message');
  let number = 0;
  const ask = async (...tasks: readonly UnnumberedTask[]): Promise<readonly WriterReply[]> => {
    for (const task of tasks) writer.postMessage({ ...task, number: ++number });
    return ((await once(writer, 'message')) as [readonly WriterReply[]])[0];
  };
  /** The same, tried until both have come to it at the same time; gives what is wrong with each. */
  const together = async (...tasks: readonly UnnumberedTask[]): Promise<readonly (string | undefined)[]> => {
    for (let tries = 100; tries > 0; tries--) {
      const answers = [...(await ask(...tasks))];
      if (answers.length === tasks.length) return answers.map(({ error }) => error);
      while (answers.length < tasks.length) answers.push(...((await once(writer, 'message')) as [WriterReply[]])[0]);
    }
    throw new Error('They never come at the same time.');
  };
  return { ask, together, say, ended };
}

const putBlobTask = (id: string, bytes: number) =>
  ({ type: 'putBlob', id, bytes: new Uint8Array(bytes).fill(7) }) as const;

test('the writer thread replies with disk errors and continues', async () => {
  const data = mkdtempSync(join(folder, 'data-'));
  const { ask, together, say, ended } = await startWriter(data);
  expect(await ask(putBlobTask('first', 10))).toEqual([{ number: 1, value: undefined }]);
  say('1');
  // SQLite gives the whole transaction up, and with it all that came at the same time.
  const full = 'Error: database or disk is full (SQLite 13)';
  expect(await together(putBlobTask('a', 100_000), { type: 'heartbeats', names: ['floor'], at: 5 })).toEqual([
    full,
    full,
  ]);
  say('failing');
  expect(await ask(putBlobTask('b', 10))).toMatchObject([{ error: 'Error: disk I/O error (SQLite 778)' }]);
  say('malformed');
  expect(await ask(putBlobTask('c', 10))).toMatchObject([
    { error: 'Error: database disk image is malformed (SQLite 11)', damaged: true },
  ]);
  // To end nothing has to be written.
  say('4294967294');
  expect(await ask(putBlobTask('d', 100_000))).toEqual([{ number: expect.any(Number), value: undefined }]);
  say('failing');
  expect(await ask({ type: 'close' })).toEqual([{ number: expect.any(Number) }]);
  await ended;
  const reader = await openReadOnly(data);
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
