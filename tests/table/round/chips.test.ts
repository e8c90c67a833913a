import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { reportedChipsInstructions } from '../../../src/table/views/feltInstructions.ts';
import { type TableScenario, readyTable } from '../tableScenario.ts';

// Chips that were placed late, raised or withdrawn.

const live = [
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
] as const;

const inDeckOf = (game: string, cards: string): string =>
  game === 'sands-elements' ? cards.replaceAll(/[CDHS]/g, (suit) => String('CDHS'.indexOf(suit) + 1)) : cards;
const dealt = (cards: string, game = 'baccarat'): TableScenario =>
  readyTable(game, { bets: 'chips' }).bets().close().deal(inDeckOf(game, cards));
const report = (
  scenario: TableScenario,
  kind: 'late-wager' | 'raised-wager' | 'withdrawn-wager',
  wager: string,
  amount = 2000,
) => scenario.do('ReportWager', { kind, place: '6', wager, amount });

test.each(live)(
  '[%s 5.6] at %s late chips are returned, and of a raise the excess, whatever the result of the round',
  (book, game) => {
    const by = `${book} 5.6`;
    for (const rest of ['9H 4D', 'TH 7C', '9H 7C']) {
      const scenario = dealt('9S 2C', game);
      report(scenario, 'late-wager', 'banker', 20_000);
      report(scenario, 'raised-wager', 'player', 500);
      const back = [
        { place: '6', wager: 'banker', kind: 'late-wager', amount: 20_000, by, do: 'return', pays: null },
        { place: '6', wager: 'player', kind: 'raised-wager', amount: 500, by, do: 'return', pays: null },
      ];
      expect(buildDealerView(scenario.table!).places).toEqual(back);
      scenario.deal(inDeckOf(game, rest)).settle();
      expect(buildDealerView(scenario.table!).places).toEqual(back);
      expect(reportedChipsInstructions(scenario.bets().table!)).toEqual([]);
    }
    expect(reportedChipsInstructions(readyTable(game, { bets: 'chips' }).table!)).toEqual([]);
  },
);

test.each(live)(
  '[%s 5.7] at %s a withdrawn wager wins or loses by the cards as if it were still placed',
  (book, game) => {
    const outcomeOf = (cards: string, wager: string, amount?: number) => {
      const scenario = dealt('9S', game);
      report(scenario, 'withdrawn-wager', wager, amount);
      expect(reportedChipsInstructions(scenario.table!)).toMatchObject([{ do: 'wait', pays: null, by: `${book} 5.7` }]);
      scenario.deal(inDeckOf(game, cards));
      return reportedChipsInstructions(scenario.table!)[0];
    };
    expect(outcomeOf('2C 9H 4D', 'player')).toMatchObject({ do: 'pay', pays: 2000 });
    expect(outcomeOf('2C 9H 4D', 'banker')).toMatchObject({ do: 'take', pays: null });
    expect(outcomeOf('2C TH 7D', 'banker')).toMatchObject({ do: 'push', pays: null });
    expect(outcomeOf('9C 8H TD', 'banker')).toMatchObject({ do: 'pay', pays: book === 'BAC' ? 1900 : 2000 });
    // A stake that gives no whole cents is paid by the odds of its spot.
    if (book === 'BAC') expect(outcomeOf('9C 8H TD', 'banker', 1001)).toMatchObject({ do: 'pay', pays: null });
  },
);

test('[READING 20] in a void round nothing is owed for a withdrawn wager', () => {
  const scenario = dealt('9S');
  report(scenario, 'withdrawn-wager', 'tie');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.doByTwo('VoidRound', { reason: 'x' });
  expect(reportedChipsInstructions(scenario.table!)).toMatchObject([{ do: 'push', pays: null }]);
});
