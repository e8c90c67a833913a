import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { prepared } from './chain.ts';
import { openRecord, refuseOther, takeOver } from './migrations.ts';
import { reading } from './reading.ts';
import { type Reader, type Store, TakenOver } from './store.ts';
import { type Answer, type Task, type Written, lengthened, packed } from './writing.ts';

export class DataInUse extends Error {}

const recordIn = (folder: string): string => join(folder, 'record.sqlite');

type Unnumbered = Task extends infer T ? (T extends Task ? Omit<T, 'number'> : never) : never;

/** The record in a folder. One program at a time; reading is done here, writing in a thread of its own. */
export async function sqliteStore(folder: string): Promise<Store> {
  // Nothing is left behind in a folder whose record is not ours to read.
  refuseOther(recordIn(folder));
  mkdirSync(folder, { recursive: true });
  const lock = lockOf(folder);
  try {
    return await openIn(folder, lock);
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function openIn(folder: string, lock: DatabaseSync): Promise<Store> {
  const file = recordIn(folder);
  const reader = openRecord(file);
  const held = takeOver(reader, Date.now());
  const writer = new Worker(new URL('./writer.ts', import.meta.url), { workerData: { file, held } });
  const pending = new Map<number, { resolve: (value: Written | undefined) => void; reject: (error: Error) => void }>();
  let number = 0;
  let broken: Error | undefined;

  const ready = Promise.withResolvers<void>();
  writer.on('message', (answers: readonly Answer[]) => {
    ready.resolve();
    for (const answer of answers) {
      const asked = pending.get(answer.number)!;
      pending.delete(answer.number);
      if (answer.error === undefined) asked.resolve(answer.value);
      else asked.reject(failureOf(answer));
    }
  });
  writer.on('error', (error) => {
    broken = error;
    ready.reject(error);
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  });

  const ask = (what: Unnumbered): Promise<Written | undefined> => {
    if (broken) return Promise.reject(broken);
    const asked = Promise.withResolvers<Written | undefined>();
    number += 1;
    pending.set(number, asked);
    writer.postMessage({ ...what, number });
    return asked.promise;
  };
  await ready.promise;

  return {
    ...reading(reader),
    held,
    append: async (batch) => lengthened(batch, (await ask({ type: 'append', batch: packed(prepared(batch)) }))!),
    saveSnapshot: async (stream, snapshot) => void (await ask({ type: 'snapshot', stream, snapshot })),
    seal: async (id, bytes) => void (await ask({ type: 'seal', id, bytes })),
    beat: async (names, at) => void (await ask({ type: 'beat', names, at })),
    putAside: async (kind, id, value) => void (await ask({ type: 'aside', kind, id, value })),
    checkpoint: async (checkpoint) => void (await ask({ type: 'checkpoint', checkpoint })),
    close: async () => {
      await ask({ type: 'close' });
      await writer.terminate();
      reader.close();
      lock.close();
    },
  };
}

function failureOf({ error, isTakenOver }: Answer): Error {
  const message = `The record cannot be written: ${error}`;
  return isTakenOver ? new TakenOver(message) : new Error(message);
}

/** The record in a folder, for one who only looks. Whoever holds the folder sees to it that nobody writes meanwhile. */
export const sqliteReader = (folder: string): Reader =>
  reading(new DatabaseSync(recordIn(folder), { readOnly: true, timeout: 10_000 }));

/** What SQLite says when somebody else holds a file. */
const busy = 5;

/** Held as long as this program lives, and let go of by the system however it ends. */
function lockOf(folder: string): DatabaseSync {
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new DataInUse(`Another program runs on the data folder ${folder}; stop it first, or name another folder.`);
  }
  return lock;
}
