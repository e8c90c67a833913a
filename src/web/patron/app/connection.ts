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

// What the client sees becomes what the screens draw.

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

/** There is no seat at the table that was asked for. */
const noSeat: ReadonlySet<string> = new Set(['unknown-table', 'no-terminals']);

patron.watch((seen, tell) => {
  // All that one message changes is drawn at once.
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
    // The answer to a slip is for whoever sent it.
    if (tell?.type !== 'refused' || tell.id !== null) return;
    if (noSeat.has(tell.code)) location.hash = '';
    if (tell.code === 'secret-revoked') forgetSecret();
    lastRefusal.value = tell;
  });
});

// Another page is another seat.
effect(() => {
  const table = openTableId.value;
  untracked(() => {
    // Whoever was led back to the lobby is told why.
    if (!noSeat.has(lastRefusal.value?.code ?? '')) lastRefusal.value = null;
    if (table === null) patron.leave();
    else patron.sit(table);
  });
});

addEventListener('online', () => patron.open());
