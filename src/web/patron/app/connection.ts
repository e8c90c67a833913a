import { batch, effect, untracked } from '@preact/signals';
import { PatronClient } from '../../../client/patronClient.ts';
import { systemEnvironment } from '../../../client/environment.ts';
import { forgetBrowserSecret, browserSecret } from './browserSecret.ts';
import {
  isDemoTerminal,
  connectionState,
  terminalViewSignal,
  openTableId,
  terminalBalance,
  demoRefillAmount,
  lastRefusal,
  setClockOffset,
  terminalId,
  tableTiles,
  tableView,
} from './state.ts';

// The patron client of this page. Its state is copied into the signals that the screens read.

function address(): string {
  const to = new URL('socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.hash = '';
  return to.href;
}

export const patronClient = new PatronClient(
  systemEnvironment((to) => new WebSocket(to)),
  address,
  browserSecret(),
);

/** Error codes of a table at which this terminal cannot take a seat. */
const noSeatCodes: ReadonlySet<string> = new Set(['unknown-table', 'no-terminals']);

patronClient.watch((state, message) => {
  // All signals change in one batch, so that a message causes one rendering.
  batch(() => {
    connectionState.value = state.connection;
    terminalId.value = state.terminal;
    tableTiles.value = state.tiles;
    tableView.value = state.view;
    terminalViewSignal.value = state.own;
    terminalBalance.value = state.balance;
    if (message?.type === 'refilled') demoRefillAmount.value = message.amount;
    if (message?.type === 'welcome') isDemoTerminal.value = message.demo;
    if (message?.type === 'welcome' || message?.type === 'heartbeat') setClockOffset(state.clockOffsetMs);
    // A refusal with an ID belongs to one request and is handled with its reply.
    if (message?.type !== 'refused' || message.id !== null) return;
    if (noSeatCodes.has(message.code)) location.hash = '';
    if (message.code === 'secret-revoked') forgetBrowserSecret();
    lastRefusal.value = message;
  });
});

// When the table in the address changes, the terminal takes a seat there, or leaves its table.
effect(() => {
  const table = openTableId.value;
  untracked(() => {
    // The lobby shows the refusal that sent the patron back, so it is kept.
    if (!noSeatCodes.has(lastRefusal.value?.code ?? '')) lastRefusal.value = null;
    if (table === null) patronClient.leave();
    else patronClient.sit(table);
  });
});

addEventListener('online', () => patronClient.open());
