import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignTables } from './assignTables.ts';

const tables = ['t1', 't2', 't3', 't4', 't5'];

test('one alone wants all of them, and keeps them', () => {
  const free = { me: 'a', drives: true, drivers: [], tables };
  expect(assignTables({ ...free, holders: new Map() })).toEqual({ wants: tables, spare: 0 });
  expect(assignTables({ ...free, holders: new Map(tables.map((table) => [table, 'a'])) })).toEqual({
    wants: tables,
    spare: 0,
  });
});

test('each free table is wanted by one, by whoever holds the fewest', () => {
  const holders = new Map([['t3', 'b']]);
  const share = (me: string, ...drivers: readonly string[]) =>
    assignTables({ me, drives: true, drivers, tables, holders });
  expect(share('a', 'b')).toEqual({ wants: ['t1', 't2', 't5'], spare: 0 });
  expect(share('b', 'a')).toEqual({ wants: ['t3', 't4'], spare: 0 });
});

test('what is held by one who drives nothing any more, or is not known, is no share of anybody', () => {
  const holders = new Map([
    ['t1', 'gone'],
    ['t2', 'gone'],
  ]);
  expect(assignTables({ me: 'a', drives: true, drivers: ['b'], tables, holders })).toEqual({
    wants: ['t3', 't5'],
    spare: 0,
  });
});

test('what is beyond an even share, rounded up, is for others', () => {
  const holders = new Map(tables.map((table) => [table, 'a']));
  const share = (me: string) => assignTables({ me, drives: true, drivers: ['a', 'b'], tables, holders });
  expect([share('a'), share('b')]).toEqual([
    { wants: tables, spare: 2 },
    { wants: [], spare: 0 },
  ]);
});

test('one who drives nothing wants what it holds, and hands over all of that', () => {
  const holders = new Map([['t1', 'a']]);
  expect(assignTables({ me: 'a', drives: false, drivers: ['b'], tables, holders })).toEqual({
    wants: ['t1'],
    spare: 1,
  });
});

/** Nodes that come and go; each in turn asks for what it wants, and hands over one that it has too many of. */
function property(events: readonly (readonly [node: number, isThere: boolean, turns: number])[], count: number) {
  const all = Array.from({ length: count }, (_, n) => `t${n}`);
  const there = new Set<string>();
  const holders = new Map<string, string>();
  let moves = 0;
  const turn = (me: string): void => {
    const drivers = [...there].filter((node) => node !== me);
    const { wants, spare } = assignTables({ me, drives: true, drivers, tables: all, holders });
    for (const table of wants) {
      if (holders.has(table)) continue;
      holders.set(table, me);
      moves += 1;
    }
    if (spare === 0) return;
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

test('while somebody drives, every free table is wanted by just one', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 20 }), (happened, count) => {
      const { all, there, holders } = property(happened, count);
      const wanted = [...there].flatMap((me) => {
        const drivers = [...there].filter((node) => node !== me);
        return assignTables({ me, drives: true, drivers, tables: all, holders }).wants.filter(
          (one) => !holders.has(one),
        );
      });
      const free = there.size === 0 ? [] : all.filter((table) => !holders.has(table));
      expect(wanted.toSorted()).toEqual(free.toSorted());
    }),
  );
});

test('whoever comes and goes, it comes to rest: all are held, nobody has more than an even share, nothing moves', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 20 }), (happened, count) => {
      const { all, there, holders, turn, moves } = property([...happened, [0, true, 0]], count);
      for (let n = 0; n <= 2 * count; n++) for (const one of there) turn(one);
      const rested = moves();
      for (const one of there) turn(one);
      expect(moves()).toBe(rested);
      expect(all.every((table) => there.has(holders.get(table)!))).toBe(true);
      const most = Math.max(...[...there].map((one) => all.filter((table) => holders.get(table) === one).length));
      expect(most).toBeLessThanOrEqual(Math.ceil(count / there.size));
    }),
  );
});
