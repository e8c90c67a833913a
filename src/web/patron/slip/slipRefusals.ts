import { type SlipStakes } from '../../../wire/messages.ts';
import { acceptedStakes, rulebookOfTable, visibleSlip, bettingBlockReasonOf, isShowingOpenBets } from './slipView.ts';
import { type PatronRefusal, type SlipState } from './slipState.ts';

const lateCodes = ['bets-closed', 'late-raise', 'late-withdrawal'] as const;

export const isLateRefusalCode = (code: string): boolean => lateCodes.some((one) => one === code);

/**
 * Refusal of a slip that is not allowed now, with the error code that the server would send; undefined if the slip is
 * allowed.
 */
export function localRefusalOfSlip(state: SlipState, slip: SlipStakes): PatronRefusal | undefined {
  const { view, at } = state;
  const clauses = rulebookOfTable(state)?.clauses;
  const accepted = acceptedStakes(state);
  const refuse = (code: string, by: string | null | undefined): PatronRefusal => ({
    code,
    message: '',
    by: by ?? null,
    slip,
    accepted,
    credit: state.own?.credit ?? 0,
  });
  const block = bettingBlockReasonOf(state);
  if (block === 'terminal-locked') return refuse(block, null);
  if (view?.stopped) return refuse(codeOfStop(view.stopped.kind), view.stopped.by);
  if (!isShowingOpenBets(view, at) || clauses === undefined) {
    const [code, clause] = lateRefusal(slip, accepted);
    return refuse(code, clauses?.[clause]);
  }
  // During a break the patron may still lower stakes.
  if (block !== null && Object.keys(slip).some((wager) => slip[wager]! > (accepted[wager] ?? 0)))
    return refuse(block, null);
  const felt = visibleSlip(state);
  const isOver = view!.layout.some(({ wager, maximum }) => {
    const stake = slip[wager] ?? 0;
    return stake > maximum && stake > (felt[wager] ?? 0);
  });
  return isOver ? refuse('over-maximum', clauses.limits) : undefined;
}

function codeOfStop(kind: string): string {
  if (kind === 'cannot-record') return kind;
  return kind === 'broken' ? 'table-stopped' : kind === 'referred' ? 'awaiting-decision' : 'awaiting-ruling';
}

/**
 * Error code and clause for a change after the close of bets, when stakes can be neither placed nor raised nor
 * withdrawn. [READING 20, 21]
 */
function lateRefusal(slip: SlipStakes, accepted: SlipStakes) {
  const raised = Object.keys(slip).find((wager) => slip[wager]! > (accepted[wager] ?? 0));
  const lowered = Object.keys(accepted).find((wager) => accepted[wager] !== slip[wager]);
  if ((accepted[raised ?? lowered ?? ''] ?? 0) === 0) return ['bets-closed', 'placedLate'] as const;
  return raised === undefined
    ? (['late-withdrawal', 'withdrawnLate'] as const)
    : (['late-raise', 'raisedLate'] as const);
}
