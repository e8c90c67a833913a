import { type Actor } from '../access/actor.ts';
import { type IrregularityKind } from '../games/irregularities.ts';
import { type Card } from '../rules/card.ts';
import { type CommandName } from './schema/commands.ts';
import { type Slip, type SlipsByTerminal, type WagerReportKind } from './schema/fieldTypes.ts';
import { type RoundOutcome } from './payouts.ts';
import { type TableSettings } from './schema/settings.ts';

// The state of one table: plain data, so that a snapshot is its JSON. `evolve` owns it and changes it in place; all
// other code only reads it.

/** Between rounds; bets open; close called; cards being dealt; deal complete, pause running. */
export type Phase = 'idle' | 'betting' | 'closing' | 'dealing' | 'result';

export type ShoeState = {
  id: string;
  size: number;
  /** Seal number of the delivered cards; null for a virtual shoe. */
  seal: string | null;
  /** Declared number of decks; null when not declared. */
  decks: number | null;
  backs: string | null;
  /** Result of the inspection of faces and backs; null before it. [2.1 of every book] */
  inspected: boolean | null;
  /** Actors who took part in the preparation. */
  preparedBy: Actor[];
  counted: boolean;
  shuffled: boolean;
  /** Cards behind the cutting card; null before the cut. */
  behindCut: number | null;
  ready: boolean;
  /** Virtual shoe: Merkle root, and the cut position once it is chosen. */
  root: string | null;
  cutPosition: number | null;
  burned: boolean;
  drawn: number;
  /** A card that left the shoe unseen is the next one to be dealt. [READING 18] */
  carried: boolean;
  seen: { [card: string]: number };
  rounds: number;
  /** Rounds that may still open after the cutting card; null before it is out. */
  roundsLeft: number | null;
  lockedBy: string | null;
};

/** A live shoe that was sealed and is still to be counted. */
type SealedShoe = {
  id: string;
  seal: string;
  to: string | null;
  game: string;
  decks: number;
  size: number;
  since: number;
  /** The actors who sealed it; two others must count it. */
  by: Actor[];
};

/** A closing count that differed, until the pit manager has investigated it. */
type Difference = { shoe: string; expected: number; seen: number; since: number };

type Total = { stake: number; bettors: number };

/** The part of a round that is kept after the next one opens. */
export type RoundRecord = {
  id: string;
  number: number;
  day: string;
  shoe: string;
  game: string;
  decks: number;
  /** Dealt from a virtual shoe, so its cards are proven. */
  virtual: boolean;
  cards: Card[];
  /** Its outcome; null while it is played. */
  ending: RoundOutcome | null;
  /** Number of settlements so far, voids included; it numbers the last one. */
  settlements: number;
  /** Number of slips that were voided one by one. */
  slipsVoided: number;
};

/** How a card was entered. */
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

/** A late, raised or withdrawn wager with chips. [READING 20, 21] */
export type ReportedWager = {
  kind: WagerReportKind;
  place: string;
  wager: string;
  amount: number;
  by: string;
  at: number;
};

/** An earlier round; only the hash of its slips is kept. */
export type EarlierRound = RoundRecord & { slipsHash: string };

/** The current round, or the last one until the next opens. */
export type Round = RoundRecord & {
  openedAt: number;
  closesAt: number;
  deadline: number | null;
  resultAt: number | null;
  /** Clause by which a settled round was reopened. */
  reopenedBy: string | null;
  totals: { [wager: string]: Total };
  terminals: number;
  slips: { [terminal: string]: Slip };
  /** Slips that were voided one by one and left the round. [READING 13] */
  voided: { [terminal: string]: { slip: Slip; by: string } };
  /** True once a card was dealt, even if it was taken back. */
  begun: boolean;
  /** Provenance of each card. */
  came: CardProvenance[];
  chips: ReportedWager[];
  /** Origin of the last card while the dealer alone may take it back. */
  lastEntry: 'drawn' | 'carried' | null;
  /** Proofs of the cards of a virtual shoe. */
  proofs: { index: number; salt: string; proof: readonly string[] }[];
};

/** A settlement in progress; slips are posted in `order`. */
export type PendingSettlement = {
  settlement: string;
  round: string;
  before: RoundOutcome | null;
  after: RoundOutcome;
  slips: SlipsByTerminal;
  order: readonly string[];
  done: number;
  /**
   * Terminals that the previous settlement had not reached: what they were paid instead, null for nothing. [READING 52]
   */
  behind: { [terminal: string]: RoundOutcome | null };
};

/** The outcome by which a terminal was paid before this settlement. */
export const outcomePaidBefore = (
  { before, behind }: Pick<PendingSettlement, 'before' | 'behind'>,
  terminal: string,
): RoundOutcome | null => (Object.hasOwn(behind, terminal) ? behind[terminal]! : before);

/** An irregularity that stops the table until it is ruled on. */
export type OpenIrregularity = {
  kind: IrregularityKind;
  by: string;
  /** Null when it is about the shoe alone. [READING 55] */
  round: string | null;
  rulings: readonly string[];
  note: string | null;
  since: number;
  actor: Actor;
  /** Interruption at a live shoe: felt and recorded cards were found equal. [READING 61] */
  felt?: true;
  /** Cards drawn together: place of the first of them in the round. */
  place?: number;
  /** Reported while a referral was open: ruled on before that is decided. [READING 59] */
  beforeReferrals?: true;
};

/** A question for the Gaming Shift Manager. */
export type Referral = {
  id: string;
  by: string;
  since: number;
  actor: Actor;
  reason: string;
  /** A decision touches this round only; null for none. [READING 55] */
  round: string | null;
  /** Null when it is about the round as a whole. [READING 13] */
  terminals: readonly string[] | null;
  /** Decision proposed by a house procedure. */
  proposed: { decision: string; by: string } | null;
};

type DecidedReferral = Pick<Referral, 'id' | 'reason' | 'round'> & {
  decision: string;
  why: string;
  by: string;
  at: number;
  actor: Actor;
};

/** A command that waits for its second signature; stored as it was sent. */
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
  /** Ids of the shoes of the gaming day. */
  shoes: string[];
  day: string;
  /** The current round or, until the next opens, the last one. */
  round: Round | null;
  /** Earlier rounds of the gaming day and of the current shoe. */
  history: EarlierRound[];
  pendingSettlements: PendingSettlement[];
  /** Most serious first; the first leads, the others follow when it is closed. [READING 59] */
  openIrregularities: OpenIrregularity[];
  /** Open referrals in the order of referral. */
  referrals: Referral[];
  /** Referrals so far; their ids are numbered by it. */
  referred: number;
  /** The last decisions, newest first. */
  decided: DecidedReferral[];
  /** Null while the table is not stopped. */
  stoppedSince: number | null;
  proposal: Proposal | null;
  proposals: number;
  /**
   * Terminals that disconnected in this round or the one before: whether the closing was displayed by then, and whether
   * they are back.
   */
  disconnected: { [terminal: string]: { closed: boolean; back: boolean; before?: true } };
  /** Shortfalls by terminal and round, until collected or written off. [READING 57] */
  shortfalls: { [terminal: string]: { [round: string]: number } };
  /** An unanswered call for a supervisor. */
  call: { at: number; actor: Actor; reason: string } | null;
  /** Closed until two persons reopen it; no round opens. */
  closed: boolean;
};

/** True between the opening of bets and the settlement or void. */
export const isPlaying = ({ phase }: Table): boolean => phase !== 'idle';

/** The last round while it may be corrected as a whole: ended, and the next one not opened. */
export const justEndedRound = ({ phase, round }: Table): Round | null => (phase === 'idle' ? round : null);

export function justSettledRound(table: Table): Round | null {
  const round = justEndedRound(table);
  return round !== null && isSettled(round) ? round : null;
}

/** True when the round has results, so that money may have been paid. */
export const isSettled = ({ ending }: RoundRecord): boolean => ending !== null && 'results' in ending;

/** The current round or an earlier one that is still kept. */
export const findRound = ({ round, history }: Table, id: string | null): Round | EarlierRound | undefined =>
  round !== null && round.id === id ? round : history.find((one) => one.id === id);

export const lastSettlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements}`;
/** Settlement id of a single voided slip. */
export const nextSlipVoidSettlementId = ({ id, slipsVoided }: RoundRecord): string => `${id}#slip${slipsVoided + 1}`;
export const nextSettlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements + 1}`;
