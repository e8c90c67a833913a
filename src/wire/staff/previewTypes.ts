import { type ProposalEffects } from './proposalEffects.ts';
import { type SupervisorView } from './supervisorView.ts';

/** Answer to the query `preview`: the effects that a command would have if it were sent now. */
export type CommandPreviewAnswer = {
  readonly effects: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly second: string | null;
  /** The effects that a proposal of the command would show; null for a command that is never proposed. */
  readonly proposal: ProposalEffects | null;
  readonly rulings: SupervisorView['rulings'];
  /**
   * [READING 60] Credit of each credit session that was paid for the round. `open` is true while the session is open.
   */
  readonly sessions?: { readonly [session: string]: { readonly credit: number; readonly open: boolean } };
  /**
   * The first postings that the command would cause at once. A settlement is posted in chunks, and the postings of
   * later chunks are not included.
   */
  readonly postings?: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  /** Number of all postings that the command would cause at once. */
  readonly allPostings?: number;
};
