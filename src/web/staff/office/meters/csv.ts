import { type Metered } from '../../../../wire/staff/past.ts';
import { type MeterRow } from './page.tsx';

const heads = ['game', 'decks', 'wager', 'rounds', 'stakes', 'staked', 'returned', 'squares', 'theory', 'actual', 'z'];

/** The table for other programs: amounts in whole minor units, squares as they are added up. */
export function csvOf({ game, decks }: Metered, rows: readonly MeterRow[]): string {
  const lines = rows.map(({ wager, weighed, control }) => {
    const { rounds, stakes, staked, returned, squares } = weighed;
    const { theory = '', actual = '', z = '' } = control ?? {};
    return [game, decks, wager, rounds, stakes, staked, returned, squares, theory, actual, z];
  });
  return [heads, ...lines].map((line) => `${line.join(',')}\n`).join('');
}
