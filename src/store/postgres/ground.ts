import { UnusableData } from '../store.ts';
import { DatabaseAway } from '../trouble.ts';
import { type Address, addressOf } from './address.ts';
import { troubleOf } from './failing.ts';
import { found } from './finding.ts';
import { type Link, type Row, type Statement } from './link.ts';
import { formIn, makeUpTo } from './schema.ts';

// The ground that several programs on one database stand on: who is there, and who holds what until when. All times are the
// database's own, so that no two machines need agree on one. One statement says that a program is there, renews what it
// holds and takes what is free; it has a connection of its own, since a pool that is used up is no reason to lose a lease.

/** A program on the database, and where others reach it. */
export type Node = { readonly id: string; readonly address: string };

/** Who holds something, where that is, and for how long still, in milliseconds. */
export type Holder = { readonly name: string; readonly node: string; readonly address: string; readonly left: number };

export type Asked = {
  /** The time of the database, in milliseconds since 1970. */
  readonly at: number;
  /** What is held by whoever asked, for as long as was asked for. */
  readonly mine: readonly string[];
  /** What others hold. */
  readonly others: readonly Holder[];
};

/** A program that is there, with what it holds; for how long it is silent, and for how long it has been there. */
export type Present = Node & { readonly silent: number; readonly since: number; readonly holds: readonly string[] };

const seconds = (from: string, to: string): string => `(extract(epoch FROM ${to} - ${from}) * 1000)::float8`;

/** A lease that is over is whoever's comes first; one that is not is its holder's alone. */
const renew: Statement = {
  name: 'renew',
  text: `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS at),
  me AS (
    INSERT INTO nodes (node, address, came, seen) SELECT $1, $2, at, at FROM moment
    ON CONFLICT (node) DO UPDATE SET address = excluded.address, seen = excluded.seen
  ),
  gone AS (DELETE FROM nodes USING moment WHERE seen < at - interval '1 day' AND node <> $1),
  mine AS (
    INSERT INTO leases AS former (name, node, since, until)
    SELECT name, $1, at, at + $4::float8 * interval '1 millisecond'
    FROM moment, unnest($3::text[]) AS wanted (name) ORDER BY name
    ON CONFLICT (name) DO UPDATE SET
      since = CASE WHEN former.node = excluded.node THEN former.since ELSE excluded.since END,
      node = excluded.node, until = excluded.until
    WHERE former.node = excluded.node OR former.until <= clock_timestamp()
    RETURNING name
  ),
  others AS (
    SELECT name, leases.node, coalesce(address, '') AS address, ${seconds('at', 'until')} AS "left"
    FROM moment, leases LEFT JOIN nodes USING (node)
    WHERE until > at AND leases.node <> $1 AND name NOT IN (SELECT name FROM mine)
  )
  SELECT ${seconds("'epoch'::timestamptz", 'at')} AS at,
    (SELECT array_agg(name ORDER BY name) FROM mine) AS mine,
    (SELECT coalesce(json_agg(others ORDER BY name), '[]') FROM others) AS others
  FROM moment`,
};

/** All heads are raised to an epoch, if what was named is held: whoever wrote in an earlier one finds no row any more. */
const raise: Statement = {
  name: 'raise',
  text: `WITH mine AS MATERIALIZED (
    SELECT name FROM leases WHERE name = $1 AND node = $2 AND until > clock_timestamp() FOR UPDATE
  ),
  raised AS (UPDATE heads SET epoch = $3::bigint WHERE epoch < $3::bigint AND EXISTS (SELECT FROM mine))
  SELECT name FROM mine`,
};

const leave: Statement = {
  name: 'leave',
  text: 'WITH let AS (DELETE FROM leases WHERE node = $1) DELETE FROM nodes WHERE node = $1',
};

const present: Statement = {
  name: 'present',
  text: `SELECT node AS id, address, ${seconds('seen', 'clock_timestamp()')} AS silent,
      ${seconds("'epoch'::timestamptz", 'came')} AS since,
      (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM leases
       WHERE leases.node = nodes.node AND until > clock_timestamp()) AS holds
    FROM nodes ORDER BY came, node`,
};

/** So long an answer is waited for, in milliseconds, unless told otherwise. */
const usualPatience = 10_000;

/** To connect takes longer than to ask, on a machine that is busy; in milliseconds. */
const knock = 2_000;

type Opening = {
  readonly patience?: number;
  /** Whether there must be a record. */
  readonly mustExist?: boolean;
};

export class Ground {
  readonly #address: Address;
  readonly #patience: number;
  #link: Promise<Link> | undefined;
  #isClosed = false;

  private constructor(address: Address, patience: number) {
    this.#address = address;
    this.#patience = patience;
  }

  /** On a database that is brought to the newest form, and made a record of where it holds nothing and need not. */
  static async on(text: string, { patience = usualPatience, mustExist = false }: Opening = {}): Promise<Ground> {
    const ground = new Ground(addressOf(text), patience);
    try {
      ground.#link = found(ground.#address, { patience: usualPatience, check: async () => undefined });
      await ground.#use((link) => makeUpTo(link, ground.#address, mustExist, usualPatience));
    } catch (error) {
      await ground.close();
      throw error instanceof DatabaseAway ? new UnusableData(error.message) : error;
    }
    return ground;
  }

  /** Those who are there, for one who only looks; nobody where there is no record, or one from before there were nodes. */
  static async look(text: string): Promise<readonly Present[]> {
    const ground = new Ground(addressOf(text), usualPatience);
    try {
      return await ground.#use(async (link) => {
        const form = await formIn(link, ground.#address);
        return form < formOfNodes ? [] : ((await link.ask(present)) as unknown as Present[]);
      });
    } finally {
      await ground.close();
    }
  }

  /** Says that a program is there, renews what it holds of what it wants, for so many milliseconds, and takes what is free. */
  async renew({ id, address }: Node, wanted: readonly string[], lasts: number): Promise<Asked> {
    const [row] = await this.#use((link) => link.write(renew, [id, address, wanted, lasts], this.#patience));
    const { at, mine, others } = row as Row & Asked & { readonly mine: readonly string[] | null };
    return { at, mine: mine ?? [], others };
  }

  /** Ends all epochs before one, if the program holds that name; gives whether it does. */
  raise(name: string, { id }: Pick<Node, 'id'>, epoch: number): Promise<boolean> {
    return this.#use(async (link) => (await link.write(raise, [name, id, epoch], this.#patience)).length > 0);
  }

  /** A program goes, and holds nothing any more. */
  async leave({ id }: Pick<Node, 'id'>): Promise<void> {
    await this.#use((link) => link.write(leave, [id], this.#patience));
  }

  async #use<Given>(work: (link: Link) => Promise<Given>): Promise<Given> {
    if (this.#isClosed) throw new DatabaseAway('The connection to the database was closed.');
    this.#link ??= found(this.#address, { patience: Math.max(this.#patience, knock), check: async () => undefined });
    try {
      const link = await this.#link;
      if (!link.isBroken) return await work(link);
      this.#link = undefined;
      return await this.#use(work);
    } catch (error) {
      if (
        this.#link &&
        (await this.#link.then(
          ({ isBroken }) => isBroken,
          () => true,
        ))
      )
        this.#link = undefined;
      throw troubleOf(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#link?.then(
      (link) => link.close(),
      () => {},
    );
  }
}

const formOfNodes = 2;
