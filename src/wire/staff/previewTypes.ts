import { type SupervisorView } from './supervisorView.ts';

/** Answer to the query `preview`: the effects that a command would have if it were sent now. */
export type PreviewAnswer = {
  readonly effects: readonly { readonly type: string; readonly [field: string]: unknown }[];
  /** Role that has to approve the command, or null. */
  readonly second: string | null;
  readonly rulings: SupervisorView['rulings'];
  /** [READING 60] For each credit session that the round paid: its credit, and whether it is still open. */
  readonly sessions?: { readonly [session: string]: { readonly credit: number; readonly open: boolean } };
  /** The first postings of the command; there may be more. */
  readonly postings?: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  /** Number of all postings of the command. */
  readonly allPostings?: number;
};
