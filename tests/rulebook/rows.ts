import { expect, test } from 'vitest';
import { assert } from '../../src/base/assert.ts';
import { type Card, type DeckId, parseCard } from '../../src/rules/card.ts';
import { type Deal, parseDeal } from '../../src/rules/deal.ts';
import { type FactName } from '../../src/rules/facts.ts';
import { type Game } from '../../src/rules/game.ts';
import { nextSlot } from '../../src/rules/play.ts';
import { reduceRatio } from '../../src/base/ratio.ts';
import { settle } from '../../src/rules/settle.ts';
import { readyTable } from '../table/tableScenario.ts';

/**
 * A line of a rulebook table: the id of the row, the cards as they leave the shoe, the subject, and its expected
 * value.
 */
export type Row = {
  readonly id: string;
  readonly cards: readonly string[];
  /** A wager, a fact, or `next` for the slot that the next card fills. */
  readonly subject: string;
  readonly expected: string;
};

export const rowsIn = (table: string): readonly Row[] =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [id, cards, subject, expected] = line.split('|').map((cell) => cell.trim());
      assert(expected !== undefined, `a row has four cells: ${line}`);
      return { id: id!, cards: cards!.split(' '), subject: subject!, expected };
    });

const stake = 100_00;

/**
 * The result of the rules for a row: "8 to 1 by BAC 4.1", "loses by BAC 3.10", "push by BAC 3.10.1", or a fact's
 * value.
 */
export function resultOf(game: Game, { cards, subject }: Row): string {
  if (subject === 'next') return nextSlot(cardsFrom(cards, game.deck)) ?? 'none';
  const { facts } = dealt(cards, game.deck);
  if (Object.hasOwn(facts, subject)) return String(facts[subject as FactName]);
  const settled = settle(game, subject, facts, stake);
  if ('refused' in settled) return `refused: ${settled.refused}`;
  if (settled.result !== 'win') return `${settled.result === 'lose' ? 'loses' : 'push'} by ${settled.by}`;
  const [win, per] = reduceRatio([settled.won, stake]);
  return `${win} to ${per} by ${settled.by}`;
}

/** One test a row. A row may omit the clause of its expected result. */
export function rounds(game: Game, table: string): void {
  for (const row of rowsIn(table)) {
    test(`[${row.id}] ${game.id}: ${row.cards.join(' ')}: ${row.subject} ${row.expected}`, () => {
      expect(comparable(row, resultOf(game, row))).toBe(row.expected);
      if (Object.hasOwn(game.wagers, row.subject)) expect(moneyAtTable(game, row)).toBe(moneyOf(row));
    });
  }
}

/** What a terminal has won or lost after a round at a table, of which the table keeps nothing. */
function moneyAtTable(game: Game, { cards, subject }: Row): number {
  const scenario = readyTable(game.id).playRound(cards.join(' '), { T1: { [subject]: stake } });
  expect(scenario.account('stakes')).toBe(0);
  return scenario.balance('T1');
}

/** What the row says that a terminal wins or loses. */
function moneyOf({ expected }: Row): number {
  if (expected.startsWith('loses')) return -stake;
  if (expected.startsWith('push')) return 0;
  const [, win, per] = /^(\d+) to (\d+)/.exec(expected)!;
  return (stake * Number(win)) / Number(per);
}

/** A result with its clause only when the row has one. */
export const comparable = ({ expected }: Row, result: string): string =>
  expected.includes(' by ') ? result : result.replace(/ by .*/, '');

export const cardsFrom = (texts: readonly string[], deck: DeckId): readonly Card[] =>
  texts.map((text) => {
    const card = parseCard(text, deck);
    assert(typeof card === 'string', `${text} is a card`);
    return card;
  });

export function dealt(texts: readonly string[], deck: DeckId): Deal {
  const deal = parseDeal(texts, { deck, decks: 8 });
  if ('facts' in deal) return deal;
  throw new Error(`${texts.join(' ')} is no whole deal: ${JSON.stringify(deal)}`);
}
