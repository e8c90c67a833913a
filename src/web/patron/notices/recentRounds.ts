import { computed, effect, signal, untracked } from '@preact/signals';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { patron } from '../app/connection.ts';
import { link, openTableId, purse, tableView } from '../app/state.ts';

// The last rounds of the session, asked for whenever something may have happened to them out of sight: whoever was away
// played none meanwhile, so that a few pages hold all that could be unknown here.

const mostPages = 3;

/** The newest first; null before they were told. */
export const recent = signal<readonly RecalledRound[] | null>(null);

let turn = 0;

async function look(): Promise<void> {
  turn += 1;
  const mine = turn;
  const rounds: RecalledRound[] = [];
  let next: string | null = null;
  for (let n = 0; n < mostPages && (n === 0 || next !== null); n++) {
    const answer = await patron.recall(next ?? undefined);
    // What is refused is asked for again at the next occasion; who asked later gets the later answer.
    if (answer.type !== 'recalled' || mine !== turn) return;
    rounds.push(...answer.rounds);
    ({ next } = answer);
  }
  recent.value = rounds;
}

/** The rounds of other tables than the one in sight where a stake stands. */
const elsewhere = computed(() => {
  const { openStakes = [] } = purse.value ?? {};
  return openStakes.filter(({ table }) => table !== openTableId.value).map(({ round }) => round);
});
let stood: readonly string[] = [];

/** Looks back whenever a round has ended where nobody looks. */
effect(() => {
  const now = elsewhere.value;
  const hasEnded = stood.some((round) => !now.includes(round));
  stood = now;
  if (hasEnded && link.value === 'open') void look();
});

/** Looks back once for each link, as soon as there is a session, and for each correction that is told to everyone. */
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
