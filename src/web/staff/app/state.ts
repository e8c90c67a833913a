import { computed, signal } from '@preact/signals';
import { type StaffClientState } from '../../../client/staffClient.ts';

export const staffState = signal<StaffClientState>({
  connection: 'joining',
  clockOffsetMs: 0,
  welcome: null,
  session: null,
  ended: null,
  table: null,
  dealer: null,
  supervisor: null,
  floor: null,
});

/** Server clock in milliseconds, updated ten times a second. */
export const staffServerTimeMs = signal(Date.now());
const updateServerTime = (): void => {
  staffServerTimeMs.value = Date.now() + staffState.value.clockOffsetMs;
};
setInterval(updateServerTime, 100);

/**
 * `staffServerTimeMs` rounded down to a second. A clock that shows seconds uses it, so that the clock is drawn only
 * once a second.
 */
export const staffServerSecondMs = computed(() => Math.floor(staffServerTimeMs.value / 1000) * 1000);

/** Server time at which the last message arrived, in milliseconds. */
export const lastServerMessageAt = signal(Date.now());

export const staffSession = computed(() => staffState.value.session);
export const isDemoConsole = computed(() => staffState.value.welcome?.demo ?? false);
/**
 * True when the page must not send commands: the connection is lost, or the server runs another version of the software
 * than this page. False once the session has ended.
 */
export const isConnectionUnusable = computed(() => {
  const { connection, ended } = staffState.value;
  return ended === null && (connection === 'lost' || connection === 'outdated');
});

export const propertyCurrency = computed(() => staffState.value.welcome?.currency ?? '');
