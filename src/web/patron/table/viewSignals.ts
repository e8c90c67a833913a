import { type ReadonlySignal, computed, useComputed } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type PublicTableView } from '../../../wire/tableView.ts';
import { isBettingOpen, patronServerTimeMs, secondsUntil, tableView } from '../app/state.ts';

// Parts of the server's view as separate signals. A component renders again only when its own part changes, not with
// every card.

/**
 * Signal of one field of the view. Do not read the signal while there is no view: contrary to its type, the value is
 * undefined then.
 */
const part = <N extends keyof PublicTableView>(name: N): ReadonlySignal<PublicTableView[N]> =>
  computed(() => tableView.value?.[name] as PublicTableView[N]);

export const offeredSpots = part('layout');
export const tableGame = part('game');
export const tableIdSignal = part('table');
export const chipTray = part('tray');
export const stakesOfAllPatrons = part('staked');
export const tableThemeSignal = part('theme');
export const shoeResultsSignal = part('results');
export const dealtCards = part('cards');
export const lastRoundView = part('last');
export const shoeResultCountsSignal = part('counts');
export const shoeSignal = part('shoe');
export const bettingTimeMsSignal = part('bettingTime');
export const totalMinimumSignal = part('totalMinimum');
export const roundNumber = computed(() => tableView.value?.round?.number ?? null);
export const hasTableView = computed(() => tableView.value !== null);

/** Whole seconds until bets close; null while bets are not open. */
export const secondsToClose = computed(() => {
  const round = tableView.value?.round ?? null;
  return isBettingOpen.value && round !== null ? secondsUntil(round.deadline ?? round.closesAt) : null;
});

/** True when the betting time is over but bets stay open until the dealer calls “No more bets”. */
export const isBettingOpenUntilDealerCall = computed(
  () => secondsToClose.value === 0 && tableView.value!.attended && tableView.value!.phase === 'betting',
);

/** Whole seconds until bets open; null if that time is not known. */
export const secondsToOpen = computed(() => {
  const opensAt = tableView.value?.opensAt ?? null;
  return opensAt === null ? null : secondsUntil(opensAt);
});

/** The server's time as HH:MM, in the time zone of this page. */
export const timeOfDay = computed(() => new Date(patronServerTimeMs.value).toTimeString().slice(0, 5));

/** Computed record. It stays the same object while all its values are the same, so that nothing renders again. */
export function useStableRecord<T extends { readonly [name: string]: unknown }>(make: () => T): T {
  const last = useRef<T | null>(null);
  return useComputed(() => {
    const [was, is] = [last.current, make()];
    const isSame = was !== null && Object.keys(is).every((name) => was[name] === is[name]);
    if (!isSame) last.current = is;
    return last.current!;
  }).value;
}
