// Fault injection, loaded into a server with --import: the writer thread's disk behaves as a control file says. The file
// holds the maximum number of database pages, or the name of a fault.
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const exec = Reflect.get(DatabaseSync.prototype, 'exec');
const file = process.env['DISK_FILE']!;

/** Faults by name: the failing statement, the message of SQLite, and its extended result code. */
const faults: { readonly [fault: string]: readonly [when: string, what: string, code: number] } = {
  full: ['BEGIN IMMEDIATE', 'database or disk is full', 13],
  failing: ['BEGIN IMMEDIATE', 'disk I/O error', 778],
  unsynced: ['COMMIT', 'disk I/O error', 1034],
  malformed: ['BEGIN IMMEDIATE', 'database disk image is malformed', 11],
};

/** Milliseconds that a slow commit takes. */
const slowCommitMs = 100;

/** Appends a dot for each injected fault, slow commit or torn frame, so that a test can count them. */
const countFault = (): void => appendFileSync(`${file}.struck`, '.');

function faultyExec(this: DatabaseSync, sql: string): void {
  const fault = sql === 'BEGIN IMMEDIATE' || sql === 'COMMIT' ? readFileSync(file, 'utf8') : '';
  if (fault === 'gone') process.exit(7);
  const [failingStatement, message, errcode] = faults[fault] ?? [];
  if (sql === failingStatement) {
    countFault();
    throw Object.assign(new Error(message), { errcode });
  }
  if (fault === 'slow' && sql === 'COMMIT') {
    countFault();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowCommitMs);
  }
  if (sql === 'BEGIN IMMEDIATE') {
    exec.call(this, `PRAGMA max_page_count = ${/^\d+$/.test(fault) ? fault : 4_294_967_294}`);
  }
  try {
    exec.call(this, sql);
  } catch (error) {
    if (isTorn(`${this.location()!}-wal`)) countFault();
    throw error;
  }
}

/** True if the write-ahead log ends within a frame: 32 bytes of header, then frames of 24 bytes and a page. */
const isTorn = (log: string): boolean => (statSync(log).size - 32) % (24 + 4_096) !== 0;

if (!isMainThread) DatabaseSync.prototype.exec = faultyExec;
