import { beforeAll, expect, test } from 'vitest';
import { Participants } from './participants.ts';

// Two irregularities at once: what one person does while another is in the middle of something.

/** 25.00 on Banker against 5.00 on Player and 1.00 on Tie. */
const defaultBets = [{ banker: 2_500 }, { player: 500, tie: 100 }] as const;
const voids = { by: 'supervisor', keys: ['v', 'Enter'], signed: 'manager' } as const;

// `npm test` runs one case of each ruling in `irregularities.test.ts`; a soak runs all of these.
let crew: Participants;
beforeAll(async () => {
  crew = await Participants.start();
  await crew.changeShoe();
});

test('a void clears the order that the dealer is still keying', async () => {
  const { dealer } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('4C 5D');
  await crew.report('23', ['1'], 'Stopped: cards drawn together');
  await dealer.type('1', 'Enter', '5', 'd', '4');
  await crew.rule(voids);
  await dealer.expectPrompt('Ready for the next round');
  await crew.expectGains([0, 0]);
  await crew.expectVoidNotice('ETG 5.8.1', 'Cards drawn together');
  // The rank that was typed is gone as well.
  await crew.placeBets(defaultBets);
  await crew.dealCards('2C 9S 4D TD');
  await crew.settle('Banker wins, 9 to 6');
  await expect(crew.expectGains([2_375, -600])).resolves.toBeUndefined();
});

test('a half-keyed card is dropped when the table freezes', async () => {
  const { dealer } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('2C 9S');
  await dealer.type('4');
  await crew.refer('supervisor', 'A patron disputes the first card');
  await dealer.expectPrompt('Frozen: the Gaming Shift Manager decides');
  await crew.expectStopped('ETG 6.1');
  // Keys have no effect meanwhile.
  await dealer.type('4', 'd');
  await crew.decide('2', 'It was shown again');
  await dealer.expectPrompt('Player’s second card');
  await crew.dealCards('4D TD');
  await crew.settle('Banker wins, 9 to 6');
  await expect(crew.expectGains([2_375, -600])).resolves.toBeUndefined();
});

test('[READING 59] a more serious report comes first, and the earlier one returns when it is dismissed', async () => {
  const { dealer, supervisor } = crew;
  await crew.placeBets([{ tiger: 500 }, { player: 500 }]);
  await crew.dealCards('AC 3H 4D 2S 8D');
  await crew.report('21', [], 'Stopped: cards dealt out of order');
  await crew.openPage('supervisor', '/floor/tiger/ruling');
  await supervisor.expectPrompt('tiger stopped: cards dealt out of order');
  // A less serious report must wait: its row is disabled.
  await dealer.type('w');
  expect(await dealer.page.locator('[data-kind=unreadable-card]').isDisabled()).toBe(true);
  await dealer.type('Escape');
  await crew.report('13', [], 'Stopped: foreign card');
  await supervisor.expectPrompt('tiger stopped: foreign card');
  await crew.expectStopped('ETG 5.1');
  await supervisor.type('d');
  await crew.approve('manager');
  await dealer.expectPrompt('Stopped: cards dealt out of order');
  await crew.expectStopped('ETG 5.7');
  await crew.rule({
    by: 'supervisor',
    keys: ['o', 'ArrowRight', 'Shift+ArrowRight', 'Enter'],
    signed: 'manager',
  });
  await crew.settle('Banker wins, 6 to 2');
  await crew.expectGains([6_000, -500]);
});

test('patrons are notified of a void after a reload and in the lobby', async () => {
  const { dealer, patrons } = crew;
  const [first, second] = patrons;
  await crew.placeBets(defaultBets);
  await crew.dealCards('4C 5D 3H 2S');
  await crew.report('23', ['2'], 'Stopped: cards drawn together');
  await crew.expectStopped('ETG 5.8');
  await first.page.reload();
  await second.page.locator('.bar-back').click();
  await second.page.locator('.tile').first().waitFor();
  await first.page.locator('[data-testid=stopped] code', { hasText: 'ETG 5.8' }).waitFor();
  await crew.rule(voids);
  await dealer.expectPrompt('Ready for the next round');
  await second.page.locator('[data-testid=round-notice]').waitFor();
  const text = await second.readNotice('round-notice');
  for (const part of ['void', 'ETG 5.8.1', '6.00']) expect(text).toContain(part);
  await second.reopenTable();
  await crew.expectGains([0, 0]);
  expect(await first.readNotice('round-notice')).toContain('ETG 5.8.1');
  // A notice that was read in the lobby is not shown again at the table.
  expect(await second.page.locator('[data-testid=round-notice], [data-testid=notice]').count()).toBe(0);
});

test('a refused card is not dealt in the next round after a void', async () => {
  const { dealer } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('9C 2D KH 3S');
  await dealer.expectPrompt('Player wins, 9 to 5');
  // A natural: no third card is due, and the fifth is refused.
  await dealer.type('5', 'c');
  await crew.report('23', ['4'], 'Stopped: cards drawn together');
  await crew.rule(voids);
  await dealer.expectPrompt('Ready for the next round');
  await expect(crew.expectGains([0, 0])).resolves.toBeUndefined();
  await crew.expectVoidNotice('ETG 5.8.1', 'Cards drawn together');
});

test("[ETG 6.1] a supervisor's referral comes before a proposed void, and its decision ends the irregularity", async () => {
  const { dealer, supervisor, manager } = crew;
  await crew.openPage('supervisor', '/floor/tiger');
  await crew.placeBets(defaultBets);
  await crew.dealCards('8C 6D KH');
  await crew.report('13', [], 'Stopped: foreign card');
  await dealer.type('Enter');
  await dealer.waitFor('[data-testid=second]');
  await supervisor.waitFor('[data-testid=sign-bar]');
  await crew.refer('supervisor', 'The back has to be looked at');
  await manager.waitFor('[data-act=E]');
  await crew.expectStopped('ETG 6.1');
  await crew.decide('3', 'It is of another deck');
  await expect(crew.expectGains([0, 0])).resolves.toBeUndefined();
  await crew.expectVoidNotice('ETG 5.1.1', 'It is of another deck');
  await crew.changeShoe();
});

test('[READING 16] [READING 17] a wrong order reported after settlement is corrected by two persons, and both patrons are notified', async () => {
  const { dealer } = crew;
  await crew.placeBets([{ tiger: 500 }, { player: 500 }]);
  await crew.dealCards('AC 3H 4D 2S 8D');
  // As laid: Player 3, Banker 5; both lose.
  await crew.settle('Banker wins, 5 to 3');
  await crew.expectGains([-500, -500]);
  await dealer.expectPrompt('Ready for the next round');
  await crew.report('21', [], 'Stopped: cards dealt out of order');
  await crew.rule({
    by: 'supervisor',
    keys: ['o', 'ArrowRight', 'Shift+ArrowRight', 'Enter'],
    signed: 'manager',
  });
  // Banker has 4 + 2 = 6 in two cards: Tiger pays 12 to 1, so 65.00 are paid where nothing was.
  await dealer.expectPrompt('Ready for the next round');
  await crew.expectGains([6_500, 0]);
  const text = await crew.patrons[0].readNotice('round-notice');
  for (const part of ['settled again', 'ETG 5.7', '+65.00']) expect(text).toContain(part);
  // The other patron has lost either way, and is notified of the new settlement.
  expect(await crew.patrons[1].readNotice('round-notice')).toContain('settled again');
});

test('[ETG 5.1.extra] the table stops at a ninth king of spades, which cannot be dismissed, and the round is void', async () => {
  const { dealer, supervisor } = crew;
  await crew.placeBets(defaultBets);
  // Both hands have 0: Tie pays 8 to 1, Player and Banker push.
  await crew.dealCards('KS KS KS KS KS KS');
  await crew.settle('Tie at 0');
  await crew.expectGains([0, 800]);
  await crew.placeBets(defaultBets);
  await crew.dealCards('KS KS');
  await dealer.type('k', 's');
  await dealer.expectPrompt('Stopped: extra card');
  await crew.openPage('supervisor', '/floor/tiger/ruling');
  await supervisor.waitFor('[data-testid=propose]');
  expect(await supervisor.page.locator('[data-testid=dismiss]').count()).toBe(0);
  await crew.rule(voids);
  await dealer.expectPrompt('Shoe locked: change it');
  await crew.expectGains([0, 0]);
  await crew.expectVoidNotice('ETG 5.1.1', 'KS was seen more often than the decks hold.');
  await crew.changeShoe();
});

test('[READING 18] a surplus card that was not seen is the first card of the next round', async () => {
  const { dealer } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('9C 2D KH 3S');
  await crew.report('22', [], 'Stopped: wrong number of cards');
  await crew.rule({ by: 'supervisor', keys: ['o', 'u', 'Enter'], signed: 'manager' });
  await crew.settle('Player wins, 9 to 5');
  await crew.expectGains([-2_500, 400]);
  await crew.placeBets(defaultBets);
  // It is turned now, and played as the first card: Player 2 + 4 = 6 against 9 + 10 = 9.
  await crew.dealCards('2C 9S 4D TD');
  await crew.settle('Banker wins, 9 to 6');
  await expect(crew.expectGains([2_375, -600])).resolves.toBeUndefined();
  await dealer.expectPrompt('Ready for the next round');
});

test('[ETG 6.3.ii] a corrected round is dealt on and settled, and settled again when the drawn card is corrected too', async () => {
  const { dealer, supervisor, manager } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('9C 2D KH 3S');
  await dealer.expectPrompt('Player wins, 9 to 5');
  await crew.report('11', ['1', '4', 'c', 'Enter'], 'Wait for the supervisor');
  await crew.approve('supervisor');
  // Player 4 + 0 + 0, Banker 5.
  await crew.dealCards('QD');
  await crew.settle('Banker wins, 5 to 4');
  await crew.expectGains([2_375, -600]);
  await dealer.expectPrompt('Ready for the next round');
  const { id } = crew.server.floor.tables.get('tiger')!.table.round!;
  await crew.openPage('supervisor', `/rounds/${encodeURIComponent(id)}/correct`);
  await supervisor.waitFor('[data-testid=which]');
  // It was a three: Player has 4 + 0 + 3 = 7, and Banker 5 stands against a three.
  await supervisor.type('5', '3', 'd');
  await supervisor.waitFor('[data-session]');
  await supervisor.type('y');
  await supervisor.typeReason('A three was read as a queen');
  await supervisor.type('Enter');
  await crew.openPage('manager', '/floor/tiger');
  await crew.approve('manager');
  await manager.page.locator('[data-testid=sign-bar]').waitFor({ state: 'detached' });
  // 48.75 go back; the other patron gets 10.00 for the 6.00 that were lost.
  await crew.expectGains([-4_875, 1_000]);
  for (const [n, part] of ['−48.75', '+10.00'].entries()) {
    const text = await crew.patrons[n]!.readNotice('round-notice');
    for (const one of ['settled again', 'ETG 6.3', part]) expect(text).toContain(one);
  }
});

test('no page logs an error, and the event log verifies', async () => {
  expect(await crew.leave()).toBeUndefined();
});
