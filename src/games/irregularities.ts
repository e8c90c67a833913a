import { type ApprovalRuleName } from '../access/approvalRules.ts';

/** What may go wrong at a table. Every book says for each kind what then happens, in its own clauses. [READING 46] */
export const irregularityKinds = [
  'foreign-card',
  'extra-card',
  'missing-card',
  'unshuffled-cards',
  'wrong-number',
  'drawn-together',
  'third-cards-together',
  'order-altered',
  'too-few-cards',
  'face-up-before',
  'face-up-after',
  'wrong-order',
  'unreadable-card',
  'mis-scan',
  'cutting-card',
  'cutting-card-missing',
  'late-wager',
  'raised-wager',
  'withdrawn-wager',
  'interruption',
  'terminals-lost',
  'anything-else',
] as const;
export type IrregularityKind = (typeof irregularityKinds)[number];

/** The gravest first; those of one line are equally grave. What is not here stops no table. [READING 59] */
const seriousness: readonly (readonly IrregularityKind[])[] = [
  ['foreign-card', 'missing-card', 'unshuffled-cards'],
  // It may turn out to be a wrong scan, and so leaves room for what cannot.
  ['extra-card'],
  ['order-altered'],
  ['too-few-cards'],
  ['interruption'],
  ['drawn-together', 'third-cards-together'],
  ['wrong-number'],
  ['wrong-order'],
  ['mis-scan', 'unreadable-card'],
  ['face-up-before'],
];

const rankOf = (kind: IrregularityKind): number => {
  const rank = seriousness.findIndex((kinds) => kinds.includes(kind));
  return rank < 0 ? seriousness.length : rank;
};

/** Whether one matter is taken before another that waits already. */
export const isMoreSerious = (one: IrregularityKind, other: IrregularityKind): boolean => rankOf(one) < rankOf(other);

/** The ways out of an irregularity. */
export type Ruling = 'void' | 'reconstruct' | 'restore' | 'correct' | 'enter' | 'burn' | 'resume' | 'refer' | 'note';

/** What a ruling does to the round, to the money and to the shoe, what says so, and whose duty it is until the round is settled. */
export type Effect = {
  readonly by: string;
  readonly duty: ApprovalRuleName;
  readonly round: 'void' | 'replayed' | 'goes on' | 'frozen' | 'none';
  readonly money: 'returned' | 'follows the cards' | 'unchanged';
  readonly shoe: 'locked' | 'goes on' | 'last rounds';
};

export type Irregularity = {
  readonly by: string;
  /** Whether the table stops until a ruling is carried out. */
  readonly stops: boolean;
  /** Whether it may still be raised once the round is settled, until the next one opens. [READING 16, 17] */
  readonly afterSettlement: boolean;
  readonly rulings: { readonly [R in Ruling]?: Effect };
};

export type Irregularities = { readonly [K in IrregularityKind]: Irregularity };

export const voidEffect = (by: string, shoe: Effect['shoe']): Effect => ({
  by,
  duty: 'void with a card out',
  round: 'void',
  money: 'returned',
  shoe,
});
export const replayEffect = (by: string): Effect => ({
  by,
  duty: 'rule before settlement',
  round: 'replayed',
  money: 'follows the cards',
  shoe: 'goes on',
});
export const continueEffect = (by: string, duty: ApprovalRuleName, shoe: Effect['shoe'] = 'goes on'): Effect => ({
  by,
  duty,
  round: 'goes on',
  money: 'unchanged',
  shoe,
});
const referEffect = (by: string): Effect => ({
  by,
  duty: 'decide a referral',
  round: 'frozen',
  money: 'unchanged',
  shoe: 'goes on',
});

export const stoppingRule = (by: string, rulings: Irregularity['rulings'], afterSettlement = false): Irregularity => ({
  by,
  stops: true,
  afterSettlement,
  rulings,
});
export const noteRule = (by: string, shoe: Effect['shoe'] = 'goes on'): Irregularity => ({
  by,
  stops: false,
  afterSettlement: false,
  rulings: { note: continueEffect(by, 'run the table', shoe) },
});
export const referralRule = (by: string, rulings: Irregularity['rulings'] = {}): Irregularity => ({
  by,
  stops: true,
  afterSettlement: false,
  rulings: { refer: referEffect(by), ...rulings },
});

/** Void or resume, as the cards dealt command it, once those that had left a live shoe are entered. [READING 61] */
export const interruptionRule = (by: string, voidBy: string, resumeBy: string): Irregularity => {
  const duty = 'confirm what a clause computes';
  return stoppingRule(by, {
    enter: continueEffect(by, 'rule before settlement'),
    void: { ...voidEffect(voidBy, 'goes on'), duty },
    resume: continueEffect(resumeBy, duty),
  });
};
