// Betting layouts as data. A layout is a box that is split into boxes until each box contains one wager. Sands Super
// also has number strips below the box. A wager that the table does not offer leaves no hole.

/**
 * A wager, or parts beside each other (`row`) or below each other (`column`). `size` is relative to the other parts of
 * the same parent box.
 */
export type LayoutBox =
  | { readonly size: number; readonly wager: string }
  | { readonly size: number; readonly split: 'row' | 'column'; readonly parts: readonly LayoutBox[] };

/** The number strip of one side: a wager on each total with which the side can win. */
export type NumberStrip = { readonly side: 'tie' | 'banker' | 'player'; readonly wagers: readonly string[] };

export type BettingLayout = { readonly box: LayoutBox | null; readonly strips: readonly NumberStrip[] };

/** `narrow` is for phones: it has fewer wagers in a row. */
export type LayoutWidth = 'wide' | 'narrow';

const spot = (wager: string, size = 1): LayoutBox => ({ size, wager });
const row = (size: number, ...parts: readonly LayoutBox[]): LayoutBox => ({ size, split: 'row', parts });
const column = (size: number, ...parts: readonly LayoutBox[]): LayoutBox => ({ size, split: 'column', parts });

const mains = {
  wide: row(17, spot('player', 8), spot('tie', 4), spot('banker', 8)),
  narrow: row(17, spot('player', 3), spot('tie', 2), spot('banker', 3)),
};
/** In the wide layout the spot above Tie is as wide as Tie. */
const overSides = (six: string) => ({
  wide: column(
    1,
    row(10, spot('player-pair', 8), spot(six, 4.4), spot('banker-pair', 8)),
    row(18, spot('player', 8), spot('tie', 4.4), spot('banker', 8)),
  ),
  narrow: column(1, row(9, spot('player-pair', 3), spot(six, 2.4), spot('banker-pair', 3)), mains.narrow),
});
const withDragons = (six: string) => ({
  wide: column(
    1,
    row(
      12,
      spot('player-dragon-bonus', 5),
      spot('player-pair', 3.4),
      spot(six, 3.4),
      spot('banker-pair', 3.4),
      spot('banker-dragon-bonus', 5),
    ),
    mains.wide,
  ),
  narrow: column(
    1,
    row(14.5, spot('player-dragon-bonus'), spot('banker-dragon-bonus')),
    row(10, spot('player-pair'), spot(six), spot('banker-pair')),
    mains.narrow,
  ),
});
const pairs = {
  wide: column(1, row(10, spot('player-pair'), spot('banker-pair')), row(18, ...partsOf(mains.wide))),
  narrow: column(1, row(8, spot('player-pair'), spot('banker-pair')), mains.narrow),
};
const tigers = {
  wide: column(
    1,
    row(11, ...['tiger', 'small-tiger', 'tiger-tie', 'big-tiger', 'tiger-pair'].map((wager) => spot(wager))),
    mains.wide,
  ),
  narrow: column(
    1,
    row(9, spot('tiger'), spot('tiger-pair')),
    row(9, spot('small-tiger'), spot('tiger-tie'), spot('big-tiger')),
    mains.narrow,
  ),
};

/** One side of a Sands Super table, as in Diagram A of its rulebook. */
const superSide = (side: 'player' | 'banker'): LayoutBox =>
  column(4, spot(side, 9), row(6, spot(`${side}-red`), spot(`${side}-black`)));
const superIsland = {
  wide: row(
    1,
    superSide('player'),
    spot('player-precious-pair', 3),
    column(3, spot('tie', 9), spot('sands-six', 6)),
    spot('banker-precious-pair', 3),
    superSide('banker'),
  ),
  narrow: column(
    1,
    row(7.4, spot('player', 3), spot('tie', 2.1), spot('banker', 3)),
    row(5.8, spot('player-red'), spot('player-black'), spot('banker-red'), spot('banker-black')),
    row(7.8, spot('player-precious-pair', 3), spot('sands-six', 2), spot('banker-precious-pair', 3)),
  ),
};

const fabulous = {
  wide: column(
    1,
    row(
      12,
      spot('player-precious-pair', 4.6),
      spot('player-fabulous-4', 3.4),
      spot('banker-fabulous-4', 3.4),
      spot('banker-precious-pair', 4.6),
    ),
    mains.wide,
  ),
  narrow: column(
    1,
    row(9.4, spot('player-precious-pair'), spot('banker-precious-pair')),
    row(7.4, spot('player-fabulous-4'), spot('banker-fabulous-4')),
    row(16.6, ...partsOf(mains.narrow)),
  ),
};

const islands: { readonly [game: string]: { readonly [W in LayoutWidth]: LayoutBox } } = {
  baccarat: pairs,
  'no-commission': pairs,
  'sands-super': superIsland,
  'sands-elements': overSides('fortune-six'),
  'fabulous-4': fabulous,
  'super-six': overSides('super-six'),
  'fortune-six': withDragons('fortune-six'),
  'super-6': withDragons('super-6'),
  tiger: tigers,
  'tiger-no-commission': tigers,
};

function partsOf(box: LayoutBox): readonly LayoutBox[] {
  return 'parts' in box ? box.parts : [box];
}

/**
 * The box without the wagers that the table does not offer; null if no wager is left. If only one part of a box is
 * left, that part replaces the box.
 */
function offered(box: LayoutBox, wagers: ReadonlySet<string>): LayoutBox | null {
  if ('wager' in box) return wagers.has(box.wager) ? box : null;
  const parts = box.parts.map((part) => offered(part, wagers)).filter((part) => part !== null);
  if (parts.length === 0) return null;
  return parts.length === 1 ? { ...parts[0]!, size: box.size } : { ...box, parts };
}

/** The wagers of a box, in reading order. */
export const wagersInBox = (box: LayoutBox | null): readonly string[] =>
  box === null ? [] : 'wager' in box ? [box.wager] : box.parts.flatMap(wagersInBox);

const stripPattern = /^(tie|banker|player)-wins-on-(\d)$/;

/**
 * The layout of a game with the wagers that the table offers. Wagers that have no position in the layout data form an
 * additional first row.
 */
export function bettingLayoutOf(game: string, wagers: readonly string[], width: LayoutWidth): BettingLayout {
  const strips = (['tie', 'banker', 'player'] as const)
    .map((side) => ({ side, wagers: wagers.filter((wager) => stripPattern.exec(wager)?.[1] === side) }))
    .filter((strip) => strip.wagers.length > 0);
  const placed = islands[game]?.[width] ?? mains[width];
  const known = new Set(wagersInBox(placed));
  const others = wagers.filter((wager) => !known.has(wager) && !stripPattern.test(wager));
  const box = others.length === 0 ? placed : column(1, row(9, ...others.map((wager) => spot(wager))), placed);
  return { box: offered(box, new Set(wagers)), strips };
}

/** The total on which a wager such as `tie-wins-on-6` wins; undefined for all other wagers. */
export const winningTotalOfStripWager = (wager: string): number | undefined => {
  const total = stripPattern.exec(wager)?.[2];
  return total === undefined ? undefined : Number(total);
};
