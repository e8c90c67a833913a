import { irregularityKinds } from '../../games/irregularities.ts';
import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, id, time } from '../../base/commonSchemas.ts';
import { commitmentScheme } from '../../rules/shoeCommitment.ts';
import { slots } from '../../rules/play.ts';

// Field schemas of commands, events, refusals and settings.

export const ids = s.array(id, 'a list of names');

export const durationMs = s.integer('a number of milliseconds, an hour at most', 0, 3_600_000);

export const slot = s.literals(slots);
export const card = s.stringMatching('a card such as KD or L3');
export const cards = s.array(card, 'a list of cards');
export const hex = s.stringMatching('64 hexadecimal digits', /^[0-9a-f]{64}$/);
export const hexes = s.array(hex, 'a list of texts of 64 hexadecimal digits');

/** All stakes of one terminal in a round, in minor units by wager. */
export const slip = s.record(s.string, s.number, 'stakes in whole minor units by wager');
export type Slip = Infer<typeof slip>;
/** Session limits that remain: largest stake of a round, possible loss, end of a break. */
export const remainingLimitsSchema = s.object('what the patron has set for the session', {
  stake: s.nullable(amount),
  loss: s.nullable(amount),
  until: s.nullable(time),
});
export const slips = s.record(
  id,
  s.record(s.string, amount, 'stakes in whole minor units by wager'),
  'slips by terminal',
);
export type Slips = Infer<typeof slips>;
export const amounts = s.record(id, amount, 'amounts in whole minor units by terminal');
export type Amounts = Infer<typeof amounts>;
export const cardCounts = s.record(s.string, s.nonNegativeInteger, 'a count for each card');

const ratio = s.tuple('two whole numbers', s.nonNegativeInteger, s.nonNegativeInteger);
const result = s.object('a result with odds, commission and clause', {
  result: s.literals(['win', 'push', 'lose']),
  pays: ratio,
  commission: ratio,
  by: s.string,
});
/** Result per wager; the amounts of each slip follow from it. */
export type WagerResult = Infer<typeof result>;
export const resultsSchema = s.named('results', s.record(s.string, result, 'a result for each wager'));
export type WagerResults = Infer<typeof resultsSchema>;

/** Kinds that staff may report; the table derives the others. */
export const reportableKinds = [
  'foreign-card',
  'extra-card',
  'missing-card',
  'unshuffled-cards',
  'wrong-number',
  'drawn-together',
  'order-altered',
  'too-few-cards',
  'face-up-card',
  'wrong-order',
  'unreadable-card',
  'cutting-card-missing',
] as const;

export const commitment = s.literals([commitmentScheme]);
export const irregularity = s.literals(irregularityKinds);
export const report = s.literals(reportableKinds);
export const wagerReport = s.literals(['late-wager', 'raised-wager', 'withdrawn-wager']);
export type WagerReport = Infer<typeof wagerReport>;
export const decision = s.literals(['stand', 'continue', 'void', 'burn']);
/** Reader of a note; `record` means that no screen shows it. */
export const reader = s.literals(['dealer', 'floor', 'record']);
export const roundOutcomeSchema = s.literals(['results', 'void']);
export const surplus = s.literals(['none', 'carried', 'burned']);
export const phase = s.literals(['dealing', 'result', 'settled']);
