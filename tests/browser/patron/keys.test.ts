import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PatronSocket } from '../../server/support/testServer.ts';
import { freshPage, movingPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { shortcutKeys } from '../../../src/web/patron/app/shortcuts.ts';
import { violations } from '../support/appearance.ts';
import { called, chip, key, meter, placed, refusal, settled, spot, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

// Keys and meters of a terminal, each by its row of the rulebook.

/** A terminal at a table, a Tiger table unless named. */
async function seated(
  options: Parameters<typeof Dealer.at>[1] = {},
  opened = freshPage,
  table = 'tiger',
): Promise<{ page: Page; dealer: Dealer; end: () => Promise<void> }> {
  const dealer = await Dealer.at(table, options);
  const { page, complaints } = await opened(1366, 768);
  await toTable(page, dealer, table);
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

/** The slips of the table as its server has them. */
const slipsAt = (dealer: Dealer): readonly unknown[] => Object.values(dealer.table.round!.slips);

test('[ETG layout-15] every action keeps the sum of bet and credit, and the win stays until bets open again', async () => {
  // With animations: the win is counted up.
  const { page, dealer, end } = await seated({ chance: prepared('9H 2S KS QS', '9H 2S KS QS') }, movingPage);
  const meters = async (): Promise<readonly number[]> => [
    await meter(page, 'bet'),
    await meter(page, 'credit'),
    await meter(page, 'win'),
  ];
  expect(await meters()).toEqual([0, 100_000, 0]);
  for (const text of await page.locator('[data-meter]').allInnerTexts()) expect(text).toMatch(/^[\d,]+\.\d\d$/);
  await stake(page, 'player', 'tie');
  expect(await meters()).toEqual([1000, 99_000, 0]);
  for (const [name, bet] of [
    ['x2', 2000],
    ['UNDO', 1000],
    ['CLEAR BET', 0],
    ['UNDO', 1000],
    ['UNDO', 500],
  ] as const) {
    await press(page, name);
    expect(await meters(), name).toEqual([bet, 100_000 - bet, 0]);
  }
  await dealer.settle();
  await page.waitForSelector('[data-outcome]');
  expect(await meters()).toEqual([500, 100_500, 500]);
  // It stays as long as the result does, also on a page that is loaded again.
  await page.reload();
  await page.waitForSelector('[data-outcome]');
  expect(await meters()).toEqual([500, 100_500, 500]);
  await next(page, dealer);
  expect(await meters()).toEqual([0, 100_500, 0]);
  await press(page, 'RE-BET');
  expect(await meters()).toEqual([500, 100_000, 0]);
  await press(page, 'CLEAR BET');
  // A round that lost money leaves 0.00.
  await stake(page, 'banker', 'tie');
  await dealer.settle();
  await page.waitForSelector('[data-testid=net]');
  expect(await meters()).toEqual([1000, 99_500, 0]);
  await next(page, dealer);
  expect(await meters()).toEqual([0, 99_500, 0]);
  await end();
});

/** The patron of this page sets a limit for the stakes of one round. */
async function limitStakes(page: Page, dealer: Dealer, cents: number): Promise<void> {
  const secret = await page.evaluate(() => localStorage.getItem('punto.secret')!);
  const patron = await PatronSocket.join(dealer.server, secret, 'tiger');
  patron.send({ type: 'limit', id: 'limit-0001', stake: cents });
  await patron.receive('limited');
  patron.terminate();
}

test.each([
  ['a limit of a spot', 8000, {}, 'The maximum on Tiger is 100.00; bet less. over-maximum · ETG 2.2'],
  [
    'the credit',
    500,
    { credit: 1_800 },
    'You need 10.00 more, and your credit is 8.00; bet less. not-enough-credit · ETG 2.2',
  ],
  ['a limit of the patron', 500, {}, 'That is above your limit for one round; bet less. over-stake-limit'],
] as const)(
  '[ETG layout-16] x2 doubles the whole slip, and nothing with the reason when %s forbids it',
  async (what, last, options, reason) => {
    const { page, dealer, end } = await seated(options);
    expect(await isDead(page, 'x2')).toBe(true);
    await stake(page, 'player', 'tiger');
    for (let each = 500; each < last; each *= 2) {
      expect([await placed(page), slipsAt(dealer)]).toEqual([
        { player: each, tiger: each },
        [{ player: each, tiger: each }],
      ]);
      await press(page, 'x2');
    }
    if (what === 'a limit of the patron') await limitStakes(page, dealer, 1_500);
    await key(page, 'x2').click();
    expect(await refusal(page)).toBe(`Refused: ${reason}`);
    await settled(page);
    expect([await placed(page), slipsAt(dealer)]).toEqual([
      { player: last, tiger: last },
      [{ player: last, tiger: last }],
    ]);
    await end();
  },
);

/** From the close to the next opening: what ends the phase before, and the banner that follows. */
const closedPhases: readonly (readonly [name: string, proceed: (dealer: Dealer) => Promise<void>, banner: string])[] = [
  ['closing', (dealer) => dealer.call(), 'No more bets'],
  ['dealing without cards', (dealer) => dealer.close(), 'No more bets'],
  ['dealing', (dealer) => dealer.deal(2), 'No more bets'],
  ['result', (dealer) => dealer.deal(), 'No more bets'],
  ['idle', (dealer) => dealer.settle(), 'Next round soon'],
];

/** In every phase after the close a key does nothing, whether it is tapped or typed. */
async function expectDeadAfterClose(
  { page, dealer }: { readonly page: Page; readonly dealer: Dealer },
  name: string,
  shortcut: string,
): Promise<void> {
  expect(await isDead(page, name)).toBe(false);
  const before = await placed(page);
  const credit = await meter(page, 'credit');
  for (const [phase, proceed, banner] of closedPhases) {
    await proceed(dealer);
    await called(page, banner);
    await page.waitForFunction(
      (dealt) => document.querySelectorAll('.flip.is-turned [data-card]').length === dealt,
      dealer.table.round!.cards.length,
    );
    expect(await isDead(page, name), phase).toBe(true);
    await key(page, name).click({ force: true });
    await page.keyboard.press(shortcut);
    await settled(page);
    expect([await placed(page), slipsAt(dealer)], phase).toEqual([before, [before]]);
    if (phase !== 'idle') expect(await meter(page, 'credit'), phase).toBe(credit);
  }
}

test('[ETG layout-17] UNDO reverts one action after another down to an empty slip, and is disabled after the close', async () => {
  const { page, dealer, end } = await seated({ chance: prepared('9H 2S KS QS') });
  expect(await isDead(page, 'UNDO')).toBe(true);
  await stake(page, 'player', 'tiger', 'tie');
  await press(page, 'UNDO');
  await press(page, 'x2');
  await press(page, 'CLEAR BET');
  for (const slip of [{ player: 1000, tiger: 1000 }, { player: 500, tiger: 500 }, { player: 500 }, {}]) {
    await press(page, 'UNDO');
    expect([await placed(page), slipsAt(dealer)]).toEqual([slip, Object.keys(slip).length === 0 ? [] : [slip]]);
  }
  expect(await isDead(page, 'UNDO')).toBe(true);
  await stake(page, 'banker');
  await expectDeadAfterClose({ page, dealer }, 'UNDO', shortcutKeys.undo);
  await end();
});

test('[ETG layout-19] CLEAR BET removes all stakes and restores the credit, and is disabled after the close', async () => {
  const { page, dealer, end } = await seated({ chance: prepared('9H 2S KS QS') });
  expect(await isDead(page, 'CLEAR BET')).toBe(true);
  await stake(page, 'player', 'tiger', 'tie');
  await press(page, 'CLEAR BET');
  expect([await placed(page), slipsAt(dealer)]).toEqual([{}, []]);
  expect([await meter(page, 'bet'), await meter(page, 'credit')]).toEqual([0, 100_000]);
  await stake(page, 'banker');
  await expectDeadAfterClose({ page, dealer }, 'CLEAR BET', shortcutKeys.clear);
  await end();
});

test('[ETG layout-20] RE-BET repeats the last accepted slip as one action, or nothing if the credit is too low', async () => {
  // Banker wins with 6, then a tie without a bet, then Player wins.
  const { page, dealer, end } = await seated({
    chance: prepared('2C KD 2D 6S KH', '8C 8D KC KD', '9H 2S KS QS'),
  });
  expect(await isDead(page, 'RE-BET')).toBe(true);
  await stake(page, 'player', 'tiger');
  // What was taken back before the close is not repeated.
  await press(page, 'UNDO');
  await chip(page, 2).click();
  await stake(page, 'tie');
  await next(page, dealer);
  await next(page, dealer);
  // On another stake the last slip takes its place, as one action.
  await stake(page, 'tiger');
  await press(page, 'RE-BET');
  const last = { player: 500, tie: 2500 };
  expect([await placed(page), slipsAt(dealer)]).toEqual([last, [last]]);
  await press(page, 'UNDO');
  expect([await placed(page), slipsAt(dealer)]).toEqual([{ tiger: 2500 }, [{ tiger: 2500 }]]);
  await press(page, 'UNDO');
  expect([await placed(page), slipsAt(dealer)]).toEqual([{}, []]);
  // More than half of the credit is lost on Banker. The credit would do for the stake on Tiger, not for the whole slip.
  await stake(page, 'tiger');
  await chip(page, 4).click();
  await stake(page, 'banker');
  await next(page, dealer);
  expect(await meter(page, 'credit')).toBe(100_000 - 3000 - 52_500);
  await key(page, 'RE-BET').click();
  expect(await refusal(page)).toBe(
    'Refused: You need 525.00 more, and your credit is 445.00; bet less. not-enough-credit · ETG 2.2',
  );
  await settled(page);
  expect([await placed(page), slipsAt(dealer)]).toEqual([{}, []]);
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

test.each([
  ['ETG 1.1.3', 'tiger', 'ETG 4.7'],
  ['BAC 1.1.1', 'baccarat', 'BAC 4.1'],
])(
  '[%s] a Banker win at %s shows net, gross win and commission side by side, on its spot and in recall',
  async (_, table, by) => {
    const { page, dealer, end } = await seated({ chance: prepared('2C 9S 4D TD') }, freshPage, table);
    await stake(page, 'banker');
    await dealer.settle();
    const textOf = async (selector: string): Promise<string> =>
      (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ');
    await page.waitForSelector('[data-outcome=banker]');
    expect(await textOf('[data-outcome=banker]')).toBe(`+4.75 +5.00 − 0.25 commission · ${by}`);
    await page.locator('.bar-recall').click();
    await page.locator('[data-testid=recall-row]').first().click();
    expect(await textOf('.stakes tbody tr')).toContain('+5.00 − 0.25');
    expect(await textOf('.stakes tbody tr')).toContain('+4.75');
    await end();
  },
);

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
