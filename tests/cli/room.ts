// Loaded into a server before anything else: the disk of its thread that writes does as a file says. That is how many
// pages the record may have, or what goes wrong.
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread } from 'node:worker_threads';

const exec = Reflect.get(DatabaseSync.prototype, 'exec');

/** What SQLite says, and its number for it. */
const troubles: { readonly [said: string]: readonly [string, number] } = {
  failing: ['disk I/O error', 778],
  malformed: ['database disk image is malformed', 11],
};

function execWithin(this: DatabaseSync, sql: string): void {
  if (sql === 'BEGIN IMMEDIATE') {
    const said = readFileSync(process.env['ROOM_FILE']!, 'utf8');
    if (said === 'gone') process.exit(7);
    const trouble = troubles[said];
    if (trouble) throw Object.assign(new Error(trouble[0]), { errcode: trouble[1] });
    exec.call(this, `PRAGMA max_page_count = ${said}`);
  }
  exec.call(this, sql);
}

if (!isMainThread) DatabaseSync.prototype.exec = execWithin;
