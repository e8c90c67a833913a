import { readFileSync } from 'node:fs';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { openFloor } from '../../../src/runtime/openFloor.ts';
import { createSeededRandom } from '../../../src/runtime/ports/random.ts';
import { delayStepToOpeningTurn, nextUnattendedStep } from '../../../src/runtime/tables/pacing.ts';
import { floorActor } from '../../../src/access/actor.ts';
import { parseProperty } from '../../../src/property/property.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { TableScenario, floor, natural, defaultSettings } from '../../table/tableScenario.ts';
import { demoPace } from '../support/demo.ts';
import { start, testDependencies } from '../support/testDependencies.ts';

const next = ({ table }: TableScenario) => nextUnattendedStep(table!, demoPace, undefined, createSeededRandom('pace'));

test('[READING 59] unattended table carries out a void that a clause commands during a referral, and nothing else', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  scenario.virtualShoe(natural);
  scenario.do('OpenBets', {}, floor);
  scenario.do('Refer', { reason: 'x' }, floor);
  expect(next(scenario)).toBeUndefined();
  scenario.do('ReportIrregularity', { kind: 'missing-card', note: 'one card short' }, floor);
  expect(next(scenario)).toMatchObject({ request: { type: 'VoidRound', reason: 'one card short' } });
  scenario.do('VoidRound', { reason: 'one card short' }, floor);
  expect(scenario.table).toMatchObject({ phase: 'idle', openIrregularities: [], shoe: { lockedBy: 'ETG 5.1.1' } });
  expect(next(scenario)).toBeUndefined();
});

test('bets open at the first turn of the table since the start, and no other step waits', () => {
  const pace = { ...demoPace, turn: { cycle: 30_000, after: 3_000 } };
  const open = (at: number) => ({ at, request: { type: 'OpenBets', actor: floorActor } });
  const turnAfter = (at: number, since = 0): number => delayStepToOpeningTurn(open(at), pace, since)!.at;
  expect([3_000, 3_001, 33_000, 50_000].map((at) => turnAfter(at))).toEqual([3_000, 33_000, 33_000, 63_000]);
  expect(turnAfter(3_000, 100_000)).toBe(123_000);
  expect(delayStepToOpeningTurn(open(5), demoPace, 100)).toEqual(open(5));
  expect(delayStepToOpeningTurn({ at: 5, shuffle: true }, pace, 0)).toEqual({ at: 5, shuffle: true });
  expect(delayStepToOpeningTurn({ at: 5, request: { type: 'EndShoe', actor: floorActor } }, pace, 0)!.at).toBe(5);
  expect(delayStepToOpeningTurn(undefined, pace, 0)).toBeUndefined();
});

test('some demo table always takes bets, even after a night', async () => {
  const file: unknown = parse(readFileSync(new URL('../../../properties/demo.jsonc', import.meta.url), 'utf8'));
  const property = parseProperty(file, start);
  if ('mistakes' in property) throw new Error('The demo is no property.');
  const { owner, tables } = property;
  const settings = tables.map((table) => table.settings);
  const paceOf = (id: string) => tables.find((table) => table.settings.table === id)!.pace;
  const store = createMemoryStore();
  for (const night of [0, 8 * 3_600_000]) {
    const { dependencies, time, warnings } = testDependencies(store, `night${night}`);
    time.now += night;
    const { tables: all } = await openFloor(owner, settings, paceOf, dependencies);
    const states = [...all.values()];
    const firstRounds = time.now + 40_000;
    const end = time.now + 240_000;
    const opened = new Set<number>();
    while (time.now < end) {
      await time.step();
      const open = states.filter(({ table }) => table.phase === 'betting');
      for (const { table } of open) opened.add(table.round!.openedAt);
      if (time.now >= firstRounds) expect(open.length, `after ${time.now - end + 240_000} ms`).toBeGreaterThan(2);
    }
    // No two tables open at the same moment.
    expect(opened.size).toBeGreaterThan(60);
    expect(new Set([...opened].map((at) => at % 3_000))).toEqual(new Set([0]));
    expect(warnings).toEqual([]);
    for (const table of states) await table.processor.idle();
  }
});
