import { amount, hash, id, reason, time } from '../../base/commonSchemas.ts';
import { actorSchema } from '../../access/actor.ts';
import * as s from '../../base/schema.ts';
import { type Shape, type Schema, type Infer } from '../../base/schema.ts';
import {
  amountsByTerminalSchema,
  cardSchema,
  cardListSchema,
  commitmentSchemeSchema,
  cardCountsSchema,
  referralDecisionSchema,
  hex64Schema,
  hex64ListSchema,
  idListSchema,
  irregularityKindSchema,
  resettlementOutcomeSchema,
  phaseAfterReplaySchema,
  noteReaderSchema,
  wagerResultsSchema,
  slipSchema,
  slipsByTerminalSchema,
  slotSchema,
  surplusHandlingSchema,
  wagerReportKindSchema,
} from './fieldTypes.ts';
import { commandPayloadSchema } from './commands.ts';
import { settingsSchema } from './settings.ts';

type Declaration = { readonly description: string; readonly fields: Shape };

/** Events that a command gives directly or after an approval. */
const directEvents = {
  TableOpened: { description: 'The table is open.', fields: { settings: settingsSchema, hash: hash } },
  SettingsChanged: { description: 'Another setting is in use.', fields: { settings: settingsSchema, hash: hash } },
  TableClosed: { description: 'The table is closed; no round opens.', fields: { reason: s.string } },
  TableReopened: { description: 'The table is open again.', fields: { reason: s.string } },
  ShoeBrought: {
    description: 'Cards for a live shoe are at the table.',
    fields: {
      shoe: id,
      seal: reason,
      size: s.nonNegativeInteger,
      decks: s.optional(s.nonNegativeInteger),
      backs: s.optional(reason),
    },
  },
  CardsInspected: {
    description: 'Faces and backs were looked at; `match` tells whether they are the decks of the shoe and unmarked.',
    fields: { shoe: id, match: s.boolean, note: s.optional(s.string), by: s.string },
  },
  CardsCounted: {
    description: 'The cards were counted in.',
    fields: { shoe: id, expected: s.nonNegativeInteger, counted: s.nonNegativeInteger },
  },
  ShoeShuffled: { description: 'The cards were shuffled.', fields: { shoe: id, method: reason } },
  ShoeCut: { description: 'The cutting card is in its place.', fields: { shoe: id, behind: s.nonNegativeInteger } },
  CutCorrected: {
    description: 'The depth of the cutting card was recorded wrongly.',
    fields: { shoe: id, was: s.nonNegativeInteger, behind: s.nonNegativeInteger, by: s.string, reason: s.string },
  },
  ShoeVerified: {
    description: 'Two persons declare the shoe ready.',
    fields: { shoe: id, size: s.nonNegativeInteger, behind: s.nonNegativeInteger, shuffled: s.boolean },
  },
  ShoeCommitted: {
    description: 'A virtual shoe is fixed by its root.',
    fields: {
      shoe: id,
      scheme: commitmentSchemeSchema,
      root: hex64Schema,
      size: s.nonNegativeInteger,
      behind: s.nonNegativeInteger,
    },
  },
  CutPositionChosen: {
    description: 'The card that is dealt first is chosen.',
    fields: { shoe: id, cutPosition: s.nonNegativeInteger },
  },
  CardsBurned: {
    description: 'The first card was turned and so many more laid aside unseen.',
    fields: {
      shoe: id,
      card: cardSchema,
      count: s.nonNegativeInteger,
      index: s.optional(s.nonNegativeInteger),
      salt: s.optional(hex64Schema),
      proof: s.optional(hex64ListSchema),
    },
  },
  CuttingCardOut: {
    description: 'The cutting card came out, or is `missing` where it must be out by count.',
    fields: {
      shoe: id,
      round: s.optional(s.string),
      by: s.string,
      roundsLeft: s.nonNegativeInteger,
      missing: s.optional(s.boolean),
    },
  },
  ShoeLocked: { description: 'The shoe may not go on.', fields: { shoe: id, by: s.string, reason: s.string } },
  ShoeEnded: {
    description:
      'The shoe is gone: what it should have held against what was seen; a virtual one in full, unless its order is lost.',
    fields: {
      shoe: id,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      extra: cardCountsSchema,
      missing: cardCountsSchema,
      unopened: s.optional(s.boolean),
      cards: s.optional(cardListSchema),
      salts: s.optional(hex64ListSchema),
    },
  },
  ShoeSealed: {
    description: 'The live shoe has left under a seal; it is still to be counted.',
    fields: { shoe: id, seal: reason, to: s.optional(s.string), by: s.string },
  },
  SealedShoeCounted: {
    description: 'A shoe that had left sealed was counted: what it should have held against what was seen.',
    fields: {
      shoe: id,
      seal: reason,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      extra: cardCountsSchema,
      missing: cardCountsSchema,
      by: s.string,
    },
  },
  CountInvestigated: {
    description: 'Somebody has looked into a closing count that differed, with what was found.',
    fields: { shoe: id, reason: s.string, by: s.string },
  },
  BetsOpened: {
    description: 'Bets are open for a new round.',
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
  BetsExtended: { description: 'There is more time to bet.', fields: { round: s.string, closesAt: time } },
  ClosingCalled: {
    description: 'The close is called for this time.',
    fields: { round: s.string, deadline: time, by: s.string },
  },
  BetsClosed: { description: 'Bets are closed.', fields: { round: s.string, by: s.string } },
  SlipSet: {
    description: 'The terminal has these stakes; `hold` moves from its credit to the stakes, back if below zero.',
    fields: { round: s.string, terminal: id, slip: slipSchema, debit: s.number },
  },
  CardDealt: {
    description: 'A card was dealt.',
    fields: {
      round: s.string,
      slot: slotSchema,
      card: cardSchema,
      complete: s.boolean,
      index: s.optional(s.nonNegativeInteger),
      salt: s.optional(hex64Schema),
      proof: s.optional(hex64ListSchema),
      keyed: s.optional(s.boolean),
      byEye: s.optional(s.string),
      afterwards: s.optional(s.boolean),
      carried: s.optional(s.boolean),
    },
  },
  CardTakenBack: {
    description: 'The last entry was taken back; a card that had been carried lies ready again.',
    fields: { round: s.string, slot: slotSchema, card: cardSchema, carried: s.optional(s.boolean) },
  },
  RoundSettled: {
    description: 'The round has its results; postings follow in chunks.',
    fields: { round: s.string, settlement: s.string, cards: cardListSchema, results: wagerResultsSchema },
  },
  RoundResettled: {
    description: 'A settled round gets other results or is void; what it paid is reversed.',
    fields: {
      round: s.string,
      settlement: s.string,
      reverses: s.string,
      by: s.string,
      cards: cardListSchema,
      outcome: resettlementOutcomeSchema,
      results: s.optional(wagerResultsSchema),
      slips: s.optional(slipsByTerminalSchema),
    },
  },
  RoundVoided: {
    description: 'The round is void; every stake goes back.',
    fields: { round: s.string, settlement: s.string, by: s.string, reason: s.string },
  },
  SlipVoided: {
    description:
      'One terminal has its stakes back and is out of the round; `slipsHash` is of those that stay, where the next round has opened.',
    fields: {
      round: s.string,
      settlement: s.string,
      terminal: id,
      slip: slipSchema,
      by: s.string,
      reason: s.string,
      slipsHash: s.optional(hash),
    },
  },
  SettlementPosted: {
    description: 'A chunk of a settlement is posted; `shortfalls` is what could not be taken back.',
    fields: {
      round: s.string,
      settlement: s.string,
      from: s.nonNegativeInteger,
      count: s.nonNegativeInteger,
      last: s.boolean,
      shortfalls: s.optional(amountsByTerminalSchema),
    },
  },
  IrregularityFound: {
    description: 'Something is wrong; where it stops the table, `rulings` are the options.',
    fields: {
      round: s.optional(s.string),
      kind: irregularityKindSchema,
      by: s.string,
      rulings: s.strings,
      stops: s.boolean,
      note: s.optional(s.string),
      place: s.optional(s.nonNegativeInteger),
    },
  },
  ReportDismissed: {
    description: 'A report was a mistake.',
    fields: { round: s.optional(s.string), kind: irregularityKindSchema, reason: s.string },
  },
  RoundReconstructed: {
    description: 'The cards were replayed in the order in which they left the shoe.',
    fields: {
      round: s.string,
      by: s.string,
      before: cardListSchema,
      after: cardListSchema,
      surplus: surplusHandlingSchema,
      burned: cardListSchema,
      phase: phaseAfterReplaySchema,
      reason: s.string,
    },
  },
  OrderRestored: {
    description: 'The order of the shoe is restored.',
    fields: { round: s.optional(s.string), by: s.string, reason: s.string },
  },
  CardCorrected: {
    description: 'The card on record was not the card dealt.',
    fields: {
      round: s.string,
      by: s.string,
      place: s.nonNegativeInteger,
      was: cardSchema,
      card: cardSchema,
      after: cardListSchema,
      burned: cardListSchema,
      phase: phaseAfterReplaySchema,
      reason: s.string,
    },
  },
  CardBurned: {
    description: 'A card was laid aside.',
    fields: { round: s.optional(s.string), card: cardSchema, by: s.string, reason: s.string },
  },
  WagerReported: {
    description: 'A wager was placed, raised or taken back too late; what was accepted stands.',
    fields: { round: s.string, kind: wagerReportKindSchema, place: id, wager: s.string, amount: amount, by: s.string },
  },
  Interrupted: {
    description:
      'Table service was lost; `rulings` are the options, of which the cards dealt command one; `below` so many graver matters.',
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
    description: 'Table service was lost without stopping a round.',
    fields: { round: s.optional(s.string), since: time, stateLost: s.boolean },
  },
  FeltConfirmed: {
    description:
      'Two persons find these cards on the felt and on record; `unseen` if one more lies there unseen, as the next.',
    fields: {
      round: s.string,
      by: s.string,
      cards: cardListSchema,
      unseen: s.optional(s.boolean),
      reason: s.optional(s.string),
    },
  },
  RoundResumed: {
    description: 'The interrupted round goes on, since these wagers were won or lost by the cards dealt.',
    fields: { round: s.string, by: s.string, won: s.strings, lost: s.strings },
  },
  TerminalsDisconnected: {
    description: 'Terminals were lost; `closed` tells whether the closing was displayed by then.',
    fields: { round: s.optional(s.string), terminals: idListSchema, closed: s.boolean, by: s.string },
  },
  TerminalsReconnected: {
    description: 'Terminals are back.',
    fields: { round: s.optional(s.string), terminals: idListSchema },
  },
  Referred: {
    description:
      'The table is frozen until the Gaming Shift Manager decides on this round, these terminals of it, or none.',
    fields: {
      referral: s.string,
      round: s.optional(s.string),
      terminals: s.optional(idListSchema),
      by: s.string,
      reason: s.string,
      proposed: s.optional(referralDecisionSchema),
      proposedBy: s.optional(s.string),
    },
  },
  ReferralDecided: {
    description: 'The Gaming Shift Manager decided.',
    fields: {
      referral: s.string,
      round: s.optional(s.string),
      terminal: s.optional(id),
      decision: referralDecisionSchema,
      by: s.string,
      reason: s.string,
    },
  },
  SupervisorCalled: {
    description: 'A supervisor is called.',
    fields: { round: s.optional(s.string), reason: s.string },
  },
  CallAnswered: {
    description: 'A supervisor has come to a call.',
    fields: { round: s.optional(s.string), reason: s.string },
  },
  NoteAdded: {
    description: 'A note for the dealer, for the floor, or for the record alone.',
    fields: { round: s.optional(s.string), text: s.string, to: noteReaderSchema },
  },
  ShortfallCollected: {
    description: 'A terminal has paid what it owed from its credit; `left` is still open.',
    fields: { round: s.string, terminal: id, amount: amount, left: amount, by: s.string, reason: s.string },
  },
  ShortfallWrittenOff: {
    description: 'The house bears what a terminal owed; `left` is still open.',
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
export const tableEvents = {
  ...directEvents,
  Proposed: {
    description: 'A first person proposes, with all it would do; a second one is asked for.',
    fields: { proposal: s.string, command: commandPayloadSchema, effects, hash, expires: time },
  },
  Approved: { description: 'A second person consents.', fields: { proposal: s.string, hash } },
  ProposalWithdrawn: { description: 'A proposal was taken back.', fields: { proposal: s.string } },
} as const satisfies { readonly [name: string]: Declaration };

export type EventName = keyof typeof tableEvents;

/** Complete event schemas: version, time, actor, and second person. */
export const eventSchemas = s.variants('type', 'the event', tableEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
  second: s.optional(actorSchema),
});
export type EventOf<N extends EventName> = Infer<(typeof eventSchemas)[N]>;
export type TableEvent = EventOf<EventName>;
