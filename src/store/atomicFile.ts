import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { fsyncFolderOf } from './fsync.ts';

/**
 * Writes a small file that only its owner may read (mode 0600). Atomic and durable: a temporary file is flushed to
 * disk, then renamed.
 */
export function writeFileAtomic(file: string, content: Buffer | string): void {
  const temporary = `${file}.part`;
  rmSync(temporary, { force: true });
  writeAndSync(openSync(temporary, 'wx', 0o600), content);
  renameSync(temporary, file);
  fsyncFolderOf(file);
}

function writeAndSync(handle: number, content: Buffer | string): void {
  const bytes = Buffer.from(content);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(handle, bytes, done);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
