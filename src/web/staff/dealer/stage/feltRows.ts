import { type DealerView } from '../../../../wire/staff/dealerView.ts';

type Spot = NonNullable<DealerView['felt']>[number];
export type FeltRow = {
  readonly do: Spot['do'];
  readonly name: string;
  readonly odds: string;
  readonly by: string;
  /** How many spots stand in the row. */
  readonly spots: number;
};

/** More than so many spots to be taken are put together by family. */
const most = 8;

/** The odds after commission: 8 : 1, 0.95 : 1. */
export function oddsText([win, per]: readonly number[], [kept, of]: readonly number[]): string {
  if (kept === 0) return `${win} : ${per}`;
  const net = (win! * (of! - kept!)) / (per! * of!);
  return `${Number(net.toFixed(4))} : 1`;
}

const winsOn = /^(player|banker|tie)-wins-on-(\d)$/;

/** 1 2 3 4 5 7 become 1–5, 7. */
export function rangesOf(numbers: readonly number[]): string {
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

/** What is taken and what is paid or pushed, with long lists put together. */
export function groupedFelt(
  felt: readonly Spot[],
  nameOf: (wager: string) => string,
  winsOnText: (side: 'player' | 'banker' | 'tie', totals: string) => string,
): { readonly take: readonly FeltRow[]; readonly pay: readonly FeltRow[] } {
  const single = (spot: Spot): FeltRow => ({
    do: spot.do,
    name: nameOf(spot.wager),
    odds: spot.do === 'pay' ? oddsText(spot.pays, spot.commission) : '',
    by: spot.by,
    spots: 1,
  });
  const together = (spots: readonly Spot[]): FeltRow => {
    const [first] = spots;
    const found = winsOn.exec(first!.wager);
    if (spots.length === 1) return single(first!);
    const name =
      found === null
        ? spots.map(({ wager }) => nameOf(wager)).join(', ')
        : winsOnText(found[1] as 'player', rangesOf(spots.map(({ wager }) => Number(winsOn.exec(wager)![2]))));
    return { ...single(first!), name, spots: spots.length };
  };
  const taken = felt.filter((spot) => spot.do === 'take');
  const rest = felt.filter((spot) => spot.do !== 'take').toSorted((one, other) => one.do.localeCompare(other.do));
  return {
    take:
      taken.length > most
        ? Object.values(Object.groupBy(taken, ({ wager }) => familyOf(wager))).map((spots) => together(spots!))
        : taken.map(single),
    pay:
      rest.length > most
        ? Object.values(
            Object.groupBy(
              rest,
              (spot) => `${spot.do} ${familyOf(spot.wager)} ${oddsText(spot.pays, spot.commission)}`,
            ),
          ).map((spots) => together(spots!))
        : rest.map(single),
  };
}
