import { randomUUID } from 'node:crypto';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { PatronSocket } from '../../server/support/testServer.ts';
import { chip, key, meter, placed, refusal, settled } from '../support/patron.ts';
import { isDead, next, press, seated, setLimit, slipsAt, stake } from '../support/seatedTerminal.ts';
import { prepared } from '../support/shoe.ts';

// RE-BET: the last accepted slip again, as a whole or not at all.

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
    'Refused: The added bets need 525.00, and your credit is 445.00; bet less. not-enough-credit · ETG 2.2',
  );
  await settled(page);
  expect([await placed(page), slipsAt(dealer)]).toEqual([{}, []]);
  await end();
});

/** The opacity of each stack of chips. */
const opacities = (page: Page): Promise<{ readonly [wager: string]: string }> =>
  page.$$eval('[data-wager] .stack-chips', (all) =>
    Object.fromEntries(
      all.map((one) => [one.closest('[data-wager]')!.getAttribute('data-wager')!, getComputedStyle(one).opacity]),
    ),
  );

test('[ETG layout-20] RE-BET below a minimum that has risen is held back as a whole, pale, and shows what is missing', async () => {
  const { page, dealer, end } = await seated();
  const { settings } = dealer.table;
  const secret = await page.evaluate(() => localStorage.getItem('punto.secret')!);
  const patron = await PatronSocket.join(dealer.server, secret, 'tiger');
  await stake(page, 'player', 'tie');
  const last = { player: 500, tie: 500 };
  for (const [changes, lacking, code] of [
    [{ totalMinimum: 2000 }, 'Not sent yet: 10.00 more is needed for the total minimum.', 'under-total-minimum'],
    [
      { limits: { ...settings.limits, tie: [700, 10_000] } },
      'Not sent yet: Tie needs 2.00 more for its minimum.',
      'under-minimum',
    ],
  ] as const) {
    await dealer.changeSettings({ ...settings, ...changes });
    await next(page, dealer);
    const credit = await meter(page, 'credit');
    await key(page, 'RE-BET').click();
    await expect.poll(() => opacities(page)).toEqual({ player: '0.5', tie: '0.5' });
    expect(await page.getByTestId('lacking').innerText()).toBe(lacking);
    expect(await page.getByTestId('lacking').isVisible()).toBe(true);
    expect([await placed(page), slipsAt(dealer)]).toEqual([last, []]);
    expect([await meter(page, 'bet'), await meter(page, 'credit')]).toEqual([0, credit]);
    const slip = { type: 'slip', id: randomUUID(), table: 'tiger', round: dealer.table.round!.id, slip: last };
    expect(await patron.refusalOf(slip)).toMatchObject({ code, by: 'ETG 2.2' });
    // UNDO takes the whole slip back; doubled, it reaches the minimum and is sent.
    await press(page, 'UNDO');
    expect([await placed(page), slipsAt(dealer)]).toEqual([{}, []]);
    await key(page, 'RE-BET').click();
    await press(page, 'x2');
    const doubled = { player: 1000, tie: 1000 };
    expect([await placed(page), slipsAt(dealer)]).toEqual([doubled, [doubled]]);
    expect(await page.getByTestId('lacking').count()).toBe(0);
    // In between lies the slip below the minimum, which is not sent.
    await key(page, 'UNDO').click();
    await press(page, 'UNDO');
    expect([await placed(page), slipsAt(dealer)]).toEqual([{}, []]);
  }
  patron.terminate();
  await end();
});

test.each([
  ['the maximum of a spot', 'The maximum on Tie is 4.00; bet less. over-maximum · ETG 2.2'],
  ['a stake limit of the patron', 'That is above your limit for one round; bet less. over-stake-limit'],
  ['a loss limit of the patron', 'That could exceed your loss limit for this session; bet less. over-loss-limit'],
] as const)('[ETG layout-20] RE-BET puts nothing down, with the reason, when %s forbids it', async (what, reason) => {
  const { page, dealer, end } = await seated({ chance: prepared('9H 2S KS QS') });
  const { settings } = dealer.table;
  // The round wins as much as it loses, so that all of a loss limit is left.
  await stake(page, 'player', 'tie');
  if (what === 'the maximum of a spot') {
    await dealer.changeSettings({ ...settings, limits: { ...settings.limits, tie: [100, 400] } });
  }
  await next(page, dealer);
  if (what === 'a stake limit of the patron') await setLimit(page, dealer, { stake: 900 });
  if (what === 'a loss limit of the patron') await setLimit(page, dealer, { loss: 900 });
  await key(page, 'RE-BET').click();
  expect(await refusal(page)).toBe(`Refused: ${reason}`);
  await settled(page);
  expect([await placed(page), slipsAt(dealer)]).toEqual([{}, []]);
  await end();
});
