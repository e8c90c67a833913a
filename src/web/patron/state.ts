import { computed, signal } from '@preact/signals';
import { type LinkState } from '../../client/link.ts';
import { type ServerMessageOf, type Slip } from '../../wire/messages.ts';
import { type Purse } from '../../wire/purse.ts';
import { type OwnView, type Tile, type View } from '../../wire/views.ts';

// What the screens draw, as the server told it. Nothing here decides anything.

export const link = signal<LinkState>('joining');
export const terminal = signal<string | null>(null);
export const tiles = signal<readonly Tile[]>([]);
export const view = signal<View | null>(null);
export const own = signal<OwnView | null>(null);
/** What the terminal has, in the lobby and at tables. */
export const purse = signal<Purse | null>(null);
/** Demo credit that was given again, until that has been read. */
export const refilled = signal<number | null>(null);

export type Refused = Pick<ServerMessageOf<'refused'>, 'code' | 'message' | 'by'> & {
  /** What was asked for, and what stood and still stands, where it was about a slip. */
  readonly slip?: Slip;
  readonly stood?: Slip;
  /** The credit at that moment. */
  readonly credit?: number;
};
/** The last refusal, until the patron has done something else. */
export const refused = signal<Refused | null>(null);

/** The table in the address, or null for the lobby. */
const tableIn = (hash: string): string | null =>
  /^#\/table\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(hash)?.[1] ?? null;
export const page = signal<string | null>(tableIn(location.hash));
addEventListener('hashchange', () => {
  page.value = tableIn(location.hash);
});

/** How often the time is looked at, in milliseconds. */
const tick = 200;

/** How far the server's clock is ahead of ours. */
let ahead = 0;
export const now = signal(Date.now());
export function setAhead(time: number): void {
  ahead = time;
  now.value = Date.now() + ahead;
}
setInterval(() => {
  now.value = Date.now() + ahead;
}, tick);

/** Milliseconds until a moment of the server's time. */
export const timeTo = (at: number): number => at - Date.now() - ahead;

/** Whole seconds until a moment of the server's time, never below zero. */
export const secondsTo = (at: number): number => Math.max(0, Math.ceil((at - now.value) / 1000 - tick / 1000));

/** Whether this terminal takes bets now: it shows the close at the deadline, though slips may still arrive. [READING 15] */
export const isOpen = computed(() => {
  const { phase, round, stopped } = view.value ?? {};
  if (stopped) return false;
  return phase === 'betting' || (phase === 'closing' && now.value < (round?.deadline ?? round?.closesAt ?? 0));
});
