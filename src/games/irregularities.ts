import { type ApprovalRuleName } from '../access/approvalRules.ts';

/** The kinds of irregularity. Every rulebook has a rule for each kind, with its own clauses. [READING 46] */
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

/**
 * Kinds of irregularity, most serious first. Kinds in one row are equally serious; a kind that is not listed ranks
 * last. [READING 59]
 */
const seriousness: readonly (readonly IrregularityKind[])[] = [
  ['foreign-card', 'missing-card', 'unshuffled-cards'],
  // A reported extra card may turn out to be a mis-scan, so it ranks below the faults that cannot be mis-scans.
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

/** True when the first kind is more serious than the second, and so takes precedence over the second. */
export const isMoreSerious = (one: IrregularityKind, other: IrregularityKind): boolean => rankOf(one) < rankOf(other);

export type RulingKind =
  | 'void'
  | 'reconstruct'
  | 'restore'
  | 'correct'
  | 'enter'
  | 'burn'
  | 'resume'
  | 'refer'
  | 'note';

/**
 * The effect of a ruling on round, money and shoe. `by` is the clause of the ruling. `approvalRule` says who must sign
 * the ruling. For some rulings another rule applies while no card is out, or after settlement.
 */
export type RulingEffect = {
  readonly by: string;
  readonly approvalRule: ApprovalRuleName;
  readonly round: 'void' | 'replayed' | 'goes on' | 'frozen' | 'unchanged' | 'none';
  readonly money: 'returned' | 'follows the cards' | 'unchanged';
  readonly shoe: 'locked' | 'goes on' | 'last rounds';
};

export type IrregularityRule = {
  readonly by: string;
  /** True when the table stops until a ruling is carried out. */
  readonly stops: boolean;
  /** True when the irregularity may also be reported after settlement, until the next round opens. [READING 16, 17] */
  readonly afterSettlement: boolean;
  readonly rulings: { readonly [R in RulingKind]?: RulingEffect };
};

export type IrregularityRules = { readonly [K in IrregularityKind]: IrregularityRule };

export const voidRulingEffect = (by: string, shoe: RulingEffect['shoe']): RulingEffect => ({
  by,
  approvalRule: 'void with a card out',
  round: 'void',
  money: 'returned',
  shoe,
});
export const replayRulingEffect = (by: string): RulingEffect => ({
  by,
  approvalRule: 'rule before settlement',
  round: 'replayed',
  money: 'follows the cards',
  shoe: 'goes on',
});
export const continueRulingEffect = (
  by: string,
  approvalRule: ApprovalRuleName,
  shoe: RulingEffect['shoe'] = 'goes on',
): RulingEffect => ({
  by,
  approvalRule: approvalRule,
  round: 'goes on',
  money: 'unchanged',
  shoe,
});
const referEffect = (by: string): RulingEffect => ({
  by,
  approvalRule: 'decide a referral',
  round: 'frozen',
  money: 'unchanged',
  shoe: 'goes on',
});

export const stoppingRule = (
  by: string,
  rulings: IrregularityRule['rulings'],
  afterSettlement = false,
): IrregularityRule => ({
  by,
  stops: true,
  afterSettlement,
  rulings,
});
export const noteOnlyRule = (by: string, shoe: RulingEffect['shoe'] = 'goes on'): IrregularityRule => ({
  by,
  stops: false,
  afterSettlement: false,
  rulings: { note: continueRulingEffect(by, 'run the table', shoe) },
});
export const referralRule = (by: string, rulings: IrregularityRule['rulings'] = {}): IrregularityRule => ({
  by,
  stops: true,
  afterSettlement: false,
  rulings: { refer: referEffect(by), ...rulings },
});

/**
 * The rule for an interruption. Cards that left a live shoe before the interruption are entered first. Then the cards
 * dealt so far decide between void and resume. [READING 61]
 */
export const interruptionRule = (by: string, voidBy: string, resumeBy: string): IrregularityRule => {
  const approvalRule = 'confirm what a clause computes';
  return stoppingRule(by, {
    enter: continueRulingEffect(by, 'rule before settlement'),
    void: { ...voidRulingEffect(voidBy, 'goes on'), approvalRule: approvalRule },
    resume: continueRulingEffect(resumeBy, approvalRule),
  });
};
