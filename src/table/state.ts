import { type Actor } from '../access/actor.ts';
import { type IrregularityKind } from '../games/irregularities.ts';
import { type Card } from '../rules/card.ts';
import { type CommandName } from './schema/commands.ts';
import { type Slip, type SlipsByTerminal, type WagerReportKind } from './schema/fieldTypes.ts';
import { type RoundOutcome } from './payouts.ts';
import { type TableSettings } from './schema/settings.ts';

// The state of one table: plain data, so that a snapshot is its JSON. `evolve` owns it and changes it in place; all
// other code only reads it.

/** Phase of a table. `closing`: the close of bets is announced; `result`: the deal is complete and the pause runs. */
export type Phase = 'idle' | 'betting' | 'closing' | 'dealing' | 'result';

export type ShoeState = {
  id: string;
  size: number;
  /** Seal under which the cards of a live shoe arrived; null for a virtual shoe. */
  seal: string | null;
  /** Number of decks that was declared with the cards; null if none was. */
  decks: number | null;
  backs: string | null;
  /** True if the cards passed the inspection of faces and backs; null before it. [2.1 of every book] */
  inspected: boolean | null;
  /** Actors who took part in the preparation of the shoe. */
  preparedBy: Actor[];
  counted: boolean;
  shuffled: boolean;
  /** Number of cards behind the cutting card; null before the cut. */
  behindCut: number | null;
  ready: boolean;
  /** Merkle root of a virtual shoe; null for a live one. */
  root: string | null;
  /** Index of the first card dealt from a virtual shoe; null before it is chosen. */
  cutPosition: number | null;
  burned: boolean;
  drawn: number;
  /** True while a card that left the shoe face down is the next one to be dealt. [READING 18] */
  carried: boolean;
  seen: { [card: string]: number };
  rounds: number;
  /** Rounds that may still open after the cutting card; null before it is out. */
  roundsLeft: number | null;
  lockedBy: string | null;
};

/** A live shoe that left sealed and is still to be counted. */
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
};

/** A closing count that differed and that the pit manager has not investigated yet. */
type Difference = { shoe: string; expected: number; seen: number; since: number };

type Total = { stake: number; bettors: number };

/** The part of a round that the table keeps after the next round opens. */
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
  /** Outcome of the round; null while it is played. */
  ending: RoundOutcome | null;
  /** Number of settlements of the round so far, voids included; it numbers the last settlement. */
  settlements: number;
  /** Number of single slips of the round that were voided by decision. */
  slipsVoided: number;
};

/** How a card of a round came to be recorded. */
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
export type ReportedWager = {
  kind: WagerReportKind;
  place: string;
  wager: string;
  amount: number;
  by: string;
  at: number;
};

/** A round before the current or last one; of its slips only the hash is kept. */
export type EarlierRound = RoundRecord & { slipsHash: string };

/** The round in play or, until the next one opens, the last round. */
export type Round = RoundRecord & {
  openedAt: number;
  closesAt: number;
  deadline: number | null;
  resultAt: number | null;
  /** Clause by which the round was reopened after its settlement; null if it was not. */
  reopenedBy: string | null;
  totals: { [wager: string]: Total };
  terminals: number;
  slips: { [terminal: string]: Slip };
  /** Slips that were voided by decision and left the round. [READING 13] */
  voided: { [terminal: string]: { slip: Slip; by: string } };
  /** True once a card was dealt, even if it was taken back. */
  begun: boolean;
  /** Provenance of each card, in the order of `cards`. */
  came: CardProvenance[];
  chips: ReportedWager[];
  /** Origin of the last card while the dealer may take it back without approval; else null. */
  lastEntry: 'drawn' | 'carried' | null;
  /** Proofs of the cards of a virtual shoe, in the order of `cards`. */
  proofs: { index: number; salt: string; proof: readonly string[] }[];
};

/** A settlement that is not fully posted. `order` are its terminals; the first `done` of them are posted. */
export type PendingSettlement = {
  settlement: string;
  round: string;
  before: RoundOutcome | null;
  after: RoundOutcome;
  slips: SlipsByTerminal;
  order: readonly string[];
  done: number;
  /**
   * Outcome by which a terminal was paid if the previous settlement had not reached it; null if it was not paid.
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
  /** Set after an interruption at a live shoe once two persons have confirmed the felt. [READING 61] */
  felt?: true;
  /** For cards drawn together: the number of the first of them in the round, from 1. */
  place?: number;
  /**
   * Set if the irregularity was reported while a referral was open: its ruling comes before the decision. [READING 59]
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
  /** The round that the referral is about, the only one that a decision may change; null for none. [READING 55] */
  round: string | null;
  /** The terminals that the referral is about; null when it is about the whole round. [READING 13] */
  terminals: readonly string[] | null;
  /** Decision that a house procedure proposes, with that procedure; null for none. */
  proposed: { decision: string; by: string } | null;
};

type DecidedReferral = Pick<Referral, 'id' | 'reason' | 'round'> & {
  decision: string;
  why: string;
  by: string;
  at: number;
  actor: Actor;
};

/** A command that awaits its approval, as it was sent. */
type Proposal = {
  id: string;
  command: { readonly type: CommandName; readonly [field: string]: unknown };
  hash: string;
  since: number;
  actor: Actor;
  expires: number;
};

export type Table = {
  settings: TableSettings;
  at: number;
  phase: Phase;
  shoe: ShoeState | null;
  /** Sealed shoes that are still to be counted. */
  sealed: SealedShoe[];
  /** Differing closing counts that are still to be investigated. */
  differences: Difference[];
  /** Ids of the shoes that were at the table in the gaming day. */
  shoes: string[];
  day: string;
  /** The round in play or, until the next one opens, the last round. */
  round: Round | null;
  /** Earlier rounds of the gaming day and of the current shoe. */
  history: EarlierRound[];
  pendingSettlements: PendingSettlement[];
  /** Open irregularities in the order in which they are ruled on: the most serious first. [READING 59] */
  openIrregularities: OpenIrregularity[];
  /** Open referrals in the order of referral. */
  referrals: Referral[];
  /** Number of referrals so far, from which the next id is made. */
  referred: number;
  /** The last decided referrals, newest first. */
  decided: DecidedReferral[];
  /** When the table was stopped; null while it is not stopped. */
  stoppedSince: number | null;
  proposal: Proposal | null;
  proposals: number;
  /**
   * Terminals that disconnected in this round or (`before`) the previous one. `closed`: the terminal had displayed the
   * close of bets; `back`: it has reconnected.
   */
  disconnected: { [terminal: string]: { closed: boolean; back: boolean; before?: true } };
  /** Open shortfalls in minor units, by terminal and round. [READING 57] */
  shortfalls: { [terminal: string]: { [round: string]: number } };
  /** The unanswered call for a supervisor; null for none. */
  call: { at: number; actor: Actor; reason: string } | null;
  /** True while the table is closed: no round opens until two persons reopen it. */
  closed: boolean;
};

/** True while a round is in play, from the opening of bets to its settlement or void. */
export const isPlaying = ({ phase }: Table): boolean => phase !== 'idle';

/** The last round while it has ended and the next one has not opened; else null. Only then it may be replayed. */
export const justEndedRound = ({ phase, round }: Table): Round | null => (phase === 'idle' ? round : null);

export function justSettledRound(table: Table): Round | null {
  const round = justEndedRound(table);
  return round !== null && isSettled(round) ? round : null;
}

/** True when the round has ended with results, so that money may have been paid; false for a void round. */
export const isSettled = ({ ending }: RoundRecord): boolean => ending !== null && 'results' in ending;

/** The round with this id, if the table still keeps it. */
export const findRound = ({ round, history }: Table, id: string | null): Round | EarlierRound | undefined =>
  round !== null && round.id === id ? round : history.find((one) => one.id === id);

export const lastSettlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements}`;
/** Settlement id of the next single slip that is voided. */
export const nextSlipVoidSettlementId = ({ id, slipsVoided }: RoundRecord): string => `${id}#slip${slipsVoided + 1}`;
export const nextSettlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements + 1}`;
