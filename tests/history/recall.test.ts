import { expect, test } from 'vitest';
import { recallOfTerminal, emptyTableHistory } from '../../src/history/tableHistory.ts';
import { addToTableMeters, emptyTableMeters } from '../../src/ledger/meters.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { type Table } from '../../src/table/state.ts';
import { EntryRecorder, historyOfScenario, historyOf, entriesOfScenario, tableStream } from './storedEntries.ts';
import { supervisor, shiftManager, readyTable, TableScenario, openedTable } from '../table/tableScenario.ts';

/** Banker wins by nine against six, in one suit after another. */
const nineOf = (n: number): string => ['2', '9', '4', 'T'].map((rank) => `${rank}${'CDHS'[n % 4]}`).join(' ');

const afterSettlement = [supervisor, shiftManager] as const;

test('the recall shows slip, payment and clause of each wager, and credit before and after', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { tie: 100, banker: 1000 }, T2: { tie: 300 } });
  const history = historyOfScenario(scenario);
  const [first, ...others] = recallOfTerminal([history], 'T1', 10);
  expect(others).toEqual([]);
  expect(first!.round).toBe(history.rounds[scenario.round]);
  expect(first!.line).toEqual({
    round: scenario.round,
    slip: { banker: 1000, tie: 100 },
    version: 2,
    creditBefore: 10_000,
    creditAfter: 10_850,
    settled: [
      {
        settlement: `${scenario.round}#1`,
        at: scenario.at,
        paid: [
          { wager: 'banker', stake: 1000, result: 'win', won: 950, commission: 50, returned: 1950, by: 'ETG 4.7' },
          { wager: 'tie', stake: 100, result: 'lose', won: 0, commission: 0, returned: 0, by: 'ETG 1.1.17' },
        ],
        short: 0,
        creditBefore: 8900,
        creditAfter: 10_850,
      },
    ],
  });
  // A lost stake has no posting: the credit is as the stake left it.
  expect(recallOfTerminal([history], 'T2', 10)[0]!.line).toMatchObject({
    creditBefore: 10_000,
    creditAfter: 9700,
    settled: [{ creditBefore: 9700, creditAfter: 9700 }],
  });
  expect(recallOfTerminal([history], 'T9', 10)).toEqual([]);
});

test('the recall shows the open round with its present stakes', () => {
  const scenario = readyTable('tiger').bets({ T1: { banker: 1000 } });
  scenario.slip('T1', { banker: 400, tie: 100 });
  scenario.slip('T1', { banker: 100, tie: 400 });
  expect(recallOfTerminal([historyOfScenario(scenario)], 'T1', 10)).toMatchObject([
    { line: { slip: { banker: 100, tie: 400 }, creditBefore: 10_000, creditAfter: 9500, settled: [] } },
  ]);
});

test('the recall drops an emptied slip and loses no other round for it', () => {
  const scenario = readyTable('tiger');
  for (let n = 0; n < 10; n++) scenario.playRound(nineOf(n), { T1: { tie: 100 } });
  const before = historyOfScenario(scenario).recall;
  scenario.bets({ T1: { tie: 100 }, T2: { tie: 100 } });
  expect(recallOfTerminal([historyOfScenario(scenario)], 'T1', 20)).toHaveLength(11);
  scenario.slip('T1', {});
  scenario.slip('T2', {});
  expect(historyOfScenario(scenario).recall).toEqual(before);
  scenario.slip('T1', { tie: 100 });
  scenario.slip('T1', { tie: 100, banker: 100 });
  scenario.slip('T2', { tie: 100 });
  scenario.slip('T2', {});
  scenario.slip('T3', {});
  expect(Object.keys(historyOfScenario(scenario).recall.terminals)).toEqual(['T1']);
});

test('the recall holds its depth of rounds, newest first, and at least ten', () => {
  const scenario = readyTable('tiger');
  for (let n = 0; n < 14; n++) scenario.playRound(nineOf(n), { T1: { tie: 100 }, ...(n < 2 && { T2: { tie: 100 } }) });
  const entries = entriesOfScenario(scenario).of(tableStream);
  for (const depth of [10, 12, 100]) {
    const lines = recallOfTerminal([historyOf(entries, depth)], 'T1', depth);
    expect(lines.map(({ round }) => round.number)).toEqual(
      Array.from({ length: Math.min(14, depth) }, (_, n) => 14 - n),
    );
    expect(recallOfTerminal([historyOf(entries, depth)], 'T2', depth)).toHaveLength(2);
  }
  for (const depth of [9, 0, 10.5, Number.NaN]) {
    expect(() => emptyTableHistory(tableStream, depth)).toThrow('Broken: a recall keeps at least 10 rounds');
  }
});

test('[READING 16] a round that is settled again shows both settlements, and what could not be taken back', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 2, card: '6S', reason: 'a six' }, afterSettlement, {
    T1: 300,
  });
  const [{ line, round }] = recallOfTerminal([historyOfScenario(scenario)], 'T1', 10) as [
    ReturnType<typeof recallOfTerminal>[number],
  ];
  expect(line.settled).toMatchObject([
    { settlement: `${scenario.round}#1`, short: 0, paid: [{ result: 'win', returned: 1950 }] },
    { settlement: `${scenario.round}#2`, short: 650, paid: [{ result: 'push', returned: 1000 }] },
  ]);
  const [first, second] = line.settled;
  expect(first!.creditAfter - first!.creditBefore).toBe(1950);
  expect(second!.creditAfter - second!.creditBefore).toBe(1000 - 1950 + 650);
  expect(line.creditAfter).toBe(second!.creditAfter);
  expect(round.ends).toHaveLength(2);
});

test('the recall ignores a correction of a round beyond its depth', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { tie: 100 } });
  const first = scenario.round;
  for (let n = 0; n < 10; n++) scenario.playRound(nineOf(n), { T1: { tie: 100 } });
  const before = historyOfScenario(scenario);
  scenario.doByTwo(
    'CorrectCard',
    { round: first, place: 2, card: '8S', slips: { T1: { tie: 100 } }, reason: 'an eight' },
    afterSettlement,
    { T1: 10_000 },
  );
  const after = historyOfScenario(scenario);
  expect(after.recall).toEqual(before.recall);
  expect(after.rounds[first]!.ends).toHaveLength(2);
});

test('[READING 50] rounds of one terminal at two tables are in the order in which its credit moved', () => {
  const open = (table: string): TableScenario => {
    const scenario = new TableScenario();
    scenario.do(
      'OpenTable',
      { settings: { ...openedTable('tiger').table!.settings, table }, second: shiftManager },
      {
        person: 'p1',
        role: 'pit-manager',
      },
    );
    return scenario.shoe(`S-${table}`);
  };
  const tables = [open('B1'), open('B2')] as const;
  const entries = new EntryRecorder();
  const entryCounts = new Map<TableScenario, number>();
  const write = (scenario: TableScenario, table: string): void => {
    for (const { event, postings } of scenario.entries.slice(entryCounts.get(scenario) ?? 0))
      entries.add(`sg1/table/${table}`, event, postings);
    entryCounts.set(scenario, scenario.entries.length);
  };
  for (const n of [0, 1, 1, 0, 1]) {
    tables[n]!.playRound('2C 9S 4D TD', { T1: { tie: 100 } });
    write(tables[n]!, `B${n + 1}`);
  }
  const histories = ['B1', 'B2'].map((table) => historyOf(entries.of(`sg1/table/${table}`)));
  const shoesOfT1 = (depth: number) => recallOfTerminal(histories, 'T1', depth).map(({ round }) => round.shoe);
  expect(shoesOfT1(10)).toEqual(['S-B2', 'S-B1', 'S-B2', 'S-B2', 'S-B1']);
  expect(shoesOfT1(2)).toEqual(['S-B2', 'S-B1']);
});

test('the meters of a table history equal those of its settlements', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', {
    T1: { banker: 1000, tie: 100 },
    T2: { player: 500 },
  });
  scenario.bets({ T1: { tie: 100 } }).do('VoidRound', { reason: 'x' });
  scenario.playRound('9S 2C 9H 4D', { T2: { player: 500 } });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {
    T2: 10_000,
  });
  const meters = emptyTableMeters();
  let table: Table | undefined;
  for (const { event } of scenario.entries) {
    if (event.type === 'SettlementPosted') addToTableMeters(meters, event, table!);
    table = evolve(table, structuredClone(event));
  }
  const history = historyOfScenario(scenario);
  expect(history.meters).toEqual(meters);
  expect(history.meters.terminals['T1']).toMatchObject({ coinIn: 1200, coinOut: 1950, voided: 100, roundsVoid: 1 });
  expect(history.meters.terminals['T2']).toMatchObject({ coinIn: 1000, reversed: 1000, resettled: 1 });
  expect(history.table).toEqual(scenario.table);
});

test('[READING 13] a single void slip is in the timeline, and its terminal recalls the returned stake', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { player: 1000 }, T2: { tie: 300 } })
    .close()
    .deal('9S');
  scenario.do('Refer', { reason: 'a dead terminal', terminal: 'T1' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'it never showed the closing' }, shiftManager);
  const before = historyOfScenario(scenario);
  expect(before.rounds[scenario.round]!.ends).toEqual([]);
  expect(before.rounds[scenario.round]!.timeline.map(({ type }) => type)).toContain('SlipVoided');
  scenario.deal('2C 9H 4D').settle();
  const { rounds, recall } = historyOfScenario(scenario);
  expect(rounds[scenario.round]!.ends).toMatchObject([{ settlement: `${scenario.round}#1`, postedAt: scenario.at }]);
  expect(recall.terminals['T1']).toMatchObject([
    {
      creditBefore: 10_000,
      creditAfter: 10_000,
      settled: [{ settlement: `${scenario.round}#slip1`, paid: [{ result: 'void' }] }],
    },
  ]);
  expect(recall.terminals['T2']).toMatchObject([{ settled: [{ settlement: `${scenario.round}#1` }] }]);
});
