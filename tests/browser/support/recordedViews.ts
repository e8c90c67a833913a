import { type Page, type WebSocketRoute } from 'playwright-core';
import { games } from '../../../src/games/registry.ts';
import { type ClientMessage, type ServerMessage } from '../../../src/wire/messages.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { type PublicTableView } from '../../../src/wire/tableView.ts';
import { Dealer } from './dealer.ts';
import { called } from './patron.ts';
import { prepared } from './shoe.ts';

// Recorded views of a real table. A page that is sent these needs no table, clock or reload, and its appearance
// depends on nothing else.

export const phases = ['betting', 'dealing', 'result'] as const;
export type Phase = (typeof phases)[number];

/** The banner of each phase that a terminal is sent, in an order in which every phase brings another banner. */
export const phaseBanners: readonly (readonly [phase: PublicTableView['phase'], banner: string])[] = [
  ['betting', 'Place your bets, please'],
  ['paying', 'Paying'],
  // Until the deadline bets are open.
  ['closing', 'Place your bets, please'],
  ['dealing', 'No more bets'],
  ['idle', 'Next round soon'],
  ['result', 'No more bets'],
  ['closed', 'Table closed'],
];

/** Messages to a terminal in each phase of a round with six cards and a stake on every spot. */
export type Recording = {
  readonly table: string;
  readonly messages: { readonly [phase in Phase]: readonly ServerMessage[] };
};

const sixCards = { french: '2C 3D 2D KS 5H 2H', elements: '21 32 22 T4 53 23' } as const;

/** The highest stack that is drawn: four chips of 5.00. */
const stake = 2000;

/** Recordings of this process. A page takes its clock from the recording, whatever its age. */
const recorded = new Map<string, Promise<Recording>>();

export function record(table: string): Promise<Recording> {
  const recording = recorded.get(table) ?? recordingOf(table);
  recorded.set(table, recording);
  return recording;
}

async function recordingOf(table: string): Promise<Recording> {
  const game = games.find(({ id }) => id === table)!;
  const dealer = await Dealer.at(table, { chance: prepared(sixCards[game.deck]) });
  const guest = await PatronSocket.join(dealer.server, secretOf('1'), table);
  const round = await guest.bettingRound();
  const slip = Object.fromEntries(Object.keys(game.wagers).map((wager) => [wager, stake]));
  guest.send({ type: 'slip', id: 'slip-0001', table, round, slip });
  await guest.receive('accepted');
  /** All messages that a page needs if it connects at this moment. */
  const now = async (): Promise<readonly ServerMessage[]> => {
    const other = await PatronSocket.join(dealer.server, secretOf('1'), table);
    other.terminate();
    return other.received;
  };
  const betting = await now();
  await dealer.deal(3);
  const dealing = await now();
  await dealer.settle();
  const result = await now();
  guest.terminate();
  await dealer.leave();
  return { table, messages: { betting, dealing, result } };
}

/** A page that receives the messages of a recording. */
export class Stage {
  readonly page: Page;
  #messages: readonly ServerMessage[] = [];
  /** Clock of the recording minus real clock, in ms. */
  #clockOffset = 0;
  #route: WebSocketRoute | undefined;
  #version = 1_000;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Intercepts the socket of a page; the page itself is loaded from the server. */
  static async on(page: Page): Promise<Stage> {
    const stage = new Stage(page);
    await page.routeWebSocket(/socket$/, (route) => {
      stage.#route = route;
      // Without heartbeats the page treats the connection as lost.
      const heartbeat = setInterval(
        () => route.send(JSON.stringify({ type: 'heartbeat', at: Date.now() + stage.#clockOffset })),
        1_000,
      );
      page.once('close', () => clearInterval(heartbeat));
      route.onMessage((text) => {
        const { type } = JSON.parse(String(text)) as ClientMessage;
        if (type === 'hello') stage.#send('welcome', 'lobby');
        if (type === 'sit') stage.#send('table', 'own');
      });
    });
    return stage;
  }

  /** Shows a phase, and waits for its cards. */
  async show({ table, messages }: Recording, phase: Phase): Promise<void> {
    this.#messages = messages[phase];
    await this.page.evaluate((hash) => (location.hash = hash), `#/table/${table}`);
    this.#send('welcome', 'table', 'own');
    const cards = { betting: 0, dealing: 3, result: 6 }[phase];
    await this.page.waitForFunction(
      ([name, count]) =>
        location.hash.endsWith(`/${name}`) &&
        document.querySelector('[data-stake]') !== null &&
        document.querySelector('[data-wager].is-pending') === null &&
        document.querySelectorAll('.flip.is-turned').length === count,
      [table, cards] as const,
    );
    if (phase === 'result') await this.page.waitForSelector('[data-outcome]');
  }

  /** Shows a table with these messages. */
  async showMessages(table: string, ...messages: readonly ServerMessage[]): Promise<void> {
    this.#messages = messages;
    await this.page.evaluate((hash) => (location.hash = hash), `#/table/${table}`);
    this.#send('welcome', 'table', 'own', 'lobby');
  }

  /** Shows the betting view of a recording as if its table were in another phase, and waits for the banner. */
  async showPhase(
    { table, messages }: Recording,
    [phase, banner]: (typeof phaseBanners)[number],
    changes: Partial<PublicTableView> = {},
  ): Promise<void> {
    this.#version += 1;
    const version = this.#version;
    const changed = messages.betting.map((message) =>
      message.type === 'table' ? { ...message, version, view: { ...message.view, phase, ...changes } } : message,
    );
    await this.showMessages(table, ...changed);
    await called(this.page, banner);
  }

  #send(...types: readonly ServerMessage['type'][]): void {
    for (const message of this.#messages) {
      if (!types.includes(message.type)) continue;
      if (message.type === 'welcome') this.#clockOffset = message.at - Date.now();
      this.#route?.send(JSON.stringify(message));
    }
  }
}
