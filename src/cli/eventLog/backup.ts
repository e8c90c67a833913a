import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { quoteForMessage } from '../../base/refusal.ts';
import { readBackup, writeBackup } from '../../store/backup.ts';
import { checkImportInTemporaryFolder } from '../../store/sqlite/importStore.ts';
import { exportStore } from '../../store/storeExport.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import { openConsistentReader, databaseErrorToCliError, storeErrorToCliError } from '../support/openStore.ts';
import { print, storeSizeText } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';
import { verifyRestoredStore } from './restore.ts';
import { decryptedBlobsText } from './verify.ts';

export const backupCommand: CliCommand = {
  help: `Usage: punto backup [--data DIR] [--store ADDRESS] --out FILE

  --data DIR       the data folder; default "data". A floor may be running on it; otherwise a floor can start only
                   after the backup is complete.
  --store ADDRESS  a PostgreSQL database instead, such as postgres://user@host:5432/punto; nodes may be running on it. With
                   --data as well, the backup is checked with the keys and the anchor next to DIR.
  --out FILE       the file to write, readable by its owner only; an existing file is never overwritten

Writes the whole store of one moment into one file: every entry byte for byte, balances, checkpoints, encrypted blobs and
the key-value table. Each entry is checked against its hash, and the last line is the SHA-256 of all lines before it.
\`punto restore\` puts the backup of a folder or a database into an empty folder or an empty database.

Before FILE exists under its name, it is restored into the temporary folder FILE.check and verified as \`punto restore\` does
it, with the keys and the anchor that are next to DIR. So exit code 0 means that the backup can be restored. The temporary
folder needs as much disk space as the store, and must not exist yet.

The backup contains neither the keys nor the anchor. Keep a copy of the keys (DIR.key, DIR.signer) with the backups: without
them no floor can continue from a backup. Leave the anchor where it is: it shows what the backup lacks.`,
  options: { data: { type: 'string' }, store: { type: 'string' }, out: { type: 'string' } },
  maxArguments: 0,
  run: async (values, _, { output, errors }) => {
    const out = optionText(values, 'out');
    if (out === undefined) {
      throw new CliError(2, 'missing-argument', 'Give the file to write, as in `punto backup --out floor.backup`.');
    }
    const file = resolve(out);
    if (existsSync(file))
      throw new CliError(1, 'file-exists', `${quoteForMessage(file)} exists already; give another file.`);
    const folder = resolve(optionText(values, 'data') ?? 'data');
    const address = optionText(values, 'store');
    const temporary = `${file}.check`;
    if (existsSync(temporary)) {
      const message = `${quoteForMessage(temporary)} exists already; if it is left over from an interrupted backup, remove it; otherwise give another file.`;
      throw new CliError(1, 'file-exists', message);
    }
    // With --store and without --data, the keys next to the default data folder may be those of another property. Then
    // the backup is checked without keys, because no keys are next to the temporary folder.
    const keysFolder = address === undefined || optionText(values, 'data') !== undefined ? folder : temporary;
    const store = await openConsistentReader(address, folder);
    try {
      const [first] = await store.streams();
      if (first === undefined)
        throw new CliError(1, 'missing-record', 'The store to back up is empty; give another with --data or --store.');
      const header = { property: first.split('/', 1)[0]!, at: Date.now() };
      let decryptedBlobs = 0;
      const { digest, ...size } = await writeBackup(file, header, exportStore(store), async (part) => {
        decryptedBlobs = await checkRestores(part, temporary, keysFolder, (line) => print(errors, line));
      });
      print(
        output,
        `${storeSizeText(size)} of ${quoteForMessage(header.property)} are in ${file}, ${digest}.`,
        'The backup was restored into a temporary folder: everything is as it was written, and all amounts add up.',
        decryptedBlobsText(decryptedBlobs),
        'The backup contains neither the keys nor the anchor: keep the keys with the backups, and leave the anchor where it is.',
      );
      return 0;
    } catch (error) {
      throw (
        toWriteError(file, error) ??
        (address === undefined ? storeErrorToCliError(folder, error) : databaseErrorToCliError(address, error))
      );
    } finally {
      await store.close();
    }
  },
};

/**
 * Restores a backup into a temporary folder, and verifies it with the keys and the anchor next to `keysFolder`, as far
 * as they exist. Returns the number of decrypted blobs.
 */
async function checkRestores(
  file: string,
  temporary: string,
  keysFolder: string,
  printLine: (line: string) => void,
): Promise<number> {
  const keyPaths = { key: `${keysFolder}.key`, signer: `${keysFolder}.signer`, anchor: `${keysFolder}.anchor` };
  let decryptedBlobs = 0;
  try {
    const { property, chunks } = await readBackup(file);
    await checkImportInTemporaryFolder(temporary, chunks(), async (restored) => {
      decryptedBlobs = await verifyRestoredStore(restored, property, keyPaths, {
        printLine,
        consequence:
          'A backup of this store could not be restored, so no backup was written; keep the store as it is and call the auditor.',
      });
    });
  } catch (error) {
    throw storeErrorToCliError(temporary, error);
  }
  return decryptedBlobs;
}

/** Makes a CliError of a file-system error on the backup file. Gives undefined for any other error. */
function toWriteError(file: string, error: unknown): CliError | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const isFile = path?.startsWith(file) === true || syscall === 'write' || syscall === 'fsync';
  if (!isFile || code === undefined) return undefined;
  return new CliError(
    1,
    'unwritable-output',
    `${quoteForMessage(file)} cannot be written (${code}); give another path.`,
  );
}
