import { DamagedRecord, UnusableData } from '../store.ts';
import { DatabaseAway } from '../failures.ts';
import { type Address, parseConnectionUrl, hostText } from './connectionUrl.ts';
import { toFailure } from './retryWrite.ts';
import { NoHost, connectToPrimary } from './hostSelection.ts';
import { SqlError, type PgConnection, type PgRow, type Statement, NoAnswer } from './connection.ts';
import { postgresSchemaVersion, migratePostgres } from './migrations.ts';
import { type ReadPositions } from './readPositions.ts';

// The ground that several programs on one database stand on: who is there, and who holds what until when. All times are the
// database's own, so that no two machines need agree on one. One statement says that a program is there, renews what it
// holds and takes what is free; it has a connection of its own, since a pool that is used up, or a head that somebody else
// has locked, is no reason to lose a lease.

/**
 * How far a program has come: it looks who is there, it has found a floor that is open and comes to it, its floor is open,
 * or it goes.
 */
export type NodeStage = 'coming' | 'joining' | 'open' | 'leaving';

/** A program on the database: where browsers and other programs reach it, and whether it takes tables. */
export type Node = {
  readonly id: string;
  readonly address: string;
  readonly link: string;
  readonly drives: boolean;
  readonly stage: NodeStage;
};

/** Another program, and for how many milliseconds it has said nothing. */
export type Other = Node & { readonly silent: number };

/** Who holds something, and for how long still, in milliseconds. */
export type Holder = { readonly name: string; readonly node: string; readonly left: number };

/** Something that is held by whoever asked, and since when without a break. */
type Held = { readonly name: string; readonly since: number };

export type LeaseReply = {
  /** The time of the database, in milliseconds since 1970. */
  readonly at: number;
  /** What is held by whoever asked, for as long as was asked for. */
  readonly mine: readonly Held[];
  /** What others hold. */
  readonly others: readonly Holder[];
  /** The others who are there. */
  readonly nodes: readonly Other[];
};

/** What a stream is written in from now on, and when it was last driven, if ever. */
export type TakenLease = { readonly epoch: number; readonly beat: number | undefined };

/** A program that is there, with what it holds; and since when it has been there. */
export type Present = Other & { readonly since: number; readonly holds: readonly string[] };

const between = (from: string, to: string): string => `(extract(epoch FROM ${to} - ${from}) * 1000)::float8`;
const timeOf = (at: string): string => between("'epoch'::timestamptz", at);

/**
 * A lease that is over is whoever's comes first; one that is not is its holder's alone. Whoever has an open floor beats for
 * the whole, and for a table only while it holds it.
 */
const renew: Statement = {
  name: 'renew',
  text: `WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS at),
  mine AS (
    INSERT INTO leases AS former (name, node, since, until)
    SELECT name, $1, at, at + $8::float8 * interval '1 millisecond'
    FROM moment, unnest($6::text[]) AS wanted (name) ORDER BY name
    ON CONFLICT (name) DO UPDATE SET
      since = CASE WHEN former.node = excluded.node THEN former.since ELSE excluded.since END,
      node = excluded.node, until = excluded.until
    WHERE former.node = excluded.node OR former.until <= clock_timestamp()
    RETURNING name, since
  ),
  alive AS (
    INSERT INTO beats (name, at)
    SELECT name, floor(${timeOf('at')})::bigint
    FROM moment, unnest($7::text[] || CASE WHEN $5 IN ('open', 'leaving') THEN '{floor}'::text[] ELSE '{}' END) AS driven (name)
    WHERE name = 'floor' OR name IN (SELECT name FROM mine) ORDER BY name
    ON CONFLICT (name) DO UPDATE SET at = greatest(beats.at, excluded.at)
  ),
  me AS (
    INSERT INTO nodes (node, address, link, drives, stage, came, seen)
    SELECT $1, $2, $3, $4::boolean, $5, at, at FROM moment
    ON CONFLICT (node) DO UPDATE SET address = excluded.address, link = excluded.link, drives = excluded.drives,
      stage = excluded.stage, seen = excluded.seen
  ),
  gone AS (DELETE FROM nodes USING moment WHERE seen < at - interval '1 day' AND node <> $1),
  others AS (
    SELECT name, node, ${between('at', 'until')} AS "left" FROM moment, leases
    WHERE until > at AND node <> $1 AND name NOT IN (SELECT name FROM mine)
  ),
  there AS (
    SELECT node AS id, address, link, drives, stage, ${between('seen', 'at')} AS silent
    FROM moment, nodes WHERE node <> $1 AND seen >= at - interval '1 day'
  )
  SELECT ${timeOf('at')} AS at,
    (SELECT coalesce(json_agg(json_build_object('name', name, 'since', ${timeOf('since')}) ORDER BY name), '[]') FROM mine)
      AS mine,
    (SELECT coalesce(json_agg(others ORDER BY name), '[]') FROM others) AS others,
    (SELECT coalesce(json_agg(there ORDER BY id), '[]') FROM there) AS nodes
  FROM moment`.replaceAll(/\$(1|2|3|5)\b/g, '$$$1::text'),
};

/**
 * The heads of streams that are held are raised to an epoch of their own: whoever wrote in an earlier one finds no row any
 * more. A stream without a head has its epoch in the lease alone, and its first entry is fenced by being the first.
 */
const take: Statement = {
  name: 'take',
  text: `WITH mine AS MATERIALIZED (
    SELECT name, epoch FROM leases
    WHERE name = ANY ($2::text[]) AND node = $1::text AND until > clock_timestamp() ORDER BY name FOR UPDATE
  ),
  head AS MATERIALIZED (
    SELECT stream, epoch FROM heads WHERE stream IN (SELECT name FROM mine) ORDER BY stream FOR UPDATE
  ),
  next AS MATERIALIZED (
    SELECT name, greatest(mine.epoch, coalesce(head.epoch, 0)) + 1 AS epoch
    FROM mine LEFT JOIN head ON head.stream = mine.name
  ),
  raised AS (UPDATE heads SET epoch = next.epoch FROM next WHERE heads.stream = next.name),
  kept AS (UPDATE leases SET epoch = next.epoch FROM next WHERE leases.name = next.name)
  SELECT next.name, next.epoch, beats.at AS beat FROM next LEFT JOIN beats ON beats.name = next.name ORDER BY next.name`,
};

const letGo: Statement = {
  name: 'let-go',
  text: 'UPDATE leases SET until = least(until, clock_timestamp()) WHERE node = $1 AND name = ANY ($2::text[])',
};

const leave: Statement = {
  name: 'leave',
  text: `WITH let AS (UPDATE leases SET until = least(until, clock_timestamp()) WHERE node = $1)
    DELETE FROM nodes WHERE node = $1`,
};

const headsOf: Statement = {
  name: 'heads-of',
  text: 'SELECT stream, sequence FROM heads WHERE stream = ANY ($1::text[])',
};

/** By a record of the first form with nodes, these were not told yet. */
const presentIn = (form: number): Statement => ({
  name: `present-${form}`,
  text: `SELECT node AS id, address,
      ${form < formOfLinks ? "'' AS link, true AS drives, 'open' AS stage" : 'link, drives, stage'},
      ${between('seen', 'clock_timestamp()')} AS silent, ${timeOf('came')} AS since,
      (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM leases
       WHERE leases.node = nodes.node AND until > clock_timestamp()) AS holds
    FROM nodes ORDER BY came, node`,
});

const formOfNodes = 2;
const formOfLinks = 3;

/** So long an answer is waited for, in milliseconds, unless told otherwise. */
const usualPatience = 10_000;

/** To connect takes longer than to ask, on a machine that is busy; in milliseconds. */
const knock = 2_000;

/** Two have waited for each other: it is asked once more. */
const met: ReadonlySet<string> = new Set(['40001', '40P01']);

type Opening = {
  readonly patience?: number;
  /** Whether there must be a record. */
  readonly mustExist?: boolean;
  /** How far the program has seen the record: a database that is behind that gives no leases. */
  readonly seen?: ReadPositions;
};

/** A connection that is asked one thing after another, and made again when it has ended. */
class Way {
  readonly #connect: () => Promise<PgConnection>;
  readonly #late: (link: PgConnection) => void;
  #link: Promise<PgConnection> | undefined;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(connect: () => Promise<PgConnection>, late: (link: PgConnection) => void = () => {}) {
    this.#connect = connect;
    this.#late = late;
  }

  async use<Given>(work: (link: PgConnection) => Promise<Given>): Promise<Given> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    try {
      return await this.#use(work);
    } finally {
      resolve();
    }
  }

  async #use<Given>(work: (link: PgConnection) => Promise<Given>): Promise<Given> {
    if (this.#isClosed) throw new DatabaseAway('The connection to the database was closed.');
    const made = (this.#link ??= this.#connect());
    const forget = (): void => {
      if (this.#link === made) this.#link = undefined;
    };
    let link: PgConnection;
    try {
      link = await made;
    } catch (error) {
      forget();
      throw toFailure(error);
    }
    if (link.isBroken) {
      forget();
      return this.#use(work);
    }
    try {
      return await work(link).catch((error: unknown) => {
        if (error instanceof SqlError && met.has(error.state)) return work(link);
        throw error;
      });
    } catch (error) {
      if (link.isBroken) forget();
      if (!(error instanceof NoAnswer) || !error.isLate) throw toFailure(error);
      this.#late(link);
      const said = error.message.replace(/\.$/, '');
      throw new DatabaseAway(`${said}; it is away, or waits for a synchronous standby that is lost.`);
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

export class Membership {
  readonly #patience: number;
  /** What is renewed waits for nothing else. */
  readonly #renewing: Way;
  readonly #working: Way;
  /** The host to be asked first: the one that has answered last, or the next after one that has not. */
  #first: string | undefined;

  private constructor(address: Address, patience: number, seen?: ReadPositions) {
    this.#patience = patience;
    const longest = Math.max(patience, knock);
    const check = async (link: PgConnection): Promise<string | undefined> => seen?.strangeIn(link, longest);
    const connect = async (): Promise<PgConnection> => {
      const link = await connectToPrimary(address, { first: this.#first, patience: longest, check });
      this.#first = link.at;
      return link;
    };
    // A primary that was cut off from its synchronous standby says that it is one, and confirms nothing.
    const late = ({ at }: PgConnection): void => {
      const hosts = address.hosts.map(hostText);
      this.#first = hosts[(hosts.indexOf(at) + 1) % hosts.length];
    };
    this.#renewing = new Way(connect, late);
    this.#working = new Way(connect, late);
  }

  /** On a database that is brought to the newest form, and made a record of where it holds nothing and need not. */
  static async on(
    text: string,
    { patience = usualPatience, mustExist = false, seen }: Opening = {},
  ): Promise<Membership> {
    const address = parseConnectionUrl(text);
    const first = new Way(() => connectToPrimary(address, { patience: usualPatience, check: async () => undefined }));
    try {
      await first.use((link) => migratePostgres(link, address, mustExist, usualPatience));
    } catch (error) {
      throw error instanceof DatabaseAway ? new UnusableData(error.message) : error;
    } finally {
      await first.close();
    }
    return new Membership(address, patience, seen);
  }

  /** Those who are there, for one who only looks; nobody where there is no record, or one from before there were nodes. */
  static async look(text: string): Promise<readonly Present[]> {
    const address = parseConnectionUrl(text);
    const ground = new Membership(address, usualPatience);
    try {
      return await ground.#working.use(async (link) => {
        const form = await postgresSchemaVersion(link, address);
        return form < formOfNodes ? [] : ((await link.ask(presentIn(form))) as unknown as Present[]);
      });
    } finally {
      await ground.close();
    }
  }

  /**
   * Says that a program is there, renews what it holds of what it wants, for so many milliseconds, takes what is free, and
   * beats for what it drives.
   */
  async renew(
    { id, address, link: at, drives, stage }: Node,
    wanted: readonly string[],
    driven: readonly string[],
    lasts: number,
  ): Promise<LeaseReply> {
    const values = [id, address, at, drives, stage, wanted, driven, lasts];
    const [row] = await this.#renewing.use((link) => link.write(renew, values, this.#patience));
    return row as PgRow & LeaseReply;
  }

  /** Where the database has no further connection, what is renewed shares its own. */
  async #work<Given>(act: (link: PgConnection) => Promise<Given>): Promise<Given> {
    try {
      return await this.#working.use(act);
    } catch (error) {
      if (error instanceof NoHost && error.isFull) return this.#renewing.use(act);
      throw error;
    }
  }

  /** Begins an epoch of each of these streams that the program holds, and tells when it was last driven. */
  async take({ id }: Pick<Node, 'id'>, names: readonly string[]): Promise<ReadonlyMap<string, TakenLease>> {
    const rows = await this.#work((link) => link.write(take, [id, names], this.#patience));
    return new Map(
      rows.map(({ name, epoch, beat }) => [
        String(name),
        { epoch: exact(epoch), beat: beat === null ? undefined : exact(beat) },
      ]),
    );
  }

  /** Others may take these at once. */
  async letGo({ id }: Pick<Node, 'id'>, names: readonly string[]): Promise<void> {
    await this.#work((link) => link.write(letGo, [id, names], this.#patience));
  }

  /** Where some streams stand. */
  async headsOf(streams: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#work((link) => link.ask(headsOf, [streams], this.#patience));
    return new Map(rows.map(({ stream, sequence }) => [String(stream), exact(sequence)]));
  }

  /** A program goes, and holds nothing any more. */
  async leave({ id }: Pick<Node, 'id'>): Promise<void> {
    await this.#renewing.use((link) => link.write(leave, [id], this.#patience));
  }

  async close(): Promise<void> {
    await Promise.all([this.#renewing.close(), this.#working.close()]);
  }
}

function exact(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new DamagedRecord('The record holds a number that is too large to be told exactly.');
}
