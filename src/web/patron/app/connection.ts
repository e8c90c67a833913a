import { batch, effect, untracked } from '@preact/signals';
import { PatronClient } from '../../../client/patronClient.ts';
import { systemEnvironment } from '../../../client/environment.ts';
import { forgetSecret, ownSecret } from './browserSecret.ts';
import {
  isDemoTerminal,
  link,
  terminalViewSignal,
  openTableId,
  purse,
  refilled,
  lastRefusal,
  setAhead,
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
  ownSecret(),
);

/** Error codes that mean: the requested table has no seat for this terminal. */
const noSeat: ReadonlySet<string> = new Set(['unknown-table', 'no-terminals']);

patron.watch((seen, tell) => {
  // One message causes one rendering.
  batch(() => {
    link.value = seen.link;
    terminal.value = seen.terminal;
    tiles.value = seen.tiles;
    tableView.value = seen.view;
    terminalViewSignal.value = seen.own;
    purse.value = seen.balance;
    if (tell?.type === 'refilled') refilled.value = tell.amount;
    if (tell?.type === 'welcome') isDemoTerminal.value = tell.demo;
    if (tell?.type === 'welcome' || tell?.type === 'heartbeat') setAhead(seen.ahead);
    // A refusal with an ID belongs to one request, and the slip controller handles it.
    if (tell?.type !== 'refused' || tell.id !== null) return;
    if (noSeat.has(tell.code)) location.hash = '';
    if (tell.code === 'secret-revoked') forgetSecret();
    lastRefusal.value = tell;
  });
});

// Another page means another seat.
effect(() => {
  const table = openTableId.value;
  untracked(() => {
    // Keep the refusal that sent the patron back to the lobby, so that the lobby shows it.
    if (!noSeat.has(lastRefusal.value?.code ?? '')) lastRefusal.value = null;
    if (table === null) patron.leave();
    else patron.sit(table);
  });
});

addEventListener('online', () => patron.open());
