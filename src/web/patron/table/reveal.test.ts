import { expect, test } from 'vitest';
import {
  type RevealState,
  type DealProgress,
  nextRevealStep,
  revealDurationsMs,
  fullyRevealedState,
} from './reveal.ts';

/** All states that are revealed one after the other, each with its time in ms. */
function shownFrom(
  start: RevealState,
  dealt: DealProgress,
): readonly (readonly [at: number, out: number, turned: number, verdict: boolean])[] {
  const steps: [number, number, number, boolean][] = [];
  let at = 0;
  let step = nextRevealStep(start, dealt);
  while (step !== undefined) {
    at += step.after;
    const { out, turned, verdict } = step.shown;
    steps.push([at, out, turned, verdict]);
    step = nextRevealStep(step.shown, dealt);
  }
  return steps;
}

const opened: RevealState = { round: 'one', out: 0, turned: 0, verdict: false };
const lies = revealDurationsMs.flight + revealDurationsMs.turn;

test('a card flies at once and is turned after landing', () => {
  expect(shownFrom(opened, { round: 'one', cards: 1, isOver: false })).toEqual([
    [0, 1, 0, false],
    [lies, 1, 1, false],
  ]);
});

test('cards that arrive together fly one after another, and the result follows the last after a pause', () => {
  const dealt = { ...opened, out: 3, turned: 3 };
  expect(shownFrom(dealt, { round: 'one', cards: 5, isOver: true })).toEqual([
    [0, 4, 3, false],
    [lies, 4, 4, false],
    [lies, 5, 4, false],
    [2 * lies, 5, 5, false],
    [2 * lies + revealDurationsMs.moment, 5, 5, true],
  ]);
});

test('another round starts with an empty felt', () => {
  const over = fullyRevealedState({ round: 'one', cards: 6, isOver: true });
  expect(shownFrom(over, { round: 'two', cards: 0, isOver: false })).toEqual([[0, 0, 0, false]]);
});

test('withdrawn cards disappear at once', () => {
  const over = fullyRevealedState({ round: 'one', cards: 6, isOver: true });
  expect(shownFrom(over, { round: 'one', cards: 5, isOver: false })).toEqual([[0, 5, 5, false]]);
  expect(shownFrom(over, { round: 'one', cards: 6, isOver: false })).toEqual([[0, 6, 6, false]]);
});

test('a fully revealed round has no next state', () => {
  const dealt = { round: 'one', cards: 4, isOver: true };
  expect(nextRevealStep(fullyRevealedState(dealt), dealt)).toBeUndefined();
});
