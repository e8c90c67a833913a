import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoted } from '../../base/refusal.ts';
import { writeBackup } from '../../store/backup.ts';
import { exportChunks } from '../../store/storeExport.ts';
import { type CliCommand, optionText } from '../support/command.ts';
import { openSnapshotReader, databaseErrorToCliError, toCliError } from '../support/openStore.ts';
import { print, storeSizeText } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';

export const backupCommand: CliCommand = {
  help: `Usage: punto backup [--data DIR | --store ADDRESS] --out FILE

  --data DIR       the data folder; "data" unless given. A floor may be running on it; where none is, none
                   starts before it is done.
  --store ADDRESS  a PostgreSQL database instead, such as postgres://user@host:5432/punto, also while tables run
  --out FILE       the file to write, for its owner's eyes only; one that is there is never written over

Writes the whole store into one file, as of one moment: every entry byte for byte, balances, checkpoints, encrypted blobs
and the key-value table. Each entry is checked against its hash, and the last line is the SHA-256 of all lines before it.
\`punto restore\` puts it into an empty folder or database, whichever of the two it came from.

Keys and anchor are not in it. Keep a copy of the keys (DIR.key, DIR.signer) with the backups: without them a floor cannot
continue from one. Leave the anchor where it is, since it must reach further than a backup.`,
  options: { data: { type: 'string' }, store: { type: 'string' }, out: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output }) => {
    const out = optionText(values, 'out');
    if (out === undefined) {
      throw new CliError(2, 'missing-argument', 'Name the file to write, as in `punto backup --out floor.backup`.');
    }
    const file = resolve(out);
    if (existsSync(file)) throw new CliError(1, 'file-exists', `${quoted(file)} is there already; name another file.`);
    const folder = resolve(optionText(values, 'data') ?? 'data');
    const address = optionText(values, 'store');
    const store = await openSnapshotReader(address, folder);
    try {
      const [first] = await store.streams();
      if (first === undefined) throw new CliError(1, 'missing-record', 'The store is empty; name another.');
      const header = { property: first.split('/', 1)[0]!, at: Date.now() };
      const { digest, ...size } = await writeBackup(file, header, exportChunks(store));
      print(
        output,
        `${storeSizeText(size)} of ${quoted(header.property)} are in ${file}, ${digest}.`,
        'Keys and anchor are not in it: keep the keys where backups are, and leave the anchor where it is.',
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
  return new CliError(1, 'unwritable-output', `${quoted(file)} cannot be written (${code}); choose another place.`);
}
