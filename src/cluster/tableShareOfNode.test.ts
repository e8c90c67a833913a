import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tableShareOfNode } from './tableShareOfNode.ts';

const tables = ['t1', 't2', 't3', 't4', 't5'];

test('single node wants all tables and keeps them', () => {
  const free = { self: 'a', mayLead: true, otherLeaders: [], tables };
  expect(tableShareOfNode({ ...free, holders: new Map() })).toEqual({ wanted: tables, surplus: 0 });
  expect(tableShareOfNode({ ...free, holders: new Map(tables.map((table) => [table, 'a'])) })).toEqual({
    wanted: tables,
    surplus: 0,
  });
});

test('each free table is wanted by exactly one node, the one with the fewest', () => {
  const holders = new Map([['t3', 'b']]);
  const share = (me: string, ...otherLeaders: readonly string[]) =>
    tableShareOfNode({ self: me, mayLead: true, otherLeaders, tables, holders });
  expect(share('a', 'b')).toEqual({ wanted: ['t1', 't2', 't5'], surplus: 0 });
  expect(share('b', 'a')).toEqual({ wanted: ['t3', 't4'], surplus: 0 });
});

test('leases of nodes that are gone or do not lead count for no node', () => {
  const holders = new Map([
    ['t1', 'gone'],
    ['t2', 'gone'],
  ]);
  expect(tableShareOfNode({ self: 'a', mayLead: true, otherLeaders: ['b'], tables, holders })).toEqual({
    wanted: ['t3', 't5'],
    surplus: 0,
  });
});

test('node has a surplus when it holds more than an even share, rounded up', () => {
  const holders = new Map(tables.map((table) => [table, 'a']));
  const share = (me: string) =>
    tableShareOfNode({ self: me, mayLead: true, otherLeaders: ['a', 'b'], tables, holders });
  expect([share('a'), share('b')]).toEqual([
    { wanted: tables, surplus: 2 },
    { wanted: [], surplus: 0 },
  ]);
});

test('node that may not lead wants what it holds and hands all of it over', () => {
  const holders = new Map([['t1', 'a']]);
  expect(tableShareOfNode({ self: 'a', mayLead: false, otherLeaders: ['b'], tables, holders })).toEqual({
    wanted: ['t1'],
    surplus: 1,
  });
});

/**
 * Simulates nodes that join and leave the cluster. In turn each node takes the tables that it wants, and hands over one
 * surplus table.
 */
function property(events: readonly (readonly [node: number, isThere: boolean, turns: number])[], count: number) {
  const all = Array.from({ length: count }, (_, n) => `t${n}`);
  const there = new Set<string>();
  const holders = new Map<string, string>();
  let moves = 0;
  const turn = (me: string): void => {
    const otherLeaders = [...there].filter((node) => node !== me);
    const { wanted, surplus } = tableShareOfNode({ self: me, mayLead: true, otherLeaders, tables: all, holders });
    for (const table of wanted) {
      if (holders.has(table)) continue;
      holders.set(table, me);
      moves += 1;
    }
    if (surplus === 0) return;
    holders.delete(all.find((table) => holders.get(table) === me)!);
    moves += 1;
  };
  for (const [node, isThere, turns] of events) {
    const name = `n${node}`;
    if (isThere) there.add(name);
    else {
      there.delete(name);
      for (const table of all) if (holders.get(table) === name) holders.delete(table);
    }
    for (let n = 0; n < turns; n++) for (const one of there) turn(one);
  }
  return { all, there, holders, turn, moves: () => moves };
}

const events = fc.array(fc.tuple(fc.nat(5), fc.boolean(), fc.nat(2)), { maxLength: 30 });

test('every free table is wanted by exactly one node when some node may lead', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 20 }), (happened, count) => {
      const { all, there, holders } = property(happened, count);
      const wanted = [...there].flatMap((me) => {
        const otherLeaders = [...there].filter((node) => node !== me);
        return tableShareOfNode({ self: me, mayLead: true, otherLeaders, tables: all, holders }).wanted.filter(
          (one) => !holders.has(one),
        );
      });
      const free = there.size === 0 ? [] : all.filter((table) => !holders.has(table));
      expect(wanted.toSorted()).toEqual(free.toSorted());
    }),
  );
});

test('assignment settles when nodes come and go: all tables held, no node above an even share, no moves', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 20 }), (happened, count) => {
      const { all, there, holders, turn, moves } = property([...happened, [0, true, 0]], count);
      for (let n = 0; n <= 2 * count; n++) for (const one of there) turn(one);
      const rested = moves();
      for (const one of there) turn(one);
      expect(moves()).toBe(rested);
      expect(all.every((table) => there.has(holders.get(table)!))).toBe(true);
      const largest = Math.max(...[...there].map((one) => all.filter((table) => holders.get(table) === one).length));
      expect(largest).toBeLessThanOrEqual(Math.ceil(count / there.size));
    }),
  );
});
