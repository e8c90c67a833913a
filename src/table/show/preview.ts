import { isRefused } from '../../rules/refusal.ts';
import { dealOf } from '../../rules/deal.ts';
import { type Decision } from '../decide/decision.ts';
import { type TableEvent } from '../declare/events.ts';
import { type Slip, type Slips } from '../declare/kinds.ts';
import { type Ending, paidOn, totalOn } from '../money.ts';
import { type Act, effectsOf } from '../decide/proposals.ts';
import { gameNamed } from '../declare/setting.ts';
import { resultsFor } from '../decide/settling.ts';
import { frozenOf, leadingOf } from '../matters.ts';
import { type RoundRecord, type Table, keptRound } from '../table.ts';
import { dealerView } from './views.ts';

/** What the supervisor sees: every slip, what is proposed with all it would do, and the possible rulings side by side. */
export function supervisorView(table: Table) {
  const { proposal, round } = table;
  return {
    ...dealerView(table),
    slipsByTerminal: round?.slips ?? {},
    lost: table.lost,
    proposal: proposal && { ...proposal, effects: effectsNow(table) },
    referrals: table.referrals,
    rulings: rulingsOf(table),
    frozen: frozenOf(table),
    shortfalls: table.shortfalls,
    unpaid: table.jobs.map(({ settlement, order, done }) => ({ settlement, slips: order.length, posted: done })),
  };
}

/** What would happen if the proposal were approved now. */
function effectsNow(table: Table): Decision {
  const { act, who } = table.proposal!;
  return effectsOf({ ...act, at: table.at, who } as Act, { v: 1, at: table.at, who }, table, undefined);
}

/** What each ruling would give back to a patron; null where it cannot be told yet. */
type RulingRow = {
  readonly terminal: string;
  readonly staked: number;
  /** Paid so far, where the round was settled. */
  readonly paid: number | null;
  readonly void: number;
  readonly stand: number | null;
  readonly reconstruct: number | null;
};

/** Null where nobody is to decide about a round whose slips are at hand. */
function rulingsOf(table: Table): readonly RulingRow[] | null {
  const effects = table.proposal === null ? [] : effectsNow(table);
  const replay = isRefused(effects) ? undefined : effects.find(isReplay);
  const round = roundUnder(table, replay);
  if (round === null) return null;
  const { slips, ending } = round;
  const stand = endingOf(table, round, round.cards);
  const reconstruct = replay ? endingOf(table, round, replay.after) : null;
  const sum = (slip: Slip, how: Ending | null): number | null =>
    how && paidOn(slip, how).reduce((all, { returned }) => all + returned, 0);
  return Object.entries(slips).map(([terminal, slip]) => ({
    terminal,
    staked: totalOn(slip),
    paid: sum(slip, ending),
    void: totalOn(slip),
    stand: sum(slip, stand),
    reconstruct: sum(slip, reconstruct),
  }));
}

/** The round that a ruling is about: the one in question, or one that a proposal would touch. */
function roundUnder(table: Table, replay: Replay | undefined): (RoundRecord & { slips: Slips }) | null {
  const { round, held, referrals, proposal } = table;
  const waiting = leadingOf(table)?.round ?? referrals[0]?.round ?? held[0]?.round;
  const about = replay?.round ?? waiting ?? (proposal ? (round?.id ?? null) : null);
  const kept = keptRound(table, about);
  if (kept === undefined) return null;
  if ('slips' in kept) return kept;
  const acts = replay !== undefined || proposal?.act.type === 'DecideReferral';
  return acts ? { ...kept, slips: (proposal!.act['slips'] ?? {}) as Slips } : null;
}

type Replay = Extract<TableEvent, { readonly type: 'RoundReconstructed' | 'CardCorrected' }>;

const isReplay = (event: TableEvent): event is Replay =>
  event.type === 'RoundReconstructed' || event.type === 'CardCorrected';

/** How the round would end with these cards, if they are a whole deal. */
function endingOf({ setting }: Table, round: RoundRecord, cards: readonly string[]): Ending | null {
  const { ending } = round;
  if (ending && 'voidBy' in ending) return ending;
  const deal = dealOf(cards, { deck: gameNamed(round.game).deck, decks: 10 });
  if (!('facts' in deal)) return null;
  const offered = ending ? Object.keys(ending.results) : setting.offered;
  return { results: resultsFor(round, cards, offered) };
}
