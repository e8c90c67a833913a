import { signal } from '@preact/signals';
import { type ConnectionState } from '../../../client/reconnectingSocket.ts';
import { type TerminalMoneyState } from '../../../wire/terminalMoneyState.ts';
import { type TerminalTableView, type LobbyTile, type PublicTableView } from '../../../wire/tableView.ts';
import { type PatronRefusal } from '../slip/slipState.ts';

// State from the server as signals for the screens. This module decides nothing.

export const connectionState = signal<ConnectionState>('joining');
export const terminalId = signal<string | null>(null);
export const tableTiles = signal<readonly LobbyTile[]>([]);
export const tableView = signal<PublicTableView | null>(null);
export const terminalViewSignal = signal<TerminalTableView | null>(null);
/**
 * Credit, session limits and open stakes of the terminal, at a table and in the lobby. Null until the server has sent
 * them.
 */
export const terminalMoneyState = signal<TerminalMoneyState | null>(null);
/** The last refill of the demo credit, in cents. Null before a refill, and after the patron has closed the notice. */
export const lastDemoRefillCents = signal<number | null>(null);
export const isDemoTerminal = signal(false);

export { type PatronRefusal } from '../slip/slipState.ts';
/**
 * The refusal that a notice shows; null without a notice. A refusal ends when the patron closes the notice or acts
 * again, or when the refusal no longer applies.
 */
export const visibleRefusal = signal<PatronRefusal | null>(null);

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
 * True while the terminal shows open bets. All terminals show closed bets from the deadline on. The server closes bets
 * a little later, so that slips sent before the deadline can still arrive. [READING 15]
 */
export const isBettingOpen = signal(false);
