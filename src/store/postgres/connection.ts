import pg from 'pg';
import { type ConnectionSettings, type DatabaseHost, hostText } from './connectionUrl.ts';

// One connection to PostgreSQL. An error reply (`SqlError`) means that the statement changed nothing. A missing answer
// (`NoAnswerError`) means that the result of the statement is unknown.

/** SQL statement that each connection prepares once, under the name `name`. */
export type PreparedStatement = { readonly name: string; readonly text: string };

export type PgRow = { readonly [column: string]: unknown };

/**
 * Error: the connection has ended, or this process destroyed it after a timeout or after a warning of the server. The
 * result of the statement is unknown.
 */
export class NoAnswerError extends Error {
  /** True when the connection was open, but the database did not answer in time. */
  readonly isTimeout: boolean;

  constructor(
    message: string,
    { isTimeout = false, cause }: { readonly isTimeout?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.isTimeout = isTimeout;
  }
}

export class SqlError extends Error {
  /** Error code of PostgreSQL (SQLSTATE), five characters. */
  readonly state: string;
  /** Name of the violated constraint; undefined for other errors. */
  readonly constraint: string | undefined;

  constructor({ message, code, constraint }: pg.DatabaseError) {
    super(message);
    this.state = code ?? '';
    this.constraint = constraint;
  }
}

/** Parses a bigint column: to a number if that is exact, to a BigInt otherwise. */
function parseInteger(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

const int8 = 20;
const types = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === int8 ? parseInteger : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * SQLSTATE codes with which a server ends a connection. After such an error, the result of the statement is unknown.
 */
const shutdownStates: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57P05']);

const readOnlyState = '25006';

const ping: PreparedStatement = { name: 'certainly', text: 'SELECT 1' };

export class PgConnection {
  readonly host: string;
  readonly #client: pg.Client;
  #isBroken = false;
  /** Last notice that the server sent during the current write. */
  #notice: string | undefined;

  private constructor(host: string, client: pg.Client) {
    this.host = host;
    this.#client = client;
    client.on('error', () => (this.#isBroken = true));
    client.on('end', () => (this.#isBroken = true));
    client.on('notice', ({ message }) => (this.#notice = message ?? 'a warning'));
  }

  static async connect(
    host: DatabaseHost,
    { user, database, sslMode, caCertificates, password }: ConnectionSettings,
    timeoutMs: number,
  ): Promise<PgConnection> {
    const verifiesHost = sslMode === 'verify-full';
    const client = new pg.Client({
      ...host,
      user,
      database,
      ...(password !== undefined && { password }),
      ssl: sslMode !== 'disable' && {
        rejectUnauthorized: verifiesHost,
        ...(caCertificates !== undefined && { ca: caCertificates }),
      },
      connectionTimeoutMillis: timeoutMs,
      keepAlive: true,
      application_name: 'punto',
      types,
    });
    const connection = new PgConnection(hostText(host), client);
    try {
      await client.connect();
    } catch (error) {
      // Without `destroy`, pg waits forever when the server asks for a password and there is none.
      connection.destroy();
      throw error;
    }
    return connection;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Runs a statement. After the timeout the connection is destroyed; the statement itself is not cancelled. */
  async query(
    statement: PreparedStatement | string,
    values: readonly unknown[] = [],
    timeoutMs = 60_000,
  ): Promise<PgRow[]> {
    return (await this.#run(statement, values, timeoutMs)).rows as PgRow[];
  }

  /**
   * Runs a write. The server sends a notice when its wait for the synchronous standby was interrupted. Then perhaps
   * only this server has the commit, so the method throws `NoAnswerError`. After an error reply, a second statement
   * checks that the connection still answers. If not, `NoAnswerError` is thrown instead of the error.
   */
  async write(statement: PreparedStatement | string, values: readonly unknown[], timeoutMs: number): Promise<PgRow[]> {
    this.#notice = undefined;
    try {
      const rows = await this.query(statement, values, timeoutMs);
      if (this.#notice !== undefined) throw this.#abort(`The database warned: ${this.#notice as string}`);
      return rows;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      await this.query(ping, [], timeoutMs);
      // A host that has become a standby still answers reads, so its connection must not be used again.
      if (error.state === readOnlyState) this.destroy();
      throw error;
    }
  }

  async transaction<Result>(begin: string, work: () => Promise<Result>, timeoutMs: number): Promise<Result> {
    await this.query(begin);
    try {
      const result = await work();
      const { command } = await this.#run('COMMIT', [], timeoutMs);
      // The server answers COMMIT of a failed transaction with ROLLBACK and without an error.
      if (command !== 'COMMIT') throw new Error('A failed transaction cannot be committed.');
      return result;
    } catch (error) {
      if (!this.#isBroken) await this.query('ROLLBACK');
      throw error;
    }
  }

  async #run(
    statement: PreparedStatement | string,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<pg.QueryResult> {
    if (this.#isBroken) throw new NoAnswerError(`The connection to ${this.host} has ended.`);
    const timeout = Promise.withResolvers<never>();
    let late: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // After a stall of this process, an answer may already wait in the socket. Node reads sockets between timers and
      // immediates, so that answer is read before this immediate runs.
      late = setImmediate(() =>
        timeout.reject(
          this.#abort(`No answer came from ${this.host} within ${timeoutMs / 1_000} s.`, { isTimeout: true }),
        ),
      );
    }, timeoutMs);
    const query = typeof statement === 'string' ? { text: statement } : statement;
    try {
      return await Promise.race([this.#client.query({ ...query, values: [...values] }), timeout.promise]);
    } catch (error) {
      if (error instanceof NoAnswerError) throw error;
      if (error instanceof pg.DatabaseError && !shutdownStates.has(error.code ?? '')) throw new SqlError(error);
      throw this.#abort(`The connection to ${this.host} ended before the answer.`, { cause: error });
    } finally {
      clearTimeout(timer);
      clearImmediate(late);
    }
  }

  #abort(message: string, options?: ConstructorParameters<typeof NoAnswerError>[1]): NoAnswerError {
    this.destroy();
    return new NoAnswerError(message, options);
  }

  /** Closes the socket at once. The server may still finish a running statement. */
  destroy(): void {
    this.#isBroken = true;
    (this.#client as unknown as { readonly connection: pg.Connection }).connection.stream.destroy();
  }

  async close(): Promise<void> {
    if (this.#isBroken) return;
    this.#isBroken = true;
    await this.#client.end();
  }
}
