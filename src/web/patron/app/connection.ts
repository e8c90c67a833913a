import { batch, effect, untracked } from '@preact/signals';
import { PatronClient } from '../../../client/patronClient.ts';
import { createClientEnvironment } from '../../../client/environment.ts';
import { forgetBrowserSecret, loadOrCreateBrowserSecret } from './browserSecret.ts';
import {
  isDemoTerminal,
  connectionState,
  terminalViewSignal,
  openTableId,
  terminalMoneyState,
  lastDemoRefillCents,
  visibleRefusal,
  setClockOffset,
  terminalId,
  tableTiles,
  tableView,
} from './state.ts';

// The patron client of this page. The state of the client is copied into the signals that the screens read.

function address(): string {
  const to = new URL('socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.hash = '';
  return to.href;
}

export const patronClient = new PatronClient(
  createClientEnvironment((to) => new WebSocket(to)),
  address,
  loadOrCreateBrowserSecret(),
);

/** Error codes if no terminal can sit at the table: the table does not exist, or its patrons bet with chips. */
const noSeatCodes: ReadonlySet<string> = new Set(['unknown-table', 'no-terminals']);

patronClient.watch((state, message) => {
  // All signals change in one batch, so that one message causes one rendering.
  batch(() => {
    connectionState.value = state.connection;
    terminalId.value = state.terminal;
    tableTiles.value = state.tiles;
    tableView.value = state.view;
    terminalViewSignal.value = state.own;
    terminalMoneyState.value = state.balance;
    if (message?.type === 'refilled') lastDemoRefillCents.value = message.amount;
    if (message?.type === 'welcome') isDemoTerminal.value = message.demo;
    if (message?.type === 'welcome' || message?.type === 'heartbeat') setClockOffset(state.clockOffsetMs);
    // A refusal with an ID answers one request, and the code that sent the request handles the refusal.
    if (message?.type !== 'refused' || message.id !== null) return;
    if (noSeatCodes.has(message.code)) location.hash = '';
    if (message.code === 'secret-revoked') forgetBrowserSecret();
    visibleRefusal.value = message;
  });
});

// When the address names another table, the terminal takes a seat there. When the address names no table, the terminal
// leaves its table.
effect(() => {
  const table = openTableId.value;
  untracked(() => {
    // A refusal that sent the patron back to the lobby is kept, since the lobby shows it.
    if (!noSeatCodes.has(visibleRefusal.value?.code ?? '')) visibleRefusal.value = null;
    if (table === null) patronClient.leave();
    else patronClient.sit(table);
  });
});

addEventListener('online', () => patronClient.open());
