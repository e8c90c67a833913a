import { expect, test } from 'vitest';
import { recallOf, tableHistory } from '../../src/history/tableHistory.ts';
import { meter, noMeters } from '../../src/ledger/meters.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { type Table } from '../../src/table/state.ts';
import { EntryRecorder, historyAt, historyOf, entriesOfSitting, tableStream } from './storedEntries.ts';
import { supervisor, shiftManager, readyTable, TableScenario, openedTable } from '../table/tableScenario.ts';

/** Banker wins by nine against six, in one suit after another. */
const nineOf = (n: number): string => ['2', '9', '4', 'T'].map((rank) => `${rank}${'CDHS'[n % 4]}`).join(' ');

const afterSettlement = [supervisor, shiftManager] as const;

test('the recall shows slip, payment and clause of each wager, and credit before and after', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { tie: 100, banker: 1000 }, T2: { tie: 300 } });
  const history = historyAt(sit);
  const [first, ...others] = recallOf([history], 'T1', 10);
  expect(others).toEqual([]);
  expect(first!.round).toBe(history.rounds[sit.round]);
  expect(first!.line).toEqual({
    round: sit.round,
    slip: { banker: 1000, tie: 100 },
    version: 2,
    creditBefore: 10_000,
    creditAfter: 10_850,
    settled: [
      {
        settlement: `${sit.round}#1`,
        at: sit.at,
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
  // Whoever loses has no posting: the credit is as the stake left it.
  expect(recallOf([history], 'T2', 10)[0]!.line).toMatchObject({
    creditBefore: 10_000,
    creditAfter: 9700,
    settled: [{ creditBefore: 9700, creditAfter: 9700 }],
  });
  expect(recallOf([history], 'T9', 10)).toEqual([]);
});

test('the recall shows the open round with its present stakes', () => {
  const sit = readyTable('tiger').bets({ T1: { banker: 1000 } });
  sit.slip('T1', { banker: 400, tie: 100 });
  sit.slip('T1', { banker: 100, tie: 400 });
  expect(recallOf([historyAt(sit)], 'T1', 10)).toMatchObject([
    { line: { slip: { banker: 100, tie: 400 }, creditBefore: 10_000, creditAfter: 9500, settled: [] } },
  ]);
});

test('the recall drops an emptied slip and loses no other round for it', () => {
  const sit = readyTable('tiger');
  for (let n = 0; n < 10; n++) sit.playRound(nineOf(n), { T1: { tie: 100 } });
  const before = historyAt(sit).recall;
  sit.bets({ T1: { tie: 100 }, T2: { tie: 100 } });
  expect(recallOf([historyAt(sit)], 'T1', 20)).toHaveLength(11);
  sit.slip('T1', {});
  sit.slip('T2', {});
  expect(historyAt(sit).recall).toEqual(before);
  sit.slip('T1', { tie: 100 });
  sit.slip('T1', { tie: 100, banker: 100 });
  sit.slip('T2', { tie: 100 });
  sit.slip('T2', {});
  sit.slip('T3', {});
  expect(Object.keys(historyAt(sit).recall.terminals)).toEqual(['T1']);
});

test('the recall holds its depth of rounds, newest first, and at least ten', () => {
  const sit = readyTable('tiger');
  for (let n = 0; n < 14; n++) sit.playRound(nineOf(n), { T1: { tie: 100 }, ...(n < 2 && { T2: { tie: 100 } }) });
  const record = entriesOfSitting(sit).of(tableStream);
  for (const depth of [10, 12, 100]) {
    const lines = recallOf([historyOf(record, depth)], 'T1', depth);
    expect(lines.map(({ round }) => round.number)).toEqual(
      Array.from({ length: Math.min(14, depth) }, (_, n) => 14 - n),
    );
    expect(recallOf([historyOf(record, depth)], 'T2', depth)).toHaveLength(2);
  }
  for (const depth of [9, 0, 10.5, Number.NaN]) {
    expect(() => tableHistory(tableStream, depth)).toThrow('Broken: a recall holds 10 rounds at least');
  }
});

test('[READING 16] a round that is settled again shows both settlements, and what could not be taken back', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 2, card: '6S', reason: 'a six' }, afterSettlement, { T1: 300 });
  const [{ line, round }] = recallOf([historyAt(sit)], 'T1', 10) as [ReturnType<typeof recallOf>[number]];
  expect(line.settled).toMatchObject([
    { settlement: `${sit.round}#1`, short: 0, paid: [{ result: 'win', returned: 1950 }] },
    { settlement: `${sit.round}#2`, short: 650, paid: [{ result: 'push', returned: 1000 }] },
  ]);
  const [first, second] = line.settled;
  expect(first!.creditAfter - first!.creditBefore).toBe(1950);
  expect(second!.creditAfter - second!.creditBefore).toBe(1000 - 1950 + 650);
  expect(line.creditAfter).toBe(second!.creditAfter);
  expect(round.ends).toHaveLength(2);
});

test('the recall ignores a correction of a round beyond its depth', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { tie: 100 } });
  const first = sit.round;
  for (let n = 0; n < 10; n++) sit.playRound(nineOf(n), { T1: { tie: 100 } });
  const before = historyAt(sit);
  sit.doByTwo(
    'CorrectCard',
    { round: first, place: 2, card: '8S', slips: { T1: { tie: 100 } }, reason: 'an eight' },
    afterSettlement,
    { T1: 10_000 },
  );
  const after = historyAt(sit);
  expect(after.recall).toEqual(before.recall);
  expect(after.rounds[first]!.ends).toHaveLength(2);
});

test('[READING 50] rounds of one terminal at two tables stand in the order in which its credit moved', () => {
  const open = (table: string): TableScenario => {
    const sit = new TableScenario();
    sit.do(
      'OpenTable',
      { settings: { ...openedTable('tiger').table!.settings, table }, second: shiftManager },
      {
        person: 'p1',
        role: 'pit-manager',
      },
    );
    return sit.shoe(`S-${table}`);
  };
  const tables = [open('B1'), open('B2')] as const;
  const record = new EntryRecorder();
  const taken = new Map<TableScenario, number>();
  const write = (sit: TableScenario, table: string): void => {
    for (const { event, postings } of sit.entries.slice(taken.get(sit) ?? 0))
      record.add(`sg1/table/${table}`, event, postings);
    taken.set(sit, sit.entries.length);
  };
  for (const n of [0, 1, 1, 0, 1]) {
    tables[n]!.playRound('2C 9S 4D TD', { T1: { tie: 100 } });
    write(tables[n]!, `B${n + 1}`);
  }
  const histories = ['B1', 'B2'].map((table) => historyOf(record.of(`sg1/table/${table}`)));
  const at1 = (depth: number) => recallOf(histories, 'T1', depth).map(({ round }) => round.shoe);
  expect(at1(10)).toEqual(['S-B2', 'S-B1', 'S-B2', 'S-B2', 'S-B1']);
  expect(at1(2)).toEqual(['S-B2', 'S-B1']);
});

test('the meters of a table history equal those of its settlements', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } });
  sit.bets({ T1: { tie: 100 } }).do('VoidRound', { reason: 'x' });
  sit.playRound('9S 2C 9H 4D', { T2: { player: 500 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {
    T2: 10_000,
  });
  const meters = noMeters();
  let table: Table | undefined;
  for (const { event } of sit.entries) {
    if (event.type === 'SettlementPosted') meter(meters, event, table!);
    table = evolve(table, structuredClone(event));
  }
  const history = historyAt(sit);
  expect(history.meters).toEqual(meters);
  expect(history.meters.terminals['T1']).toMatchObject({ coinIn: 1200, coinOut: 1950, voided: 100, roundsVoid: 1 });
  expect(history.meters.terminals['T2']).toMatchObject({ coinIn: 1000, reversed: 1000, resettled: 1 });
  expect(history.table).toEqual(sit.table);
});

test('[READING 13] a slip that is void by itself is told in the story, and its terminal recalls what came back', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { player: 1000 }, T2: { tie: 300 } })
    .close()
    .deal('9S');
  sit.do('Refer', { reason: 'a dead terminal', terminal: 'T1' });
  sit.do('DecideReferral', { decision: 'void', reason: 'it never showed the closing' }, shiftManager);
  const before = historyAt(sit);
  expect(before.rounds[sit.round]!.ends).toEqual([]);
  expect(before.rounds[sit.round]!.timeline.map(({ type }) => type)).toContain('SlipVoided');
  sit.deal('2C 9H 4D').settle();
  const { rounds, recall } = historyAt(sit);
  expect(rounds[sit.round]!.ends).toMatchObject([{ settlement: `${sit.round}#1`, postedAt: sit.at }]);
  expect(recall.terminals['T1']).toMatchObject([
    {
      creditBefore: 10_000,
      creditAfter: 10_000,
      settled: [{ settlement: `${sit.round}#slip1`, paid: [{ result: 'void' }] }],
    },
  ]);
  expect(recall.terminals['T2']).toMatchObject([{ settled: [{ settlement: `${sit.round}#1` }] }]);
});
