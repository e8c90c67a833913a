import { type Control } from '../../../../odds/control.ts';
import { groupedDigits } from '../../../../base/groupDigits.ts';
import { type Metered, type Weighed } from '../../../../wire/staff/roundTypes.ts';

type CsvRow = { readonly wager: string; readonly weighed: Weighed; readonly control: Control | undefined };

const heads = ['game', 'decks', 'wager', 'rounds', 'stakes', 'staked', 'returned', 'squares', 'theory', 'actual', 'z'];

/** The table for other programs: amounts in whole minor units, squares in digits that a spreadsheet does not round. */
export function csvOf({ game, decks }: Pick<Metered, 'game' | 'decks'>, rows: readonly CsvRow[]): string {
  const lines = rows.map(({ wager, weighed, control }) => {
    const { rounds, stakes, staked, returned, squares } = weighed;
    const { theory = '', actual = '', z = '' } = control ?? {};
    return [game, decks, wager, rounds, stakes, staked, returned, groupedDigits(BigInt(squares)), theory, actual, z];
  });
  return [heads, ...lines].map((line) => `${line.join(',')}\n`).join('');
}
