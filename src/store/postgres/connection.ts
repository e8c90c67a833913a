import pg from 'pg';
import { type Address, type Host, hostText } from './connectionUrl.ts';

// One connection to a database. What was asked and not answered is told apart from what was answered with an error: only
// of the latter it is known that nothing of it stands.

/** A statement that is prepared once a connection, under its name. */
export type Statement = { readonly name: string; readonly text: string };

export type PgRow = { readonly [column: string]: unknown };

/** The connection ended, or was ended since no answer came in time: nobody knows what became of the statement. */
export class NoAnswer extends Error {
  /** Whether the connection was there, and no answer came in time. */
  readonly isLate: boolean;

  constructor(
    message: string,
    { isLate = false, cause }: { readonly isLate?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isLate = isLate;
  }
}

/** The database has answered that it does not do it. */
export class SqlError extends Error {
  /** By which PostgreSQL tells what is wrong, in any language. */
  readonly state: string;
  /** What it would have broken, if that is why. */
  readonly constraint: string | undefined;

  constructor({ message, code, constraint }: pg.DatabaseError) {
    super(message);
    this.state = code ?? '';
    this.constraint = constraint;
  }
}

/** Whole numbers come as such where they can be told exactly, and never as others. */
function wholeOf(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

const int8 = 20;
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === int8 ? wholeOf : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** What a database says as it ends a connection: that is no answer to what was asked. */
const endings: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05']);

const readOnly = '25006';

const certainly: Statement = { name: 'certainly', text: 'SELECT 1' };

export class PgConnection {
  readonly at: string;
  readonly #client: pg.Client;
  #isBroken = false;
  /** What the database said beside its answers since the last one was asked for. */
  #aside: string | undefined;

  private constructor(at: string, client: pg.Client) {
    this.at = at;
    this.#client = client;
    client.on('error', () => (this.#isBroken = true));
    client.on('end', () => (this.#isBroken = true));
    client.on('notice', ({ message }) => (this.#aside = message ?? 'a warning'));
  }

  /** Connects to one host, within so many milliseconds. */
  static async to(
    host: Host,
    { user, database, mode, authority, password }: Address,
    longest: number,
  ): Promise<PgConnection> {
    const isNamed = mode === 'verify-full';
    const client = new pg.Client({
      ...host,
      user,
      database,
      ...(password !== undefined && { password }),
      ssl: mode !== 'disable' && { rejectUnauthorized: isNamed, ...(authority !== undefined && { ca: authority }) },
      connectionTimeoutMillis: longest,
      keepAlive: true,
      application_name: 'punto',
      types,
    });
    const link = new PgConnection(hostText(host), client);
    try {
      await client.connect();
    } catch (error) {
      // A host that asks for a password that nobody has waits for it, and a program that has given up would wait with it.
      link.drop();
      throw error;
    }
    return link;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The rows of a statement, or of a text that is not prepared. Our own timer waits; nothing is ever cancelled. */
  async ask(statement: Statement | string, values: readonly unknown[] = [], longest = 60_000): Promise<PgRow[]> {
    return (await this.#answered(statement, values, longest)).rows as PgRow[];
  }

  /**
   * The same for what writes. A warning is no acknowledgement: a wait for a standby that somebody has cut short ends in one,
   * with a commit that this machine alone has. Neither is an error one that the connection ends with.
   */
  async write(statement: Statement | string, values: readonly unknown[], longest: number): Promise<PgRow[]> {
    this.#aside = undefined;
    try {
      const rows = await this.ask(statement, values, longest);
      if (this.#aside !== undefined) throw this.#ended(`The database says: ${this.#aside as string}`);
      return rows;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      await this.ask(certainly, [], longest);
      // A host that was given up for another one still lets itself be read.
      if (error.state === readOnly) this.drop();
      throw error;
    }
  }

  /** Some statements that stand together or not at all. */
  async together<Given>(begin: string, work: () => Promise<Given>, longest: number): Promise<Given> {
    await this.ask(begin);
    try {
      const given = await work();
      const { command } = await this.#answered('COMMIT', [], longest);
      // A transaction that has failed before ends so, without an error.
      if (command !== 'COMMIT') throw new Error('A transaction that has failed cannot be ended as if it had not.');
      return given;
    } catch (error) {
      if (!this.#isBroken) await this.ask('ROLLBACK');
      throw error;
    }
  }

  async #answered(statement: Statement | string, values: readonly unknown[], longest: number): Promise<pg.QueryResult> {
    if (this.#isBroken) throw new NoAnswer(`The connection to ${this.at} has ended.`);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(this.#ended(`No answer came from ${this.at} within ${longest / 1_000} s.`, { isLate: true }));
    }, longest);
    const query = typeof statement === 'string' ? { text: statement } : statement;
    try {
      return await Promise.race([this.#client.query({ ...query, values: [...values] }), late.promise]);
    } catch (error) {
      if (error instanceof NoAnswer) throw error;
      if (error instanceof pg.DatabaseError && !endings.has(error.code ?? '')) throw new SqlError(error);
      throw this.#ended(`The connection to ${this.at} ended before the answer.`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  #ended(what: string, how?: ConstructorParameters<typeof NoAnswer>[1]): NoAnswer {
    this.drop();
    return new NoAnswer(what, how);
  }

  /** Ends the connection without a word: whatever it waits for goes on at the other end. */
  drop(): void {
    this.#isBroken = true;
    (this.#client as unknown as { readonly connection: pg.Connection }).connection.stream.destroy();
  }

  /** Ends the connection once nothing is asked any more. */
  async close(): Promise<void> {
    if (this.#isBroken) return;
    this.#isBroken = true;
    await this.#client.end();
  }
}
