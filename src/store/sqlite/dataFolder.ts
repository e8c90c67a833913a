import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MissingRecord } from '../store.ts';

export const recordIn = (folder: string): string => join(folder, 'record.sqlite');

/** What was written and has not been moved into the record yet. */
export const logOf = (record: string): string => `${record}-wal`;

/** What those who have the record open share; nothing that lasts. */
export const sharedOf = (record: string): string => `${record}-shm`;

/** What was in the record before a change that was not finished; only while a record is made or brought into its mode. */
export const journalOf = (record: string): string => `${record}-journal`;

export const lockIn = (folder: string): string => join(folder, 'lock.sqlite');

/** How many bytes a file has; undefined where there is none. */
export const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/** Whether there is a record in a folder. One that was there and is not any more is refused. */
export function hasRecord(folder: string, mustExist: boolean): boolean {
  const file = recordIn(folder);
  const size = sizeOf(file);
  if (size !== undefined && size > 0) return true;
  const what = size === 0 ? `The record ${file} has no bytes` : `There is no record in ${folder}`;
  const left = [logOf(file), sharedOf(file), journalOf(file)].find((other) => sizeOf(other) !== undefined);
  if (left !== undefined) throw new MissingRecord(`${what}, and ${left} is left of one.`);
  // A record is never without bytes by itself: it comes into its place as a whole.
  if (mustExist || size === 0) throw new MissingRecord(`${what}.`);
  return false;
}

/** Sees to it that a file or folder is on the disk as it is now. */
export function fsyncPath(path: string, how: 'r' | 'r+'): void {
  const open = openSync(path, how);
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}
