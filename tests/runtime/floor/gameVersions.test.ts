import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoOwner, demoPace, demoSettings } from '../support/demo.ts';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { verifyStore } from '../../../src/verify/verify.ts';
import { games } from '../../../src/games/registry.ts';
import { versionedGameId, type Game } from '../../../src/rules/game.ts';
import { hashOf } from '../../../src/base/canonicalJson.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { testDependencies } from '../support/testDependencies.ts';

// The registry has a second version of Tiger during this test, with Tie at 9 to 1.
const tiger = games.find(({ id }) => id === 'tiger')!;
const tie = tiger.wagers['tie']!;
const later: Game = {
  ...tiger,
  version: '2022-05-05',
  effective: '2022-05-05',
  wagers: { ...tiger.wagers, tie: { ...tie, lines: [{ ...tie.lines[0]!, pays: [9, 1] }] } },
};
const versions = [tiger, later];
beforeAll(() => void (games as Game[]).push(later));
afterAll(() => void (games as Game[]).splice(games.indexOf(later), 1));

test('[READING 47] two versions of a game run on one floor, at tables named for neither', async () => {
  expect(versions.map(versionedGameId)).toEqual(['tiger@2021-10-28', 'tiger@2022-05-05']);
  const store = createMemoryStore();
  const { dependencies, published, warnings, time } = testDependencies(store, 'versions');
  const tigerSettings = demoSettings.find(({ game }) => game === 'tiger@2021-10-28')!;
  const setting = { ...tigerSettings, profile: { ...tigerSettings.profile, approved: versions.map(versionedGameId) } };
  const settings = versions.map((game, n) => ({ ...setting, table: `B${n + 1}`, game: versionedGameId(game) }));
  const floor = await openFloor(demoOwner, settings, demoPace, dependencies);
  expect([...floor.tables.keys()]).toEqual(['B1', 'B2']);
  const settledAt = (table: string) =>
    published.filter(({ stream, event }) => stream === `demo/table/${table}` && event.type === 'RoundSettled');
  const tiesAt = (table: string) =>
    settledAt(table)
      .map(({ event }) => (event['results'] as { tie: { result: string; pays: number[] } }).tie)
      .filter(({ result }) => result === 'win');
  for (let n = 0; n < 100_000 && (tiesAt('B1').length === 0 || tiesAt('B2').length === 0); n++) await time.step();
  expect(warnings).toEqual([]);
  for (const [n, game] of versions.entries()) {
    const opened = published.filter(
      ({ stream, event }) => stream === `demo/table/B${n + 1}` && event.type === 'BetsOpened',
    );
    expect(new Set(opened.map(({ event }) => event['game']))).toEqual(new Set([versionedGameId(game)]));
    expect(new Set(opened.map(({ event }) => event['hash']))).toEqual(new Set([hashOf(game)]));
    expect(new Set(tiesAt(`B${n + 1}`).map(({ pays }) => pays.join(' to ')))).toEqual(
      new Set([['8 to 1', '9 to 1'][n]]),
    );
  }
  expect((await verifyStore(store)).problem).toBeUndefined();
});
