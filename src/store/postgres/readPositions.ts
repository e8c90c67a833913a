import { type PgConnection, type Statement } from './connection.ts';

/** The first place at which a database does not hold what was seen of it. */
const unseen: Statement = {
  name: 'unseen',
  text: `SELECT seen.stream, seen.sequence
    FROM unnest($1::text[], $2::bigint[], $3::text[]) AS seen (stream, sequence, hash)
    LEFT JOIN entries ON entries.stream = seen.stream AND entries.sequence = seen.sequence
    WHERE entries.hash IS DISTINCT FROM seen.hash LIMIT 1`,
};

type Place = { readonly sequence: number; readonly hash: string };

/** How far a program has seen a record, be it written or read: a database that does not hold that is another, or behind. */
export class ReadPositions {
  readonly #places = new Map<string, Place>();

  note(stream: string, { sequence, hash }: Place): void {
    if (sequence > (this.#places.get(stream)?.sequence ?? 0)) this.#places.set(stream, { sequence, hash });
  }

  /** Why a database is not the one that was seen; undefined if it is. */
  async strangeIn(link: PgConnection, patience: number): Promise<string | undefined> {
    if (this.#places.size === 0) return undefined;
    const places = [...this.#places];
    const [row] = await link.ask(
      unseen,
      [
        places.map(([stream]) => stream),
        places.map(([, { sequence }]) => sequence),
        places.map(([, { hash }]) => hash),
      ],
      patience,
    );
    return row && `is behind: ${behind(String(row['stream']), Number(row['sequence']))}`;
  }
}

export const behind = (stream: string, sequence: number): string =>
  `it does not hold entry ${sequence} of ${stream} as this program has seen it`;
