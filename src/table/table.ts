import { type IrregularityKind } from '../games/irregularities.ts';
import { type Card } from '../rules/card.ts';
import { type CommandName } from './declare/commands.ts';
import { type Slip, type Slips } from './declare/kinds.ts';
import { type Ending } from './money.ts';
import { type Who } from './declare/posts.ts';
import { type Setting } from './declare/setting.ts';

// The state of one table: plain data, so that a snapshot is its JSON. `evolve` owns it and changes it in place; for
// everyone else it is read only.

/** Between rounds; bets open; the close is called; cards are dealt; the deal is complete and the pause runs. */
export type Phase = 'idle' | 'betting' | 'closing' | 'dealing' | 'result';

export type Shoe = {
  id: string;
  size: number;
  /** Who made it ready so far. */
  hands: Who[];
  counted: boolean;
  shuffled: boolean;
  /** Cards behind the cutting card, once it is in its place. */
  behind: number | null;
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
  ending: Ending | null;
  /** Settled, settled again or voided so often: the number of its last settlement. */
  settlements: number;
};

/** A round that is over and behind: its slips are known by their hash alone. */
export type EarlierRound = RoundRecord & { slipsHash: string };

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
  /** Whether a card has left the shoe for it, though it may have been taken back. */
  begun: boolean;
  /** Whether the last card is an entry that nobody else has confirmed or built on. */
  lastEntry: boolean;
  /** Proofs of its cards, by place, where the shoe is virtual. */
  proofs: { index: number; salt: string; proof: readonly string[] }[];
};

/** A settlement that is being posted, slip by slip in this order. */
export type Job = {
  settlement: string;
  round: string;
  before: Ending | null;
  after: Ending;
  slips: Slips;
  order: readonly string[];
  done: number;
};

/** The table waits for a ruling. */
type Held = {
  kind: IrregularityKind;
  by: string;
  since: number;
  rulings: readonly string[];
  note: string | null;
};

type Referral = { by: string; reason: string; since: number; proposed: string | null };

/** A command that waits for its second person; kept as it was given. */
type Proposal = {
  id: string;
  act: { readonly type: CommandName; readonly [field: string]: unknown };
  hash: string;
  who: Who;
  expires: number;
};

export type Table = {
  setting: Setting;
  at: number;
  phase: Phase;
  shoe: Shoe | null;
  /** The shoes of the gaming day. */
  shoes: string[];
  day: string;
  /** The round being played or, until the next one opens, the last one. */
  round: Round | null;
  /** Earlier rounds of the gaming day and of the shoe. */
  history: EarlierRound[];
  jobs: Job[];
  held: Held | null;
  referral: Referral | null;
  proposal: Proposal | null;
  proposals: number;
  /** Terminals that were lost in this round, whether the closing was displayed by then, and whether they are back. */
  lost: { [terminal: string]: { closed: boolean; back: boolean } };
};

export const own = <T>(record: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Whether a round is being played: opened, and neither settled nor void. */
export const isPlaying = ({ phase }: Table): boolean => phase !== 'idle';

/** Whether the table itself found what it waits for, so that it cannot be called a mistake. */
export function isFoundByTable({ held, shoe, setting }: Table): boolean {
  if (held?.kind === 'extra-card') return Object.values(shoe!.seen).some((times) => times > setting.decks);
  return held?.kind === 'interruption';
}

/** The last round while it can still be touched as a whole: ended, and the next one not opened. */
export const lastRound = ({ phase, round }: Table): Round | null => (phase === 'idle' ? round : null);

export const settlementOf = ({ id, settlements }: RoundRecord): string => `${id}#${settlements}`;
export const nextSettlementOf = ({ id, settlements }: RoundRecord): string => `${id}#${settlements + 1}`;
