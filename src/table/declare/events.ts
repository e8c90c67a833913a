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
} from '../../rules/fields.ts';
import {
  amount,
  amounts,
  card,
  cards,
  commitment,
  counts,
  decision,
  duration,
  hash,
  hex,
  hexes,
  id,
  ids,
  irregularity,
  outcome,
  phase,
  reason,
  results,
  ruling,
  slip,
  slips,
  slot,
  surplus,
  time,
  wagerReport,
} from './kinds.ts';
import { act } from './commands.ts';
import { who } from './posts.ts';
import { wholeSetting } from './setting.ts';

type Declaration = { readonly says: string; readonly fields: Form };

/** What can happen by itself or after a second consent. */
const happenings = {
  TableOpened: { says: 'The table is open.', fields: { setting: wholeSetting, hash } },
  SettingChanged: { says: 'Another setting is in use.', fields: { setting: wholeSetting, hash } },
  ShoeBrought: {
    says: 'Cards for a live shoe are at the table.',
    fields: { shoe: id, seal: reason, size: whole },
  },
  CardsCounted: { says: 'The cards were counted in.', fields: { expected: whole, counted: whole } },
  ShoeShuffled: { says: 'The cards were shuffled.', fields: { method: reason } },
  ShoeCut: { says: 'The cutting card is in its place.', fields: { behind: whole } },
  ShoeVerified: {
    says: 'Two persons declare the shoe ready.',
    fields: { shoe: id, size: whole, behind: whole, shuffled: flag },
  },
  ShoeCommitted: {
    says: 'A virtual shoe is fixed by its root.',
    fields: { shoe: id, form: commitment, root: hex, size: whole, behind: whole },
  },
  TurnChosen: { says: 'The card that is dealt first is chosen.', fields: { turn: whole } },
  CardsBurned: {
    says: 'The first card was turned and so many more laid aside unseen.',
    fields: { card, count: whole, index: optional(whole), salt: optional(hex), proof: optional(hexes) },
  },
  CuttingCardOut: {
    says: 'The cutting card came out.',
    fields: { round: optional(text), by: text, roundsLeft: whole },
  },
  ShoeLocked: { says: 'The shoe may not go on.', fields: { by: text, reason: text } },
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
  BetsOpened: {
    says: 'Bets are open for a new round.',
    fields: {
      round: text,
      number: whole,
      day: text,
      game: text,
      decks: whole,
      hash,
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
    fields: { round: text, terminal: id, slip, hold: number },
  },
  CardDealt: {
    says: 'A card was dealt.',
    fields: {
      round: text,
      slot,
      card,
      complete: flag,
      index: optional(whole),
      salt: optional(hex),
      proof: optional(hexes),
      keyed: optional(flag),
      byEye: optional(text),
      carried: optional(flag),
    },
  },
  CardTakenBack: { says: 'The last entry was taken back.', fields: { round: text, slot, card } },
  RoundSettled: {
    says: 'The round has its results; postings follow in chunks.',
    fields: { round: text, settlement: text, cards, results },
  },
  RoundResettled: {
    says: 'A settled round gets other results or is void; what it paid is reversed.',
    fields: {
      round: text,
      settlement: text,
      reverses: text,
      by: text,
      cards,
      outcome,
      results: optional(results),
      slips: optional(slips),
    },
  },
  RoundVoided: {
    says: 'The round is void; every stake goes back.',
    fields: { round: text, settlement: text, by: text, reason: text },
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
    fields: { round: optional(text), kind: irregularity, by: text, rulings: texts, stops: flag, note: optional(text) },
  },
  ReportDismissed: {
    says: 'A report was a mistake.',
    fields: { kind: irregularity, reason: text, paused: duration },
  },
  RoundReconstructed: {
    says: 'The cards were replayed in the order in which they left the shoe.',
    fields: {
      round: text,
      by: text,
      before: cards,
      after: cards,
      surplus,
      burned: cards,
      phase,
      reason: text,
    },
  },
  OrderRestored: {
    says: 'The order of the shoe is restored.',
    fields: { by: text, reason: text, paused: duration },
  },
  CardCorrected: {
    says: 'The card on record was not the card dealt.',
    fields: {
      round: text,
      by: text,
      place: whole,
      was: card,
      card,
      after: cards,
      burned: cards,
      phase,
      reason: text,
    },
  },
  CardBurned: {
    says: 'A card was laid aside.',
    fields: { card, by: text, reason: text, paused: duration },
  },
  WagerReported: {
    says: 'A wager was placed, raised or taken back too late; what was accepted stands.',
    fields: { round: text, kind: wagerReport, place: id, wager: text, amount, by: text },
  },
  Interrupted: {
    says: 'Table service was lost; what the clause computes from the cards dealt.',
    fields: {
      round: text,
      by: text,
      since: time,
      stateLost: flag,
      ruling,
      won: texts,
      lost: texts,
    },
  },
  InterruptionLogged: {
    says: 'Table service was lost without stopping a round.',
    fields: { round: optional(text), since: time, stateLost: flag },
  },
  RoundResumed: { says: 'The interrupted round goes on.', fields: { round: text, by: text, paused: duration } },
  TerminalsLost: {
    says: 'Terminals were lost; `closed` tells whether the closing was displayed by then.',
    fields: { round: optional(text), terminals: ids, closed: flag, by: text },
  },
  TerminalsBack: { says: 'Terminals are back.', fields: { round: optional(text), terminals: ids } },
  Referred: {
    says: 'The table is frozen until the Gaming Shift Manager decides.',
    fields: { round: optional(text), by: text, reason: text, proposed: optional(decision) },
  },
  ReferralDecided: {
    says: 'The Gaming Shift Manager decided.',
    fields: { round: optional(text), decision, by: text, reason: text, paused: duration },
  },
} as const satisfies { readonly [name: string]: Declaration };

/** What the act has already, or what is not known before it is done. */
const notShown: ReadonlySet<string> = new Set(['paused', 'slips', 'salts']);
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
export type TableEvent = EventOf<EventName>;
