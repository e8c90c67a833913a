import { batch, effect, untracked } from '@preact/signals';
import { PatronClient } from '../../../client/patronClient.ts';
import { systemEnvironment } from '../../../client/environment.ts';
import { forgetSecret, browserSecret } from './browserSecret.ts';
import {
  isDemoTerminal,
  connectionState,
  terminalViewSignal,
  openTableId,
  terminalBalance,
  refilled,
  lastRefusal,
  setClockOffset,
  terminal,
  tiles,
  tableView,
} from './state.ts';

// Copies the state of the client into the signals of the screens.

function address(): string {
  const to = new URL('socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.hash = '';
  return to.href;
}

export const patron = new PatronClient(
  systemEnvironment((to) => new WebSocket(to)),
  address,
  browserSecret(),
);

/** Error codes that mean: the requested table has no seat for this terminal. */
const noSeatCodes: ReadonlySet<string> = new Set(['unknown-table', 'no-terminals']);

patron.watch((state, message) => {
  // One message causes one rendering.
  batch(() => {
    connectionState.value = state.connection;
    terminal.value = state.terminal;
    tiles.value = state.tiles;
    tableView.value = state.view;
    terminalViewSignal.value = state.own;
    terminalBalance.value = state.balance;
    if (message?.type === 'refilled') refilled.value = message.amount;
    if (message?.type === 'welcome') isDemoTerminal.value = message.demo;
    if (message?.type === 'welcome' || message?.type === 'heartbeat') setClockOffset(state.clockOffsetMs);
    // A refusal with an ID belongs to one request, and the slip controller handles it.
    if (message?.type !== 'refused' || message.id !== null) return;
    if (noSeatCodes.has(message.code)) location.hash = '';
    if (message.code === 'secret-revoked') forgetSecret();
    lastRefusal.value = message;
  });
});

// Another page means another seat.
effect(() => {
  const table = openTableId.value;
  untracked(() => {
    // Keep the refusal that sent the patron back to the lobby, so that the lobby shows it.
    if (!noSeatCodes.has(lastRefusal.value?.code ?? '')) lastRefusal.value = null;
    if (table === null) patron.leave();
    else patron.sit(table);
  });
});

addEventListener('online', () => patron.open());
