import { type Actor } from '../access/actor.ts';
import { type IrregularityKind } from '../games/irregularities.ts';
import { type Card } from '../rules/card.ts';
import { type CommandName } from './schema/commands.ts';
import { type Slip, type SlipsByTerminal, type WagerReportKind } from './schema/fieldTypes.ts';
import { type RoundOutcome } from './payouts.ts';
import { type TableSettings } from './schema/settings.ts';

// The state of one table. It is plain data, so a snapshot is the state as JSON. Only `evolve` changes the state, in
// place; all other code reads it.

/**
 * Phase of a table. `closing`: the close of bets is announced, and slips may still arrive. `result`: the deal is
 * complete and not settled yet.
 */
export type Phase = 'idle' | 'betting' | 'closing' | 'dealing' | 'result';

export type ShoeState = {
  id: string;
  size: number;
  /** Seal under which the cards of a live shoe arrived at the table; null for a virtual shoe. */
  seal: string | null;
  /** Number of decks declared when the cards arrived; null if no number was declared. */
  decks: number | null;
  backs: string | null;
  /**
   * True if the cards passed the inspection of faces and backs, false if they failed; null before the inspection. [2.1
   * of every book]
   */
  inspected: boolean | null;
  preparedBy: Actor[];
  counted: boolean;
  shuffled: boolean;
  /** How a live shoe was shuffled, as recorded; null before the shuffle, and for a virtual shoe. */
  shuffle: string | null;
  /** Number of cards behind the cutting card; null for a live shoe that is not cut yet. */
  behindCut: number | null;
  ready: boolean;
  /** Merkle root of a virtual shoe; null for a live one. */
  root: string | null;
  /**
   * Index, in the committed order, of the first card that is dealt from a virtual shoe. Null for a live shoe, and for a
   * virtual shoe before the choice.
   */
  cutPosition: number | null;
  burned: boolean;
  drawn: number;
  /** True while the next card to be dealt has left the shoe already and lies face down. [READING 18] */
  carried: boolean;
  seen: { [card: string]: number };
  rounds: number;
  /** Number of rounds that may still open; null before the cutting card is out. */
  roundsLeft: number | null;
  lockedBy: string | null;
  /** Number of recorded blind counts that differed from the expected count; absent before the first such count. */
  miscounts?: number;
};

/** True when the shoe can give no card: all have left it, and none is carried. */
export const isShoeEmpty = ({ drawn, size, carried }: ShoeState): boolean => drawn >= size && !carried;

/** A live shoe that left the table under a seal and is still to be counted. */
type SealedShoe = {
  id: string;
  seal: string;
  to: string | null;
  game: string;
  decks: number;
  size: number;
  since: number;
  /** The actors who sealed the shoe; two others must count it. */
  by: Actor[];
  /** Number of recorded blind counts that differed from the expected count; absent before the first such count. */
  miscounts?: number;
};

/** A closing count that differed from full decks, and that the pit manager has not investigated yet. */
type Difference = { shoe: string; expected: number; seen: number; since: number };

type Total = { stake: number; bettors: number };

/** The part of a round that the table still keeps when the next round has opened. */
export type RoundRecord = {
  id: string;
  number: number;
  day: string;
  shoe: string;
  game: string;
  decks: number;
  /** True if the round was dealt from a virtual shoe, so that its cards are proven. */
  virtual: boolean;
  cards: Card[];
  /**
   * Last outcome of the round; null before the first outcome. A reopened round keeps its former outcome until it ends
   * again.
   */
  ending: RoundOutcome | null;
  /** Number of settlements of the round so far, voids included. The last settlement has this number. */
  settlements: number;
  /** Number of single slips of the round that were voided by decision. */
  slipsVoided: number;
};

export type CardSource =
  | 'scanned'
  | 'keyed'
  | 'by-eye'
  | 'virtual'
  | 'carried'
  | 'afterwards'
  | 'corrected'
  | 'replayed';

export type CardProvenance = { at: number; how: CardSource; actor: Actor };

/** Chips that were placed, raised or withdrawn after the close. [READING 20, 21] */
export type ReportedChips = {
  kind: WagerReportKind;
  place: string;
  wager: string;
  amount: number;
  by: string;
  at: number;
};

/** A round before the current or last one. Only the hash of its slips is kept. */
export type EarlierRound = RoundRecord & { slipsHash: string };

/** The round in play or, until the next one opens, the last round. */
export type Round = RoundRecord & {
  openedAt: number;
  closesAt: number;
  deadline: number | null;
  resultAt: number | null;
  /** Clause by which the round was reopened after its settlement; null if it was not reopened. */
  reopenedBy: string | null;
  totals: { [wager: string]: Total };
  terminals: number;
  slips: { [terminal: string]: Slip };
  /** Slips that were voided by decision and left the round. [READING 13] */
  voided: { [terminal: string]: { slip: Slip; by: string } };
  /** True once a card was dealt, even if it was taken back. */
  begun: boolean;
  /** Set once a card was burned during the round. */
  burned?: true;
  /** Provenance of each card, in the order of `cards`. */
  came: CardProvenance[];
  chips: ReportedChips[];
  /**
   * Origin of the last card if one person entered it. The dealer may then take the card back at a live shoe. Null if
   * two persons entered the card, or if it was taken back or replaced.
   */
  lastEntry: 'drawn' | 'carried' | null;
  /** Proofs of the cards of a virtual shoe, in the order of `cards`. */
  proofs: { index: number; salt: string; proof: readonly string[] }[];
};

/** A settlement that is not fully posted. `order` lists its terminals; the first `done` of them are posted. */
export type PendingSettlement = {
  settlement: string;
  round: string;
  before: RoundOutcome | null;
  after: RoundOutcome;
  slips: SlipsByTerminal;
  order: readonly string[];
  done: number;
  /**
   * Terminals that the previous settlement of the round had not paid when this settlement took them over: the outcome
   * by which each was last paid, or null if it never was. All other terminals were last paid by the outcome `before`.
   * [READING 52]
   */
  behind: { [terminal: string]: RoundOutcome | null };
};

/** The outcome by which a terminal was paid before this settlement; null if it was not paid. */
export const outcomePaidBefore = (
  { before, behind }: Pick<PendingSettlement, 'before' | 'behind'>,
  terminal: string,
): RoundOutcome | null => (Object.hasOwn(behind, terminal) ? behind[terminal]! : before);

/** An irregularity that stops the table until a ruling. */
export type OpenIrregularity = {
  kind: IrregularityKind;
  by: string;
  /** Round of the irregularity; null when it is about the shoe alone. [READING 55] */
  round: string | null;
  rulings: readonly string[];
  note: string | null;
  since: number;
  actor: Actor;
  /**
   * Set after an interruption at a live shoe, once two persons have confirmed the felt. Removed when the cards change.
   * [READING 61]
   */
  felt?: true;
  /** For cards drawn together: the number of the first of them in the round, from 1. */
  place?: number;
  /**
   * Set if the irregularity was found while a referral was open: it is then ruled on before the referral is decided.
   * Removed when its own round is referred too. [READING 59]
   */
  beforeReferrals?: true;
};

/** A question for the Gaming Shift Manager. */
export type Referral = {
  id: string;
  by: string;
  since: number;
  actor: Actor;
  reason: string;
  /** The round that the referral is about; null for no round. A decision may change only this round. [READING 55] */
  round: string | null;
  /** The terminals that the referral is about; null when it is about the whole round. [READING 13] */
  terminals: readonly string[] | null;
  /** Decision that a house procedure proposes; `by` names the procedure. Null if none is proposed. */
  proposed: { decision: string; by: string } | null;
};

type DecidedReferral = Pick<Referral, 'id' | 'reason' | 'round'> & {
  decision: string;
  decisionReason: string;
  by: string;
  at: number;
  actor: Actor;
};

/** A proposed command. Its approval must repeat `hash` and come no later than `expires`. */
type Proposal = {
  id: string;
  command: { readonly type: CommandName; readonly [field: string]: unknown };
  hash: string;
  /** Hash of the proposed events, with the earlier round that they change. The round in play is left out. */
  effectsHash: string;
  since: number;
  actor: Actor;
  expires: number;
};

export type Table = {
  settings: TableSettings;
  at: number;
  phase: Phase;
  shoe: ShoeState | null;
  sealed: SealedShoe[];
  differences: Difference[];
  /**
   * Ids of the shoes that were at the table since the first round of the gaming day. A new shoe must have another id.
   */
  shoes: string[];
  day: string;
  /** Null before the first round. */
  round: Round | null;
  /** Earlier rounds of the current gaming day or of the current shoe. */
  history: EarlierRound[];
  pendingSettlements: PendingSettlement[];
  /** Open irregularities in the order in which they are ruled on. [READING 59] */
  openIrregularities: OpenIrregularity[];
  /** Open referrals, oldest first. */
  referrals: Referral[];
  /** Number of referrals so far, from which the next id is made. */
  referred: number;
  /** The last decisions on referrals, newest first; ten at most. */
  decided: DecidedReferral[];
  /** When the table was stopped; null while it is not stopped. */
  stoppedSince: number | null;
  proposal: Proposal | null;
  proposals: number;
  /**
   * Terminals that disconnected: in this round, or in the previous round if `before` is set. `closed`: the terminal had
   * displayed the close of bets. `back`: the terminal has reconnected.
   */
  disconnected: { [terminal: string]: { closed: boolean; back: boolean; before?: true } };
  /** Open shortfalls in minor units, by terminal and round. [READING 57] */
  shortfalls: { [terminal: string]: { [round: string]: number } };
  /** The unanswered call for a supervisor; null if there is no such call. */
  call: { at: number; actor: Actor; reason: string } | null;
  /** True while the table is closed: no round opens until two persons reopen it. */
  closed: boolean;
};

/** True while a round is in play, from the opening of bets to its settlement or void. */
export const isPlaying = ({ phase }: Table): boolean => phase !== 'idle';

/**
 * The last round, from its end until the next round opens; null at any other time. No other ended round can be
 * replayed.
 */
export const justEndedRound = ({ phase, round }: Table): Round | null => (phase === 'idle' ? round : null);

export function justSettledRound(table: Table): Round | null {
  const round = justEndedRound(table);
  return round !== null && hasEndedWithResults(round) ? round : null;
}

/** True when the last outcome of the round has results, so that money may have been paid; false for a void. */
export const hasEndedWithResults = ({ ending }: RoundRecord): boolean => ending !== null && 'results' in ending;

/** The round with this id, if the table still keeps it. */
export const findRound = ({ round, history }: Table, id: string | null): Round | EarlierRound | undefined =>
  round !== null && round.id === id ? round : history.find((one) => one.id === id);

export const lastSettlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements}`;
export const nextSlipVoidSettlementId = ({ id, slipsVoided }: RoundRecord): string => `${id}#slip${slipsVoided + 1}`;
export const nextSettlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements + 1}`;
