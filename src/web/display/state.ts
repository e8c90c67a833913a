import { signal } from '@preact/signals';
import { type DisplayClientState } from '../../client/displayClient.ts';
import { language } from '../shared/text/language.ts';

export const displayState = signal<DisplayClientState>({
  connection: 'joining',
  clockOffsetMs: 0,
  view: null,
  isKnown: true,
});

/** Time of the server in milliseconds, updated five times a second. */
export const displayServerTimeMs = signal(Date.now());
setInterval(() => {
  displayServerTimeMs.value = Date.now() + displayState.value.clockOffsetMs;
}, 200);

/** The table id at the end of the page's path, such as /display/X09. */
export const tableIdFromPath = (path: string): string => decodeURIComponent(path.split('/').at(-1)!);

// The language of a display comes from its address: `?lang=zh`, else English.
language.value = new URLSearchParams(location.search).get('lang') === 'zh' ? 'zh' : 'en';
