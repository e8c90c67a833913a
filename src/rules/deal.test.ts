import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Card, type DeckId, cardsOfDeck, parseCard } from './card.ts';
import { parseDeal, parseDealtCards } from './deal.ts';
import { factNames, factValues } from './facts.ts';
import { nextSlot } from './play.ts';

const french = { deck: 'french', decks: 8 } as const;
const dealt = (text: string, shoe: { deck: DeckId; decks: number } = french) => parseDeal(text.split(' '), shoe);

test('a whole deal has its cards, hands and facts', () => {
  expect(dealt('9S 2c 9h 4D')).toEqual({
    cards: ['9S', '2C', '9H', '4D'],
    hands: { player: ['9S', '9H'], banker: ['2C', '4D'] },
    facts: {
      winner: 'player',
      margin: 2,
      playerTotal: 8,
      bankerTotal: 6,
      playerCards: 2,
      bankerCards: 2,
      playerNatural: true,
      bankerNatural: false,
      playerPair: true,
      bankerPair: false,
      playerPreciousPair: 'other',
      bankerPreciousPair: 'none',
      playerColour: 'mixed',
      bankerColour: 'mixed',
      tigerPair: 'single',
    },
  });
});

test('a deal that the table of play has not ended is refused, with the slot that is next', () => {
  const cut = ['KC', '2D', '6H', 'KS', '5D'];
  for (const [length, slot] of [
    [0, 'P1'],
    [1, 'B1'],
    [2, 'P2'],
    [3, 'B2'],
    [4, 'B3'],
  ] as const) {
    const refusal = parseDeal(cut.slice(0, length), french);
    expect(refusal).toMatchObject({ refused: 'incomplete-deal' });
    expect('message' in refusal && refusal.message).toContain(slot);
  }
  expect(parseDeal(cut, french)).toHaveProperty('facts');
  expect(dealt('2H 9H KD 4D')).toMatchObject({ message: expect.stringContaining('P3') as string });
});

test('a card after the end of the deal is refused, also a third card after a natural', () => {
  expect(dealt('9S 2C 9H 4D AS')).toMatchObject({ refused: 'card-after-deal' });
  expect(dealt('KC 2D 6H KS 5D AS')).toMatchObject({ refused: 'card-after-deal' });
  expect(dealt('2H 9H KD 4D 8H AS')).toMatchObject({ refused: 'card-after-deal' });
  expect(dealt('3S QC AD 6D 7H JC AS')).toMatchObject({ refused: 'card-after-deal' });
});

test('a card occurs as often as there are decks, and no more', () => {
  const five = 'TC TC TC TC TC TC';
  expect(dealt(five, { deck: 'french', decks: 6 })).toHaveProperty('facts');
  expect(dealt(five, { deck: 'french', decks: 5 })).toMatchObject({ refused: 'too-many-copies' });
  expect(dealt('T1 T1 T1 T1 T1 T1', { deck: 'elements', decks: 4 })).toMatchObject({ refused: 'too-many-copies' });
});

test('whatever is dealt, a card may occur as often as there are decks and never more', () => {
  let refused = 0;
  const inputs = fc.record({
    decks: fc.integer({ min: 4, max: 10 }),
    cards: fc.array(fc.constantFrom<Card>('TC', 'TC', 'TC', 'KD'), { minLength: 6, maxLength: 6 }),
  });
  fc.assert(
    fc.property(inputs, ({ decks, cards }) => {
      const largest = Math.max(...['TC', 'KD'].map((card) => cards.filter((other) => other === card).length));
      const deal = parseDeal(cards, { deck: 'french', decks });
      expect('refused' in deal ? deal.refused : 'dealt').toBe(largest > decks ? 'too-many-copies' : 'dealt');
      refused += Number('refused' in deal);
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(20);
});

test('an unknown card and one of the other deck are refused wherever they stand', () => {
  expect(dealt('9S 2C XX 4D')).toMatchObject({ refused: 'unknown-card' });
  expect(dealt('9S 2C 9H L4')).toMatchObject({ refused: 'wrong-deck' });
  expect(parseDeal([undefined], french)).toMatchObject({ refused: 'unknown-card' });
});

test('any cards at all give either a whole deal with legal facts or a refusal, and never more than six cards', () => {
  const shoes = fc.record({
    deck: fc.constantFrom<DeckId>('french', 'elements'),
    decks: fc.integer({ min: 4, max: 10 }),
  });
  const inputs = shoes.chain((shoe) =>
    fc.tuple(fc.constant(shoe), fc.array(fc.constantFrom(...cardsOfDeck(shoe.deck)), { maxLength: 8 })),
  );
  fc.assert(
    fc.property(inputs, ([shoe, cards]) => {
      const prefix = parseDealtCards(cards, shoe);
      const deal = parseDeal(cards, shoe);
      if ('refused' in prefix) {
        expect('refused' in deal && deal.refused).toBe(prefix.refused);
        return;
      }
      expect(prefix).toEqual(cards);
      if ('refused' in deal) {
        expect([deal.refused, nextSlot(cards) !== undefined]).toEqual(['incomplete-deal', true]);
        return;
      }
      expect(deal.cards.length).toBeLessThanOrEqual(6);
      expect(deal.hands.player.length + deal.hands.banker.length).toBe(cards.length);
      expect(Object.keys(deal.facts)).toEqual(factNames);
      for (const name of factNames) expect(factValues[name] as readonly unknown[]).toContain(deal.facts[name]);
    }),
    { numRuns: 2000 },
  );
});

test('dealOf accepts every deal that is played out card by card', () => {
  const cards = cardsOfDeck('french');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...cards), { minLength: 6, maxLength: 6 }), (six) => {
      const dealtSoFar: Card[] = [];
      for (const card of six) if (nextSlot(dealtSoFar) !== undefined) dealtSoFar.push(card);
      expect(parseDeal(dealtSoFar, french)).toHaveProperty('facts');
    }),
  );
});

test('dealOf refuses a value that is no list of cards or no shoe', () => {
  const cards = ['KC', '9D', '8H', 'KS'];
  for (const no of [null, undefined, 7, 'KC 9D 8H KS', { 0: 'KC' }]) {
    expect(parseDealtCards(no as never, french)).toMatchObject({ refused: 'unknown-card' });
    expect(parseDeal(no as never, french)).toMatchObject({ refused: 'unknown-card' });
  }
  for (const decks of [null, 0, 3, 11, 1.5, Number.NaN, 1e300, '8']) {
    expect(parseDeal(cards, { deck: 'french', decks } as never)).toMatchObject({ refused: 'bad-decks' });
  }
  for (const shoe of [null, undefined, {}, 8, { deck: 'tarot', decks: 8 }, { deck: '__proto__', decks: 8 }]) {
    const refusal = parseDeal(cards, shoe as never);
    expect(refusal).toMatchObject({ refused: 'wrong-deck' });
    expect('message' in refusal && refusal.message).toMatch(/^There is no deck .*; use "french" or "elements"\.$/);
  }
  expect(parseCard('AS', 'tarot' as never)).toMatchObject({ refused: 'wrong-deck' });
});
