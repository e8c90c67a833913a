import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** A small file for its owner's eyes only: on the disk as a whole, or not there at all. */
export function writeFileAtomic(file: string, content: Buffer | string): void {
  const part = `${file}.part`;
  rmSync(part, { force: true });
  writeWhole(openSync(part, 'wx', 0o600), content);
  renameSync(part, file);
  syncFolderOf(file);
}

/** A file that is there again after a power cut, under the name it has now. */
function syncFolderOf(file: string): void {
  // Windows has no such thing as a folder that is written out by itself.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function writeWhole(handle: number, content: Buffer | string): void {
  const bytes = Buffer.from(content);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(handle, bytes, done);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
