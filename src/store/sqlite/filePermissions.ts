import { chmodSync, statSync } from 'node:fs';
import { journalOf, lockIn, logOf, recordIn, sharedOf } from './dataFolder.ts';
import { UnusableData } from '../store.ts';

/** Sees to it that nobody but their owner reads or writes a data folder and what is in it. */
export function keepToOwner(folder: string, change = chmodSync): void {
  // Windows keeps rights by other means.
  if (process.platform === 'win32') return;
  const record = recordIn(folder);
  const files = [record, logOf(record), sharedOf(record), journalOf(record), lockIn(folder), journalOf(lockIn(folder))];
  for (const [path, rights] of [[folder, 0o700], ...files.map((file) => [file, 0o600] as const)] as const) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || (mode & 0o777) === rights) continue;
    try {
      change(path, rights);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UnusableData(
        `Others may read or write ${path}, and it cannot be kept from them (${code}); make this user its owner, or name another data folder.`,
      );
    }
  }
}
