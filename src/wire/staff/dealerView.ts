import { irregularityKinds } from '../../games/irregularities.ts';
import * as s from '../../base/schemas.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, hash, time } from '../../base/commonSchemas.ts';
import { slots } from '../../rules/play.ts';
import { scanFormatSchema } from '../../rules/scanFormat.ts';
import { cardSchema } from '../../table/schema/fieldTypes.ts';
import { handSchema, tablePhaseSchema, winnerSchema } from '../tableView.ts';
import { proposalEffectsSchema } from './proposalEffects.ts';
import { staffActorViewSchema, promptSchema } from './viewParts.ts';

// View of a table for its dealer. It contains nothing about single patrons: no terminal, no slip, no credit. The one
// exception is an open proposal. A second person may sign it at the dealer's console, so it lists the terminals whose
// paid money would change.

const kind = s.literals(irregularityKinds);
const ratio = s.tuple('two whole numbers', s.nonNegativeInteger, s.nonNegativeInteger);

/** One ruling option of an open irregularity, and what this ruling would do to the round, the money and the shoe. */
const rulingOptionSchema = s.object('a ruling option', {
  ruling: s.string,
  command: s.string,
  by: s.string,
  round: s.string,
  money: s.string,
  shoe: s.string,
  first: s.string,
  second: s.nullable(s.string),
  /** Error code with which this ruling would be refused now; null if the ruling is possible. */
  not: s.nullable(s.string),
});
export type RulingOptionView = Infer<typeof rulingOptionSchema>;

const openIrregularitySchema = s.object('an open irregularity', {
  kind,
  by: s.string,
  round: s.nullable(s.string),
  note: s.nullable(s.string),
  since: time,
  /** Staff member who reported the irregularity; null if the system reported it. */
  reporter: s.nullable(staffActorViewSchema),
  place: s.nullable(s.nonNegativeInteger),
  options: s.array(rulingOptionSchema, 'ruling options'),
  /**
   * Roles that may dismiss the report: that of the first person, and that of the second if one is needed. Null if it
   * cannot be dismissed now.
   */
  dismiss: s.nullable(s.object('roles', { first: s.string, second: s.nullable(s.string) })),
  /**
   * For an interruption: the ruling that its clause gives. Each wager is won, lost or still open, and `why` is the
   * reason. Null for every other irregularity, and before the cards on the felt are confirmed.
   */
  computed: s.nullable(
    s.object('the ruling that a clause gives', {
      ruling: s.literals(['void', 'resume']),
      by: s.string,
      decided: s.array(
        s.object('a wager', { wager: s.string, result: s.literals(['won', 'lost', 'open']), why: promptSchema }),
        'wagers',
      ),
    }),
  ),
});
export type OpenIrregularityView = Infer<typeof openIrregularitySchema>;

/** One row of the report menu: an irregularity, and what its report would do now. */
const reportableSchema = s.object('something that may be reported', {
  kind,
  /** Position in the report menu in two digits: group and row. Two kinds of irregularity may share a row. */
  row: s.string,
  by: s.string,
  command: s.string,
  /** Value of the field `kind` of the command; null if the command has no such field. */
  as: s.nullable(s.string),
  /** What the report would do: stop the round, lock the shoe, only be noted, correct a card, or refer the question. */
  does: s.literals(['stops', 'locks', 'noted', 'corrects', 'refers']),
  /**
   * Why the report is not possible now: an error code, or `chips-only` or `terminals-only` for a report that only other
   * tables have. Null if the report is possible.
   */
  not: s.nullable(s.string),
});

const tableStaffMessageSchema = s.object('a message', {
  at: time,
  prompt: promptSchema,
  from: s.nullable(staffActorViewSchema),
  isUrgent: s.boolean,
});
export type TableStaffMessage = Infer<typeof tableStaffMessageSchema>;

const proposalSchema = s.object('a proposal', {
  id: s.string,
  command: s.string,
  reason: s.nullable(s.string),
  from: staffActorViewSchema,
  /** Role of the person who has to approve the proposal. */
  second: s.string,
  hash,
  since: time,
  expires: time,
  effects: proposalEffectsSchema,
});
export type OpenProposalView = Infer<typeof proposalSchema>;

const roundShape = {
  id: s.string,
  number: s.nonNegativeInteger,
  openedAt: time,
  closesAt: time,
  deadline: s.nullable(time),
  resultAt: s.nullable(time),
  player: handSchema,
  banker: handSchema,
  /** Dealt cards in dealing order. `how` says how the card was entered. */
  cards: s.array(
    s.object('a dealt card', {
      card: cardSchema,
      slot: s.literals(slots),
      at: s.nullable(time),
      how: s.literals(['scanned', 'keyed', 'by-eye', 'virtual', 'carried', 'afterwards', 'corrected', 'replayed']),
      dealer: s.nullable(s.string),
    }),
    'dealt cards',
  ),
  winner: s.nullable(winnerSchema),
  won: s.nullable(s.strings),
  pushed: s.nullable(s.strings),
  voidBy: s.nullable(s.string),
  begun: s.boolean,
  mayTakeBack: s.boolean,
  settlements: s.nonNegativeInteger,
};

const shoeShape = {
  id: s.string,
  size: s.nonNegativeInteger,
  /** Number of cards that have left the shoe. */
  out: s.nonNegativeInteger,
  ready: s.boolean,
  /** Text or number on the physical seal of the cards; null for a virtual shoe. */
  seal: s.nullable(s.string),
  /** Number of decks as declared at delivery; null if no number was declared. */
  decks: s.nullable(s.nonNegativeInteger),
  /** Card backs as declared at delivery; null if no backs were declared. */
  backs: s.nullable(s.string),
  /** Result of the inspection: true if the cards were in order. Null before the inspection. */
  inspected: s.nullable(s.boolean),
  counted: s.boolean,
  shuffled: s.boolean,
  /** How the shoe was shuffled; null before the shuffle, and for a virtual shoe. */
  shuffle: s.nullable(s.string),
  /** Number of cards behind the cutting card; null before the cut. */
  behind: s.nullable(s.nonNegativeInteger),
  burned: s.boolean,
  virtual: s.boolean,
  /**
   * Number of cards that will be drawn before the cutting card. Null before the cut, and after the cutting card has
   * come out.
   */
  toCut: s.nullable(s.nonNegativeInteger),
  cuttingCardOut: s.boolean,
  roundsLeft: s.nullable(s.nonNegativeInteger),
  lockedBy: s.nullable(s.string),
  carried: s.boolean,
  rounds: s.nonNegativeInteger,
  /**
   * Number of recorded blind counts of this shoe that found other cards than expected; absent if there is none. Which
   * cards differed is not in this view.
   */
  miscounts: s.optional(s.nonNegativeInteger),
};

export const dealerViewShape = {
  table: s.string,
  game: s.object('a game', { name: s.string, version: s.string, rulebook: s.string }),
  /** Clauses of the rulebook by topic, such as open, close, deal, winner, settle or refer. */
  clauses: s.record(s.string, s.string, 'clauses by topic'),
  deck: s.literals(['french', 'elements']),
  decks: s.nonNegativeInteger,
  bets: s.literals(['terminals', 'chips']),
  dealing: s.literals(['virtual', 'scanned', 'keyed']),
  /**
   * Texts that scanners of the property send for cards. The console needs them, because a scanner at a console types
   * its text like a keyboard.
   */
  scanner: scanFormatSchema,
  attended: s.boolean,
  offered: s.array(s.object('a wager', { wager: s.string, name: s.string }), 'wagers on offer'),
  burn: s.literals(['none', 'first-card']),
  /** Betting time in milliseconds. `grace`, `pause` and `interruption` are in milliseconds too. */
  bettingTime: s.nonNegativeInteger,
  grace: s.nonNegativeInteger,
  pause: s.nonNegativeInteger,
  interruption: s.nonNegativeInteger,
  phase: tablePhaseSchema,
  /** What the dealer has to do next, with the clause that says so. */
  prompt: promptSchema,
  /** Slot to which the next card is dealt; null while no cards are dealt. */
  due: s.nullable(s.literals(slots)),
  /** Names of the commands with which the game can continue now. */
  next: s.strings,
  round: s.nullable(s.object('a round', roundShape)),
  shoe: s.nullable(s.object('a shoe', shoeShape)),
  /** Sealed shoes of this table that are not counted yet. */
  sealed: s.array(
    s.object('a sealed shoe', {
      shoe: s.string,
      seal: s.string,
      to: s.nullable(s.string),
      since: time,
      deck: s.literals(['french', 'elements']),
      decks: s.nonNegativeInteger,
      miscounts: s.nonNegativeInteger,
    }),
    'sealed shoes',
  ),
  /** Codes of faults of the shoe in use; `not-shuffled` is the only such code. */
  warnings: s.strings,
  slips: s.nonNegativeInteger,
  terminalsDisconnected: s.nonNegativeInteger,
  stopped: s.nullable(openIrregularitySchema),
  waiting: s.array(
    s.object('a waiting irregularity', { kind, by: s.string, round: s.nullable(s.string), since: time }),
    'irregularities',
  ),
  referred: s.array(
    s.object('a referral', {
      id: s.string,
      by: s.string,
      reason: s.string,
      round: s.nullable(s.string),
      since: time,
      from: s.nullable(staffActorViewSchema),
      terminals: s.nullable(s.nonNegativeInteger),
      proposed: s.nullable(s.object('a proposed decision', { decision: s.string, by: s.string })),
    }),
    'referrals',
  ),
  proposal: s.nullable(proposalSchema),
  reports: s.array(reportableSchema, 'what may be reported'),
  /**
   * What the dealer has to do with the chips on each spot. Null until the last card is dealt, and at a table with
   * terminals.
   */
  felt: s.nullable(
    s.array(
      s.object('a spot', {
        wager: s.string,
        do: s.literals(['take', 'pay', 'push', 'return']),
        pays: ratio,
        commission: ratio,
        by: s.string,
      }),
      'spots',
    ),
  ),
  /**
   * [live 5.6, 5.7] Chips that were placed late, raised or withdrawn: at which seat, and what the dealer has to do with
   * them.
   */
  places: s.array(
    s.object('chips in question', {
      place: s.string,
      wager: s.string,
      kind: s.string,
      amount,
      by: s.string,
      do: s.literals(['return', 'take', 'pay', 'push', 'wait']),
      pays: s.nullable(amount),
    }),
    'chips in question',
  ),
  paying: s.nullable(s.object('a payment', { posted: s.nonNegativeInteger, slips: s.nonNegativeInteger })),
  /** Messages to the staff at this table, newest first. */
  messages: s.array(tableStaffMessageSchema, 'messages'),
  called: s.nullable(s.object('a call', { at: time, reason: s.string, from: staffActorViewSchema })),
  dealer: s.nullable(staffActorViewSchema),
  fault: s.nullable(s.literals(['broken', 'cannot-record'])),
};

export const dealerViewSchema = s.object('a table as its dealer sees it', dealerViewShape);
export type DealerView = Infer<typeof dealerViewSchema>;
