import { computed, effect, signal, untracked } from '@preact/signals';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import { patronClient } from '../app/connection.ts';
import { connectionState, openTableId, terminalMoneyState, tableView } from '../app/state.ts';

// The newest rounds of the session. They are recalled whenever a round may have a result that this page has not
// received. A few pages of the recall are enough, since a patron places no bets while disconnected.

const maxPages = 3;

/** Recalled rounds, newest first; null until the first recall on this connection. */
export const recentRounds = signal<readonly RecalledRound[] | null>(null);

let lastRequest = 0;

async function recall(): Promise<void> {
  lastRequest += 1;
  const request = lastRequest;
  const rounds: RecalledRound[] = [];
  let next: string | null = null;
  for (let n = 0; n < maxPages && (n === 0 || next !== null); n++) {
    const reply = await patronClient.recall(next ?? undefined);
    // After a refused recall the rounds stay as they are until the next recall. A reply to an older recall is ignored.
    if (reply.type !== 'recalled' || request !== lastRequest) return;
    rounds.push(...reply.rounds);
    ({ next } = reply);
  }
  recentRounds.value = rounds;
}

/** IDs of the rounds with open stakes at tables other than the table on the screen. */
const openElsewhere = computed(() => {
  const { openStakes = [] } = terminalMoneyState.value ?? {};
  return openStakes.filter(({ table }) => table !== openTableId.value).map(({ round }) => round);
});
let lastOpenElsewhere: readonly string[] = [];

/** Recalls the rounds when a round at another table has ended. */
effect(() => {
  const now = openElsewhere.value;
  const hasEnded = lastOpenElsewhere.some((round) => !now.includes(round));
  lastOpenElsewhere = now;
  if (hasEnded && connectionState.value === 'open') void recall();
});

/** Recalls the rounds once per connection and session, and after each published correction. */
let recalledFor = '';
effect(() => {
  const session = terminalMoneyState.value?.session?.number ?? null;
  const notice = tableView.value?.notice;
  const corrected = notice?.kind === 'corrected' ? notice.round : '';
  const isOpen = connectionState.value === 'open';
  untracked(() => {
    if (!isOpen) {
      lastRequest += 1;
      recalledFor = '';
      recentRounds.value = null;
    }
    if (!isOpen || session === null) return;
    const wanted = `${session} ${corrected}`;
    const isRecalled = corrected === '' && recalledFor.startsWith(`${session} `);
    if (wanted === recalledFor || isRecalled) return;
    recalledFor = wanted;
    void recall();
  });
});
