import { type DealerView } from '../../../wire/staff/dealerView.ts';

// Phase of the console. Enter is ignored for a moment after each phase change, since the key was meant for the
// previous phase.

export type ConsolePhase = {
  readonly table: DealerView['phase'];
  readonly prompt: string;
  /** Id of the proposal that waits for a second signature, or null. */
  readonly proposal: string | null;
};

type PromptView = { readonly phase: DealerView['phase']; readonly prompt: Pick<DealerView['prompt'], 'code'> };

/** Replaces the prompt code after a proposal has expired at the console, until the server sends its next view. */
const expired = 'expired';

export function consolePhase({ phase, prompt: { code } }: PromptView, proposal: string | null): ConsolePhase {
  // All cards of a round are one phase, so that Enter is not ignored after each card.
  const isDealing = /-card$|-draws$|^player-stands$/.test(code);
  const isExpired = code === 'proposed' && proposal === null;
  return { table: phase, prompt: isDealing ? 'dealing' : isExpired ? expired : code, proposal };
}

export function isSamePhase(last: ConsolePhase | null, next: ConsolePhase | null): boolean {
  if (last === null || next === null) return last === next;
  const isSamePrompt = last.prompt === next.prompt || last.prompt === expired;
  return isSamePrompt && last.table === next.table && last.proposal === next.proposal;
}
