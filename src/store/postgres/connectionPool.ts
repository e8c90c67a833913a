import { DatabaseUnavailableError, StoreWriterEndedError } from '../failures.ts';
import { type PgConnection } from './connection.ts';
import { NoUsableHostError } from './hostSelection.ts';

type Waiter = { readonly resolve: (connection: PgConnection | undefined) => void };

/** Connection pool: opens connections on demand, up to a maximum. */
export class ConnectionPool {
  readonly #maxConnections: number;
  readonly #timeoutMs: number;
  readonly #connect: () => Promise<PgConnection>;
  #idle: PgConnection[] = [];
  #open = 0;
  #waiters: Waiter[] = [];
  #isClosed = false;

  constructor(maxConnections: number, timeoutMs: number, connect: () => Promise<PgConnection>) {
    this.#maxConnections = maxConnections;
    this.#timeoutMs = timeoutMs;
    this.#connect = connect;
  }

  async use<Result>(work: (connection: PgConnection) => Promise<Result>): Promise<Result> {
    const connection = await this.acquire();
    try {
      return await work(connection);
    } finally {
      this.release(connection);
    }
  }

  /** Closes the idle connections. A connection in use is closed when it is released. Later calls of `acquire` throw. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#discardIdle();
  }

  /** Takes a connection, which the caller must release. Throws when no connection is free within the timeout. */
  async acquire(): Promise<PgConnection> {
    for (const deadline = performance.now() + this.#timeoutMs; ;) {
      if (this.#isClosed) throw new StoreWriterEndedError('The event store is closed.');
      const idle = this.#idle.pop();
      if (idle?.isBroken === false) return idle;
      if (idle) {
        this.#open -= 1;
        continue;
      }
      const created = this.#open < this.#maxConnections ? await this.#create() : undefined;
      if (created) return created;
      // A connection may have been released while the attempt to open a new connection failed.
      if (this.#idle.length > 0) continue;
      const connection = await this.#wait(Math.max(0, deadline - performance.now()));
      if (connection) return connection;
    }
  }

  /**
   * Opens a connection. Undefined when the server has no free connection, but the pool has open connections to wait
   * for.
   */
  async #create(): Promise<PgConnection | undefined> {
    this.#open += 1;
    try {
      return await this.#connect();
    } catch (error) {
      this.#open -= 1;
      this.#wakeNext();
      if (error instanceof NoUsableHostError && error.isFull && this.#open > 0) return undefined;
      throw error;
    }
  }

  /**
   * Waits for a released connection. Undefined when the pool may open a new connection instead. Throws after the
   * timeout.
   */
  async #wait(timeoutMs: number): Promise<PgConnection | undefined> {
    const { promise, resolve } = Promise.withResolvers<PgConnection | undefined>();
    const waiter = { resolve };
    this.#waiters.push(waiter);
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      this.#waiters = this.#waiters.filter((other) => other !== waiter);
      resolve(undefined);
    }, timeoutMs);
    try {
      const connection = await promise;
      if (hasTimedOut) throw new DatabaseUnavailableError(`All ${this.#open} connections to the database are in use.`);
      return connection;
    } finally {
      clearTimeout(timer);
    }
  }

  release(connection: PgConnection): void {
    if (connection.isBroken || this.#isClosed) {
      this.#open -= 1;
      if (connection.isBroken) void this.#discardIdle();
      else void connection.close();
      this.#wakeNext();
      return;
    }
    const next = this.#waiters.shift();
    if (next) next.resolve(connection);
    else this.#idle.push(connection);
  }

  /**
   * Closes the idle connections. A server that has ended one connection may have ended the idle connections too,
   * unnoticed by the pool. Without them, a request that is tried again gets a new connection.
   */
  async #discardIdle(): Promise<void> {
    const idle = this.#idle;
    this.#idle = [];
    this.#open -= idle.length;
    await Promise.all(idle.map((connection) => connection.close()));
  }

  #wakeNext(): void {
    this.#waiters.shift()?.resolve(undefined);
  }
}
