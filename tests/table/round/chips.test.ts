import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { reportedWagerInstructions } from '../../../src/table/views/feltInstructions.ts';
import { type TableScenario, readyTable } from '../tableScenario.ts';

// Chips that were placed late, raised or withdrawn.

const dealt = (cards: string): TableScenario => readyTable('baccarat', { bets: 'chips' }).bets().close().deal(cards);
const report = (
  scenario: TableScenario,
  kind: 'late-wager' | 'raised-wager' | 'withdrawn-wager',
  wager: string,
  amount = 2000,
) => scenario.do('ReportWager', { kind, place: '6', wager, amount });

test('[BAC 5.6] late chips are returned, and of a raise the excess, whatever the result of the round', () => {
  const scenario = dealt('9S 2C');
  report(scenario, 'late-wager', 'banker', 20_000);
  report(scenario, 'raised-wager', 'player', 500);
  const back = [
    { place: '6', wager: 'banker', kind: 'late-wager', amount: 20_000, by: 'BAC 5.6', do: 'return', pays: null },
    { place: '6', wager: 'player', kind: 'raised-wager', amount: 500, by: 'BAC 5.6', do: 'return', pays: null },
  ];
  expect(buildDealerView(scenario.table!).places).toEqual(back);
  scenario.deal('9H 4D').settle();
  expect(buildDealerView(scenario.table!).places).toEqual(back);
  expect(reportedWagerInstructions(scenario.bets().table!)).toEqual([]);
  expect(reportedWagerInstructions(readyTable('baccarat', { bets: 'chips' }).table!)).toEqual([]);
});

test('[BAC 5.7] a withdrawn wager wins or loses by the cards as if it were still placed', () => {
  const outcomeOf = (cards: string, wager: string, amount?: number) => {
    const scenario = dealt('9S');
    report(scenario, 'withdrawn-wager', wager, amount);
    expect(reportedWagerInstructions(scenario.table!)).toMatchObject([{ do: 'wait', pays: null, by: 'BAC 5.7' }]);
    scenario.deal(cards);
    return reportedWagerInstructions(scenario.table!)[0];
  };
  expect(outcomeOf('2C 9H 4D', 'player')).toMatchObject({ do: 'pay', pays: 2000 });
  expect(outcomeOf('2C 9H 4D', 'banker')).toMatchObject({ do: 'take', pays: null });
  expect(outcomeOf('2C TH 7D', 'banker')).toMatchObject({ do: 'push', pays: null });
  expect(outcomeOf('9C 8H KD', 'banker')).toMatchObject({ do: 'pay', pays: 1900 });
  // A stake that gives no whole cents is paid by the odds of its spot.
  expect(outcomeOf('9C 8H KD', 'banker', 1001)).toMatchObject({ do: 'pay', pays: null });
});

test('[READING 20] in a void round nothing is owed for a withdrawn wager', () => {
  const scenario = dealt('9S');
  report(scenario, 'withdrawn-wager', 'tie');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.doByTwo('VoidRound', { reason: 'x' });
  expect(reportedWagerInstructions(scenario.table!)).toMatchObject([{ do: 'push', pays: null }]);
});
