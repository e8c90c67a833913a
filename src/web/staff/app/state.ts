import { computed, signal } from '@preact/signals';
import { type StaffClientState } from '../../../client/staffClient.ts';

/** What is seen of the server. */
export const staffState = signal<StaffClientState>({
  link: 'joining',
  ahead: 0,
  welcome: null,
  session: null,
  ended: null,
  table: null,
  dealer: null,
  supervisor: null,
  floor: null,
});

/** The server's time, looked at ten times a second. */
export const now = signal(Date.now());
const look = (): void => {
  now.value = Date.now() + staffState.value.ahead;
};
setInterval(look, 100);

/** The same in whole seconds, so that a clock is drawn once in each. */
export const second = computed(() => Math.floor(now.value / 1000) * 1000);

/** When the server was last heard, by its own time; what is on the screen is as old as that. */
export const heardAt = signal(Date.now());

export const session = computed(() => staffState.value.session);
export const isDemoConsole = computed(() => staffState.value.welcome?.demo ?? false);
/** Nothing that is pressed counts. */
export const isLost = computed(() => {
  const { link, ended } = staffState.value;
  return ended === null && (link === 'lost' || link === 'outdated');
});

export const currency = computed(() => staffState.value.welcome?.currency ?? '');
