import { expect, test } from 'vitest';
import { consolePhase, isSamePhase } from './consolePhase.ts';

const waiting = consolePhase({ phase: 'dealing', prompt: { code: 'proposed' } }, 'P-1');
const expired = consolePhase({ phase: 'dealing', prompt: { code: 'proposed' } }, null);
const stopped = consolePhase({ phase: 'dealing', prompt: { code: 'stopped' } }, null);

test('an expired proposal starts a phase, which continues when the server leaves the proposal out of its prompt', () => {
  expect(isSamePhase(waiting, expired)).toBe(false);
  expect(isSamePhase(expired, stopped)).toBe(true);
  expect(isSamePhase(waiting, stopped)).toBe(false);
});

test('another proposal, prompt or phase of the table is another phase', () => {
  const another = consolePhase({ phase: 'dealing', prompt: { code: 'proposed' } }, 'P-2');
  const settled = consolePhase({ phase: 'idle', prompt: { code: 'stopped' } }, null);
  expect([isSamePhase(waiting, another), isSamePhase(expired, another), isSamePhase(stopped, waiting)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([isSamePhase(stopped, settled), isSamePhase(expired, settled)]).toEqual([false, false]);
  expect([isSamePhase(null, stopped), isSamePhase(stopped, null), isSamePhase(null, null)]).toEqual([
    false,
    false,
    true,
  ]);
});

test('the cards of one round are one phase', () => {
  const codes = ['first-card', 'fourth-card', 'player-draws', 'player-stands', 'banker-draws'];
  const phases = codes.map((code) => consolePhase({ phase: 'dealing', prompt: { code } }, null));
  expect(phases.every((phase) => isSamePhase(phases[0]!, phase))).toBe(true);
});
