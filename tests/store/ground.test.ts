import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Ground } from '../../src/store/postgres/ground.ts';
import { entry } from './contract.ts';
import { databases, server } from './databases.ts';
import { asIn } from './postgres.ts';

const [one, other] = [
  { id: 'one', address: 'http://one/' },
  { id: 'other', address: 'http://other/' },
];

describe('leases on a database', () => {
  const { fresh, open } = databases('ground');

  async function on(database: string): Promise<Ground> {
    return Ground.on(`${server}/${database}`);
  }

  test('what one holds no other takes until it is let go of or over, and then one of those who want it', async () => {
    const database = await fresh();
    const grounds = await Promise.all([on(database), on(database)]);
    const [first, second] = grounds;
    expect(await first.renew(one, ['floor'], 60_000)).toMatchObject({ mine: ['floor'], others: [] });
    const asked = await second.renew(other, ['floor', 'x'], 300);
    expect(asked).toMatchObject({
      mine: ['x'],
      others: [{ name: 'floor', node: 'one', address: 'http://one/', left: expect.any(Number) }],
    });
    expect(asked.others[0]!.left).toBeGreaterThan(50_000);
    expect(Math.abs(asked.at - Date.now())).toBeLessThan(10_000);
    expect(await Ground.look(`${server}/${database}`)).toMatchObject([
      { id: 'one', holds: ['floor'] },
      { id: 'other', holds: ['x'] },
    ]);
    // It is over, but nobody else has wanted it: whoever had it goes on.
    await setTimeout(350);
    expect(await second.renew(other, ['x'], 300)).toMatchObject({ mine: ['x'] });
    await setTimeout(350);
    expect(await first.renew(one, ['floor', 'x'], 60_000)).toMatchObject({ mine: ['floor', 'x'] });
    expect(await second.renew(other, ['x'], 300)).toMatchObject({ mine: [] });
    await first.leave(one);
    expect(await second.renew(other, ['floor', 'x'], 300)).toMatchObject({ mine: ['floor', 'x'], others: [] });
    expect(await Ground.look(`${server}/${database}`)).toMatchObject([{ id: 'other', holds: ['floor', 'x'] }]);
    await Promise.all(grounds.map((ground) => ground.close()));
  });

  test('of many who want the same at the same moment one gets it', async () => {
    const database = await fresh();
    const grounds = await Promise.all(Array.from({ length: 8 }, () => on(database)));
    for (let round = 0; round < 5; round++) {
      const asked = await Promise.all(
        grounds.map((ground, n) => ground.renew({ id: `n${n}`, address: '' }, [`lease ${round}`], 60_000)),
      );
      expect(asked.filter(({ mine }) => mine.length === 1)).toHaveLength(1);
    }
    await Promise.all(grounds.map((ground) => ground.close()));
  });

  test('whoever takes over raises the epoch of every stream, and a late append of the one before finds no row', async () => {
    const database = await fresh();
    const former = await open(database);
    const ground = await on(database);
    await ground.renew(one, ['floor'], 60_000);
    expect(await ground.raise('floor', one, former.held)).toBe(true);
    for (const stream of ['a', 'b']) {
      await former.append({ stream, after: 0, epoch: former.held, entries: [entry(1, [], `${stream}1`)] });
    }
    await asIn(server, database, (client) => client.query("UPDATE leases SET until = now() - interval '1 second'"));
    const next = await open(database);
    // Who holds nothing raises nothing.
    expect(await ground.raise('floor', one, next.held)).toBe(false);
    expect(await ground.renew(other, ['floor'], 60_000)).toMatchObject({ mine: ['floor'] });
    expect(await ground.raise('floor', one, next.held)).toBe(false);
    expect((await next.heads()).get('a')?.epoch).toBe(former.held);
    expect(await ground.raise('floor', other, next.held)).toBe(true);
    for (const stream of ['a', 'b']) {
      expect(
        await former.append({ stream, after: 1, epoch: former.held, entries: [entry(2, [], `${stream}2`)] }),
      ).toEqual({ refused: 'epoch-over', epoch: next.held });
    }
    expect(
      await next.append({ stream: 'a', after: 1, epoch: next.held, entries: [entry(3, [], 'a3')] }),
    ).toHaveProperty('entries');
    await ground.close();
  });

  test('a connection that ends is made again', async () => {
    const database = await fresh();
    const ground = await on(database);
    await ground.renew(one, ['floor'], 60_000);
    await asIn(server, 'postgres', (client) =>
      client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]),
    );
    await setTimeout(50);
    await expect(
      ground.renew(one, ['floor'], 60_000).catch(() => ground.renew(one, ['floor'], 60_000)),
    ).resolves.toMatchObject({ mine: ['floor'] });
    await ground.close();
  });

  test('a record from before there were nodes is brought up to date', async () => {
    const database = await fresh();
    await (await open(database)).close();
    await asIn(server, database, async (client) => {
      await client.query('DROP TABLE nodes, leases');
      await client.query('DELETE FROM punto_forms WHERE form = 2');
    });
    expect(await Ground.look(`${server}/${database}`)).toEqual([]);
    const ground = await on(database);
    expect(await ground.renew(one, ['floor'], 60_000)).toMatchObject({ mine: ['floor'] });
    await ground.close();
  });
});
