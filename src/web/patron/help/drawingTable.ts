import { sideToDraw } from '../../../rules/play.ts';

const totals = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const spanOf = (of: readonly number[]): readonly [number, number] => [of[0]!, of.at(-1)!];

/** The third-card drawing table, computed from the rules. */
export const drawingTable = {
  /** Lowest and highest total with which Player draws. */
  player: spanOf(totals.filter((player) => sideToDraw(player, 0) === 'player')),
  /** Lowest and highest total with which Banker draws after Player stands. */
  bankerAfterStand: spanOf(totals.filter((banker) => sideToDraw(7, banker) === 'banker')),
  values,
  /** For each total of Banker: whether Banker draws, by the value of Player's third card. */
  banker: totals.map((total) => ({
    total,
    draws: values.map((third) => sideToDraw(0, total, third) === 'banker'),
  })),
};
