import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { lockIn } from './dataFolder.ts';
import { UnusableData } from '../store.ts';

export class DataInUse extends Error {}

/** What SQLite says when somebody else holds a file, and when a file is no database. */
const busy = 5;
const noDatabase = 26;

/** Held as long as this program lives, and let go of by the system however it ends. */
export function lock(folder: string): DatabaseSync {
  const file = lockIn(folder);
  // One that is there is left to SQLite: whoever closes a file lets go of all that the program holds in it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  // SQLite would share one that it may not write to.
  accessSync(file, constants.W_OK);
  return held(folder, new DatabaseSync(file, { timeout: 0 }), 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
}

/** Shared by those who only look: while one of them does, nobody writes. Nothing is made where there is no lock. */
export function shareLock(folder: string): DatabaseSync | undefined {
  const file = lockIn(folder);
  if (!existsSync(file)) return undefined;
  return held(folder, new DatabaseSync(file, { readOnly: true, timeout: 0 }), 'BEGIN; SELECT 1 FROM sqlite_schema;');
}

function held(folder: string, database: DatabaseSync, how: string): DatabaseSync {
  try {
    database.exec(how);
    return database;
  } catch (error) {
    database.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === busy) throw inUse(folder);
    if (errcode !== noDatabase) throw error;
    throw new UnusableData(
      `The file ${lockIn(folder)} is no lock; make sure that no program runs on the folder, and delete that file.`,
    );
  }
}

export const inUse = (folder: string): DataInUse =>
  new DataInUse(`Another program runs on the data folder ${folder}; stop it first, or name another folder.`);
