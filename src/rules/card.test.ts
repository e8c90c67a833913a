import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DeckId, cardsOfDeck, deckOfCard, decks, parseCard, rankOf, suitOf } from './card.ts';

const deckIds = Object.keys(decks) as DeckId[];
const anyDeck = fc.constantFrom(...deckIds);
const anyCase = (text: string) =>
  fc
    .tuple(...text.split('').map((letter) => fc.constantFrom(letter.toUpperCase(), letter.toLowerCase())))
    .map((letters) => letters.join(''));

test('a deck lists each of its cards once', () => {
  expect(cardsOfDeck('french')).toHaveLength(52);
  expect(cardsOfDeck('elements')).toHaveLength(65);
  for (const deck of deckIds) expect(new Set(cardsOfDeck(deck)).size).toBe(cardsOfDeck(deck).length);
});

test('parseCard reads every printed card in upper or lower case', () => {
  const written = anyDeck.chain((deck) =>
    fc
      .constantFrom(...cardsOfDeck(deck))
      .chain((card) => fc.tuple(fc.constant(deck), fc.constant(card), anyCase(card))),
  );
  fc.assert(fc.property(written, ([deck, card, text]) => parseCard(text, deck) === card));
});

test('10 is read as T and printed as T', () => {
  expect(parseCard('10H', 'french')).toBe('TH');
  expect(parseCard('10d', 'french')).toBe('TD');
  expect(parseCard('105', 'elements')).toBe('T5');
  expect(parseCard('T2', 'elements')).toBe('T2');
  expect(parseCard('L3', 'elements')).toBe('L3');
});

test('a card of the other deck is refused as such', () => {
  for (const card of cardsOfDeck('elements'))
    expect(parseCard(card, 'french')).toMatchObject({ refused: 'wrong-deck' });
  for (const card of cardsOfDeck('french'))
    expect(parseCard(card, 'elements')).toMatchObject({ refused: 'wrong-deck' });
});

test('any other text is no card', () => {
  const known = new Set(deckIds.flatMap(cardsOfDeck).flatMap((card) => [card, card.replace('T', '10')]));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ minLength: 2, maxLength: 2 })), anyDeck, (text, deck) => {
      fc.pre(!known.has(text.toUpperCase()));
      const refusal = parseCard(text, deck);
      expect(refusal).toMatchObject({ refused: 'unknown-card' });
    }),
  );
  for (const odd of [
    '',
    'K',
    'KDD',
    ' KD',
    'KD ',
    '1H',
    '0H',
    '11H',
    'K♦',
    'ſ1',
    'K6',
    '010H',
    'constructor',
    7,
    null,
    undefined,
    {},
    ['KD'],
  ]) {
    expect(parseCard(odd, 'french'), JSON.stringify(odd)).toMatchObject({ refused: 'unknown-card' });
  }
});

test('a long text is quoted short', () => {
  const refusal = parseCard('x'.repeat(10_000), 'french');
  expect(typeof refusal === 'string' ? refusal : refusal.message.length).toBeLessThan(200);
});

test('rank, suit and deck are read off a card', () => {
  expect([rankOf('TH'), suitOf('TH'), deckOfCard('TH')]).toEqual(['T', 'H', 'french']);
  expect([rankOf('S4'), suitOf('S4'), deckOfCard('S4')]).toEqual(['S', '4', 'elements']);
});
