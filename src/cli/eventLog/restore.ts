import { existsSync, readdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAnchor } from '../../checkpoint/anchorFile.ts';
import { type KeyPaths, checkStore } from '../../checkpoint/openStore.ts';
import { quoted } from '../../base/refusal.ts';
import { DamagedBackup, readBackup } from '../../store/backup.ts';
import { importIntoFolder } from '../../store/sqlite/importStore.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { importIntoDatabase } from '../../store/postgres/importStore.ts';
import { type CliCommand, optionText } from '../support/command.ts';
import {
  type ReadableStore,
  keyPath,
  openDataFolder,
  openDatabase,
  toDatabaseError,
  toCliError,
} from '../support/openStore.ts';
import { print, storeSizeText } from '../support/print.ts';
import { CliError } from '../support/cliError.ts';
import { checkSignerFile, verifyWithKeys, decryptedText } from './verify.ts';

export const restore: CliCommand = {
  help: `Usage: punto restore --from FILE [--data DIR] [--store ADDRESS] [--key FILE] [--anchor FILE] [--signer FILE]

  --from FILE      what \`punto backup\` has written
  --data DIR       the folder to put it into, empty or not there yet; "data" unless given
  --store ADDRESS  an empty PostgreSQL database to put it into instead; keys and anchor are still those beside DIR
  --key FILE       with --store, the key that seals; DIR.key unless given
  --anchor FILE    the anchor of the record; DIR.anchor unless given
  --signer FILE    its signing key; DIR.signer unless given

Nothing is ever written over. A file that was cut or has changed is refused, and so is a record that is not as it was
written, or that keys and anchor at hand are not of; all of it is there in the end, or nothing. The backup may have been taken
of a folder or of a database.

It says what a start will say. What was recorded after the backup is missing, and the anchor knows that: the start is refused
until the newest record is put back, or until the operator goes on without it by the words that the refusal names. Every shoe
is given up then, so that no card is dealt twice from one.`,
  options: {
    from: { type: 'string' },
    data: { type: 'string' },
    store: { type: 'string' },
    key: { type: 'string' },
    anchor: { type: 'string' },
    signer: { type: 'string' },
  },
  mostArguments: 0,
  run: async (values, _, { output, errors }) => {
    const from = optionText(values, 'from');
    if (from === undefined) {
      throw new CliError(2, 'missing-argument', 'Name the backup, as in `punto restore --from floor.backup`.');
    }
    const data = resolve(optionText(values, 'data') ?? 'data');
    const address = optionText(values, 'store');
    const places: KeyPaths = {
      signer: resolve(optionText(values, 'signer') ?? `${data}.signer`),
      anchor: resolve(optionText(values, 'anchor') ?? `${data}.anchor`),
    };
    const key = keyPath(optionText(values, 'key'), address, data);
    const troubled = (error: unknown): unknown =>
      address === undefined ? toCliError(data, error) : toDatabaseError(address, error);
    let opened = 0;
    try {
      const { property, at, chunks: parts } = await backupIn(resolve(from));
      const check = async (record: ReadableStore): Promise<void> => {
        opened = await passed(record, property, { key, ...places }, (line) => print(errors, line));
      };
      if (address === undefined) refuseFull(data);
      const restored = await (address === undefined
        ? importIntoFolder(data, parts(), check)
        : importIntoDatabase(address, parts(), check));
      const where = address === undefined ? data : `the database ${redactedUrl(parseConnectionUrl(address))}`;
      print(
        output,
        `${storeSizeText(restored)} of ${quoted(property)}, as of ${new Date(at).toISOString()}, are in ${where}.`,
        decryptedText(opened),
        'Everything is as it was written, and adds up.',
      );
    } catch (error) {
      throw troubled(error);
    }
    print(output, await nextStart(data, address, { key, ...places }, troubled));
    return 0;
  },
};

async function backupIn(file: string): ReturnType<typeof readBackup> {
  try {
    return await readBackup(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof DamagedBackup || code === undefined) throw error;
    throw new CliError(1, 'unreadable-file', `${quoted(file)} cannot be read (${code}); name a backup with --from.`);
  }
}

/** A folder that holds something is left alone. */
function refuseFull(folder: string): void {
  const isThere = existsSync(folder);
  if (!isThere || (statSync(folder).isDirectory() && readdirSync(folder).length === 0)) return;
  throw new CliError(1, 'folder-not-empty', `${quoted(folder)} is not empty; choose a folder that is new or empty.`);
}

/** A record that is as it was written, and that of the keys and the anchor at hand; gives how much of what is sealed opens. */
async function passed(
  record: ReadableStore,
  property: string,
  { key, signer, anchor: file }: KeyPaths & { readonly key: string },
  say: (line: string) => void,
): Promise<number> {
  const anchor = readAnchor(file);
  const [known = ''] = anchor?.heads.keys() ?? [];
  if (anchor && !known.startsWith(`${property}/`)) {
    const message = `The backup is of ${quoted(property)}, and ${file} is the anchor of ${quoted(known.split('/', 1)[0]!)}; name another place.`;
    throw new CliError(1, 'other-property', message);
  }
  const { problem, signatures, opened } = await verifyWithKeys(record, { key, signer, ...(anchor && { anchor }) }, say);
  if (problem !== undefined) {
    throw new CliError(1, 'damaged-record', `${problem} Nothing was restored; take another backup.`);
  }
  if (signatures) checkSignerFile(signer, signatures);
  return opened;
}

/** What a start on the record will say. Nothing is written. */
async function nextStart(
  data: string,
  address: string | undefined,
  places: KeyPaths & { readonly key: string },
  troubled: (error: unknown) => unknown,
): Promise<string> {
  try {
    const store =
      address === undefined ? await openDataFolder(data, places.anchor) : await openDatabase(address, places);
    try {
      await checkStore(store, places, undefined);
    } finally {
      await store.close();
    }
  } catch (error) {
    const stop = error instanceof CliError ? error : troubled(error);
    if (!(stop instanceof CliError)) throw stop;
    return `A start will say: ${stop.message} (${stop.code})`;
  }
  return 'It reaches as far as its anchor knows: a start goes on where it ends.';
}
