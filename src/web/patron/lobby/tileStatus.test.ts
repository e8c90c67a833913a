import { expect, test } from 'vitest';
import { type LobbyTile } from '../../../wire/tableView.ts';
import { isOpenUntilDealerCall } from '../../shared/text/tableStatus.ts';
import { secondsRoundedUp, tileStatus, countWins } from './tileStatus.ts';

const now = 1_000_000;
const tile: LobbyTile = {
  table: 'X09',
  attended: false,
  bets: 'terminals',
  ready: true,
  game: 'tiger@2021-10-28',
  name: 'Tiger Baccarat',
  phase: 'idle',
  number: 7,
  closesAt: null,
  bettingTime: 15_000,
  opensAt: null,
  winner: null,
  totals: null,
  voidBy: null,
  stopped: null,
  limits: { main: [100, 50_000], sides: [100, 10_000] },
  decks: 8,
  theme: { felt: 'emerald', emblem: '' },
  patrons: 3,
  results: ['B'],
};
const kindOf = (state: Partial<LobbyTile>): string => tileStatus({ ...tile, ...state }, now).kind;

test('a tile shows the time left while bets are open, and the close at the deadline, though slips may still arrive', () => {
  expect(tileStatus({ ...tile, phase: 'betting', closesAt: now + 4_000 }, now)).toEqual({ kind: 'open', left: 4_000 });
  expect(tileStatus({ ...tile, phase: 'betting', closesAt: now - 1 }, now)).toEqual({ kind: 'open', left: 0 });
  expect(kindOf({ phase: 'closing', closesAt: now + 1 })).toBe('open');
  expect(kindOf({ phase: 'closing', closesAt: now })).toBe('shut');
  expect(kindOf({ phase: 'dealing' })).toBe('shut');
});

test('a tile keeps a result until bets open, but not after a shoe change or a void', () => {
  expect(tileStatus({ ...tile, phase: 'result', winner: 'tie', results: [] }, now)).toEqual({
    kind: 'won',
    winner: 'tie',
  });
  expect(kindOf({ winner: 'banker' })).toBe('won');
  expect(kindOf({ winner: 'banker', results: [] })).toBe('shoe');
  expect(kindOf({ voidBy: 'ETG 5.9.1' })).toBe('void');
  expect(kindOf({ voidBy: 'ETG 5.9.1', results: [] })).toBe('void');
  expect(kindOf({})).toBe('soon');
  expect(kindOf({ phase: 'closed' })).toBe('closed');
});

test('a stopped table shows that first, and whether it resumes automatically', () => {
  expect(kindOf({ phase: 'betting', stopped: 'cannot-record' })).toBe('cannot-record');
  expect(kindOf({ phase: 'betting', stopped: 'wrong-number' })).toBe('stopped');
});

test('wins of the shoe are counted by hand, and seconds never go below zero', () => {
  expect(countWins(['B', 'Pp', 'T', 'Bbn', 'B'])).toEqual({ player: 1, tie: 1, banker: 3 });
  expect([4_001, 4_000, 1, 0, -5].map(secondsRoundedUp)).toEqual([5, 4, 1, 0, 0]);
});

test('an attended table waits for its dealer, and bets stay open until the dealer calls the close', () => {
  const live: LobbyTile = { ...tile, attended: true, ready: false };
  expect(kindOf({ ...live })).toBe('dealer');
  expect(kindOf({ ...live, ready: true, results: [] })).toBe('soon');
  const called = (state: Partial<LobbyTile>): boolean => {
    const one = { ...live, phase: 'betting', closesAt: now + 5_000, ...state } as LobbyTile;
    return isOpenUntilDealerCall(one, tileStatus(one, now));
  };
  expect([called({}), called({ closesAt: now }), called({ bets: 'chips' })]).toEqual([false, true, true]);
  expect([called({ attended: false, closesAt: now }), called({ phase: 'dealing' })]).toEqual([false, false]);
});
