import { type ReturnDeviation } from '../../../../odds/returnDeviation.ts';
import { groupDigitsForCsv } from '../../../../base/groupDigitsForCsv.ts';
import { type GameMeters, type WagerTotal } from '../../../../wire/staff/roundTypes.ts';

type CsvRow = { readonly wager: string; readonly total: WagerTotal; readonly control: ReturnDeviation | undefined };

const headers = [
  'game',
  'decks',
  'wager',
  'rounds',
  'stakes',
  'staked',
  'returned',
  'squares',
  'theory',
  'actual',
  'z',
];

/**
 * Meters as CSV. Amounts are in cents. The sums of squares have underscores between groups of digits, so that a
 * spreadsheet takes them as text and does not round them.
 */
export function metersCsv({ game, decks }: Pick<GameMeters, 'game' | 'decks'>, rows: readonly CsvRow[]): string {
  const lines = rows.map(({ wager, total, control }) => {
    const { rounds, stakes, staked, returned, squares } = total;
    const { theory = '', actual = '', z = '' } = control ?? {};
    return [
      game,
      decks,
      wager,
      rounds,
      stakes,
      staked,
      returned,
      groupDigitsForCsv(BigInt(squares)),
      theory,
      actual,
      z,
    ];
  });
  return [headers, ...lines].map((line) => `${line.join(',')}\n`).join('');
}
