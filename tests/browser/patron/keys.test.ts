import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { freshPage, movingPage } from '../support/browser.ts';
import { type Dealer } from '../support/dealer.ts';
import { closeLater } from '../../closing.ts';
import { startTestServer } from '../../server/support/testServer.ts';
import { afterSettlement, openedTable } from '../../table/tableScenario.ts';
import { shortcutKeys } from '../../../src/web/patron/app/shortcuts.ts';
import { violations } from '../support/appearance.ts';
import { called, chip, key, meter, placed, refusal, settled, toTable } from '../support/patron.ts';
import { isDead, next, press, seated, setLimit, slipsAt, stake } from '../support/seatedTerminal.ts';
import { scenarioPage } from '../support/scenarioPage.ts';
import { screens } from '../support/screens.ts';
import { prepared } from '../support/shoe.ts';

// Keys and meters of a terminal, each by its row of the rulebook.

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
  // Every chip, selected and put down, and the key that changes the view.
  let staked = 0;
  for (const [place, cents] of [100, 500, 2500, 10_000, 50_000].entries()) {
    await chip(page, place).click();
    expect(await meters(), `chip ${place}`).toEqual([staked, 100_000 - staked, 0]);
    await stake(page, place === 4 ? 'player' : 'banker');
    staked += cents;
    expect(await meters(), `chip ${place}`).toEqual([staked, 100_000 - staked, 0]);
  }
  for (let n = 0; n < 3; n++) {
    await press(page, 'SWAP VIEW');
    expect(await meters()).toEqual([staked, 100_000 - staked, 0]);
  }
  await press(page, 'CLEAR BET');
  await chip(page, 1).click();
  expect(await meters()).toEqual([0, 100_000, 0]);
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

test('[ETG layout-15] WIN follows a correction of the last round, and is 0.00 after a void', async () => {
  const server = await startTestServer({ screensFolder: await screens(), tables: ['tiger'] });
  closeLater(() => server.close());
  const { page, show } = await scenarioPage(server.address);
  const scenario = openedTable('tiger').shoe();
  const win = async (): Promise<number> => {
    await show(scenario);
    return meter(page, 'win');
  };
  // Banker wins on 6 with two cards, twelve to one; with a five for the six it wins without a tiger.
  scenario
    .bets({ T9: { tiger: 500 } })
    .close()
    .deal('2C KD 2D 6S KH')
    .settle();
  expect(await win()).toBe(6000);
  const corrected = { round: scenario.round, place: 4, card: '5S', reason: 'misread' };
  scenario.doByTwo('CorrectCard', corrected, afterSettlement, { T9: 100_000 });
  await expect.poll(win).toBe(0);
  scenario.doByTwo('CorrectCard', { ...corrected, card: '6S' }, afterSettlement, { T9: 100_000 });
  await expect.poll(win).toBe(6000);
  scenario.bets({ T9: { player: 500 } }).do('VoidRound', { reason: 'the lights went out' });
  expect(await win()).toBe(0);
});

test.each([
  ['a limit of a spot', 8000, {}, 'The maximum on Tiger is 100.00; bet less. over-maximum · ETG 2.2'],
  [
    'the credit',
    500,
    { credit: 1_800 },
    'The added bets need 10.00, and your credit is 8.00; bet less. not-enough-credit · ETG 2.2',
  ],
  ['a stake limit of the patron', 500, {}, 'That is above your limit for one round; bet less. over-stake-limit'],
  [
    'a loss limit of the patron',
    500,
    {},
    'That could exceed your loss limit for this session; bet less. over-loss-limit',
  ],
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
    if (what === 'a stake limit of the patron') await setLimit(page, dealer, { stake: 1_500 });
    if (what === 'a loss limit of the patron') await setLimit(page, dealer, { loss: 1_500 });
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

/** A page that is sent another phase in place of the result. */
const pageWithPhase =
  (phase: string) =>
  async (...size: Parameters<typeof freshPage>): ReturnType<typeof freshPage> => {
    const opened = await freshPage(...size);
    await opened.page.routeWebSocket(/socket$/, (route) => {
      const server = route.connectToServer();
      server.onMessage((text) => route.send(String(text).replaceAll('"phase":"result"', `"phase":"${phase}"`)));
    });
    return opened;
  };

test.each([
  ['ETG layout-17', 'UNDO', 'paying', 'Paying'],
  ['ETG layout-17', 'UNDO', 'closed', 'Table closed'],
  ['ETG layout-19', 'CLEAR BET', 'paying', 'Paying'],
  ['ETG layout-19', 'CLEAR BET', 'closed', 'Table closed'],
] as const)('[%s] %s is disabled in the phase %s too', async (_, name, phase, banner) => {
  const { page, dealer, end } = await seated({}, pageWithPhase(phase));
  await stake(page, 'banker');
  expect(await isDead(page, name)).toBe(false);
  await dealer.deal();
  await called(page, banner);
  expect(await isDead(page, name)).toBe(true);
  await key(page, name).click({ force: true });
  await settled(page);
  expect([await placed(page), slipsAt(dealer)]).toEqual([{ banker: 500 }, [{ banker: 500 }]]);
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
