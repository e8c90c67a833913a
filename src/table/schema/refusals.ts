import { amount, id, time } from '../../base/commonSchemas.ts';
import { type ClauseTopic } from '../../games/rulebooks.ts';
import * as s from '../../base/schemas.ts';
import { type InferShape, type Shape } from '../../base/schema.ts';
import { type Refusal, type ruleErrorCodes } from '../../base/refusal.ts';
import { slotSchema } from './fieldTypes.ts';

type Declaration = {
  readonly description: string;
  /** Clauses and house procedures that the refusal may cite. */
  readonly by?: readonly ClauseTopic[];
  readonly fields: Shape;
};

/** Evidence of a late slip: until when slips were accepted, and when this slip arrived. [ETG 5.5] */
const lateEvidence = { until: time, arrivedAt: time };

/** Refusals of a table by error code, also listed in docs/errors.md. Each refusal also has `message` and `by`. */
export const tableRefusals = {
  'already-open': { description: 'The table has been opened already.', fields: {} },
  'awaiting-decision': {
    description: 'The table is frozen until the Gaming Shift Manager decides.',
    by: ['refer', 'irregularities'],
    fields: {},
  },
  'bad-settings': {
    description: 'The table settings are not valid; the message names the field.',
    by: ['HOUSE 10'],
    fields: { field: s.string },
  },
  'bets-closed': {
    description: 'The slip names another round, or the round takes no more bets from the terminal.',
    by: ['close', 'placedLate'],
    // Both times are absent if the slip names another round.
    fields: { until: s.optional(time), arrivedAt: s.optional(time) },
  },
  'burn-first': { description: 'The first card of the shoe has not been turned and burned yet.', fields: {} },
  'card-proven': {
    description: 'A virtual card is proven by its shoe and cannot be taken back or corrected.',
    by: ['correction'],
    fields: {},
  },
  'changed-proposal': {
    description: 'The hash is not that of the proposal, or the proposal would now have another effect.',
    by: ['roles'],
    fields: {},
  },
  'clock-ran-back': { description: 'The command is dated before the last event.', fields: {} },
  'close-too-early': { description: 'A slip may still arrive in time.', by: ['close'], fields: { until: time } },
  'cutting-card-due': {
    description: 'By the number of cards drawn the cutting card of the live shoe must be out, and it was not reported.',
    by: ['cut'],
    fields: {},
  },
  'card-after-deal': {
    description: 'The deal is complete; the table of play needs no further card.',
    by: ['draws'],
    fields: {},
  },
  'incomplete-deal': { description: 'The table of play needs another card.', by: ['draws'], fields: {} },
  'expired-proposal': { description: 'The proposal was not approved within two minutes.', by: ['roles'], fields: {} },
  'felt-first': {
    description: 'After an interruption at a live shoe, ConfirmFelt must come first.',
    by: ['irregularities'],
    fields: {},
  },
  'game-not-approved': { description: "The property's profile does not list the game version.", fields: {} },
  'inexact-step': {
    description: 'With this chip step a payout could be a fraction of a minor unit.',
    by: ['HOUSE 10'],
    fields: { step: amount },
  },
  'late-raise': {
    description: 'A stake was raised after the close; the accepted stake does not change.',
    by: ['raisedLate'],
    fields: { wager: s.string, accepted: amount, excess: amount, ...lateEvidence },
  },
  'late-withdrawal': {
    description: 'A stake was lowered after the close; the accepted stake does not change.',
    by: ['withdrawnLate'],
    fields: { wager: s.string, accepted: amount, ...lateEvidence },
  },
  'missing-credits': {
    description: 'Money must be taken back from a terminal, and `credits` does not give its credit.',
    by: ['HOUSE 10'],
    fields: { terminal: id },
  },
  'no-such-card': {
    description: 'The round has no card with that number, or that card is already recorded there.',
    by: ['correction', 'irregularities'],
    fields: {},
  },
  'no-such-round': {
    description: 'The table has no such round, or the round can no longer be changed.',
    by: ['refer'],
    fields: {},
  },
  'no-such-ruling': {
    description: 'No open irregularity or referral allows that ruling.',
    by: ['refer', 'irregularities'],
    fields: {},
  },
  'no-such-shoe': { description: 'No sealed shoe with that id is waiting to be counted.', by: ['HOUSE 7'], fields: {} },
  'no-such-shortfall': { description: 'The terminal has no shortfall from that round.', by: ['HOUSE 10'], fields: {} },
  'no-such-slip': {
    description: 'The terminal has no stakes in the round, or the referral is not about that terminal.',
    by: ['refer'],
    fields: {},
  },
  'no-terminals': { description: 'The table has no terminals; patrons bet with chips on the felt.', fields: {} },
  'not-enough-credit': {
    description: 'The stakes, or the shortfall to be collected, exceed the credit of the terminal.',
    by: ['limits', 'HOUSE 10'],
    fields: { credit: amount },
  },
  'not-here': { description: 'The command does not apply to the kind of shoe or bets of this table.', fields: {} },
  'not-inspected': {
    description: 'The cards of the shoe were not inspected, or did not pass the inspection.',
    by: ['cards'],
    fields: {},
  },
  'not-now': {
    description: 'The command does not fit the present state of the table.',
    by: ['open', 'close', 'cut', 'correction', 'refer', 'irregularities', 'HOUSE 10'],
    fields: { phase: s.string },
  },
  'not-open': { description: 'The table has not been opened yet.', fields: {} },
  'not-your-role': { description: 'The action needs another role.', by: ['roles'], fields: {} },
  'on-a-break': {
    description: 'The patron has taken a break that is not over yet.',
    fields: { until: time },
  },
  'over-loss-limit': {
    description: 'The stakes could lose more than the loss limit that the patron set for the session.',
    fields: { left: amount },
  },
  'over-maximum': {
    description: 'A stake is above the maximum of its wager.',
    by: ['limits'],
    fields: { wager: s.string, maximum: amount },
  },
  'over-stake-limit': {
    description: 'The stakes exceed the limit that the patron set for a round.',
    fields: { maximum: amount },
  },
  'pause-runs': {
    description: 'The pause before settlement is not over; a mistake can still be reported.',
    fields: { until: time },
  },
  'same-person': {
    description: 'Another person must do this, since the actor already took part in it.',
    by: ['roles'],
    fields: {},
  },
  'settlement-open': { description: 'A settlement is not fully posted.', by: ['open'], fields: {} },
  'shoe-locked': {
    description: 'The shoe is locked and must be changed.',
    by: ['irregularities', 'refer', 'roles', 'unplayable'],
    fields: {},
  },
  'shoe-not-ready': {
    description: 'There is no shoe, or the shoe is not ready yet.',
    by: ['cut', 'refer'],
    fields: {},
  },
  'shoe-over': {
    description: 'The last round of the shoe has been played, or the shoe holds too few cards.',
    by: ['cut', 'irregularities'],
    fields: {},
  },
  'shoe-used': { description: 'A shoe with that id was at the table before.', fields: {} },
  'slips-differ': {
    description: 'The slips given are not those of the round.',
    by: ['correction', 'refer'],
    fields: {},
  },
  'off-step-stake': {
    description: 'A stake is not a multiple of the chip step.',
    by: ['limits'],
    fields: { wager: s.string, step: amount },
  },
  'table-closed': {
    description: 'The table is closed until two persons reopen it.',
    by: ['correction', 'irregularities'],
    fields: {},
  },
  'awaiting-ruling': { description: 'The table waits for a ruling.', by: ['irregularities'], fields: {} },
  'too-few-behind-cut': {
    description: 'Too few cards lie behind the cutting card.',
    by: ['cut'],
    fields: { minimum: s.nonNegativeInteger },
  },
  'too-late': {
    description:
      'The round can no longer be corrected, for example because the next round has opened; refer the round.',
    by: ['tooLate', 'refer', 'correction', 'irregularities'],
    fields: {},
  },
  'under-minimum': {
    description: 'A stake is below the minimum of its wager.',
    by: ['limits'],
    fields: { wager: s.string, minimum: amount },
  },
  'under-total-minimum': {
    description: 'The slip is below the total minimum.',
    by: ['limits'],
    fields: { minimum: amount },
  },
  'unknown-proposal': { description: 'That proposal is not open.', by: ['roles'], fields: {} },
  'void-commanded': {
    description: 'The open irregularity of the round does not allow that decision.',
    by: ['irregularities'],
    fields: {},
  },
  'wager-not-offered': {
    description: 'The table does not offer that wager.',
    by: ['limits', 'irregularities'],
    fields: { wager: s.string },
  },
  'wrong-cards': {
    description: 'The cards given cannot be those of the round or shoe.',
    by: ['irregularities'],
    fields: {},
  },
  'wrong-count': {
    description: 'The number of cards or decks is not that of the shoe.',
    by: ['cut', 'cards'],
    fields: { expected: s.nonNegativeInteger },
  },
  'wrong-proof': { description: 'The card is not the one that was committed.', fields: {} },
  'wrong-slot': {
    description: 'The next card belongs to another slot by the table of play.',
    by: ['draws'],
    fields: { slot: slotSchema },
  },
} as const satisfies { readonly [code: string]: Declaration };

/** Refusals of `src/rules` and `src/base` that a table passes on, by error code. */
export const passedOnRefusals = {
  'bad-decks': { description: 'The number of decks is not allowed.', fields: {} },
  'bad-request': {
    description: 'A field is missing, has the wrong type, or has a value that is not allowed.',
    by: ['refer', 'HOUSE 10'],
    fields: {},
  },
  'bad-stake': { description: 'A stake is not a positive whole number.', by: ['limits'], fields: {} },
  'game-not-in-force': { description: 'The game version is not in force yet.', fields: {} },
  'repeated-wager': { description: 'A wager is named twice.', fields: {} },
  'unknown-card': { description: 'No deck has such a card.', by: ['correction', 'irregularities'], fields: {} },
  'unknown-field': { description: 'The message has an unknown field.', fields: {} },
  'unknown-game': { description: 'No game has that name.', fields: {} },
  'unknown-wager': { description: 'The game has no such wager.', fields: {} },
  'wager-not-optional': { description: 'The wager belongs to the game and cannot be left out.', fields: {} },
  'wrong-deck': { description: 'The card is of another deck.', by: ['correction', 'irregularities'], fields: {} },
} as const satisfies { readonly [C in (typeof ruleErrorCodes)[number]]?: Declaration };

export type TableErrorCode = keyof typeof tableRefusals;

/** Error codes of slips that were refused, but may be accepted when the credit is higher. */
export const creditDependentErrorCodes: ReadonlySet<string> = new Set([
  'not-enough-credit',
  'over-loss-limit',
] satisfies TableErrorCode[]);

export const refusalSchemas = s.variantSchemas('code', 'the refusal', tableRefusals, {
  message: s.string,
  by: s.nullable(s.string),
});

/** A refusal of a table. `by` is the clause or house procedure that it rests on; null for none. */
export type TableRefusal =
  | {
      [C in TableErrorCode]: Refusal<C> & { readonly by: string | null } & InferShape<
          (typeof tableRefusals)[C]['fields']
        >;
    }[TableErrorCode]
  | (Refusal<Exclude<Refusal['refused'], TableErrorCode>> & { readonly by: string | null });

export const refuseAtTable = <C extends TableErrorCode>(
  refused: C,
  by: string | null,
  message: string,
  ...[fields]: keyof (typeof tableRefusals)[C]['fields'] extends never
    ? []
    : [InferShape<(typeof tableRefusals)[C]['fields']>]
): TableRefusal => ({ refused, message, by, ...fields }) as TableRefusal;

/** Turns a refusal of the rules into one of the table, with the clause `by`. */
export const tableRefusalWithClause = (refusal: Refusal, by: string | null = null): TableRefusal =>
  ({ ...refusal, by }) as TableRefusal;
