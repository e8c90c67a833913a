import { expect, test } from 'vitest';
import { prepareLiveShoe } from '../../../server/support/liveTables.ts';
import { freshPage } from '../../support/browser.ts';
import { called, placed, settled, spot, toTable } from '../../support/patron.ts';
import { Pit } from '../support/pit.ts';
import { keyCards, textOf } from './tableActions.ts';

/** A live table with its dealer at the console, two displays and two terminals. */
async function openLiveTable(table: string) {
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
  const close = async (): Promise<void> => {
    expect([dealer, ...displays, ...terminals].flatMap(({ complaints }) => complaints)).toEqual([]);
    await pit.server.close();
  };
  return { dealer, displays, terminals, expectCalls, close };
}

const liveGames = [
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
] as const;

test.each(liveGames.flatMap(([book, table]) => [[`${book} 3.1`, table] as const, [`${book} 3.2`, table] as const]))(
  '[%s] the dealer of %s opens and closes bets at the console, and every display and terminal shows both calls',
  async (_, table) => {
    const { dealer, terminals, expectCalls, close } = await openLiveTable(table);
    await dealer.expectPrompt('Ready for the next round');
    await expectCalls('Next round soon', 'Next round soon');
    await dealer.type('Enter');
    await dealer.expectPrompt('Bets are open');
    await expectCalls('Place your bets', 'Place your bets, please');
    // The betting time is over at once; terminals take bets until the dealer calls.
    for (const { page } of terminals) {
      await spot(page, 'player').first().click();
      await settled(page);
      expect(Object.keys(await placed(page))).toEqual(['player']);
    }
    await expectCalls('Place your bets', 'Place your bets, please');
    await dealer.type('Enter');
    await dealer.expectPrompt('Player’s first card');
    await expectCalls('No more bets', 'No more bets');
    await close();
  },
);

test.each([
  ['BAC 3.9', 'baccarat'],
  ['SUP 3.9', 'sands-super'],
  ['ELM 3.9', 'sands-elements'],
  ['FAB 3.8', 'fabulous-4'],
  ['ETG 3.8', 'tiger'],
])(
  '[%s] after four cards of %s every display and terminal shows both totals, and only then the console asks for a third card or settlement',
  async (_, table) => {
    const { dealer, displays, terminals, close } = await openLiveTable(table);
    const expectTotals = async (player: string, banker: string): Promise<void> => {
      for (const { page } of displays) {
        await page.locator(`.d-hand-player .d-total:text-is("${player}")`).waitFor();
        await page.locator(`.d-hand-banker .d-total:text-is("${banker}")`).waitFor();
      }
      for (const { page } of terminals) {
        await page.locator(`[data-total=player]:text-is("${player}")`).first().waitFor();
        await page.locator(`[data-total=banker]:text-is("${banker}")`).first().waitFor();
      }
    };
    const suit = table === 'sands-elements' ? '1' : 'S';
    const expectDue = async (slot: string, prompt: string): Promise<void> => {
      await dealer.expectPrompt(prompt);
      expect(await textOf(dealer, '[data-testid=next] .slotno')).toBe(slot);
    };
    /** Keys four cards, each when it is due. */
    const dealFour = async (ranks: string): Promise<void> => {
      await dealer.expectPrompt('Ready for the next round');
      await dealer.type('Enter');
      await dealer.expectPrompt('Bets are open');
      await dealer.type('Enter');
      for (const [n, [slot, prompt]] of [
        ['P1', 'Player’s first card'],
        ['B1', 'Banker’s first card'],
        ['P2', 'Player’s second card'],
        ['B2', 'Banker’s second card'],
      ].entries()) {
        await expectDue(slot!, prompt!);
        await keyCards(dealer, ranks[n]! + suit);
      }
    };

    await dealFour('23A2');
    await expectDue('P3', 'Player draws a third card');
    await expectTotals('3', '5');
    await keyCards(dealer, `4${suit}`);
    await expectDue('B3', 'Banker draws a third card');
    await expectTotals('7', '5');
    await keyCards(dealer, `T${suit}`);
    await dealer.expectPrompt('Player wins, 7 to 5');
    await expectTotals('7', '5');
    await dealer.type('Enter');

    await dealFour('92T4');
    await dealer.expectPrompt('Player wins, 9 to 6');
    await expectTotals('9', '6');
    expect(await textOf(dealer, '[data-testid=next]')).toContain('Settle');
    await dealer.type('Enter');

    await dealFour('63A2');
    await expectDue('B3', 'Banker draws a third card');
    await expectTotals('7', '5');
    await keyCards(dealer, `T${suit}`);
    await dealer.expectPrompt('Player wins, 7 to 5');
    await dealer.type('Enter');
    await dealer.expectPrompt('Ready for the next round');
    await close();
  },
);
