import { type ReadonlySignal, computed, useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type View } from '../../../wire/tableView.ts';
import { isOpen, now, secondsTo, view } from '../app/state.ts';

// Parts of what the server told, each a signal of its own: what shows one of them is drawn again when that one changes,
// and not with every card.

/** A part of the view; it is read only where there is a view. */
const part = <N extends keyof View>(name: N): ReadonlySignal<View[N]> => computed(() => view.value?.[name] as View[N]);

export const layout = part('layout');
export const game = part('game');
export const table = part('table');
export const tray = part('tray');
export const staked = part('staked');
export const look = part('look');
export const results = part('results');
export const dealt = part('cards');
export const lastRound = part('last');
export const counts = part('counts');
export const shoe = part('shoe');
export const bettingTime = part('bettingTime');
export const totalMinimum = part('totalMinimum');
export const roundNumber = computed(() => view.value?.round?.number ?? null);
export const hasView = computed(() => view.value !== null);

/** Whole seconds until bets close; null while they are not open. */
export const closesIn = computed(() => {
  const round = view.value?.round ?? null;
  return isOpen.value && round !== null ? secondsTo(round.deadline ?? round.closesAt) : null;
});

/** The betting time is over, and the dealer has not called the close yet: bets stay open until then. */
export const isUntilCalled = computed(
  () => closesIn.value === 0 && view.value!.attended && view.value!.phase === 'betting',
);

/** Whole seconds until bets open, where that is known. */
export const opensIn = computed(() => {
  const opensAt = view.value?.opensAt ?? null;
  return opensAt === null ? null : secondsTo(opensAt);
});

/** The time of day of the server, to the minute. */
export const timeOfDay = computed(() => new Date(now.value).toTimeString().slice(0, 5));

/** A record of values; as long as they are the same it stays the same. */
export function useSteady<T extends { readonly [name: string]: unknown }>(make: () => T): T {
  const last = useRef<T | null>(null);
  return useComputed(() => {
    const [was, is] = [last.current, make()];
    const isSame = was !== null && Object.keys(is).every((name) => was[name] === is[name]);
    if (!isSame) last.current = is;
    return last.current!;
  }).value;
}
