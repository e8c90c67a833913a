import { cardsOf } from '../../../src/rules/card.ts';
import { type Server } from '../../../src/server/serverOptions.ts';
import { Colleague, withShoe } from '../../server/staff/made.ts';
import { passTime, scanText } from './keyboard.ts';
import { type Person, type Pit } from './pit.ts';

// What people do at a live table, and what their pages say of it.

/** The keys of a text, one by one. */
export const keysOf = (text: string): readonly string[] => Array.from(text);

/** Another shoe is at a table, brought by those who are not watched here. */
export async function shoeAt(server: Pick<Server, 'address'>, table: string, shoe = 'L1'): Promise<void> {
  const dealer = await Colleague.clicked(server, 'D-2', table);
  const supervisor = await Colleague.clicked(server, 'S-2');
  supervisor.say({ type: 'watch', table, as: 'supervisor' });
  const { deck, decks } = await supervisor.sees(() => true);
  await withShoe(dealer, supervisor, table, shoe, cardsOf(deck).length * decks);
  dealer.leave();
  supervisor.leave();
}

/** A dealer at the console of a table that has a shoe. */
export async function dealerAt(pit: Pit, table: string, says = 'Ready for the next round'): Promise<Person> {
  await shoeAt(pit.server, table);
  const dealer = await pit.person('D-1', `/dealer/${table}`, table);
  await dealer.says(says);
  return dealer;
}

/** What stands at a place of the page, in one line. */
export const textOf = async ({ page }: Person, where: string): Promise<string> =>
  (await page.locator(where).first().innerText()).replaceAll(/\s+/g, ' ').trim();

/** What stands at each of them. */
export const textsOf = async ({ page }: Person, where: string): Promise<readonly string[]> =>
  (await page.locator(where).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

/** The cards that lie on the stage of a console, by their names. */
export const cardsOn = async ({ page }: Person): Promise<readonly string[]> =>
  (await page.$$eval('.stage [data-card]', (all) => all.map((card) => card.getAttribute('data-card')!))).toSorted();

/** Cards by rank and suit, two keys each, and each on the screen before the next. */
export async function keyed(dealer: Person, cards: string): Promise<void> {
  for (const card of cards.split(' ')) await dealer.type(...keysOf(card.toLowerCase()));
}

/** The console says so by now; keys that are no Enter need not wait for more. */
export const said = ({ page }: Person, text: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: text }).waitFor();

/** Opens bets and calls the close: with chips the call is the close. */
export async function closed(dealer: Person): Promise<void> {
  await dealer.type('Enter');
  await dealer.says('Bets are open');
  await dealer.type('Enter');
  await said(dealer, 'Player’s first card');
}

/** Two scans closer together than this are asked about: the cards may have come out at once. */
const apart = 350;

/** A scanner types, with Shift held down for capitals. */
export async function scan({ page }: Person, text: string): Promise<void> {
  await passTime(page, apart);
  await scanText(
    page,
    Array.from(text).flatMap((letter) => (/[A-Z]/.test(letter) ? ['Shift', letter] : [letter])),
  );
}
