import { beforeAll, describe, expect, test } from 'vitest';
import { Crew } from './crew.ts';

// Two matters at once: what one person does while another is in the middle of something.

/** 25.00 on Banker against 5.00 on Player and 1.00 on Tie. */
const usual = [{ banker: 2_500 }, { player: 500, tie: 100 }] as const;
const voids = { by: 'supervisor', keys: ['v', 'Enter'], signed: 'manager' } as const;

describe('two matters at once', () => {
  let crew: Crew;
  beforeAll(async () => {
    crew = await Crew.gathered();
    await crew.shoe();
  });

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
    await expect(crew.gains([2_375, -600])).resolves.toBeUndefined();
  });

  test('a card that is half keyed when the table freezes is keyed anew after the decision', async () => {
    const { dealer } = crew;
    await crew.bets(usual);
    await crew.deals('2C 9S');
    await dealer.type('4');
    await crew.refers('supervisor', 'A patron disputes the first card');
    await dealer.says('Frozen: the Gaming Shift Manager decides');
    await crew.stands('ETG 6.1');
    // Nothing that is keyed meanwhile counts.
    await dealer.type('4', 'd');
    await crew.decides('2', 'It was shown again');
    await dealer.says('Player’s second card');
    await crew.deals('4D TD');
    await crew.settles('Banker wins, 9 to 6');
    await expect(crew.gains([2_375, -600])).resolves.toBeUndefined();
  });

  test('[READING 59] a graver report leads; dismissed by two, the earlier one is there again and is ruled on', async () => {
    const { dealer, supervisor } = crew;
    await crew.bets([{ tiger: 500 }, { player: 500 }]);
    await crew.deals('AC 3H 4D 2S 8D');
    await crew.reports('21', [], 'Stopped: cards in the wrong place');
    await crew.goes('supervisor', '/floor/tiger/ruling');
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
    await expect(crew.gains([0, 0])).resolves.toBeUndefined();
    await crew.told('ETG 5.8.1', 'Cards came out together');
  });

  test('[ETG 6.1] a referral of the supervisor while a void is proposed comes first, and what a clause commands is decided', async () => {
    const { dealer, supervisor, manager } = crew;
    await crew.goes('supervisor', '/floor/tiger');
    await crew.bets(usual);
    await crew.deals('8C 6D KH');
    await crew.reports('13', [], 'Stopped: card does not belong');
    await dealer.type('Enter');
    await dealer.sees('[data-testid=second]');
    await supervisor.sees('[data-testid=approve]');
    await crew.refers('supervisor', 'The back has to be looked at');
    await manager.sees('[data-act=E]');
    await crew.stands('ETG 6.1');
    await crew.decides('3', 'It is of another deck');
    await expect(crew.gains([0, 0])).resolves.toBeUndefined();
    await crew.told('ETG 6.1', 'It is of another deck');
    await crew.shoe();
  });

  test('[READING 16] [READING 17] a wrong order that is reported after the settlement is put right by two, and both patrons are told of it', async () => {
    const { dealer } = crew;
    await crew.bets([{ tiger: 500 }, { player: 500 }]);
    await crew.deals('AC 3H 4D 2S 8D');
    // As laid: Player 3, Banker 5; both lose.
    await crew.settles('Banker wins, 5 to 3');
    await crew.gains([-500, -500]);
    await dealer.says('Ready for the next round');
    await crew.reports('21', [], 'Stopped: cards in the wrong place');
    await crew.rules({
      by: 'supervisor',
      keys: ['o', 'ArrowRight', 'Shift+ArrowRight', 'Enter'],
      signed: 'manager',
    });
    // Banker has 4 + 2 = 6 in two cards: Tiger pays 12 to 1, and 65.00 come where nothing had come.
    await dealer.says('Ready for the next round');
    await crew.gains([6_500, 0]);
    const text = await crew.patrons[0].reads('told');
    for (const part of ['settled again', 'ETG 5.7', '+65.00']) expect(text).toContain(part);
    // The other has lost either way, and is told that it was looked at again.
    expect(await crew.patrons[1].reads('told')).toContain('settled again');
  });

  test('[ETG 5.1] the table itself finds a ninth king of spades, calls it no mistake, and the round is void', async () => {
    const { dealer, supervisor } = crew;
    await crew.bets(usual);
    // Nobody has a point: Tie pays 8 to 1, Player and Banker push.
    await crew.deals('KS KS KS KS KS KS');
    await crew.settles('Tie at 0');
    await crew.gains([0, 800]);
    await crew.bets(usual);
    await crew.deals('KS KS');
    await dealer.type('k', 's');
    await dealer.says('Stopped: same card too often');
    await crew.goes('supervisor', '/floor/tiger/ruling');
    await supervisor.sees('[data-testid=propose]');
    expect(await supervisor.page.locator('[data-testid=dismiss]').count()).toBe(0);
    await crew.rules(voids);
    await dealer.says('This shoe is out of use: change it');
    await crew.gains([0, 0]);
    await crew.told('ETG 5.1.1', 'KS was seen more often than the decks hold.');
    await crew.shoe();
  });

  test('[READING 18] a card too many that nobody saw opens the next round', async () => {
    const { dealer } = crew;
    await crew.bets(usual);
    await crew.deals('9C 2D KH 3S');
    await crew.reports('22', [], 'Stopped: too many or too few cards');
    await crew.rules({ by: 'supervisor', keys: ['o', 'u', 'Enter'], signed: 'manager' });
    await crew.settles('Player wins, 9 to 5');
    await crew.gains([-2_500, 400]);
    await crew.bets(usual);
    // It is turned now, and played as the first card: Player 2 + 4 = 6 against 9 + 10 = 9.
    await crew.deals('2C 9S 4D TD');
    await crew.settles('Banker wins, 9 to 6');
    await expect(crew.gains([2_375, -600])).resolves.toBeUndefined();
    await dealer.says('Ready for the next round');
  });

  test('[ETG 6.3] a correction after a redraw: the round is dealt on and settled, and settled again by the card that was drawn', async () => {
    const { dealer, supervisor, manager } = crew;
    await crew.bets(usual);
    await crew.deals('9C 2D KH 3S');
    await dealer.says('Player wins, 9 to 5');
    await crew.reports('11', ['1', '4', 'c', 'Enter'], 'Wait for the supervisor');
    await crew.signs('supervisor');
    // Player 4 + 0 + 0, Banker 5.
    await crew.deals('QD');
    await crew.settles('Banker wins, 5 to 4');
    await crew.gains([2_375, -600]);
    await dealer.says('Ready for the next round');
    const { id } = crew.server.floor.tables.get('tiger')!.table.round!;
    await crew.goes('supervisor', `/rounds/${encodeURIComponent(id)}/correct`);
    await supervisor.sees('[data-testid=which]');
    // It was a three: Player has 4 + 0 + 3 = 7, and Banker 5 stands against a three.
    await supervisor.type('5', '3', 'd');
    await supervisor.sees('[data-session]');
    await supervisor.type('y');
    await supervisor.writes('A three was read as a queen');
    await supervisor.type('Enter');
    await crew.goes('manager', '/floor/tiger');
    await crew.signs('manager');
    await manager.page.locator('[data-testid=sign-bar]').waitFor({ state: 'detached' });
    // Of what had come 48.75 go back; the other gets 10.00 for the 6.00 that were lost.
    await crew.gains([-4_875, 1_000]);
    for (const [n, part] of ['−48.75', '+10.00'].entries()) {
      const text = await crew.patrons[n]!.reads('told');
      for (const one of ['settled again', 'ETG 6.3', part]) expect(text).toContain(one);
    }
  });

  test('no page complained, and the record of all of it verifies', async () => {
    expect(await crew.leave()).toBeUndefined();
  });
});
