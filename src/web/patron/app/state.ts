import { signal } from '@preact/signals';
import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type TerminalBalance } from '../../../wire/terminalBalance.ts';
import { type TerminalTableView, type Tile, type View } from '../../../wire/tableView.ts';
import { type SlipRefusal } from '../slip/slipState.ts';

// State from the server, as signals for the screens. No decision is made here.

export const connectionState = signal<ConnectionState>('joining');
export const terminalId = signal<string | null>(null);
export const tableTiles = signal<readonly Tile[]>([]);
export const tableView = signal<View | null>(null);
export const terminalViewSignal = signal<TerminalTableView | null>(null);
/** Credit, limits and open stakes of the terminal, in the lobby and at tables. */
export const terminalBalance = signal<TerminalBalance | null>(null);
/** Refilled demo credit in cents, until the patron closes the notice. */
export const demoRefillAmount = signal<number | null>(null);
export const isDemoTerminal = signal(false);

export { type SlipRefusal } from '../slip/slipState.ts';
/** The last refusal from the server; cleared by the patron's next action. */
export const lastRefusal = signal<SlipRefusal | null>(null);

/** The table ID in the address, or null for the lobby. */
const tableIdIn = (hash: string): string | null =>
  /^#\/table\/([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/.exec(hash)?.[1] ?? null;
export const openTableId = signal<string | null>(tableIdIn(location.hash));
addEventListener('hashchange', () => {
  openTableId.value = tableIdIn(location.hash);
});

const tickMs = 200;

/** Server clock minus local clock, in ms. */
let clockOffsetMs = 0;
export const patronTime = signal(Date.now());
export function setClockOffset(time: number): void {
  clockOffsetMs = time;
  patronTime.value = Date.now() + clockOffsetMs;
}
setInterval(() => {
  patronTime.value = Date.now() + clockOffsetMs;
}, tickMs);

/** Whole seconds until a server time, never negative. */
export const secondsUntil = (at: number): number =>
  Math.max(0, Math.ceil((at - patronTime.value) / 1000 - tickMs / 1000));

/**
 * True while this terminal takes bets. It shows the close at the deadline, though slips may still arrive. [READING 15]
 */
export const areBetsOpen = signal(false);
