import { expect, test } from 'vitest';
import { type Card } from '../rules/card.ts';
import { handsOf } from '../rules/play.ts';
import { drawClauseOf } from './drawClause.ts';
import { rulebooks } from './rulebooks.ts';

/** Each row: the cards dealt so far, and for each rulebook the clause that says what follows. */
const cases = `
                  | BAC 3.7.1 | SUP 3.7.1 | ELM 3.7.1 | FAB 3.7.1 | ETG 3.6.1
2S                | BAC 3.7.2 | SUP 3.7.2 | ELM 3.7.2 | FAB 3.7.2 | ETG 3.6.2
2S 3H             | BAC 3.7.1 | SUP 3.7.1 | ELM 3.7.1 | FAB 3.7.1 | ETG 3.6.1
2S 3H AC          | BAC 3.7.2 | SUP 3.7.2 | ELM 3.7.2 | FAB 3.7.2 | ETG 3.6.2
9S 2C KH 4D       | BAC 3.9.1 | SUP 3.9   | ELM 3.9   | FAB 3.8.1 | ETG 3.8
2C 8S KH KD       | BAC 3.9.1 | SUP 3.9   | ELM 3.9   | FAB 3.8.1 | ETG 3.8
2S 3H AC 2D       | BAC 3.9.2 | SUP 3.9   | ELM 3.9   | FAB 3.8.2 | ETG 3.8
5S 7H KC KD       | BAC 3.9.2 | SUP 3.9   | ELM 3.9   | FAB 3.8.2 | ETG 3.8
6S 3H KC 2D       | BAC 3.9.3 | SUP 3.9   | ELM 3.9   | FAB 3.8.3 | ETG 3.8
7S 6H KC KD       | BAC 3.9.3 | SUP 3.9   | ELM 3.9   | FAB 3.8.3 | ETG 3.8
6S 3H KC 2D 9S    | BAC 3.9.3 | SUP 3.9   | ELM 3.9   | FAB 3.8.3 | ETG 3.8
2S 3H AC 2D 4S    | BAC 3.9.4 | SUP 3.9   | ELM 3.9   | FAB 3.8.4 | ETG 3.8
2S 7H AC KD 5S    | BAC 3.9.4 | SUP 3.9   | ELM 3.9   | FAB 3.8.4 | ETG 3.8
2S 3H AC 2D 4S TS | BAC 3.9.4 | SUP 3.9   | ELM 3.9   | FAB 3.8.4 | ETG 3.8
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [string, ...string[]]);

test.each(cases)('after the cards "%s" the clause is %s and those of the other books', (cards, ...clauses) => {
  const hands = handsOf(cards === '' ? [] : (cards.split(' ') as Card[]));
  expect(rulebooks.map(({ draws }) => drawClauseOf(hands, draws))).toEqual(clauses);
});
