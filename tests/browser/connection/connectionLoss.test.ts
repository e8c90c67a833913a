import { type Page, type WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { PatronSocket, startTestServer, secretOf } from '../../server/support/testServer.ts';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { call, called, cardsOut, meter, outcomes, placed, settled, spot, toTable, winner } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';
import { screens } from '../support/screens.ts';

/** The connection between a page and its server, controlled by a test. */
class Cable {
  /** No new connection is made while this is set. */
  down = false;
  /** Messages of the page (`losesUp`) or to the page (`losesDown`) are dropped. */
  losesUp = false;
  losesDown = false;
  readonly sent: string[] = [];
  #route: WebSocketRoute | undefined;
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async of(page: Page): Promise<Cable> {
    const cable = new Cable(page);
    await page.routeWebSocket(/socket$/, (route) => {
      if (cable.down) {
        void route.close();
        return;
      }
      cable.#route = route;
      const server = route.connectToServer();
      route.onMessage((message) => {
        cable.sent.push(String(message));
        if (!cable.losesUp) server.send(message);
      });
      server.onMessage((message) => {
        if (!cable.losesDown) route.send(message);
      });
    });
    return cable;
  }

  /** Cuts the connection and waits until the page shows it. */
  async cut(): Promise<void> {
    this.down = true;
    await this.#route!.close();
    await this.#page.waitForSelector('[data-testid=connection]');
  }

  /** Restores the connection and waits until the page is up to date. */
  async restore(): Promise<void> {
    this.down = this.losesUp = this.losesDown = false;
    await this.#page.waitForSelector('[data-testid=connection]', { state: 'detached' });
  }

  /** Waits until the page has sent this number of slips. */
  async slips(count: number): Promise<void> {
    while (this.sent.filter((text) => text.startsWith('{"type":"slip"')).length < count) {
      await this.#page.waitForFunction(() => true);
    }
  }
}

/** A terminal at a Tiger table, with its connection and its dealer. */
async function seated(): Promise<{
  page: Page;
  cable: Cable;
  dealer: Dealer;
  complaints: string[];
  end: () => Promise<void>;
}> {
  const dealer = await Dealer.at('tiger', { chance: prepared('2C KD 2D 6S KH', '9H 2S KS QS', '8C 8D KC KD') });
  const { page, complaints } = await freshPage(1366, 768);
  const cable = await Cable.of(page);
  await toTable(page, dealer, 'tiger');
  const end = async (): Promise<void> => {
    expect(complaints).toEqual([]);
    await dealer.leave();
  };
  return { page, cable, dealer, complaints, end };
}

const lost = async (page: Page): Promise<string> =>
  (await page.getByTestId('connection').innerText()).replaceAll(/\s+/g, ' ');

test('a lost connection is shown at once; chips tapped meanwhile stay pale and are sent after the reconnect', async () => {
  const { page, cable, end } = await seated();
  await spot(page, 'banker').click();
  await settled(page);
  await cable.cut();
  expect(await lost(page)).toMatch(
    /^Connection to the table lost Accepted bets are in play. 5.00 Trying again 0:0\d CREDIT is the last confirmed amount.$/,
  );
  expect(await page.locator('.meter-credit small').innerText()).toBe('last recorded');
  expect(await placed(page)).toEqual({ banker: 500 });
  await spot(page, 'tie').click();
  await page.waitForSelector('[data-wager=tie].is-pending');
  expect(await lost(page)).toContain('Pale chips have not been sent. Tie 5.00');
  expect(await page.locator('.meter-bet small').innerText()).toBe('+5.00 ?');
  expect(await page.locator('[data-wager=tie] .spot-flag').innerText()).toBe('not sent');
  expect(await page.locator('[data-wager=banker].is-pending').count()).toBe(0);
  await cable.restore();
  await settled(page);
  expect(await placed(page)).toEqual({ banker: 500, tie: 500 });
  expect(await meter(page, 'credit')).toBe(99_000);
  // A reload is the same terminal, with the same bets.
  await page.reload();
  await page.waitForSelector('[data-stake]');
  expect(await placed(page)).toEqual({ banker: 500, tie: 500 });
  await end();
});

test('a slip in flight when the connection is lost, or without a reply, is shown as in doubt', async () => {
  const { page, cable, dealer, end } = await seated();
  const inDoubtText =
    'No bet of yours had been accepted for this round. ? One bet was still being sent; this screen will show whether it was accepted. Banker 5.00';
  cable.losesUp = true;
  await spot(page, 'banker').click();
  // The server keeps sending, but does not reply.
  await page.waitForSelector('[data-testid=connection]');
  expect(await lost(page)).toContain(`The table does not respond ${inDoubtText}`);
  expect(await spot(page, 'banker').getAttribute('data-mark')).toBe('maybe');
  await cable.cut();
  expect(await lost(page)).toContain(`Connection to the table lost ${inDoubtText}`);
  expect(dealer.table.round!.terminals).toBe(0);
  await cable.restore();
  await settled(page);
  expect(await placed(page)).toEqual({ banker: 500 });
  await end();
});

test('lobby and table show accepted and doubtful stakes while disconnected', async () => {
  const { page, cable, dealer, end } = await seated();
  await spot(page, 'tie').click();
  await settled(page);
  cable.losesUp = true;
  await spot(page, 'banker').click();
  await cable.slips(2);
  await cable.cut();
  const stakes =
    'Accepted bets are in play: table tiger, round 1. 5.00 One bet was still being sent to table tiger, round 1. Whether it was accepted is shown once the connection is back. 5.00';
  await page.locator('.bar-back').click();
  await page.waitForSelector('.lobby [data-testid=left]');
  expect(await lost(page)).toContain(stakes);
  await page.goBack();
  await page.waitForSelector('.terminal-empty [data-testid=left]');
  expect(await lost(page)).toContain(`Connection to the table lost ${stakes} Trying again`);
  await cable.restore();
  await page.waitForSelector('[data-wager=tie] [data-stake]');
  expect(await page.locator('[data-testid=left]').count()).toBe(0);
  // The table was reached again in time: the bet is sent with its first ID.
  await page.waitForSelector('[data-wager=banker] [data-stake]');
  expect(dealer.table.round!.terminals).toBe(1);
  await end();
});

test('a slip whose reply was lost is sent again with the same ID, and its chips become solid once', async () => {
  const { page, cable, dealer, end } = await seated();
  cable.losesDown = true;
  await spot(page, 'banker').click();
  await cable.slips(1);
  while (dealer.table.round!.terminals === 0) await page.waitForFunction(() => true);
  await cable.cut();
  await page.waitForSelector('[data-wager=banker].is-pending');
  await cable.restore();
  await settled(page);
  expect(await placed(page)).toEqual({ banker: 500 });
  expect(await meter(page, 'credit')).toBe(99_500);
  const slips = cable.sent.filter((text) => text.startsWith('{"type":"slip"'));
  expect(slips).toHaveLength(2);
  expect(slips[0]).toBe(slips[1]);
  expect(await page.getByTestId('missed').count()).toBe(0);
  await end();
});

test('[READING 13] an accepted slip whose reply was lost is paid after the round', async () => {
  const { page, cable, dealer, end } = await seated();
  cable.losesDown = true;
  await spot(page, 'banker').click();
  while (dealer.table.round!.terminals === 0) await page.waitForFunction(() => true);
  await cable.cut();
  await dealer.settle();
  await cable.restore();
  await page.waitForSelector('[data-outcome=banker]');
  await settled(page);
  expect(await placed(page)).toEqual({ banker: 500 });
  expect(await outcomes(page)).toEqual({ banker: 'won 4.75 (commission 0.25) ETG 4.7' });
  expect(await meter(page, 'credit')).toBe(100_475);
  expect(await page.getByTestId('missed').count()).toBe(0);
  expect(await page.getByTestId('refusal').count()).toBe(0);
  // The page had not shown the close.
  expect(await page.locator('[data-testid=back] p').innerText()).toBe(
    'Reconnected: you were in round 1. Banker won: you staked 5.00 and 9.75 was returned, winnings included. HOUSE 11',
  );
  await end();
});

test.each(['dealing', 'next'] as const)(
  '[ETG 5.10.2] a slip that never arrived is in no round, and the page shows that after the reconnect (%s)',
  async (when) => {
    const { page, cable, dealer, end } = await seated();
    await spot(page, 'banker').click();
    await settled(page);
    cable.losesUp = true;
    await spot(page, 'tie').click();
    await cable.slips(2);
    await cable.cut();
    await page.waitForSelector('[data-wager=tie].is-pending');
    if (when === 'dealing') await dealer.deal(2);
    else await dealer.open();
    await cable.restore();
    const missed = await page.waitForSelector('[data-testid=missed] p');
    expect(await missed.innerText()).toBe(
      'Your last change arrived too late for round 1. Your credit is unchanged; bets accepted before remain in play. ETG 5.10.2',
    );
    await settled(page);
    expect(await placed(page)).toEqual(when === 'dealing' ? { banker: 500 } : {});
    // Banker won 4.75 meanwhile, if the round is over.
    expect(await meter(page, 'credit')).toBe(when === 'dealing' ? 99_500 : 100_475);
    await page.keyboard.press('l');
    expect(await page.getByTestId('missed').innerText()).toContain('不计入第 1 局');
    await page.locator('[data-testid=missed] button').click();
    await page.waitForSelector('[data-testid=missed]', { state: 'detached' });
    await end();
  },
);

test('[ETG 5.10.2] chips tapped while disconnected are in no round', async () => {
  const { page, cable, dealer, end } = await seated();
  await cable.cut();
  await spot(page, 'tie').click();
  await page.waitForSelector('[data-wager=tie].is-pending');
  await dealer.open();
  await cable.restore();
  const missed = await page.waitForSelector('[data-testid=missed] p');
  expect(await missed.innerText()).toContain('arrived too late for round 1');
  expect(await missed.innerText()).toContain('ETG 5.10.2');
  await settled(page);
  expect(await placed(page)).toEqual({});
  expect(await meter(page, 'credit')).toBe(100_000);
  // After it is closed, no other notice repeats it.
  await page.locator('[data-testid=missed] button').click();
  await page.waitForSelector('[data-testid=missed]', { state: 'detached' });
  expect(await page.getByTestId('back').count()).toBe(0);
  await end();
});

test('[ETG 5.10.1] an accepted bet stays in force when the connection is lost while closing, dealing, at the result or between rounds', async () => {
  const { page, cable, dealer, end } = await seated();
  for (const wager of ['player', 'banker']) await spot(page, wager).click();
  await settled(page);
  const back = async (credit: number): Promise<void> => {
    await cable.restore();
    await settled(page);
    expect(await placed(page)).toEqual({ player: 500, banker: 500 });
    expect(await meter(page, 'credit')).toBe(credit);
    expect(await page.getByTestId('refusal').count()).toBe(0);
  };
  await dealer.call();
  await cable.cut();
  await back(99_000);
  await called(page, 'No more bets');

  await dealer.deal(1);
  await cardsOut(page, 1);
  await cable.cut();
  await dealer.deal(4);
  await back(99_000);
  await cardsOut(page, 4);
  const message = page.locator('[data-testid=back] p');
  expect(await message.innerText()).toBe(
    'Reconnected: your bets of 10.00 are in round 1, which is still in play. ETG 5.10.1',
  );
  expect(await page.locator('[data-total=banker]').innerText()).toBe('6');

  await dealer.deal();
  await cardsOut(page, 5);
  await cable.cut();
  await back(99_000);
  expect(await winner(page)).toBe('Banker wins');
  expect(await page.getByTestId('proven').innerText()).toContain('5 cards verified');

  // Paid while the page is disconnected.
  await cable.cut();
  await dealer.settle();
  await back(99_000 + 975);
  expect(await outcomes(page)).toEqual({
    banker: 'won 4.75 (commission 0.25) ETG 4.7',
    player: 'lost ETG 3.9',
  });

  // The message stays until it is closed, also after a reload.
  await page.reload();
  expect(await message.innerText()).toBe(
    'Reconnected: you were in round 1. Banker won: you staked 10.00 and 9.75 was returned, winnings included. ETG 5.10.1',
  );
  await page.keyboard.press('l');
  expect(await message.innerText()).toContain('您参与了第 1 局。庄赢：投注 10.00');
  await page.keyboard.press('l');
  await page.locator('[data-testid=back] button').click();
  await page.waitForSelector('[data-testid=back]', { state: 'detached' });

  // Between rounds, and back in the next.
  await cable.cut();
  await dealer.open();
  await cable.restore();
  await page.waitForSelector('[data-testid=game]:text-is("2")');
  await page.waitForFunction(() => document.querySelector('[data-stake]') === null);
  await spot(page, 'tie').click();
  await settled(page);
  expect(await meter(page, 'credit')).toBe(99_975 - 500);
  await end();
});

test('a disconnected terminal does not call for bets', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await freshPage(390, 844);
  await page.clock.install();
  const cable = await Cable.of(page);
  await toTable(page, dealer, 'tiger');
  await cable.cut();
  expect(await call(page)).toBe('Link lost');
  await page.clock.fastForward(3_600_000);
  await page.waitForSelector('[data-testid=count]:has-text("0")');
  expect(await call(page)).toBe('Link lost');
  await dealer.leave();
});

test('a missed version makes the page request the whole view', async () => {
  const { page, complaints } = await freshPage(1366, 768);
  const open = await startTestServer({ screensFolder: await screens(), tables: ['no-commission'] });
  let dropped = 0;
  const sent: string[] = [];
  await page.routeWebSocket(/socket$/, (route) => {
    const server = route.connectToServer();
    route.onMessage((message) => {
      sent.push(String(message));
      server.send(message);
    });
    server.onMessage((message) => {
      const text = String(message);
      if (text.startsWith('{"type":"change"') && dropped++ === 0) return;
      route.send(message);
    });
  });
  await toTable(page, open, 'no-commission');
  const guest = await PatronSocket.join(open, secretOf('e'), 'no-commission');
  const round = await guest.bettingRound();
  for (const [id, tie] of [
    ['slip-0001', 100],
    ['slip-0002', 200],
  ] as const) {
    const from = guest.received.length;
    guest.send({ type: 'slip', id, table: 'no-commission', round, slip: { tie } });
    await guest.receive('accepted', (reply) => reply.id === id);
    await guest.receive('table', ({ view }) => view.staked?.['tie']?.stake === tie, from);
  }
  while (sent.every((text) => !text.includes('"whole"'))) await page.waitForFunction(() => true);
  expect(dropped).toBe(2);
  expect(sent.filter((text) => text.includes('"whole"'))).toEqual(['{"type":"whole","of":"table"}']);
  guest.terminate();
  expect(complaints).toEqual([]);
  await open.close();
});
