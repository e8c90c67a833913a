import { afterAll, beforeAll, expect, test } from 'vitest';
import { Crew } from './crew.ts';

// Two matters at once: what one person does while another is in the middle of something.

/** 25.00 on Banker against 5.00 on Player and 1.00 on Tie. */
const usual = [{ banker: 2_500 }, { player: 500, tie: 100 }] as const;
const voids = { by: 'supervisor', keys: ['v', 'Enter'], signed: 'manager' } as const;

let crew: Crew;
beforeAll(async () => {
  crew = await Crew.gathered();
  await crew.shoe();
});
afterAll(async () => expect(await crew.leave()).toBeUndefined());

test('a round that is void while the dealer still keys its order leaves nothing of that on the console', async () => {
  const { dealer } = crew;
  await crew.bets(usual);
  await crew.deals('4C 5D');
  await crew.reports('23', ['1'], 'Stopped: cards came out together');
  await dealer.type('1', 'Enter', '5', 'd', '4');
  await crew.rules(voids);
  await dealer.says('Ready for the next round');
  await crew.gains([0, 0]);
  await crew.told('ETG 5.8.1', 'Cards came out together');
  // Neither does the rank that was typed.
  await crew.bets(usual);
  await crew.deals('2C 9S 4D TD');
  await crew.settles('Banker wins, 9 to 6');
  await crew.gains([2_375, -600]);
});

test('a card that is half keyed when the table freezes is keyed anew after the decision', async () => {
  const { dealer, supervisor } = crew;
  await supervisor.type('Escape');
  await supervisor.sees('[data-act=F]');
  await crew.bets(usual);
  await crew.deals('2C 9S');
  await dealer.type('4');
  await supervisor.type('f');
  await supervisor.page.locator('[data-field=reason]:focus').waitFor();
  await supervisor.page.keyboard.type('A patron disputes the first card');
  await supervisor.type('Enter', 'Enter');
  await dealer.says('Frozen: the Gaming Shift Manager decides');
  await crew.stands('ETG 6.1');
  // Nothing that is keyed meanwhile counts.
  await dealer.type('4', 'd');
  await crew.decides('2', 'It was shown again');
  await dealer.says('Player’s second card');
  await crew.deals('4D TD');
  await crew.settles('Banker wins, 9 to 6');
  await crew.gains([2_375, -600]);
});

test('[READING 59] a graver report leads; dismissed by two, the earlier one is there again and is ruled on', async () => {
  const { dealer, supervisor } = crew;
  await crew.bets([{ tiger: 500 }, { player: 500 }]);
  await crew.deals('AC 3H 4D 2S 8D');
  await crew.reports('21', [], 'Stopped: cards in the wrong place');
  await supervisor.sees('[data-act=R]');
  await supervisor.type('r');
  await supervisor.says('tiger stopped: cards in the wrong place');
  // What is less grave waits: the list says so and takes nothing.
  await dealer.type('w');
  expect(await dealer.page.locator('[data-kind=unreadable-card]').isDisabled()).toBe(true);
  await dealer.type('Escape');
  await crew.reports('13', [], 'Stopped: card does not belong');
  await supervisor.says('tiger stopped: card does not belong');
  await crew.stands('ETG 5.1');
  await supervisor.type('d');
  await crew.signs('manager');
  await dealer.says('Stopped: cards in the wrong place');
  await crew.stands('ETG 5.7');
  await crew.rules({
    by: 'supervisor',
    keys: ['o', 'ArrowRight', 'Shift+ArrowRight', 'Enter'],
    signed: 'manager',
  });
  await crew.settles('Banker wins, 6 to 2');
  await crew.gains([6_000, -500]);
});

test('a patron who reloads and one who goes to the lobby amid a ruling are both told of the void', async () => {
  const { dealer, patrons } = crew;
  const [first, second] = patrons;
  await crew.bets(usual);
  await crew.deals('4C 5D 3H 2S');
  await crew.reports('23', ['2'], 'Stopped: cards came out together');
  await crew.stands('ETG 5.8');
  await first.page.reload();
  await second.page.locator('.bar-back').click();
  await second.page.locator('.tile').first().waitFor();
  await first.page.locator('[data-testid=stopped] code', { hasText: 'ETG 5.8' }).waitFor();
  await crew.rules(voids);
  await dealer.says('Ready for the next round');
  await second.page.locator('[data-testid=told]').waitFor();
  const text = await second.reads('told');
  for (const part of ['void', 'ETG 5.8.1', '6.00']) expect(text).toContain(part);
  await second.returns();
  await crew.gains([0, 0]);
  expect(await first.reads('told')).toContain('ETG 5.8.1');
  // What was read in the lobby is not told at the table once more.
  expect(await second.page.locator('[data-testid=told], [data-testid=notice]').count()).toBe(0);
});

test('a card that was refused and a void after it leave no card behind in the next round', async () => {
  const { dealer } = crew;
  await crew.bets(usual);
  await crew.deals('9C 2D KH 3S');
  await dealer.says('Player wins, 9 to 5');
  // A natural: no third card is due, and the fifth is not taken.
  await dealer.type('5', 'c');
  await crew.reports('23', ['4'], 'Stopped: cards came out together');
  await crew.rules(voids);
  await dealer.says('Ready for the next round');
  await crew.gains([0, 0]);
  await crew.told('ETG 5.8.1', 'Cards came out together');
});

test('[ETG 6.1] a referral of the supervisor while a void is proposed comes first, and what a clause commands is decided', async () => {
  const { dealer, supervisor, manager } = crew;
  await supervisor.type('Escape');
  await supervisor.sees('[data-act=F]');
  await crew.bets(usual);
  await crew.deals('8C 6D KH');
  await crew.reports('13', [], 'Stopped: card does not belong');
  await dealer.type('Enter');
  await dealer.sees('[data-testid=second]');
  await supervisor.sees('[data-testid=approve]');
  await supervisor.type('f');
  await supervisor.page.locator('[data-field=reason]:focus').waitFor();
  await supervisor.page.keyboard.type('The back has to be looked at');
  await supervisor.type('Enter', 'Enter');
  await manager.sees('[data-act=E]');
  await crew.stands('ETG 6.1');
  await crew.decides('3', 'It is of another deck');
  await crew.gains([0, 0]);
  await crew.told('ETG 6.1', 'It is of another deck');
});
