import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeLater } from './closing.ts';

/** A new temporary folder. It is removed at the end of the test file that made it, whether its tests passed or not. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `punto-${name}-`));
  closeLater(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }), 'file');
  return folder;
}
