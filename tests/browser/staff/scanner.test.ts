import { expect, test } from 'vitest';
import { meter, settled, spot, toTable } from '../patron.ts';
import { cardsOn, dealerAt, said, scan, textOf, textsOf } from './felt.ts';
import { Pit } from './pit.ts';

test('a scanner that types deals a round in the form that the property sets, and nothing that it types is a command', async () => {
  const scanner = { pattern: '<S-R>', cut: 'CUTTING', cards: { '0113': 'KS' } };
  const setting = { dealing: 'scanned', burn: 'first-card', bettingTime: 0 };
  const pit = await Pit.of('tiger', setting, { scanner });
  const dealer = await dealerAt(pit, 'tiger', 'Turn the first card');
  const patron = await pit.patron('tiger');
  const commands = ['.sheet', '.pop', '.veil', '.refusal'].join();
  const kept = (): Promise<readonly string[]> => textsOf(dealer, '[data-testid=kept] span');
  await scan(dealer, '<H-5>');
  await dealer.says('Ready for the next round');

  // W 2 1 by hand would report cards in the wrong place, Z lock, R relieve, and Enter open bets.
  for (const text of ['W21', 'ZRPXN', '8H']) await scan(dealer, text);
  expect(await dealer.page.locator('.sheet, .pop, .veil').count()).toBe(0);
  await said(dealer, 'Ready for the next round');
  const unread = (text: string): string => `Not read as a card: ${text}. Scan it again, or key it in.`;
  // A card as others write it is none here.
  expect(await kept()).toEqual([unread('8H'), unread('ZRPXN'), unread('W21')]);
  // They stay when the moment below the next act is over.
  await dealer.page.locator(commands).waitFor({ state: 'detached' });
  expect(await kept()).toHaveLength(3);

  await toTable(patron.page, pit.server, 'tiger');
  await dealer.type('Enter');
  await dealer.says('Bets are open');
  expect(await kept()).toEqual([]);
  await spot(patron.page, 'banker').click();
  await settled(patron.page);
  await scan(dealer, '<C-2>');
  expect(await kept()).toEqual(['2 of clubs: Not in this phase. ETG 3.1']);
  await dealer.type('Enter');
  await said(dealer, 'Player’s first card');

  // Whatever lies open, a scan goes to the slot that is due.
  await dealer.type('r', 'd');
  await scan(dealer, '<C-2>');
  await said(dealer, 'Banker’s first card');
  expect(await dealer.page.locator('.relief [data-field=number]').inputValue()).toBe('D');
  await dealer.type('Escape', 'w');
  for (const [text, then] of [
    ['0113', 'Player’s second card'],
    ['CUTTING', 'Player’s second card'],
    ['<D-10>', 'Banker’s second card'],
    ['<S-9>', 'Banker wins, 9 to 2'],
  ] as const) {
    await scan(dealer, text);
    await said(dealer, then);
  }
  await dealer.type('Escape');
  expect(await textOf(dealer, '.shoe')).toContain('Last round of this shoe');
  expect(await cardsOn(dealer)).toEqual(['2C', '9S', 'KS', 'TD']);
  await dealer.says('Banker wins, 9 to 2');
  await dealer.type('Enter');
  await patron.page.locator('[data-outcome=banker]').waitFor();
  // 5.00 on Banker less a twentieth.
  expect(await meter(patron.page, 'credit')).toBe(100_000 + 475);
  expect([dealer.complaints, patron.complaints]).toEqual([[], []]);
  for (const { page } of [dealer, patron]) await page.context().close();
  expect(await pit.close()).toBeUndefined();
});
