import { type Actor } from '../access/actor.ts';
import { type IrregularityKind } from '../games/irregularities.ts';
import { type Card } from '../rules/card.ts';
import { type CommandName } from './schema/commands.ts';
import { type Slip, type Slips, type WagerReport } from './schema/fieldTypes.ts';
import { type RoundOutcome } from './payouts.ts';
import { type TableSettings } from './schema/settings.ts';

// The state of one table: plain data, so that a snapshot is its JSON. `evolve` owns it and changes it in place; for
// everyone else it is read only.

/** Between rounds; bets open; the close is called; cards are dealt; the deal is complete and the pause runs. */
export type Phase = 'idle' | 'betting' | 'closing' | 'dealing' | 'result';

export type ShoeState = {
  id: string;
  size: number;
  /** The seal that its cards came under; a virtual shoe has none. */
  seal: string | null;
  /** What is said of the decks it was made of; null where it was not. */
  decks: number | null;
  backs: string | null;
  /** Whether faces and backs were found in order; null where nobody has looked. [2.1 of every book] */
  inspected: boolean | null;
  /** Who has made it ready so far. */
  preparedBy: Actor[];
  counted: boolean;
  shuffled: boolean;
  /** Cards behind the cutting card, once it is in its place. */
  behindCut: number | null;
  ready: boolean;
  /** Of a virtual shoe: its commitment, and the index dealt first once it is chosen. */
  root: string | null;
  turn: number | null;
  burned: boolean;
  /** Cards that have left the shoe. */
  drawn: number;
  /** A card that left the shoe unseen lies ready as the next one. [READING 18] */
  carried: boolean;
  /** How often each card was seen. */
  seen: { [card: string]: number };
  rounds: number;
  /** Rounds that may still be opened, once the cutting card is out. */
  roundsLeft: number | null;
  lockedBy: string | null;
};

/** A live shoe that has left under a seal and is still to be counted, with what it was made of. */
type SealedShoe = {
  id: string;
  seal: string;
  to: string | null;
  game: string;
  decks: number;
  size: number;
  since: number;
  /** Who sealed it: others count it. */
  by: Actor[];
};

/** A closing count that was not what the shoe should have held, until the pit manager has looked into it. */
type Difference = { shoe: string; expected: number; seen: number; since: number };

type Total = { stake: number; bettors: number };

/** What a round is known by. */
export type RoundRecord = {
  id: string;
  number: number;
  day: string;
  shoe: string;
  game: string;
  decks: number;
  /** Dealt from a virtual shoe: its cards are proven. */
  virtual: boolean;
  cards: Card[];
  /** How it ended; null while it is played. */
  ending: RoundOutcome | null;
  /** Settled, settled again or voided so often: the number of its last settlement. */
  settlements: number;
  /** So many slips of it were voided by themselves. */
  slipsVoided: number;
};

/** How a card came to be on record. */
export type CardSource =
  | 'scanned'
  | 'keyed'
  | 'by-eye'
  | 'virtual'
  | 'carried'
  | 'afterwards'
  | 'corrected'
  | 'replayed';

/** When a card was recorded, how it came, and by whom. */
export type CardProvenance = { at: number; how: CardSource; who: Actor };

/** Chips that were placed, raised or taken back after the close. [READING 20, 21] */
export type ReportedWager = { kind: WagerReport; place: string; wager: string; amount: number; by: string; at: number };

/** A round that is over and behind: its slips are known by their hash alone. */
export type EarlierRound = RoundRecord & { slipsHash: string };

/** The round that a table is at, or the last one. */
export type Round = RoundRecord & {
  openedAt: number;
  closesAt: number;
  deadline: number | null;
  resultAt: number | null;
  /** Settled before, and taken up again by this clause or procedure. */
  reopenedBy: string | null;
  totals: { [wager: string]: Total };
  terminals: number;
  slips: { [terminal: string]: Slip };
  /** Slips that were voided by themselves: they are out of the round. [READING 13] */
  voided: { [terminal: string]: { slip: Slip; by: string } };
  /** Whether a card has left the shoe for it, though it may have been taken back. */
  begun: boolean;
  /** How its cards came, by place. */
  came: CardProvenance[];
  /** What was reported of the chips on the felt. */
  chips: ReportedWager[];
  /** How the last card came, while it is an entry that nobody else has confirmed or built on. */
  lastEntry: 'drawn' | 'carried' | null;
  /** Proofs of its cards, by place, where the shoe is virtual. */
  proofs: { index: number; salt: string; proof: readonly string[] }[];
};

/** A settlement that is being posted, slip by slip in this order. */
export type PendingSettlement = {
  settlement: string;
  round: string;
  before: RoundOutcome | null;
  after: RoundOutcome;
  slips: Slips;
  order: readonly string[];
  done: number;
  /** Those whom the settlement before had not reached: what they were paid instead, null where nothing. [READING 52] */
  behind: { [terminal: string]: RoundOutcome | null };
};

/** What a terminal was paid from the round before a settlement reaches it. */
export const outcomePaidBefore = (
  { before, behind }: Pick<PendingSettlement, 'before' | 'behind'>,
  terminal: string,
): RoundOutcome | null => (Object.hasOwn(behind, terminal) ? behind[terminal]! : before);

/** A matter that stops the table until it is ruled on. */
export type OpenIrregularity = {
  kind: IrregularityKind;
  by: string;
  /** The round that it is about; none where it is about the shoe alone. [READING 55] */
  round: string | null;
  rulings: readonly string[];
  note: string | null;
  /** Since when it waits, and who reported it. */
  since: number;
  who: Actor;
  /** Of an interruption at a live shoe: felt and record were found to agree. [READING 61] */
  felt?: true;
  /** Of cards drawn together: where the first of them belongs in the round. */
  place?: number;
  /** Reported while something was referred already: it is ruled on before that is decided. [READING 59] */
  beforeReferrals?: true;
};

/** A matter that waits for the Gaming Shift Manager. */
export type Referral = {
  id: string;
  by: string;
  since: number;
  who: Actor;
  reason: string;
  /** The round that it is about, or none; a decision touches that one alone. [READING 55] */
  round: string | null;
  /** The terminals that it is about, where it is not about the round as a whole. [READING 13] */
  terminals: readonly string[] | null;
  /** The decision that a procedure proposes, and the procedure. */
  proposed: { decision: string; by: string } | null;
};

/** A matter that the Gaming Shift Manager has decided, with the reason. */
type DecidedReferral = Pick<Referral, 'id' | 'reason' | 'round'> & {
  decision: string;
  why: string;
  by: string;
  at: number;
  who: Actor;
};

/** A command that waits for its second person; kept as it was given. */
type Proposal = {
  id: string;
  act: { readonly type: CommandName; readonly [field: string]: unknown };
  hash: string;
  since: number;
  who: Actor;
  expires: number;
};

/** All that is known of a table between two events. */
export type Table = {
  setting: TableSettings;
  at: number;
  phase: Phase;
  shoe: ShoeState | null;
  /** Shoes that have left sealed, until they are counted. */
  sealed: SealedShoe[];
  /** Counts that differed, until somebody has looked into them. */
  differences: Difference[];
  /** The shoes of the gaming day. */
  shoes: string[];
  day: string;
  /** The round being played or, until the next one opens, the last one. */
  round: Round | null;
  /** Earlier rounds of the gaming day and of the shoe. */
  history: EarlierRound[];
  pendingSettlements: PendingSettlement[];
  /** What waits for a ruling: the first leads, the others are there again once it is out of the way. [READING 59] */
  openIrregularities: OpenIrregularity[];
  /** What waits for a decision, in the order in which it was referred. */
  referrals: Referral[];
  /** How many matters were ever referred: they are known by their number. */
  referred: number;
  /** The last that were decided, the newest first. */
  decided: DecidedReferral[];
  /** Since when the table stands still; null while it goes on. */
  stoppedSince: number | null;
  proposal: Proposal | null;
  proposals: number;
  /**
   * Terminals that were lost in this round or in the one before it, whether the closing was displayed by then, and whether
   * they are back.
   */
  disconnected: { [terminal: string]: { closed: boolean; back: boolean; before?: true } };
  /** What could not be taken back, by terminal and round, until it is collected or written off. [READING 57] */
  shortfalls: { [terminal: string]: { [round: string]: number } };
  /** Somebody called a supervisor, and none has come yet. */
  call: { at: number; who: Actor; reason: string } | null;
  /** Closed until two persons open it again; no round opens. */
  closed: boolean;
};

/** Whether a round is being played: opened, and neither settled nor void. */
export const isPlaying = ({ phase }: Table): boolean => phase !== 'idle';

/** The last round while it can still be touched as a whole: ended, and the next one not opened. */
export const lastRound = ({ phase, round }: Table): Round | null => (phase === 'idle' ? round : null);

/** The last round, where it stands with results that can still be touched as a whole. */
export function lastSettledRound(table: Table): Round | null {
  const round = lastRound(table);
  return round !== null && isSettled(round) ? round : null;
}

/** Whether a round has results, so that money may have been paid from it. */
export const isSettled = ({ ending }: RoundRecord): boolean => ending !== null && 'results' in ending;

/** A round that the table keeps, the present one among them. */
export const findRound = ({ round, history }: Table, id: string | null): Round | EarlierRound | undefined =>
  round !== null && round.id === id ? round : history.find((one) => one.id === id);

export const settlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements}`;
/** What the return of one slip is known by. */
export const nextSlipSettlementId = ({ id, slipsVoided }: RoundRecord): string => `${id}#slip${slipsVoided + 1}`;
export const nextSettlementId = ({ id, settlements }: RoundRecord): string => `${id}#${settlements + 1}`;
