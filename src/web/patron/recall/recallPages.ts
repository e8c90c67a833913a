import { type RecalledRound } from '../../../wire/roundRecall.ts';

/**
 * The pages of rounds loaded so far, newest round first. `next` is the cursor of the next page, or null after the last
 * page.
 */
export type RecallState = {
  readonly rounds: readonly RecalledRound[];
  readonly next: string | null;
  readonly state: 'loading' | 'loaded' | 'failed';
};

type Page = Pick<RecallState, 'rounds' | 'next'>;

export const emptyRecall: RecallState = { rounds: [], next: null, state: 'loading' };

/** Adds the page of older rounds that starts at the cursor `from`. A page for an outdated cursor is ignored. */
export const withOlderPage = (recall: RecallState, from: string | null, { rounds, next }: Page): RecallState =>
  recall.next === from ? { rounds: [...recall.rounds, ...rounds], next, state: 'loaded' } : recall;

/** Replaces the newest page of rounds. Older pages stay, unless rounds between them and the new page are missing. */
export function withNewestPage(recall: RecallState, page: Page): RecallState {
  const newest = new Set(page.rounds.map(({ id }) => id));
  const older = recall.rounds.filter(({ id }) => !newest.has(id));
  if (older.length === recall.rounds.length) return { ...page, state: 'loaded' };
  return { ...recall, rounds: [...page.rounds, ...older], state: recall.state === 'loading' ? 'loading' : 'loaded' };
}
