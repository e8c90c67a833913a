// Loaded into a server before anything else: its thread that writes finds as much room on the disk as a file says, and
// ends where that says so.
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const { exec } = DatabaseSync.prototype;

function execWithin(this: DatabaseSync, sql: string): void {
  if (sql === 'BEGIN IMMEDIATE') {
    const said = readFileSync(process.env['ROOM_FILE']!, 'utf8');
    if (said === 'gone') process.exit(7);
    exec.call(this, `PRAGMA max_page_count = ${said}`);
  }
  exec.call(this, sql);
}

if (!isMainThread) DatabaseSync.prototype.exec = execWithin;
