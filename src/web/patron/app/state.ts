import { signal } from '@preact/signals';
import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type TerminalBalance } from '../../../wire/terminalBalance.ts';
import { type TerminalTableView, type Tile, type View } from '../../../wire/tableView.ts';
import { type SlipRefusal } from '../slip/slipState.ts';

// What the screens draw, as the server told it. Nothing here decides anything.

export const link = signal<ConnectionState>('joining');
export const terminal = signal<string | null>(null);
export const tiles = signal<readonly Tile[]>([]);
export const tableView = signal<View | null>(null);
export const terminalViewSignal = signal<TerminalTableView | null>(null);
/** What the terminal has, in the lobby and at tables. */
export const purse = signal<TerminalBalance | null>(null);
/** Demo credit that was given again, until that has been read. */
export const refilled = signal<number | null>(null);
/** All money is demo credit. */
export const isDemoTerminal = signal(false);

export { type SlipRefusal } from '../slip/slipState.ts';
/** The last refusal, until the patron has done something else. */
export const lastRefusal = signal<SlipRefusal | null>(null);

/** The table in the address, or null for the lobby. */
const tableIn = (hash: string): string | null =>
  /^#\/table\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(hash)?.[1] ?? null;
export const openTableId = signal<string | null>(tableIn(location.hash));
addEventListener('hashchange', () => {
  openTableId.value = tableIn(location.hash);
});

/** How often the time is looked at, in milliseconds. */
const tick = 200;

/** How far the server's clock is ahead of ours. */
let ahead = 0;
export const patronTime = signal(Date.now());
export function setAhead(time: number): void {
  ahead = time;
  patronTime.value = Date.now() + ahead;
}
setInterval(() => {
  patronTime.value = Date.now() + ahead;
}, tick);

/** Whole seconds until a moment of the server's time, never below zero. */
export const secondsTo = (at: number): number => Math.max(0, Math.ceil((at - patronTime.value) / 1000 - tick / 1000));

/** Whether this terminal takes bets now: it shows the close at the deadline, though slips may still arrive. [READING 15] */
export const isOpen = signal(false);
