import { expect, test } from 'vitest';
import {
  type CardOrderEditorState,
  initialCardOrderState,
  moveCardInOrder,
  applyCardOrderKey,
  laidIndexOfEachCard,
  replaySteps,
  putCardAtSelection,
} from './cardOrder.ts';
import { applyCardReplacementKey, emptyCardReplacementState } from './cardReplacementState.ts';

const laid = ['AC', '3H', '4D', '2S', '8D'];

const after = (
  keys: readonly string[],
  order: CardOrderEditorState = initialCardOrderState(laid),
  deck: 'french' | 'elements' = 'french',
): CardOrderEditorState =>
  keys.reduce(
    (now, key) =>
      applyCardOrderKey(now, { key: key.replace('Shift+', ''), shift: key.startsWith('Shift+') }, laid, deck),
    order,
  );

test('two cards are swapped by an arrow and an arrow with Shift', () => {
  const swapped = after(['ArrowRight', 'Shift+ArrowRight']);
  expect(swapped.cards).toEqual(['AC', '4D', '3H', '2S', '8D']);
  expect(swapped.at).toBe(2);
});

test('arrows stop at both ends, with Shift or without', () => {
  expect(after(['ArrowLeft']).at).toBe(0);
  expect(after(['Shift+ArrowLeft']).cards).toEqual(laid);
  expect(after(Array.from({ length: 9 }, () => 'ArrowRight')).at).toBe(4);
});

test('rank and suit replace the selected card and select the next', () => {
  const typed = after(['9']);
  expect(typed).toMatchObject({ typed: '9', cards: laid });
  expect(after(['h'], typed)).toMatchObject({ cards: ['9H', '3H', '4D', '2S', '8D'], at: 1, typed: '' });
  expect(after(['A', 'C', '4', 'D', '3', 'H', '2', 'S', '8', 'D']).cards).toEqual(['AC', '4D', '3H', '2S', '8D']);
});

test('typing past the last card replaces it and adds none', () => {
  expect(after(['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'K', 'S', 'Q', 'S']).cards).toEqual([
    'AC',
    '3H',
    '4D',
    '2S',
    'QS',
  ]);
});

test('Insert adds a card after the selected one, up to seven', () => {
  expect(after(['Insert', '5', 'C']).cards).toEqual(['AC', '5C', '3H', '4D', '2S', '8D']);
  const seven = after(['Insert', '5', 'C', 'Insert', '6', 'C']);
  expect(seven.cards).toHaveLength(7);
  expect(after(['Insert'], seven)).toBe(seven);
  expect(putCardAtSelection({ ...seven, adding: true }, '7C').cards).toEqual(seven.cards);
  expect(after(['Insert', 'Insert', '5', 'C']).cards).toHaveLength(6);
});

test('Delete removes the selected card, down to none, and a card can be added again', () => {
  const none = after(['Delete', 'Delete', 'Delete', 'Delete', 'Delete', 'Delete']);
  expect(none.cards).toEqual([]);
  expect(after(['Insert', '5', 'C'], none).cards).toEqual(['5C']);
  expect(after(['5', 'C'], none).cards).toEqual(['5C']);
  expect(after(['Insert', 'Delete']).cards).toEqual(laid);
});

test('Home restores the cards as laid and keeps the unseen card', () => {
  const back = after(['U', 'Delete', 'Home']);
  expect(back).toEqual({ ...initialCardOrderState(laid), unseen: true });
});

test('Escape and Backspace cancel a half-typed card, and then do nothing', () => {
  expect(after(['9', 'Escape'])).toMatchObject({ typed: '', cards: laid });
  expect(after(['Insert', 'Backspace'])).toMatchObject({ adding: false, cards: laid });
  const quiet = initialCardOrderState(laid);
  expect(after(['Escape'], quiet)).toBe(quiet);
  expect(after(['W'], quiet)).toBe(quiet);
  expect(after(['Y'], quiet)).toBe(quiet);
});

test('the 65-card deck has its own ranks, and suits by number', () => {
  expect(after(['L', '3'], initialCardOrderState(['71']), 'elements').cards).toEqual(['L3']);
});

test('every card of the new order is matched to its index as laid', () => {
  expect(laidIndexOfEachCard(laid, ['AC', '4D', '3H', '2S', '8D'])).toEqual([0, 2, 1, 3, 4]);
  expect(laidIndexOfEachCard(['9H', '9H', '2C'], ['2C', '9H', '9H', '5D'])).toEqual([2, 1, 0, null]);
});

test('a replay follows the table of play card by card', () => {
  const steps = replaySteps(['AC', '4D', '3H', '2S', '8D']);
  expect(steps.map((step) => ('slot' in step ? step.slot : 'code' in step ? step.code : step.type))).toEqual([
    'P1',
    'B1',
    'P2',
    'B2',
    'player-draws',
    'P3',
    'banker-stands',
    'end',
  ]);
  expect(steps.at(-1)).toEqual({ type: 'end', winner: 'banker', player: 2, banker: 6 });
});

test('a replay shows a natural, two stands, a Banker draw and a surplus card', () => {
  expect(replaySteps(['9C', '2D', 'KH', '3S'])).toContainEqual({ type: 'rule', code: 'natural', player: 9, banker: 5 });
  expect(replaySteps(['7C', '7D', 'KH', 'KS']).at(-1)).toEqual({ type: 'end', winner: 'tie', player: 7, banker: 7 });
  expect(replaySteps(['7C', '7D', 'KH', 'KS'])).toContainEqual({
    type: 'rule',
    code: 'both-stand',
    player: 7,
    banker: 7,
  });
  expect(replaySteps(['7C', '3D', 'KH', 'KS'])).toContainEqual({ type: 'due', slot: 'B3' });
  expect(replaySteps(['7C', '3D', 'KH', 'KS', '9C']).at(-1)).toMatchObject({ winner: 'player', banker: 2 });
  expect(replaySteps(['9C', '2D', 'KH', '3S', '5C'])).toContainEqual({ type: 'over', card: '5C' });
  expect(replaySteps(['2C', '3D', 'KH', 'KS', '6C'])).toContainEqual({
    type: 'third',
    code: 'banker-draws',
    banker: 3,
    third: 6,
  });
  expect(replaySteps([])).toEqual([{ type: 'due', slot: 'P1' }]);
});

test('a correction takes draw, rank and suit', () => {
  const fixed = ['4', '5', 's'].reduce(
    (fix, key) => applyCardReplacementKey(fix, { key }, 5, 'french'),
    emptyCardReplacementState,
  );
  expect(fixed).toEqual({ place: 3, card: '5S', typed: '' });
  expect(applyCardReplacementKey(emptyCardReplacementState, { key: '6' }, 5, 'french')).toBe(emptyCardReplacementState);
  expect(applyCardReplacementKey(fixed, { key: 'ArrowLeft' }, 5, 'french')).toEqual({
    ...emptyCardReplacementState,
    place: 2,
  });
  expect(applyCardReplacementKey(fixed, { key: '9' }, 5, 'french')).toEqual({ place: 3, card: null, typed: '9' });
  const back = ['Backspace', 'Escape'].reduce((fix, key) => applyCardReplacementKey(fix, { key }, 5, 'french'), fixed);
  expect(back).toEqual(emptyCardReplacementState);
  expect(applyCardReplacementKey({ ...fixed, typed: '9' }, { key: 'Backspace' }, 5, 'french').typed).toBe('');
  expect(applyCardReplacementKey(back, { key: 'Escape' }, 5, 'french')).toBe(back);
  expect(applyCardReplacementKey(fixed, { key: 'W' }, 5, 'french')).toBe(fixed);
});

test('a moved card shifts the others, and an index without a card changes nothing', () => {
  const order: CardOrderEditorState = { ...initialCardOrderState(laid), adding: true, typed: '9' };
  expect(moveCardInOrder(order, 0, 2)).toEqual({
    ...initialCardOrderState(laid),
    cards: ['3H', '4D', 'AC', '2S', '8D'],
    at: 2,
  });
  expect(moveCardInOrder(order, 4, 1).cards).toEqual(['AC', '8D', '3H', '4D', '2S']);
  for (const [from, to] of [
    [5, 0],
    [0, 5],
    [0, -1],
  ] as const) {
    expect(moveCardInOrder(order, from, to)).toBe(order);
  }
});
