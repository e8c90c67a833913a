import { computed, effect, signal, untracked } from '@preact/signals';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { patron } from '../app/connection.ts';
import { link, openTableId, purse, tableView } from '../app/state.ts';

// The last rounds of the session, recalled whenever one of them may have changed out of sight. A patron who was away
// played none meanwhile, so a few pages contain everything this page may have missed.

const mostPages = 3;

/** Newest first; null before the first recall. */
export const recent = signal<readonly RecalledRound[] | null>(null);

let turn = 0;

async function look(): Promise<void> {
  turn += 1;
  const mine = turn;
  const rounds: RecalledRound[] = [];
  let next: string | null = null;
  for (let n = 0; n < mostPages && (n === 0 || next !== null); n++) {
    const answer = await patron.recall(next ?? undefined);
    // A refused recall is repeated on the next occasion. A later recall replaces an earlier one.
    if (answer.type !== 'recalled' || mine !== turn) return;
    rounds.push(...answer.rounds);
    ({ next } = answer);
  }
  recent.value = rounds;
}

/** Rounds with open stakes at tables other than the one on the screen. */
const elsewhere = computed(() => {
  const { openStakes = [] } = purse.value ?? {};
  return openStakes.filter(({ table }) => table !== openTableId.value).map(({ round }) => round);
});
let stood: readonly string[] = [];

/** Recalls when a round at another table has ended. */
effect(() => {
  const now = elsewhere.value;
  const hasEnded = stood.some((round) => !now.includes(round));
  stood = now;
  if (hasEnded && link.value === 'open') void look();
});

/** Recalls once per connection as soon as there is a session, and after each published correction. */
let lookedFor = '';
effect(() => {
  const session = purse.value?.session?.number ?? null;
  const notice = tableView.value?.notice;
  const corrected = notice?.kind === 'corrected' ? notice.round : '';
  const isOpen = link.value === 'open';
  untracked(() => {
    if (!isOpen) {
      turn += 1;
      lookedFor = '';
      recent.value = null;
    }
    if (!isOpen || session === null) return;
    const wanted = `${session} ${corrected}`;
    const isCalm = corrected === '' && lookedFor.startsWith(`${session} `);
    if (wanted === lookedFor || isCalm) return;
    lookedFor = wanted;
    void look();
  });
});
