import { type Page, type WebSocketRoute } from 'playwright-core';
import { defaultThemeOf } from '../../../src/games/tableTheme.ts';
import { games } from '../../../src/games/registry.ts';
import { versionedGameId } from '../../../src/rules/game.ts';
import { type ClientMessage, type ServerMessage } from '../../../src/wire/messages.ts';
import { protocolVersion } from '../../../src/wire/protocolVersion.ts';
import { type LobbyTile, type PublicTableView } from '../../../src/wire/tableView.ts';
import { type Phase, type Recording, phases } from './recordedViews.ts';

// A page that receives messages written by a test, so that it shows any state without a table or a clock.

/** Intercepts the socket of a page; returns functions that control it. */
export async function controlSocket(page: Page, first: () => readonly ServerMessage[]) {
  let open: WebSocketRoute | undefined;
  let clockOffset = 0;
  let isUp = true;
  const now = (): number => Date.now() + clockOffset;
  const received: ClientMessage[] = [];
  const send = (message: ServerMessage): void => open?.send(JSON.stringify(message));
  await page.routeWebSocket(/socket$/, (route) => {
    if (!isUp) {
      void route.close({ code: 1011 });
      return;
    }
    open = route;
    // Without heartbeats the page treats the connection as lost.
    const heartbeat = setInterval(() => send({ type: 'heartbeat', at: now() }), 1_000);
    page.once('close', () => clearInterval(heartbeat));
    route.onMessage((text) => {
      const message = JSON.parse(String(text)) as ClientMessage;
      received.push(message);
      if (message.type !== 'hello') return;
      send({ type: 'welcome', v: protocolVersion, at: now(), terminal: null, demo: true });
      for (const one of first()) send(one);
    });
  });
  /** Moves the clock on, here and on the page, whose clock the test controls. */
  const pass = async (time: number): Promise<void> => {
    clockOffset += time;
    await page.clock.fastForward(time);
  };
  /** Cuts the connection until `back` is called. */
  const cut = (): void => {
    isUp = false;
    void open?.close({ code: 1011 });
  };
  const back = (): void => void (isUp = true);
  return { send, received, pass, cut, back };
}

/** Shoes of different lengths: short and long runs, ties first, and no result at all. */
export const shoes = [
  'P B B Pn B P P B T B B B Pp P B B P B Bn B P P P T B P',
  'P P Bn B P B T P Pp P B B B Pn B P B P T Bb B P P P P Bn B T B P P B',
  'B B P Bn T T B P P P Bp P B B B B Pn P T B P Bn',
  'B P P P P P P P Pn B B P B T P B B B P P Bb P T P B',
  'P P B P B B Pn B T B P P P B Bp B B B B P B',
  'B',
  'P B P B P B P B P T B P P B B Pn B B P B P B B B T P B P',
  'B B Bn B B B B P P T B P B P P B B P Pp P P B T',
  'Pp B Bn T P P B Bn B B B Bb B B P T P Pn B P B B Pp P P Bn P T T B B P P Pn P B P B B Bn T P Bp Bbn',
  '',
].map((shoe) => shoe.split(' ').filter((code) => code !== ''));

type State = Partial<Pick<LobbyTile, 'phase' | 'closesAt' | 'opensAt' | 'winner' | 'totals' | 'voidBy' | 'stopped'>>;

/** One table of each game, each in another state. */
export const tilesAt = (now: number): readonly LobbyTile[] => {
  const lastHand: State = { winner: 'banker', totals: { player: 6, banker: 8 } };
  const states: readonly State[] = [
    { phase: 'betting', closesAt: now + 18_000, ...lastHand },
    { phase: 'betting', closesAt: now + 7_000, winner: 'player', totals: { player: 9, banker: 0 } },
    { phase: 'dealing', totals: { player: 6, banker: 4 } },
    { phase: 'closing', closesAt: now + 3_000, winner: 'tie', totals: { player: 7, banker: 7 } },
    { phase: 'result', winner: 'banker', totals: { player: 4, banker: 6 } },
    { phase: 'idle', opensAt: now + 4_000, totals: { player: 2, banker: 0 }, voidBy: 'ETG 5.9.1' },
    { phase: 'dealing' },
    { phase: 'idle', opensAt: now + 9_000, winner: 'tie', totals: { player: 5, banker: 5 } },
    { phase: 'idle', stopped: 'wrong-number', totals: { player: 1, banker: 3 } },
    { phase: 'idle', winner: 'player', totals: { player: 8, banker: 6 } },
  ];
  return games.map((game, n) => ({
    attended: false,
    bets: 'terminals',
    ready: true,
    table: `${'BSEFXXXXXX'[n]!}${String(n + 1).padStart(2, '0')}`,
    game: versionedGameId(game),
    name: game.name,
    phase: 'idle',
    number: 40 + n,
    closesAt: null,
    bettingTime: 25_000,
    opensAt: null,
    winner: null,
    totals: null,
    voidBy: null,
    stopped: null,
    limits: { main: [100, n === 7 ? 100_000 : 50_000], sides: [100, 10_000] },
    decks: 8,
    theme: defaultThemeOf(game),
    patrons: [14, 11, 8, 6, 12, 3, 9, 10, 117, 0][n]!,
    results: shoes[n]!,
    ...states[n],
  }));
};

/** The same with three attended tables: bets that wait for the call, chips, and a table without a shoe. */
export const withLive = (now: number): readonly LobbyTile[] => {
  const tiles = tilesAt(now);
  const live = { attended: true, opensAt: null, stopped: null, voidBy: null } as const;
  return [
    ...tiles,
    { ...tiles[8]!, ...live, table: 'L11', phase: 'betting', closesAt: now - 60_000 },
    { ...tiles[0]!, ...live, table: 'L12', bets: 'chips', phase: 'betting', closesAt: now + 18_000 },
    { ...tiles[2]!, ...live, table: 'L13', ready: false, phase: 'idle', results: [], totals: null },
  ];
};

/** The notice for all patrons after a void round. */
export const voidNotice: PublicTableView['notice'] = {
  kind: 'void',
  round: 'r46',
  number: 46,
  by: 'ETG 5.9.1',
  reason: 'No outcome was established before the interruption.',
};

/** A view of a recorded table late in its shoe, with optional changes. */
export function lateIn({ messages }: Recording, phase: Phase, state: Partial<PublicTableView> = {}): PublicTableView {
  const { view } = messages[phase].find((message) => message.type === 'table')!;
  return {
    ...view,
    results: shoes[8]!,
    counts: { ...view.counts, rounds: 44, banker: 22, player: 17, tie: 5, naturals: 7 },
    bettingTime: 25_000,
    opensAt: phase === 'result' ? Date.now() + 4_000 : null,
    last: view.last ?? { ...view.round!, winner: 'banker' },
    ...state,
    round: { ...view.round!, closesAt: Date.now() + 12_000, ...state.round },
  };
}

/** The recording, late in its shoe. */
export function late(recording: Recording): Recording {
  const messagesIn = (phase: Phase): readonly ServerMessage[] =>
    recording.messages[phase].map((message) =>
      message.type === 'table' ? { ...message, view: lateIn(recording, phase) } : message,
    );
  return {
    ...recording,
    messages: { betting: messagesIn('betting'), dealing: messagesIn('dealing'), result: messagesIn('result') },
  };
}

/** Every state of a display. */
export const statesOf = (recording: Recording): readonly (readonly [string, PublicTableView])[] => {
  const { round } = lateIn(recording, 'result');
  return [
    ...phases.map((phase) => [phase, lateIn(recording, phase)] as const),
    ['void', lateIn(recording, 'result', { notice: voidNotice, round: { ...round!, voidBy: 'ETG 5.9.1', won: null } })],
    ['notice-again', lateIn(recording, 'betting', { notice: voidNotice })],
    ['stopped', lateIn(recording, 'dealing', { stopped: { kind: 'wrong-number', by: 'ETG 5.7' } })],
    ['new-shoe', lateIn(recording, 'result', { shoe: null, results: [] })],
  ];
};
