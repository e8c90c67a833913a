import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ClockFar } from '../floor/clock.ts';
import { OtherProperty } from '../floor/floor.ts';
import { WrongKey } from '../floor/seal.ts';
import { CannotRecord } from '../floor/table.ts';
import { NewerRecord, OlderRecord } from '../store/migrations.ts';
import { DataInUse, sqliteStore } from '../store/sqlite.ts';
import { DamagedRecord, type Store } from '../store/store.ts';
import { RecordLost, WriteFailed } from '../store/trouble.ts';
import { Stop } from './stop.ts';

/** The record of a data folder, or why it cannot be used. */
export async function openData(folder: string): Promise<Store> {
  try {
    return await sqliteStore(folder);
  } catch (error) {
    throw troubleWith(folder, error);
  }
}

/** The record of a folder that has one. */
export async function openExisting(folder: string): Promise<Store> {
  if (!existsSync(join(folder, 'record.sqlite'))) {
    throw new Stop(
      1,
      'unreadable-file',
      `There is no record in ${JSON.stringify(folder)}; name the data folder of a floor with --data.`,
    );
  }
  return openData(folder);
}

const keep = 'keep the folder as it is and call the auditor';

/** What is wrong with a data folder, for the one who named it; any other error is ours, and comes back as it is. */
export function troubleWith(folder: string, error: unknown): unknown {
  if (error instanceof DataInUse) return new Stop(1, 'data-in-use', error.message);
  if (error instanceof NewerRecord) return new Stop(1, 'newer-record', error.message);
  if (error instanceof OlderRecord) return new Stop(1, 'older-record', error.message);
  if (error instanceof WrongKey) return new Stop(1, 'wrong-key', error.message);
  if (error instanceof OtherProperty) return new Stop(1, 'other-property', error.message);
  if (error instanceof ClockFar) return new Stop(1, 'clock-far', error.message);
  if (error instanceof RecordLost) {
    return new Stop(1, 'record-lost', `${error.message.replace(/\.$/, '')}; see what happened, and start again.`);
  }
  if (error instanceof CannotRecord || error instanceof WriteFailed) {
    const why = error instanceof WriteFailed ? error.message : String(error.cause);
    const message = `The data folder ${JSON.stringify(folder)} takes nothing (${JSON.stringify(why)}); make room or mend the disk, and start again.`;
    return new Stop(1, 'cannot-record', message);
  }
  if (error instanceof DamagedRecord) {
    return new Stop(1, 'damaged-record', `${error.message.replace(/\.$/, '')}; ${keep}.`);
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_SQLITE_ERROR') {
    return new Stop(
      1,
      'damaged-record',
      `The record in ${JSON.stringify(folder)} cannot be read (${JSON.stringify(message)}); ${keep}.`,
    );
  }
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
  return new Stop(
    1,
    'unusable-data',
    `The data folder ${JSON.stringify(folder)} cannot be used (${code}); name another.`,
  );
}
