import { describe, expect, test } from 'vitest';
import { type TableSettings } from '../../../../wire/staff/cageTypes.ts';
import {
  applySettingsDraft,
  editedSettingFields,
  changedSettingFields,
  isBetweenShoesSetting,
  singleValueSettingFields,
  settingInputText,
  invalidSettingFields,
} from './settingsDraft.ts';

const setting: TableSettings = {
  property: 'demo',
  table: 'L11',
  currency: 'SGD',
  profile: { name: 'demo', version: '1', approved: ['baccarat@7'], timeZone: 'Asia/Singapore', dayStartHour: 6 },
  game: 'baccarat@7',
  decks: 8,
  offered: ['player', 'banker', 'tie'],
  step: 100,
  tray: [100, 500],
  limits: { player: [2_500, 200_000], banker: [2_500, 200_000], tie: [500, 20_000] },
  totalMinimum: 2_500,
  bettingTime: 20_000,
  grace: 500,
  pause: 2_500,
  interruption: 10_000,
  roundsAfterCut: 1,
  behind: 16,
  burn: 'first-card',
  dealing: 'scanned',
  bets: 'terminals',
  attended: true,
  chunk: 1_000,
};
const wagers = ['player', 'banker', 'tie', 'player-pair'];

describe('settingInputText', () => {
  test('gives amounts in units, times in seconds, the grace period in milliseconds, and yes for offered wagers', () => {
    const texts = Object.fromEntries(
      singleValueSettingFields.map((field) => [field, settingInputText(setting, field)]),
    );
    expect(texts).toEqual({
      game: 'baccarat@7',
      decks: '8',
      totalMinimum: '25.00',
      bettingTime: '20',
      grace: '500',
      pause: '2.5',
      interruption: '10',
      behind: '16',
      roundsAfterCut: '1',
      burn: 'first-card',
    });
    expect(settingInputText(setting, 'limits.tie.0')).toBe('5.00');
    expect(settingInputText(setting, 'limits.tie.1')).toBe('200.00');
    expect(settingInputText(setting, 'limits.player-pair.1')).toBe('0.00');
    expect([settingInputText(setting, 'offered.tie'), settingInputText(setting, 'offered.player-pair')]).toEqual([
      'yes',
      '',
    ]);
  });

  test('changes nothing when its text is typed back', () => {
    const fields = [
      ...singleValueSettingFields,
      'limits.tie.0',
      'limits.banker.1',
      'offered.tie',
      'offered.player-pair',
    ];
    const draft = Object.fromEntries(fields.map((field) => [field, settingInputText(setting, field)]));
    expect(editedSettingFields(setting, draft)).toEqual([]);
    expect(invalidSettingFields(draft)).toEqual([]);
    const { game: _game, ...others } = draft;
    expect(applySettingsDraft(setting, others, wagers)).toEqual(setting);
  });
});

describe('a draft', () => {
  test('differs by value, not by spelling', () => {
    expect(
      editedSettingFields(setting, { bettingTime: '20.0', totalMinimum: '25', 'limits.player.1': '2,000.00' }),
    ).toEqual([]);
    const draft = { bettingTime: '18', totalMinimum: '30', 'offered.tie': '', 'limits.player.1': '2,000.01' };
    expect(editedSettingFields(setting, draft)).toEqual(Object.keys(draft));
  });

  test('is invalid when a text is no value, and counts as a change', () => {
    const draft = {
      decks: '7.5',
      pause: '-1',
      bettingTime: '',
      totalMinimum: '1.005',
      'limits.tie.0': 'x',
      grace: '∞',
    };
    expect(invalidSettingFields(draft)).toEqual(Object.keys(draft));
    expect(editedSettingFields(setting, draft)).toEqual(Object.keys(draft));
    expect(
      invalidSettingFields({ decks: '6', pause: '0', 'offered.tie': '', burn: 'none', 'limits.tie.0': '10' }),
    ).toEqual([]);
  });
});

describe('applySettingsDraft', () => {
  test('changes the typed fields and keeps all others', () => {
    const draft = { decks: '6', bettingTime: '18.5', totalMinimum: '1,000', burn: 'none', 'limits.tie.1': '150.50' };
    expect(applySettingsDraft(setting, draft, wagers)).toEqual({
      ...setting,
      decks: 6,
      bettingTime: 18_500,
      totalMinimum: 100_000,
      burn: 'none',
      limits: { ...setting.limits, tie: [500, 15_050] },
    });
  });

  test('drops the limits of wagers no longer offered, and gives new wagers the limits of Tie', () => {
    const draft = { 'offered.banker': '', 'offered.player-pair': 'yes', 'limits.player-pair.1': '100' };
    expect(applySettingsDraft(setting, draft, wagers)).toMatchObject({
      offered: ['player', 'tie', 'player-pair'],
      limits: { player: [2_500, 200_000], tie: [500, 20_000], 'player-pair': [500, 10_000] },
    });
    expect(applySettingsDraft(setting, draft, wagers).limits).not.toHaveProperty('banker');
  });

  test('offers all wagers when the game changes', () => {
    expect(applySettingsDraft(setting, { game: 'other@1', 'offered.tie': '' }, wagers)).toMatchObject({
      game: 'other@1',
      offered: wagers,
    });
  });
});

test('changedSettingFields lists only the fields that were changed', () => {
  const draft = { decks: '6', 'offered.banker': '', 'offered.player-pair': 'yes', 'limits.tie.0': '10.00' };
  expect(changedSettingFields(setting, applySettingsDraft(setting, draft, wagers))).toEqual([
    'decks',
    'offered.banker',
    'offered.player-pair',
    'limits.tie',
  ]);
  expect(changedSettingFields(setting, setting)).toEqual([]);
});

test('[READING 49] settings of the shoe change between shoes, all others while no round is open', () => {
  expect(singleValueSettingFields.filter((field) => isBetweenShoesSetting(field))).toEqual([
    'game',
    'decks',
    'behind',
    'roundsAfterCut',
    'burn',
  ]);
  expect([isBetweenShoesSetting('offered'), isBetweenShoesSetting('limits')]).toEqual([true, false]);
});
