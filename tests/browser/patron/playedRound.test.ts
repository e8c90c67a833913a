import { expect, test } from 'vitest';
import { freshPage } from '../support/browser.ts';
import { Dealer } from '../support/dealer.ts';
import { chip, placed, settled, spot, toTable } from '../support/patron.ts';
import { prepared } from '../support/shoe.ts';

test('a round can be played by keyboard only: chips by digits, spots by arrows, and a key for each action', async () => {
  const dealer = await Dealer.at('tiger');
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  const focus = (): Promise<string | null> => page.evaluate(() => document.activeElement!.getAttribute('data-wager'));
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
    await settled(page);
  };
  await press('3', 'ArrowDown');
  expect(await chip(page, 2).getAttribute('aria-pressed')).toBe('true');
  expect(await focus()).toBe('tiger');
  await press('ArrowRight', 'Enter');
  expect([await focus(), await placed(page)]).toEqual(['small-tiger', { 'small-tiger': 2500 }]);
  await press('ArrowDown');
  expect(await focus()).toBe('player');
  await press('Enter', 'ArrowRight', 'Enter', 'ArrowRight');
  expect(await focus()).toBe('banker');
  await press('ArrowUp');
  expect(await focus()).toBe('tiger-pair');
  expect(await placed(page)).toEqual({ 'small-tiger': 2500, player: 2500, tie: 2500 });
  await press('Backspace');
  expect(await placed(page)).toEqual({ 'small-tiger': 2500, player: 2500 });
  await press('x');
  expect(await placed(page)).toEqual({ 'small-tiger': 5000, player: 5000 });
  await press('c');
  expect(await placed(page)).toEqual({});
  await press('v');
  expect(await page.locator('.sight-roads').count()).toBe(1);
  await page.keyboard.press('p');
  await page.waitForSelector('[data-testid=proof]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-testid=proof]', { state: 'detached' });
  expect(complaints).toEqual([]);
  await dealer.leave();
});

test('a net loss is not celebrated, and a net win is lit', async () => {
  for (const { wagers, net, isLit } of [
    { wagers: ['player', 'tie', 'banker'], net: '−5.00', isLit: false },
    { wagers: ['player'], net: '+5.00', isLit: true },
  ]) {
    const dealer = await Dealer.at('tiger', { chance: prepared('9H 2S KS QS') });
    const { page } = await freshPage(1366, 768);
    await toTable(page, dealer, 'tiger');
    for (const wager of wagers) await spot(page, wager).click();
    await settled(page);
    await dealer.settle();
    await page.waitForSelector('[data-testid=net]');
    expect(await page.locator('[data-testid=net] b').innerText()).toBe(net);
    expect(await page.locator('.terminal.is-stated').count()).toBe(isLit ? 0 : 1);
    expect(await page.locator('.stage.won-player').count()).toBe(isLit ? 1 : 0);
    expect(await page.locator('.meter-win.is-up').count()).toBe(isLit ? 1 : 0);
    // The last round stays visible through the next betting time.
    await dealer.open();
    await page.waitForSelector('[data-testid=last]');
    const last = (await page.getByTestId('last').innerText()).replaceAll(/\s+/g, ' ');
    expect(last).toBe(`Last round #1 Player wins 闲赢 9 : 2 ${net}`);
    expect(await page.locator('.hand-last [data-card]').count()).toBe(4);
    await dealer.leave();
  }
});
