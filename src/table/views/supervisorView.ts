import { disputedRounds } from '../irregularities.ts';
import { type Table } from '../state.ts';
import { buildDealerView } from './dealerView.ts';
import { actorViewIfStaff } from './irregularityView.ts';
import { type CreditLookup, proposalEffects } from './proposalEffects.ts';
import { rulingMatrix } from './rulingMatrix.ts';

/**
 * The dealer's view, plus stakes, shortfalls, the ruling matrix, and the amounts of the open proposal for every
 * terminal. `creditOf` looks up credits, on which some amounts of a proposal depend.
 */
export function buildSupervisorView(table: Table, at: number = table.at, creditOf?: CreditLookup) {
  const { settings, round } = table;
  const view = buildDealerView(table, at, creditOf);
  return {
    ...view,
    proposal: view.proposal && { ...view.proposal, effects: proposalEffects(table, creditOf) },
    currency: settings.currency,
    staked: Object.values(round?.totals ?? {}).reduce((sum, { stake }) => sum + stake, 0),
    bettors: round?.terminals ?? 0,
    totals: { ...round?.totals },
    differences: table.differences.map((one) => ({ ...one })),
    decided: table.decided.map(({ actor, ...one }) => ({ ...one, from: actorViewIfStaff(actor) })),
    rulings: rulingMatrix(table),
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
