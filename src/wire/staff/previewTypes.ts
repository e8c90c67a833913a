import { type ProposalEffects } from './proposalEffects.ts';
import { type SupervisorView } from './supervisorView.ts';

/** Answer to the query `preview`: the effects that a command would have if it were sent now. */
export type PreviewAnswer = {
  readonly effects: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly second: string | null;
  /** What the proposal would show; null for a command that is never proposed. */
  readonly proposal: ProposalEffects | null;
  readonly rulings: SupervisorView['rulings'];
  /** [READING 60] Credit of each session that was paid for the round, and whether the session is still open. */
  readonly sessions?: { readonly [session: string]: { readonly credit: number; readonly open: boolean } };
  /** The first postings that the command would cause at once. Later chunks of a settlement are not included. */
  readonly postings?: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  /** Number of all postings that the command would cause at once. */
  readonly allPostings?: number;
};
