import { drawsNext } from '../../../rules/play.ts';

const totals = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** "0 to 5" or "0–5" of totals that follow one another. */
const spanOf = (of: readonly number[]): readonly [number, number] => [of[0]!, of.at(-1)!];

/** The table of play, asked of the rules themselves. */
export const drawing = {
  /** The totals on which Player draws, and those on which Banker does after a Player that stands. */
  player: spanOf(totals.filter((player) => drawsNext(player, 0) === 'player')),
  standing: spanOf(totals.filter((banker) => drawsNext(7, banker) === 'banker')),
  values,
  /** Whether Banker draws, by its total and by what the third card of Player is worth. */
  banker: totals.map((total) => ({
    total,
    draws: values.map((third) => drawsNext(0, total, third) === 'banker'),
  })),
};
