import { expect, test } from 'vitest';
import { type DeckId } from '../../src/rules/card.ts';
import { parseDeal } from '../../src/rules/deal.ts';
import { sideToDraw, nextSlot } from '../../src/rules/play.ts';
import { firstFour, ranksOf } from './deals.ts';

// The books word the table of play differently: two list what a Banker seven does, three say "otherwise stands"; some
// list single values, some ranges. Each book's rows are parsed here in their own words and checked against one
// function.

const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const noNatural = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** "0-9 except 8", "2,3,4", "6 or 7", "" */
export function valuesIn(text: string): readonly number[] {
  const [from = '', except = ''] = text.split(' except ');
  const listed = (list: string): number[] =>
    list
      .split(/,| or /)
      .filter((span) => span.trim() !== '')
      .flatMap((span) => {
        const [low, high = low] = span.split('-').map(Number) as [number, number?];
        return all.filter((value) => value >= low && value <= high);
      });
  return listed(from).filter((value) => !listed(except).includes(value));
}

/** Every two ranks whose total it is, in both orders. */
const pairsOf = (deck: DeckId, total: number) =>
  ranksOf(deck).flatMap((a) => ranksOf(deck).flatMap((b) => (totalIn([a, b]) === total ? [[a, b] as const] : [])));

/** Last digit of the sum of the points, which the letters of the ranks tell. */
const totalIn = (hand: readonly string[]): number =>
  hand.reduce((sum, card) => sum + 'A23456789'.indexOf(card[0]!) + 1, 0) % 10;

/** The next slot after four cards, or after a Player's third card, whichever cards make the totals and the value. */
const after = (deck: DeckId, player: number, banker: number, third?: number) => {
  const thirds =
    third === undefined ? [[]] : ranksOf(deck).flatMap((card) => (totalIn([card]) === third ? [[card]] : []));
  const found = new Set(
    pairsOf(deck, player).flatMap(([p1, p2]) =>
      pairsOf(deck, banker).flatMap(([b1, b2]) => thirds.map((last) => nextSlot([p1, b1, p2, b2, ...last]))),
    ),
  );
  const next = sideToDraw(player, banker, third);
  expect([...found]).toEqual([next && (next === 'player' ? 'P3' : 'B3')]);
  return [...found][0] ?? 'none';
};

/** Patterns of row texts, each with its check. */
const readings: readonly [RegExp, (deck: DeckId, ...groups: string[]) => void][] = [
  [
    /^either hand (.+): no hand draws$/,
    (deck, totals) => {
      for (const p of all) {
        for (const b of all) {
          const natural = valuesIn(totals).includes(p) || valuesIn(totals).includes(b);
          expect(after(deck, p, b) === 'none').toBe(natural || (p >= 6 && b >= 6));
          if (!natural) continue;
          for (const card of ranksOf(deck)) {
            const extra = [...firstFour(deck, p, b), card];
            expect(parseDeal(extra, { deck, decks: 8 })).toMatchObject({ refused: 'card-after-deal' });
          }
        }
      }
    },
  ],
  [
    /^Player (.+): Player draws$/,
    (deck, totals) => {
      for (const p of valuesIn(totals)) for (const b of noNatural) expect(after(deck, p, b)).toBe('P3');
    },
  ],
  [
    /^Player (.+): Player stands$/,
    (deck, totals) => {
      for (const p of valuesIn(totals)) {
        for (const b of noNatural) {
          if (after(deck, p, b) === 'none') continue;
          expect(after(deck, p, b)).toBe('B3');
          // The fifth card is the Banker's; no value of it brings the Player another.
          for (const card of ranksOf(deck)) expect(nextSlot([...firstFour(deck, p, b), card])).toBeUndefined();
        }
      }
    },
  ],
  [
    /^Player (.+): no hand draws$/,
    (deck, totals) => {
      for (const p of valuesIn(totals)) {
        for (const b of all) {
          expect(after(deck, p, b)).toBe('none');
          const deal = parseDeal(firstFour(deck, p, b), { deck, decks: 8 });
          expect(deal).toMatchObject({ facts: { playerNatural: true, playerCards: 2, bankerCards: 2 } });
        }
      }
    },
  ],
  [
    /^Player stood on (.+): Banker draws on (.+)$/,
    (deck, stood, draws) => {
      for (const p of valuesIn(stood)) {
        for (const b of noNatural) expect(after(deck, p, b)).toBe(valuesIn(draws).includes(b) ? 'B3' : 'none');
      }
    },
  ],
  [
    /^Banker (.+): draws against (.*)$/,
    (deck, totals, draws) => {
      for (const b of valuesIn(totals)) {
        for (const third of all) {
          for (let p = 0; p <= 5; p++) {
            expect(after(deck, p, b, third)).toBe(valuesIn(draws).includes(third) ? 'B3' : 'none');
          }
        }
      }
    },
  ],
  [
    /^Banker (.+): always stands$/,
    (deck, totals) => {
      for (const b of valuesIn(totals)) {
        for (const third of all) for (let p = 0; p <= 5; p++) expect(after(deck, p, b, third)).toBe('none');
        for (const p of [6, 7]) expect(after(deck, p, b)).toBe('none');
      }
    },
  ],
];

/** One test a row; `otherwise` checks the whole matrix against the rows of the same book. */
export function tableOfPlay(deck: DeckId, table: string): void {
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string]);
  for (const [id, text] of rows) {
    test(`[${id}] ${text}`, () => {
      if (text === 'otherwise: Banker stands') {
        checkStands(
          deck,
          rows.map(([, row]) => row),
        );
        return;
      }
      const reading = readings.find(([pattern]) => pattern.test(text));
      expect(reading, `the words "${text}" are understood`).toBeDefined();
      const [pattern, check] = reading!;
      check(deck, ...pattern.exec(text)!.slice(1));
    });
  }
}

/** Checks every cell of Banker total by Player's third card, or stand, in which no row of the book draws. */
function checkStands(deck: DeckId, rows: readonly string[]): void {
  const drawing = new Set<string>();
  for (const row of rows) {
    const [, stood, on] = /^Player stood on (.+): Banker draws on (.+)$/.exec(row) ?? [];
    if (stood) for (const b of valuesIn(on!)) drawing.add(`${b} stood`);
    const [, totals, against] = /^Banker (.+): draws against (.*)$/.exec(row) ?? [];
    if (totals) for (const b of valuesIn(totals)) for (const third of valuesIn(against!)) drawing.add(`${b} ${third}`);
  }
  let standCount = 0;
  for (const b of noNatural) {
    const thirds = [undefined, ...all];
    for (const third of thirds) {
      const draws = drawing.has(`${b} ${third ?? 'stood'}`);
      // The total of the Player hand matters only for whether it drew.
      for (const p of third === undefined ? [6, 7] : [0, 1, 2, 3, 4, 5]) {
        expect(after(deck, p, b, third) === 'B3', `Player ${p}, Banker ${b}`).toBe(draws);
      }
      standCount += Number(!draws);
    }
  }
  expect(standCount).toBe(8 * 11 - drawing.size);
}
