import { irregularityKinds } from '../../games/irregularities.ts';
import { factValues } from '../../rules/facts.ts';
import * as s from '../../base/schema.ts';
import { type Infer } from '../../base/schema.ts';
import { amount, hash, time } from '../../base/commonSchemas.ts';
import { slots } from '../../rules/play.ts';
import { scanFormat } from '../../rules/scanFormat.ts';
import { card, cards } from '../../table/schema/fieldTypes.ts';

// What staff see of a table. A dealer's view holds no terminal, slip or credit.

const phase = s.literals(['idle', 'betting', 'closing', 'dealing', 'result', 'paying', 'closed']);
const kind = s.literals(irregularityKinds);
const winner = s.literals(factValues.winner);
const hand = s.object('a hand with its total', { cards, total: s.nonNegativeInteger });
const ratio = s.tuple('two whole numbers', s.nonNegativeInteger, s.nonNegativeInteger);

/** A sentence as data: a screen has the words for each code, in its language; `by` is the clause that says so. */
const sentence = s.object('a sentence', {
  code: s.string,
  with: s.record(s.string, s.string, 'what it speaks of, by name'),
  by: s.nullable(s.string),
});
export type PromptView = Infer<typeof sentence>;

/** Who did something, by post and number; staff screens show no names. */
const actor = s.object('a person', {
  person: s.string,
  number: s.nullable(s.string),
  post: s.string,
  acting: s.nullable(s.string),
});

/** One way out of what stopped the table. */
const way = s.object('a way out', {
  ruling: s.string,
  command: s.string,
  by: s.string,
  round: s.string,
  money: s.string,
  shoe: s.string,
  first: s.string,
  second: s.nullable(s.string),
  /** Why it cannot be now, by its code; null where it can. */
  not: s.nullable(s.string),
});
export type RulingOptionView = Infer<typeof way>;

const matter = s.object('a matter', {
  kind,
  by: s.string,
  round: s.nullable(s.string),
  note: s.nullable(s.string),
  /** Since when it waits, and who reported it. */
  since: time,
  reporter: s.nullable(actor),
  place: s.nullable(s.nonNegativeInteger),
  ways: s.array(way, 'ways out'),
  mayDismiss: s.boolean,
  /** Of an interruption: what the clause computes, with each wager that is decided and why; null before the felt is entered or for anything else. */
  computed: s.nullable(
    s.object('what a clause computes', {
      ruling: s.literals(['void', 'resume']),
      by: s.string,
      decided: s.array(
        s.object('a wager', { wager: s.string, result: s.literals(['won', 'lost', 'open']), why: sentence }),
        'wagers',
      ),
    }),
  ),
});
export type StaffMatter = Infer<typeof matter>;

/** What could be reported now, in the order of "Something is wrong". */
const reportable = s.object('something that may be reported', {
  kind,
  /** Two digits: the group and the row in it; two kinds that are told apart by the table share a row. */
  row: s.string,
  by: s.string,
  /** The command that reports it, and the kind that it names there, if it does. */
  command: s.string,
  as: s.nullable(s.string),
  /** What it does: stops the round, takes the shoe out of use, is noted, is corrected, is referred. */
  does: s.literals(['stops', 'locks', 'noted', 'corrects', 'refers']),
  /** Why it cannot be now, by a code: that of a refusal, `chips-only` or `terminals-only`; null where it can. */
  not: s.nullable(s.string),
});

const message = s.object('a message', { at: time, says: sentence, from: s.nullable(actor), isUrgent: s.boolean });
export type StaffMessage = Infer<typeof message>;

const proposal = s.object('a proposal', {
  id: s.string,
  act: s.string,
  reason: s.nullable(s.string),
  /** Of a shoe that is to leave sealed: the seal that is put on it, and where it goes. */
  seal: s.optional(s.string),
  to: s.optional(s.string),
  from: actor,
  /** The post that it takes. */
  second: s.string,
  hash,
  since: time,
  expires: time,
});
export type StaffProposal = Infer<typeof proposal>;

const roundForm = {
  id: s.string,
  number: s.nonNegativeInteger,
  openedAt: time,
  closesAt: time,
  deadline: s.nullable(time),
  resultAt: s.nullable(time),
  player: hand,
  banker: hand,
  /** In the order in which they were dealt, with slot, time and how each came. */
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
  winner: s.nullable(winner),
  won: s.nullable(s.strings),
  pushed: s.nullable(s.strings),
  voidBy: s.nullable(s.string),
  begun: s.boolean,
  /** The last entry may be taken back. */
  mayTakeBack: s.boolean,
  settlements: s.nonNegativeInteger,
};

const shoeForm = {
  id: s.string,
  size: s.nonNegativeInteger,
  out: s.nonNegativeInteger,
  ready: s.boolean,
  /** The seal that its cards came under; null where it is virtual. */
  seal: s.nullable(s.string),
  /** What was said of its decks when it was brought, and whether faces and backs were found in order. */
  decks: s.nullable(s.nonNegativeInteger),
  backs: s.nullable(s.string),
  inspected: s.nullable(s.boolean),
  counted: s.boolean,
  shuffled: s.boolean,
  behind: s.nullable(s.nonNegativeInteger),
  burned: s.boolean,
  virtual: s.boolean,
  /** How many cards are left before the cutting card; null where it is not cut, or is out. */
  toCut: s.nullable(s.nonNegativeInteger),
  cuttingCardOut: s.boolean,
  roundsLeft: s.nullable(s.nonNegativeInteger),
  lockedBy: s.nullable(s.string),
  carried: s.boolean,
  rounds: s.nonNegativeInteger,
};

const dealerForm = {
  table: s.string,
  game: s.object('a game', { name: s.string, version: s.string, book: s.string }),
  /** The clauses of its book by what they say: open, close, deal, play, winner, tie, settle, cut, refer and so on. */
  clauses: s.record(s.string, s.string, 'clauses by what they say'),
  deck: s.literals(['french', 'elements']),
  decks: s.nonNegativeInteger,
  bets: s.literals(['terminals', 'chips']),
  dealing: s.literals(['virtual', 'scanned', 'keyed']),
  /** What a scanner that types at the console says, in the form that the property sets. */
  scanner: scanFormat,
  attended: s.boolean,
  offered: s.array(s.object('a wager', { wager: s.string, name: s.string }), 'wagers on offer'),
  burn: s.literals(['none', 'first-card']),
  bettingTime: s.nonNegativeInteger,
  grace: s.nonNegativeInteger,
  pause: s.nonNegativeInteger,
  interruption: s.nonNegativeInteger,
  phase,
  /** What the table of play wants and why. */
  says: sentence,
  /** The slot that the next card fills, while cards are dealt. */
  due: s.nullable(s.literals(slots)),
  /** The commands that carry the table on, the first one foremost. */
  next: s.strings,
  round: s.nullable(s.object('a round', roundForm)),
  shoe: s.nullable(s.object('a shoe', shoeForm)),
  /** Shoes that have left sealed and are still to be counted. */
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
  /** What is not as it should be with a shoe that is in use all the same: `not-shuffled`. */
  warnings: s.strings,
  slips: s.nonNegativeInteger,
  terminalsLost: s.nonNegativeInteger,
  stopped: s.nullable(matter),
  waiting: s.array(
    s.object('a matter that waits', { kind, by: s.string, round: s.nullable(s.string), since: time }),
    'matters',
  ),
  referred: s.array(
    s.object('a referral', {
      id: s.string,
      by: s.string,
      reason: s.string,
      round: s.nullable(s.string),
      since: time,
      from: s.nullable(actor),
      terminals: s.nullable(s.nonNegativeInteger),
      proposed: s.nullable(s.object('a proposed decision', { decision: s.string, by: s.string })),
    }),
    'referrals',
  ),
  proposal: s.nullable(proposal),
  reports: s.array(reportable, 'what may be reported'),
  /** What to do with the chips on each spot, from the last card on; null at terminals. */
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
  /** Chips that were late, raised or taken back: what goes back, is taken or is paid at each place. [live 5.6, 5.7] */
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
  /** The newest first. */
  messages: s.array(message, 'messages'),
  /** Somebody called a supervisor, and nobody has answered yet. */
  called: s.nullable(s.object('a call', { at: time, reason: s.string, from: actor })),
  dealer: s.nullable(actor),
  trouble: s.nullable(s.literals(['broken', 'cannot-record'])),
};

export const dealerViewSchema = s.object('a table as its dealer sees it', dealerForm);
export type DealerView = Infer<typeof dealerViewSchema>;

/** What each way out comes to for one terminal; null where it cannot be told yet. */
const patronRow = s.object('a terminal', {
  terminal: s.string,
  staked: amount,
  /** Paid so far, where the round was settled. */
  paid: s.nullable(amount),
  /** What goes back by each ruling: void, stand, reconstruct, correct, resume. */
  back: s.record(s.string, s.nullable(amount), 'amounts by ruling'),
  lost: s.boolean,
});
export type PatronRow = Infer<typeof patronRow>;

const supervisorForm = {
  ...dealerForm,
  currency: s.string,
  staked: amount,
  bettors: s.nonNegativeInteger,
  /** What is staked on each wager, and by how many terminals. */
  totals: s.record(s.string, s.object('a total', { stake: amount, bettors: s.nonNegativeInteger }), 'totals by wager'),
  /** Closing counts that differed, until the pit manager has looked into them. */
  differences: s.array(
    s.object('a count that differs', {
      shoe: s.string,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      since: time,
    }),
    'counts that differ',
  ),
  /** What was decided at this table before, the newest first: what was referred, the decision and its reason. */
  decided: s.array(
    s.object('an earlier referral', {
      id: s.string,
      reason: s.string,
      round: s.nullable(s.string),
      decision: s.string,
      why: s.string,
      by: s.string,
      at: time,
      from: s.nullable(actor),
    }),
    'earlier referrals',
  ),
  /** The side-by-side matrix: what each ruling leads to as a whole, and for every terminal. */
  rulings: s.nullable(
    s.object('rulings side by side', {
      /** The round that they are about. */
      round: s.string,
      columns: s.array(
        s.object('a ruling', {
          ruling: s.string,
          winner: s.nullable(winner),
          totals: s.nullable(s.object('totals', { player: s.nonNegativeInteger, banker: s.nonNegativeInteger })),
          by: s.nullable(s.string),
          round: s.string,
          shoe: s.string,
          first: s.string,
          second: s.nullable(s.string),
          not: s.nullable(s.string),
          house: s.nullable(s.object('what the house wins', { sign: s.literals([-1, 0, 1]), amount })),
        }),
        'rulings',
      ),
      rows: s.array(patronRow, 'terminals'),
    }),
  ),
  /** What the proposal would do if it were approved now; `not` is the code of why it no longer can. */
  effects: s.nullable(
    s.object('what a proposal would do', {
      not: s.nullable(s.string),
      events: s.array(s.anyObject, 'a list of events'),
    }),
  ),
  /** Rounds whose payment is in question: of these terminals or of all. */
  frozen: s.array(
    s.object('a round in question', { round: s.string, terminals: s.nullable(s.strings) }),
    'rounds in question',
  ),
  /** Terminals that were lost in this round: whether they had shown the closing, and whether they are back. */
  lost: s.array(
    s.object('a lost terminal', { terminal: s.string, closed: s.boolean, back: s.boolean }),
    'lost terminals',
  ),
  /** Settlements that are not posted to their end. */
  unpaid: s.array(
    s.object('a settlement', { settlement: s.string, slips: s.nonNegativeInteger, posted: s.nonNegativeInteger }),
    'settlements',
  ),
  shortfalls: s.array(s.object('a shortfall', { terminal: s.string, round: s.string, amount }), 'shortfalls'),
  terminalsAway: s.strings,
  /** The last events in words, the newest first. */
  events: s.array(
    s.object('an event', { sequence: s.nonNegativeInteger, at: time, says: sentence, from: s.nullable(actor) }),
    'events',
  ),
  closed: s.boolean,
};
export const supervisorViewSchema = s.object('a table as a supervisor sees it', supervisorForm);
export type SupervisorView = Infer<typeof supervisorViewSchema>;

/** A table in the list of the floor. */
const floorTable = s.object('a table of the floor', {
  table: s.string,
  game: s.object('a game', { name: s.string, version: s.string }),
  bets: s.literals(['terminals', 'chips']),
  attended: s.boolean,
  phase: s.nullable(phase),
  stopped: s.nullable(s.object('why it stands still', { kind: s.string, by: s.nullable(s.string), since: time })),
  number: s.nullable(s.nonNegativeInteger),
  player: s.nullable(hand),
  banker: s.nullable(hand),
  slips: s.nonNegativeInteger,
  terminals: s.nonNegativeInteger,
  offline: s.nonNegativeInteger,
  shoe: s.nullable(s.object('a shoe', { out: s.nonNegativeInteger, size: s.nonNegativeInteger, locked: s.boolean })),
  deadline: s.nullable(time),
  roundsAnHour: s.nonNegativeInteger,
  drop: amount,
  /** What the house has won since the gaming day turned; below zero where patrons have. */
  win: s.object('what the house has won', { sign: s.literals([-1, 0, 1]), amount }),
  dealer: s.nullable(s.string),
});
export type FloorRow = Infer<typeof floorTable>;

/** What waits for a person, the most urgent first. */
const waiting = s.object('what waits', {
  table: s.nullable(s.string),
  what: s.literals([
    'stopped',
    'interrupted',
    'referred',
    'fault',
    'proposal',
    'call',
    'shoe-locked',
    'sealed-shoe',
    'count-differs',
    'not-open',
    'hand-pay',
  ]),
  says: sentence,
  by: s.nullable(s.string),
  who: s.string,
  since: time,
  expires: s.optional(time),
  hash: s.optional(hash),
});
export type WorkItem = Infer<typeof waiting>;

export const floorView = s.object('the floor', {
  tables: s.array(floorTable, 'tables'),
  waiting: s.array(waiting, 'what waits'),
  since: time,
  voids: s.nonNegativeInteger,
  corrected: s.nonNegativeInteger,
  /** When the record was last signed, and the hash of what was signed; null where nobody signs it. */
  signed: s.nullable(s.object('what was signed', { at: time, hash })),
});
export type FloorView = Infer<typeof floorView>;
