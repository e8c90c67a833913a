import { expect, test } from 'vitest';
import { prepareLiveShoe } from '../../../server/support/liveTables.ts';
import { freshPage } from '../../support/browser.ts';
import { called, toTable } from '../../support/patron.ts';
import { Pit } from '../support/pit.ts';

test.each([
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
])(
  '[%s 3.1] the dealer of %s opens bets at the console, and every display and terminal shows the call',
  async (_, table) => {
    const pit = await Pit.of(table, { bettingTime: 0 });
    await prepareLiveShoe(pit.server, table);
    const dealer = await pit.person('D-1', `/dealer/${table}`, table);
    const displays = [await freshPage(1920, 1080), await freshPage(1280, 720)];
    for (const { page } of displays) await page.goto(new URL(`/display/${table}`, pit.server.address).href);
    const terminals = [await freshPage(1366, 768), await freshPage(390, 844)];
    for (const { page } of terminals) await toTable(page, pit.server, table);
    const expectCalls = async (onDisplay: string, onTerminal: string): Promise<void> => {
      for (const { page } of displays) await page.waitForSelector(`.d-phase :text-is("${onDisplay}")`);
      for (const { page } of terminals) await called(page, onTerminal);
    };

    await dealer.expectPrompt('Ready for the next round');
    await expectCalls('Next round soon', 'Next round soon');
    await dealer.type('Enter');
    await dealer.expectPrompt('Bets are open');
    await expectCalls('Place your bets', 'Place your bets, please');
    await dealer.type('Enter');
    await dealer.expectPrompt('Player’s first card');
    await expectCalls('No more bets', 'No more bets');
    expect([dealer, ...displays, ...terminals].map(({ complaints }) => complaints)).toEqual([[], [], [], [], []]);
    await pit.server.close();
  },
);
