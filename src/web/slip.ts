import { computed, effect, signal, untracked } from '@preact/signals';
import { type Slip } from '../wire/messages.ts';
import { onAnswers, say } from './link.ts';
import { freshId } from './secret.ts';
import { link, own, page, refused, view } from './state.ts';

// Betting: whatever a patron does makes another whole slip, and that is what the server is asked for. One message is on
// its way at a time; what is wanted meanwhile goes when it is answered. Nothing counts but what the server accepted.

type Sent = { readonly id: string; readonly table: string; readonly round: string; readonly slip: Slip };

/** What the patron wants and the server has not accepted yet. */
export const wanted = signal<Slip | null>(null);
/** The chip in hand, as its place in the tray. */
export const chip = signal(1);
const before = signal<readonly Slip[]>([]);
let sent: Sent | undefined;

const empty: Slip = {};
export const accepted = computed<Slip>(() => own.value?.slip ?? empty);
export const shown = computed<Slip>(() => wanted.value ?? accepted.value);
export const canUndo = computed(() => before.value.length > 0);

const isSame = (one: Slip, other: Slip): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.keys(one).every((wager) => one[wager] === other[wager]);

function want(slip: Slip): void {
  refused.value = null;
  wanted.value = slip;
  flush();
}

function change(slip: Slip): void {
  before.value = [...before.value, shown.value];
  want(slip);
}

/** One chip more on a spot. */
export function add(wager: string): void {
  const amount = view.value?.tray[chip.value];
  if (amount !== undefined) change({ ...shown.value, [wager]: (shown.value[wager] ?? 0) + amount });
}

export const clear = (): void => change({});
export const again = (): void => change({ ...own.value?.again });
export const double = (): void =>
  change(Object.fromEntries(Object.entries(shown.value).map(([wager, stake]) => [wager, 2 * stake])));

/** Takes back the last of all these. */
export function undo(): void {
  const last = before.value.at(-1);
  if (last === undefined) return;
  before.value = before.value.slice(0, -1);
  want(last);
}

function flush(): void {
  const round = view.value?.round?.id;
  if (sent !== undefined || wanted.value === null || round === undefined || page.value === null) return;
  if (link.value !== 'open') return;
  sent = { id: freshId(), table: page.value, round, slip: wanted.value };
  say({ type: 'slip', ...sent });
}

onAnswers({
  accepted: ({ id }) => {
    if (id !== sent?.id) return;
    const { slip } = sent;
    sent = undefined;
    if (wanted.value !== null && isSame(wanted.value, slip)) wanted.value = null;
    else flush();
  },
  // What was wanted on top of it goes as well: the patron sees why, and begins from what stands.
  refused: ({ id }) => {
    if (id !== sent?.id) return;
    sent = undefined;
    wanted.value = null;
    before.value = before.value.slice(0, -1);
  },
  // An answer may have been lost with the link. The same id asks for it again, and changes nothing if it was accepted.
  back: () => {
    if (sent !== undefined && sent.table === page.value && resend) say({ type: 'slip', ...sent });
    else flush();
    resend = false;
  },
});

let resend = false;
effect(() => {
  if (link.value === 'lost') resend = true;
});

// A new round, or another table, begins with nothing.
const place = computed(() => `${page.value ?? ''} ${own.value?.round?.id ?? ''}`);
effect(() => {
  void place.value;
  untracked(() => {
    before.value = [];
    wanted.value = null;
    if (sent?.table !== page.value) sent = undefined;
  });
});
