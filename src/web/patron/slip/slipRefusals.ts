import { type SlipStakes } from '../../../wire/messages.ts';
import { acceptedOf, bookIn, visibleSlip, idleBy, takesBets } from './slipView.ts';
import { type SlipRefusal, type State } from './slipState.ts';

const late = ['bets-closed', 'late-raise', 'late-withdrawal'] as const;

export const isTooLate = (code: string): boolean => late.some((one) => one === code);

/** Why a slip is not allowed now, with the server's error code; undefined if it is allowed. */
export function barred(state: State, slip: SlipStakes): SlipRefusal | undefined {
  const { view, at } = state;
  const clauses = bookIn(state)?.clauses;
  const stood = acceptedOf(state);
  const saying = (code: string, by: string | null | undefined): SlipRefusal => ({
    code,
    message: '',
    by: by ?? null,
    slip,
    stood,
    credit: state.own?.credit ?? 0,
  });
  const idle = idleBy(state);
  if (idle === 'terminal-locked') return saying(idle, null);
  if (view?.stopped) return saying(codeOfStop(view.stopped.kind), view.stopped.by);
  if (!takesBets(view, at) || clauses === undefined) {
    const [code, clause] = lateWords(slip, stood);
    return saying(code, clauses?.[clause]);
  }
  // During a break stakes may still be lowered.
  if (idle !== null && Object.keys(slip).some((wager) => slip[wager]! > (stood[wager] ?? 0))) return saying(idle, null);
  const felt = visibleSlip(state);
  const isOver = view!.layout.some(({ wager, maximum }) => {
    const stake = slip[wager] ?? 0;
    return stake > maximum && stake > (felt[wager] ?? 0);
  });
  return isOver ? saying('over-maximum', clauses.limits) : undefined;
}

function codeOfStop(kind: string): string {
  if (kind === 'cannot-record') return kind;
  return kind === 'broken' ? 'table-stopped' : kind === 'referred' ? 'awaiting-decision' : 'awaiting-ruling';
}

/** After the close nothing is placed, raised or withdrawn. [READING 20, 21] */
function lateWords(slip: SlipStakes, stood: SlipStakes) {
  const raised = Object.keys(slip).find((wager) => slip[wager]! > (stood[wager] ?? 0));
  const lowered = Object.keys(stood).find((wager) => stood[wager] !== slip[wager]);
  if ((stood[raised ?? lowered ?? ''] ?? 0) === 0) return ['bets-closed', 'placedLate'] as const;
  return raised === undefined
    ? (['late-withdrawal', 'withdrawnLate'] as const)
    : (['late-raise', 'raisedLate'] as const);
}
