// Colours of chips by denomination, and how the chips of a stake are stacked.

/** Colours of a chip: face, edge, inserts, text, and the plate behind the text. */
export type ChipStyle = {
  readonly base: string;
  readonly dark: string;
  readonly insert: string;
  readonly text: string;
  readonly plate: string;
};

const style = (base: string, dark: string, insert: string, text: string, plate: string): ChipStyle => ({
  base,
  dark,
  insert,
  text,
  plate,
});

/** Common denominations in minor units with their colours. Higher denominations repeat the colours in order. */
const ladder: readonly (readonly [number, ChipStyle])[] = [
  [50, style('#a9b4b8', '#6d777b', '#f7efe0', '#1f282b', '#dfe6e8')],
  [100, style('#d9d3c4', '#9d978a', '#3f6f8f', '#26302c', '#f4efe2')],
  [200, style('#4fa3c7', '#27647f', '#f7efe0', '#06212d', '#a9dcf0')],
  [250, style('#d98aa0', '#96505f', '#fff4f6', '#3a0f1b', '#f6cfd9')],
  [500, style('#c3363c', '#7d1b22', '#f7efe0', '#fff6ea', '#8f222a')],
  [1000, style('#2f5f9e', '#173862', '#f0d9a0', '#f2f7ff', '#1f4577')],
  [2000, style('#d9c23a', '#8d7c14', '#3b3410', '#2b2502', '#f3e58b')],
  [2500, style('#1f8a58', '#0e4f32', '#f7efe0', '#f4fff8', '#116040')],
  [5000, style('#d0662a', '#833b10', '#fff0dd', '#fff6ec', '#9a4615')],
  [10_000, style('#2d3338', '#14181b', '#e9c46f', '#ffeec5', '#1a1f23')],
  [20_000, style('#1f7f86', '#0d474c', '#f7e3b5', '#effdfd', '#12585e')],
  [25_000, style('#8a5a3c', '#523221', '#f3dfc4', '#fff5ea', '#643f29')],
  [50_000, style('#6a45a8', '#3b2367', '#f3e6ff', '#fbf4ff', '#472c7c')],
  [100_000, style('#c98a1b', '#7c5208', '#fff3d6', '#2a1c02', '#ecc46a')],
];
const higherAmounts = [200_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000];
const steps = [...ladder.map(([amount]) => amount), ...higherAmounts];

/**
 * Colours of a chip by its denomination in minor units, the same on every screen. An uncommon denomination differs in
 * colour from the next lower and the next higher common denomination.
 */
export function chipStyleOf(amount: number): ChipStyle {
  const step = steps.indexOf(amount);
  const place = step >= 0 ? step : steps.findLastIndex((other) => other < amount) + ladder.length / 2;
  return ladder[place % ladder.length]![1];
}

/** Text on a chip of this amount in minor units: "5", "0.5", "1K", "2.5K", "1M". */
export function chipText(amount: number): string {
  if (amount >= 100_000_000) return `${amount / 100_000_000}M`;
  return amount >= 100_000 ? `${amount / 100_000}K` : String(amount / 100);
}

export const maxChipsInStack = 9;

/**
 * Denominations of the chips that show a stake, largest first. At most nine chips are shown, so they may be worth less
 * than a large stake. A stake below the smallest chip is shown as that chip.
 */
export function chipsForStake(stake: number, tray: readonly number[]): readonly number[] {
  const chips: number[] = [];
  let left = stake;
  for (const amount of tray.toSorted((one, other) => other - one)) {
    const count = Math.min(Math.floor(left / amount), maxChipsInStack - chips.length);
    for (let n = 0; n < count; n++) chips.push(amount);
    left -= count * amount;
  }
  return chips.length === 0 ? [tray.length === 0 ? stake : Math.min(...tray)] : chips;
}

/**
 * Sideways offset and rotation of a chip in its stack, both from -1 to 1. The values look random, but depend only on
 * the amount of the chip and its `place` in the stack, from the bottom. The lowest chip has no offset.
 */
export function chipPlacement(amount: number, place: number): { readonly offset: number; readonly turn: number } {
  const mix = (seed: number): number => {
    const one = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
    const other = Math.imul(one ^ (one >>> 12), 0x297a2d39);
    return ((other ^ (other >>> 15)) >>> 0) / 0x7fffffff - 1;
  };
  const seed = Math.imul(amount, 31) + place + 1;
  return { offset: place === 0 ? 0 : mix(seed), turn: mix(seed + 7919) };
}
