import { expect, test } from 'vitest';
import { cardsOf, decks } from '../../../../rules/card.ts';
import { type Where, actOf, deadTime } from './keyBindings.ts';

const at = 10_000;
const where = (more: Partial<Where> = {}): Where => ({ takes: 'card', deck: 'french', typed: '', since: 0, ...more });

/** Card from two keys. */
function card(keys: string, deck: Where['deck']): string | undefined {
  const first = actOf({ key: keys[0]! }, where({ deck }), at);
  const typed = first?.type === 'typed' ? first.rank : '';
  const second = actOf({ key: keys[1]! }, where({ deck, typed }), at);
  return second?.type === 'card' ? second.card : undefined;
}

test.each(['french', 'elements'] as const)('every card of the %s deck is two keys, in either case', (deck) => {
  for (const one of cardsOf(deck)) {
    expect(card(one, deck)).toBe(one);
    expect(card(one.toLowerCase(), deck)).toBe(one);
  }
});

test('a number pad has the suits by their place, and ten is nought as well', () => {
  expect(['81', '82', '83', '84'].map((keys) => card(keys, 'french'))).toEqual(['8C', '8D', '8H', '8S']);
  expect(card('0H', 'french')).toBe('TH');
  expect(card('05', 'elements')).toBe('T5');
  expect(card('8S', 'elements')).toBeUndefined();
});

test('another rank takes the place of one that was typed', () => {
  expect(actOf({ key: 'q' }, where({ typed: '8' }), at)).toEqual({ type: 'typed', rank: 'Q' });
  expect(actOf({ key: '9' }, where({ typed: '8' }), at)).toEqual({ type: 'typed', rank: '9' });
});

test('no letter of a card is ever an order, in either deck', () => {
  for (const deck of ['french', 'elements'] as const) {
    for (const key of [...decks.french.ranks, ...decks.elements.ranks, ...decks.french.suits]) {
      for (const typed of ['', '8']) expect(actOf({ key }, where({ deck, typed }), at)?.type).not.toBe('order');
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
] as const)('%s is an order while a card is due: %s', (key, order) => {
  expect(actOf({ key }, where(), at)).toEqual({ type: 'order', order });
  expect(actOf({ key }, where({ takes: 'field' }), at)).toEqual({ type: 'char', char: key });
});

test('Enter is dead for a moment after the phase has changed', () => {
  expect(actOf({ key: 'Enter' }, where({ since: at - deadTime + 1 }), at)).toBeUndefined();
  expect(actOf({ key: 'Enter' }, where({ since: at - deadTime }), at)).toEqual({ type: 'next' });
});

test('digits choose from a list, and do nothing where nothing is asked for', () => {
  expect(actOf({ key: '2' }, where({ takes: 'list' }), at)).toEqual({ type: 'digit', digit: 2 });
  expect(actOf({ key: '2' }, where({ takes: 'nothing' }), at)).toBeUndefined();
  expect(actOf({ key: 'F5' }, where({ takes: 'field' }), at)).toBeUndefined();
});

test('arrows choose and, with Shift, carry; Tab goes from field to field', () => {
  expect(actOf({ key: 'ArrowRight', shift: true }, where(), at)).toEqual({ type: 'move', by: 1, carry: true });
  expect(actOf({ key: 'ArrowUp' }, where(), at)).toEqual({ type: 'move', by: -1, carry: false });
  expect(actOf({ key: 'Tab', shift: true }, where({ takes: 'field' }), at)).toEqual({ type: 'tab', by: -1 });
  expect(actOf({ key: 'Tab' }, where(), at)).toBeUndefined();
  expect(actOf({ key: 'Backspace' }, where(), at)).toEqual({ type: 'back' });
  expect(actOf({ key: 'Escape' }, where(), at)).toEqual({ type: 'escape' });
});
