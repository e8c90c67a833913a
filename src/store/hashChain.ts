import { hash as digest } from 'node:crypto';
import { isObject } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { quoted } from '../base/refusal.ts';
import { type RecordedEvent, type StoredEntry, DamagedEntry } from './store.ts';

/** `previous` of the first entry of a stream. */
export const genesisHash = `sha256:${'0'.repeat(64)}`;

/** Canonical text of an entry, which its hash covers. It contains the hash of the entry before it. */
export const entryBodyOf = ({ hash: _hash, ...entry }: StoredEntry): string => canonicalJson(entry);

export const entryBodyHash = (body: string): string => `sha256:${digest('sha256', body)}`;

/** An entry as a store keeps it, unverified. */
export type EntryRow = {
  readonly stream: string;
  readonly sequence: number;
  readonly hash: string;
  /** Bytes instead of text are corruption. */
  readonly body: string | Uint8Array;
  /** Id of the command, in its first entry only. */
  readonly command: string | null;
  /** Subject of the index; undefined in a schema version without that index. */
  readonly subject?: string | null;
};

/** Subject of the index: the session for a slip, the round for any other event. */
export function subjectOfEvent({ type, terminal, round }: RecordedEvent): string | null {
  const subject = type === 'SlipSet' ? terminal : round;
  return typeof subject === 'string' ? subject : null;
}

/** Parses an entry and verifies its hash, position, command and subject; throws `DamagedEntry`. */
export function parseAndVerifyEntry({ stream, sequence, hash, body, command, subject }: EntryRow): StoredEntry {
  if (typeof body !== 'string') throw new DamagedEntry(stream, sequence, 'is not a text');
  if (entryBodyHash(body) !== hash)
    throw new DamagedEntry(stream, sequence, 'does not give the hash it was written with');
  const entry = parseBody(body) as Omit<StoredEntry, 'hash'> | undefined;
  if (entry === undefined) throw new DamagedEntry(stream, sequence, 'is not an entry as it must be');
  if (entry.stream !== stream || entry.sequence !== sequence) {
    throw new DamagedEntry(stream, sequence, `says that it is entry ${entry.sequence} of ${entry.stream}`);
  }
  if (command !== null && command !== entry.command.id) {
    throw new DamagedEntry(stream, sequence, `is kept under the command ${quoted(command)}, which is not its own`);
  }
  if (subject !== undefined && subject !== subjectOfEvent(entry.event)) {
    throw new DamagedEntry(stream, sequence, `is kept under the subject ${quoted(subject)}, which is not its own`);
  }
  return { ...entry, hash };
}

/** Parses an entry and verifies that it follows the entry with the hash `previous`. */
export function verifyNextEntry(row: EntryRow, previous: string, parse = parseAndVerifyEntry): StoredEntry {
  const entry = parse(row);
  if (entry.previous !== previous) {
    throw new DamagedEntry(row.stream, row.sequence, 'does not follow the entry before it');
  }
  return entry;
}

function parseBody(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && isObject(value['command']) && isObject(value['event']) ? value : undefined;
  } catch {
    return undefined;
  }
}
