import { expect, test } from 'vitest';
import { homePath, mayOpenPage, matchOfficePage, officeRoutes, tabsForSession } from './pages.ts';

const sessionOf = (role: 'dealer' | 'supervisor' | 'pit-manager' | 'cage', table: string | null = null) => ({
  role,
  acting: null,
  table,
});

test('a path matches its page and gives its parameters', () => {
  expect(matchOfficePage('/floor/L11/ruling')).toMatchObject({ page: { name: 'ruling' }, params: { table: 'L11' } });
  expect(matchOfficePage('/terminals/cage')?.page.name).toBe('cage');
  expect(matchOfficePage('/rounds/')?.page.name).toBe('rounds');
  expect(matchOfficePage('/nowhere')).toBeUndefined();
});

test('the tabs of a role are the pages that it may open', () => {
  expect(tabsForSession(sessionOf('supervisor')).map(({ name }) => name)).toEqual(['floor', 'rounds', 'terminals']);
  expect(tabsForSession(sessionOf('cage')).map(({ name }) => name)).toEqual(['cage']);
  expect(tabsForSession(sessionOf('dealer'))).toEqual([]);
  const floor = officeRoutes.find(({ name }) => name === 'floor')!;
  expect(mayOpenPage(floor, { role: 'dealer', acting: 'supervisor' })).toBe(true);
});

test('the home page depends on the role', () => {
  expect(homePath(sessionOf('dealer', 'L11'))).toBe('/dealer/L11');
  expect(homePath(sessionOf('supervisor'))).toBe('/floor');
  expect(homePath(sessionOf('cage'))).toBe('/terminals/cage');
});

test('every page has its own path and module', () => {
  expect(new Set(officeRoutes.map(({ path }) => path)).size).toBe(officeRoutes.length);
  expect(officeRoutes.every(({ load }) => String(load).includes('page.tsx'))).toBe(true);
});
