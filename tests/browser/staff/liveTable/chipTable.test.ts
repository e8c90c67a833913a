import { test } from 'vitest';
import { type Rulebook, rulebookOf, rulebooks } from '../../../../src/games/rulebooks.ts';
import { type IrregularityKind, irregularityKinds } from '../../../../src/games/irregularities.ts';
import { games } from '../../../../src/games/registry.ts';
import { called, meter, settled, spot, toTable } from '../../support/patron.ts';
import {
  cardsOn,
  closeBets,
  openDealer,
  keyCards,
  keysOf,
  expectPromptSoon,
  scan,
  textOf,
  textsOf,
} from './tableActions.ts';
import { type Person, Pit } from '../support/pit.ts';

// Cards and chips on a felt: late, raised and withdrawn bets, what the live rulebooks rule differently from the
// electronic one, and a scanner that types.

/** Differences by the rulebooks: report row, and what a void does to the shoe, by which clause. */
const differing: { readonly [K in IrregularityKind]?: { readonly row: string; readonly by: string; shoe: string } } = {
  // ETG voids by 5.2, and the shoe is locked; live 5.2 says nothing of the shoe.
  'wrong-number': { row: '22', by: '5.2', shoe: 'goes on' },
};

/** Rulings of a rulebook for one kind, without the clauses. */
const outcomeOf = ({ irregularities }: Rulebook, kind: IrregularityKind): string => {
  const { stops, afterSettlement, rulings } = irregularities[kind];
  const does = Object.entries(rulings).map(([ruling, { by: _by, ...rest }]) => [ruling, rest]);
  return JSON.stringify([stops, afterSettlement, does]);
};

test('the four live rulebooks differ from the electronic one in exactly one kind of irregularity', ({ expect }) => {
  const electronic = rulebooks.find(({ id }) => id === 'ETG')!;
  const live = rulebooks.filter(({ felt }) => felt);
  expect(live.map(({ id }) => id)).toEqual(['BAC', 'SUP', 'ELM', 'FAB']);
  for (const book of live) {
    const differ = irregularityKinds.filter((kind) => outcomeOf(book, kind) !== outcomeOf(electronic, kind));
    expect(differ, book.id).toEqual(Object.keys(differing));
    for (const kind of differ) {
      const { by, shoe } = differing[kind]!;
      const { void: effect } = book.irregularities[kind].rulings;
      expect([effect!.by, effect!.shoe]).toEqual([`${book.id} ${by}`, shoe]);
    }
  }
});

/** Records chips in question: a row of the report menu, then place, wager and amount. */
async function recordChips(dealer: Person, row: string, place: string, wager: string, amount: string): Promise<void> {
  await dealer.type('w', ...keysOf(row), ...keysOf(place), 'Enter');
  const digit = await textOf(dealer, `.picks [data-wager=${wager}] kbd`);
  await dealer.type(digit, ...keysOf(amount), 'Enter');
  await dealer.page.locator('.picks').waitFor({ state: 'detached' });
}

/** Voids the round, with the supervisor at the same console. */
async function voidRound(dealer: Person): Promise<void> {
  await dealer.type('2', 'Enter');
  await expectPromptSoon(dealer, 'Wait for the supervisor');
  await dealer.approveAs('S-1');
}

/** Games of the live rulebooks with their cards: Banker 9 to 6, a tie of 9, and third cards for both. */
const french = { banker: '2c 9s 4d td', tie: '2c 9s 7d tc', thirds: '2c 2s 3d 3s' };
const elements = { banker: '21 92 43 t4', tie: '21 92 73 t1', thirds: '21 22 33 34' };
const liveGames = [
  ['baccarat', french],
  ['sands-super', french],
  ['sands-elements', elements],
  ['fabulous-4', french],
] as const;

test.for(liveGames)(
  '%s: a chip table handles late, raised and withdrawn chips, a loss of service, and the rulings of live rulebooks',
  async ([id, cards], { expect }) => {
    const { id: book, irregularities } = rulebookOf(games.find((game) => game.id === id)!);
    const pit = await Pit.of(id, { bets: 'chips' });
    const dealer = await openDealer(pit, id);
    await closeBets(dealer);
    await dealer.expectPrompt('Player’s first card');
    // The whole rulebook is two digits away, with its clauses.
    await dealer.type('w');
    const clauses = await dealer.page.$$eval('[data-kind]', (rows) =>
      rows.map((row) => [row.getAttribute('data-kind'), row.querySelector('cite')?.textContent]),
    );
    expect(clauses).toHaveLength(20);
    for (const [kind, by] of clauses) {
      // No card is out yet, so a card face up is referred.
      const now = kind === 'face-up-after' ? 'face-up-before' : (kind as IrregularityKind);
      expect(by, kind!).toBe(irregularities[now].by);
    }
    await dealer.type('Escape');

    await recordChips(dealer, '41', '3', 'player', '200');
    await recordChips(dealer, '42', '5', 'banker', '100.50');
    await recordChips(dealer, '43', '6', 'banker', '300');
    await recordChips(dealer, '43', '7', 'player', '50');
    const places = (): Promise<readonly string[]> => textsOf(dealer, '.places li');
    const late = [`Place 3 Player 200.00 hand back ${book} 5.6`, `Place 5 Banker 100.50 hand back ${book} 5.6`];
    expect(await places()).toEqual([
      ...late,
      `Place 6 Banker 300.00 wait for the result ${book} 5.7`,
      `Place 7 Player 50.00 wait for the result ${book} 5.7`,
    ]);
    await keyCards(dealer, cards.banker);
    await dealer.expectPrompt('Banker wins, 9 to 6');
    // Withdrawn bets are paid and taken as if they lay there: 300.00 less a twentieth where there is commission.
    const pays = id === 'baccarat' ? '285.00' : '300.00';
    expect(await places()).toEqual([
      ...late,
      `Place 6 Banker 300.00 pay ${pays} ${book} 5.7`,
      `Place 7 Player 50.00 take ${book} 5.7`,
    ]);
    await dealer.type('Enter');
    await dealer.expectPrompt('Ready for the next round');

    // At a chip table a loss of service interrupts no round: it is finished by hand and entered afterwards. [READING
    // 62]
    await closeBets(dealer);
    await dealer.expectPrompt('Player’s first card');
    await dealer.type('w', '5', '1', '2', 'Enter');
    await expect.poll(() => textOf(dealer, '.next')).toMatch(/entered afterwards/i);
    await recordChips(dealer, '43', '4', 'banker', '70');
    await recordChips(dealer, '43', '2', 'tie', '20');
    await keyCards(dealer, cards.tie);
    await dealer.expectPrompt('Tie');
    // A tie pays 8 to 1, and Banker pushes.
    expect(await places()).toEqual([
      `Place 4 Banker 70.00 leave ${book} 5.7`,
      `Place 2 Tie 20.00 pay 160.00 ${book} 5.7`,
    ]);

    // Too many or too few cards in an unknown order: the round is void, and the shoe goes on.
    await dealer.type('w', ...keysOf(differing['wrong-number']!.row));
    await expectPromptSoon(dealer, 'Stopped: wrong number of cards');
    expect(await textOf(dealer, '[data-way=void]')).toContain(`Shoe goes on ${book} 5.2`);
    await voidRound(dealer);
    await dealer.expectPrompt('Ready for the next round');
    const spots = await textsOf(dealer, '.felt li');
    expect(spots.length).toBeGreaterThan(3);
    expect(spots.filter((one) => !new RegExp(`^BACK .+ ${book} 5.2$`).test(one))).toEqual([]);

    // Third cards drawn together: void, and the shoe goes on.
    await closeBets(dealer);
    await keyCards(dealer, cards.thirds);
    await dealer.expectPrompt('Player draws a third card');
    await dealer.type('w', ...keysOf('23'), 'Enter');
    await expectPromptSoon(dealer, 'Stopped: cards drawn together');
    expect(await textOf(dealer, '[data-way=void]')).toContain('Shoe goes on HOUSE 8');
    await voidRound(dealer);
    await dealer.expectPrompt('Ready for the next round');
    expect(dealer.complaints).toEqual([]);
    expect(await pit.close()).toBeUndefined();
  },
);

test("a scanner deals a round in the property's format, and nothing that it types acts as a shortcut", async ({
  expect,
}) => {
  const scanner = { pattern: '<S-R>', cut: 'CUTTING', cards: { '0113': 'KS' } };
  const setting = { dealing: 'scanned', burn: 'first-card', bettingTime: 0 };
  const pit = await Pit.of('tiger', setting, { scanFormat: scanner });
  const dealer = await openDealer(pit, 'tiger', 'Turn the first card');
  const patron = await pit.patron('tiger');
  const commands = ['.sheet', '.pop', '.veil', '.refusal'].join();
  const refusedCards = (): Promise<readonly string[]> => textsOf(dealer, '[data-testid=kept] span');
  await scan(dealer, '<H-5>');
  await dealer.expectPrompt('Ready for the next round');

  // Typed by hand, W 2 1 would report cards in the wrong place, Z lock, R relieve, and Enter open bets.
  for (const text of ['W21', 'ZRPXN', '8H']) await scan(dealer, text);
  expect(await dealer.page.locator('.sheet, .pop, .veil').count()).toBe(0);
  await expectPromptSoon(dealer, 'Ready for the next round');
  const unread = (text: string): string => `Not read as a card: ${text}. Scan the card again, or key it in.`;
  // A card in another scanner format is not read.
  expect(await refusedCards()).toEqual([unread('8H'), unread('ZRPXN'), unread('W21')]);
  // Refused cards stay when the notice below the next action is gone.
  await dealer.page.locator(commands).waitFor({ state: 'detached' });
  expect(await refusedCards()).toHaveLength(3);

  await toTable(patron.page, pit.server, 'tiger');
  await dealer.type('Enter');
  await dealer.expectPrompt('Bets are open');
  expect(await refusedCards()).toEqual([]);
  await called(patron.page, 'Place your bets, please');
  await spot(patron.page, 'banker').click();
  await settled(patron.page);
  await scan(dealer, '<C-2>');
  expect(await refusedCards()).toEqual(['2 of clubs: Not possible in this phase. ETG 3.1']);
  await dealer.type('Enter');
  await expectPromptSoon(dealer, 'Player’s first card');

  // Whatever is open, a scan goes to the slot that is due.
  await dealer.type('r', 'd');
  await scan(dealer, '<C-2>');
  await expectPromptSoon(dealer, 'Banker’s first card');
  expect(await dealer.page.locator('.relief [data-field=number]').inputValue()).toBe('D');
  await dealer.type('Escape', 'w');
  for (const [text, then] of [
    ['0113', 'Player’s second card'],
    ['CUTTING', 'Player’s second card'],
    ['<D-10>', 'Banker’s second card'],
    ['<S-9>', 'Banker wins, 9 to 2'],
  ] as const) {
    await scan(dealer, text);
    await expectPromptSoon(dealer, then);
  }
  await dealer.type('Escape');
  expect(await textOf(dealer, '.shoe')).toContain('Last round of this shoe');
  expect(await cardsOn(dealer)).toEqual(['2C', '9S', 'KS', 'TD']);
  await dealer.expectPrompt('Banker wins, 9 to 2');
  await dealer.type('Enter');
  await patron.page.locator('[data-outcome=banker]').waitFor();
  // 5.00 on Banker less a twentieth.
  expect(await meter(patron.page, 'credit')).toBe(100_000 + 475);
  expect([dealer.complaints, patron.complaints]).toEqual([[], []]);
  expect(await pit.close()).toBeUndefined();
});
