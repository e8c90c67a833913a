import { amount, hash, id, reason, time } from '../../base/commonSchemas.ts';
import { staffActorSchema, actorSchema } from '../../access/actor.ts';
import { type ClauseTopic } from '../../games/rulebooks.ts';
import * as s from '../../base/schemas.ts';
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
  /** Clauses and house procedures on which the command rests. */
  readonly by?: readonly ClauseTopic[];
  /** Approval rule that names the role of the sender. A command without a rule cannot be sent by staff. */
  readonly approvalRule?: ApprovalRuleName;
  /**
   * Senders besides staff. `terminal`: a terminal. `system`: the system, but only at an unattended table. `service`:
   * the system, at any table.
   */
  readonly also?: readonly ('terminal' | 'system' | 'service')[];
  /**
   * Stops of the table during which the command is allowed. `awaiting-ruling`: the table waits for a ruling on an
   * irregularity. `awaiting-decision`: the table waits for the decision of a referral.
   */
  readonly during?: readonly ('awaiting-ruling' | 'awaiting-decision')[];
  readonly fields: Shape;
};

const whileStopped = ['awaiting-ruling', 'awaiting-decision'] as const;

/** All commands of a table. Each also has `type`, `at` and `actor`. */
export const tableCommands = {
  OpenTable: {
    description: 'Open the table with these settings. `second` is the second person, who approves.',
    approvalRule: 'change the settings',
    also: ['system'],
    fields: { settings: settingsInputSchema, second: s.optional(staffActorSchema) },
  },
  ChangeSettings: {
    description: 'Replace the settings of the table. The system may do this in a demo only.',
    approvalRule: 'change the settings',
    also: ['service'],
    fields: { settings: settingsInputSchema },
  },
  CloseTable: {
    description: 'Close the table. A round in play is finished; no other round opens until ReopenTable.',
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
      'Record that the cards for a live shoe arrived under this seal. If `decks` or `backs` is given, the cards must also be inspected.',
    by: ['cards'],
    approvalRule: 'run the table',
    fields: { shoe: id, seal: reason, decks: s.optional(s.nonNegativeInteger), backs: s.optional(reason) },
  },
  InspectCards: {
    description:
      'Record the inspection of faces and backs. `match` is true if every deck is complete, all backs have one design, and no card is marked.',
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
    description: 'Record the cut. `behind` is the number of cards behind the cutting card.',
    by: ['cut'],
    approvalRule: 'run the table',
    fields: { behind: s.nonNegativeInteger },
  },
  CorrectCut: {
    description: 'Correct `behind`, the number of cards behind the cutting card, after it was recorded wrongly.',
    by: ['cut'],
    approvalRule: 'change the shoe',
    fields: { behind: s.nonNegativeInteger, reason: reason },
  },
  VerifyShoe: { description: 'Declare the live shoe ready.', approvalRule: 'change the shoe', fields: {} },
  CommitShoe: {
    description: 'Bring a virtual shoe. `root` is the root of its hash tree, which fixes the order of the cards.',
    approvalRule: 'run the table',
    also: ['service'],
    fields: { shoe: id, root: hex64Schema },
  },
  ChooseCutPosition: {
    description: 'Choose which card of a virtual shoe is dealt first. The actor who committed the shoe may not choose.',
    by: ['roles'],
    approvalRule: 'run the table',
    also: ['terminal', 'system'],
    fields: { cutPosition: s.nonNegativeInteger },
  },
  BurnCards: {
    description:
      'Turn the first card of the shoe and burn as many more as it counts; a ten or picture card counts ten.',
    approvalRule: 'run the table',
    also: ['system'],
    fields: { card: cardSchema, salt: s.optional(hex64Schema), proof: s.optional(hex64ListSchema) },
  },
  ReportCuttingCard: {
    description: 'Report that the cutting card came out of the live shoe.',
    by: ['cut'],
    approvalRule: 'run the table',
    fields: {},
  },
  EndShoe: {
    description:
      'Take the shoe away. For a live shoe, `seen` is the count of each card. For a virtual shoe, `cards` and `salts` open it.',
    approvalRule: 'change the shoe',
    also: ['system'],
    fields: {
      seen: s.optional(cardCountsSchema),
      cards: s.optional(cardListSchema),
      salts: s.optional(hex64ListSchema),
    },
  },
  SealShoe: {
    description:
      'Seal the live shoe with all its cards; two other persons count it later. `to` is where the shoe goes.',
    by: ['HOUSE 7'],
    approvalRule: 'change the shoe',
    fields: { seal: reason, to: s.optional(reason) },
  },
  RecordCount: {
    description:
      'Record a blind count of a live shoe that is to end, or of a sealed shoe, by one person. `seen` is the count of each card. The shoe stays as it is.',
    by: ['HOUSE 7'],
    approvalRule: 'run the table',
    fields: { shoe: id, seen: cardCountsSchema },
  },
  CountSealedShoe: {
    description:
      'Count all cards of a sealed shoe. The persons who sealed it may not count it. `seen` is the count of each card.',
    by: ['HOUSE 7'],
    approvalRule: 'change the shoe',
    fields: { shoe: id, seen: cardCountsSchema },
  },
  InvestigateCount: {
    description: 'Record the finding of the investigation of a closing count that differed.',
    by: ['HOUSE 7'],
    approvalRule: 'investigate a count',
    during: whileStopped,
    fields: { shoe: id, reason: reason },
  },
  OpenBets: {
    description: 'Open bets for a new round: "Place your bets, please."',
    by: ['open'],
    approvalRule: 'run the table',
    also: ['system'],
    fields: {},
  },
  ExtendBets: {
    description: 'Extend the betting time by `time` milliseconds.',
    approvalRule: 'run the table',
    fields: { time: durationMsSchema },
  },
  CallClose: {
    description:
      'Announce the close of bets. The deadline is in `notice` milliseconds, but not before the betting time ends. With chips, bets close at once.',
    by: ['close'],
    approvalRule: 'run the table',
    also: ['system'],
    fields: { notice: s.optional(durationMsSchema) },
  },
  CloseBets: {
    description: 'Close bets once no slip can still arrive in time: "No more bets."',
    by: ['close'],
    approvalRule: 'run the table',
    also: ['service'],
    fields: {},
  },
  SetSlip: {
    description:
      'Set all stakes of the terminal in the round. `credit` is the balance of the terminal, without stakes already placed. `sessionLimits` is what the limits of its patron still allow.',
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
      'Record the next card of the shoe, in `slot`. A virtual card has `salt` and `proof`. `keyed`: typed, not scanned. `afterwards`: dealt by hand while the system was down.',
    by: ['close', 'draws'],
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
    description: 'Take back the last card that was entered, before the next card and before the result.',
    by: ['correction'],
    approvalRule: 'run the table',
    fields: {},
  },
  Settle: {
    description:
      'Settle the round; with chips the dealer has paid it. `credits` are balances by terminal, needed when a settled round is settled again.',
    by: ['draws'],
    approvalRule: 'run the table',
    also: ['system'],
    fields: { credits: s.optional(amountsByTerminalSchema) },
  },
  PostSettlement: {
    description:
      'Post the next slips of a settlement that is not disputed. `credits` are balances by terminal, needed when money is taken back.',
    approvalRule: 'run the table',
    also: ['service'],
    during: whileStopped,
    fields: { credits: s.optional(amountsByTerminalSchema) },
  },
  ReportIrregularity: {
    description:
      'Report an irregularity of cards or shoe. While another irregularity is open, the new one must be more serious. `place` is the number of the first of two cards drawn together, if it is not the next card.',
    approvalRule: 'refer',
    also: ['system'],
    during: whileStopped,
    fields: { kind: reportableKindSchema, place: s.optional(s.nonNegativeInteger), note: s.optional(reason) },
  },
  ReportWager: {
    description:
      'Report chips that were placed, raised or withdrawn after the close. `place` is where they lie at the table.',
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { kind: wagerReportKindSchema, place: id, wager: s.string, amount: amount },
  },
  ReportInterruption: {
    description:
      'Report a loss of table service that began at the time `since`. `stateLost` is true if the state of the table may be lost too.',
    approvalRule: 'refer',
    also: ['service'],
    during: whileStopped,
    fields: { since: time, stateLost: s.boolean },
  },
  ConfirmFelt: {
    description:
      'After an interruption at a live shoe: enter the `cards` that left the shoe and are not on record, in the order in which they left the shoe, and confirm that no other card left it. `unseen`: one more card lies face down and is dealt next.',
    by: ['irregularities'],
    approvalRule: 'enter the felt',
    during: ['awaiting-ruling'],
    fields: { cards: s.optional(cardListSchema), unseen: s.optional(s.boolean), reason: s.optional(reason) },
  },
  ConfirmRuling: {
    description:
      'After an interruption: carry out the ruling that the clause computes. At a live shoe ConfirmFelt comes first. `credits` are balances by terminal, needed when a settled round is voided.',
    approvalRule: 'confirm what a clause computes',
    also: ['system'],
    during: ['awaiting-ruling'],
    fields: { credits: s.optional(amountsByTerminalSchema) },
  },
  ReportTerminals: {
    description:
      'Report terminals that disconnected or, if `disconnected` is false, are back. `since` is when that happened, if it was before now.',
    approvalRule: 'run the table',
    also: ['service'],
    during: whileStopped,
    fields: { terminals: idListSchema, disconnected: s.boolean, since: s.optional(time) },
  },
  VoidRound: {
    description:
      'Void the round by the clause of the open irregularity. Without an open irregularity, staff void the round before the close of bets; after the close this command refers the round. `credits` are balances by terminal, needed when a settled round is voided.',
    by: ['unplayable', 'irregularities'],
    approvalRule: 'void with a card out',
    also: ['system'],
    during: ['awaiting-ruling'],
    fields: { reason: reason, credits: s.optional(amountsByTerminalSchema) },
  },
  ReconstructRound: {
    description:
      'Replay the round with `cards`, in the order in which they left the shoe. `unseen`: one more card left the shoe face down and is dealt next.',
    approvalRule: 'rule before settlement',
    during: ['awaiting-ruling'],
    fields: { cards: cardListSchema, unseen: s.boolean, reason: reason, credits: s.optional(amountsByTerminalSchema) },
  },
  RestoreOrder: {
    description: 'Confirm that the order of the shoe is restored.',
    approvalRule: 'rule before settlement',
    during: ['awaiting-ruling'],
    fields: { reason: reason },
  },
  EnterCard: {
    description:
      'Enter a card by eye: one that the card reader cannot read, or one that left a live shoe before an interruption.',
    approvalRule: 'rule before settlement',
    during: ['awaiting-ruling'],
    fields: { slot: slotSchema, card: cardSchema, reason: reason },
  },
  CorrectCard: {
    description:
      'Correct a card that was recorded wrongly. `place` is its number in the round, from 1. `slips` are needed for a round before the last.',
    by: ['correction'],
    approvalRule: 'rule before settlement',
    during: ['awaiting-ruling'],
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
    description: 'Burn the card that was found face up.',
    approvalRule: 'burn a card',
    during: ['awaiting-ruling'],
    fields: { card: cardSchema, reason: reason },
  },
  DismissReport: {
    description: 'Dismiss the report as a mistake.',
    approvalRule: 'rule before settlement',
    during: ['awaiting-ruling'],
    fields: { reason: reason },
  },
  Refer: {
    description:
      'Refer a question to the Gaming Shift Manager; the table is frozen. Without `round` the question is about the round of the open irregularity or the round in play; between rounds it is about no round.',
    by: ['refer'],
    approvalRule: 'refer',
    also: ['system'],
    during: whileStopped,
    fields: { reason: reason, round: s.optional(s.string), terminal: s.optional(id) },
  },
  DecideReferral: {
    description:
      'Decide a referral: the first, unless `referral` names another. The decision is for all terminals or for `terminal`. `lock` locks the shoe. `slips` are needed to void a round before the last, `credits` when money is taken back.',
    by: ['refer', 'unplayable'],
    approvalRule: 'decide a referral',
    during: ['awaiting-decision'],
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
    description: 'Record that a supervisor has come to the table.',
    approvalRule: 'answer a call',
    during: whileStopped,
    fields: {},
  },
  AddNote: {
    description: 'Leave a note for the dealer or for the floor. Without `to` it is in the event log only.',
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { text: reason, to: s.optional(noteReaderSchema) },
  },
  CollectShortfall: {
    description: 'Collect a shortfall, or a part of it, from the credit of the terminal. `credits` gives that credit.',
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
    description: 'Write off a shortfall, or a part of it; the house bears it.',
    by: ['HOUSE 10'],
    approvalRule: 'settle a shortfall',
    during: whileStopped,
    fields: { terminal: id, round: s.string, amount: amount, reason: reason },
  },
  Approve: {
    description:
      'Approve the open proposal as the second person. `hash` is the hash of the proposal; `credits` are needed when money is taken back.',
    by: ['roles'],
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { proposal: s.string, hash: hash, credits: s.optional(amountsByTerminalSchema) },
  },
  WithdrawProposal: {
    description: 'Withdraw the open proposal.',
    approvalRule: 'run the table',
    during: whileStopped,
    fields: { proposal: s.string },
  },
} as const satisfies { readonly [name: string]: Declaration };

export type CommandName = keyof typeof tableCommands;

export const commandSchemas = s.variantSchemas('type', 'the command', tableCommands, { at: time, actor: actorSchema });
export type CommandOf<N extends CommandName> = Infer<(typeof commandSchemas)[N]>;
export type TableCommand = CommandOf<CommandName>;

/** Schema of a command payload: any command without `at` and `actor`. */
export const commandPayloadSchema = s.named(
  'command',
  s.taggedUnion('type', 'a command', s.variantSchemas('type', 'the command', tableCommands, {})),
);
