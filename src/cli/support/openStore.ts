import { countText } from '../../base/countText.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AnchorState, DamagedAnchorError, UnusableAnchorError, readAnchor } from '../../checkpoint/anchorFile.ts';
import { UnusableSigningKeyError } from '../../checkpoint/signingKey.ts';
import { RollbackSuspectedError } from '../../checkpoint/rollbackCheck.ts';
import { ClockTooFarError } from '../../runtime/ports/clock.ts';
import { PropertyFileMismatchError } from '../../runtime/openFloor.ts';
import { DamagedBlobError } from '../../runtime/encryption/encryptedBlobs.ts';
import { UnusableDataKeyError } from '../../runtime/encryption/dataKey.ts';
import { StreamAbortedError } from '../../runtime/stream/pendingCommand.ts';
import { DamagedBackupError } from '../../store/backup.ts';
import { hasDatabase } from '../../store/sqlite/dataFolder.ts';
import { DataFolderInUseError } from '../../store/sqlite/folderLock.ts';
import { type ReadOnlyStore, openReaderOfRunningFloor, openSqliteReadOnly } from '../../store/sqlite/readOnlyStore.ts';
import { SchemaTooNewError, SchemaTooOldError } from '../../store/schemaVersion.ts';
import { type WholeStoreReader } from '../../store/storeExport.ts';
import { type PostgresStoreOptions } from '../../store/postgres/postgresStore.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { type SqliteStore, openSqliteStore } from '../../store/sqlite/sqliteStore.ts';
import {
  DamagedStoreError,
  MissingStoreError,
  type StoreReader,
  WriteResultUnknownError,
  type Store,
  WriterTakenOverError,
  UnusableStoreError,
} from '../../store/store.ts';
import { DatabaseUnavailableError, StoreWriterEndedError, WriteFailedError } from '../../store/failures.ts';
import { CliError } from './cliError.ts';

/**
 * Opens the SQLite store of a data folder. A new store is created only if `mayCreate` is true and neither encryption
 * key nor anchor exists. If the store is missing or damaged, the error says which entries the anchor lists.
 */
export async function openDataFolderStore(folder: string, anchor: string, mayCreate = true): Promise<SqliteStore> {
  try {
    const hasKeys = hasKeyOrAnchor({ key: `${folder}.key`, anchor });
    if (!mayCreate && !hasKeys && !hasDatabase(folder, false)) throw toMissingDataError(folder);
    return await openSqliteStore(folder, { mustExist: !mayCreate || hasKeys });
  } catch (error) {
    if (!(error instanceof MissingStoreError) && !(error instanceof DamagedStoreError))
      throw storeErrorToCliError(folder, error);
    const cliError = storeErrorToCliError(folder, error) as CliError;
    throw new CliError(1, cliError.code, `${cliError.message} ${anchorText(anchor)}`);
  }
}

/** Paths of the files that belong to a store but are outside it: encryption key, signing key and anchor. */
export type KeyAndAnchorPaths = { readonly key: string; readonly signer: string; readonly anchor: string };

/**
 * True if the encryption key or the anchor exists. Both are created together with the store. So if one of them exists,
 * the store must exist too.
 */
export const hasKeyOrAnchor = ({ key, anchor }: Omit<KeyAndAnchorPaths, 'signer'>): boolean =>
  existsSync(key) || existsSync(anchor);

/**
 * Opens the store in a PostgreSQL database. A new store is created only if neither encryption key nor anchor exists.
 */
export async function openDatabaseStore(
  databaseUrl: string,
  storePaths: KeyAndAnchorPaths,
  readPositions?: PostgresStoreOptions['readPositions'],
): Promise<Store> {
  const { openPostgresStore } = await import('../../store/postgres/postgresStore.ts');
  try {
    return await openPostgresStore(databaseUrl, {
      mustExist: hasKeyOrAnchor(storePaths),
      ...(readPositions && { readPositions }),
    });
  } catch (error) {
    throw missingStoreToCliError(storePaths, error);
  }
}

/** Turns a `MissingStoreError` into a `CliError` with a remedy. Any other error is returned unchanged. */
export function missingStoreToCliError({ key, anchor }: KeyAndAnchorPaths, error: unknown): unknown {
  if (!(error instanceof MissingStoreError)) return error;
  const remedy = `put the event log back, or, to start a new floor, move ${key} and its anchor away as well`;
  return new CliError(1, 'missing-record', `${error.message.replace(/\.$/, '')}; ${remedy}. ${anchorText(anchor)}`);
}

/**
 * Gives the path of the encryption key. The key of a data folder is always DIR.key. So --key is an error without a
 * database.
 */
export function encryptionKeyPath(
  keyOption: string | undefined,
  databaseUrl: string | undefined,
  data: string,
): string {
  if (keyOption === undefined) return `${data}.key`;
  if (databaseUrl !== undefined) return resolve(keyOption);
  throw new CliError(
    2,
    'malformed-argument',
    'The key of a data folder is next to it, as DIR.key; give --key only with --store.',
  );
}

/** Turns a failure of a store in a database into a `CliError` with a remedy. Any other error is returned unchanged. */
export function databaseErrorToCliError(databaseUrl: string, error: unknown): unknown {
  if (error instanceof WriterTakenOverError) return new CliError(1, 'data-in-use', error.message);
  const isUnreachable = error instanceof DatabaseUnavailableError || error instanceof WriteResultUnknownError;
  if (!isUnreachable && (error instanceof StreamAbortedError || error instanceof WriteFailedError)) {
    const reason =
      error instanceof WriteFailedError ? error.message : String((error.cause as Error | undefined)?.message);
    const message = `The database ${redactedUrl(parseConnectionUrl(databaseUrl))} accepts no writes (${JSON.stringify(reason)}); repair it and start again.`;
    return new CliError(1, 'cannot-record', message);
  }
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== undefined && isSystemErrorCode(code) && path !== undefined) {
    const remedy = code === 'ENOENT' ? 'create its folder' : (remedies[code] ?? 'choose another path');
    const message = `The file ${JSON.stringify(path)} cannot be used (${code}); ${remedy}.`;
    return new CliError(1, 'unusable-data', message);
  }
  return storeErrorToCliError(databaseUrl, error);
}

const toMissingDataError = (folder: string): CliError =>
  new CliError(
    1,
    'missing-record',
    `There is no event log in ${JSON.stringify(folder)} yet; start the floor once with \`punto serve\`, which creates it, or give another folder with --data.`,
  );

/** Sentence about the entries that an anchor lists. It ends each error about a store that cannot be read. */
function anchorText(file: string): string {
  let anchor: AnchorState | undefined;
  try {
    anchor = readAnchor(file);
  } catch (error) {
    if (!(error instanceof DamagedAnchorError) && !(error instanceof UnusableAnchorError)) throw error;
    return error.message;
  }
  if (anchor === undefined) return 'There is no anchor that shows how far the event log reached.';
  const entries = [...anchor.heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  return `Its anchor lists ${countText(entries, 'entry', 'entries')} in ${countText(anchor.heads.size, 'stream')}, to ${new Date(anchor.last.at).toISOString()}.`;
}

export const openReadOnlyFolder = (folder: string): Promise<ReadOnlyStore> => openExisting(openSqliteReadOnly, folder);

async function openExisting<Opened>(open: (folder: string) => Promise<Opened>, folder: string): Promise<Opened> {
  try {
    if (hasDatabase(folder, false)) return await open(folder);
  } catch (error) {
    throw storeErrorToCliError(folder, error);
  }
  throw new CliError(
    1,
    'unreadable-file',
    `There is no event log in ${JSON.stringify(folder)}; give the data folder of a floor with --data.`,
  );
}

/**
 * A read-only store in a data folder or a database. `folder` is set only for a data folder, which several threads can
 * read at once.
 */
export type ReadableStore = StoreReader & Partial<Pick<ReadOnlyStore, 'folder' | 'torn'>>;

export const openReadOnlyStore = async (databaseUrl: string | undefined, folder: string): Promise<ReadableStore> =>
  databaseUrl === undefined ? openReadOnlyFolder(folder) : openDatabaseReader(databaseUrl, folder);

/**
 * Opens a reader that sees the store as it is at this moment. A floor may run on the store and write at the same time.
 */
export const openConsistentReader = async (
  databaseUrl: string | undefined,
  folder: string,
): Promise<WholeStoreReader> =>
  databaseUrl === undefined ? openExisting(openReaderOfRunningFloor, folder) : openDatabaseReader(databaseUrl, folder);

async function openDatabaseReader(databaseUrl: string, folder: string): Promise<WholeStoreReader> {
  const { openPostgresWholeStoreReader } = await import('../../store/postgres/postgresStore.ts');
  try {
    return await openPostgresWholeStoreReader(databaseUrl);
  } catch (error) {
    throw storeErrorToCliError(folder, error);
  }
}

export const tornCommitText = (frames: number): string =>
  `The database ends with a commit that the last program did not finish (${countText(frames, 'page')}); this commit is ignored.`;

const keepFolder = 'keep the folder as it is and call the auditor';

/**
 * Turns a failure of a store in a data folder into a `CliError` with a remedy. Any other error is a defect and is
 * returned unchanged.
 */
export function storeErrorToCliError(folder: string, error: unknown): unknown {
  if (error instanceof DataFolderInUseError) return new CliError(1, 'data-in-use', error.message);
  if (error instanceof WriterTakenOverError) {
    return new CliError(
      1,
      'data-in-use',
      `Another program has opened the event log in ${JSON.stringify(folder)} meanwhile; stop it first.`,
    );
  }
  if (error instanceof SchemaTooNewError) return new CliError(1, 'newer-record', error.message);
  if (error instanceof SchemaTooOldError) return new CliError(1, 'older-record', error.message);
  if (error instanceof UnusableDataKeyError) return new CliError(1, 'wrong-key', error.message);
  if (error instanceof DamagedBlobError) {
    const remedy = 'restore the event log with its key, or call the auditor';
    return new CliError(1, 'damaged-blob', `${error.message.replace(/\.$/, '')}; ${remedy}.`);
  }
  if (error instanceof UnusableSigningKeyError) return new CliError(1, 'wrong-key', error.message);
  if (error instanceof RollbackSuspectedError) return new CliError(1, error.issue.reason, error.message);
  if (error instanceof UnusableAnchorError) return new CliError(1, 'unusable-anchor', error.message);
  if (error instanceof DamagedAnchorError) return new CliError(1, 'damaged-anchor', error.message);
  if (error instanceof PropertyFileMismatchError) return new CliError(1, 'other-property', error.message);
  if (error instanceof ClockTooFarError) return new CliError(1, 'clock-far', error.message);
  if (error instanceof StoreWriterEndedError) {
    return new CliError(1, 'record-lost', `${error.message.replace(/\.$/, '')}; find the cause and start again.`);
  }
  if (error instanceof DatabaseUnavailableError || error instanceof WriteResultUnknownError) {
    return new CliError(1, 'unusable-data', error.message);
  }
  if (error instanceof StreamAbortedError || error instanceof WriteFailedError) {
    const reason = error instanceof WriteFailedError ? error.message : String(error.cause);
    const message = `The data folder ${JSON.stringify(folder)} accepts no writes (${JSON.stringify(reason)}); free disk space or repair the disk, and start again.`;
    return new CliError(1, 'cannot-record', message);
  }
  if (error instanceof DamagedBackupError) return new CliError(1, 'damaged-backup', error.message);
  if (error instanceof DamagedStoreError) {
    return new CliError(1, 'damaged-record', `${error.message.replace(/\.$/, '')}; ${keepFolder}.`);
  }
  if (error instanceof MissingStoreError) {
    const remedy = `put the event log back, or, to start a new floor, move the rest of it, ${folder}.key and its anchor away as well`;
    return new CliError(1, 'missing-record', `${error.message.replace(/\.$/, '')}; ${remedy}.`);
  }
  if (error instanceof UnusableStoreError) return new CliError(1, 'unusable-data', error.message);
  const { code, errcode, message } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  if (code === 'ERR_SQLITE_ERROR') return toSqliteError(folder, (errcode ?? 0) & 0xff, message);
  if (code === undefined || !isSystemErrorCode(code)) return error;
  return toUnusableError(folder, code, remedies[code]);
}

const isSystemErrorCode = (code: string): boolean => /^E[A-Z]+$/.test(code);

function toSqliteError(folder: string, resultCode: number, message: string): CliError {
  const quotedMessage = JSON.stringify(message);
  if (resultCode === sqliteBusy) {
    return new CliError(
      1,
      'data-in-use',
      `Another program has the event log in ${JSON.stringify(folder)} open; stop it first.`,
    );
  }
  const name = systemErrorOf[resultCode];
  if (name !== undefined) return toUnusableError(folder, quotedMessage, remedies[name]);
  return new CliError(
    1,
    'damaged-record',
    `The event log in ${JSON.stringify(folder)} cannot be read (${quotedMessage}); ${keepFolder}.`,
  );
}

const toUnusableError = (folder: string, what: string, remedy = 'choose another folder'): CliError =>
  new CliError(1, 'unusable-data', `The data folder ${JSON.stringify(folder)} cannot be used (${what}); ${remedy}.`);

const sqliteBusy = 5;

/** Error code of the operating system that corresponds to each SQLite result code. */
const systemErrorOf: { readonly [resultCode: number]: string } = {
  3: 'EACCES',
  8: 'EACCES',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
  23: 'EACCES',
};

const grantAccess = 'give this user read and write access to the folder and its files, or choose another folder';

const remedies: { readonly [code: string]: string } = {
  EACCES: grantAccess,
  EPERM: grantAccess,
  EROFS: grantAccess,
  EIO: 'check the disk of the folder',
  ENOSPC: 'free space on the disk of the folder',
};
