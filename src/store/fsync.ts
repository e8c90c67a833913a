import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

/** Flushes a file (flags `r+`) or a folder (flags `r`) to disk. */
export function fsyncPath(path: string, flags: 'r' | 'r+'): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Flushes the folder of a file to disk, so that a rename survives a power cut. Does nothing on Windows, which cannot
 * flush folders.
 */
export function fsyncFolderOf(path: string): void {
  if (process.platform !== 'win32') fsyncPath(dirname(path), 'r');
}
