import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A new temporary folder. It is removed after the tests of the file or suite that made it, whether they passed or not. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `punto-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
