export type Slip = { readonly [wager: string]: number };

/** A round by the auditor's records. */
export type Round = {
  readonly id: string;
  readonly game: string;
  open: boolean;
  cards: string[];
  readonly slips: Map<string, Slip>;
  /** Every slip that a terminal ever had in this round, as text. */
  readonly allSlips: Map<string, Set<string>>;
  ended: 'settled' | 'void' | undefined;
  posted: boolean;
  /** Credit that returned to each terminal. */
  readonly received: Map<string, number>;
  /** The valid settlement, and those of single void slips. */
  settlement: string | undefined;
  readonly voided: Map<string, string>;
  /** Terminals whose stakes have left the table. */
  readonly released: Set<string>;
  /** Shortfalls. */
  readonly short: Map<string, number>;
};

export const newRound = (id: string, game: string): Round => ({
  id,
  game,
  open: true,
  cards: [],
  slips: new Map(),
  allSlips: new Map(),
  ended: undefined,
  posted: false,
  received: new Map(),
  settlement: undefined,
  voided: new Map(),
  released: new Set(),
  short: new Map(),
});

/** Canonical text of a slip, independent of the order of wagers. */
export const slipText = (slip: Slip): string =>
  Object.keys(slip)
    .toSorted()
    .map((wager) => `${wager} ${slip[wager]}`)
    .join(', ');

export const totalOf = (slip: Slip): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** Ended, and fully paid. */
export const isOver = ({ ended, posted, slips, voided }: Round): boolean =>
  ended !== undefined &&
  (posted || [...slips].every(([terminal, slip]) => totalOf(slip) === 0 || voided.has(terminal)));

export const add = (sums: Map<string, number>, name: string, amount: number): unknown =>
  sums.set(name, (sums.get(name) ?? 0) + amount);

/** Type and owner of an account. */
export const ownerOf = (account: string): readonly [kind: string, of: string] => {
  const [, , kind, ...of] = account.split('/');
  return [kind!, of.join('/')];
};
