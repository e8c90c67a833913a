import { cardsOfDeck } from '../../../../src/rules/card.ts';
import { type Server } from '../../../../src/server/serverOptions.ts';
import { StaffSocket, putShoeInPlay } from '../../../server/staff/pit.ts';
import { passTime, scanText } from '../support/keyboard.ts';
import { type Person, type Pit } from '../support/pit.ts';

// Actions at a live table, and what the pages show of them.

export const keysOf = (text: string): readonly string[] => Array.from(text);

/** Prepares a shoe, by staff other than those of the test. */
export async function prepareShoe(server: Pick<Server, 'address'>, table: string, shoe = 'L1'): Promise<void> {
  const dealer = await StaffSocket.signIn(server, 'D-2', table);
  const supervisor = await StaffSocket.signIn(server, 'S-2');
  supervisor.send({ type: 'watch', table, as: 'supervisor' });
  const { deck, decks } = await supervisor.waitForView(() => true);
  await putShoeInPlay(dealer, supervisor, table, shoe, cardsOfDeck(deck).length * decks);
  dealer.terminate();
  supervisor.terminate();
}

/** Dealer at the console of a table that has a shoe. */
export async function openDealer(pit: Pit, table: string, prompt = 'Ready for the next round'): Promise<Person> {
  await prepareShoe(pit.server, table);
  const dealer = await pit.person('D-1', `/dealer/${table}`, table);
  await dealer.expectPrompt(prompt);
  return dealer;
}

/** Text of an element, in one line. */
export const textOf = async ({ page }: Person, selector: string): Promise<string> =>
  (await page.locator(selector).first().innerText()).replaceAll(/\s+/g, ' ').trim();

export const textsOf = async ({ page }: Person, selector: string): Promise<readonly string[]> =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

/** Cards on the stage of a console. */
export const cardsOn = async ({ page }: Person): Promise<readonly string[]> =>
  (await page.$$eval('.stage [data-card]', (all) => all.map((card) => card.getAttribute('data-card')!))).toSorted();

/** Keys cards by rank and suit, two keys each. */
export async function keyCards(dealer: Person, cards: string): Promise<void> {
  for (const card of cards.split(' ')) await dealer.type(...keysOf(card.toLowerCase()));
}

/** Waits for a prompt without the time in which Enter is ignored. */
export const expectPromptSoon = ({ page }: Person, text: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: text }).waitFor();

/** Opens bets and calls the close: with chips the call is the close. */
export async function closeBets(dealer: Person): Promise<void> {
  await dealer.type('Enter');
  await dealer.expectPrompt('Bets are open');
  await dealer.type('Enter');
  await expectPromptSoon(dealer, 'Player’s first card');
}

/** Scans closer together than this may be cards that left the shoe together. */
const minScanGapMs = 350;

/** Types like a scanner, with Shift held for capitals. */
export async function scan({ page }: Person, text: string): Promise<void> {
  await passTime(page, minScanGapMs);
  await scanText(
    page,
    Array.from(text).flatMap((letter) => (/[A-Z]/.test(letter) ? ['Shift', letter] : [letter])),
  );
}
