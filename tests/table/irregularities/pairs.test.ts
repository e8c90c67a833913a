import { expect, test } from 'vitest';
import { sampleOf } from '../../times.ts';
import { Run, situations, moments, tableAt } from './pairs.ts';

/** With which of its ruling options a run begins. */
const turns = sampleOf('turns', [0, 1, 2, 3, 4, 5, 6, 7], 1);

const games = { BAC: 'baccarat', SUP: 'sands-super', ELM: 'sands-elements', FAB: 'fabulous-4', ETG: 'tiger' };

for (const [book, game] of Object.entries(games)) {
  test(`[READING 59] ${book}: every irregularity during every other, in every phase: money is conserved, a round ends once, and only the named round changes`, () => {
    let both = 0;
    for (const moment of moments) {
      const table = tableAt(game, moment);
      for (const [one, first] of situations.entries()) {
        for (const [other, second] of situations.entries()) {
          for (const turn of turns) {
            const run = new Run(table, turn + one * 3 + other);
            const opened = [run.open(first), run.open(second)];
            run.checkViews();
            run.checkOptions();
            both += opened.every(Boolean) ? 1 : 0;
            if ((one + other) % 2 === 0) run.collect();
            run.finish();
            expect(run.problems(), `${first}, then ${second}, ${moment}, turn ${turn}`).toEqual([]);
          }
        }
      }
    }
    // Pairs that can be open together; the others are refused during the first or in that phase.
    expect(both).toBeGreaterThan(1000);
  });
}
