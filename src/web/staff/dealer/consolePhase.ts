import { type DealerView } from '../../../wire/staff/dealerView.ts';

// Phase of the console. When it changes, Enter is ignored for a moment, since the dealer may have pressed it for the
// previous phase.

export type ConsolePhase = {
  readonly table: DealerView['phase'];
  readonly prompt: string;
  /** Id of the proposal that waits for a second signature, or null. */
  readonly proposal: string | null;
};

type PromptView = { readonly phase: DealerView['phase']; readonly prompt: Pick<DealerView['prompt'], 'code'> };

/**
 * Prompt code of the phase after a proposal has expired. It replaces `proposed` until the server sends the next view.
 */
const expired = 'expired';

export function consolePhase({ phase, prompt: { code } }: PromptView, proposal: string | null): ConsolePhase {
  // Dealing is one phase for all cards of a round, so that Enter is not ignored after each card.
  const isDealing = /-card$|-draws$|^player-stands$/.test(code);
  const isExpired = code === 'proposed' && proposal === null;
  return { table: phase, prompt: isDealing ? 'dealing' : isExpired ? expired : code, proposal };
}

export function isSamePhase(last: ConsolePhase | null, next: ConsolePhase | null): boolean {
  if (last === null || next === null) return last === next;
  const isSamePrompt = last.prompt === next.prompt || last.prompt === expired;
  return isSamePrompt && last.table === next.table && last.proposal === next.proposal;
}
