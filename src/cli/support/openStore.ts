import { countText } from '../../base/countText.ts';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AnchorState, DamagedAnchor, UnusableAnchor, readAnchor } from '../../checkpoint/anchorFile.ts';
import { WrongSigner } from '../../checkpoint/signingKey.ts';
import { BehindAnchor } from '../../checkpoint/rollbackCheck.ts';
import { ClockFar } from '../../runtime/ports/clock.ts';
import { OtherProperty } from '../../runtime/floorRuntime.ts';
import { DamagedBlob } from '../../runtime/encryption/encryptedBlobs.ts';
import { WrongKey } from '../../runtime/encryption/dataKey.ts';
import { CannotRecord } from '../../runtime/stream/pendingCommand.ts';
import { DamagedBackup } from '../../store/backup.ts';
import { hasDatabase } from '../../store/sqlite/dataFolder.ts';
import { DataInUse } from '../../store/sqlite/folderLock.ts';
import { type ReadOnlyStore, openLiveSnapshot, openReadOnly } from '../../store/sqlite/readOnlyStore.ts';
import { NewerRecord, OlderRecord } from '../../store/schemaVersion.ts';
import { type FullReader } from '../../store/storeExport.ts';
import { type PostgresOptions } from '../../store/postgres/postgresStore.ts';
import { parseConnectionUrl, redactedUrl } from '../../store/postgres/connectionUrl.ts';
import { type SqliteStore, sqliteStore } from '../../store/sqlite/sqliteStore.ts';
import {
  DamagedRecord,
  MissingRecord,
  type StoreReader,
  ResultUnknown,
  type Store,
  TakenOver,
  UnusableData,
} from '../../store/store.ts';
import { DatabaseAway, RecordLost, WriteFailed } from '../../store/failures.ts';
import { CliError } from './cliError.ts';

/**
 * The record of a data folder, or why it cannot be used. Where its key or its anchor is, it must be as well; what the
 * anchor knows of one that is missing or damaged is said. Whoever is not to begin a new one says so.
 */
export async function openDataFolder(folder: string, anchor: string, mayBegin = true): Promise<SqliteStore> {
  try {
    const isBegun = hasKeyOrAnchor({ key: `${folder}.key`, anchor });
    if (!mayBegin && !isBegun && !hasDatabase(folder, false)) throw notBegun(folder);
    return await sqliteStore(folder, { mustExist: !mayBegin || isBegun });
  } catch (error) {
    if (!(error instanceof MissingRecord) && !(error instanceof DamagedRecord)) throw toCliError(folder, error);
    const stop = toCliError(folder, error) as CliError;
    throw new CliError(1, stop.code, `${stop.message} ${knownOf(anchor)}`);
  }
}

/** What belongs to a record and lies elsewhere. */
export type StorePaths = { readonly key: string; readonly signer: string; readonly anchor: string };

/** Whether there must be a record, since something that belongs to it is there. */
export const hasKeyOrAnchor = ({ key, anchor }: Omit<StorePaths, 'signer'>): boolean =>
  existsSync(key) || existsSync(anchor);

/** The record in a database, or why it cannot be used. As in a folder, where its key or its anchor is, it must be as well. */
export async function openDatabase(
  address: string,
  kept: StorePaths,
  seen?: PostgresOptions['readPositions'],
): Promise<Store> {
  const { postgresStore } = await import('../../store/postgres/postgresStore.ts');
  try {
    return await postgresStore(address, { mustExist: hasKeyOrAnchor(kept), ...(seen && { readPositions: seen }) });
  } catch (error) {
    throw toMissingStoreError(kept, error);
  }
}

/** What is to be done about a database without its record; any other error comes back as it is. */
export function toMissingStoreError({ key, anchor }: StorePaths, error: unknown): unknown {
  if (!(error instanceof MissingRecord)) return error;
  const way = `put the record back, or, for a new floor, move ${key} (and its anchor) away as well`;
  return new CliError(1, 'missing-record', `${error.message.replace(/\.$/, '')}; ${way}. ${knownOf(anchor)}`);
}

/** The key of a folder lies beside it; that of a database is wherever its programs find it. */
export function keyPath(named: string | undefined, address: string | undefined, data: string): string {
  if (named === undefined) return `${data}.key`;
  if (address !== undefined) return resolve(named);
  throw new CliError(
    2,
    'malformed-argument',
    'The key of a data folder lies beside it; give --key with --store alone.',
  );
}

/** What is wrong with the record in a database, for the one who named it. */
export function toDatabaseError(address: string, error: unknown): unknown {
  if (error instanceof TakenOver) return new CliError(1, 'data-in-use', error.message);
  const isOther = error instanceof DatabaseAway || error instanceof ResultUnknown;
  if (!isOther && (error instanceof CannotRecord || error instanceof WriteFailed)) {
    const why = error instanceof WriteFailed ? error.message : String((error.cause as Error | undefined)?.message);
    const message = `The database ${redactedUrl(parseConnectionUrl(address))} takes nothing (${JSON.stringify(why)}); see to it, and start again.`;
    return new CliError(1, 'cannot-record', message);
  }
  return toCliError(address, error);
}

const notBegun = (folder: string): CliError =>
  new CliError(
    1,
    'missing-record',
    `There is no record in ${JSON.stringify(folder)} yet; start the floor once with \`punto serve\`, which begins one, or name another folder.`,
  );

/** What an anchor knows of a record that cannot be read. */
function knownOf(file: string): string {
  let anchor: AnchorState | undefined;
  try {
    anchor = readAnchor(file);
  } catch (error) {
    if (!(error instanceof DamagedAnchor) && !(error instanceof UnusableAnchor)) throw error;
    return error.message;
  }
  if (anchor === undefined) return 'No anchor tells how far it reached.';
  const entries = [...anchor.heads.values()].reduce((sum, { sequence }) => sum + sequence, 0);
  return `Its anchor knows of ${countText(entries, 'entry', 'entries')} in ${countText(anchor.heads.size, 'stream')}, to ${new Date(anchor.last.at).toISOString()}.`;
}

/** The record of a folder that has one, for one who only looks. */
export const openReadOnlyFolder = (folder: string): Promise<ReadOnlyStore> => lookBy(openReadOnly, folder);

async function lookBy<Found>(look: (folder: string) => Promise<Found>, folder: string): Promise<Found> {
  try {
    if (hasDatabase(folder, false)) return await look(folder);
  } catch (error) {
    throw toCliError(folder, error);
  }
  throw new CliError(
    1,
    'unreadable-file',
    `There is no record in ${JSON.stringify(folder)}; name the data folder of a floor with --data.`,
  );
}

/** A record that is looked at, wherever it lies; one in a folder can be read by several threads. */
export type ReadableStore = StoreReader & Partial<Pick<ReadOnlyStore, 'folder' | 'torn'>>;

/** The record in a database, or else in a folder, for one who only looks. */
export const openReadOnlyStore = async (store: string | undefined, folder: string): Promise<ReadableStore> =>
  store === undefined ? openReadOnlyFolder(folder) : lookAtDatabase(store, folder);

/** The same, also while a floor runs on the folder. */
export const openSnapshotReader = async (store: string | undefined, folder: string): Promise<FullReader> =>
  store === undefined ? lookBy(openLiveSnapshot, folder) : lookAtDatabase(store, folder);

async function lookAtDatabase(store: string, folder: string): Promise<FullReader> {
  const { postgresReader } = await import('../../store/postgres/postgresStore.ts');
  try {
    return await postgresReader(store);
  } catch (error) {
    throw toCliError(folder, error);
  }
}

/** What is left of a commit that was not finished. */
export const tornCommitText = (frames: number): string =>
  `The log ends in a commit that was not finished when the last program ended (${countText(frames, 'page')}); nothing of it counts.`;

const keep = 'keep the folder as it is and call the auditor';

/** What is wrong with a data folder, for the one who named it; any other error is ours, and comes back as it is. */
export function toCliError(folder: string, error: unknown): unknown {
  if (error instanceof DataInUse) return new CliError(1, 'data-in-use', error.message);
  if (error instanceof TakenOver) {
    return new CliError(
      1,
      'data-in-use',
      `Another program has opened the record in ${JSON.stringify(folder)} since; stop it first.`,
    );
  }
  if (error instanceof NewerRecord) return new CliError(1, 'newer-record', error.message);
  if (error instanceof OlderRecord) return new CliError(1, 'older-record', error.message);
  if (error instanceof WrongKey) return new CliError(1, 'wrong-key', error.message);
  if (error instanceof DamagedBlob) {
    const way = 'put the record back as it was, with its key, or call the auditor';
    return new CliError(1, 'damaged-seal', `${error.message.replace(/\.$/, '')}; ${way}.`);
  }
  if (error instanceof WrongSigner) return new CliError(1, 'wrong-key', error.message);
  if (error instanceof BehindAnchor) return new CliError(1, error.issue.reason, error.message);
  if (error instanceof UnusableAnchor) return new CliError(1, 'unusable-anchor', error.message);
  if (error instanceof DamagedAnchor) return new CliError(1, 'damaged-anchor', error.message);
  if (error instanceof OtherProperty) return new CliError(1, 'other-property', error.message);
  if (error instanceof ClockFar) return new CliError(1, 'clock-far', error.message);
  if (error instanceof RecordLost) {
    return new CliError(1, 'record-lost', `${error.message.replace(/\.$/, '')}; see what happened, and start again.`);
  }
  if (error instanceof DatabaseAway || error instanceof ResultUnknown) {
    return new CliError(1, 'unusable-data', error.message);
  }
  if (error instanceof CannotRecord || error instanceof WriteFailed) {
    const why = error instanceof WriteFailed ? error.message : String(error.cause);
    const message = `The data folder ${JSON.stringify(folder)} takes nothing (${JSON.stringify(why)}); make room or repair the disk, and start again.`;
    return new CliError(1, 'cannot-record', message);
  }
  if (error instanceof DamagedBackup) return new CliError(1, 'damaged-backup', error.message);
  if (error instanceof DamagedRecord) {
    return new CliError(1, 'damaged-record', `${error.message.replace(/\.$/, '')}; ${keep}.`);
  }
  if (error instanceof MissingRecord) {
    const way = `put the record back, or, for a new floor, move what is left of it and ${folder}.key (and its anchor) away as well`;
    return new CliError(1, 'missing-record', `${error.message.replace(/\.$/, '')}; ${way}.`);
  }
  if (error instanceof UnusableData) return new CliError(1, 'unusable-data', error.message);
  const { code, errcode, message } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  if (code === 'ERR_SQLITE_ERROR') return sqliteTrouble(folder, (errcode ?? 0) & 0xff, message);
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return unusable(folder, code, wayOut[code]);
}

function sqliteTrouble(folder: string, number: number, message: string): CliError {
  const said = JSON.stringify(message);
  if (number === busy) {
    return new CliError(
      1,
      'data-in-use',
      `Another program has the record in ${JSON.stringify(folder)} open; stop it first.`,
    );
  }
  const name = sqliteNames[number];
  if (name !== undefined) return unusable(folder, said, wayOut[name]);
  return new CliError(
    1,
    'damaged-record',
    `The record in ${JSON.stringify(folder)} cannot be read (${said}); ${keep}.`,
  );
}

const unusable = (folder: string, what: string, way = 'name another'): CliError =>
  new CliError(1, 'unusable-data', `The data folder ${JSON.stringify(folder)} cannot be used (${what}); ${way}.`);

const busy = 5;

/** What SQLite says when the system does not let it, by what the system would say. */
const sqliteNames: { readonly [number: number]: string } = {
  3: 'EACCES',
  8: 'EACCES',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
  23: 'EACCES',
};

const mayNot = 'let this user read and write it and what is in it, or name another';

const wayOut: { readonly [code: string]: string } = {
  EACCES: mayNot,
  EPERM: mayNot,
  EROFS: mayNot,
  EIO: 'see to its disk',
  ENOSPC: 'make room on its disk',
};
