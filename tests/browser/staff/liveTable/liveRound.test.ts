import { expect, test } from 'vitest';
import { type Person, Pit } from '../support/pit.ts';

const letters = (text: string): readonly string[] => Array.from(text);

/** Prepares a new shoe, with a supervisor who approves at the same console. */
async function bringShoe(dealer: Person): Promise<void> {
  await dealer.expectPrompt('Receive the new cards');
  await dealer.type(...letters('S1'), 'Tab', ...letters('7741'), 'Tab', '8', 'Tab', ...letters('red'), 'Enter');
  await dealer.expectPrompt('Inspect faces and backs');
  await dealer.type('1', 'Enter');
  await dealer.expectPrompt('Count the new cards');
  await dealer.type(...letters('416'), 'Enter');
  await dealer.expectPrompt('Shuffle the cards');
  await dealer.type('1', 'Enter');
  await dealer.expectPrompt('Cut the cards');
  await dealer.type(...letters('16'), 'Enter');
  await dealer.expectPrompt('Shoe waits for verification');
  await dealer.type('Enter');
  await dealer.expectPrompt('Wait for the supervisor');
  await dealer.approveAs('S-1');
  await dealer.expectPrompt('Ready for the next round');
}

test("a dealer deals a live round from the shoe to a patron's credit by keys alone: two for each card, one for each call", async () => {
  const pit = await Pit.of('tiger', { bettingTime: 0 });
  const dealer = await pit.person('D-1', '/dealer/tiger', 'tiger');
  await bringShoe(dealer);
  const patron = await pit.patron('tiger');
  await patron.page.locator('[data-wager="banker"]').first().waitFor();
  const before = dealer.keys;
  await dealer.type('Enter');
  await dealer.expectPrompt('Bets are open');
  await patron.page.locator('[data-wager="banker"]').first().click();
  await patron.page.waitForFunction(
    () => document.querySelector('[data-stake]') !== null && document.querySelector('.is-pending') === null,
  );
  await dealer.type('Enter');
  await dealer.expectPrompt('Player’s first card');
  await dealer.type(...letters('2c'), ...letters('9s'), ...letters('4d'), ...letters('td'));
  await dealer.expectPrompt('Banker wins, 9 to 6');
  await dealer.type('Enter');
  await dealer.expectPrompt('Ready for the next round');
  // Open, close, four cards of two keys, settle.
  expect(dealer.keys - before).toBe(11);
  await patron.page.locator('[data-outcome="banker"][data-by="ETG 4.7"]').waitFor();
  expect([dealer.complaints, patron.complaints]).toEqual([[], []]);
  expect(await pit.close()).toBeUndefined();
});
