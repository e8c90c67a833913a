import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readRoundRecallPage } from '../../../src/server/patron/roundRecallHandler.ts';
import { RoundSearch } from '../../../src/server/staff/queries/roundSearch.ts';
import { createMemoryStore } from '../../../src/store/memoryStore.ts';
import { type RecalledRound } from '../../../src/wire/roundRecall.ts';
import { demoOwner } from '../../runtime/support/demo.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { Dealer } from '../support/dealer.ts';
import { dialogFaults } from '../support/dialogFaults.ts';
import { resize, sampleSizes, violations } from '../support/appearance.ts';
import { pageWith, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

/** Banker wins 6 to 4 on five cards, a natural tie, and Player wins 9 to 5 on six cards. */
const deals = ['2C KD 2D 6S KH', '8C 8D KC KD', '2C 3D 2D KS 5H 2H'] as const;
const slip = { banker: 5000, player: 2500, 'tiger-pair': 500 };

/** A table at which a terminal has played three rounds and staked in a fourth. */
async function played(secret: string) {
  const store = createMemoryStore();
  const dealer = await Dealer.at('tiger', { store, chance: prepared(...deals) });
  const guest = await PatronSocket.join(dealer.server, secret, 'tiger');
  for (let n = 0; n <= deals.length; n++) {
    const from = guest.received.length;
    guest.send({ type: 'whole', of: 'table' });
    const { view } = await guest.receive('table', (message) => message.view.phase === 'betting', from);
    guest.send({ type: 'slip', id: `slip-000${n}`, table: 'tiger', round: view.round!.id, slip });
    await guest.receive('accepted', ({ round }) => round === view.round!.id);
    if (n === deals.length) break;
    await dealer.settle();
    await dealer.open();
  }
  guest.terminate();
  const { rounds } = await readRoundRecallPage({ store, owner: demoOwner }, 'T1.1');
  return { dealer, rounds, store };
}

const openRecall = async (page: Page): Promise<void> => {
  await page.locator('.bar-recall').click();
  await page.waitForSelector('[data-testid=recall-row]');
};

/** The cards in the replay: Player's, then Banker's. */
const cards = (page: Page): Promise<readonly (readonly string[])[]> =>
  page.$$eval('.replay-hand', (hands) =>
    hands.map((hand) => [...hand.querySelectorAll('[data-card]')].map((card) => card.getAttribute('data-card')!)),
  );

const textOf = (page: Page, selector: string): Promise<string> => page.locator(selector).innerText();

test('recall shows the rounds of the session as in the event log, card by card', async () => {
  const secret = secretOf('a');
  const { dealer, rounds } = await played(secret);
  const { page, complaints } = await pageWith(secret);
  await toTable(page, dealer, 'tiger');
  await openRecall(page);
  const ids = await page.$$eval('[data-testid=recall-row]', (rows) =>
    rows.map((row) => row.getAttribute('data-round')),
  );
  expect(ids).toEqual(rounds.map(({ id }) => id));
  expect(rounds).toHaveLength(4);
  expect(await page.locator('[data-testid=recall-row]').first().innerText()).toContain('in play');

  // The very first round: six cards.
  await page.locator('[data-testid=recall-row]').last().click();
  const round = rounds.at(-1)!;
  expect(round.cards.join(' ')).toBe(deals[0]);
  expect(await cards(page)).toEqual([
    ['2C', '2D', 'KH'],
    ['KD', '6S'],
  ]);
  const rows = await page.$$eval('.stakes tbody tr', (all) =>
    all.map((row) => [row.getAttribute('data-wager'), row.getAttribute('data-result'), row.textContent]),
  );
  const { paid } = round.settled[0]!;
  expect(rows.map(([wager, result]) => [wager, result])).toEqual(paid.map(({ wager, result }) => [wager, result]));
  for (const [place, { by }] of paid.entries()) expect(rows[place]![2]).toContain(by);
  expect(rows[0]![2]).toContain('+50.00 − 2.50 comm.');
  expect(await textOf(page, '[data-testid=recall-credit]')).toBe('Credit 1,000.00 → 1,042.50');
  expect(await textOf(page, '[data-testid=recall-net]')).toBe('+42.50');

  // From the start, card by card; the result is not shown before the end.
  await page.getByRole('button', { name: 'From the start' }).click();
  expect(await cards(page)).toEqual([[], []]);
  expect(await textOf(page, '[data-testid=recall-net]')).toBe('–');
  const dealtCards: string[] = [];
  for (const card of round.cards) {
    await page.locator('[data-testid=replay-next]').click();
    dealtCards.push(card);
    expect((await cards(page)).flat().toSorted()).toEqual(dealtCards.toSorted());
  }
  expect(await textOf(page, '.replay-hand.is-banker p')).toContain('6');
  expect(await page.locator('.replay').getAttribute('data-step')).toBe('5');
  await page.locator('[data-testid=replay-next]').click();
  expect(await page.locator('.replay').getAttribute('data-step')).toBe('result');
  // The replay also runs to the end automatically.
  await page.locator('[data-testid=replay-play]').click();
  await page.waitForSelector('.replay[data-step="2"]');
  await page.waitForSelector('.replay[data-step=result]');

  await page.keyboard.press('Escape');
  await page.waitForSelector('.recall', { state: 'detached' });
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('recall adds the result of a round in play automatically and keeps the selected round', async () => {
  const secret = secretOf('f');
  const { dealer, rounds } = await played(secret);
  const { page } = await pageWith(secret);
  await toTable(page, dealer, 'tiger');
  await dealer.deal(3);
  await openRecall(page);
  const [now, before] = [page.locator('.replay'), page.locator(`[data-round="${rounds[1]!.id}"]`)];
  expect(await now.innerText()).toContain('in play');
  expect((await cards(page)).flat()).toHaveLength(3);
  await dealer.settle();
  await page.waitForSelector('.replay .stakes tr[data-result]');
  expect(await now.innerText()).not.toContain('in play');
  expect((await cards(page)).flat()).toHaveLength(dealer.table.round!.cards.length);
  expect(await page.locator('[data-testid=recall-row]').count()).toBe(4);
  // A selected round stays selected.
  await before.click();
  await page.getByRole('button', { name: 'From the start' }).click();
  await dealer.open();
  const guest = await PatronSocket.join(dealer.server, secret, 'tiger');
  const round = await guest.bettingRound();
  guest.send({ type: 'slip', id: 'slip-0009', table: 'tiger', round, slip });
  await page.waitForFunction(() => document.querySelectorAll('[data-testid=recall-row]').length === 5);
  expect(await before.getAttribute('aria-pressed')).toBe('true');
  expect(await now.getAttribute('data-step')).toBe('0');
  guest.terminate();
  await dealer.leave();
});

test('[ETG layout-14] game number and terminal ID on the screen are those of the event log, of recall and of complaints', async () => {
  const secret = secretOf('e');
  const { dealer, rounds, store } = await played(secret);
  const { page } = await pageWith(secret);
  await toTable(page, dealer, 'tiger');
  const [game, tid] = [page.locator('[data-testid=game]'), page.locator('[data-testid=tid]')];
  for (const one of [game, tid]) expect(await one.isVisible()).toBe(true);
  const numbers = { game: await game.innerText(), tid: await tid.innerText() };
  const { round } = dealer.table;
  expect(numbers).toEqual({ game: String(round!.number), tid: 'T1' });
  expect(Object.keys(round!.slips)).toEqual([`${numbers.tid}.1`]);
  await openRecall(page);
  expect(await page.locator('[data-testid=recall-row] b').first().innerText()).toBe(`#${numbers.game}`);
  expect(rounds[0]).toMatchObject({ id: round!.id, number: round!.number });
  expect(await textOf(page, '.recall-foot')).toContain(`TID ${numbers.tid}`);
  await page.keyboard.press('Escape');
  await page.waitForSelector('.recall', { state: 'detached' });
  // Help asks for both numbers, and by them staff find the round.
  await page.locator('.bar-help').first().click();
  await page.locator('#tab-wrong').click();
  await page.waitForSelector('#help-page[aria-labelledby=tab-wrong]');
  expect(await textOf(page, '.help-body')).toContain('give GAME # and TID # of this screen');
  const search = new RoundSearch(store, dealer.server.floor, () => null);
  const found = await search.find({ text: numbers.game, terminal: numbers.tid });
  expect(found.rounds.map(({ id }) => id)).toEqual([round!.id]);
  await dealer.leave();
});

test('recall fits every size in both languages, has large keys, and passes axe', async () => {
  const secret = secretOf('b');
  const { dealer } = await played(secret);
  const { page } = await pageWith(secret);
  await toTable(page, dealer, 'tiger');
  for (const language of ['en', 'zh']) {
    // The key is in the top bar; on a phone it is in the menu.
    await page.setViewportSize({ width: 1366, height: 768 });
    await page.evaluate((to) => localStorage.setItem('punto.language', to), language);
    await page.reload();
    await page.waitForSelector('[data-testid=session-clock]');
    await openRecall(page);
    await page.locator('[data-testid=recall-row]').last().click();
    for (const [width, height] of sampleSizes) {
      await resize(page, width, height);
      expect(await dialogFaults(page, '.recall'), `${width}x${height} ${language}`).toEqual([]);
    }
    expect(await violations(page)).toEqual([]);
  }
  await dealer.leave();
});

test('recall marks void and corrected rounds with clause, reason and first result', async () => {
  const secret = secretOf('c');
  const { dealer, rounds } = await played(secret);
  const { page } = await pageWith(secret);
  const [, base] = rounds;
  const stakeBack = (settlement: string, by: string) => ({
    settlement,
    at: base!.at,
    short: 0,
    paid: base!.settled[0]!.paid.map(({ wager, stake }) => ({
      wager,
      stake,
      result: 'void' as const,
      won: 0,
      commission: 0,
      returned: stake,
      by,
    })),
  });
  const voided: RecalledRound = {
    ...base!,
    id: 'void',
    cards: base!.cards.slice(0, 2),
    winner: null,
    voidBy: 'ETG 5.9.2',
    reason: 'No outcome was established before the interruption.',
    settled: [stakeBack('x#1', 'ETG 5.9.2')],
  };
  const corrected: RecalledRound = {
    ...base!,
    id: 'corrected',
    settled: [...base!.settled, { ...stakeBack('x#2', 'ETG 5.2'), short: 1000 }],
    corrected: true,
  };
  // Two pages: the void round, and the one before it.
  const befores = new Map<string, string | undefined>();
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const request = JSON.parse(String(text)) as { type: string; id: string; before?: string };
      if (request.type === 'recall') befores.set(request.id, request.before);
      server.send(text);
    });
    server.onMessage((text) => {
      const message = JSON.parse(String(text)) as { type: string; id: string };
      const isFirst = befores.get(message.id) === undefined;
      const shown = isFirst ? { rounds: [voided], next: 'tiger:7' } : { rounds: [corrected], next: null };
      socket.send(message.type === 'recalled' ? JSON.stringify({ ...message, ...shown }) : text);
    });
  });
  await toTable(page, dealer, 'tiger');
  await openRecall(page);
  await page.locator('[data-testid=recall-older]').click();
  await page.locator('[data-testid=recall-row]').nth(1).waitFor();
  expect([...befores.values()]).toContain('tiger:7');
  expect(await page.locator('[data-testid=recall-older]').count()).toBe(0);
  const [first, second] = await page.locator('[data-testid=recall-row]').allInnerTexts();
  expect(first).toContain('void');
  expect(first).toContain('ETG 5.9.2');
  expect(second).toContain('corrected');
  expect(await textOf(page, '[data-testid=recall-void]')).toBe(
    'The round is void, and all stakes were returned. No outcome was established before the interruption. ETG 5.9.2',
  );
  expect(await cards(page)).toEqual([[base!.cards[0]], [base!.cards[1]]]);
  await page.locator('[data-testid=recall-row]').nth(1).click();
  const came = base!.settled[0]!.paid.reduce((sum, { returned, stake }) => sum + returned - stake, 0);
  expect(await textOf(page, '[data-testid=recall-corrected]')).toBe(
    `The round was corrected: its result was ${came < 0 ? '−' : '+'}${(Math.abs(came) / 100).toFixed(2)} at first and is now +10.00. 10.00 could not be recovered.`,
  );
  await dealer.leave();
});

test('recall shows that it is empty before the first bet', async () => {
  const dealer = await Dealer.at('tiger');
  const { page } = await pageWith(secretOf('d'));
  await toTable(page, dealer, 'tiger');
  await page.locator('.bar-recall').click();
  expect(await textOf(page, '[data-testid=recall-none]')).toBe('No round has been played in this session yet.');
  await dealer.leave();
});
