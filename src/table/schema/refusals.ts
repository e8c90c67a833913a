import { amount, id, time } from '../../base/commonSchemas.ts';
import { type ClauseRef } from '../../games/rulebooks.ts';
import * as s from '../../base/schema.ts';
import { type InferShape, type Shape } from '../../base/schema.ts';
import { type Refusal, type refusals } from '../../base/refusal.ts';
import { slotSchema } from './fieldTypes.ts';

type Declaration = {
  readonly description: string;
  /** Clauses of the rulebook that may be cited. */
  readonly by?: readonly ClauseRef[];
  readonly fields: Shape;
};

/** Refusals of a table; each also has `message` and `by`. Closed list, see docs/errors.md. */
export const tableRefusals = {
  'already-open': { description: 'The table has been opened already.', fields: {} },
  'awaiting-decision': {
    description: 'The table is frozen until the Gaming Shift Manager decides.',
    by: ['refer', 'irregularities'],
    fields: {},
  },
  'bad-settings': {
    description: 'The setting is not right; the message names the field.',
    by: ['HOUSE 10'],
    fields: { field: s.string },
  },
  'bets-closed': {
    description: 'The slip names another round, or the round takes no more bets.',
    by: ['close', 'placedLate'],
    fields: {},
  },
  'burn-first': { description: 'The first card of the shoe has not been turned and burned yet.', fields: {} },
  'card-proven': {
    description: 'A virtual card is proven by its shoe and cannot be corrected or replayed.',
    by: ['correction'],
    fields: {},
  },
  'changed-proposal': { description: 'What was proposed is not what would happen now.', by: ['roles'], fields: {} },
  'clock-ran-back': { description: 'The command is dated before the last event.', fields: {} },
  'close-too-early': { description: 'A slip may still arrive in time.', by: ['close'], fields: { until: time } },
  'cutting-card-due': {
    description: 'The cutting card must be out by count and was not reported.',
    by: ['cut'],
    fields: {},
  },
  'card-after-deal': { description: 'The table of play asks for no further card.', by: ['play'], fields: {} },
  'incomplete-deal': { description: 'The table of play asks for another card.', by: ['play'], fields: {} },
  'expired-proposal': { description: 'The proposal has waited for more than two minutes.', by: ['roles'], fields: {} },
  'felt-first': {
    description: 'After an interruption at a live shoe it is first confirmed that felt and record agree.',
    by: ['irregularities'],
    fields: {},
  },
  'game-not-approved': { description: "The property's profile does not list the game version.", fields: {} },
  'inexact-step': {
    description: 'The chip step could make a payout of part of a minor unit.',
    by: ['HOUSE 10'],
    fields: { step: amount },
  },
  'late-raise': {
    description: 'A stake was raised after the close; what was accepted stands.',
    by: ['raisedLate'],
    fields: { wager: s.string, accepted: amount, excess: amount },
  },
  'late-withdrawal': {
    description: 'A stake was lowered after the close; it stands.',
    by: ['withdrawnLate'],
    fields: { wager: s.string, accepted: amount },
  },
  'missing-credits': {
    description: 'Money is to be taken back from a terminal whose credit was not given.',
    by: ['HOUSE 10'],
    fields: { terminal: id },
  },
  'no-such-card': {
    description: 'The round has no card at that place, or has that very card there.',
    by: ['correction', 'irregularities'],
    fields: {},
  },
  'no-such-round': {
    description: 'The table keeps no such round, or it can no longer be touched.',
    by: ['refer'],
    fields: {},
  },
  'no-such-ruling': {
    description: 'What was reported has no such way out.',
    by: ['refer', 'irregularities'],
    fields: {},
  },
  'no-such-shoe': { description: 'No shoe of that id has left sealed and uncounted.', by: ['HOUSE 7'], fields: {} },
  'no-such-shortfall': { description: 'The terminal owes nothing from that round.', by: ['HOUSE 10'], fields: {} },
  'no-such-slip': {
    description: 'The terminal has no stakes in the round, or is not what was referred.',
    by: ['refer'],
    fields: {},
  },
  'no-terminals': { description: 'Patrons bet with chips on the felt here.', fields: {} },
  'not-enough-credit': {
    description: 'The slip, or what is to be collected, is more than the terminal has.',
    by: ['limits', 'HOUSE 10'],
    fields: { credit: amount },
  },
  'not-here': { description: 'The command does not fit how this table deals.', fields: {} },
  'not-inspected': {
    description: 'The cards of the shoe were not inspected, or are not the decks that it is made of.',
    by: ['cards'],
    fields: {},
  },
  'not-now': {
    description: 'The command does not fit the phase of the table.',
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
    description: 'More could be lost than the limit that the patron has set for the session.',
    fields: { left: amount },
  },
  'over-maximum': {
    description: 'A stake is above the maximum of its wager.',
    by: ['limits'],
    fields: { wager: s.string, maximum: amount },
  },
  'over-stake-limit': {
    description: 'The slip is above the limit that the patron has set for a round.',
    fields: { maximum: amount },
  },
  'pause-runs': { description: 'A mistake can still be raised before the round is settled.', fields: { until: time } },
  'same-person': { description: 'The second consent comes from another person.', by: ['roles'], fields: {} },
  'settlement-open': { description: 'A settlement is not posted to its end.', by: ['open'], fields: {} },
  'shoe-locked': {
    description: 'The shoe may not go on; change it.',
    by: ['irregularities', 'refer', 'roles', 'unplayable'],
    fields: {},
  },
  'shoe-not-ready': { description: 'There is no shoe, or it is not ready yet.', by: ['cut', 'refer'], fields: {} },
  'shoe-over': {
    description: 'The last round of the shoe has been played, or its last card is out.',
    by: ['cut', 'irregularities'],
    fields: {},
  },
  'shoe-used': { description: 'A shoe with that id was at the table before.', fields: {} },
  'slips-differ': { description: "The slips given are not the round's.", by: ['correction', 'refer'], fields: {} },
  'off-step-stake': {
    description: 'A stake is not a multiple of the chip step.',
    by: ['limits'],
    fields: { wager: s.string, step: amount },
  },
  'table-closed': {
    description: 'The table is closed until two persons open it again.',
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
    description: 'The next round has opened; the matter can only be referred.',
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
  'void-commanded': { description: 'The clause leaves nothing but a void.', by: ['irregularities'], fields: {} },
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
    description: 'The cards counted, or the decks, are not those of the shoe.',
    by: ['cut', 'cards'],
    fields: { expected: s.nonNegativeInteger },
  },
  'wrong-proof': { description: 'The card is not the one that was committed.', fields: {} },
  'wrong-slot': { description: 'The table of play names another slot.', by: ['play'], fields: { slot: slotSchema } },
} as const satisfies { readonly [code: string]: Declaration };

/** Refusals of the rules that a table passes on. */
export const ruleRefusals = {
  'bad-decks': { description: 'The number of decks cannot be.', fields: {} },
  'bad-request': {
    description: 'A field is missing or of the wrong kind, or its value cannot be.',
    by: ['refer', 'HOUSE 10'],
    fields: {},
  },
  'bad-stake': { description: 'A stake is not a positive whole number.', by: ['limits'], fields: {} },
  'game-not-in-force': { description: 'The game version is not in force yet.', fields: {} },
  'repeated-wager': { description: 'A wager is named twice.', fields: {} },
  'unknown-card': { description: 'No deck has such a card.', by: ['correction', 'irregularities'], fields: {} },
  'unknown-field': { description: 'The message has a field that is not known.', fields: {} },
  'unknown-game': { description: 'No game has that name.', fields: {} },
  'unknown-wager': { description: 'The game has no such wager.', fields: {} },
  'wager-not-optional': { description: 'The wager belongs to the game and cannot be left out.', fields: {} },
  'wrong-deck': { description: 'The card is of another deck.', by: ['correction', 'irregularities'], fields: {} },
} as const satisfies { readonly [C in (typeof refusals)[number]]?: Declaration };

export type TableErrorCode = keyof typeof tableRefusals;

/** Refusals that a higher credit would avoid. */
export const creditDependentErrorCodes: ReadonlySet<string> = new Set([
  'not-enough-credit',
  'over-loss-limit',
] satisfies TableErrorCode[]);

/** Schemas of the refusals. */
export const refusalSchemas = s.variants('code', 'the refusal', tableRefusals, {
  message: s.string,
  by: s.nullable(s.string),
});

/** A refusal with its clause or house procedure, if any. */
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

/** Adds the clause to a refusal of the rules. */
export const withClause = (refusal: Refusal, by: string | null = null): TableRefusal =>
  ({ ...refusal, by }) as TableRefusal;
