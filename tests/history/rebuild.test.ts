import { type Actor } from '../../src/access/actor.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ProjectionEntry } from '../../src/history/entry.ts';
import { type TableHistory, emptyTableHistory, projectTableEntry } from '../../src/history/tableHistory.ts';
import { type StakeResult } from '../../src/table/payouts.ts';
import { type Roll, randomCommand, terminals } from '../table/random.ts';
import { historyOf, entriesOfScenario, tableStream } from './storedEntries.ts';
import { openedTable, readyTable, type TableScenario, type VirtualShoe } from '../table/tableScenario.ts';

const begin = 5_000;
const depth = 10;

type Start = { readonly scenario: TableScenario; readonly shoe: VirtualShoe | undefined };

const starts: { readonly [name: string]: () => Start } = {
  'a live table of Tiger that pays one slip at a time': () => ({
    scenario: readyTable('tiger', { chunk: 1 }),
    shoe: undefined,
  }),
  'a live table of Sands Super': () => ({
    scenario: readyTable('sands-super', { roundsAfterCut: 1 }),
    shoe: undefined,
  }),
  'a virtual table': () => {
    const scenario = openedTable('super-six', { dealing: 'virtual' });
    return { scenario, shoe: scenario.virtualShoe('9S 2C 9H 4D') };
  },
};

/** Entries of random commands by any actor; refused ones are skipped. */
function playedEntries({ scenario, shoe }: Start, rolls: readonly Roll[]): TableScenario {
  for (const roll of rolls) {
    const credits = Object.fromEntries(terminals.map((one) => [one, begin + scenario.balance(one)]));
    const { type, actor, ...fields } = randomCommand(roll, scenario.table!, credits, shoe);
    scenario.wait(roll.wait).submit(type, fields, actor as Actor);
  }
  return scenario;
}

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** The history in two parts, saved in between, both parsed from JSON. */
function historyInParts(entries: readonly ProjectionEntry[], cut: number): TableHistory {
  const first = copyOf(entries.slice(0, cut)).reduce(projectTableEntry, emptyTableHistory(tableStream, depth));
  return copyOf(entries.slice(cut)).reduce(projectTableEntry, copyOf(first));
}

const sum = (paid: readonly StakeResult[]): number => paid.reduce((total, { returned }) => total + returned, 0);

/** Invariants between a history and its table. */
function expectAgreement(history: TableHistory, scenario: TableScenario): void {
  const table = scenario.table!;
  expect(history.table).toEqual(table);
  for (const played of [...table.history, ...(table.round ? [table.round] : [])]) {
    const round = history.rounds[played.id]!;
    expect(round.cards.map(({ card }) => card)).toEqual(played.cards);
    expect(round.ends).toHaveLength(played.settlements);
    expect([round.number, round.day, round.shoe, round.game]).toEqual([
      played.number,
      played.day,
      played.shoe,
      played.game,
    ]);
    const last = round.ends.at(-1)?.ending;
    if (played.ending === null) expect(last).toBeUndefined();
    else if ('voidBy' in played.ending) expect(last).toMatchObject({ voidBy: played.ending.voidBy });
    else expect(last).toEqual(played.ending);
  }
  for (const lines of Object.values(history.recall.terminals)) {
    const open = lines.filter(({ settled }) => settled.length === 0);
    expect(lines.length - open.length).toBeLessThanOrEqual(depth);
    for (const { settled: settlement } of lines) {
      for (const [n, one] of settlement.entries()) {
        const before = n === 0 ? 0 : sum(settlement[n - 1]!.paid);
        expect(one.creditAfter - one.creditBefore).toBe(sum(one.paid) - before + one.short);
      }
    }
  }
  const timelines = Object.values(history.rounds).flatMap(({ timeline }) => timeline);
  expect(JSON.stringify(timelines)).not.toContain('"person"');
}

const roll = fc.record({
  kind: fc.nat(1000),
  actor: fc.nat(1000),
  a: fc.nat(1000),
  b: fc.nat(100_000),
  wait: fc.oneof(fc.nat(3000), fc.constant(25_000), fc.constant(0)),
});

for (const [name, start] of Object.entries(starts)) {
  test(`the history of ${name} after random commands is the same when rebuilt at once or in parts, and agrees with the table`, () => {
    fc.assert(
      fc.property(fc.array(roll, { maxLength: 300, size: 'max' }), fc.nat(), (rolls, cut) => {
        const scenario = playedEntries(start(), rolls);
        const entries = entriesOfScenario(scenario, begin).of(tableStream);
        const whole = historyOf(entries, depth);
        expect(copyOf(whole)).toEqual(whole);
        expect(historyOf(copyOf(entries), depth)).toEqual(whole);
        expect(historyInParts(entries, cut % (entries.length + 1))).toEqual(whole);
        expectAgreement(whole, scenario);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
}
