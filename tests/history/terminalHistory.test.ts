import { expect, test } from 'vitest';
import { type TerminalHistory, projectTerminalEntry, emptyTerminalHistory } from '../../src/history/terminalHistory.ts';
import { terminalPostings } from '../../src/ledger/terminalPostings.ts';
import { type TerminalEvent } from '../../src/terminal/events.ts';
import { evolveTerminal } from '../../src/terminal/evolve.ts';
import { type TerminalState } from '../../src/terminal/state.ts';
import { EntryRecorder } from './storedEntries.ts';

const stream = 'sg1/terminal/T7';
const actor = { system: 'floor' } as const;
const witness = { person: 'p1', role: 'pit-manager' } as const;
const base = { v: 1, at: 0, actor } as const;

const moves: readonly TerminalEvent[] = [
  { type: 'TerminalSeated', ...base, terminal: 'T7', property: 'sg1', currency: 'SGD' },
  { type: 'CreditLoaded', ...base, session: 1, method: 'bill', amount: 5000, bill: 5000 },
  { type: 'CreditLoaded', ...base, session: 1, method: 'promotion', amount: 200 },
  { type: 'CreditCollected', ...base, session: 1, method: 'ticket', amount: 5200 },
  { type: 'CreditLoaded', ...base, session: 2, method: 'cash', amount: 4000 },
  { type: 'CreditCollected', ...base, session: 2, method: 'hand', amount: 4000 },
  { type: 'HandPaid', ...base, what: 'cancelled-credit', amount: 4000, second: witness },
  { type: 'CreditLoaded', ...base, session: 3, method: 'cash', amount: 900 },
];

function recordEntries(): EntryRecorder {
  const recorder = new EntryRecorder();
  let terminal: TerminalState | undefined;
  for (const [n, event] of moves.entries()) {
    recorder.add(stream, { ...event, at: n + 1 }, terminalPostings(event, terminal));
    terminal = evolveTerminal(terminal, event);
  }
  return recorder;
}

const historyOf = (recorder: EntryRecorder, depth: number): TerminalHistory =>
  recorder.of(stream).reduce(projectTerminalEntry, emptyTerminalHistory(stream, depth));

test('the terminal history counts money in and out by method', () => {
  const { transfers, sequence } = historyOf(recordEntries(), 10);
  expect(sequence).toBe(8);
  expect(transfers).toEqual({
    in: { cash: 4900, bill: 5000, ticket: 0, transfer: 0, promotion: 200 },
    out: { cash: 0, bill: 0, ticket: 5200, transfer: 0, promotion: 0 },
    bills: { 5000: 1 },
    handPaid: { jackpot: 0, 'cancelled-credit': 4000 },
  });
});

test('the terminal history keeps the last credit movements with credit before and after', () => {
  const all = historyOf(recordEntries(), 10).moves;
  expect(all.map(({ type, creditBefore, creditAfter, version }) => [type, creditBefore, creditAfter, version])).toEqual(
    [
      ['CreditLoaded', 0, 5000, 1],
      ['CreditLoaded', 5000, 5200, 2],
      ['CreditCollected', 5200, 0, 3],
      ['CreditLoaded', 0, 4000, 1],
      ['CreditCollected', 4000, 0, 2],
      ['CreditLoaded', 0, 900, 1],
    ],
  );
  expect(all.map(({ holder }) => holder)).toEqual(['T7.1', 'T7.1', 'T7.1', 'T7.2', 'T7.2', 'T7.3']);
  expect(historyOf(recordEntries(), 4).moves).toEqual(all.slice(-4));
});

test('the terminal history is the same when it is rebuilt', () => {
  const entries = recordEntries().of(stream);
  const whole = historyOf(recordEntries(), 4);
  for (let cut = 0; cut <= entries.length; cut++) {
    const saved = JSON.stringify(entries.slice(0, cut).reduce(projectTerminalEntry, emptyTerminalHistory(stream, 4)));
    expect(entries.slice(cut).reduce(projectTerminalEntry, JSON.parse(saved) as TerminalHistory)).toEqual(whole);
  }
});

test('the terminal history asserts order and event type of an entry', () => {
  const [first, second] = recordEntries().of(stream);
  expect(() => projectTerminalEntry(emptyTerminalHistory(stream, 4), second!)).toThrow(
    /^Broken: entry 2 of .* follows entry 0/,
  );
  const strange = { ...first!, event: { type: 'toString', v: 1, at: 0 } };
  expect(() => projectTerminalEntry(emptyTerminalHistory(stream, 4), strange)).toThrow(
    'Broken: toString is an event of a terminal',
  );
  const newer = { ...first!, event: { ...first!.event, v: 2 } };
  expect(() => projectTerminalEntry(emptyTerminalHistory(stream, 4), newer)).toThrow(
    'TerminalSeated has version 2; this program reads versions up to 1, so use a newer program',
  );
});
