import { expect, test } from 'vitest';
import { freshPage } from './browser.ts';
import { Dealer } from './dealer.ts';
import { settled, spot, toTable } from './patron.ts';
import { prepared } from './shoe.ts';

test('a page that was away for rounds says what became of its bets, once and until it is read', async () => {
  const dealer = await Dealer.at('tiger', { chance: prepared('8C 8D KC KD', '9H 2S KS QS', '9H 2S KS QS') });
  const { page, complaints } = await freshPage(1366, 768);
  await toTable(page, dealer, 'tiger');
  await spot(page, 'tie').click();
  await settled(page);
  await page.goto('about:blank');
  for (let rounds = 0; rounds < 3; rounds++) await dealer.open();
  await toTable(page, dealer, 'tiger');
  const said = page.locator('[data-testid=back] p', { hasText: 'It was a tie' });
  expect(await said.innerText()).toBe(
    'Back again: you were in round 1. It was a tie: of 5.00 staked, 45.00 came back with what was won. HOUSE 11',
  );
  await page.reload();
  await said.waitFor();
  await page.locator('[data-testid=back] button').click();
  await page.waitForSelector('[data-testid=back]', { state: 'detached' });
  expect(complaints).toEqual([]);
  await page.context().close();
  await dealer.leave();
});
