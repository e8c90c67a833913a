import { beforeAll, expect, test } from 'vitest';
import { Participants } from './participants.ts';

// Faults that no person reports: lost connections [ETG 5.10] and an interrupted service [ETG 5.9].

/** 25.00 on Banker against 5.00 on Player and 1.00 on Tie. */
const defaultBets = [{ banker: 2_500 }, { player: 500, tie: 100 }] as const;

/** Console errors of a page whose server is down. */
const serverDown = /WebSocket connection to .* failed|Failed to load resource/;

// `npm test` runs one case of each ruling in `irregularities.test.ts`; a soak runs all of these.
let crew: Participants;
beforeAll(async () => {
  crew = await Participants.start();
  await crew.changeShoe();
});

test('[ETG 5.10.1] [ETG 5.10.2] a round goes on when terminals lose their connection: accepted stakes are settled, others are not in the round', async () => {
  const { dealer, supervisor, patrons } = crew;
  const [first, second] = patrons;
  await crew.openBets([{ banker: 2_500 }, {}]);
  await second.disconnect();
  await second.page.locator('[data-wager="player"]').click();
  await second.page.locator('[data-wager="player"].is-pending').waitFor();
  await dealer.type('Enter');
  await dealer.expectPrompt('Player’s first card');
  await first.page.locator('[data-testid=call] .bi-1', { hasText: /no more bets/i }).waitFor();
  await crew.dealCards('2C');
  await first.disconnect();
  // The server reports the loss itself, and the round goes on.
  await dealer.page.getByText('1 terminal is offline. The round continues.').first().waitFor();
  // The dealer can still call a supervisor about dark terminals.
  await crew.report('52', [], 'Banker’s first card');
  await supervisor.type('Escape');
  await supervisor.waitFor('[data-act=A]');
  await supervisor.type('a');
  await supervisor.page.locator('[data-act=A]').waitFor({ state: 'detached' });
  await crew.dealCards('9S 4D TD');
  await crew.settle('Banker wins, 9 to 6');
  await dealer.expectPrompt('Ready for the next round');
  await first.reconnect();
  await second.reconnect();
  await crew.expectGains([2_375, 0]);
  expect(await first.readNotice('back')).toContain(
    'you were in round 1. Banker won: you staked 25.00 and 48.75 was returned, winnings included. ETG 5.10.1',
  );
  expect(await second.readNotice('missed')).toMatch(/round 1.*ETG 5.10.2/);
});

test('[ETG 5.9.1] a round is void after an interruption when the cards on the felt decide no wager', async () => {
  const { dealer, supervisor } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('2C 9S');
  await crew.restartService(60_000);
  await dealer.expectPrompt('Key every card that left the shoe');
  await crew.expectStopped('ETG 5.9');
  await crew.openPage('supervisor', '/floor/tiger/ruling');
  // No card lies on the felt that is not recorded: one key, and the supervisor approves.
  await dealer.type('Enter');
  await crew.approve('supervisor');
  await supervisor.waitFor('[data-branch=void].on');
  await supervisor.type('Enter');
  await dealer.expectPrompt('Ready for the next round');
  await expect(crew.expectGains([0, 0])).resolves.toBeUndefined();
  await crew.expectVoidNotice('ETG 5.9.1', 'No outcome was established before the interruption.');
});

test('[ETG 5.9.2] [READING 61] a round is resumed after an interruption when a card on the felt, entered by two persons, decides a wager', async () => {
  const { dealer, supervisor } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('2C 9S 4D');
  await crew.restartService(60_000);
  await dealer.expectPrompt('Key every card that left the shoe');
  await crew.expectStopped('ETG 5.9');
  // The fourth card lay on the felt: two keys. Player 6 against 9 + 10 = 9, a natural.
  await dealer.type('t', 'd', 'Enter');
  await crew.approve('supervisor');
  // All cards are on record, so the ruling is computed.
  await supervisor.waitFor('[data-branch=resume].on');
  await supervisor.type('Enter');
  await crew.settle('Banker wins, 9 to 6');
  await crew.expectGains([2_375, -600]);
  for (const patron of crew.patrons) expect(await patron.readNotice('notice')).toContain('ETG 5.9.2');
});

test('[ETG 5.9] a round goes on when the dealer reports a short interruption', async () => {
  const { dealer } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('2C 9S 4D');
  await crew.report('51', ['Enter'], 'Banker’s second card');
  await crew.dealCards('TD');
  await crew.settle('Banker wins, 9 to 6');
  await dealer.expectPrompt('Ready for the next round');
  await expect(crew.expectGains([2_375, -600])).resolves.toBeUndefined();
});

test('[ETG 5.9] the table stops when the dealer reports a long interruption, and the cards that left the shoe decide the ruling', async () => {
  const { dealer, supervisor } = crew;
  await crew.placeBets(defaultBets);
  await crew.dealCards('2C 9S 4D');
  await crew.advanceClock(60_000);
  await crew.report('51', ['1', 'Enter'], 'Key every card that left the shoe');
  // Player has 2 + 4 = 6: Tiger, which Banker wins with a six, is lost whatever comes, so the round goes on.
  await crew.expectStopped('ETG 5.9');
  await dealer.type('Enter');
  await crew.approve('supervisor');
  await supervisor.waitFor('[data-branch=resume].on');
  await supervisor.type('Enter');
  await dealer.expectPrompt('Banker’s second card');
  await crew.dealCards('TD');
  await crew.settle('Banker wins, 9 to 6');
  await crew.expectGains([2_375, -600]);
  for (const patron of crew.patrons) expect(await patron.readNotice('notice')).toContain('ETG 5.9.2');
});

test('[READING 58] the shoe ends after a referral when the cutting card is missing by count, and no round changes', async () => {
  await crew.changeShoe(412);
  const { dealer } = crew;
  await crew.placeBets(defaultBets);
  // Player 1 + 2 + 5 = 8; Banker 3 against a five draws a seven: 0.
  await crew.dealCards('AC 3D 2H KS 5C 7D');
  await crew.settle('Player wins, 8 to 0');
  await crew.expectGains([-2_500, 400]);
  await dealer.expectPrompt('By count the cutting card is due');
  await crew.report('36', [], 'Frozen: the Gaming Shift Manager decides');
  await crew.expectStopped('ETG 6.1');
  await crew.decide('2', 'It lies below the table');
  await dealer.expectPrompt('End of shoe: change it');
  await expect(crew.expectGains([0, 0])).resolves.toBeUndefined();
});

test('no page logs an error, and the event log verifies', async () => {
  expect(await crew.leave(serverDown)).toBeUndefined();
});
