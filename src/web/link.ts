import { batch, effect, untracked } from '@preact/signals';
import { type ClientMessage, type ServerMessage, type ServerMessageOf } from '../wire/messages.ts';
import { changed } from '../wire/changes.ts';
import { protocol } from '../wire/protocol.ts';
import { ownSecret } from './secret.ts';
import { link, own, page, refused, setServerTime, terminal, tiles, view } from './state.ts';

/** Longer than the server is ever silent. */
const silence = 12_000;
const delays = [250, 500, 1000, 2000, 4000] as const;

/** Those who wait for the answer to a slip. */
type Answers = {
  readonly accepted: (tell: ServerMessageOf<'accepted'>) => void;
  readonly refused: (tell: ServerMessageOf<'refused'>) => void;
  /** The link is back, and the table is known. */
  readonly back: () => void;
};
let answers: Answers | undefined;
export const onAnswers = (heard: Answers): void => void (answers = heard);

let socket: WebSocket | undefined;
let tries = 0;
let watchdog: ReturnType<typeof setTimeout> | undefined;
let lobbyVersion = -1;
let tableVersion = -1;
let ownVersion = -1;

export function say(ask: ClientMessage): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(ask));
  return true;
}

/** Opens the link and keeps it open. */
export function connect(): void {
  const to = new URL('socket', location.href);
  to.protocol = to.protocol === 'https:' ? 'wss:' : 'ws:';
  to.hash = '';
  const opened = new WebSocket(to);
  socket = opened;
  opened.addEventListener('open', () => say({ type: 'hello', v: protocol, secret: ownSecret() }));
  opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => opened.close(), silence);
    // All that one message changes is drawn at once.
    batch(() => hear(JSON.parse(data) as ServerMessage));
  });
  opened.addEventListener('close', () => {
    clearTimeout(watchdog);
    if (link.value === 'outdated' || socket !== opened) return;
    link.value = 'lost';
    setTimeout(connect, delays[Math.min(tries++, delays.length - 1)]);
  });
}

function hear(tell: ServerMessage): void {
  switch (tell.type) {
    case 'welcome':
      tries = 0;
      // The server may have begun anew, and counts from there.
      lobbyVersion = tableVersion = ownVersion = -1;
      setServerTime(tell.at);
      terminal.value = tell.terminal;
      link.value = 'open';
      if (page.value !== null) say({ type: 'sit', table: page.value });
      return;
    case 'beat':
      setServerTime(tell.at);
      return;
    case 'lobby':
      lobbyVersion = tell.version;
      tiles.value = tell.tiles;
      return;
    case 'tile':
      hearTile(tell);
      return;
    case 'table':
      if (tell.table !== page.value) return;
      tableVersion = tell.version;
      view.value = tell.view;
      return;
    case 'change':
      hearChange(tell);
      return;
    case 'own':
      if (tell.table !== page.value || (own.value !== null && tell.version <= ownVersion)) return;
      ownVersion = tell.version;
      own.value = tell.view;
      terminal.value = tell.view.terminal;
      answers?.back();
      return;
    case 'accepted':
      answers?.accepted(tell);
      return;
    case 'refused':
      hearRefusal(tell);
      return;
  }
}

function hearTile(tell: ServerMessageOf<'tile'>): void {
  if (tell.version !== lobbyVersion + 1) {
    if (tell.version > lobbyVersion) say({ type: 'whole', of: 'lobby' });
    return;
  }
  lobbyVersion = tell.version;
  tiles.value = tiles.value.map((tile) => (tile.table === tell.table ? changed(tile, tell) : tile));
}

function hearChange(tell: ServerMessageOf<'change'>): void {
  if (tell.table !== page.value) return;
  if (view.value === null || tell.version !== tableVersion + 1) {
    if (tell.version > tableVersion) say({ type: 'whole', of: 'table' });
    return;
  }
  tableVersion = tell.version;
  view.value = changed(view.value, tell);
}

function hearRefusal(tell: ServerMessageOf<'refused'>): void {
  if (tell.code === 'wrong-protocol') link.value = 'outdated';
  else if (tell.code === 'unknown-table') location.hash = '';
  refused.value = tell;
  if (tell.id !== null) answers?.refused(tell);
}

// Another page is another seat.
effect(() => {
  const table = page.value;
  untracked(() => {
    view.value = null;
    own.value = null;
    // Whoever was led back to the lobby is told why.
    if (refused.value?.code !== 'unknown-table') refused.value = null;
    tableVersion = ownVersion = -1;
    if (link.value === 'open') say(table === null ? { type: 'leave' } : { type: 'sit', table });
  });
});
