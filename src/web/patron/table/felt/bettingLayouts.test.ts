import { describe, expect, test } from 'vitest';
import { games } from '../../../../games/registry.ts';
import { wagerIdsOf } from '../../../../rules/game.ts';
import { type LayoutBox, bettingLayoutOf, winningTotalOfStripWager, wagersInBox } from './bettingLayouts.ts';

const widths = ['wide', 'narrow'] as const;

/** Every possible offer of a game: each subset of its optional wagers, together with all other wagers. */
function choices(id: string): readonly (readonly string[])[] {
  const game = games.find((one) => one.id === id)!;
  const optional = wagerIdsOf(game).filter((wager) => game.wagers[wager]!.optional);
  return Array.from({ length: 2 ** optional.length }, (_, choice) =>
    wagerIdsOf(game).filter((wager) => {
      const place = optional.indexOf(wager);
      return place < 0 || ((choice >> place) & 1) === 1;
    }),
  );
}

/** Number of boxes that contain no part (holes) or only one part (frames around a frame). */
const holes = (box: LayoutBox): number =>
  'wager' in box ? 0 : (box.parts.length < 2 ? 1 : 0) + box.parts.reduce((sum, part) => sum + holes(part), 0);

describe.each(games.map(({ id }) => id))('%s', (id) => {
  test.each(widths)('has each wager on offer once and no hole, whatever is left out (%s)', (width) => {
    for (const wagers of choices(id)) {
      const { box, strips } = bettingLayoutOf(id, wagers, width);
      const placed = [...wagersInBox(box), ...strips.flatMap((strip) => strip.wagers)];
      expect(placed.toSorted()).toEqual(wagers.toSorted());
      expect(holes(box!)).toBe(0);
    }
  });

  test.each(widths)('has Player, Tie and Banker side by side, in this order (%s)', (width) => {
    const { box } = bettingLayoutOf(id, choices(id).at(-1)!, width);
    const mains = wagersInBox(box).filter((wager) => ['player', 'tie', 'banker'].includes(wager));
    expect(mains).toEqual(['player', 'tie', 'banker']);
  });
});

test('[SUP diagram-a] Sands Super has three strips of totals, and no other game has one', () => {
  const ids = (side: string, from: number): readonly string[] =>
    Array.from({ length: 10 - from }, (_, n) => `${side}-wins-on-${from + n}`);
  for (const { id } of games) {
    const { strips } = bettingLayoutOf(id, choices(id).at(-1)!, 'wide');
    expect(strips).toEqual(
      id === 'sands-super'
        ? [
            { side: 'tie', wagers: ids('tie', 0) },
            { side: 'banker', wagers: ids('banker', 1) },
            { side: 'player', wagers: ids('player', 1) },
          ]
        : [],
    );
  }
  expect([
    winningTotalOfStripWager('tie-wins-on-0'),
    winningTotalOfStripWager('player-wins-on-9'),
    winningTotalOfStripWager('tie'),
  ]).toEqual([0, 9, undefined]);
});

test('the pairs of Sands Elements are above their sides, and Fortune Six is above the tie', () => {
  const { box } = bettingLayoutOf('sands-elements', choices('sands-elements')[0]!, 'wide');
  expect(wagersInBox(box)).toEqual(['player-pair', 'fortune-six', 'banker-pair', 'player', 'tie', 'banker']);
  const sizes =
    'parts' in box! ? box.parts.map((part) => ('parts' in part ? part.parts.map(({ size }) => size) : [])) : [];
  expect(sizes[0]).toEqual(sizes[1]);
});

test('wagers without a position in the layout form a row above the others', () => {
  expect(wagersInBox(bettingLayoutOf('another-game', ['player', 'banker', 'tie', 'moon'], 'wide').box)).toEqual([
    'moon',
    'player',
    'tie',
    'banker',
  ]);
  expect(wagersInBox(bettingLayoutOf('tiger', ['player', 'moon', 'tiger'], 'narrow').box)).toEqual([
    'moon',
    'tiger',
    'player',
  ]);
  expect(bettingLayoutOf('tiger', ['moon'], 'wide')).toEqual({ box: { size: 1, wager: 'moon' }, strips: [] });
  expect(bettingLayoutOf('tiger', [], 'wide')).toEqual({ box: null, strips: [] });
});
