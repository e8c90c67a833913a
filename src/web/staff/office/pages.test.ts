import { expect, test } from 'vitest';
import { homeOf, mayOpenPage, matchPage, officeRoutes, tabsFor } from './pages.ts';

const at = (post: 'dealer' | 'supervisor' | 'pit-manager' | 'cage', table: string | null = null) => ({
  post,
  acting: null,
  table,
});

test('an address leads to its page, with the parts that it names', () => {
  expect(matchPage('/floor/L11/ruling')).toMatchObject({ page: { name: 'ruling' }, params: { table: 'L11' } });
  expect(matchPage('/terminals/desk')?.page.name).toBe('desk');
  expect(matchPage('/rounds/')?.page.name).toBe('rounds');
  expect(matchPage('/nowhere')).toBeUndefined();
});

test('a page that a post may not use is not among its tabs', () => {
  expect(tabsFor(at('supervisor')).map(({ name }) => name)).toEqual(['floor', 'rounds', 'terminals']);
  expect(tabsFor(at('cage')).map(({ name }) => name)).toEqual(['desk']);
  expect(tabsFor(at('dealer'))).toEqual([]);
  const floor = officeRoutes.find(({ name }) => name === 'floor')!;
  expect(mayOpenPage(floor, { post: 'dealer', acting: 'supervisor' })).toBe(true);
});

test('everybody begins where the post works', () => {
  expect(homeOf(at('dealer', 'L11'))).toBe('/dealer/L11');
  expect(homeOf(at('supervisor'))).toBe('/floor');
  expect(homeOf(at('cage'))).toBe('/terminals/desk');
});

test('every page can be loaded by its own file', () => {
  expect(new Set(officeRoutes.map(({ at: path }) => path)).size).toBe(officeRoutes.length);
  expect(officeRoutes.every(({ load }) => String(load).includes('page.tsx'))).toBe(true);
});
