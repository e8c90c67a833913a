import { amount, hash, id, reason, time } from '../../base/commonSchemas.ts';
import { actorSchema } from '../../access/actor.ts';
import * as s from '../../base/schemas.ts';
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
  phaseAfterCardReplaySchema,
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

/** Events that carry out commands. `tableEvents` adds the events of proposals. */
const directEvents = {
  TableOpened: {
    description: 'The table was opened with these settings.',
    fields: { settings: settingsSchema, hash: hash },
  },
  SettingsChanged: {
    description: 'The settings of the table were replaced.',
    fields: { settings: settingsSchema, hash: hash },
  },
  TableClosed: { description: 'The table was closed; no further round opens.', fields: { reason: s.string } },
  TableReopened: { description: 'The table was opened again.', fields: { reason: s.string } },
  ShoeBrought: {
    description: 'Cards for a live shoe arrived at the table under this seal.',
    fields: {
      shoe: id,
      seal: reason,
      size: s.nonNegativeInteger,
      decks: s.optional(s.nonNegativeInteger),
      backs: s.optional(reason),
    },
  },
  CardsInspected: {
    description:
      'Faces and backs were inspected. `match` is true if every deck is complete, all backs have one design, and no card is marked.',
    fields: { shoe: id, match: s.boolean, note: s.optional(s.string), by: s.string },
  },
  CardsCounted: {
    description: 'The cards of the shoe were counted.',
    fields: { shoe: id, expected: s.nonNegativeInteger, counted: s.nonNegativeInteger },
  },
  ShoeShuffled: { description: 'The cards were shuffled.', fields: { shoe: id, method: reason } },
  ShoeCut: {
    description: 'The shoe was cut. `behind` is the number of cards behind the cutting card.',
    fields: { shoe: id, behind: s.nonNegativeInteger },
  },
  CutCorrected: {
    description: 'The recorded number of cards behind the cutting card was corrected: `behind` replaces `was`.',
    fields: { shoe: id, was: s.nonNegativeInteger, behind: s.nonNegativeInteger, by: s.string, reason: s.string },
  },
  ShoeVerified: {
    description: 'Two persons declared the shoe ready.',
    fields: { shoe: id, size: s.nonNegativeInteger, behind: s.nonNegativeInteger, shuffled: s.boolean },
  },
  ShoeCommitted: {
    description: 'A virtual shoe was committed: `root` fixes the order of its cards.',
    fields: {
      shoe: id,
      scheme: commitmentSchemeSchema,
      root: hex64Schema,
      size: s.nonNegativeInteger,
      behind: s.nonNegativeInteger,
    },
  },
  CutPositionChosen: {
    description: 'The first card to be dealt from a virtual shoe was chosen.',
    fields: { shoe: id, cutPosition: s.nonNegativeInteger },
  },
  CardsBurned: {
    description: 'The first card of the shoe was turned, and `count` more were burned face down.',
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
    description: 'The cutting card came out or, if `missing`, must have come out by count and was not found.',
    fields: {
      shoe: id,
      round: s.optional(s.string),
      by: s.string,
      roundsLeft: s.nonNegativeInteger,
      missing: s.optional(s.boolean),
    },
  },
  ShoeLocked: {
    description: 'The shoe was locked: no further round is dealt from it.',
    fields: { shoe: id, by: s.string, reason: s.string },
  },
  ShoeEnded: {
    description:
      'The shoe was taken away. `expected` and `seen` are card counts; `extra` and `missing` are the differences. A virtual shoe is opened in full, unless its order is lost (`unopened`).',
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
    description: 'The live shoe left under a seal and is still to be counted.',
    fields: { shoe: id, seal: reason, to: s.optional(s.string), by: s.string },
  },
  ShoeCounted: {
    description:
      'A person has counted a live shoe blind; the shoe is counted again if the count differs. `expected` and `seen` are card counts; `extra` and `missing` are the differences.',
    fields: {
      shoe: id,
      expected: s.nonNegativeInteger,
      seen: s.nonNegativeInteger,
      extra: cardCountsSchema,
      missing: cardCountsSchema,
      by: s.string,
    },
  },
  SealedShoeCounted: {
    description:
      'A sealed shoe was counted. `expected` and `seen` are card counts; `extra` and `missing` are the differences.',
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
    description: 'A closing count that differed was investigated; `reason` is the finding.',
    fields: { shoe: id, reason: s.string, by: s.string },
  },
  BetsOpened: {
    description: 'Bets were opened for a new round.',
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
  BetsExtended: {
    description: 'The betting time was extended to `closesAt`.',
    fields: { round: s.string, closesAt: time },
  },
  ClosingCalled: {
    description: 'The close of bets was announced; bets close at `deadline`.',
    fields: { round: s.string, deadline: time, by: s.string },
  },
  BetsClosed: { description: 'Bets were closed.', fields: { round: s.string, by: s.string } },
  SlipSet: {
    description:
      'The terminal has these stakes. `debit` moved from its credit to the stakes; a negative amount moved back.',
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
    description: 'The last card entered was taken back. If `carried`, this card is again the next one to be dealt.',
    fields: { round: s.string, slot: slotSchema, card: cardSchema, carried: s.optional(s.boolean) },
  },
  RoundSettled: {
    description: 'The round was settled with these results; the postings follow in chunks.',
    fields: { round: s.string, settlement: s.string, cards: cardListSchema, results: wagerResultsSchema },
  },
  RoundResettled: {
    description: 'A settled round got other results or was voided; what it paid is reversed.',
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
    description: 'The round was voided; every stake is returned.',
    fields: { round: s.string, settlement: s.string, by: s.string, reason: s.string },
  },
  SlipVoided: {
    description:
      'The slip of one terminal was voided: its stakes are returned, and the slip leaves the round. `slipsHash` is the hash of the other slips, if the next round has opened.',
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
    description: 'A chunk of a settlement was posted. `shortfalls` are the amounts that could not be taken back.',
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
    description: 'An irregularity was found. If it stops the table, `rulings` are the options.',
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
    description: 'A report was dismissed as a mistake.',
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
      phase: phaseAfterCardReplaySchema,
      reason: s.string,
    },
  },
  OrderRestored: {
    description: 'The order of the shoe was restored.',
    fields: { round: s.optional(s.string), by: s.string, reason: s.string },
  },
  CardCorrected: {
    description:
      'A card that was recorded wrongly was corrected: `card` replaces `was`. `after` are the cards of the round now.',
    fields: {
      round: s.string,
      by: s.string,
      place: s.nonNegativeInteger,
      was: cardSchema,
      card: cardSchema,
      after: cardListSchema,
      burned: cardListSchema,
      phase: phaseAfterCardReplaySchema,
      reason: s.string,
    },
  },
  CardBurned: {
    description: 'A card was burned.',
    fields: { round: s.optional(s.string), card: cardSchema, by: s.string, reason: s.string },
  },
  WagerReported: {
    description: 'Chips were placed, raised or withdrawn after the close; the accepted stake does not change.',
    fields: { round: s.string, kind: wagerReportKindSchema, place: id, wager: s.string, amount: amount, by: s.string },
  },
  Interrupted: {
    description:
      'Table service was lost in a round. `rulings` are the options; the cards dealt decide which one applies. `below` is the number of more serious open irregularities.',
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
    description: 'Table service was lost, and no round was stopped.',
    fields: { round: s.optional(s.string), since: time, stateLost: s.boolean },
  },
  FeltConfirmed: {
    description:
      'Two persons confirmed that the cards on the felt are the recorded ones. `unseen`: one more card lies face down and is dealt next.',
    fields: {
      round: s.string,
      by: s.string,
      cards: cardListSchema,
      unseen: s.optional(s.boolean),
      reason: s.optional(s.string),
    },
  },
  RoundResumed: {
    description:
      'The interrupted round was resumed, since the cards dealt had already decided the wagers `won` and `lost`.',
    fields: { round: s.string, by: s.string, won: s.strings, lost: s.strings },
  },
  TerminalsDisconnected: {
    description: 'Terminals disconnected. `closed` is true if they had displayed the close of bets by then.',
    fields: { round: s.optional(s.string), terminals: idListSchema, closed: s.boolean, by: s.string },
  },
  TerminalsReconnected: {
    description: 'Terminals reconnected.',
    fields: { round: s.optional(s.string), terminals: idListSchema },
  },
  Referred: {
    description:
      'A question was referred, and the table is frozen until the Gaming Shift Manager decides. The question is about `round`, about `terminals` of that round, or about no round.',
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
    description: 'The Gaming Shift Manager decided a referral, for one terminal or for all.',
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
    description: 'A supervisor was called to the table.',
    fields: { round: s.optional(s.string), reason: s.string },
  },
  CallAnswered: {
    description: 'A supervisor came to the table after a call.',
    fields: { round: s.optional(s.string), reason: s.string },
  },
  NoteAdded: {
    description: 'A note was left for the dealer, for the floor, or for the event log only.',
    fields: { round: s.optional(s.string), text: s.string, to: noteReaderSchema },
  },
  ShortfallCollected: {
    description: 'A shortfall was collected from the credit of the terminal; `left` is still open.',
    fields: { round: s.string, terminal: id, amount: amount, left: amount, by: s.string, reason: s.string },
  },
  ShortfallWrittenOff: {
    description: 'A shortfall was written off; `left` is still open.',
    fields: { round: s.string, terminal: id, amount: amount, left: amount, by: s.string, reason: s.string },
  },
} as const satisfies { readonly [name: string]: Declaration };

/** Fields that a previewed event leaves out, since the payload of its command contains them. */
const notPreviewed: ReadonlySet<string> = new Set(['slips', 'salts']);
const previewDeclarations = Object.fromEntries(
  Object.entries(directEvents).map(([name, { fields }]) => [
    name,
    { fields: Object.fromEntries(Object.entries<Schema>(fields).filter(([field]) => !notPreviewed.has(field))) },
  ]),
);

/** An event that a proposed command would produce, without version, time and actors. */
export type PreviewedEvent = { readonly type: string; readonly [field: string]: unknown };
const effectSchema: Schema<PreviewedEvent> = s.named(
  'effect',
  s.taggedUnion('type', 'an event', s.variantSchemas('type', 'the event', previewDeclarations, {})),
);
const effects = s.array(effectSchema, 'a list of events');

/** All events of a table. Each also has `type`, `v`, `at`, `actor`, and `second` when two persons acted. */
export const tableEvents = {
  ...directEvents,
  Proposed: {
    description: 'A command was proposed and awaits a second person. `effects` are the events that it would produce.',
    fields: { proposal: s.string, command: commandPayloadSchema, effects, hash, expires: time },
  },
  Approved: { description: 'A second person approved the proposal.', fields: { proposal: s.string, hash } },
  ProposalWithdrawn: { description: 'The proposal was withdrawn.', fields: { proposal: s.string } },
} as const satisfies { readonly [name: string]: Declaration };

export type EventName = keyof typeof tableEvents;

export const eventSchemas = s.variantSchemas('type', 'the event', tableEvents, {
  v: s.literals([1]),
  at: time,
  actor: actorSchema,
  second: s.optional(actorSchema),
});
export type EventOf<N extends EventName> = Infer<(typeof eventSchemas)[N]>;
export type TableEvent = EventOf<EventName>;
