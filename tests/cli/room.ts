// Loaded into a server before anything else: the disk of its thread that writes does as a file says. That is how many
// pages the record may have, or what goes wrong.
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const exec = Reflect.get(DatabaseSync.prototype, 'exec');
const file = process.env['ROOM_FILE']!;

/** When it goes wrong, what SQLite says, and its number for it. */
const troubles: { readonly [said: string]: readonly [when: string, what: string, code: number] } = {
  full: ['BEGIN IMMEDIATE', 'database or disk is full', 13],
  failing: ['BEGIN IMMEDIATE', 'disk I/O error', 778],
  unsynced: ['COMMIT', 'disk I/O error', 1034],
  malformed: ['BEGIN IMMEDIATE', 'database disk image is malformed', 11],
};

/** A disk that takes its time, in milliseconds. */
const slow = 100;

/** Whoever made it bad can count how often it was: slow, failing as it was told, or with a frame cut short by the system. */
const strike = (): void => appendFileSync(`${file}.struck`, '.');

function execWithin(this: DatabaseSync, sql: string): void {
  const said = sql === 'BEGIN IMMEDIATE' || sql === 'COMMIT' ? readFileSync(file, 'utf8') : '';
  if (said === 'gone') process.exit(7);
  const [when, what, errcode] = troubles[said] ?? [];
  if (sql === when) {
    strike();
    throw Object.assign(new Error(what), { errcode });
  }
  if (said === 'slow' && sql === 'COMMIT') {
    strike();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slow);
  }
  if (sql === 'BEGIN IMMEDIATE') {
    exec.call(this, `PRAGMA max_page_count = ${/^\d+$/.test(said) ? said : 4_294_967_294}`);
  }
  try {
    exec.call(this, sql);
  } catch (error) {
    if (isTorn(`${this.location()!}-wal`)) strike();
    throw error;
  }
}

/** Whether a log ends within a frame: it has a head of 32 bytes, and frames of a page with 24 bytes before it. */
const isTorn = (log: string): boolean => (statSync(log).size - 32) % (24 + 4_096) !== 0;

if (!isMainThread) DatabaseSync.prototype.exec = execWithin;
