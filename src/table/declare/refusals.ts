import { type Clauses } from '../../games/books.ts';
import { type FieldsOf, type Form, orNull, tagged, text, whole } from '../../rules/fields.ts';
import { type Refusal } from '../../rules/refusal.ts';
import { amount, id, slot, time } from './kinds.ts';

type Declaration = {
  readonly says: string;
  /** The clauses of the book that may be cited. */
  readonly by?: readonly (keyof Clauses)[];
  readonly fields: Form;
};

/** Why a table refuses, beside `message` and `by`. A closed list, explained one by one in docs/errors.md. */
export const tableRefusals = {
  'already-open': { says: 'The table has been opened already.', fields: {} },
  'awaiting-decision': {
    says: 'The table is frozen until the Gaming Shift Manager decides.',
    by: ['refer'],
    fields: {},
  },
  'bad-setting': { says: 'The setting is not right; the message names the field.', fields: { field: text } },
  'bets-closed': {
    says: 'The slip names another round, or the round takes no more bets.',
    by: ['close', 'placedLate'],
    fields: {},
  },
  'burn-first': { says: 'The first card of the shoe has not been turned and burned yet.', fields: {} },
  'card-proven': { says: 'A virtual card is proven by its shoe and cannot be corrected or replayed.', fields: {} },
  'changed-proposal': { says: 'What was proposed is not what would happen now.', by: ['posts'], fields: {} },
  'clock-ran-back': { says: 'The command is dated before the last event.', fields: {} },
  'close-too-early': { says: 'A slip may still arrive in time.', by: ['close'], fields: { until: time } },
  'deal-complete': { says: 'The table of play asks for no further card.', by: ['play'], fields: {} },
  'deal-not-complete': { says: 'The table of play asks for another card.', by: ['play'], fields: {} },
  'expired-proposal': { says: 'The proposal has waited for more than two minutes.', by: ['posts'], fields: {} },
  'game-not-approved': { says: "The property's profile does not list the game version.", fields: {} },
  'inexact-step': { says: 'The chip step could make a payout of part of a minor unit.', fields: { step: amount } },
  'late-raise': {
    says: 'A stake was raised after the close; what was accepted stands.',
    by: ['raisedLate'],
    fields: { wager: text, stands: amount, excess: amount },
  },
  'late-withdrawal': {
    says: 'A stake was lowered after the close; it stands.',
    by: ['withdrawnLate'],
    fields: { wager: text, stands: amount },
  },
  'missing-credits': {
    says: 'Money is to be taken back from a terminal whose credit was not given.',
    fields: { terminal: id },
  },
  'no-such-card': {
    says: 'The round has no card at that place, or has that very card there.',
    by: ['correction'],
    fields: {},
  },
  'no-such-round': {
    says: 'The table keeps no such round, or it can no longer be touched.',
    by: ['refer'],
    fields: {},
  },
  'no-such-ruling': { says: 'What was reported has no such way out.', fields: {} },
  'no-terminals': { says: 'Patrons bet with chips on the felt here.', fields: {} },
  'not-enough-credit': {
    says: 'The slip asks for more than the terminal has.',
    by: ['limits'],
    fields: { credit: amount },
  },
  'not-here': { says: 'The command does not fit how this table deals.', fields: {} },
  'not-now': { says: 'The command does not fit the phase of the table.', fields: { phase: text } },
  'not-open': { says: 'The table has not been opened yet.', fields: {} },
  'not-your-post': { says: 'The duty belongs to another post.', by: ['posts'], fields: {} },
  'over-maximum': {
    says: 'A stake is above the maximum of its wager.',
    by: ['limits'],
    fields: { wager: text, most: amount },
  },
  'pause-runs': { says: 'A mistake can still be raised before the round is settled.', fields: { until: time } },
  'same-person': { says: 'The second consent comes from another person.', by: ['posts'], fields: {} },
  'settlement-open': { says: 'A settlement is not posted to its end.', by: ['open'], fields: {} },
  'shoe-locked': { says: 'The shoe may not go on; change it.', fields: {} },
  'shoe-not-ready': { says: 'There is no shoe, or it is not ready yet.', fields: {} },
  'shoe-over': {
    says: 'The last round of the shoe has been played, or its last card is out.',
    by: ['cut'],
    fields: {},
  },
  'shoe-used': { says: 'A shoe with that id was at the table before.', fields: {} },
  'slips-differ': { says: "The slips given are not the round's.", by: ['correction'], fields: {} },
  'stake-off-step': {
    says: 'A stake is not a multiple of the chip step.',
    by: ['limits'],
    fields: { wager: text, step: amount },
  },
  'table-held': { says: 'The table waits for a ruling.', fields: {} },
  'too-few-behind-cut': { says: 'Too few cards lie behind the cutting card.', by: ['cut'], fields: { least: whole } },
  'too-late': {
    says: 'The next round has opened; the matter can only be referred.',
    by: ['tooLate', 'refer'],
    fields: {},
  },
  'under-minimum': {
    says: 'A stake is below the minimum of its wager.',
    by: ['limits'],
    fields: { wager: text, least: amount },
  },
  'under-total-minimum': { says: 'The slip is below the total minimum.', by: ['limits'], fields: { least: amount } },
  'unknown-proposal': { says: 'That proposal is not open.', by: ['posts'], fields: {} },
  'void-commanded': { says: 'The clause leaves nothing but a void.', fields: {} },
  'wager-not-offered': { says: 'The table does not offer that wager.', by: ['limits'], fields: { wager: text } },
  'wrong-cards': { says: 'The cards given cannot be those of the round or shoe.', fields: {} },
  'wrong-count': { says: 'The cards counted are not the cards of the shoe.', fields: { expected: whole } },
  'wrong-proof': { says: 'The card is not the one that was committed.', fields: {} },
  'wrong-slot': { says: 'The table of play names another slot.', by: ['play'], fields: { slot } },
} as const satisfies { readonly [code: string]: Declaration };

export type TableCode = keyof typeof tableRefusals;

/** Each refusal as it is printed. */
export const refusalKinds = tagged('code', 'the refusal', tableRefusals, { message: text, by: orNull(text) });

/** Why nothing happened: a code of the table or of the rules, a sentence, and the clause or house procedure, if one says so. */
export type TableRefusal =
  | {
      [C in TableCode]: Refusal<C> & { readonly by: string | null } & FieldsOf<(typeof tableRefusals)[C]['fields']>;
    }[TableCode]
  | (Refusal & { readonly by: string | null });

/** A refusal of the table. */
export const deny = <C extends TableCode>(
  refused: C,
  by: string | null,
  message: string,
  ...[fields]: keyof (typeof tableRefusals)[C]['fields'] extends never
    ? []
    : [FieldsOf<(typeof tableRefusals)[C]['fields']>]
): TableRefusal => ({ refused, message, by, ...fields }) as TableRefusal;

/** A refusal of the rules, at a table. */
export const under = (refusal: Refusal, by: string | null = null): TableRefusal => ({ ...refusal, by });
