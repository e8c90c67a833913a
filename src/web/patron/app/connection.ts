import { batch, effect, untracked } from '@preact/signals';
import { Patron } from '../../../client/patronClient.ts';
import { machine } from '../../../client/environment.ts';
import { forgetSecret, ownSecret } from './browserSecret.ts';
import { isDemo, link, own, page, purse, refilled, refused, setAhead, terminal, tiles, view } from './state.ts';

// What the client sees becomes what the screens draw.

function address(): string {
  const to = new URL('socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.hash = '';
  return to.href;
}

export const patron = new Patron(
  machine((to) => new WebSocket(to)),
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
    view.value = seen.view;
    own.value = seen.own;
    purse.value = seen.purse;
    if (tell?.type === 'refilled') refilled.value = tell.amount;
    if (tell?.type === 'welcome') isDemo.value = tell.demo;
    if (tell?.type === 'welcome' || tell?.type === 'beat') setAhead(seen.ahead);
    // The answer to a slip is for whoever sent it.
    if (tell?.type !== 'refused' || tell.id !== null) return;
    if (noSeat.has(tell.code)) location.hash = '';
    if (tell.code === 'secret-revoked') forgetSecret();
    refused.value = tell;
  });
});

// Another page is another seat.
effect(() => {
  const table = page.value;
  untracked(() => {
    // Whoever was led back to the lobby is told why.
    if (!noSeat.has(refused.value?.code ?? '')) refused.value = null;
    if (table === null) patron.leave();
    else patron.sit(table);
  });
});

addEventListener('online', () => patron.open());
