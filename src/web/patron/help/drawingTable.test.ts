import { expect, test } from 'vitest';
import { drawingTable } from './drawingTable.ts';

test('the drawing table of help equals the table of play', () => {
  expect(drawingTable.player).toEqual([0, 5]);
  expect(drawingTable.bankerAfterStand).toEqual([0, 5]);
  const drawn = drawingTable.banker.map(
    ({ total, draws }) => `${total}: ${drawingTable.values.filter((third) => draws[third]).join('')}`,
  );
  expect(drawn).toEqual([
    '0: 0123456789',
    '1: 0123456789',
    '2: 0123456789',
    '3: 012345679',
    '4: 234567',
    '5: 4567',
    '6: 67',
    '7: ',
  ]);
});
