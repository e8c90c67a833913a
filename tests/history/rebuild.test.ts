import { type Actor } from '../../src/access/actor.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RecordedEntry } from '../../src/history/entry.ts';
import { type TableHistory, tableHistory, projectTableEntry } from '../../src/history/tableHistory.ts';
import { type StakeResult } from '../../src/table/payouts.ts';
import { type Roll, randomCommand, terminals } from '../table/random.ts';
import { historyOf, entriesOfSitting, tableStream } from './storedEntries.ts';
import { openedTable, readyTable, type TableScenario, type VirtualShoe } from '../table/tableScenario.ts';

const begin = 5_000;
const depth = 10;

type Start = { readonly sit: TableScenario; readonly shoe: VirtualShoe | undefined };

const starts: { readonly [name: string]: () => Start } = {
  'a live table of Tiger that pays one slip at a time': () => ({
    sit: readyTable('tiger', { chunk: 1 }),
    shoe: undefined,
  }),
  'a live table of Sands Super': () => ({ sit: readyTable('sands-super', { roundsAfterCut: 1 }), shoe: undefined }),
  'a virtual table': () => {
    const sit = openedTable('super-six', { dealing: 'virtual' });
    return { sit, shoe: sit.virtualShoe('9S 2C 9H 4D') };
  },
};

/** The table after random commands by anyone, refused ones passed over. */
function playedEntries({ sit, shoe }: Start, rolls: readonly Roll[]): TableScenario {
  for (const roll of rolls) {
    const credits = Object.fromEntries(terminals.map((one) => [one, begin + sit.balance(one)]));
    const { type, actor, ...fields } = randomCommand(roll, sit.table!, credits, shoe);
    sit.wait(roll.wait).submit(type, fields, actor as Actor);
  }
  return sit;
}

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Taken in two parts, the history saved in between and both read from text. */
function inParts(entries: readonly RecordedEntry[], cut: number): TableHistory {
  const first = copyOf(entries.slice(0, cut)).reduce(projectTableEntry, tableHistory(tableStream, depth));
  return copyOf(entries.slice(cut)).reduce(projectTableEntry, copyOf(first));
}

const sum = (paid: readonly StakeResult[]): number => paid.reduce((total, { returned }) => total + returned, 0);

/** What must hold between a history and the table that it follows. */
function agrees(history: TableHistory, sit: TableScenario): void {
  const table = sit.table!;
  expect(history.table).toEqual(table);
  for (const record of [...table.history, ...(table.round ? [table.round] : [])]) {
    const round = history.rounds[record.id]!;
    expect(round.cards.map(({ card }) => card)).toEqual(record.cards);
    expect(round.ends).toHaveLength(record.settlements);
    expect([round.number, round.day, round.shoe, round.game]).toEqual([
      record.number,
      record.day,
      record.shoe,
      record.game,
    ]);
    const last = round.ends.at(-1)?.ending;
    if (record.ending === null) expect(last).toBeUndefined();
    else if ('voidBy' in record.ending) expect(last).toMatchObject({ voidBy: record.ending.voidBy });
    else expect(last).toEqual(record.ending);
  }
  for (const lines of Object.values(history.recall.terminals)) {
    const open = lines.filter(({ settled }) => settled.length === 0);
    expect(lines.length - open.length).toBeLessThanOrEqual(depth);
    for (const { settled } of lines) {
      for (const [n, one] of settled.entries()) {
        const before = n === 0 ? 0 : sum(settled[n - 1]!.paid);
        expect(one.creditAfter - one.creditBefore).toBe(sum(one.paid) - before + one.short);
      }
    }
  }
  const stories = Object.values(history.rounds).flatMap(({ timeline }) => timeline);
  expect(JSON.stringify(stories)).not.toContain('"person"');
}

const roll = fc.record({
  kind: fc.nat(1000),
  actor: fc.nat(1000),
  a: fc.nat(1000),
  b: fc.nat(100_000),
  wait: fc.oneof(fc.nat(3000), fc.constant(25_000), fc.constant(0)),
});

for (const [name, start] of Object.entries(starts)) {
  test(`whatever happens at ${name}, its history made again, at once or in parts, is the same and agrees with it`, () => {
    fc.assert(
      fc.property(fc.array(roll, { maxLength: 300, size: 'max' }), fc.nat(), (rolls, cut) => {
        const sit = playedEntries(start(), rolls);
        const entries = entriesOfSitting(sit, begin).of(tableStream);
        const whole = historyOf(entries, depth);
        expect(copyOf(whole)).toEqual(whole);
        expect(historyOf(copyOf(entries), depth)).toEqual(whole);
        expect(inParts(entries, cut % (entries.length + 1))).toEqual(whole);
        agrees(whole, sit);
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
}
