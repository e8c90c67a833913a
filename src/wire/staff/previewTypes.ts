import { type SupervisorView } from './views.ts';

/** What an act would do and for whom, as it is told before it is asked. */
export type PreviewAnswer = {
  readonly effects: readonly { readonly type: string; readonly [field: string]: unknown }[];
  /** The post whose consent it takes. */
  readonly second: string | null;
  readonly rulings: SupervisorView['rulings'];
  /** What the sessions that a round has paid still have, and whether they go on. [READING 60] */
  readonly sessions?: { readonly [session: string]: { readonly credit: number; readonly open: boolean } };
  /** What would be posted, the first of it, and how many entries there would be. */
  readonly postings?: readonly { readonly from: string; readonly to: string; readonly amount: number }[];
  readonly allPostings?: number;
};
