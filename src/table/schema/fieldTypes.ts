import { irregularityKinds } from '../../games/irregularities.ts';
import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, id, time } from '../../base/commonSchemas.ts';
import { commitmentScheme } from '../../rules/shoeCommitment.ts';
import { slots } from '../../rules/play.ts';

// Schemas of fields that commands, events, refusals and settings of a table share.

export const idListSchema = s.array(id, 'a list of ids');

export const durationMsSchema = s.integer('a number of milliseconds, an hour at most', 0, 3_600_000);

export const slotSchema = s.literals(slots);
export const cardSchema = s.stringMatching('a card such as KD or L3');
export const cardListSchema = s.array(cardSchema, 'a list of cards');
export const hex64Schema = s.stringMatching('64 hexadecimal digits', /^[0-9a-f]{64}$/);
export const hex64ListSchema = s.array(hex64Schema, 'a list of strings of 64 hexadecimal digits');

/** All stakes of one terminal in a round, in minor units by wager. */
export const slipSchema = s.record(s.string, s.number, 'stakes in whole minor units by wager');
export type Slip = Infer<typeof slipSchema>;
/**
 * What the session limits of the patron still allow. `stake`: maximum stakes in a round. `loss`: maximum further loss.
 * Both are in minor units. `until`: end of a break. Null means no limit.
 */
export const remainingSessionLimitsSchema = s.object('what the session limits of the patron still allow', {
  stake: s.nullable(amount),
  loss: s.nullable(amount),
  until: s.nullable(time),
});
export const slipsByTerminalSchema = s.record(
  id,
  s.record(s.string, amount, 'stakes in whole minor units by wager'),
  'slips by terminal',
);
export type SlipsByTerminal = Infer<typeof slipsByTerminalSchema>;
export const amountsByTerminalSchema = s.record(id, amount, 'amounts in whole minor units by terminal');
export type AmountsByTerminal = Infer<typeof amountsByTerminalSchema>;
export const cardCountsSchema = s.record(s.string, s.nonNegativeInteger, 'a count for each card');

const ratio = s.tuple('two whole numbers', s.nonNegativeInteger, s.nonNegativeInteger);
const result = s.object('a result with odds, commission and clause', {
  result: s.literals(['win', 'push', 'lose']),
  pays: ratio,
  commission: ratio,
  by: s.string,
});
/**
 * Result of one wager, from which the amounts of each slip follow. `pays` and `commission` are ratios: [numerator,
 * denominator].
 */
export type WagerResult = Infer<typeof result>;
export const wagerResultsSchema = s.named('results', s.record(s.string, result, 'a result for each wager'));
export type WagerResults = Infer<typeof wagerResultsSchema>;

/**
 * Kinds that `ReportIrregularity` takes; other kinds are reported by other commands. For a `face-up-card` and for cards
 * `drawn-together`, the table derives the exact kind.
 */
export const reportableIrregularityKinds = [
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

export const commitmentSchemeSchema = s.literals([commitmentScheme]);
export const irregularityKindSchema = s.literals(irregularityKinds);
export const reportableKindSchema = s.literals(reportableIrregularityKinds);
export const wagerReportKindSchema = s.literals(['late-wager', 'raised-wager', 'withdrawn-wager']);
export type WagerReportKind = Infer<typeof wagerReportKindSchema>;
export const referralDecisionSchema = s.literals(['stand', 'continue', 'void', 'burn']);
/** Reader of a note. `record`: the note is only in the event log. */
export const noteReaderSchema = s.literals(['dealer', 'floor', 'record']);
export const resettlementOutcomeSchema = s.literals(['results', 'void']);
export const surplusHandlingSchema = s.literals(['none', 'carried', 'burned']);
export const phaseAfterCardReplaySchema = s.literals(['dealing', 'result', 'settled']);
