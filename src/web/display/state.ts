import { signal } from '@preact/signals';
import { type DisplayState } from '../../client/displayClient.ts';
import { language } from '../shared/text/language.ts';

/** What the table's own screen sees. */
export const displayState = signal<DisplayState>({ link: 'joining', ahead: 0, view: null, isKnown: true });

/** The server's time, looked at five times a second. */
export const displayTime = signal(Date.now());
setInterval(() => {
  displayTime.value = Date.now() + displayState.value.ahead;
}, 200);

/** The table that the address names: /display/X09. */
export const tableIn = (path: string): string => decodeURIComponent(path.split('/').at(-1)!);

// Whoever puts the screen up says in which language, in the address.
language.value = new URLSearchParams(location.search).get('lang') === 'zh' ? 'zh' : 'en';
