import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FloorRunFunction, runClusterNode } from '../../../src/cli/floor/clusterProcess.ts';
import { type FloorRuntime } from '../../../src/runtime/floorRuntime.ts';
import { LeaseUncertainError } from '../../../src/cluster/fencedStore.ts';
import { ClusterMembership, type RegisteredNode } from '../../../src/store/postgres/clusterMembership.ts';
import { WriterTakenOverError } from '../../../src/store/store.ts';
import { databases, server } from '../../store/postgres/databases.ts';
import { withClient } from '../../store/postgres/postgres.ts';
import { temporaryFolder } from '../../temporary.ts';
import { punto } from '../support/punto.ts';

describe('punto nodes', () => {
  const { createDatabase } = databases('shown');

  test('lists the addresses, last sign of life and tables of each node, and the one that signs checkpoints', async () => {
    const database = await createDatabase();
    const address = `${server}/${database}`;
    const nodes = async (): Promise<readonly (readonly string[])[]> => {
      const { status, stdout } = await punto(['nodes', '--store', address]);
      expect(status).toBe(0);
      return stdout
        .trim()
        .split('\n')
        .map((row) => row.trim().split(/ {2,}/));
    };
    expect(await nodes()).toEqual([['No node is running.']]);
    const membership = await ClusterMembership.open(address);
    const node = { browserUrl: 'http://one:2026/', nodeUrl: 'ws://one:2027/node', mayLead: true } as const;
    const addNode = (id: string, stage: RegisteredNode['stage'], ...holds: readonly string[]) =>
      membership.renew({ ...node, id, stage }, holds, [], 60_000);
    await addNode('a1', 'open', 'floor', 'demo/table/B01', 'demo/table/X09');
    await addNode('b2', 'leaving', 'demo/table/X10');
    await addNode('c3', 'open');
    await addNode('d4', 'joining');
    await membership.renew({ id: 'e5', browserUrl: '', nodeUrl: '', mayLead: false, stage: 'coming' }, [], [], 60_000);
    await membership.close();
    const [head, ...rows] = await nodes();
    expect(head).toEqual(['node', 'at', 'others at', 'since', 'last heartbeat']);
    expect(rows.map((row) => row.at(-1))).toEqual([
      'leads B01, X09; signs checkpoints',
      'leaves; leads X10',
      'leads no table',
      'joins',
      'waits',
    ]);
    expect(rows[0]!.slice(0, 3)).toEqual(['a1', 'http://one:2026/', 'ws://one:2027/node']);
    expect(rows[4]!.slice(0, 3)).toEqual(['e5', '-', '-']);
    expect(rows[0]![4]).toMatch(/^\d+\.\d s ago$/);
    // One that was killed holds nothing once its lease is over, and is not taken for one that is there.
    await withClient(server, database, async (client) => {
      await client.query("UPDATE nodes SET last_seen_at = last_seen_at - interval '17 seconds'");
      await client.query("UPDATE leases SET until = clock_timestamp() WHERE node = 'b2'");
    });
    const [floorLeader, silentNode] = (await nodes()).slice(1).map((row) => row.at(-1));
    expect([floorLeader, silentNode]).toEqual(['leads B01, X09; signs checkpoints', 'no heartbeat']);
  });
});

describe('a node that starts the floor', () => {
  const { createDatabase } = databases('begins');
  const folder = temporaryFolder('begins');

  async function runNode(live: FloorRunFunction) {
    const [lives, printed]: [string[], string[]] = [[], []];
    const storePaths = { key: join(folder, 'key'), signer: join(folder, 'signer'), anchor: join(folder, 'anchor') };
    const ended = runClusterNode(
      {
        databaseUrl: `${server}/${await createDatabase()}`,
        storePaths,
        leaseMs: 1_000,
        mayLead: true,
        listen: { host: '127.0.0.1', port: 0 },
        stop: new AbortController().signal,
        warn: (text) => printed.push(text),
        print: (line) => printed.push(line),
        logError: () => {},
      },
      async (store, cluster) => {
        lives.push(cluster!.role);
        try {
          await live(store, cluster);
        } finally {
          await store.close();
        }
      },
    );
    await ended.catch((error: Error) => printed.push(`ended by: ${error.message}`));
    return { lives, printed };
  }

  test('tries again when another node starts it at the same time or its lease is not certain, until its floor is open', async () => {
    const errors = [new WriterTakenOverError('Another node signs the checkpoints now.'), new LeaseUncertainError()];
    const { lives, printed } = await runNode(async () => {
      const error = errors.shift();
      if (error) throw error;
    });
    expect(lives).toEqual(['first', 'first', 'first']);
    expect(printed).toEqual([
      'Another node signs the checkpoints now. This node starts again.',
      `${new LeaseUncertainError().message} This node starts again.`,
    ]);
  });

  test('gives up after five attempts, and at once on any other error or when its floor was open', async () => {
    const over = new WriterTakenOverError('Another node signs the checkpoints now.');
    const often = await runNode(async () => Promise.reject(over));
    expect([often.lives.length, often.printed.at(-1)]).toEqual([5, `ended by: ${over.message}`]);
    const other = await runNode(async () => Promise.reject(new Error('The disk is gone.')));
    expect([other.lives.length, other.printed]).toEqual([1, ['ended by: The disk is gone.']]);
    const later = await runNode(async (_, cluster) => {
      await cluster!.opened('http://one:2026/', { tables: new Map() } as FloorRuntime);
      throw over;
    });
    expect([later.lives.length, later.printed]).toEqual([1, [`ended by: ${over.message}`]]);
  });
});
