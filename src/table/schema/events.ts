import { amount, hash, id, reason, time } from '../../base/commonSchemas.ts';
import { who } from '../../access/actor.ts';
import {
  type Form,
  type Kind,
  type ValueOf,
  byTag,
  flag,
  listOf,
  named,
  number,
  oneOf,
  optional,
  tagged,
  text,
  texts,
  whole,
} from '../../base/schema.ts';
import {
  amounts,
  card,
  cards,
  commitment,
  counts,
  decision,
  hex,
  hexes,
  ids,
  irregularity,
  outcome,
  phase,
  reader,
  results,
  slip,
  slips,
  slot,
  surplus,
  wagerReport,
} from './fieldTypes.ts';
import { act } from './commands.ts';
import { wholeSetting } from './settings.ts';

type Declaration = { readonly says: string; readonly fields: Form };

/** What can happen by itself or after a second consent. */
const happenings = {
  TableOpened: { says: 'The table is open.', fields: { setting: wholeSetting, hash: hash } },
  SettingChanged: { says: 'Another setting is in use.', fields: { setting: wholeSetting, hash: hash } },
  TableClosed: { says: 'The table is closed; no round opens.', fields: { reason: text } },
  TableReopened: { says: 'The table is open again.', fields: { reason: text } },
  ShoeBrought: {
    says: 'Cards for a live shoe are at the table.',
    fields: { shoe: id, seal: reason, size: whole, decks: optional(whole), backs: optional(reason) },
  },
  CardsInspected: {
    says: 'Faces and backs were looked at; `match` tells whether they are the decks of the shoe and unmarked.',
    fields: { shoe: id, match: flag, note: optional(text), by: text },
  },
  CardsCounted: { says: 'The cards were counted in.', fields: { shoe: id, expected: whole, counted: whole } },
  ShoeShuffled: { says: 'The cards were shuffled.', fields: { shoe: id, method: reason } },
  ShoeCut: { says: 'The cutting card is in its place.', fields: { shoe: id, behind: whole } },
  CutCorrected: {
    says: 'The depth of the cutting card was recorded wrongly.',
    fields: { shoe: id, was: whole, behind: whole, by: text, reason: text },
  },
  ShoeVerified: {
    says: 'Two persons declare the shoe ready.',
    fields: { shoe: id, size: whole, behind: whole, shuffled: flag },
  },
  ShoeCommitted: {
    says: 'A virtual shoe is fixed by its root.',
    fields: { shoe: id, form: commitment, root: hex, size: whole, behind: whole },
  },
  TurnChosen: { says: 'The card that is dealt first is chosen.', fields: { shoe: id, turn: whole } },
  CardsBurned: {
    says: 'The first card was turned and so many more laid aside unseen.',
    fields: { shoe: id, card: card, count: whole, index: optional(whole), salt: optional(hex), proof: optional(hexes) },
  },
  CuttingCardOut: {
    says: 'The cutting card came out, or is `missing` where it must be out by count.',
    fields: { shoe: id, round: optional(text), by: text, roundsLeft: whole, missing: optional(flag) },
  },
  ShoeLocked: { says: 'The shoe may not go on.', fields: { shoe: id, by: text, reason: text } },
  ShoeEnded: {
    says: 'The shoe is gone: what it should have held against what was seen; a virtual one in full, unless its order is lost.',
    fields: {
      shoe: id,
      expected: whole,
      seen: whole,
      extra: counts,
      missing: counts,
      unopened: optional(flag),
      cards: optional(cards),
      salts: optional(hexes),
    },
  },
  ShoeSealed: {
    says: 'The live shoe has left under a seal; it is still to be counted.',
    fields: { shoe: id, seal: reason, to: optional(text), by: text },
  },
  SealedShoeCounted: {
    says: 'A shoe that had left sealed was counted: what it should have held against what was seen.',
    fields: { shoe: id, seal: reason, expected: whole, seen: whole, extra: counts, missing: counts, by: text },
  },
  CountLookedInto: {
    says: 'Somebody has looked into a closing count that differed, with what was found.',
    fields: { shoe: id, reason: text, by: text },
  },
  BetsOpened: {
    says: 'Bets are open for a new round.',
    fields: {
      round: text,
      number: whole,
      day: text,
      game: text,
      decks: whole,
      hash: hash,
      closesAt: time,
      by: text,
    },
  },
  BetsExtended: { says: 'There is more time to bet.', fields: { round: text, closesAt: time } },
  ClosingCalled: {
    says: 'The close is called for this time.',
    fields: { round: text, deadline: time, by: text },
  },
  BetsClosed: { says: 'Bets are closed.', fields: { round: text, by: text } },
  SlipSet: {
    says: 'The terminal has these stakes; `hold` moves from its credit to the stakes, back if below zero.',
    fields: { round: text, terminal: id, slip: slip, hold: number },
  },
  CardDealt: {
    says: 'A card was dealt.',
    fields: {
      round: text,
      slot: slot,
      card: card,
      complete: flag,
      index: optional(whole),
      salt: optional(hex),
      proof: optional(hexes),
      keyed: optional(flag),
      byEye: optional(text),
      afterwards: optional(flag),
      carried: optional(flag),
    },
  },
  CardTakenBack: {
    says: 'The last entry was taken back; a card that had been carried lies ready again.',
    fields: { round: text, slot: slot, card: card, carried: optional(flag) },
  },
  RoundSettled: {
    says: 'The round has its results; postings follow in chunks.',
    fields: { round: text, settlement: text, cards: cards, results: results },
  },
  RoundResettled: {
    says: 'A settled round gets other results or is void; what it paid is reversed.',
    fields: {
      round: text,
      settlement: text,
      reverses: text,
      by: text,
      cards: cards,
      outcome: outcome,
      results: optional(results),
      slips: optional(slips),
    },
  },
  RoundVoided: {
    says: 'The round is void; every stake goes back.',
    fields: { round: text, settlement: text, by: text, reason: text },
  },
  SlipVoided: {
    says: 'One terminal has its stakes back and is out of the round; `slipsHash` is of those that stay, where the next round has opened.',
    fields: {
      round: text,
      settlement: text,
      terminal: id,
      slip: slip,
      by: text,
      reason: text,
      slipsHash: optional(hash),
    },
  },
  SettlementPosted: {
    says: 'A chunk of a settlement is posted; `shortfalls` is what could not be taken back.',
    fields: {
      round: text,
      settlement: text,
      from: whole,
      count: whole,
      last: flag,
      shortfalls: optional(amounts),
    },
  },
  IrregularityFound: {
    says: 'Something is wrong; where it stops the table, `rulings` are the ways out.',
    fields: {
      round: optional(text),
      kind: irregularity,
      by: text,
      rulings: texts,
      stops: flag,
      note: optional(text),
      place: optional(whole),
    },
  },
  ReportDismissed: {
    says: 'A report was a mistake.',
    fields: { round: optional(text), kind: irregularity, reason: text },
  },
  RoundReconstructed: {
    says: 'The cards were replayed in the order in which they left the shoe.',
    fields: {
      round: text,
      by: text,
      before: cards,
      after: cards,
      surplus: surplus,
      burned: cards,
      phase: phase,
      reason: text,
    },
  },
  OrderRestored: {
    says: 'The order of the shoe is restored.',
    fields: { round: optional(text), by: text, reason: text },
  },
  CardCorrected: {
    says: 'The card on record was not the card dealt.',
    fields: {
      round: text,
      by: text,
      place: whole,
      was: card,
      card: card,
      after: cards,
      burned: cards,
      phase: phase,
      reason: text,
    },
  },
  CardBurned: {
    says: 'A card was laid aside.',
    fields: { round: optional(text), card: card, by: text, reason: text },
  },
  WagerReported: {
    says: 'A wager was placed, raised or taken back too late; what was accepted stands.',
    fields: { round: text, kind: wagerReport, place: id, wager: text, amount: amount, by: text },
  },
  Interrupted: {
    says: 'Table service was lost; `rulings` are the ways out, of which the cards dealt command one; `below` so many graver matters.',
    fields: { round: text, by: text, since: time, stateLost: flag, rulings: texts, below: optional(whole) },
  },
  InterruptionLogged: {
    says: 'Table service was lost without stopping a round.',
    fields: { round: optional(text), since: time, stateLost: flag },
  },
  FeltConfirmed: {
    says: 'Two persons find these cards on the felt and on record; `unseen` if one more lies there unseen, as the next.',
    fields: { round: text, by: text, cards: cards, unseen: optional(flag), reason: optional(text) },
  },
  RoundResumed: {
    says: 'The interrupted round goes on, since these wagers were won or lost by the cards dealt.',
    fields: { round: text, by: text, won: texts, lost: texts },
  },
  TerminalsLost: {
    says: 'Terminals were lost; `closed` tells whether the closing was displayed by then.',
    fields: { round: optional(text), terminals: ids, closed: flag, by: text },
  },
  TerminalsBack: { says: 'Terminals are back.', fields: { round: optional(text), terminals: ids } },
  Referred: {
    says: 'The table is frozen until the Gaming Shift Manager decides on this round, these terminals of it, or none.',
    fields: {
      referral: text,
      round: optional(text),
      terminals: optional(ids),
      by: text,
      reason: text,
      proposed: optional(decision),
      proposedBy: optional(text),
    },
  },
  ReferralDecided: {
    says: 'The Gaming Shift Manager decided.',
    fields: {
      referral: text,
      round: optional(text),
      terminal: optional(id),
      decision: decision,
      by: text,
      reason: text,
    },
  },
  SupervisorCalled: { says: 'A supervisor is called.', fields: { round: optional(text), reason: text } },
  CallAnswered: { says: 'A supervisor has come to a call.', fields: { round: optional(text), reason: text } },
  NoteAdded: {
    says: 'A note for the dealer, for the floor, or for the record alone.',
    fields: { round: optional(text), text: text, to: reader },
  },
  ShortfallCollected: {
    says: 'A terminal has paid what it owed from its credit; `left` is still open.',
    fields: { round: text, terminal: id, amount: amount, left: amount, by: text, reason: text },
  },
  ShortfallWrittenOff: {
    says: 'The house bears what a terminal owed; `left` is still open.',
    fields: { round: text, terminal: id, amount: amount, left: amount, by: text, reason: text },
  },
} as const satisfies { readonly [name: string]: Declaration };

/** What the act has already, or what is not known before it is done. */
const notShown: ReadonlySet<string> = new Set(['slips', 'salts']);
const previews = Object.fromEntries(
  Object.entries(happenings).map(([name, { fields }]) => [
    name,
    { fields: Object.fromEntries(Object.entries<Kind>(fields).filter(([field]) => !notShown.has(field))) },
  ]),
);

/** What a proposal would do: an event without its stamp. */
export type Effect = { readonly type: string; readonly [field: string]: unknown };
const effect: Kind<Effect> = named('effect', byTag('type', 'an event', tagged('type', 'the event', previews, {})));
const effects = listOf(effect, 'a list of events');

/** All that can happen at a table, beside `type`, `v`, `at`, `who` and `second` (the other person, where there were two). */
export const events = {
  ...happenings,
  Proposed: {
    says: 'A first person proposes, with all it would do; a second one is asked for.',
    fields: { proposal: text, act, effects, hash, expires: time },
  },
  Approved: { says: 'A second person consents.', fields: { proposal: text, hash } },
  ProposalWithdrawn: { says: 'A proposal was taken back.', fields: { proposal: text } },
} as const satisfies { readonly [name: string]: Declaration };

export type EventName = keyof typeof events;

/** Each event whole: the version of its form, when, by whom, and the second person where there were two. */
export const eventKinds = tagged('type', 'the event', events, { v: oneOf([1]), at: time, who, second: optional(who) });
export type EventOf<N extends EventName> = ValueOf<(typeof eventKinds)[N]>;
/** Something that has happened at a table; a record is made of them. */
export type TableEvent = EventOf<EventName>;
