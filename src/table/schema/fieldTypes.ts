import { irregularityKinds } from '../../games/irregularities.ts';
import {
  type ValueOf,
  listOf,
  named,
  number,
  object,
  oneOf,
  orNull,
  recordOf,
  text,
  textLike,
  tuple,
  whole,
  wholeFrom,
} from '../../base/schema.ts';
import { amount, id, time } from '../../base/commonSchemas.ts';
import { commitmentForm } from '../../rules/shoeCommitment.ts';
import { slots } from '../../rules/play.ts';

// The kinds of fields that commands, events, refusals and settings have.

export const ids = listOf(id, 'a list of names');

export const notice = wholeFrom('a number of milliseconds, an hour at most', 0, 3_600_000);

export const slot = oneOf(slots);
export const card = textLike('a card such as KD or L3');
export const cards = listOf(card, 'a list of cards');
export const hex = textLike('64 hexadecimal digits', /^[0-9a-f]{64}$/);
export const hexes = listOf(hex, 'a list of texts of 64 hexadecimal digits');

/** Every stake of one terminal in a round, in whole minor units, by wager. */
export const slip = recordOf(text, number, 'stakes in whole minor units by wager');
export type Slip = ValueOf<typeof slip>;
/** What a patron has set for the session, if anything: the most in a round, what may still be lost, and the end of a break. */
export const care = object('what the patron has set for the session', {
  stake: orNull(amount),
  loss: orNull(amount),
  until: orNull(time),
});
export const slips = recordOf(id, recordOf(text, amount, 'stakes in whole minor units by wager'), 'slips by terminal');
export type Slips = ValueOf<typeof slips>;
export const amounts = recordOf(id, amount, 'amounts in whole minor units by terminal');
export type Amounts = ValueOf<typeof amounts>;
export const counts = recordOf(text, whole, 'a count for each card');

const ratio = tuple('two whole numbers', whole, whole);
const result = object('a result with odds, commission and clause', {
  result: oneOf(['win', 'push', 'lose']),
  pays: ratio,
  commission: ratio,
  by: text,
});
/** What a settled round does to a wager; each slip's amounts follow from it. */
export type WagerResult = ValueOf<typeof result>;
export const results = named('results', recordOf(text, result, 'a result for each wager'));
export type Results = ValueOf<typeof results>;

/** What staff may report; the table itself tells the rest apart. */
export const reportable = [
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

export const commitment = oneOf([commitmentForm]);
export const irregularity = oneOf(irregularityKinds);
export const report = oneOf(reportable);
export const wagerReport = oneOf(['late-wager', 'raised-wager', 'withdrawn-wager']);
export type WagerReport = ValueOf<typeof wagerReport>;
export const decision = oneOf(['stand', 'continue', 'void', 'burn']);
/** Whom a note is for; what is for the record alone is shown to nobody. */
export const reader = oneOf(['dealer', 'floor', 'record']);
export const outcome = oneOf(['results', 'void']);
export const surplus = oneOf(['none', 'carried', 'burned']);
export const phase = oneOf(['dealing', 'result', 'settled']);
