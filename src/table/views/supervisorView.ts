import { isRefused } from '../../base/refusal.ts';
import { toPreviewedEvents } from '../decide/proposals.ts';
import { disputedRounds } from '../irregularities.ts';
import { type Table } from '../state.ts';
import { buildDealerView } from './dealerView.ts';
import { actorView } from './irregularityView.ts';
import { proposalEffects, approvableProposal } from './approvableProposal.ts';
import { rulingMatrix } from './rulingMatrix.ts';

/** The dealer's view plus stakes, shortfalls, the open proposal with its effects, and the ruling matrix. */
export function buildSupervisorView(table: Table, at: number = table.at) {
  const { settings, round } = table;
  return {
    ...buildDealerView(table, at),
    currency: settings.currency,
    staked: Object.values(round?.totals ?? {}).reduce((sum, { stake }) => sum + stake, 0),
    bettors: round?.terminals ?? 0,
    totals: { ...round?.totals },
    differences: table.differences.map((one) => ({ ...one })),
    decided: table.decided.map(({ actor, ...one }) => ({ ...one, from: actorView(actor) })),
    rulings: rulingMatrix(table),
    effects: effectsView(table),
    frozen: disputedRounds(table),
    disconnected: Object.entries(table.disconnected).map(([terminal, { closed, back }]) => ({
      terminal,
      closed,
      back,
    })),
    shortfalls: Object.entries(table.shortfalls).flatMap(([terminal, rounds]) =>
      Object.entries(rounds).map(([about, amount]) => ({ terminal, round: about, amount })),
    ),
    unpaid: table.pendingSettlements.map(({ settlement, order, done }) => ({
      settlement,
      slips: order.length,
      posted: done,
    })),
    closed: table.closed,
  };
}

/** The events that an approval of the open proposal would produce now, or the error code of its refusal. */
function effectsView(table: Table) {
  if (approvableProposal(table) === null) return null;
  const effects = proposalEffects(table);
  return isRefused(effects) ? { not: effects.refused, events: [] } : { not: null, events: toPreviewedEvents(effects) };
}
