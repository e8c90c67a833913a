import { type SupervisorView } from './supervisorView.ts';

/** Effects of a command that is not sent yet. */
export type PreviewAnswer = {
  readonly effects: readonly { readonly type: string; readonly [field: string]: unknown }[];
  /** Role that has to approve. */
  readonly second: string | null;
  readonly rulings: SupervisorView['rulings'];
  /** [READING 60] Credit of the sessions that a round paid, and whether they are still open. */
  readonly sessions?: { readonly [session: string]: { readonly credit: number; readonly open: boolean } };
  /** The first postings, and their number. */
  readonly postings?: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  readonly allPostings?: number;
};
