import { expect, test } from 'vitest';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { chipPlaces } from '../../src/table/views/chipPlaces.ts';
import { type TableScenario, readyTable } from './tableScenario.ts';

// Chips that were placed late, raised or withdrawn.

const dealt = (cards: string): TableScenario => readyTable('baccarat', { bets: 'chips' }).bets().close().deal(cards);
const report = (
  sit: TableScenario,
  kind: 'late-wager' | 'raised-wager' | 'withdrawn-wager',
  wager: string,
  amount = 2000,
) => sit.do('ReportWager', { kind, place: '6', wager, amount });

test('[BAC 5.6] chips laid down too late go back, and of a raise the excess does, whatever the round comes to', () => {
  const sit = dealt('9S 2C');
  report(sit, 'late-wager', 'banker', 20_000);
  report(sit, 'raised-wager', 'player', 500);
  const back = [
    { place: '6', wager: 'banker', kind: 'late-wager', amount: 20_000, by: 'BAC 5.6', do: 'return', pays: null },
    { place: '6', wager: 'player', kind: 'raised-wager', amount: 500, by: 'BAC 5.6', do: 'return', pays: null },
  ];
  expect(buildDealerView(sit.table!).places).toEqual(back);
  sit.deal('9H 4D').settle();
  expect(buildDealerView(sit.table!).places).toEqual(back);
  expect(chipPlaces(sit.bets().table!)).toEqual([]);
  expect(chipPlaces(readyTable('baccarat', { bets: 'chips' }).table!)).toEqual([]);
});

test('[BAC 5.7] a withdrawn wager wins or loses by the cards as if it were still on the felt', () => {
  const told = (cards: string, wager: string, amount?: number) => {
    const sit = dealt('9S');
    report(sit, 'withdrawn-wager', wager, amount);
    expect(chipPlaces(sit.table!)).toMatchObject([{ do: 'wait', pays: null, by: 'BAC 5.7' }]);
    sit.deal(cards);
    return chipPlaces(sit.table!)[0];
  };
  expect(told('2C 9H 4D', 'player')).toMatchObject({ do: 'pay', pays: 2000 });
  expect(told('2C 9H 4D', 'banker')).toMatchObject({ do: 'take', pays: null });
  expect(told('2C TH 7D', 'banker')).toMatchObject({ do: 'push', pays: null });
  expect(told('9C 8H KD', 'banker')).toMatchObject({ do: 'pay', pays: 1900 });
  // A stake that gives no whole cents is paid by the odds of its spot.
  expect(told('9C 8H KD', 'banker', 1001)).toMatchObject({ do: 'pay', pays: null });
});

test('[READING 20] in a void round nothing is owed for a withdrawn wager', () => {
  const sit = dealt('9S');
  report(sit, 'withdrawn-wager', 'tie');
  sit.do('ReportIrregularity', { kind: 'foreign-card' });
  sit.doByTwo('VoidRound', { reason: 'x' });
  expect(chipPlaces(sit.table!)).toMatchObject([{ do: 'push', pays: null }]);
});
