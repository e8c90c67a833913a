import { type Page } from 'playwright-core';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { Dealer } from '../support/dealer.ts';
import { toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

/** A scene on its own page. `take` makes a picture of the current state, with an optional name. */
export type Scene = {
  readonly name: string;
  readonly shoot: (page: Page, take: (state?: string) => Promise<void>, language: string) => Promise<void>;
};

export const secret = secretOf('1');

/** Banker wins 6 to 4 on five cards, a natural tie, and Player wins 9 to 5 on six cards. */
const deals = ['2C KD 2D 6S KH', '8C 8D KC KD', '2C 3D 2D KS 5H 2H'];

/** A terminal at a Tiger table after some rounds, with bets open. */
export async function playing(
  page: Page,
  rounds: number,
  options: Parameters<typeof Dealer.at>[1] = {},
): Promise<Dealer> {
  const dealer = await Dealer.at('tiger', { store: createMemoryStore(), chance: prepared(...deals), ...options });
  const guest = await PatronSocket.join(dealer.server, secret, 'tiger');
  for (let n = 0; n < rounds; n++) {
    const from = guest.received.length;
    guest.send({ type: 'whole', of: 'table' });
    const { view } = await guest.receive('table', (message) => message.view.phase === 'betting', from);
    const slip = { banker: 5000, player: 2500, 'tiger-pair': 500 };
    guest.send({ type: 'slip', id: `slip-000${n}`, table: 'tiger', round: view.round!.id, slip });
    await guest.receive('accepted', ({ round }) => round === view.round!.id);
    await dealer.settle();
    await dealer.open();
  }
  guest.terminate();
  await page.addInitScript((own) => localStorage.setItem('punto.secret', own), secret);
  await toTable(page, dealer, 'tiger');
  return dealer;
}
