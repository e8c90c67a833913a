import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { type Book, bookOf } from '../../games/books.ts';
import { areSameStakes } from '../../rules/stakes.ts';
import { type ServerMessageOf, type Slip } from '../../wire/messages.ts';
import { gameOf } from '../shared/figures.ts';
import { patron } from './link.ts';
import { isOpen, link, own, page, refused, timeTo, view } from './state.ts';

// Betting: whatever a patron does makes another whole slip, and that is what the server is asked for. One message is on
// its way at a time, and no more than three go in a second; what is wanted meanwhile goes with the next. Nothing counts but
// what the server accepted.

/** The round that a slip is meant for, and what it is if it never gets there. */
type Aim = { readonly table: string; readonly round: string; readonly number: number; readonly missedBy: string };
/** With how many steps lie behind it. */
type Sent = Aim & { readonly slip: Slip; readonly depth: number };

/** What the patron wants and the server has not accepted yet. */
export const wanted = signal<Slip | null>(null);
/** The chip in hand, as its place in the tray. */
export const chip = signal(1);
/** A change that did not get into its round, by the clause that says so. [ETG 5.10.2, HOUSE 11] */
export const missed = signal<Pick<Aim, 'number' | 'missedBy'> | null>(null);
const before = signal<readonly Slip[]>([]);
/** How many of these steps led to what the server has accepted. */
let depth = 0;
let aim: Aim | undefined;
let sent: Sent | undefined;
let lost = false;
/** Whether what is on its way had to wait for the link. */
let delayed = false;

/** The shortest time from one slip to the next, in milliseconds, and when the next may go. */
const between = 334;
let next = 0;
let timer: number | undefined;

const empty: Slip = {};
export const accepted = computed<Slip>(() => own.value?.slip ?? empty);
/** The chips as they lie on the spots. */
export const onFelt = computed<Slip>(() => wanted.value ?? accepted.value);
export const canUndo = computed(() => before.value.length > 0);

export const totalOf = (slip: Slip): number => Object.values(slip).reduce((sum, stake) => sum + stake, 0);
/** Credit that no chip on the felt lays claim to. */
export const free = computed(() => (own.value?.credit ?? 0) + totalOf(accepted.value) - totalOf(onFelt.value));

/** What a slip lacks before it can be sent: the spot below its minimum, or null for the slip as a whole. [READING 36] */
export const lacking = computed<{ readonly wager: string | null; readonly amount: number } | undefined>(() => {
  if (wanted.value === null || view.value === null) return undefined;
  const { layout, totalMinimum } = view.value;
  for (const { wager, least } of layout) {
    const stake = wanted.value[wager] ?? 0;
    if (stake > 0 && stake < least) return { wager, amount: least - stake };
  }
  const total = totalOf(wanted.value);
  return total > 0 && total < totalMinimum ? { wager: null, amount: totalMinimum - total } : undefined;
});

/** The book that the table is run by. */
function book(): Book | undefined {
  const game = view.value && gameOf(view.value.game.version);
  return game ? bookOf(game) : undefined;
}

/** Where a slip goes that is made now. */
function aimNow(): Aim | undefined {
  const round = view.value?.round;
  const terminals = book()?.terminals;
  if (!round || !terminals || page.value === null) return undefined;
  const missedBy = isOpen.value ? terminals.openNotAccepted : terminals.closedNotAccepted;
  return { table: page.value, round: round.id, number: round.number, missedBy };
}

function want(slip: Slip): void {
  refused.value = null;
  missed.value = null;
  aim = aimNow();
  // A terminal that shows the close adds nothing, though a slip that is on its way may still arrive. [READING 15]
  if (aim === undefined || (view.value?.phase === 'closing' && !isOpen.value)) {
    const by = book()?.clauses.placedLate ?? null;
    refused.value = { code: 'bets-closed', message: '', by, slip, stood: accepted.value };
    return;
  }
  wanted.value = slip;
  delayed = false;
  flush();
}

function change(slip: Slip): void {
  const steps = before.value;
  before.value = [...steps, onFelt.value];
  want(slip);
  if (wanted.value !== slip) before.value = steps;
}

/** One chip more on a spot. */
export function add(wager: string): void {
  const amount = view.value?.tray[chip.value];
  if (amount !== undefined) change({ ...onFelt.value, [wager]: (onFelt.value[wager] ?? 0) + amount });
}

export const clear = (): void => change({});
export const again = (): void => change({ ...own.value?.again });
export const double = (): void =>
  change(Object.fromEntries(Object.entries(onFelt.value).map(([wager, stake]) => [wager, 2 * stake])));

/** Takes back the last of all these. */
export function undo(): void {
  const last = before.value.at(-1);
  if (last === undefined) return;
  before.value = before.value.slice(0, -1);
  want(last);
}

function flush(): void {
  if (sent !== undefined || wanted.value === null || aim === undefined || lacking.value !== undefined) return;
  if (link.value !== 'open' || isTooSoon()) return;
  next = performance.now() + between;
  sent = { ...aim, slip: wanted.value, depth: before.value.length };
  void ask(sent);
}

/** Whether another slip would be one too many; then it goes when it may. Before the close none is held back. */
function isTooSoon(): boolean {
  clearTimeout(timer);
  const pause = next - performance.now();
  const round = view.value?.round;
  if (pause <= 0 || !round || timeTo(round.deadline ?? round.closesAt) <= pause) return false;
  timer = setTimeout(flush, pause);
  return true;
}

async function ask(asked: Sent): Promise<void> {
  const answer = await patron.slip(asked.table, asked.round, asked.slip);
  if (sent !== asked) return;
  sent = undefined;
  batch(() => {
    if (answer.type === 'refused') hearRefusal(answer, asked);
    if (answer.type !== 'accepted') return;
    depth = asked.depth;
    if (wanted.value !== null && areSameStakes(wanted.value, asked.slip)) wanted.value = null;
    else flush();
  });
}

const tooLate = new Set(['bets-closed', 'late-raise', 'late-withdrawal']);

// What was wanted on top of it goes as well: the patron sees why, and begins from what stands.
function hearRefusal(answer: ServerMessageOf<'refused'>, { slip, number, missedBy }: Sent): void {
  // The patron was in time and the link was not: what that means is said instead.
  if (delayed && tooLate.has(answer.code)) {
    refused.value = null;
    missed.value = { number, missedBy };
  } else refused.value = { ...answer, slip, stood: accepted.value, credit: own.value?.credit ?? 0 };
  wanted.value = null;
  before.value = before.value.slice(0, depth);
}

// The link is back, and the table is known. What was unanswered is asked again by the client itself.
patron.watch((_, tell) => {
  if (tell?.type !== 'own') return;
  if (lost) delayed = true;
  lost = false;
  flush();
});

effect(() => {
  if (link.value === 'lost') lost = true;
});

// Another table begins with nothing.
effect(() => {
  void page.value;
  untracked(() => {
    missed.value = null;
    wanted.value = null;
    sent = undefined;
  });
});

// So does a new round; what still waited for the link was not in the one before.
const round = computed(() => own.value?.round?.id);
effect(() => {
  void round.value;
  untracked(() => {
    const waits = wanted.value !== null && !(sent && areSameStakes(sent.slip, wanted.value));
    const below = lacking.value && book()?.clauses.limits;
    if (waits && aim !== undefined) missed.value = below === undefined ? aim : { ...aim, missedBy: below };
    before.value = [];
    depth = 0;
    wanted.value = null;
    refused.value = null;
  });
});

// A refusal ends with the phase that it was about.
const phase = computed(() => view.value?.phase);
effect(() => {
  void phase.value;
  untracked(() => {
    if (view.value !== null) refused.value = null;
  });
});

// What another page of this terminal has changed cannot be taken back step by step here.
let stands: Slip = empty;
effect(() => {
  const now = accepted.value;
  untracked(() => {
    if (!areSameStakes(now, stands) && !(sent && areSameStakes(now, sent.slip))) {
      before.value = [];
      depth = 0;
    }
    stands = now;
  });
});
