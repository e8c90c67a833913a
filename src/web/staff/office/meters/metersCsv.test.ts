import { expect, test } from 'vitest';
import { metersCsv } from './metersCsv.ts';

test('CSV of meters groups the digits of squares, which a spreadsheet would round', () => {
  const total = { rounds: 3, stakes: 4, staked: 5000, returned: 4800, squares: '12345678901234567890' };
  const rows = [
    { wager: 'tie', total, control: { theory: 0.95, actual: 0.96, deviation: 0.1, z: 0.1 } },
    { wager: 'player', total, control: undefined },
  ];
  expect(metersCsv({ game: 'tiger@2021-10-28', decks: 8 }, rows).split('\n')).toEqual([
    'game,decks,wager,rounds,stakes,staked,returned,squares,theory,actual,z',
    'tiger@2021-10-28,8,tie,3,4,5000,4800,12_345_678_901_234_567_890,0.95,0.96,0.1',
    'tiger@2021-10-28,8,player,3,4,5000,4800,12_345_678_901_234_567_890,,,',
    '',
  ]);
});
