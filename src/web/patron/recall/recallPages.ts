import { type RecalledRound } from '../../../wire/roundRecall.ts';

/** What has come so far, the newest first, and whether more is on its way; `next` is where the next page goes on. */
export type Got = {
  readonly rounds: readonly RecalledRound[];
  readonly next: string | null;
  readonly state: 'asking' | 'there' | 'failed';
};

type Page = Pick<Got, 'rounds' | 'next'>;

export const emptyRecall: Got = { rounds: [], next: null, state: 'asking' };

/** With the page that was asked for from a place on; one that belongs elsewhere by now is left out. */
export const withOlder = (got: Got, from: string | null, { rounds, next }: Page): Got =>
  got.next === from ? { rounds: [...got.rounds, ...rounds], next, state: 'there' } : got;

/** With the first page as it is by now; what has come of older rounds stays, unless something lies in between. */
export function withNewest(got: Got, page: Page): Got {
  const newest = new Set(page.rounds.map(({ id }) => id));
  const older = got.rounds.filter(({ id }) => !newest.has(id));
  if (older.length === got.rounds.length) return { ...page, state: 'there' };
  return { ...got, rounds: [...page.rounds, ...older], state: got.state === 'asking' ? 'asking' : 'there' };
}
