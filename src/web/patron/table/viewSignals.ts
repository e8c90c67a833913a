import { type ReadonlySignal, computed, useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type View } from '../../../wire/tableView.ts';
import { isOpen, patronTime, secondsTo, tableView } from '../app/state.ts';

// Parts of the server's view as separate signals: a component renders again only when its own part changes, not with
// every card.

/** A part of the view; read it only while there is a view. */
const part = <N extends keyof View>(name: N): ReadonlySignal<View[N]> =>
  computed(() => tableView.value?.[name] as View[N]);

export const layout = part('layout');
export const game = part('game');
export const tableIdSignal = part('table');
export const chipTray = part('tray');
export const staked = part('staked');
export const themeSignal = part('theme');
export const resultsSignal = part('results');
export const dealtCards = part('cards');
export const lastRoundView = part('last');
export const shoeCountsSignal = part('counts');
export const shoeSignal = part('shoe');
export const bettingTime = part('bettingTime');
export const totalMinimum = part('totalMinimum');
export const roundNumber = computed(() => tableView.value?.round?.number ?? null);
export const hasView = computed(() => tableView.value !== null);

/** Whole seconds until bets close; null while they are not open. */
export const closesIn = computed(() => {
  const round = tableView.value?.round ?? null;
  return isOpen.value && round !== null ? secondsTo(round.deadline ?? round.closesAt) : null;
});

/** The betting time is over and the dealer has not called the close yet: bets stay open until then. */
export const isOpenUntilCalled = computed(
  () => closesIn.value === 0 && tableView.value!.attended && tableView.value!.phase === 'betting',
);

/** Whole seconds until bets open; null if that is not known. */
export const opensIn = computed(() => {
  const opensAt = tableView.value?.opensAt ?? null;
  return opensAt === null ? null : secondsTo(opensAt);
});

/** Server time of day, to the minute. */
export const timeOfDay = computed(() => new Date(patronTime.value).toTimeString().slice(0, 5));

/** Memoised record: the same object as long as all its values are the same. */
export function useStable<T extends { readonly [name: string]: unknown }>(make: () => T): T {
  const last = useRef<T | null>(null);
  return useComputed(() => {
    const [was, is] = [last.current, make()];
    const isSame = was !== null && Object.keys(is).every((name) => was[name] === is[name]);
    if (!isSame) last.current = is;
    return last.current!;
  }).value;
}
