export type Slip = { readonly [wager: string]: number };

/** A round by the books of an auditor. */
export type Round = {
  readonly id: string;
  readonly game: string;
  open: boolean;
  cards: string[];
  readonly slips: Map<string, Slip>;
  /** Every slip that a terminal ever had in this round, as text. */
  readonly had: Map<string, Set<string>>;
  ended: 'settled' | 'void' | undefined;
  posted: boolean;
  /** What has come back to each terminal. */
  readonly received: Map<string, number>;
  /** The settlement that counts, and those of slips that were voided by themselves. */
  settlement: string | undefined;
  readonly voided: Map<string, string>;
  /** Whose stakes lie at the table no more. */
  readonly released: Set<string>;
  /** What could not be taken back. */
  readonly short: Map<string, number>;
};

export const newRound = (id: string, game: string): Round => ({
  id,
  game,
  open: true,
  cards: [],
  slips: new Map(),
  had: new Map(),
  ended: undefined,
  posted: false,
  received: new Map(),
  settlement: undefined,
  voided: new Map(),
  released: new Set(),
  short: new Map(),
});

/** One text for one slip, whatever the order of its wagers. */
export const textOf = (slip: Slip): string =>
  Object.keys(slip)
    .toSorted()
    .map((wager) => `${wager} ${slip[wager]}`)
    .join(', ');

export const totalOf = (slip: Slip): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);

/** Ended, and paid where there was something to pay. */
export const isOver = ({ ended, posted, slips, voided }: Round): boolean =>
  ended !== undefined &&
  (posted || [...slips].every(([terminal, slip]) => totalOf(slip) === 0 || voided.has(terminal)));

export const add = (sums: Map<string, number>, name: string, amount: number): unknown =>
  sums.set(name, (sums.get(name) ?? 0) + amount);

/** What an account is of: its kind, and the terminal or table. */
export const ownerOf = (account: string): readonly [kind: string, of: string] => {
  const [, , kind, ...of] = account.split('/');
  return [kind!, of.join('/')];
};
