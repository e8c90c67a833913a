import { type ProposalEffects } from './proposalEffects.ts';
import { type SupervisorView } from './supervisorView.ts';

/** Answer to the query `preview`: the effects that a command would have if it were sent now. */
export type CommandPreviewAnswer = {
  readonly effects: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly second: string | null;
  /** The effects that would be shown if the command were proposed; null for a command that needs no proposal. */
  readonly proposal: ProposalEffects | null;
  readonly rulings: SupervisorView['rulings'];
  /**
   * [READING 60] Credit of each credit session that was paid for the round. `open` is true while the session is open.
   */
  readonly sessions?: { readonly [session: string]: { readonly credit: number; readonly open: boolean } };
  /**
   * The first of the postings that the command would cause at once. A settlement is posted in chunks, of which only the
   * first is posted at once.
   */
  readonly postings?: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  /** Number of all postings that the command would cause at once. */
  readonly allPostings?: number;
};
