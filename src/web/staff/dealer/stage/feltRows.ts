import { type DealerView } from '../../../../wire/staff/dealerView.ts';

type Spot = NonNullable<DealerView['felt']>[number];
export type FeltInstructionRow = {
  readonly instruction: Spot['do'];
  readonly name: string;
  readonly odds: string;
  readonly by: string;
  /** Number of spots that the row combines. */
  readonly spots: number;
};

/** Maximum number of rows with one spot each. If more are needed, the wagers of a family share a row. */
const maxRows = 8;

/** Odds after commission, as text: 8 : 1, 0.95 : 1. */
export function oddsAfterCommissionText([win, per]: readonly number[], [share, of]: readonly number[]): string {
  if (share === 0) return `${win} : ${per}`;
  const net = (win! * (of! - share!)) / (per! * of!);
  return `${Number(net.toFixed(4))} : 1`;
}

const winsOn = /^(player|banker|tie)-wins-on-(\d)$/;

/** Numbers as ranges: 1 2 3 4 5 7 become 1–5, 7. */
export function numberRangesText(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs
    .map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`))
    .join(', ');
}

const familyOf = (wager: string): string =>
  winsOn.exec(wager)?.[0].slice(0, -1) ??
  (/-(red|black)$/.test(wager) ? 'colour' : wager.endsWith('-pair') ? 'pair' : wager);

/**
 * Instructions for the chips: `take` lists stakes to take, `pay` lists stakes to pay, push or return. Each of the two
 * lists is grouped when it is long.
 */
export function feltInstructionRows(
  felt: readonly Spot[],
  nameOf: (wager: string) => string,
  winsOnText: (side: 'player' | 'banker' | 'tie', totals: string) => string,
): { readonly take: readonly FeltInstructionRow[]; readonly pay: readonly FeltInstructionRow[] } {
  const spotRow = (spot: Spot): FeltInstructionRow => ({
    instruction: spot.do,
    name: nameOf(spot.wager),
    odds: spot.do === 'pay' ? oddsAfterCommissionText(spot.pays, spot.commission) : '',
    by: spot.by,
    spots: 1,
  });
  const groupRow = (spots: readonly Spot[]): FeltInstructionRow => {
    const [first] = spots;
    const match = winsOn.exec(first!.wager);
    if (spots.length === 1) return spotRow(first!);
    const name =
      match === null
        ? spots.map(({ wager }) => nameOf(wager)).join(', ')
        : winsOnText(match[1] as 'player', numberRangesText(spots.map(({ wager }) => Number(winsOn.exec(wager)![2]))));
    return { ...spotRow(first!), name, spots: spots.length };
  };
  const takes = felt.filter((spot) => spot.do === 'take');
  const rest = felt.filter((spot) => spot.do !== 'take').toSorted((one, other) => one.do.localeCompare(other.do));
  return {
    take:
      takes.length > maxRows
        ? Object.values(Object.groupBy(takes, ({ wager }) => familyOf(wager))).map((spots) => groupRow(spots!))
        : takes.map(spotRow),
    pay:
      rest.length > maxRows
        ? Object.values(
            Object.groupBy(
              rest,
              (spot) => `${spot.do} ${familyOf(spot.wager)} ${oddsAfterCommissionText(spot.pays, spot.commission)}`,
            ),
          ).map((spots) => groupRow(spots!))
        : rest.map(spotRow),
  };
}
