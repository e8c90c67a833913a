import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { postgresStore } from '../src/store/postgres.ts';
import { type Store, type StoredEntry } from '../src/store/store.ts';
import { Server, hasBinaries, installation } from '../tests/store/postgres.ts';
import { floorOn, settings, terminals } from './floor.ts';
import { percentile } from './measure.ts';
import type { Said, Told, Wishes } from './node.ts';

/** So many slips of each go together in a turn, and so many one by one. */
const [turns, many, few] = [6, 10, 3];

/** Slips that are durable when they are acknowledged, on PostgreSQL, against one transaction for each, by as many clients. */
export async function* postgresBench(): AsyncGenerator<string> {
  yield 'postgres (durable slips on PostgreSQL; ratio to one transaction a slip on the same server)';
  if (!hasBinaries) {
    yield '  skipped: there are no binaries of PostgreSQL for this system';
    return;
  }
  const { folder, remove } = installation();
  const server = await Server.made(folder, 'bench', 'fsync=on', 'shared_buffers=256MB', 'max_wal_size=4GB');
  await server.as('postgres', (client) => client.query('CREATE DATABASE punto'));
  const store = await postgresStore(server.at('punto'), { connections });
  const nodes: NodeOf[] = [];
  try {
    const floor = await floorOn(store);
    const { times } = floor;
    await floor.play(40);
    const written = await floor.written();
    const [apart, plain] = [apartOn(store, written), await plainOn(server, written)];
    nodes.push(...(await pairOn(server)));
    const both = (count: number): Promise<unknown> => Promise.all(nodes.map((node) => node.tell({ play: count })));
    await both(20);
    for (const node of nodes) node.times.length = 0;
    await apart(3);
    await plain.play(3);
    times.length = 0;
    // In turns, so that whatever else the machine does slows all of them.
    const seconds = { together: 0, both: 0, apart: 0, plain: 0 };
    for (let turn = 0; turn < turns; turn++) {
      seconds.together += await secondsOf(() => floor.play(many));
      seconds.both += await secondsOf(() => both(many));
      seconds.apart += await secondsOf(() => apart(few));
      seconds.plain += await secondsOf(() => plain.play(few));
    }
    floor.end();
    await plain.end();
    const rate = (slips: number, time: number): number => (terminals * slips * turns) / time;
    const [together, two, one, plainest] = [
      rate(many, seconds.together),
      rate(many, seconds.both),
      rate(few, seconds.apart),
      rate(few, seconds.plain),
    ];
    yield `  ${terminals} terminals at ${floor.tables} tables: ${shown(together)} slips a second, ${(together / one).toFixed(1)} times one transaction a slip (${shown(one)})`;
    yield `  against the plainest transaction that keeps a slip, without chain, guard or fence: ${(together / plainest).toFixed(1)} times (${shown(plainest)})`;
    yield `  from slip to acknowledged, ${spread(times)}`;
    yield `  the same with two nodes of five tables each: ${shown(two)} slips a second, ${(two / one).toFixed(1)} times one transaction a slip, ${(two / together).toFixed(2)} times one node; ${spread(nodes.flatMap((node) => node.times))}`;
    await Promise.all(nodes.map((node) => node.go()));
  } finally {
    for (const node of nodes) node.kill();
    await store.close();
    await server.end();
    remove();
  }
}

const shown = (rate: number): string => Math.round(rate).toLocaleString('en');

const spread = (times: readonly number[]): string =>
  `median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`;

/** A node in a process of its own, that drives half of the tables with half of the terminals. */
class NodeOf {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #heard = Promise.withResolvers<Said>();
  /** From a slip to its answer, in milliseconds. */
  readonly times: number[] = [];

  constructor(wishes: Wishes) {
    this.#child = fork(new URL('node.ts', import.meta.url), [JSON.stringify(wishes)]);
    this.#child.on('message', (said: Said) => this.#heard.resolve(said));
    this.#ended = once(this.#child, 'exit').then(() => this.#heard.reject(new Error('A node has ended.')));
    this.#heard.promise.catch(() => {});
  }

  /** What it says next. */
  async said(): Promise<void> {
    const { times = [] } = await this.#heard.promise;
    for (const time of times) this.times.push(time);
  }

  async tell(told: Told): Promise<void> {
    this.#heard = Promise.withResolvers();
    this.#child.send(told);
    await this.said();
  }

  async go(): Promise<void> {
    this.#child.send('go' satisfies Told);
    await this.#ended;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Two nodes on a database of their own, each with half of all. */
async function pairOn(server: Server): Promise<readonly NodeOf[]> {
  await server.as('postgres', (client) => client.query('CREATE DATABASE pair'));
  const wishes: Wishes = {
    address: server.at('pair'),
    key: randomBytes(32).toString('hex'),
    terminals: terminals / 2,
    connections: connections / 2,
  };
  const nodes: NodeOf[] = [];
  for (let n = 0; n < 2; n++) {
    const node = new NodeOf(wishes);
    nodes.push(node);
    await node.said();
  }
  await Promise.all(nodes.map((node) => node.tell({ sit: settings.length / 2 })));
  return nodes;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/** Has as many clients do something as there are terminals, each so many times. */
const eachOf = async (play: (client: number) => Promise<void>): Promise<void> =>
  void (await Promise.all(Array.from({ length: terminals }, (_, client) => play(client))));

/** The same slips, each in an append and a transaction of its own; none is in the way of another. */
function apartOn(store: Store, written: readonly StoredEntry[]) {
  let done = 0;
  return async (count: number): Promise<void> => {
    const from = done;
    done += count;
    await eachOf(async (client) => {
      const postings = [{ from: `b/SGD/house/${client}`, to: `b/SGD/external/${client}`, amount: 100 }] as const;
      for (let turn = from; turn < from + count; turn++) {
        const { event, command } = written[(client + turn) % written.length]!;
        const id = `${Date.now().toString(16)}-one-${turn}-${client}`;
        const entries = [{ event, postings, command: { ...command, id } }];
        const answer = await store.append({ stream: `one/${client}`, after: turn, entries });
        if ('refused' in answer) throw new Error(answer.refused);
      }
    });
  };
}

/** As many connections as the store has. */
const connections = 10;

/**
 * The same slips, each in a transaction of its own and in the plainest form that keeps it: its text under its id, and two
 * balances. Nothing is chained, compared or locked for it, and none is in the way of another.
 */
async function plainOn(server: Server, written: readonly StoredEntry[]) {
  await server.as('postgres', (client) => client.query('CREATE DATABASE plain'));
  await server.as('plain', async (client) => {
    await client.query(
      'CREATE TABLE slips (client int, turn int, body text NOT NULL, id text UNIQUE, PRIMARY KEY (client, turn))',
    );
    await client.query('CREATE TABLE credits (account text PRIMARY KEY, amount bigint NOT NULL)');
    await client.query(
      "INSERT INTO credits SELECT kind || n, 0 FROM generate_series(0, 999) n, unnest('{t,s}'::text[]) kind",
    );
  });
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port: server.port,
    user: 'punto',
    database: 'plain',
    max: connections,
  });
  const text = `WITH slip AS (INSERT INTO slips VALUES ($1, $2, $3, $4)),
    taken AS (UPDATE credits SET amount = amount - 100 WHERE account = $5)
    UPDATE credits SET amount = amount + 100 WHERE account = $6`;
  let done = 0;
  return {
    play: async (count: number): Promise<void> => {
      const from = done;
      done += count;
      await eachOf(async (client) => {
        for (let turn = from; turn < from + count; turn++) {
          const { event, command, postings } = written[(client + turn) % written.length]!;
          const id = `${Date.now().toString(16)}-${turn}-${client}`;
          const values = [client, turn, JSON.stringify({ event, command, postings }), id, `t${client}`, `s${client}`];
          await pool.query({ name: 'slip', text, values });
        }
      });
    },
    end: () => pool.end(),
  };
}
