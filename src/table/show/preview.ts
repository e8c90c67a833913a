import { dealOf } from '../../rules/deal.ts';
import { type Decision, isRefusal } from '../decide/decision.ts';
import { type TableEvent } from '../declare/events.ts';
import { type Slip, type Slips } from '../declare/kinds.ts';
import { type Ending, paidOn, totalOn } from '../money.ts';
import { type Act, effectsOf } from '../decide/proposals.ts';
import { gameNamed } from '../declare/setting.ts';
import { resultsFor } from '../decide/settling.ts';
import { type RoundRecord, type Table } from '../table.ts';
import { dealerView } from './views.ts';

/** What the supervisor sees: every slip, what is proposed with all it would do, and the possible rulings side by side. */
export function supervisorView(table: Table) {
  const { proposal, round } = table;
  return {
    ...dealerView(table),
    slipsByTerminal: round?.slips ?? {},
    lost: table.lost,
    proposal: proposal && { ...proposal, effects: effectsNow(table) },
    rulings: isUnderRuling(table) ? rulingsOf(table) : null,
    unpaid: table.jobs.map(({ settlement, order, done }) => ({ settlement, slips: order.length, posted: done })),
  };
}

/** Whether somebody is to decide about a round; a shoe whose order was altered between rounds concerns none. */
const isUnderRuling = ({ round, phase, held, referral, proposal }: Table): boolean =>
  round !== null &&
  (referral !== null || proposal !== null || (held !== null && (phase !== 'idle' || held.kind !== 'order-altered')));

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

function rulingsOf(table: Table): readonly RulingRow[] {
  const effects = table.proposal === null ? [] : effectsNow(table);
  const replay = isRefusal(effects) ? undefined : effects.find(isReplay);
  const round = roundUnder(table, replay);
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

/** The round that a ruling is about: the present one, or an earlier one whose card is to be corrected. */
function roundUnder({ round, history, proposal }: Table, replay: Replay | undefined): RoundRecord & { slips: Slips } {
  const earlier = history.find(({ id }) => id === replay?.round);
  return earlier ? { ...earlier, slips: (proposal!.act['slips'] ?? {}) as Slips } : round!;
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
