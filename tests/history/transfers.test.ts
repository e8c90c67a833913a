import { expect, test } from 'vitest';
import { type TerminalHistory, takeTransfer, terminalHistory } from '../../src/history/transfers.ts';
import { type CreditEvent, creditPostings } from '../../src/ledger/credit.ts';
import { Record } from './recorded.ts';

const stream = 'sg1/terminal/T7';
const owner = { property: 'sg1', currency: 'SGD' } as const;

const moves: readonly CreditEvent[] = [
  { type: 'CreditLoaded', terminal: 'T7', by: 'bill', amount: 5000, bill: 5000 },
  { type: 'CreditLoaded', terminal: 'T7', by: 'promotion', amount: 200 },
  { type: 'CreditCollected', terminal: 'T7', by: 'ticket', amount: 1200 },
  { type: 'CreditCollected', terminal: 'T7', by: 'hand', amount: 4000 },
  { type: 'HandPaid', terminal: 'T7', what: 'cancelled-credit', amount: 4000 },
  { type: 'CreditLoaded', terminal: 'T7', by: 'cash', amount: 900 },
  { type: 'ShortfallPaid', terminal: 'T7', amount: 100 },
];

function recorded(): Record {
  const record = new Record().add(stream, { type: 'TerminalSeated', at: 1 }, []);
  for (const [n, event] of moves.entries()) record.add(stream, { ...event, at: n + 2 }, creditPostings(event, owner));
  return record;
}

const historyOf = (record: Record, depth: number): TerminalHistory =>
  record.of(stream).reduce(takeTransfer, terminalHistory(stream, depth));

test('a terminal knows what it took in and gave out, way by way', () => {
  const { transfers, sequence } = historyOf(recorded(), 10);
  expect(sequence).toBe(8);
  expect(transfers).toEqual({
    in: { cash: 900, bill: 5000, ticket: 0, transfer: 0, promotion: 200 },
    out: { cash: 0, bill: 0, ticket: 1200, transfer: 0, promotion: 0 },
    bills: { 5000: 1 },
    handPaid: { jackpot: 0, 'cancelled-credit': 4000 },
  });
});

test('each time credit came or went is there with the credit before and after, the last ones alone', () => {
  const all = historyOf(recorded(), 10).moves;
  expect(all.map(({ type, creditBefore, creditAfter, version }) => [type, creditBefore, creditAfter, version])).toEqual(
    [
      ['CreditLoaded', 0, 5000, 1],
      ['CreditLoaded', 5000, 5200, 2],
      ['CreditCollected', 5200, 4000, 3],
      ['CreditCollected', 4000, 0, 4],
      ['CreditLoaded', 0, 900, 5],
      ['ShortfallPaid', 900, 800, 6],
    ],
  );
  expect(all.every(({ holder }) => holder === 'T7')).toBe(true);
  expect(historyOf(recorded(), 4).moves).toEqual(all.slice(-4));
});

test('dropped and made again, at once or with a pause at any entry, it is the same', () => {
  const entries = recorded().of(stream);
  const whole = historyOf(recorded(), 4);
  for (let cut = 0; cut <= entries.length; cut++) {
    const saved = JSON.stringify(entries.slice(0, cut).reduce(takeTransfer, terminalHistory(stream, 4)));
    expect(entries.slice(cut).reduce(takeTransfer, JSON.parse(saved) as TerminalHistory)).toEqual(whole);
  }
});

test('an entry out of order or of an unknown type is a defect', () => {
  const [first, second] = recorded().of(stream);
  expect(() => takeTransfer(terminalHistory(stream, 4), second!)).toThrow(/^Broken: entry 2 of .* follows entry 0/);
  const strange = { ...first!, event: { type: 'toString' } };
  expect(() => takeTransfer(terminalHistory(stream, 4), strange)).toThrow('Broken: toString is an event of a terminal');
});
