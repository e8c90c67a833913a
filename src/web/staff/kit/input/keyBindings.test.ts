import { expect, test } from 'vitest';
import { cardsOfDeck, decks } from '../../../../rules/card.ts';
import { type KeyContext, keyAction, enterGuardMs } from './keyBindings.ts';

const at = 10_000;
const context = (more: Partial<KeyContext> = {}): KeyContext => ({
  expects: 'card',
  deck: 'french',
  typedRank: '',
  phaseSince: 0,
  ...more,
});

/** The card that two keys enter: a rank and a suit. */
function keyedCard(keys: string, deck: KeyContext['deck']): string | undefined {
  const first = keyAction({ key: keys[0]! }, context({ deck }), at);
  const typed = first?.type === 'typed' ? first.rank : '';
  const second = keyAction({ key: keys[1]! }, context({ deck, typedRank: typed }), at);
  return second?.type === 'card' ? second.card : undefined;
}

test.each(['french', 'elements'] as const)('every card of the %s deck is typed by two keys, in either case', (deck) => {
  for (const one of cardsOfDeck(deck)) {
    expect(keyedCard(one, deck)).toBe(one);
    expect(keyedCard(one.toLowerCase(), deck)).toBe(one);
  }
});

test('a number pad types suits by position and ten as 0', () => {
  expect(['81', '82', '83', '84'].map((keys) => keyedCard(keys, 'french'))).toEqual(['8C', '8D', '8H', '8S']);
  expect(keyedCard('0H', 'french')).toBe('TH');
  expect(keyedCard('05', 'elements')).toBe('T5');
  expect(keyedCard('8S', 'elements')).toBeUndefined();
});

test('a second rank replaces the first', () => {
  expect(keyAction({ key: 'q' }, context({ typedRank: '8' }), at)).toEqual({ type: 'typed', rank: 'Q' });
  expect(keyAction({ key: '9' }, context({ typedRank: '8' }), at)).toEqual({ type: 'typed', rank: '9' });
});

test('no letter of a card is a shortcut, in either deck', () => {
  for (const deck of ['french', 'elements'] as const) {
    for (const key of [...decks.french.ranks, ...decks.elements.ranks, ...decks.french.suits]) {
      for (const typed of ['', '8'])
        expect(keyAction({ key }, context({ deck, typedRank: typed }), at)?.type).not.toBe('shortcut');
    }
  }
});

test.each([
  ['w', 'wrong'],
  ['p', 'call'],
  ['r', 'relief'],
  ['n', 'shoe'],
  ['e', 'extend'],
  ['x', 'cut'],
  ['m', 'note'],
  ['z', 'lock'],
  ['?', 'clauses'],
] as const)('%s is a shortcut while a card is due: %s', (key, order) => {
  expect(keyAction({ key }, context(), at)).toEqual({ type: 'shortcut', shortcut: order });
  expect(keyAction({ key }, context({ expects: 'field' }), at)).toEqual({ type: 'char', char: key });
});

test('Enter is ignored for a moment after the phase has changed', () => {
  expect(keyAction({ key: 'Enter' }, context({ phaseSince: at - enterGuardMs + 1 }), at)).toBeUndefined();
  expect(keyAction({ key: 'Enter' }, context({ phaseSince: at - enterGuardMs }), at)).toEqual({ type: 'next' });
});

test('digits choose from a list, and do nothing when no input is expected', () => {
  expect(keyAction({ key: '2' }, context({ expects: 'list' }), at)).toEqual({ type: 'digit', digit: 2 });
  expect(keyAction({ key: '2' }, context({ expects: 'nothing' }), at)).toBeUndefined();
  expect(keyAction({ key: 'F5' }, context({ expects: 'field' }), at)).toBeUndefined();
});

test('arrows select and, with Shift, move; Tab changes the field', () => {
  expect(keyAction({ key: 'ArrowRight', shift: true }, context(), at)).toEqual({ type: 'move', by: 1, carry: true });
  expect(keyAction({ key: 'ArrowUp' }, context(), at)).toEqual({ type: 'move', by: -1, carry: false });
  expect(keyAction({ key: 'Tab', shift: true }, context({ expects: 'field' }), at)).toEqual({ type: 'tab', by: -1 });
  expect(keyAction({ key: 'Tab' }, context(), at)).toBeUndefined();
  expect(keyAction({ key: 'Backspace' }, context(), at)).toEqual({ type: 'back' });
  expect(keyAction({ key: 'Escape' }, context(), at)).toEqual({ type: 'escape' });
});
