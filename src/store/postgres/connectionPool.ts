import { DatabaseAway, RecordLost } from '../failures.ts';
import { type PgConnection } from './connection.ts';
import { NoHost } from './hostSelection.ts';

type Waiting = { readonly resolve: (link: PgConnection | undefined) => void };

/** Some connections to one database, made when they are needed: streams write side by side, each by one of them. */
export class Pool {
  readonly #most: number;
  readonly #patience: number;
  readonly #connect: () => Promise<PgConnection>;
  #idle: PgConnection[] = [];
  #open = 0;
  #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(most: number, patience: number, connect: () => Promise<PgConnection>) {
    this.#most = most;
    this.#patience = patience;
    this.#connect = connect;
  }

  /** Lends a connection for as long as something is done with it. */
  async use<Given>(work: (link: PgConnection) => Promise<Given>): Promise<Given> {
    const link = await this.take();
    try {
      return await work(link);
    } finally {
      this.give(link);
    }
  }

  /** Lends no more; what is lent ends when it is given back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const idle = this.#idle;
    this.#idle = [];
    this.#open -= idle.length;
    await Promise.all(idle.map((link) => link.close()));
  }

  /** A connection that is given back. */
  async take(): Promise<PgConnection> {
    for (const until = performance.now() + this.#patience; ;) {
      if (this.#isClosed) throw new RecordLost('The record is closed.');
      const idle = this.#idle.pop();
      if (idle?.isBroken === false) return idle;
      if (idle) {
        this.#open -= 1;
        continue;
      }
      const fresh = this.#open < this.#most ? await this.#make() : undefined;
      if (fresh) return fresh;
      // One may have been given back while none could be made.
      if (this.#idle.length > 0) continue;
      const link = await this.#wait(Math.max(0, until - performance.now()));
      if (link) return link;
    }
  }

  /** A further connection; none where the database has no more for us than those that are in use. */
  async #make(): Promise<PgConnection | undefined> {
    this.#open += 1;
    try {
      return await this.#connect();
    } catch (error) {
      this.#open -= 1;
      this.#wake();
      if (error instanceof NoHost && error.isFull && this.#open > 0) return undefined;
      throw error;
    }
  }

  /** One that is given back; undefined where one may be made instead. */
  async #wait(longest: number): Promise<PgConnection | undefined> {
    const { promise, resolve } = Promise.withResolvers<PgConnection | undefined>();
    const one = { resolve };
    this.#waiting.push(one);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#waiting = this.#waiting.filter((other) => other !== one);
      resolve(undefined);
    }, longest);
    try {
      const link = await promise;
      if (isLate) throw new DatabaseAway(`All ${this.#open} connections to the database are in use.`);
      return link;
    } finally {
      clearTimeout(timer);
    }
  }

  give(link: PgConnection): void {
    if (link.isBroken || this.#isClosed) {
      this.#open -= 1;
      if (!link.isBroken) void link.close();
      this.#wake();
      return;
    }
    const next = this.#waiting.shift();
    if (next) next.resolve(link);
    else this.#idle.push(link);
  }

  #wake(): void {
    this.#waiting.shift()?.resolve(undefined);
  }
}
