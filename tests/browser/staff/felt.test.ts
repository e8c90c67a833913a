import { test } from 'vitest';
import { type Rulebook, rulebookOf, rulebooks } from '../../../src/games/rulebooks.ts';
import { type IrregularityKind, irregularityKinds } from '../../../src/games/irregularities.ts';
import { games } from '../../../src/games/registry.ts';
import { meter, settled, spot, toTable } from '../patron.ts';
import { cardsOn, closed, dealerAt, keyed, keysOf, said, scan, textOf, textsOf } from './felt.ts';
import { type Person, Pit } from './pit.ts';

// Cards and chips on a felt: what is late, raised or taken back there, what the live books rule otherwise than the
// electronic one, and a scanner that types.

/** What differs, written down from the books: the row of the report, and what a void then does to the shoe, by which clause. */
const differing: { readonly [K in IrregularityKind]?: { readonly row: string; readonly by: string; shoe: string } } = {
  // ETG voids by 5.2, and the shoe is locked; live 5.2 says nothing of the shoe.
  'wrong-number': { row: '22', by: '5.2', shoe: 'goes on' },
  // ETG 5.8 covers every draw; live 5.3 the initial deal alone, and HOUSE 8 has the rest.
  'third-cards-together': { row: '23', by: 'HOUSE 8', shoe: 'locked' },
};

/** What a book does about a kind, whatever it calls the clause. */
const outcomeOf = ({ irregularities }: Rulebook, kind: IrregularityKind): string => {
  const { stops, afterSettlement, rulings } = irregularities[kind];
  const does = Object.entries(rulings).map(([ruling, { by: _by, ...rest }]) => [ruling, rest]);
  return JSON.stringify([stops, afterSettlement, does]);
};

test('the four live books rule otherwise than the electronic one of two kinds, and these are written down here', ({
  expect,
}) => {
  const electronic = rulebooks.find(({ id }) => id === 'ETG')!;
  const live = rulebooks.filter(({ felt }) => felt);
  expect(live.map(({ id }) => id)).toEqual(['BAC', 'SUP', 'ELM', 'FAB']);
  for (const book of live) {
    const differ = irregularityKinds.filter((kind) => outcomeOf(book, kind) !== outcomeOf(electronic, kind));
    expect(differ, book.id).toEqual(Object.keys(differing));
    for (const kind of differ) {
      const { by, shoe } = differing[kind]!;
      const { void: effect } = book.irregularities[kind].rulings;
      expect([effect!.by, effect!.shoe]).toEqual([by.startsWith('HOUSE') ? by : `${book.id} ${by}`, shoe]);
    }
  }
});

/** Chips in question: a row of "Something is wrong", then place, wager and amount. */
async function noted(dealer: Person, row: string, place: string, wager: string, amount: string): Promise<void> {
  await dealer.type('w', ...keysOf(row), ...keysOf(place), 'Enter');
  const digit = await textOf(dealer, `.picks [data-wager=${wager}] kbd`);
  await dealer.type(digit, ...keysOf(amount), 'Enter');
  await dealer.page.locator('.picks').waitFor({ state: 'detached' });
}

/** Voids what stands still, with the supervisor at the same console. */
async function voided(dealer: Person): Promise<void> {
  await dealer.type('2', 'Enter');
  await said(dealer, 'Wait for the supervisor');
  await dealer.consentOf('S-1');
}

/** The games of the live books with their cards: Banker 9 to 6, a tie of 9, and third cards for both. */
const french = { banker: '2c 9s 4d td', tie: '2c 9s 7d tc', thirds: '2c 2s 3d 3s' };
const elements = { banker: '21 92 43 t4', tie: '21 92 73 t1', thirds: '21 22 33 34' };
const played = [
  ['baccarat', french],
  ['sands-super', french],
  ['sands-elements', elements],
  ['fabulous-4', french],
] as const;

test.for(played)(
  '%s: late, raised and withdrawn chips, a stop, and what the live books rule otherwise, in two steps each',
  async ([id, cards], { expect }) => {
    const { id: book, irregularities } = rulebookOf(games.find((game) => game.id === id)!);
    const pit = await Pit.of(id, { bets: 'chips' });
    const dealer = await dealerAt(pit, id);
    await closed(dealer);
    await dealer.says('Player’s first card');
    // The whole of the book is two digits away, with its clauses.
    await dealer.type('w');
    const clauses = await dealer.page.$$eval('[data-kind]', (rows) =>
      rows.map((row) => [row.getAttribute('data-kind'), row.querySelector('cite')?.textContent]),
    );
    expect(clauses).toHaveLength(20);
    for (const [kind, by] of clauses) {
      // Nothing lies on the felt yet, so that a card face up is referred.
      const now = kind === 'face-up-after' ? 'face-up-before' : (kind as IrregularityKind);
      expect(by, kind!).toBe(irregularities[now].by);
    }
    await dealer.type('Escape');

    await noted(dealer, '41', '3', 'player', '200');
    await noted(dealer, '42', '5', 'banker', '100.50');
    await noted(dealer, '43', '6', 'banker', '300');
    await noted(dealer, '43', '7', 'player', '50');
    const places = (): Promise<readonly string[]> => textsOf(dealer, '.places li');
    const late = [`Place 3 Player 200.00 hand back ${book} 5.6`, `Place 5 Banker 100.50 hand back ${book} 5.6`];
    expect(await places()).toEqual([
      ...late,
      `Place 6 Banker 300.00 wait for the result ${book} 5.7`,
      `Place 7 Player 50.00 wait for the result ${book} 5.7`,
    ]);
    await keyed(dealer, cards.banker);
    await dealer.says('Banker wins, 9 to 6');
    // What was taken back is paid and taken as if it lay there: 300.00 less a twentieth where the book has commission.
    const pays = id === 'baccarat' ? '285.00' : '300.00';
    expect(await places()).toEqual([
      ...late,
      `Place 6 Banker 300.00 pay ${pays} ${book} 5.7`,
      `Place 7 Player 50.00 take ${book} 5.7`,
    ]);
    await dealer.type('Enter');
    await dealer.says('Ready for the next round');

    // A stop interrupts no round here: it is finished by hand, and entered afterwards. [READING 62]
    await closed(dealer);
    await dealer.says('Player’s first card');
    await dealer.type('w', '5', '1', '2', 'Enter');
    await expect.poll(() => textOf(dealer, '.next')).toMatch(/entered afterwards/i);
    await noted(dealer, '43', '4', 'banker', '70');
    await noted(dealer, '43', '2', 'tie', '20');
    await keyed(dealer, cards.tie);
    await dealer.says('Tie');
    // A tie pays 8 to 1, and Banker stands off.
    expect(await places()).toEqual([
      `Place 4 Banker 70.00 leave ${book} 5.7`,
      `Place 2 Tie 20.00 pay 160.00 ${book} 5.7`,
    ]);

    // Too many or too few cards, and nobody knows the order: the round is void, and the shoe goes on.
    await dealer.type('w', ...keysOf(differing['wrong-number']!.row));
    await said(dealer, 'Stopped: too many or too few cards');
    expect(await textOf(dealer, '[data-way=void]')).toContain(`Shoe goes on ${book} 5.2`);
    await voided(dealer);
    await dealer.says('Ready for the next round');
    const spots = await textsOf(dealer, '.felt li');
    expect(spots.length).toBeGreaterThan(3);
    expect(spots.filter((one) => !new RegExp(`^BACK .+ ${book} 5.2$`).test(one))).toEqual([]);

    // Third cards that came out together: void, and the shoe is locked.
    await closed(dealer);
    await keyed(dealer, cards.thirds);
    await dealer.says('Player draws a third card');
    await dealer.type('w', ...keysOf(differing['third-cards-together']!.row), 'Enter');
    await said(dealer, 'Stopped: cards came out together');
    expect(await textOf(dealer, '[data-way=void]')).toContain('Shoe locked HOUSE 8');
    await voided(dealer);
    await said(dealer, 'This shoe is out of use: change it');
    expect(await textOf(dealer, '.shoe h2')).toContain('HOUSE 8');
    expect(dealer.complaints).toEqual([]);
    expect(await pit.close()).toBeUndefined();
  },
);

test('a scanner that types deals a round in the form that the property sets, and nothing that it types is a command', async ({
  expect,
}) => {
  const scanner = { pattern: '<S-R>', cut: 'CUTTING', cards: { '0113': 'KS' } };
  const setting = { dealing: 'scanned', burn: 'first-card', bettingTime: 0 };
  const pit = await Pit.of('tiger', setting, { scanner });
  const dealer = await dealerAt(pit, 'tiger', 'Turn the first card');
  const patron = await pit.patron('tiger');
  const commands = ['.sheet', '.pop', '.veil', '.refusal'].join();
  const kept = (): Promise<readonly string[]> => textsOf(dealer, '[data-testid=kept] span');
  await scan(dealer, '<H-5>');
  await dealer.says('Ready for the next round');

  // W 2 1 by hand would report cards in the wrong place, Z lock, R relieve, and Enter open bets.
  for (const text of ['W21', 'ZRPXN', '8H']) await scan(dealer, text);
  expect(await dealer.page.locator('.sheet, .pop, .veil').count()).toBe(0);
  await said(dealer, 'Ready for the next round');
  const unread = (text: string): string => `Not read as a card: ${text}. Scan it again, or key it in.`;
  // A card as others write it is none here.
  expect(await kept()).toEqual([unread('8H'), unread('ZRPXN'), unread('W21')]);
  // They stay when the moment below the next act is over.
  await dealer.page.locator(commands).waitFor({ state: 'detached' });
  expect(await kept()).toHaveLength(3);

  await toTable(patron.page, pit.server, 'tiger');
  await dealer.type('Enter');
  await dealer.says('Bets are open');
  expect(await kept()).toEqual([]);
  await spot(patron.page, 'banker').click();
  await settled(patron.page);
  await scan(dealer, '<C-2>');
  expect(await kept()).toEqual(['2 of clubs: Not in this phase. ETG 3.1']);
  await dealer.type('Enter');
  await said(dealer, 'Player’s first card');

  // Whatever lies open, a scan goes to the slot that is due.
  await dealer.type('r', 'd');
  await scan(dealer, '<C-2>');
  await said(dealer, 'Banker’s first card');
  expect(await dealer.page.locator('.relief [data-field=number]').inputValue()).toBe('D');
  await dealer.type('Escape', 'w');
  for (const [text, then] of [
    ['0113', 'Player’s second card'],
    ['CUTTING', 'Player’s second card'],
    ['<D-10>', 'Banker’s second card'],
    ['<S-9>', 'Banker wins, 9 to 2'],
  ] as const) {
    await scan(dealer, text);
    await said(dealer, then);
  }
  await dealer.type('Escape');
  expect(await textOf(dealer, '.shoe')).toContain('Last round of this shoe');
  expect(await cardsOn(dealer)).toEqual(['2C', '9S', 'KS', 'TD']);
  await dealer.says('Banker wins, 9 to 2');
  await dealer.type('Enter');
  await patron.page.locator('[data-outcome=banker]').waitFor();
  // 5.00 on Banker less a twentieth.
  expect(await meter(patron.page, 'credit')).toBe(100_000 + 475);
  expect([dealer.complaints, patron.complaints]).toEqual([[], []]);
  expect(await pit.close()).toBeUndefined();
});
