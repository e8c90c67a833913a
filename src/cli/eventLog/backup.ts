import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoted } from '../../base/refusal.ts';
import { writeBackup } from '../../store/backup.ts';
import { exportStore } from '../../store/storeExport.ts';
import { type CliCommand, optionText } from '../support/command.ts';
import { openSnapshotReader, databaseErrorToCliError, toCliError } from '../support/openStore.ts';
import { print, storeSizeText } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const backupCommand: CliCommand = {
  help: `Usage: punto backup [--data DIR | --store ADDRESS] --out FILE

  --data DIR       the data folder; default "data". A floor may be running on it; if none is, none can start until the
                   backup is complete.
  --store ADDRESS  a PostgreSQL database instead, such as postgres://user@host:5432/punto; nodes may be running on it
  --out FILE       the file to write, readable by its owner only; an existing file is never overwritten

Writes the whole store of one moment into one file: every entry byte for byte, balances, checkpoints, encrypted blobs and
the key-value table. Each entry is checked against its hash, and the last line is the SHA-256 of all lines before it.
\`punto restore\` puts the backup into an empty folder or database, no matter which of the two it came from.

The backup contains neither the keys nor the anchor. Keep a copy of the keys (DIR.key, DIR.signer) with the backups: without
them no floor can continue from a backup. Leave the anchor where it is: it must reach further than the backup.`,
  options: { data: { type: 'string' }, store: { type: 'string' }, out: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output }) => {
    const out = optionText(values, 'out');
    if (out === undefined) {
      throw new CliError(2, 'missing-argument', 'Give the file to write, as in `punto backup --out floor.backup`.');
    }
    const file = resolve(out);
    if (existsSync(file)) throw new CliError(1, 'file-exists', `${quoted(file)} exists already; give another file.`);
    const folder = resolve(optionText(values, 'data') ?? 'data');
    const address = optionText(values, 'store');
    const store = await openSnapshotReader(address, folder);
    try {
      const [first] = await store.streams();
      if (first === undefined)
        throw new CliError(1, 'missing-record', 'The store to back up is empty; give another with --data or --store.');
      const header = { property: first.split('/', 1)[0]!, at: Date.now() };
      const { digest, ...size } = await writeBackup(file, header, exportStore(store));
      print(
        output,
        `${storeSizeText(size)} of ${quoted(header.property)} are in ${file}, ${digest}.`,
        'The keys and the anchor are not in it: keep the keys with the backups, and leave the anchor where it is.',
      );
      return 0;
    } catch (error) {
      throw (
        toWriteError(file, error) ??
        (address === undefined ? toCliError(folder, error) : databaseErrorToCliError(address, error))
      );
    } finally {
      await store.close();
    }
  },
};

/** CliError for a file-system error on the backup file; undefined for any other error. */
function toWriteError(file: string, error: unknown): CliError | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const isFile = path?.startsWith(file) === true || syscall === 'write' || syscall === 'fsync';
  if (!isFile || code === undefined) return undefined;
  return new CliError(1, 'unwritable-output', `${quoted(file)} cannot be written (${code}); give another path.`);
}
