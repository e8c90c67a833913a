import { type Control } from '../../../../odds/control.ts';
import { groupDigits } from '../../../../base/groupDigits.ts';
import { type GameMeters, type WagerTotal } from '../../../../wire/staff/roundTypes.ts';

type CsvRow = { readonly wager: string; readonly weighed: WagerTotal; readonly control: Control | undefined };

const heads = ['game', 'decks', 'wager', 'rounds', 'stakes', 'staked', 'returned', 'squares', 'theory', 'actual', 'z'];

/** The table for other programs: amounts in whole minor units, squares in digits that a spreadsheet does not round. */
export function csvOf({ game, decks }: Pick<GameMeters, 'game' | 'decks'>, rows: readonly CsvRow[]): string {
  const lines = rows.map(({ wager, weighed, control }) => {
    const { rounds, stakes, staked, returned, squares } = weighed;
    const { theory = '', actual = '', z = '' } = control ?? {};
    return [game, decks, wager, rounds, stakes, staked, returned, groupDigits(BigInt(squares)), theory, actual, z];
  });
  return [heads, ...lines].map((line) => `${line.join(',')}\n`).join('');
}
