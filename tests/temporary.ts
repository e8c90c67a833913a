import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeLater } from './closing.ts';

/** Folders of a test file that is being collected; undefined while tests run. */
let deferred: string[] | undefined;

/** From now on folders wait for the tests: a file that is only collected, as for a list of tests, leaves none behind. */
export function deferFolders(): void {
  deferred ??= [];
}

/** Makes the folders of a test file whose tests begin. */
export function makeFolders(): void {
  for (const folder of deferred ?? []) make(folder);
  deferred = undefined;
}

/**
 * A new temporary folder: at once within a test or a hook, else when the tests of the file begin. It is removed at the end
 * of the test file that made it, whether its tests passed or not.
 */
export function temporaryFolder(name: string): string {
  const folder = join(tmpdir(), `punto-${name}-${randomBytes(6).toString('hex')}`);
  if (deferred) deferred.push(folder);
  else make(folder);
  return folder;
}

function make(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  closeLater(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }), 'file');
}
