import { expect, test } from 'vitest';
import { type Card, type DeckId } from '../../../src/rules/card.ts';
import { type Game } from '../../../src/rules/game.ts';
import { slots } from '../../../src/rules/play.ts';
import { dealerPromptOf } from '../../../src/table/views/prompt.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import { type TableScenario, readyTable } from '../../table/tableScenario.ts';
import { countedFacts, everyOutcome, ranksOf, twoCards } from '../deals.ts';
import { inDeck } from '../liveClaims.ts';

// Claims about the cards of a round at the table of a game, each under its own row.

/** True when the table takes the card in that slot. */
const takes = (scenario: TableScenario, slot: (typeof slots)[number], card: Card): boolean =>
  Array.isArray(scenario.submit('DealCard', { slot, card }));

/**
 * [3.9] Every step of a round: what the console asks for with the totals in its prompt, the totals on display after four
 * cards, and the only slot that takes a card.
 */
export function promptAfterFourCards(id: string, game: Game): void {
  for (const [cards, code, next, prompted, onDisplay] of [
    ['', 'first-card', 'P1'],
    ['2S', 'second-card', 'B1'],
    ['2S 3H', 'third-card', 'P2'],
    ['2S 3H AC', 'fourth-card', 'B2'],
    ['2S 3H AC 2D', 'player-draws', 'P3', [3, 5], [3, 5]],
    ['6S 3H AC 2D', 'player-stands', 'B3', [7, 5], [7, 5]],
    ['2S 3H AC 2D 4S', 'banker-draws', 'B3', [3, 5], [7, 5]],
    ['9S 2C KH 4D', 'result-player', null, [9, 6], [9, 6]],
    ['6S 3H AC 3D', 'result-player', null, [7, 6], [7, 6]],
    ['7S 8H TC 9D', 'result-tie', null, [7, 7], [7, 7]],
    ['6S 3H AC 2D 4S', 'result-banker', null, [7, 9], [7, 9]],
    ['2S 3H AC 4D 9S', 'result-banker', null, [2, 7], [2, 7]],
    ['2S 3H AC 2D 4S TS', 'result-player', null, [7, 5], [7, 5]],
  ] as const) {
    test(`[${id}] at ${game.id} the console asks after ${cards || 'no card'}: ${code}`, () => {
      const scenario = readyTable(game.id).bets().close().deal(inDeck(game.deck, cards));
      const prompt = dealerPromptOf(scenario.table!);
      expect(prompt.code).toBe(code);
      // No totals before the fourth card; those of two cards until drawing is over.
      expect([prompt.with['player'], prompt.with['banker']]).toEqual(prompted?.map(String) ?? [undefined, undefined]);
      const round = publicView(scenario.table!).round!;
      if (onDisplay) expect([round.player.total, round.banker.total]).toEqual(onDisplay);
      expect(round.next).toBe(next);
      const card = ranksOf(game.deck)[8]!;
      for (const slot of slots.filter((one) => one !== next)) expect(takes(scenario, slot, card), slot).toBe(false);
      expect(Array.isArray(scenario.wait(2_000).submit('Settle', {}))).toBe(next === null);
      if (next !== null) expect(takes(scenario, next, card)).toBe(true);
    });
  }
}

/** [3.9] A natural: the round is settled, and a further card is refused. */
export function settledOnNatural(id: string, game: Game, by: string): void {
  const settledAs = (cards: string) => {
    const scenario = readyTable(game.id).bets().close().deal(cards);
    expect(publicView(scenario.table!).round!.next, cards).toBeNull();
    expect(dealerPromptOf(scenario.table!).code).toMatch(/^result-/);
    for (const slot of slots) {
      const refusal = scenario.refusal('DealCard', { slot, card: ranksOf(game.deck)[3]! });
      expect(refusal, `${cards} ${slot}`).toMatchObject({ refused: 'card-after-deal', by });
    }
    return scenario.wait(2_000).do('Settle', {})[0]!.type;
  };
  test.each(['5D AC 3C QD', '6D AC 3C QD', 'AC 5D QD 3C', 'AC 6D QD 3C', '8D 9C QD KC'])(
    `[${id}] at ${game.id} the round of %s takes no further card and is settled`,
    (cards) => expect(settledAs(inDeck(game.deck, cards))).toBe('RoundSettled'),
  );
  test(`[${id}] at ${game.id} the round takes no further card at each of the 36 pairs of opening totals with an eight or nine`, () => {
    let pairs = 0;
    for (let player = 0; player < 10; player++) {
      for (let banker = 0; banker < 10; banker++) {
        if (player < 8 && banker < 8) continue;
        const [[p1, p2], [b1, b2]] = [twoCards(game.deck, player), twoCards(game.deck, banker)];
        expect(settledAs([p1, b1, p2, b2].join(' '))).toBe('RoundSettled');
        pairs += 1;
      }
    }
    expect(pairs).toBe(36);
  });
}

/** Complete rounds of each pair of final totals: the fewest cards that make it, and the most. */
function chosenRounds(deck: DeckId): readonly (readonly Card[])[] {
  const byTotals = new Map<string, (readonly Card[])[]>();
  for (const { cards } of everyOutcome(deck)) {
    const { playerTotal, bankerTotal } = countedFacts(cards);
    const totals = `${playerTotal} ${bankerTotal}`;
    byTotals.set(totals, [...(byTotals.get(totals) ?? []), cards]);
  }
  expect(byTotals.size).toBe(100);
  return [...byTotals.values()].flatMap((rounds) => {
    const sorted = rounds.toSorted((one, other) => one.length - other.length);
    return [...new Set([sorted[0]!, sorted.at(-1)!])];
  });
}

/** [3.10, 3.11] Who takes a round at the table, and what a tie does with the stakes of all terminals. */
export function winnerAtTable(
  ids: { readonly winner: string; readonly tie: string; readonly push: string; readonly eightToOne: string },
  game: Game,
): void {
  test(`[${ids.winner}] at ${game.id} the hand with the larger final total takes the round, and none does before drawing is over`, () => {
    for (const cards of chosenRounds(game.deck)) {
      const { winner } = countedFacts(cards);
      if (winner === 'tie') continue;
      const scenario = readyTable(game.id)
        .bets({ T1: { player: 1000, banker: 1000 } })
        .close();
      for (const card of cards) {
        expect(publicView(scenario.table!).round!.winner, cards.join(' ')).toBeNull();
        scenario.deal(card);
      }
      expect(dealerPromptOf(scenario.table!).code).toBe(`result-${winner}`);
      scenario.settle();
      const { winner: shown, results } = publicView(scenario.table!).round!;
      expect(shown, cards.join(' ')).toBe(winner);
      expect(results![winner === 'player' ? 'banker' : 'player']!.result).toBe('lose');
      expect(results![winner]!.result).not.toBe('lose');
    }
  });

  const ties = (): readonly (readonly Card[])[] =>
    chosenRounds(game.deck).filter((cards) => countedFacts(cards).winner === 'tie');
  const stakes = { T1: { player: 1000, tie: 500 }, T2: { banker: 2000, tie: 1700 }, T3: { player: 300, banker: 100 } };
  test(`[${ids.tie}] at ${game.id} a round of equal final totals is shown and settled as a tie, at each of the ten totals`, () => {
    const totals = new Set<number>();
    for (const cards of ties()) {
      const scenario = readyTable(game.id).bets(stakes).close().deal(cards.join(' '));
      expect(dealerPromptOf(scenario.table!).code).toBe('result-tie');
      const { winner, player, banker } = publicView(scenario.settle().table!).round!;
      expect([winner, player.total], cards.join(' ')).toEqual(['tie', banker.total]);
      totals.add(player.total);
    }
    expect(totals.size).toBe(10);
  });
  test(`[${ids.push}] at ${game.id} a tie hands the Player and Banker stakes of every terminal back, without win or commission`, () => {
    for (const cards of ties()) {
      const scenario = readyTable(game.id);
      const slips = { T1: { player: 1000 }, T2: { banker: 2000 }, T3: stakes.T3 };
      scenario.playRound(cards.join(' '), slips);
      for (const [terminal, slip] of Object.entries(slips)) {
        expect(terminalView(scenario.table!, terminal).paid).toMatchObject(
          Object.entries(slip).map(([wager, stake]) => ({
            wager,
            result: 'push',
            won: 0,
            commission: 0,
            returned: stake,
          })),
        );
      }
      expect(['T1', 'T2', 'T3'].map((terminal) => scenario.balance(terminal))).toEqual([0, 0, 0]);
      expect([scenario.account('house'), scenario.account('commission')]).toEqual([0, 0]);
    }
  });
  test(`[${ids.eightToOne}] at ${game.id} a tie pays the Tie stake of every terminal 8 to 1`, () => {
    for (const cards of ties()) {
      const scenario = readyTable(game.id).playRound(cards.join(' '), stakes);
      expect(['T1', 'T2', 'T3'].map((terminal) => scenario.balance(terminal))).toEqual([4000, 13_600, 0]);
      expect(scenario.account('house')).toBe(-17_600);
    }
  });
}
