import { signal } from '@preact/signals';
import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type TerminalBalance } from '../../../wire/terminalBalance.ts';
import { type TerminalTableView, type LobbyTile, type PublicTableView } from '../../../wire/tableView.ts';
import { type SlipRefusal } from '../slip/slipState.ts';

// State from the server as signals for the screens. This module decides nothing.

export const connectionState = signal<ConnectionState>('joining');
export const terminalId = signal<string | null>(null);
export const tableTiles = signal<readonly LobbyTile[]>([]);
export const tableView = signal<PublicTableView | null>(null);
export const terminalViewSignal = signal<TerminalTableView | null>(null);
/** Credit, limits and open stakes of the terminal, in the lobby too. Null until the server has sent them. */
export const terminalBalance = signal<TerminalBalance | null>(null);
/** Amount by which the demo credit was refilled, in cents; null after the patron has closed the notice about it. */
export const demoRefillCents = signal<number | null>(null);
export const isDemoTerminal = signal(false);

export { type SlipRefusal } from '../slip/slipState.ts';
/**
 * The last refusal to show. Null after the patron's next action, when the refusal is outdated, or when its notice is
 * closed.
 */
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
export const patronServerTimeMs = signal(Date.now());
export function setClockOffset(time: number): void {
  clockOffsetMs = time;
  patronServerTimeMs.value = Date.now() + clockOffsetMs;
}
setInterval(() => {
  patronServerTimeMs.value = Date.now() + clockOffsetMs;
}, tickMs);

/** Whole seconds until a server time, never negative. */
export const secondsUntil = (at: number): number =>
  Math.max(0, Math.ceil((at - patronServerTimeMs.value) / 1000 - tickMs / 1000));

/**
 * True while the terminal shows open bets. From the deadline it shows closed bets, although slips that were sent in
 * time may still arrive. [READING 15]
 */
export const areBetsOpen = signal(false);
