import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAnchor } from '../../checkpoint/anchorFile.ts';
import { type SignerAndAnchorPaths, checkStoreBeforeStart } from '../../checkpoint/storeCheck.ts';
import { quoteForMessage } from '../../base/refusal.ts';
import { DamagedBackupError, readBackup } from '../../store/backup.ts';
import { importIntoFolder } from '../../store/sqlite/importStore.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { importIntoDatabase } from '../../store/postgres/importStore.ts';
import { type CliCommand, optionText } from '../support/commandLine.ts';
import {
  type ReadableStore,
  encryptionKeyPath,
  openDataFolderStore,
  openDatabaseStore,
  databaseErrorToCliError,
  storeErrorToCliError,
} from '../support/openStore.ts';
import { print, storeSizeText } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';
import { checkSignerFileOfStore, verifyStoreWithKeys, decryptedBlobsText } from './verify.ts';

export const restoreCommand: CliCommand = {
  help: `Usage: punto restore --from FILE [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE]

  --from FILE      the backup file, written by \`punto backup\`
  --data DIR       the folder to restore into: a new or an empty one; default "data"
  --store ADDRESS  an empty PostgreSQL database to restore into instead; the keys and the anchor are still those next to DIR
  --key FILE       with --store, the encryption key; default DIR.key
  --anchor FILE    the anchor of the store; default DIR.anchor
  --signer FILE    the signing key of the store; default DIR.signer

Restores the whole backup, of a folder or of a database, or nothing if it fails. Nothing is ever overwritten. A truncated
or changed file is refused, and so is an event log that is damaged or does not belong to the keys and the anchor.

The last line says what the next start will print. Entries written after the backup are missing, and the anchor shows
that. So the start is refused until the newest store is put back, or until the operator accepts the loss: with --go-on and
the two words that the refusal names. Then every shoe is retired, so that no card is dealt twice.`,
  options: {
    from: { type: 'string' },
    data: { type: 'string' },
    store: { type: 'string' },
    key: { type: 'string' },
    anchor: { type: 'string' },
    signer: { type: 'string' },
  },
  maxArguments: 0,
  run: async (values, _, { output, errors }) => {
    const from = optionText(values, 'from');
    if (from === undefined) {
      throw new CliError(2, 'missing-argument', 'Give the backup file, as in `punto restore --from floor.backup`.');
    }
    const data = resolve(optionText(values, 'data') ?? 'data');
    const databaseUrl = optionText(values, 'store');
    const keyPaths: SignerAndAnchorPaths = {
      signer: resolve(optionText(values, 'signer') ?? `${data}.signer`),
      anchor: resolve(optionText(values, 'anchor') ?? `${data}.anchor`),
    };
    const key = encryptionKeyPath(optionText(values, 'key'), databaseUrl, data);
    const toStoreError = (error: unknown): unknown =>
      databaseUrl === undefined ? storeErrorToCliError(data, error) : databaseErrorToCliError(databaseUrl, error);
    let decryptedBlobs = 0;
    try {
      const { property, at, chunks } = await openBackup(resolve(from));
      const verify = async (restoredStore: ReadableStore): Promise<void> => {
        decryptedBlobs = await verifyRestoredStore(
          restoredStore,
          property,
          { key, ...keyPaths },
          {
            printLine: (line) => print(errors, line),
            consequence: 'Nothing was restored; use another backup.',
          },
        );
      };
      if (databaseUrl === undefined) refuseNonEmpty(data);
      const restored = await (databaseUrl === undefined
        ? importIntoFolder(data, chunks(), verify)
        : importIntoDatabase(databaseUrl, chunks(), verify));
      const target = databaseUrl === undefined ? data : `the database ${redactedUrl(parseConnectionUrl(databaseUrl))}`;
      print(
        output,
        `${storeSizeText(restored)} of ${quoteForMessage(property)}, as of ${new Date(at).toISOString()}, are in ${target}.`,
        decryptedBlobsText(decryptedBlobs),
        'Everything is as it was written, and all amounts add up.',
      );
    } catch (error) {
      throw toStoreError(error);
    }
    print(output, await startupResult(data, databaseUrl, { key, ...keyPaths }, toStoreError));
    return 0;
  },
};

async function openBackup(file: string): ReturnType<typeof readBackup> {
  try {
    return await readBackup(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof DamagedBackupError || code === undefined) throw error;
    throw new CliError(
      1,
      'unreadable-file',
      `${quoteForMessage(file)} cannot be read (${code}); give a backup file with --from.`,
    );
  }
}

function refuseNonEmpty(folder: string): void {
  const exists = existsSync(folder);
  if (!exists || (statSync(folder).isDirectory() && readdirSync(folder).length === 0)) return;
  throw new CliError(
    1,
    'folder-not-empty',
    `${quoteForMessage(folder)} is not empty; choose a folder that is new or empty.`,
  );
}

/**
 * Checks the restored store with its keys and its anchor, and throws if the check fails. The message about a damaged
 * entry ends with the sentence `consequence`. Returns the number of decrypted blobs.
 */
export async function verifyRestoredStore(
  restoredStore: ReadableStore,
  property: string,
  { key, signer, anchor: file }: SignerAndAnchorPaths & { readonly key: string },
  { printLine, consequence }: { readonly printLine: (line: string) => void; readonly consequence: string },
): Promise<number> {
  const anchor = readAnchor(file);
  const [knownStream = ''] = anchor?.heads.keys() ?? [];
  if (anchor && !knownStream.startsWith(`${property}/`)) {
    const message = `The backup is of ${quoteForMessage(property)}, but ${file} is the anchor of ${quoteForMessage(knownStream.split('/', 1)[0]!)}; choose the keys and the anchor of this property.`;
    throw new CliError(1, 'other-property', message);
  }
  const {
    problem,
    signatures,
    openedBlobs: decryptedBlobs,
  } = await verifyStoreWithKeys(restoredStore, { key, signer, ...(anchor && { anchor }) }, printLine);
  if (problem !== undefined) {
    throw new CliError(1, 'damaged-record', `${problem} ${consequence}`);
  }
  if (signatures) checkSignerFileOfStore(signer, signatures);
  return decryptedBlobs;
}

/** Runs the checks of the next start, and writes nothing. Returns a line about what the next start will do or print. */
async function startupResult(
  data: string,
  databaseUrl: string | undefined,
  keyPaths: SignerAndAnchorPaths & { readonly key: string },
  toStoreError: (error: unknown) => unknown,
): Promise<string> {
  try {
    const store =
      databaseUrl === undefined
        ? await openDataFolderStore(data, keyPaths.anchor)
        : await openDatabaseStore(databaseUrl, keyPaths);
    try {
      await checkStoreBeforeStart(store, keyPaths, undefined);
    } finally {
      await store.close();
    }
  } catch (error) {
    const cliError = error instanceof CliError ? error : toStoreError(error);
    if (!(cliError instanceof CliError)) throw cliError;
    return `A start will print: ${cliError.message} (${cliError.code})`;
  }
  return 'The event log reaches as far as its anchor. The next start continues after the last entry of each stream.';
}
