import { irregularityKinds } from '../../games/irregularities.ts';
import { factValues } from '../../rules/facts.ts';
import {
  type ValueOf,
  fieldsByName,
  flag,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  recordOf,
  text,
  texts,
  tuple,
  whole,
} from '../../base/schema.ts';
import { amount, hash, time } from '../../base/commonSchemas.ts';
import { slots } from '../../rules/play.ts';
import { scanFormat } from '../../rules/scanFormat.ts';
import { card, cards } from '../../table/schema/fieldTypes.ts';

// What staff see of a table. A dealer's view holds no terminal, slip or credit.

const phase = oneOf(['idle', 'betting', 'closing', 'dealing', 'result', 'paying', 'closed']);
const kind = oneOf(irregularityKinds);
const winner = oneOf(factValues.winner);
const hand = object('a hand with its total', { cards, total: whole });
const ratio = tuple('two whole numbers', whole, whole);

/** A sentence as data: a screen has the words for each code, in its language; `by` is the clause that says so. */
const sentence = object('a sentence', {
  code: text,
  with: recordOf(text, text, 'what it speaks of, by name'),
  by: orNull(text),
});
export type Sentence = ValueOf<typeof sentence>;

/** Who did something, by post and number; staff screens show no names. */
const actor = object('a person', { person: text, number: orNull(text), post: text, acting: orNull(text) });

/** One way out of what stopped the table. */
const way = object('a way out', {
  ruling: text,
  command: text,
  by: text,
  round: text,
  money: text,
  shoe: text,
  first: text,
  second: orNull(text),
  /** Why it cannot be now, by its code; null where it can. */
  not: orNull(text),
});
export type Way = ValueOf<typeof way>;

const matter = object('a matter', {
  kind,
  by: text,
  round: orNull(text),
  note: orNull(text),
  /** Since when it waits, and who reported it. */
  since: time,
  reporter: orNull(actor),
  place: orNull(whole),
  ways: listOf(way, 'ways out'),
  mayDismiss: flag,
  /** Of an interruption: what the clause computes, with each wager that is decided and why; null before the felt is entered or for anything else. */
  computed: orNull(
    object('what a clause computes', {
      ruling: oneOf(['void', 'resume']),
      by: text,
      decided: listOf(
        object('a wager', { wager: text, result: oneOf(['won', 'lost', 'open']), why: sentence }),
        'wagers',
      ),
    }),
  ),
});
export type StaffMatter = ValueOf<typeof matter>;

/** What could be reported now, in the order of "Something is wrong". */
const reportable = object('something that may be reported', {
  kind,
  /** Two digits: the group and the row in it; two kinds that are told apart by the table share a row. */
  row: text,
  by: text,
  /** The command that reports it, and the kind that it names there, if it does. */
  command: text,
  as: orNull(text),
  /** What it does: stops the round, takes the shoe out of use, is noted, is corrected, is referred. */
  does: oneOf(['stops', 'locks', 'noted', 'corrects', 'refers']),
  /** Why it cannot be now, by a code: that of a refusal, `chips-only` or `terminals-only`; null where it can. */
  not: orNull(text),
});

const message = object('a message', { at: time, says: sentence, from: orNull(actor), isUrgent: flag });
export type StaffMessage = ValueOf<typeof message>;

const proposal = object('a proposal', {
  id: text,
  act: text,
  reason: orNull(text),
  /** Of a shoe that is to leave sealed: the seal that is put on it, and where it goes. */
  seal: optional(text),
  to: optional(text),
  from: actor,
  /** The post that it takes. */
  second: text,
  hash,
  since: time,
  expires: time,
});
export type StaffProposal = ValueOf<typeof proposal>;

const roundForm = {
  id: text,
  number: whole,
  openedAt: time,
  closesAt: time,
  deadline: orNull(time),
  resultAt: orNull(time),
  player: hand,
  banker: hand,
  /** In the order in which they were dealt, with slot, time and how each came. */
  cards: listOf(
    object('a dealt card', {
      card,
      slot: oneOf(slots),
      at: orNull(time),
      how: oneOf(['scanned', 'keyed', 'by-eye', 'virtual', 'carried', 'afterwards', 'corrected', 'replayed']),
      dealer: orNull(text),
    }),
    'dealt cards',
  ),
  winner: orNull(winner),
  won: orNull(texts),
  pushed: orNull(texts),
  voidBy: orNull(text),
  begun: flag,
  /** The last entry may be taken back. */
  mayTakeBack: flag,
  settlements: whole,
};

const shoeForm = {
  id: text,
  size: whole,
  out: whole,
  ready: flag,
  /** The seal that its cards came under; null where it is virtual. */
  seal: orNull(text),
  /** What was said of its decks when it was brought, and whether faces and backs were found in order. */
  decks: orNull(whole),
  backs: orNull(text),
  inspected: orNull(flag),
  counted: flag,
  shuffled: flag,
  behind: orNull(whole),
  burned: flag,
  virtual: flag,
  /** How many cards are left before the cutting card; null where it is not cut, or is out. */
  toCut: orNull(whole),
  cuttingCardOut: flag,
  roundsLeft: orNull(whole),
  lockedBy: orNull(text),
  carried: flag,
  rounds: whole,
};

const dealerForm = {
  table: text,
  game: object('a game', { name: text, version: text, book: text }),
  /** The clauses of its book by what they say: open, close, deal, play, winner, tie, settle, cut, refer and so on. */
  clauses: recordOf(text, text, 'clauses by what they say'),
  deck: oneOf(['french', 'elements']),
  decks: whole,
  bets: oneOf(['terminals', 'chips']),
  dealing: oneOf(['virtual', 'scanned', 'keyed']),
  /** What a scanner that types at the console says, in the form that the property sets. */
  scanner: scanFormat,
  attended: flag,
  offered: listOf(object('a wager', { wager: text, name: text }), 'wagers on offer'),
  burn: oneOf(['none', 'first-card']),
  bettingTime: whole,
  grace: whole,
  pause: whole,
  interruption: whole,
  phase,
  /** What the table of play wants and why. */
  says: sentence,
  /** The slot that the next card fills, while cards are dealt. */
  due: orNull(oneOf(slots)),
  /** The commands that carry the table on, the first one foremost. */
  next: texts,
  round: orNull(object('a round', roundForm)),
  shoe: orNull(object('a shoe', shoeForm)),
  /** Shoes that have left sealed and are still to be counted. */
  sealed: listOf(
    object('a sealed shoe', {
      shoe: text,
      seal: text,
      to: orNull(text),
      since: time,
      deck: oneOf(['french', 'elements']),
    }),
    'sealed shoes',
  ),
  /** What is not as it should be with a shoe that is in use all the same: `not-shuffled`. */
  warnings: texts,
  slips: whole,
  terminalsLost: whole,
  stopped: orNull(matter),
  waiting: listOf(object('a matter that waits', { kind, by: text, round: orNull(text), since: time }), 'matters'),
  referred: listOf(
    object('a referral', {
      id: text,
      by: text,
      reason: text,
      round: orNull(text),
      since: time,
      from: orNull(actor),
      terminals: orNull(whole),
      proposed: orNull(object('a proposed decision', { decision: text, by: text })),
    }),
    'referrals',
  ),
  proposal: orNull(proposal),
  reports: listOf(reportable, 'what may be reported'),
  /** What to do with the chips on each spot, from the last card on; null at terminals. */
  felt: orNull(
    listOf(
      object('a spot', {
        wager: text,
        do: oneOf(['take', 'pay', 'push', 'return']),
        pays: ratio,
        commission: ratio,
        by: text,
      }),
      'spots',
    ),
  ),
  /** Chips that were late, raised or taken back: what goes back, is taken or is paid at each place. [live 5.6, 5.7] */
  places: listOf(
    object('chips in question', {
      place: text,
      wager: text,
      kind: text,
      amount,
      by: text,
      do: oneOf(['return', 'take', 'pay', 'push', 'wait']),
      pays: orNull(amount),
    }),
    'chips in question',
  ),
  paying: orNull(object('a payment', { posted: whole, slips: whole })),
  /** The newest first. */
  messages: listOf(message, 'messages'),
  /** Somebody called a supervisor, and nobody has answered yet. */
  called: orNull(object('a call', { at: time, reason: text, from: actor })),
  dealer: orNull(actor),
  trouble: orNull(oneOf(['broken', 'cannot-record'])),
};

export const dealerView = object('a table as its dealer sees it', dealerForm);
export type DealerView = ValueOf<typeof dealerView>;

/** What each way out comes to for one terminal; null where it cannot be told yet. */
const patronRow = object('a terminal', {
  terminal: text,
  staked: amount,
  /** Paid so far, where the round was settled. */
  paid: orNull(amount),
  /** What goes back by each ruling: void, stand, reconstruct, correct, resume. */
  back: recordOf(text, orNull(amount), 'amounts by ruling'),
  lost: flag,
});
export type PatronRow = ValueOf<typeof patronRow>;

const supervisorForm = {
  ...dealerForm,
  currency: text,
  staked: amount,
  bettors: whole,
  /** What is staked on each wager, and by how many terminals. */
  totals: recordOf(text, object('a total', { stake: amount, bettors: whole }), 'totals by wager'),
  /** Closing counts that differed, until the pit manager has looked into them. */
  differences: listOf(
    object('a count that differs', { shoe: text, expected: whole, seen: whole, since: time }),
    'counts that differ',
  ),
  /** What was decided at this table before, the newest first: what was referred, the decision and its reason. */
  decided: listOf(
    object('an earlier referral', {
      id: text,
      reason: text,
      round: orNull(text),
      decision: text,
      why: text,
      by: text,
      at: time,
      from: orNull(actor),
    }),
    'earlier referrals',
  ),
  /** The side-by-side matrix: what each ruling leads to as a whole, and for every terminal. */
  rulings: orNull(
    object('rulings side by side', {
      /** The round that they are about. */
      round: text,
      columns: listOf(
        object('a ruling', {
          ruling: text,
          winner: orNull(winner),
          totals: orNull(object('totals', { player: whole, banker: whole })),
          by: orNull(text),
          round: text,
          shoe: text,
          first: text,
          second: orNull(text),
          not: orNull(text),
          house: orNull(object('what the house wins', { sign: oneOf([-1, 0, 1]), amount })),
        }),
        'rulings',
      ),
      rows: listOf(patronRow, 'terminals'),
    }),
  ),
  /** What the proposal would do if it were approved now; `not` is the code of why it no longer can. */
  effects: orNull(
    object('what a proposal would do', { not: orNull(text), events: listOf(fieldsByName, 'a list of events') }),
  ),
  /** Rounds whose payment is in question: of these terminals or of all. */
  frozen: listOf(object('a round in question', { round: text, terminals: orNull(texts) }), 'rounds in question'),
  /** Terminals that were lost in this round: whether they had shown the closing, and whether they are back. */
  lost: listOf(object('a lost terminal', { terminal: text, closed: flag, back: flag }), 'lost terminals'),
  /** Settlements that are not posted to their end. */
  unpaid: listOf(object('a settlement', { settlement: text, slips: whole, posted: whole }), 'settlements'),
  shortfalls: listOf(object('a shortfall', { terminal: text, round: text, amount }), 'shortfalls'),
  terminalsAway: texts,
  /** The last events in words, the newest first. */
  events: listOf(object('an event', { sequence: whole, at: time, says: sentence, from: orNull(actor) }), 'events'),
  closed: flag,
};
export const supervisorView = object('a table as a supervisor sees it', supervisorForm);
export type SupervisorView = ValueOf<typeof supervisorView>;

/** A table in the list of the floor. */
const floorTable = object('a table of the floor', {
  table: text,
  game: object('a game', { name: text, version: text }),
  bets: oneOf(['terminals', 'chips']),
  attended: flag,
  phase: orNull(phase),
  stopped: orNull(object('why it stands still', { kind: text, by: orNull(text), since: time })),
  number: orNull(whole),
  player: orNull(hand),
  banker: orNull(hand),
  slips: whole,
  terminals: whole,
  offline: whole,
  shoe: orNull(object('a shoe', { out: whole, size: whole, locked: flag })),
  deadline: orNull(time),
  roundsAnHour: whole,
  drop: amount,
  /** What the house has won since the gaming day turned; below zero where patrons have. */
  win: object('what the house has won', { sign: oneOf([-1, 0, 1]), amount }),
  dealer: orNull(text),
});
export type FloorTable = ValueOf<typeof floorTable>;

/** What waits for a person, the most urgent first. */
const waiting = object('what waits', {
  table: orNull(text),
  what: oneOf([
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
  by: orNull(text),
  who: text,
  since: time,
  expires: optional(time),
  hash: optional(hash),
});
export type Waits = ValueOf<typeof waiting>;

export const floorView = object('the floor', {
  tables: listOf(floorTable, 'tables'),
  waiting: listOf(waiting, 'what waits'),
  since: time,
  voids: whole,
  corrected: whole,
  /** When the record was last signed, and the hash of what was signed; null where nobody signs it. */
  signed: orNull(object('what was signed', { at: time, hash })),
});
export type FloorView = ValueOf<typeof floorView>;
