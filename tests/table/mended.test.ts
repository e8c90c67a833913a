import { expect, test } from 'vitest';
import { type TableEvent } from '../../src/table/declare/events.ts';
import { terminalView } from '../../src/table/show/views.ts';
import { cardsIn, floor, ready, shiftManager, supervisor } from './sitting.ts';

// Faults that were found by use, each with what it takes to see it come back.

test('slips of an earlier round that name __proto__ or constructor are refused and change nothing', () => {
  const sit = ready('baccarat').played('9S 2C 9H 4D', { T1: { player: 1000 } });
  const { round } = sit;
  sit.wait(1000).bets();
  for (const wager of ['__proto__', 'constructor']) {
    const slips = JSON.parse(`{"T1":{"player":1000,"${wager}":7}}`) as { [terminal: string]: { player: number } };
    const refusal = sit.refusal('CorrectCard', { round, place: 1, card: '9C', slips, reason: 'misread' }, supervisor);
    expect(refusal.refused).toBe('slips-differ');
  }
  expect(Object.hasOwn(Object.prototype, 'stake') || Object.hasOwn(Object, 'stake')).toBe(false);
});

test('a terminal that is lost, comes back and is lost again counts by what it showed the second time', () => {
  const sit = ready('tiger').bets();
  sit.do('ReportTerminals', { terminals: ['T1', 'constructor'], lost: true });
  sit.do('ReportTerminals', { terminals: ['T1'], lost: false });
  sit.slip('T1', { player: 1000 });
  sit.close().do('ReportTerminals', { terminals: ['T1'], lost: true });
  expect(terminalView(sit.table!, 'T1')).toMatchObject({ lost: { back: false, by: 'ETG 5.10.1' } });
  expect(terminalView(sit.table!, 'constructor')).toMatchObject({ lost: { back: false, by: 'ETG 5.10.2' } });
});

test('a settled round that is drawn on is settled again by what took it up', () => {
  const sit = ready('baccarat').played('6C 3D AH KS 7D', { T1: { player: 2000 } });
  sit.do('ReportIrregularity', { kind: 'wrong-order' }, supervisor);
  const cards = cardsIn('3D 6C AH KS 7D');
  sit.two('ReconstructRound', { cards, unseen: false, reason: 'swapped' }, [supervisor, shiftManager]);
  sit
    .deal('AS')
    .wait(2000)
    .do('Settle', { credits: { T1: 4000 } });
  expect(sit.events('RoundResettled')).toMatchObject([{ by: 'HOUSE 5' }]);
  expect(sit.balance('T1')).toBe(-2000);
});

test('an interruption that is said to have begun long ago does not stretch the pause after the result', () => {
  const sit = ready('tiger').bets().close().deal('9S 2C KH 4D').wait(1500);
  sit.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  sit.do('ConfirmRuling', {}, supervisor);
  expect(sit.refusal('Settle', {}).refused).toBe('pause-runs');
  sit.settle();
  expect(sit.events('RoundSettled').length).toBe(1);
});

test('while one card is seen too often, a correction elsewhere does not let the deal go on', () => {
  const sit = ready('baccarat', { decks: 4 }).played('9S 2C KH 4D', { T1: { player: 1000 } });
  const { round } = sit;
  sit.bets().close().deal('KS KS KS KS KS');
  const slips = { T1: { player: 1000 } };
  const both = [supervisor, shiftManager] as const;
  sit.two('CorrectCard', { round, place: 2, card: '3C', slips, reason: 'misread' }, both, { T1: 5000 });
  expect(sit.table!.held).toMatchObject({ kind: 'extra-card', note: 'KS is seen more often than the decks hold.' });
});

test('the dealer alone takes back one entry, not a row of them', () => {
  const sit = ready('baccarat').bets().close().deal('9S 3C 4D');
  sit.do('TakeBackCard', {});
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'HOUSE 9' });
  expect(sit.deal('5D').table!.round!.cards).toEqual(['9S', '3C', '5D']);
});

test('a burned card counts: one too many stops the round, and between rounds locks the shoe', () => {
  const sit = ready('baccarat', { decks: 4 }).played('KS KS KS KS 9S 2C').bets();
  const burn = (): readonly TableEvent[] => {
    sit.do('ReportIrregularity', { kind: 'face-up-card' });
    sit.do('DecideReferral', { decision: 'burn', reason: 'seen' }, shiftManager);
    return sit.two('BurnCard', { card: 'KS', reason: 'seen' });
  };
  expect(burn().at(-1)).toMatchObject({ type: 'IrregularityFound', kind: 'extra-card', by: 'HOUSE 7', stops: true });
  sit.do('VoidRound', { reason: 'five of one card' });
  expect(burn().at(-1)).toMatchObject({ type: 'ShoeLocked', by: 'HOUSE 7' });
});
