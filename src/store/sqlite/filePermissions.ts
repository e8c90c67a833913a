import { chmodSync, statSync } from 'node:fs';
import { rollbackJournalPath, lockPath, walPath, databasePath, shmPath } from './dataFolder.ts';
import { UnusableStoreError } from '../store.ts';

/** Gives the data folder and its files permissions for their owner only (modes 0700 and 0600). */
export function restrictDataFolderToOwner(folder: string, chmod = chmodSync): void {
  // Windows has no permission bits.
  if (process.platform === 'win32') return;
  const database = databasePath(folder);
  const files = [
    database,
    walPath(database),
    shmPath(database),
    rollbackJournalPath(database),
    lockPath(folder),
    rollbackJournalPath(lockPath(folder)),
  ];
  for (const [path, permissions] of [[folder, 0o700], ...files.map((file) => [file, 0o600] as const)] as const) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode;
    if (mode === undefined || (mode & 0o777) === permissions) continue;
    try {
      chmod(path, permissions);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new UnusableStoreError(
        `Other users can read or write ${path}, and its permissions cannot be changed (${code}); make this user its owner, or name another data folder.`,
      );
    }
  }
}
