import { amount, hash, id, reason, time } from '../../base/commonSchemas.ts';
import { actorSchema } from '../../access/actor.ts';
import * as s from '../../base/schema.ts';
import { type Shape, type Schema, type Infer } from '../../base/schema.ts';
import {
  amounts,
  card,
  cards,
  commitment,
  cardCounts,
  decision,
  hex,
  hexes,
  ids,
  irregularity,
  roundOutcomeSchema,
  phase,
  reader,
  resultsSchema,
  slip,
  slips,
  slot,
  surplus,
  wagerReport,
} from './fieldTypes.ts';
import { commandPayloadSchema } from './commands.ts';
import { settingsSchema } from './settings.ts';

type Declaration = { readonly says: string; readonly fields: Shape };

/** Events that a command gives directly or after an approval. */
const directEvents = {
  TableOpened: { says: 'The table is open.', fields: { setting: settingsSchema, hash: hash } },
  SettingChanged: { says: 'Another setting is in use.', fields: { setting: settingsSchema, hash: hash } },
  TableClosed: { says: 'The table is closed; no round opens.', fields: { reason: s.string } },
  TableReopened: { says: 'The table is open again.', fields: { reason: s.string } },
  ShoeBrought: {
    says: 'Cards for a live shoe are at the table.',
    fields: {
      shoe: id,
      seal: reason,
      size: s.nonNegativeInteger,
      decks: s.optional(s.nonNegativeInteger),
      backs: s.optional(reason),
    },
  },
  CardsInspected: {
    says: 'Faces and backs were looked at; `match` tells whether they are the decks of the shoe and unmarked.',
    fields: { shoe: id, match: s.boolean, note: s.optional(s.string), by: s.string },
  },
  CardsCounted: {
    says: 'The cards were counted in.',
    fields: { shoe: id, expected: s.nonNegativeInteger, counted: s.nonNegativeInteger },
  },
  ShoeShuffled: { says: 'The cards were shuffled.', fields: { shoe: id, method: reason } },
  ShoeCut: { says: 'The cutting card is in its place.', fields: { shoe: id, behind: s.nonNegativeInteger } },
  CutCorrected: {
    says: 'The depth of the cutting card was recorded wrongly.',
    fields: { shoe: id, was: s.nonNegativeInteger, behind: s.nonNegativeInteger, by: s.string, reason: s.string },
  },
  ShoeVerified: {
    says: 'Two persons declare the shoe ready.',
    fields: { shoe: id, size: s.nonNegativeInteger, behind: s.nonNegativeInteger, shuffled: s.boolean },
  },
  ShoeCommitted: {
    says: 'A virtual shoe is fixed by its root.',
    fields: { shoe: id, form: commitment, root: hex, size: s.nonNegativeInteger, behind: s.nonNegativeInteger },
  },
  TurnChosen: { says: 'The card that is dealt first is chosen.', fields: { shoe: id, turn: s.nonNegativeInteger } },
  CardsBurned: {
    says: 'The first card was turned and so many more laid aside unseen.',
    fields: {
      shoe: id,
      card: card,
      count: s.nonNegativeInteger,
      index: s.optional(s.nonNegativeInteger),
      salt: s.optional(hex),
      proof: s.optional(hexes),
    },
  },
  CuttingCardOut: {
    says: 'The cutting card came out, or is `missing` where it must be out by count.',
    fields: {
      shoe: id,
      round: s.optional(s.string),
      by: s.string,
      roundsLeft: s.nonNegativeInteger,
      missing: s.optional(s.boolean),
    },
  },
  ShoeLocked: { says: 'The shoe may not go on.', fields: { shoe: id, by: s.string, reason: s.string } },
  ShoeEnded: {
    says: 'The shoe is gone: what it should have held against what was seen; a virtual one in full, unless its order is lost.',
    fields: {
      shoe: id,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      extra: cardCounts,
      missing: cardCounts,
      unopened: s.optional(s.boolean),
      cards: s.optional(cards),
      salts: s.optional(hexes),
    },
  },
  ShoeSealed: {
    says: 'The live shoe has left under a seal; it is still to be counted.',
    fields: { shoe: id, seal: reason, to: s.optional(s.string), by: s.string },
  },
  SealedShoeCounted: {
    says: 'A shoe that had left sealed was counted: what it should have held against what was seen.',
    fields: {
      shoe: id,
      seal: reason,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      extra: cardCounts,
      missing: cardCounts,
      by: s.string,
    },
  },
  CountLookedInto: {
    says: 'Somebody has looked into a closing count that differed, with what was found.',
    fields: { shoe: id, reason: s.string, by: s.string },
  },
  BetsOpened: {
    says: 'Bets are open for a new round.',
    fields: {
      round: s.string,
      number: s.nonNegativeInteger,
      day: s.string,
      game: s.string,
      decks: s.nonNegativeInteger,
      hash: hash,
      closesAt: time,
      by: s.string,
    },
  },
  BetsExtended: { says: 'There is more time to bet.', fields: { round: s.string, closesAt: time } },
  ClosingCalled: {
    says: 'The close is called for this time.',
    fields: { round: s.string, deadline: time, by: s.string },
  },
  BetsClosed: { says: 'Bets are closed.', fields: { round: s.string, by: s.string } },
  SlipSet: {
    says: 'The terminal has these stakes; `hold` moves from its credit to the stakes, back if below zero.',
    fields: { round: s.string, terminal: id, slip: slip, hold: s.number },
  },
  CardDealt: {
    says: 'A card was dealt.',
    fields: {
      round: s.string,
      slot: slot,
      card: card,
      complete: s.boolean,
      index: s.optional(s.nonNegativeInteger),
      salt: s.optional(hex),
      proof: s.optional(hexes),
      keyed: s.optional(s.boolean),
      byEye: s.optional(s.string),
      afterwards: s.optional(s.boolean),
      carried: s.optional(s.boolean),
    },
  },
  CardTakenBack: {
    says: 'The last entry was taken back; a card that had been carried lies ready again.',
    fields: { round: s.string, slot: slot, card: card, carried: s.optional(s.boolean) },
  },
  RoundSettled: {
    says: 'The round has its results; postings follow in chunks.',
    fields: { round: s.string, settlement: s.string, cards: cards, results: resultsSchema },
  },
  RoundResettled: {
    says: 'A settled round gets other results or is void; what it paid is reversed.',
    fields: {
      round: s.string,
      settlement: s.string,
      reverses: s.string,
      by: s.string,
      cards: cards,
      outcome: roundOutcomeSchema,
      results: s.optional(resultsSchema),
      slips: s.optional(slips),
    },
  },
  RoundVoided: {
    says: 'The round is void; every stake goes back.',
    fields: { round: s.string, settlement: s.string, by: s.string, reason: s.string },
  },
  SlipVoided: {
    says: 'One terminal has its stakes back and is out of the round; `slipsHash` is of those that stay, where the next round has opened.',
    fields: {
      round: s.string,
      settlement: s.string,
      terminal: id,
      slip: slip,
      by: s.string,
      reason: s.string,
      slipsHash: s.optional(hash),
    },
  },
  SettlementPosted: {
    says: 'A chunk of a settlement is posted; `shortfalls` is what could not be taken back.',
    fields: {
      round: s.string,
      settlement: s.string,
      from: s.nonNegativeInteger,
      count: s.nonNegativeInteger,
      last: s.boolean,
      shortfalls: s.optional(amounts),
    },
  },
  IrregularityFound: {
    says: 'Something is wrong; where it stops the table, `rulings` are the ways out.',
    fields: {
      round: s.optional(s.string),
      kind: irregularity,
      by: s.string,
      rulings: s.strings,
      stops: s.boolean,
      note: s.optional(s.string),
      place: s.optional(s.nonNegativeInteger),
    },
  },
  ReportDismissed: {
    says: 'A report was a mistake.',
    fields: { round: s.optional(s.string), kind: irregularity, reason: s.string },
  },
  RoundReconstructed: {
    says: 'The cards were replayed in the order in which they left the shoe.',
    fields: {
      round: s.string,
      by: s.string,
      before: cards,
      after: cards,
      surplus: surplus,
      burned: cards,
      phase: phase,
      reason: s.string,
    },
  },
  OrderRestored: {
    says: 'The order of the shoe is restored.',
    fields: { round: s.optional(s.string), by: s.string, reason: s.string },
  },
  CardCorrected: {
    says: 'The card on record was not the card dealt.',
    fields: {
      round: s.string,
      by: s.string,
      place: s.nonNegativeInteger,
      was: card,
      card: card,
      after: cards,
      burned: cards,
      phase: phase,
      reason: s.string,
    },
  },
  CardBurned: {
    says: 'A card was laid aside.',
    fields: { round: s.optional(s.string), card: card, by: s.string, reason: s.string },
  },
  WagerReported: {
    says: 'A wager was placed, raised or taken back too late; what was accepted stands.',
    fields: { round: s.string, kind: wagerReport, place: id, wager: s.string, amount: amount, by: s.string },
  },
  Interrupted: {
    says: 'Table service was lost; `rulings` are the ways out, of which the cards dealt command one; `below` so many graver matters.',
    fields: {
      round: s.string,
      by: s.string,
      since: time,
      stateLost: s.boolean,
      rulings: s.strings,
      below: s.optional(s.nonNegativeInteger),
    },
  },
  InterruptionLogged: {
    says: 'Table service was lost without stopping a round.',
    fields: { round: s.optional(s.string), since: time, stateLost: s.boolean },
  },
  FeltConfirmed: {
    says: 'Two persons find these cards on the felt and on record; `unseen` if one more lies there unseen, as the next.',
    fields: {
      round: s.string,
      by: s.string,
      cards: cards,
      unseen: s.optional(s.boolean),
      reason: s.optional(s.string),
    },
  },
  RoundResumed: {
    says: 'The interrupted round goes on, since these wagers were won or lost by the cards dealt.',
    fields: { round: s.string, by: s.string, won: s.strings, lost: s.strings },
  },
  TerminalsLost: {
    says: 'Terminals were lost; `closed` tells whether the closing was displayed by then.',
    fields: { round: s.optional(s.string), terminals: ids, closed: s.boolean, by: s.string },
  },
  TerminalsBack: { says: 'Terminals are back.', fields: { round: s.optional(s.string), terminals: ids } },
  Referred: {
    says: 'The table is frozen until the Gaming Shift Manager decides on this round, these terminals of it, or none.',
    fields: {
      referral: s.string,
      round: s.optional(s.string),
      terminals: s.optional(ids),
      by: s.string,
      reason: s.string,
      proposed: s.optional(decision),
      proposedBy: s.optional(s.string),
    },
  },
  ReferralDecided: {
    says: 'The Gaming Shift Manager decided.',
    fields: {
      referral: s.string,
      round: s.optional(s.string),
      terminal: s.optional(id),
      decision: decision,
      by: s.string,
      reason: s.string,
    },
  },
  SupervisorCalled: { says: 'A supervisor is called.', fields: { round: s.optional(s.string), reason: s.string } },
  CallAnswered: { says: 'A supervisor has come to a call.', fields: { round: s.optional(s.string), reason: s.string } },
  NoteAdded: {
    says: 'A note for the dealer, for the floor, or for the record alone.',
    fields: { round: s.optional(s.string), text: s.string, to: reader },
  },
  ShortfallCollected: {
    says: 'A terminal has paid what it owed from its credit; `left` is still open.',
    fields: { round: s.string, terminal: id, amount: amount, left: amount, by: s.string, reason: s.string },
  },
  ShortfallWrittenOff: {
    says: 'The house bears what a terminal owed; `left` is still open.',
    fields: { round: s.string, terminal: id, amount: amount, left: amount, by: s.string, reason: s.string },
  },
} as const satisfies { readonly [name: string]: Declaration };

/** Fields that the payload holds already or that are unknown before the act. */
const notPreviewed: ReadonlySet<string> = new Set(['slips', 'salts']);
const previewDeclarations = Object.fromEntries(
  Object.entries(directEvents).map(([name, { fields }]) => [
    name,
    { fields: Object.fromEntries(Object.entries<Schema>(fields).filter(([field]) => !notPreviewed.has(field))) },
  ]),
);

/** An event of a preview, without time and actor. */
export type ProposedEvent = { readonly type: string; readonly [field: string]: unknown };
const effectSchema: Schema<ProposedEvent> = s.named(
  'effect',
  s.taggedUnion('type', 'an event', s.variants('type', 'the event', previewDeclarations, {})),
);
const effects = s.array(effectSchema, 'a list of events');

/** All events of a table. Each also has `type`, `v`, `at`, `who`, and `second` when two persons acted. */
export const events = {
  ...directEvents,
  Proposed: {
    says: 'A first person proposes, with all it would do; a second one is asked for.',
    fields: { proposal: s.string, act: commandPayloadSchema, effects, hash, expires: time },
  },
  Approved: { says: 'A second person consents.', fields: { proposal: s.string, hash } },
  ProposalWithdrawn: { says: 'A proposal was taken back.', fields: { proposal: s.string } },
} as const satisfies { readonly [name: string]: Declaration };

export type EventName = keyof typeof events;

/** Complete event schemas: version, time, actor, and second person. */
export const eventSchemas = s.variants('type', 'the event', events, {
  v: s.literals([1]),
  at: time,
  who: actorSchema,
  second: s.optional(actorSchema),
});
export type EventOf<N extends EventName> = Infer<(typeof eventSchemas)[N]>;
export type TableEvent = EventOf<EventName>;
