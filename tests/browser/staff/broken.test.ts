import { beforeAll, describe, expect, test } from 'vitest';
import { Crew } from './crew.ts';

// What no hand reports: links that break [ETG 5.10], and a service that stops [ETG 5.9]. They come about as in life.

/** 25.00 on Banker against 5.00 on Player and 1.00 on Tie. */
const usual = [{ banker: 2_500 }, { player: 500, tie: 100 }] as const;

/** Pages whose server is away say so. */
const away = /WebSocket connection to .* failed|Failed to load resource/;

describe('links that break and a service that stops', () => {
  let crew: Crew;
  beforeAll(async () => {
    crew = await Crew.gathered();
    await crew.shoe();
  });

  test('[ETG 5.10.1] [ETG 5.10.2] links that break stop nothing: what was accepted is settled, what was not is in no round', async () => {
    const { dealer, supervisor, patrons } = crew;
    const [first, second] = patrons;
    await crew.opens([{ banker: 2_500 }, {}]);
    await second.cut();
    await second.page.locator('[data-wager="player"]').click();
    await second.page.locator('[data-wager="player"].is-pending').waitFor();
    await dealer.type('Enter');
    await dealer.says('Player’s first card');
    await first.page.locator('[data-testid=call] .bi-1', { hasText: /no more bets/i }).waitFor();
    await crew.deals('2C');
    await first.cut();
    // The floor tells it by itself, and the round goes on.
    await dealer.page.getByText('1 terminal lost its link. The round goes on.').first().waitFor();
    // Whoever sees dark terminals calls somebody, in two steps as well.
    await crew.reports('52', [], 'Banker’s first card');
    await supervisor.type('Escape');
    await supervisor.sees('[data-act=A]');
    await supervisor.type('a');
    await supervisor.page.locator('[data-act=A]').waitFor({ state: 'detached' });
    await crew.deals('9S 4D TD');
    await crew.settles('Banker wins, 9 to 6');
    await dealer.says('Ready for the next round');
    await first.mend();
    await second.mend();
    await crew.gains([2_375, 0]);
    expect(await first.reads('back')).toContain(
      'you were in round 1. Banker won: of 25.00 staked, 48.75 came back with what was won. ETG 5.10.1',
    );
    expect(await second.reads('missed')).toMatch(/round 1.*ETG 5.10.2/);
  });

  test('[ETG 5.9.1] after a stop with nothing decided the felt agrees with the record, and the round is void', async () => {
    const { dealer, supervisor } = crew;
    await crew.bets(usual);
    await crew.deals('2C 9S');
    await crew.stops(60_000);
    await dealer.says('Key every card that left the shoe');
    await crew.stands('ETG 5.9');
    await crew.goes('supervisor', '/floor/tiger/ruling');
    // Nothing lies there that is not on record: one key, and the supervisor looks as well.
    await dealer.type('Enter');
    await crew.signs('supervisor');
    await supervisor.sees('[data-branch=void].on');
    await supervisor.type('Enter');
    await dealer.says('Ready for the next round');
    await expect(crew.gains([0, 0])).resolves.toBeUndefined();
    await crew.told('ETG 5.9.1', 'No outcome was established before the interruption.');
  });

  test('[ETG 5.9.2] [READING 61] after a stop the card on the felt is entered by two, and decides that the round goes on', async () => {
    const { dealer, supervisor } = crew;
    await crew.bets(usual);
    await crew.deals('2C 9S 4D');
    await crew.stops(60_000);
    await dealer.says('Key every card that left the shoe');
    await crew.stands('ETG 5.9');
    // The fourth card lay there: two keys. Player 6 against 9 + 10 = 9, a natural.
    await dealer.type('t', 'd');
    await crew.signs('supervisor');
    // The deal is whole: nothing more can lie there, and what follows is computed.
    await supervisor.sees('[data-branch=resume].on');
    await supervisor.type('Enter');
    await crew.settles('Banker wins, 9 to 6');
    await crew.gains([2_375, -600]);
    for (const patron of crew.patrons) expect(await patron.reads('notice')).toContain('ETG 5.9.2');
  });

  test('[ETG 5.9] a short interruption that the dealer reports is noted, and the round goes on', async () => {
    const { dealer } = crew;
    await crew.bets(usual);
    await crew.deals('2C 9S 4D');
    await crew.reports('51', ['Enter'], 'Banker’s second card');
    await crew.deals('TD');
    await crew.settles('Banker wins, 9 to 6');
    await dealer.says('Ready for the next round');
    await expect(crew.gains([2_375, -600])).resolves.toBeUndefined();
  });

  test('[ETG 5.9] a long one that the dealer reports holds the table, and is ruled by the cards that left the shoe', async () => {
    const { dealer, supervisor } = crew;
    await crew.bets(usual);
    await crew.deals('2C 9S 4D');
    await crew.waits(60_000);
    await crew.reports('51', ['1', 'Enter'], 'Key every card that left the shoe');
    // Player has 2 + 4 = 6: Tiger, which Banker wins with a six, is lost whatever comes, and so the round goes on.
    await crew.stands('ETG 5.9');
    await dealer.type('Enter');
    await crew.signs('supervisor');
    await supervisor.sees('[data-branch=resume].on');
    await supervisor.type('Enter');
    await dealer.says('Banker’s second card');
    await crew.deals('TD');
    await crew.settles('Banker wins, 9 to 6');
    await crew.gains([2_375, -600]);
    for (const patron of crew.patrons) expect(await patron.reads('notice')).toContain('ETG 5.9.2');
  });

  test('[READING 58] a cutting card that is missing by count is referred, touches no round and ends the shoe', async () => {
    await crew.shoe(412);
    const { dealer } = crew;
    await crew.bets(usual);
    // Player 1 + 2 + 5 = 8; Banker 3 against a five draws a seven: 0.
    await crew.deals('AC 3D 2H KS 5C 7D');
    await crew.settles('Player wins, 8 to 0');
    await crew.gains([-2_500, 400]);
    await dealer.says('By count the cutting card is out');
    await crew.reports('36', [], 'Frozen: the Gaming Shift Manager decides');
    await crew.stands('ETG 6.1');
    await crew.decides('2', 'It lies below the table');
    await dealer.says('The shoe is over: change it');
    await expect(crew.gains([0, 0])).resolves.toBeUndefined();
  });

  test('no page complained, and the record of all of it verifies', async () => {
    expect(await crew.leave(away)).toBeUndefined();
  });
});
