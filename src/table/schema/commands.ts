import { amount, hash, id, reason, time } from '../../base/commonSchemas.ts';
import { staffActorSchema, actorSchema } from '../../access/actor.ts';
import { type ClauseRef } from '../../games/rulebooks.ts';
import * as s from '../../base/schema.ts';
import { type Shape, type Infer } from '../../base/schema.ts';
import {
  amountsByTerminalSchema,
  cardSchema,
  cardListSchema,
  remainingSessionLimitsSchema,
  cardCountsSchema,
  referralDecisionSchema,
  hex64Schema,
  hex64ListSchema,
  idListSchema,
  durationMsSchema,
  noteReaderSchema,
  reportableKindSchema,
  slipSchema,
  slipsByTerminalSchema,
  slotSchema,
  wagerReportKindSchema,
} from './fieldTypes.ts';
import { type ApprovalRuleName } from '../../access/approvalRules.ts';
import { settingsInputSchema } from './settings.ts';

type Declaration = {
  readonly description: string;
  /** Clauses of the rulebook about it. */
  readonly by?: readonly ClauseRef[];
  /** Approval rule; without one no staff member may send it. */
  readonly approvalRule?: ApprovalRuleName;
  /** Other allowed senders: a terminal, the system of an unattended table, or the service of any table. */
  readonly also?: readonly ('terminal' | 'system' | 'service')[];
  /** Allowed while a ruling (`held`) or a decision (`referred`) is pending. */
  readonly during?: readonly ('held' | 'referred')[];
  readonly fields: Shape;
};

const whileStopped = ['held', 'referred'] as const;

/** All commands of a table. Each also has `type`, `at` and `who`. */
export const tableCommands = {
  OpenTable: {
    description: 'Open a table with a setting; the second person is named with it.',
    approvalRule: 'change the settings',
    also: ['system'],
    fields: { settings: settingsInputSchema, second: s.optional(staffActorSchema) },
  },
  ChangeSettings: {
    description: 'Put another setting in the place of the one in use; only a demo does so by itself.',
    approvalRule: 'change the settings',
    also: ['service'],
    fields: { settings: settingsInputSchema },
  },
  CloseTable: {
    description: 'Close the table; a round that is played goes to its end, and none opens until it is opened again.',
    approvalRule: 'close the table',
    fields: { reason: reason },
  },
  ReopenTable: {
    description: 'Open a closed table again.',
    approvalRule: 'close the table',
    during: whileStopped,
    fields: { reason: reason },
  },
  BringShoe: {
    description:
      'Bring the cards for a live shoe, with the seal they came under; with `decks` and `backs` they are inspected as well.',
    by: ['cards'],
    approvalRule: 'run the table',
    fields: { shoe: id, seal: reason, decks: s.optional(s.nonNegativeInteger), backs: s.optional(reason) },
  },
  InspectCards: {
    description: 'Record that faces and backs were looked at: whether they are the decks of the shoe and unmarked.',
    by: ['cards'],
    approvalRule: 'run the table',
    fields: { match: s.boolean, note: s.optional(reason) },
  },
  CountCards: {
    description: 'Record how many cards were counted into the shoe.',
    approvalRule: 'run the table',
    fields: { cards: s.nonNegativeInteger },
  },
  ShuffleShoe: {
    description: 'Record the shuffle and its method.',
    approvalRule: 'run the table',
    fields: { method: reason },
  },
  CutShoe: {
    description: 'Record the cut: how many cards lie behind the cutting card.',
    by: ['cut'],
    approvalRule: 'run the table',
    fields: { behind: s.nonNegativeInteger },
  },
  CorrectCut: {
    description: 'Put right how many cards lie behind the cutting card, where it was recorded wrongly.',
    by: ['cut'],
    approvalRule: 'change the shoe',
    fields: { behind: s.nonNegativeInteger, reason: reason },
  },
  VerifyShoe: { description: 'Declare the live shoe ready.', approvalRule: 'change the shoe', fields: {} },
  CommitShoe: {
    description: 'Bring a virtual shoe by the root of its hash tree.',
    approvalRule: 'run the table',
    also: ['service'],
    fields: { shoe: id, root: hex64Schema },
  },
  ChooseCutPosition: {
    description: 'Choose which card of a committed shoe is dealt first; not by whoever committed it.',
    by: ['roles'],
    approvalRule: 'run the table',
    also: ['terminal', 'system'],
    fields: { cutPosition: s.nonNegativeInteger },
  },
  BurnCards: {
    description: 'Turn the first card of the shoe and lay aside as many more as it counts.',
    approvalRule: 'run the table',
    also: ['system'],
    fields: { card: cardSchema, salt: s.optional(hex64Schema), proof: s.optional(hex64ListSchema) },
  },
  ReportCuttingCard: {
    description: 'The cutting card came out of the live shoe.',
    by: ['cut'],
    approvalRule: 'run the table',
    fields: {},
  },
  EndShoe: {
    description: 'Take the shoe away: count all cards of a live one, open all of a virtual one.',
    approvalRule: 'change the shoe',
    also: ['system'],
    fields: {
      seen: s.optional(cardCountsSchema),
      cards: s.optional(cardListSchema),
      salts: s.optional(hex64ListSchema),
    },
  },
  SealShoe: {
    description: 'Let the live shoe leave under a seal with all its cards, to be counted later by two others.',
    by: ['HOUSE 7'],
    approvalRule: 'change the shoe',
    fields: { seal: reason, to: s.optional(reason) },
  },
  CountSealedShoe: {
    description: 'Count all cards of a shoe that left sealed; by two who did not seal it.',
    by: ['HOUSE 7'],
    approvalRule: 'change the shoe',
    fields: { shoe: id, seen: cardCountsSchema },
  },
  InvestigateCount: {
    description: 'Say what was found of a closing count that differed.',
    by: ['HOUSE 7'],
    approvalRule: 'investigate a count',
    during: whileStopped,
    fields: { shoe: id, reason: reason },
  },
  OpenBets: {
    description: '"Place your bets, please."',
    by: ['open'],
    approvalRule: 'run the table',
    also: ['system'],
    fields: {},
  },
  ExtendBets: {
    description: 'Give more time to bet.',
    approvalRule: 'run the table',
    fields: { time: durationMsSchema },
  },
  CallClose: {
    description:
      'Call the close: sets the deadline, never before the betting time is over; with chips the call is the close.',
    by: ['close'],
    approvalRule: 'run the table',
    also: ['system'],
    fields: { notice: s.optional(durationMsSchema) },
  },
  CloseBets: {
    description: '"No more bets."',
    by: ['close'],
    approvalRule: 'run the table',
    also: ['service'],
    fields: {},
  },
  SetSlip: {
    description:
      'Set all stakes of the terminal in the round; `credit` is its balance without what this table holds, `care` what its patron has set for the session.',
    by: ['limits', 'placedLate', 'raisedLate', 'withdrawnLate'],
    also: ['terminal'],
    fields: {
      round: s.string,
      slip: slipSchema,
      credit: amount,
      sessionLimits: s.optional(remainingSessionLimitsSchema),
    },
  },
  DealCard: {
    description:
      'A card came out of the shoe for this slot; a virtual one with its salt and proof; `afterwards` if dealt by hand while the system was lost.',
    by: ['close', 'play'],
    approvalRule: 'run the table',
    also: ['system'],
    fields: {
      slot: slotSchema,
      card: cardSchema,
      salt: s.optional(hex64Schema),
      proof: s.optional(hex64ListSchema),
      keyed: s.optional(s.boolean),
      afterwards: s.optional(s.boolean),
    },
  },
  TakeBackCard: {
    description: 'Take back the last entry, before the next card and before the result.',
    by: ['correction'],
    approvalRule: 'run the table',
    fields: {},
  },
  Settle: {
    description: 'Settle the round; with chips, it is paid. `credits` only where a settled round is settled again.',
    by: ['play'],
    approvalRule: 'run the table',
    also: ['system'],
    fields: { credits: s.optional(amountsByTerminalSchema) },
  },
  PostSettlement: {
    description: 'Post the next chunk of what is settled and not in question; `credits` where money is taken back.',
    approvalRule: 'run the table',
    also: ['service'],
    during: whileStopped,
    fields: { credits: s.optional(amountsByTerminalSchema) },
  },
  ReportIrregularity: {
    description:
      'Something is wrong with cards or shoe, and graver than what is reported already; `place` is the first of cards drawn together, if not the next one.',
    approvalRule: 'refer',
    also: ['system'],
    during: whileStopped,
    fields: { kind: reportableKindSchema, place: s.optional(s.nonNegativeInteger), note: s.optional(reason) },
  },
  ReportWager: {
    description: 'Chips were placed, raised or taken back after the close.',
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { kind: wagerReportKindSchema, place: id, wager: s.string, amount: amount },
  },
  ReportInterruption: {
    description: 'Table service was lost since that time; perhaps its state as well.',
    approvalRule: 'refer',
    also: ['service'],
    during: whileStopped,
    fields: { since: time, stateLost: s.boolean },
  },
  ConfirmFelt: {
    description:
      'After an interruption at a live shoe: every card that had left it is on record; `unseen` if one more lies there unseen.',
    by: ['irregularities'],
    approvalRule: 'rule before settlement',
    during: ['held'],
    fields: { unseen: s.optional(s.boolean), reason: s.optional(reason) },
  },
  ConfirmRuling: {
    description:
      'Carry out what the clause computes after an interruption, at a live shoe once felt and record agree; `credits` where a settled round is voided.',
    approvalRule: 'confirm what a clause computes',
    also: ['system'],
    during: ['held'],
    fields: { credits: s.optional(amountsByTerminalSchema) },
  },
  ReportTerminals: {
    description: 'Terminals were lost, or are back; `since` if that was before now.',
    approvalRule: 'run the table',
    also: ['service'],
    during: whileStopped,
    fields: { terminals: idListSchema, disconnected: s.boolean, since: s.optional(time) },
  },
  VoidRound: {
    description:
      'Void the round, by the clause of what was reported; with no report it is void before the close and referred after it.',
    by: ['unplayable', 'irregularities'],
    approvalRule: 'void with a card out',
    also: ['system'],
    during: ['held'],
    fields: { reason: reason, credits: s.optional(amountsByTerminalSchema) },
  },
  ReconstructRound: {
    description: 'Replay the cards in the order in which they left the shoe; `unseen` if one more left it unseen.',
    approvalRule: 'rule before settlement',
    during: ['held'],
    fields: { cards: cardListSchema, unseen: s.boolean, reason: reason, credits: s.optional(amountsByTerminalSchema) },
  },
  RestoreOrder: {
    description: 'The order of the shoe is restored.',
    approvalRule: 'rule before settlement',
    during: ['held'],
    fields: { reason: reason },
  },
  EnterCard: {
    description:
      'Enter by eye a card that the reader cannot read, or one that had left a live shoe before an interruption.',
    approvalRule: 'rule before settlement',
    during: ['held'],
    fields: { slot: slotSchema, card: cardSchema, reason: reason },
  },
  CorrectCard: {
    description: 'Put the card that was dealt in the place of the one on record; `slips` for a round before the last.',
    by: ['correction'],
    approvalRule: 'rule before settlement',
    during: ['held'],
    fields: {
      round: s.string,
      place: s.nonNegativeInteger,
      card: cardSchema,
      slips: s.optional(slipsByTerminalSchema),
      reason: reason,
      credits: s.optional(amountsByTerminalSchema),
    },
  },
  BurnCard: {
    description: 'Lay aside the card that was found face up.',
    approvalRule: 'burn a card',
    during: ['held'],
    fields: { card: cardSchema, reason: reason },
  },
  DismissReport: {
    description: 'The report was a mistake.',
    approvalRule: 'rule before settlement',
    during: ['held'],
    fields: { reason: reason },
  },
  Refer: {
    description:
      'Refer to the Gaming Shift Manager; the table is frozen. Without `round` it is about the round that is stopped or played, between rounds about none.',
    by: ['refer'],
    approvalRule: 'refer',
    also: ['system'],
    during: whileStopped,
    fields: { reason: reason, round: s.optional(s.string), terminal: s.optional(id) },
  },
  DecideReferral: {
    description:
      'Decide a referral, the first in line unless named, for one terminal or all; `lock` takes the shoe out of use, `slips` for a round before the last, `credits` where money is taken back.',
    by: ['refer', 'unplayable'],
    approvalRule: 'decide a referral',
    during: ['referred'],
    fields: {
      referral: s.optional(s.string),
      decision: referralDecisionSchema,
      terminal: s.optional(id),
      lock: s.optional(s.boolean),
      reason: reason,
      slips: s.optional(slipsByTerminalSchema),
      credits: s.optional(amountsByTerminalSchema),
    },
  },
  CallSupervisor: {
    description: 'Call a supervisor to the table.',
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { reason: reason },
  },
  AnswerCall: {
    description: 'A supervisor has come.',
    approvalRule: 'answer a call',
    during: whileStopped,
    fields: {},
  },
  AddNote: {
    description: 'Leave a note for the dealer, for the floor or, unless it says, on the record alone.',
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { text: reason, to: s.optional(noteReaderSchema) },
  },
  CollectShortfall: {
    description: 'Take what a terminal owes from its credit, which `credits` tells.',
    by: ['HOUSE 10'],
    approvalRule: 'settle a shortfall',
    during: whileStopped,
    fields: {
      terminal: id,
      round: s.string,
      amount: amount,
      reason: reason,
      credits: s.optional(amountsByTerminalSchema),
    },
  },
  WriteOffShortfall: {
    description: 'Let the house bear what a terminal owes.',
    by: ['HOUSE 10'],
    approvalRule: 'settle a shortfall',
    during: whileStopped,
    fields: { terminal: id, round: s.string, amount: amount, reason: reason },
  },
  Approve: {
    description: 'Give the second consent to what was proposed; `credits` where money is taken back.',
    by: ['roles'],
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { proposal: s.string, hash: hash, credits: s.optional(amountsByTerminalSchema) },
  },
  WithdrawProposal: {
    description: 'Take a proposal back.',
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { proposal: s.string },
  },
} as const satisfies { readonly [name: string]: Declaration };

export type CommandName = keyof typeof tableCommands;

/** Complete command schemas with time and sender. */
export const commandSchemas = s.variants('type', 'the command', tableCommands, { at: time, actor: actorSchema });
export type CommandOf<N extends CommandName> = Infer<(typeof commandSchemas)[N]>;
export type TableCommand = CommandOf<CommandName>;

/** A command payload without time and sender. */
export const commandPayloadSchema = s.named(
  'command',
  s.taggedUnion('type', 'a command', s.variants('type', 'the command', tableCommands, {})),
);
