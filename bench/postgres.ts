import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openPostgresStore } from '../src/store/postgres/postgresStore.ts';
import { type Store, type StoredEntry } from '../src/store/store.ts';
import { PostgresServer, hasBinaries, installation } from '../tests/store/postgres/postgres.ts';
import { type BenchSize, type Sizes } from './support/bench.ts';
import { Child } from './support/child.ts';
import { openBenchFloor, settings } from './floor.ts';
import { figure, medianAndP99 } from './support/measure.ts';
import type { NodeReport, NodeRequest, NodeOptions } from './processes/clusterNode.ts';

type Counts = {
  readonly terminals: number;
  readonly warmUpSlips: number;
  /** Number of times that the modes take turns. */
  readonly turns: number;
  /** Slips of each terminal in a turn: through a floor, and in a transaction each. */
  readonly together: number;
  readonly apart: number;
};

const sizes: Sizes<Counts> = {
  full: { terminals: 500, warmUpSlips: 40, turns: 6, together: 10, apart: 3 },
  short: { terminals: 20, warmUpSlips: 2, turns: 1, together: 2, apart: 1 },
};

export const noPostgres = '  skipped: the tests have no PostgreSQL for this system';

/** Slips that are durable when they are acknowledged, on PostgreSQL, against one transaction for each, by as many clients. */
export async function* postgresBench(size: BenchSize): AsyncGenerator<string> {
  const counts = sizes[size];
  const { terminals, turns } = counts;
  yield 'postgres (durable slips on PostgreSQL; ratio to one transaction per slip on the same server)';
  if (!hasBinaries) {
    yield noPostgres;
    return;
  }
  const { folder, remove } = installation();
  let server: PostgresServer | undefined;
  let store: Store | undefined;
  let floor: Awaited<ReturnType<typeof openBenchFloor>> | undefined;
  let plain: Awaited<ReturnType<typeof plainTransactions>> | undefined;
  const nodes: BenchNode[] = [];
  try {
    server = await PostgresServer.create(folder, 'bench', 'fsync=on', 'shared_buffers=256MB', 'max_wal_size=4GB');
    await server.withClient('postgres', (client) => client.query('CREATE DATABASE punto'));
    store = await openPostgresStore(server.urlOf('punto'), { maxConnections: connections });
    floor = await openBenchFloor(store, terminals);
    await floor.play(counts.warmUpSlips);
    const written = await floor.storedSlips();
    const apart = singleAppends(store, terminals, written);
    plain = await plainTransactions(server, terminals, written);
    await openPair(server, terminals, nodes);
    const pair = (slips: number): Promise<unknown> => Promise.all(nodes.map((node) => node.request({ play: slips })));
    await pair(counts.warmUpSlips / 2);
    for (const node of nodes) node.times.length = 0;
    await apart(counts.apart);
    await plain.play(counts.apart);
    floor.times.length = 0;
    // In turns, so that other load on the machine slows all of them.
    const seconds = { together: 0, pair: 0, apart: 0, plain: 0 };
    for (let turn = 0; turn < turns; turn++) {
      seconds.together += await secondsOf(() => floor!.play(counts.together));
      seconds.pair += await secondsOf(() => pair(counts.together));
      seconds.apart += await secondsOf(() => apart(counts.apart));
      seconds.plain += await secondsOf(() => plain!.play(counts.apart));
    }
    const rate = (slips: number, time: number): number => (terminals * slips * turns) / time;
    const [together, pairRate, singleRate, plainRate] = [
      rate(counts.together, seconds.together),
      rate(counts.together, seconds.pair),
      rate(counts.apart, seconds.apart),
      rate(counts.apart, seconds.plain),
    ];
    yield `  ${terminals} terminals at ${floor.tables} tables: ${figure(together)} slips per second, ${figure(together / singleRate)} times one transaction per slip (${figure(singleRate)} per second)`;
    yield `  ${figure(together / plainRate)} times the plainest transaction that keeps a slip, without hash chain, balance check or fencing (${figure(plainRate)} per second)`;
    yield `  from slip to acknowledgement: ${medianAndP99(floor.times)}`;
    yield `  two nodes with half of the tables each: ${figure(pairRate)} slips per second, ${figure(pairRate / singleRate)} times one transaction per slip, ${figure(pairRate / together)} times one node; ${medianAndP99(nodes.flatMap((node) => node.times))}`;
    await Promise.all(nodes.map((node) => node.stop()));
  } finally {
    await Promise.all(nodes.map((node) => node.kill()));
    floor?.end();
    await plain?.end();
    await store?.close();
    await server?.end();
    remove();
  }
}

/** A node in a process of its own that leads half of the tables, with half of the terminals. */
class BenchNode {
  readonly #child: Child<NodeRequest, NodeReport>;
  /** From a slip to its acknowledgement, in milliseconds. */
  readonly times: number[] = [];

  constructor(options: NodeOptions) {
    this.#child = new Child(new URL('processes/clusterNode.ts', import.meta.url), [JSON.stringify(options)]);
  }

  /** Waits until it has done what was requested last; first, to open. */
  async done(): Promise<void> {
    const { times = [] } = await this.#child.next();
    for (const time of times) this.times.push(time);
  }

  async request(request: NodeRequest): Promise<void> {
    this.#child.send(request);
    await this.done();
  }

  async stop(): Promise<void> {
    this.#child.send('go');
    await this.#child.waitForExit();
  }

  kill(): Promise<void> {
    return this.#child.kill();
  }
}

/** Opens two nodes on a database of their own, each with half of the terminals and connections, and seats the terminals. */
async function openPair(server: PostgresServer, terminals: number, nodes: BenchNode[]): Promise<void> {
  await server.withClient('postgres', (client) => client.query('CREATE DATABASE pair'));
  const options: NodeOptions = {
    address: server.urlOf('pair'),
    key: randomBytes(32).toString('hex'),
    terminals: terminals / 2,
    connections: connections / 2,
  };
  for (let n = 0; n < 2; n++) {
    const node = new BenchNode(options);
    nodes.push(node);
    await node.done();
  }
  await Promise.all(nodes.map((node) => node.request({ sit: settings.length / 2 })));
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Runs as many clients as there are terminals at once. */
const forEachClient = async (terminals: number, play: (client: number) => Promise<void>): Promise<void> =>
  void (await Promise.all(Array.from({ length: terminals }, (_, client) => play(client))));

/** The same slips, each in an append and a transaction of its own, on a stream for each client: no conflicts. */
function singleAppends(store: Store, terminals: number, written: readonly StoredEntry[]) {
  let done = 0;
  return async (count: number): Promise<void> => {
    const from = done;
    done += count;
    await forEachClient(terminals, async (client) => {
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
 * balances. No hash chain, no comparison, no lock and no conflict.
 */
async function plainTransactions(server: PostgresServer, terminals: number, written: readonly StoredEntry[]) {
  await server.withClient('postgres', (client) => client.query('CREATE DATABASE plain'));
  await server.withClient('plain', async (client) => {
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
      await forEachClient(terminals, async (client) => {
        for (let turn = from; turn < from + count; turn++) {
          const { event, command, postings } = written[(client + turn) % written.length]!;
          const id = `${Date.now().toString(16)}-${turn}-${client}`;
          const values = [client, turn, JSON.stringify({ event, command, postings }), id, `t${client}`, `s${client}`];
          await pool.query({ name: 'slip', text, values });
        }
      });
    },
    end: () => {
      // `pool.end` does not wait until its connections are closed, so the stop of the server can reach one of them.
      pool.on('error', () => {});
      return pool.end();
    },
  };
}
