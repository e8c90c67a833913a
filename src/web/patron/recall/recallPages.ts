import { type RecalledRound } from '../../../wire/roundRecall.ts';

/** The pages loaded so far, newest round first; `next` is the cursor of the next page. */
export type Got = {
  readonly rounds: readonly RecalledRound[];
  readonly next: string | null;
  readonly state: 'asking' | 'there' | 'failed';
};

type Page = Pick<Got, 'rounds' | 'next'>;

export const emptyRecall: Got = { rounds: [], next: null, state: 'asking' };

/** Adds the page that starts at a cursor; a page for an outdated cursor is ignored. */
export const withOlder = (got: Got, from: string | null, { rounds, next }: Page): Got =>
  got.next === from ? { rounds: [...got.rounds, ...rounds], next, state: 'there' } : got;

/** Replaces the first page. Older pages stay, unless there is a gap between them and the new one. */
export function withNewest(got: Got, page: Page): Got {
  const newest = new Set(page.rounds.map(({ id }) => id));
  const older = got.rounds.filter(({ id }) => !newest.has(id));
  if (older.length === got.rounds.length) return { ...page, state: 'there' };
  return { ...got, rounds: [...page.rounds, ...older], state: got.state === 'asking' ? 'asking' : 'there' };
}
