import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** fsyncs a file (`r+`) or a folder (`r`). */
export function fsyncPath(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** fsyncs the folder of a file, so that a rename survives a power cut. Windows cannot fsync a folder. */
export function fsyncFolderOf(path: string): void {
  if (process.platform !== 'win32') fsyncPath(dirname(path), 'r');
}
