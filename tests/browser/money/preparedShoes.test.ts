import { expect, test } from 'vitest';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { cardsOut, meter, outcomes, settled, spot, toTable, winner } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

/** Cards in dealing order: Player, Banker, Player, Banker, then by the table of play. */
const rounds = {
  /** Banker wins 6 to 4 on two cards; Player holds a pair. */
  six: '2C KD 2D 6S KH',
  /** Banker wins 6 to 3 on three cards. */
  longSix: '2C 2S AD KH KC 4H',
  /** Banker wins 4 to 2; both hands are pairs, of aces and of twos. */
  four: 'AC 2H AS 2D KC',
  /** Banker wins 4 to 3 on three cards. */
  longFour: 'AC 2H 2S KD KC 2D',
  /** Player wins 4 to 3: a plain win by one. */
  playerFour: '2C 3S 2H KH TC TD',
  /** Player wins 9 to 2 with a natural. */
  natural: '9H 2S KS QS',
  /** Both hands have a natural eight. */
  tie: '8C 8D KC KD',
} as const;

type Played = {
  readonly deal: keyof typeof rounds;
  /** Winner and totals: Player, Banker. */
  readonly shows: string;
  /** Result and clause of each bet of 10.00. */
  readonly bets: { readonly [wager: string]: string };
  /** The change of credit by the round, in cents. */
  readonly net: number;
};

const games: { readonly [table: string]: readonly Played[] } = {
  baccarat: [
    {
      deal: 'six',
      shows: 'Banker wins 4 6',
      bets: {
        player: 'lost BAC 3.10',
        banker: 'won 9.50 (commission 0.50) BAC 4.1',
        tie: 'lost BAC 1.1.8',
        'player-pair': 'won 110.00 BAC 4.1',
        'banker-pair': 'lost BAC 3.8.2',
      },
      net: -1000 + 950 - 1000 + 11_000 - 1000,
    },
    {
      deal: 'tie',
      shows: 'Tie 8 8',
      bets: { player: 'push BAC 3.10.1', banker: 'push BAC 3.10.1', tie: 'won 80.00 BAC 4.1' },
      net: 8000,
    },
    {
      deal: 'natural',
      shows: 'Player wins 9 2',
      bets: { player: 'won 10.00 BAC 4.1', banker: 'lost BAC 3.10' },
      net: 0,
    },
  ],
  'no-commission': [
    {
      deal: 'six',
      shows: 'Banker wins 4 6',
      bets: { banker: 'won 5.00 ETG 4.4', player: 'lost ETG 3.9' },
      net: 500 - 1000,
    },
    { deal: 'four', shows: 'Banker wins 2 4', bets: { banker: 'won 10.00 ETG 4.4' }, net: 1000 },
  ],
  'super-6': [
    {
      deal: 'tie',
      shows: 'Tie 8 8',
      bets: {
        tie: 'won 80.00 ETG 4.3',
        'player-dragon-bonus': 'push ETG 4.6',
        'banker-dragon-bonus': 'push ETG 4.5',
      },
      net: 8000,
    },
    {
      deal: 'natural',
      shows: 'Player wins 9 2',
      bets: { 'player-dragon-bonus': 'won 10.00 ETG 4.6', 'banker-dragon-bonus': 'lost ETG 1.1.1' },
      net: 0,
    },
    {
      deal: 'longSix',
      shows: 'Banker wins 3 6',
      bets: { banker: 'won 5.00 ETG 4.3', 'super-6': 'won 150.00 ETG 4.3' },
      net: 500 + 15_000,
    },
  ],
  tiger: [
    {
      deal: 'six',
      shows: 'Banker wins 4 6',
      bets: {
        banker: 'won 9.50 (commission 0.50) ETG 4.7',
        tiger: 'won 120.00 ETG 4.10',
        'small-tiger': 'won 220.00 ETG 4.10',
        'big-tiger': 'lost ETG 1.1.2',
        'tiger-pair': 'won 40.00 ETG 4.9',
        'tiger-tie': 'lost ETG 1.1.20',
      },
      net: 950 + 12_000 + 22_000 - 1000 + 4000 - 1000,
    },
    {
      deal: 'longSix',
      shows: 'Banker wins 3 6',
      bets: { tiger: 'won 200.00 ETG 4.10', 'big-tiger': 'won 500.00 ETG 4.10', 'small-tiger': 'lost ETG 1.1.14' },
      net: 20_000 + 50_000 - 1000,
    },
    { deal: 'four', shows: 'Banker wins 2 4', bets: { 'tiger-pair': 'won 200.00 ETG 4.9' }, net: 20_000 },
  ],
  'fabulous-4': [
    {
      deal: 'four',
      shows: 'Banker wins 2 4',
      bets: { banker: 'push FAB 3.10.iii', player: 'lost FAB 3.10.ii', 'banker-fabulous-4': 'won 250.00 FAB 4.1' },
      net: -1000 + 25_000,
    },
    {
      deal: 'playerFour',
      shows: 'Player wins 4 3',
      bets: { player: 'won 5.00 FAB 4.1', 'player-fabulous-4': 'won 500.00 FAB 4.1' },
      net: 500 + 50_000,
    },
  ],
  'sands-super': [
    {
      deal: 'six',
      shows: 'Banker wins 4 6',
      bets: {
        banker: 'won 5.00 SUP 4.1',
        'sands-six': 'won 60.00 SUP 4.1',
        'banker-wins-on-6': 'won 110.00 SUP 4.4',
        'player-precious-pair': 'won 90.00 SUP 4.2',
        'banker-wins-on-7': 'lost SUP 1.1.1',
      },
      net: 500 + 6000 + 11_000 + 9000 - 1000,
    },
  ],
};

test.each(Object.entries(games).map(([table, played]) => ({ table, played })))(
  '$table settles a prepared shoe to the cent: result and clause of each bet, credit and win',
  async ({ table, played }) => {
    const dealer = await Dealer.at(table, { chance: prepared(...played.map(({ deal }) => rounds[deal])) });
    // One game runs with animations.
    const { page, complaints } = await (table === 'baccarat' ? movingPage : freshPage)(1366, 768);
    await toTable(page, dealer, table);
    let credit = 100_000;
    for (const [n, { deal, shows, bets, net }] of played.entries()) {
      if (n > 0) await dealer.open();
      await page.waitForSelector(`[data-testid=game]:text-is("${n + 1}")`);
      await page.waitForSelector('.terminal.is-open');
      for (const wager of Object.keys(bets)) await spot(page, wager).click({ clickCount: 2 });
      await settled(page);
      const staked = 1000 * Object.keys(bets).length;
      expect(await meter(page, 'bet')).toBe(staked);
      expect(await meter(page, 'credit')).toBe(credit - staked);

      const cards = rounds[deal].split(' ');
      for (const [out, card] of cards.entries()) {
        await dealer.deal(out + 1);
        await cardsOut(page, out + 1);
        await page.waitForSelector(`.flip [data-card="${card}"]`);
      }
      await dealer.settle();
      await page.waitForSelector('[data-outcome]');
      expect(await outcomes(page)).toEqual(bets);
      const totals = ['player', 'banker'].map((side) => page.locator(`[data-total=${side}]`).innerText());
      const verdict = await winner(page);
      expect([verdict, ...(await Promise.all(totals))].join(' ')).toBe(shows);
      expect(await page.getByTestId('proven').innerText()).toBe(`${cards.length} cards verified`);
      credit += net;
      expect(await meter(page, 'credit')).toBe(credit);
      expect(await meter(page, 'win')).toBe(Math.max(0, net));
    }
    expect(complaints).toEqual([]);
    await dealer.leave();
  },
);

const dragons = ['player-dragon-bonus', 'banker-dragon-bonus'];
const pushes: readonly { row: string; table: string; deal: keyof typeof rounds; wagers: readonly string[] }[] = [
  ...['super-six', 'no-commission', 'tiger', 'tiger-no-commission'].map((table) => ({ table, more: [] as string[] })),
  ...['fortune-six', 'super-6'].map((table) => ({ table, more: dragons })),
].map(({ table, more }) => ({ row: 'ETG 1.1.10', table, deal: 'tie', wagers: ['player', 'banker', ...more] }));

test.each([
  ...pushes,
  { row: 'FAB 4.1.note', table: 'fabulous-4', deal: 'four', wagers: ['banker'] },
  { row: 'FAB 4.1.note', table: 'fabulous-4', deal: 'longFour', wagers: ['banker'] },
] as const)(
  '[$row] a push at $table is named, also in recall, returns the stake, and is neither win nor loss nor commission',
  async ({ table, deal, wagers }) => {
    const dealer = await Dealer.at(table, { chance: prepared(rounds[deal]) });
    const { page, complaints } = await freshPage(1366, 768);
    await toTable(page, dealer, table);
    for (const wager of wagers) await spot(page, wager).click();
    await settled(page);
    await dealer.settle();
    await page.waitForSelector('[data-outcome]');
    const results = Object.values(await outcomes(page));
    expect(results.map((text) => text.split(' ')[0])).toEqual(wagers.map(() => 'push'));
    for (const text of await page.locator('[data-outcome]').allInnerTexts()) expect(text).toMatch(/^returned\s+push/);
    expect(await page.locator('.spot.is-won, .spot.is-lost').count()).toBe(0);
    expect([await meter(page, 'credit'), await meter(page, 'win')]).toEqual([100_000, 0]);
    // Recall names it too.
    await page.locator('.bar-recall').click();
    await page.waitForSelector('.replay .stakes tr[data-result]');
    const recalled = await page.$$eval('.stakes tbody tr', (rows) =>
      rows.map((row) => [
        row.getAttribute('data-wager'),
        ...[...row.children].slice(1, 4).map((cell) => cell.textContent),
      ]),
    );
    expect(recalled.map((cells) => cells.map((cell) => cell?.trim()).join(' ')).toSorted()).toEqual(
      wagers.map((wager) => `${wager} 5.00 push 0.00`).toSorted(),
    );
    expect(await page.getByTestId('recall-credit').innerText()).toBe('Credit 1,000.00 → 1,000.00');
    expect(await page.getByTestId('recall-net').innerText()).toBe('0.00');
    expect(complaints).toEqual([]);
    await dealer.leave();
  },
);
