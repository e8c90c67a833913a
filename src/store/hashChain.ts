import { hash as digest } from 'node:crypto';
import { isObject } from '../base/schema.ts';
import { canonicalJson } from '../base/canonicalJson.ts';
import { quoteForMessage } from '../base/refusal.ts';
import { type RecordedEvent, type StoredEntry, DamagedEntryError } from './store.ts';

/** Hash in the field `previous` of the first entry of a stream. */
export const genesisHash = `sha256:${'0'.repeat(64)}`;

/**
 * Canonical JSON of an entry without its field `hash`. The hash is computed from this text. The text contains the hash
 * of the previous entry, as `previous`.
 */
export const entryBodyOf = ({ hash: _hash, ...entry }: StoredEntry): string => canonicalJson(entry);

export const hashEntryBody = (body: string): string => `sha256:${digest('sha256', body)}`;

/** A row of the entries table, not verified yet. */
export type EntryRow = {
  readonly stream: string;
  readonly sequence: number;
  readonly hash: string;
  /** Canonical JSON of the entry. Bytes instead of text mean that the row is damaged. */
  readonly body: string | Uint8Array;
  /** Id of the command in the first entry that the command wrote, null in its later entries. */
  readonly command: string | null;
  /** Subject by which the entry is indexed, or null. Undefined when the query did not read that column. */
  readonly subject?: string | null;
};

/**
 * Subject by which an entry is indexed. For a slip, that is its credit session, from the field `terminal`. For any
 * other event, it is the round of the event. Null if the event has no such field.
 */
export function subjectOfEvent({ type, terminal, round }: RecordedEvent): string | null {
  const subject = type === 'SlipSet' ? terminal : round;
  return typeof subject === 'string' ? subject : null;
}

/** Parses a row and verifies its hash, position, command and subject. Throws `DamagedEntryError` if one of them is wrong. */
export function parseAndVerifyEntry({ stream, sequence, hash, body, command, subject }: EntryRow): StoredEntry {
  if (typeof body !== 'string') throw new DamagedEntryError(stream, sequence, 'is not text');
  if (hashEntryBody(body) !== hash) throw new DamagedEntryError(stream, sequence, 'does not match its hash');
  const entry = parseBody(body) as Omit<StoredEntry, 'hash'> | undefined;
  if (entry === undefined) throw new DamagedEntryError(stream, sequence, 'is not a well-formed entry');
  if (entry.stream !== stream || entry.sequence !== sequence) {
    throw new DamagedEntryError(stream, sequence, `has the body of entry ${entry.sequence} of ${entry.stream}`);
  }
  if (command !== null && command !== entry.command.id) {
    throw new DamagedEntryError(
      stream,
      sequence,
      `is indexed by the command ${quoteForMessage(command)}, which is not its own`,
    );
  }
  if (subject !== undefined && subject !== subjectOfEvent(entry.event)) {
    throw new DamagedEntryError(
      stream,
      sequence,
      `is indexed by the subject ${quoteForMessage(subject)}, which is not its own`,
    );
  }
  return { ...entry, hash };
}

/** Parses and verifies a row. Also verifies that the row names `previous` as the hash of the previous entry. */
export function parseAndVerifyNextEntry(row: EntryRow, previous: string, parse = parseAndVerifyEntry): StoredEntry {
  const entry = parse(row);
  if (entry.previous !== previous) {
    throw new DamagedEntryError(row.stream, row.sequence, 'does not follow the entry before it');
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
