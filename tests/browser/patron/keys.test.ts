import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demoSettings } from '../../runtime/support/demo.ts';
import { PatronSocket, secretOf } from '../../server/support/testServer.ts';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { shortcutKeys } from '../../../src/web/patron/app/shortcuts.ts';
import { violations } from '../support/appearance.ts';
import { called, chip, key, meter, placed, refusal, settled, spot, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

// Keys and meters of a terminal, each by its row of the rulebook.

/** A terminal at a Tiger table. */
async function seated(
  options: Parameters<typeof Dealer.at>[1] = {},
  opened = freshPage,
): Promise<{ page: Page; dealer: Dealer; end: () => Promise<void> }> {
  const dealer = await Dealer.at('tiger', options);
  const { page, complaints } = await opened(1366, 768);
  await toTable(page, dealer, 'tiger');
  const end = async (): Promise<void> => {
    expect(complaints).toEqual([]);
    await dealer.leave();
  };
  return { page, dealer, end };
}

async function stake(page: Page, ...wagers: readonly string[]): Promise<void> {
  for (const wager of wagers) await spot(page, wager).click();
  await settled(page);
}

async function press(page: Page, name: string): Promise<void> {
  await key(page, name).click();
  await settled(page);
}

const isDead = async (page: Page, name: string): Promise<boolean> =>
  (await key(page, name).getAttribute('aria-disabled')) === 'true';

/** The next round is open with empty spots. */
async function next(page: Page, dealer: Dealer): Promise<void> {
  await dealer.open();
  await page.waitForSelector(`[data-testid=game]:text-is("${dealer.table.round!.number}")`);
  await page.waitForFunction(() => document.querySelector('[data-stake]') === null);
}

test('[ETG layout-13] the limits printed on each spot equal the limits that the server enforces', async () => {
  const wagers = Object.keys(demoSettings.find(({ table }) => table === 'tiger')!.limits);
  const limits = Object.fromEntries(wagers.map((wager, n) => [wager, [500, 20_000 + 1000 * n]]));
  const { page, dealer, end } = await seated({ settings: { limits } });
  const ranges = await page.$$eval('[data-wager]', (all) =>
    all.map((one) => [one.getAttribute('data-wager')!, one.querySelector('.range')!.textContent] as const),
  );
  expect(ranges.map(([wager]) => wager).toSorted()).toEqual(wagers.toSorted());
  const guest = await PatronSocket.join(dealer.server, secretOf('2'), 'tiger');
  const round = await guest.bettingRound();
  for (const [n, [wager, range]] of ranges.entries()) {
    const [minimum, maximum] = range.split(' – ').map((amount) => 100 * Number(amount)) as [number, number];
    const slip = (cents: number, id: string) => ({ type: 'slip', id, table: 'tiger', round, slip: { [wager]: cents } });
    expect(await guest.refusalOf(slip(maximum + 100, `over-${n}-000`))).toMatchObject({ code: 'over-maximum' });
    expect(await guest.refusalOf(slip(minimum - 100, `under-${n}-000`))).toMatchObject({ code: 'under-minimum' });
    for (const [cents, id] of [
      [maximum, `most-${n}-000`],
      [minimum, `least-${n}-000`],
    ] as const) {
      guest.send(slip(cents, id));
      await guest.receive('accepted', (reply) => reply.id === id);
    }
  }
  guest.terminate();
  await end();
});

test('[ETG layout-15] staking and undoing keep the sum of bet and credit, and the win stays until the next round', async () => {
  // With animations: the win is counted up.
  const { page, dealer, end } = await seated({ chance: prepared('9H 2S KS QS', '9H 2S KS QS') }, movingPage);
  const meters = async (): Promise<readonly number[]> => [
    await meter(page, 'bet'),
    await meter(page, 'credit'),
    await meter(page, 'win'),
  ];
  expect(await meters()).toEqual([0, 100_000, 0]);
  await stake(page, 'player', 'tie');
  expect(await meters()).toEqual([1000, 99_000, 0]);
  await press(page, 'UNDO');
  expect(await meters()).toEqual([500, 99_500, 0]);
  await dealer.settle();
  await page.waitForSelector('[data-outcome]');
  expect(await meters()).toEqual([500, 100_500, 500]);
  await next(page, dealer);
  expect(await meters()).toEqual([0, 100_500, 0]);
  // A round that lost money leaves 0.00.
  await stake(page, 'banker', 'tie');
  await dealer.settle();
  await page.waitForSelector('[data-testid=net]');
  expect(await meters()).toEqual([1000, 99_500, 0]);
  await next(page, dealer);
  expect(await meters()).toEqual([0, 99_500, 0]);
  await end();
});

test('[ETG layout-16] x2 doubles the whole slip, or nothing with the reason', async () => {
  const { page, end } = await seated();
  expect(await isDead(page, 'x2')).toBe(true);
  await stake(page, 'player', 'tiger');
  await press(page, 'x2');
  expect(await placed(page)).toEqual({ player: 1000, tiger: 1000 });
  for (const _ of [1, 2, 3]) await press(page, 'x2');
  expect(await placed(page)).toEqual({ player: 8000, tiger: 8000 });
  await key(page, 'x2').click();
  expect(await refusal(page)).toContain('over-maximum · ETG 2.2');
  await settled(page);
  expect(await placed(page)).toEqual({ player: 8000, tiger: 8000 });
  await end();
});

test('[ETG layout-16] x2 doubles nothing when the credit is too low, and shows the reason', async () => {
  const { page, end } = await seated({ credit: 1_800 });
  await stake(page, 'player', 'tiger');
  await key(page, 'x2').click();
  expect(await refusal(page)).toContain('not-enough-credit · ETG 2.2');
  await settled(page);
  expect(await placed(page)).toEqual({ player: 500, tiger: 500 });
  await end();
});

test('[ETG layout-17] UNDO reverts one action after another down to an empty slip, and is disabled after the close', async () => {
  const { page, dealer, end } = await seated();
  expect(await isDead(page, 'UNDO')).toBe(true);
  await stake(page, 'player', 'tiger', 'tie');
  await press(page, 'UNDO');
  await press(page, 'x2');
  await press(page, 'CLEAR BET');
  for (const slip of [{ player: 1000, tiger: 1000 }, { player: 500, tiger: 500 }, { player: 500 }, {}]) {
    await press(page, 'UNDO');
    expect(await placed(page)).toEqual(slip);
  }
  expect(await isDead(page, 'UNDO')).toBe(true);
  await stake(page, 'banker');
  expect(await isDead(page, 'UNDO')).toBe(false);
  await dealer.close();
  await called(page, 'No more bets');
  expect(await isDead(page, 'UNDO')).toBe(true);
  await key(page, 'UNDO').click({ force: true });
  expect(await placed(page)).toEqual({ banker: 500 });
  await end();
});

test('[ETG layout-19] CLEAR BET removes all stakes and restores the credit, and is disabled after the close', async () => {
  const { page, dealer, end } = await seated();
  expect(await isDead(page, 'CLEAR BET')).toBe(true);
  await stake(page, 'player', 'tiger', 'tie');
  await press(page, 'CLEAR BET');
  expect(await placed(page)).toEqual({});
  expect(await meter(page, 'credit')).toBe(100_000);
  await stake(page, 'banker');
  expect(await isDead(page, 'CLEAR BET')).toBe(false);
  await dealer.close();
  await called(page, 'No more bets');
  expect(await isDead(page, 'CLEAR BET')).toBe(true);
  await key(page, 'CLEAR BET').click({ force: true });
  expect(await placed(page)).toEqual({ banker: 500 });
  await end();
});

test('[ETG layout-20] RE-BET repeats the last accepted slip as one action, or nothing if the credit is too low', async () => {
  // Banker wins with 6, then Player.
  const { page, dealer, end } = await seated({ chance: prepared('2C KD 2D 6S KH', '9H 2S KS QS') });
  expect(await isDead(page, 'RE-BET')).toBe(true);
  await stake(page, 'player');
  await chip(page, 2).click();
  await stake(page, 'tie');
  await next(page, dealer);
  await press(page, 'RE-BET');
  expect(await placed(page)).toEqual({ player: 500, tie: 2500 });
  await press(page, 'UNDO');
  expect(await placed(page)).toEqual({});
  // More than half of the credit is lost on Banker, so the same stake is not possible again.
  await chip(page, 4).click();
  await stake(page, 'banker');
  await next(page, dealer);
  expect(await meter(page, 'credit')).toBe(100_000 - 3000 - 50_000);
  await key(page, 'RE-BET').click();
  expect(await refusal(page)).toContain('not-enough-credit · ETG 2.2');
  await settled(page);
  expect(await placed(page)).toEqual({});
  await end();
});

test('[ETG 3.5] RE-BET and x2 are shown and undone until the close, and nothing is staked without a key', async () => {
  const { page, dealer, end } = await seated();
  const slips = () => Object.values(dealer.table.round!.slips);
  await stake(page, 'player');
  await next(page, dealer);
  expect([await placed(page), slips()]).toEqual([{}, []]);
  for (const [name, amount] of [
    ['RE-BET', 500],
    ['x2', 1000],
    ['UNDO', 500],
    ['UNDO', 0],
    ['RE-BET', 500],
    ['x2', 1000],
  ] as const) {
    await press(page, name);
    expect(await placed(page), name).toEqual(amount === 0 ? {} : { player: amount });
    expect(slips(), name).toEqual(amount === 0 ? [] : [{ player: amount }]);
  }
  await dealer.close();
  await called(page, 'No more bets');
  for (const name of ['RE-BET', 'x2', 'UNDO']) expect(await isDead(page, name)).toBe(true);
  await next(page, dealer);
  expect([await placed(page), slips()]).toEqual([{}, []]);
  await end();
});

test('[ETG 1.1.3] a Banker win shows net, gross win and commission side by side, on its spot and in recall', async () => {
  const { page, dealer, end } = await seated({ chance: prepared('2C 9S 4D TD') });
  await stake(page, 'banker');
  await dealer.settle();
  const textOf = async (selector: string): Promise<string> =>
    (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ');
  await page.waitForSelector('[data-outcome=banker]');
  expect(await textOf('[data-outcome=banker]')).toBe('+4.75 +5.00 − 0.25 commission · ETG 4.7');
  await page.locator('.bar-recall').click();
  await page.locator('[data-testid=recall-row]').first().click();
  expect(await textOf('.stakes tbody tr')).toContain('+5.00 − 0.25');
  expect(await textOf('.stakes tbody tr')).toContain('+4.75');
  await end();
});

test('a key leads from the table to the lobby, where all keys without a table work; help lists every key', async () => {
  const { page, dealer, end } = await seated();
  const opens = async (name: keyof typeof shortcutKeys, shows: string): Promise<void> => {
    await page.keyboard.press(shortcutKeys[name]);
    await page.waitForSelector(shows);
  };
  const shut = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  };
  await opens('help', '[data-testid=help]');
  await page.locator('#tab-keys').click();
  const listed = await page.locator('.help-keys kbd').allInnerTexts();
  for (const one of Object.values(shortcutKeys)) {
    expect(listed.filter((text) => text.toLowerCase() === one.toLowerCase())).toHaveLength(1);
  }
  await shut();
  await opens('tables', '.lobby .tile');
  expect(new URL(page.url()).hash).toBe('#/');
  await opens('collect', 'dialog.collect');
  expect(await page.locator('[data-testid=collect-back]').innerText()).toBe('Close');
  await shut();
  await opens('recall', 'dialog.recall');
  await shut();
  await opens('limits', 'dialog.limits');
  await shut();
  await opens('language', '.lobby .language:text-is("English")');
  await opens('language', '.lobby .language:text-is("中文")');
  await opens('help', '[data-testid=help]');
  expect(await page.locator('.help-head').innerText()).toContain('All tables');
  for (const tab of ['play', 'drawing', 'keys']) {
    await page.locator(`#tab-${tab}`).click();
    expect(await violations(page)).toEqual([]);
  }
  await shut();
  // Keys of a table have no effect in the lobby.
  for (const name of ['swap', 'undo', 'again', 'proof'] as const) await page.keyboard.press(shortcutKeys[name]);
  expect(await page.locator('dialog, [data-testid=refusal]').count()).toBe(0);
  await toTable(page, dealer, 'tiger');
  await end();
});

test.each(['collect', 'recall', 'limits', 'help', 'proof'] as const)(
  'the dialog of %s has the focus as soon as it is drawn, so that no key reaches the table behind it',
  async (name) => {
    const { page, end } = await seated();
    const isModal = await page.evaluate(
      (pressed) =>
        new Promise<boolean>((resolve) => {
          // A mutation observer runs before any other event of the page.
          new MutationObserver((_, observer) => {
            const dialog = document.querySelector('dialog');
            if (dialog === null) return;
            observer.disconnect();
            resolve(dialog.matches(':modal'));
          }).observe(document.body, { childList: true, subtree: true });
          dispatchEvent(new KeyboardEvent('keydown', { key: pressed }));
        }),
      shortcutKeys[name],
    );
    expect(isModal).toBe(true);
    await end();
  },
);
