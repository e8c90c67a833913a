import { irregularityKinds } from '../../games/irregularities.ts';
import * as s from '../../base/schema.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, hash, time } from '../../base/commonSchemas.ts';
import { slots } from '../../rules/play.ts';
import { scanFormat } from '../../rules/scanFormat.ts';
import { card } from '../../table/schema/fieldTypes.ts';
import { handSchema, tablePhaseSchema, winnerSchema } from '../tableView.ts';
import { actorViewSchema, promptSchema } from './viewParts.ts';

// A dealer's view contains no terminal, slip or credit.

const kind = s.literals(irregularityKinds);
const ratio = s.tuple('two whole numbers', s.nonNegativeInteger, s.nonNegativeInteger);

/** One ruling option of an open irregularity. */
const rulingOptionSchema = s.object('a ruling option', {
  ruling: s.string,
  command: s.string,
  by: s.string,
  round: s.string,
  money: s.string,
  shoe: s.string,
  first: s.string,
  second: s.nullable(s.string),
  /** Error code if it is not possible now; else null. */
  not: s.nullable(s.string),
});
export type RulingOptionView = Infer<typeof rulingOptionSchema>;

const openIrregularitySchema = s.object('an open irregularity', {
  kind,
  by: s.string,
  round: s.nullable(s.string),
  note: s.nullable(s.string),
  /** Time and author of the report. */
  since: time,
  reporter: s.nullable(actorViewSchema),
  place: s.nullable(s.nonNegativeInteger),
  options: s.array(rulingOptionSchema, 'ruling options'),
  mayDismiss: s.boolean,
  /**
   * Interruptions only: what the clause computes, with each decided wager and the reason. Null before the felt is
   * entered.
   */
  computed: s.nullable(
    s.object('what a clause computes', {
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

/** What can be reported now, in the order of the report sheet. */
const reportableSchema = s.object('something that may be reported', {
  kind,
  /** Two digits: group and row; two kinds that the table distinguishes share a row. */
  row: s.string,
  by: s.string,
  /** Command of the report, and the kind in it, if any. */
  command: s.string,
  as: s.nullable(s.string),
  /** Effect: stops the round, locks the shoe, is noted, corrected or referred. */
  does: s.literals(['stops', 'locks', 'noted', 'corrects', 'refers']),
  /** Code if not possible now: of a refusal, `chips-only` or `terminals-only`; else null. */
  not: s.nullable(s.string),
});

const tableStaffMessageSchema = s.object('a message', {
  at: time,
  prompt: promptSchema,
  from: s.nullable(actorViewSchema),
  isUrgent: s.boolean,
});
export type TableStaffMessage = Infer<typeof tableStaffMessageSchema>;

const proposalSchema = s.object('a proposal', {
  id: s.string,
  command: s.string,
  reason: s.nullable(s.string),
  /** For a shoe that leaves sealed: its seal and destination. */
  seal: s.optional(s.string),
  to: s.optional(s.string),
  from: actorViewSchema,
  /** Role that has to approve. */
  second: s.string,
  hash,
  since: time,
  expires: time,
});
export type StaffProposal = Infer<typeof proposalSchema>;

const roundShape = {
  id: s.string,
  number: s.nonNegativeInteger,
  openedAt: time,
  closesAt: time,
  deadline: s.nullable(time),
  resultAt: s.nullable(time),
  player: handSchema,
  banker: handSchema,
  /** In dealing order, with slot, time and source. */
  cards: s.array(
    s.object('a dealt card', {
      card,
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
  /** The last card entry may be undone. */
  mayTakeBack: s.boolean,
  settlements: s.nonNegativeInteger,
};

const shoeShape = {
  id: s.string,
  size: s.nonNegativeInteger,
  out: s.nonNegativeInteger,
  ready: s.boolean,
  /** Seal of the cards; null for a virtual shoe. */
  seal: s.nullable(s.string),
  /** Decks and backs as declared at delivery, and whether the inspection found them in order. */
  decks: s.nullable(s.nonNegativeInteger),
  backs: s.nullable(s.string),
  inspected: s.nullable(s.boolean),
  counted: s.boolean,
  shuffled: s.boolean,
  behind: s.nullable(s.nonNegativeInteger),
  burned: s.boolean,
  virtual: s.boolean,
  /** Cards left before the cutting card; null if not cut, or if it is out. */
  toCut: s.nullable(s.nonNegativeInteger),
  cuttingCardOut: s.boolean,
  roundsLeft: s.nullable(s.nonNegativeInteger),
  lockedBy: s.nullable(s.string),
  carried: s.boolean,
  rounds: s.nonNegativeInteger,
};

export const dealerViewShape = {
  table: s.string,
  game: s.object('a game', { name: s.string, version: s.string, rulebook: s.string }),
  /** Clauses of the rulebook by topic: open, close, deal, play, winner, tie, settle, cut, refer and so on. */
  clauses: s.record(s.string, s.string, 'clauses by what they say'),
  deck: s.literals(['french', 'elements']),
  decks: s.nonNegativeInteger,
  bets: s.literals(['terminals', 'chips']),
  dealing: s.literals(['virtual', 'scanned', 'keyed']),
  /** Scan format of the property, for scanners that act as keyboards. */
  scanner: scanFormat,
  attended: s.boolean,
  offered: s.array(s.object('a wager', { wager: s.string, name: s.string }), 'wagers on offer'),
  burn: s.literals(['none', 'first-card']),
  bettingTime: s.nonNegativeInteger,
  grace: s.nonNegativeInteger,
  pause: s.nonNegativeInteger,
  interruption: s.nonNegativeInteger,
  phase: tablePhaseSchema,
  /** Next step by the table of play, and its reason. */
  prompt: promptSchema,
  /** Slot of the next card, while dealing. */
  due: s.nullable(s.literals(slots)),
  /** Commands that continue the game, main one first. */
  next: s.strings,
  round: s.nullable(s.object('a round', roundShape)),
  shoe: s.nullable(s.object('a shoe', shoeShape)),
  /** Shoes that left sealed and are still to be counted. */
  sealed: s.array(
    s.object('a sealed shoe', {
      shoe: s.string,
      seal: s.string,
      to: s.nullable(s.string),
      since: time,
      deck: s.literals(['french', 'elements']),
    }),
    'sealed shoes',
  ),
  /** Defects of a shoe in use: `not-shuffled`. */
  warnings: s.strings,
  slips: s.nonNegativeInteger,
  terminalsDisconnected: s.nonNegativeInteger,
  stopped: s.nullable(openIrregularitySchema),
  waiting: s.array(
    s.object('an irregularity that waits', { kind, by: s.string, round: s.nullable(s.string), since: time }),
    'irregularities',
  ),
  referred: s.array(
    s.object('a referral', {
      id: s.string,
      by: s.string,
      reason: s.string,
      round: s.nullable(s.string),
      since: time,
      from: s.nullable(actorViewSchema),
      terminals: s.nullable(s.nonNegativeInteger),
      proposed: s.nullable(s.object('a proposed decision', { decision: s.string, by: s.string })),
    }),
    'referrals',
  ),
  proposal: s.nullable(proposalSchema),
  reports: s.array(reportableSchema, 'what may be reported'),
  /** What to do with the chips on each spot, after the last card; null at terminals. */
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
  /** [live 5.6, 5.7] Chips that were late, raised or taken back: what is returned, taken or paid at each place. */
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
  /** Newest first. */
  messages: s.array(tableStaffMessageSchema, 'messages'),
  /** Open call for a supervisor. */
  called: s.nullable(s.object('a call', { at: time, reason: s.string, from: actorViewSchema })),
  dealer: s.nullable(actorViewSchema),
  fault: s.nullable(s.literals(['broken', 'cannot-record'])),
};

export const dealerViewSchema = s.object('a table as its dealer sees it', dealerViewShape);
export type DealerView = Infer<typeof dealerViewSchema>;
