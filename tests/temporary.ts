import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeLater } from './closing.ts';

/** Folders of a test file that is being collected; undefined while tests run. */
let deferred: string[] | undefined;

/**
 * Defers new folders until the tests begin: a file that is only collected, as for a list of tests, leaves none behind.
 */
export function deferFolders(): void {
  deferred ??= [];
}

/** Creates the deferred folders of a test file. */
export function makeFolders(): void {
  for (const folder of deferred ?? []) makeFolder(folder);
  deferred = undefined;
}

/**
 * A new temporary folder: created at once within a test or a hook, else when the tests of the file begin. It is
 * removed at the end of the test file, whether its tests passed or not.
 */
export function temporaryFolder(name: string): string {
  const folder = join(tmpdir(), `punto-${name}-${randomBytes(6).toString('hex')}`);
  if (deferred) deferred.push(folder);
  else makeFolder(folder);
  return folder;
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  closeLater(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }), 'file');
}
