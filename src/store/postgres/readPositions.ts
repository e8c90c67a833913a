import { type PgConnection, type PreparedStatement } from './connection.ts';

/** Finds a position whose entry is missing from the database or has another hash. */
const findMismatch: PreparedStatement = {
  name: 'unseen',
  text: `SELECT seen.stream, seen.sequence
    FROM unnest($1::text[], $2::bigint[], $3::text[]) AS seen (stream, sequence, hash)
    LEFT JOIN entries ON entries.stream = seen.stream AND entries.sequence = seen.sequence
    WHERE entries.hash IS DISTINCT FROM seen.hash LIMIT 1`,
};

type HashedPosition = { readonly sequence: number; readonly hash: string };

/**
 * Last position of each stream that this process has read or written. A database that lacks one of these entries is
 * behind and must not be used.
 */
export class ReadPositionTracker {
  readonly #positions = new Map<string, HashedPosition>();

  record(stream: string, { sequence, hash }: HashedPosition): void {
    if (sequence > (this.#positions.get(stream)?.sequence ?? 0)) this.#positions.set(stream, { sequence, hash });
  }

  /** Describes a recorded entry that the database lacks. Returns undefined if the database has all recorded entries. */
  async findMismatch(connection: PgConnection, timeoutMs: number): Promise<string | undefined> {
    if (this.#positions.size === 0) return undefined;
    const positions = [...this.#positions];
    const [row] = await connection.query(
      findMismatch,
      [
        positions.map(([stream]) => stream),
        positions.map(([, { sequence }]) => sequence),
        positions.map(([, { hash }]) => hash),
      ],
      timeoutMs,
    );
    return row && `${connection.host} is behind: ${missingEntryText(String(row['stream']), Number(row['sequence']))}`;
  }
}

export const missingEntryText = (stream: string, sequence: number): string =>
  `it lacks entry ${sequence} of ${stream} that this process has read`;
