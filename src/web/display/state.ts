import { signal } from '@preact/signals';
import { type DisplayState } from '../../client/displayClient.ts';
import { language } from '../shared/text/language.ts';

/** The last state from the display client. */
export const displayState = signal<DisplayState>({
  connection: 'joining',
  clockOffsetMs: 0,
  view: null,
  isKnown: true,
});

/** Server time in ms, updated five times a second. */
export const displayServerTimeMs = signal(Date.now());
setInterval(() => {
  displayServerTimeMs.value = Date.now() + displayState.value.clockOffsetMs;
}, 200);

/** The table ID in the address: /display/X09. */
export const tableIdFromPath = (path: string): string => decodeURIComponent(path.split('/').at(-1)!);

// The address of a display sets its language.
language.value = new URLSearchParams(location.search).get('lang') === 'zh' ? 'zh' : 'en';
