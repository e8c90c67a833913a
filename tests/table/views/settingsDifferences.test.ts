import { describe, expect, test } from 'vitest';
import { type TableSettings } from '../../../src/table/schema/settings.ts';
import { settingsDifferences } from '../../../src/table/views/settingsDifferences.ts';
import { readyTable } from '../tableScenario.ts';

describe('the difference of settings', () => {
  const before = readyTable('tiger').table!.settings;

  test('lists every changed value, limits by wager', () => {
    const { 'tiger-tie': _gone, ...limits } = before.limits;
    const after: TableSettings = {
      ...before,
      offered: before.offered.filter((wager) => wager !== 'tiger-tie'),
      limits: { ...limits, tie: [200, 50_000] },
      totalMinimum: 500,
      tray: [100, 500],
      attended: false,
      profile: { ...before.profile, dayStartHour: 8 },
    };
    expect(settingsDifferences(before, after).map(({ field, wager }) => [field, wager])).toEqual([
      ['offered', null],
      ['limits', 'tie'],
      ['tray', null],
      ['totalMinimum', null],
      ['attended', null],
      ['profile.dayStartHour', null],
      ['limits', 'tiger-tie'],
    ]);
    expect(settingsDifferences(before, after)).toContainEqual({
      field: 'limits',
      wager: 'tie',
      before: [100, 100_000],
      after: [200, 50_000],
    });
    expect(settingsDifferences(before, before)).toEqual([]);
  });

  test('of a table that was never opened is all its settings', () => {
    const fields = new Set(settingsDifferences(null, before).map(({ field }) => field.split('.')[0]));
    expect(fields).toEqual(new Set(Object.keys(before)));
  });
});
