import { expect, test } from 'vitest';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { terminalView } from '../../src/table/views/publicView.ts';
import { floor, natural, readyTable } from './tableScenario.ts';

test('a terminal that is lost, comes back and is lost again counts by what it showed the second time', () => {
  const sit = readyTable('tiger').bets();
  sit.do('ReportTerminals', { terminals: ['T1', 'constructor'], disconnected: true });
  sit.do('ReportTerminals', { terminals: ['T1'], disconnected: false });
  sit.slip('T1', { player: 1000 });
  sit.close().do('ReportTerminals', { terminals: ['T1'], disconnected: true });
  expect(terminalView(sit.table!, 'T1')).toMatchObject({ disconnected: { back: false, by: 'ETG 5.10.1' } });
  expect(terminalView(sit.table!, 'constructor')).toMatchObject({ disconnected: { back: false, by: 'ETG 5.10.2' } });
});

test('a terminal is lost as often as it is lost; back while bets are open it takes part like any other', () => {
  const sit = readyTable('tiger').bets({ T7: { player: 500 } });
  const report = (disconnected: boolean, ...terminals: string[]) =>
    sit.do('ReportTerminals', { terminals, disconnected }, floor);
  report(true, 'T7', 'constructor');
  expect(buildDealerView(sit.table!).terminalsDisconnected).toBe(2);
  report(false, 'T7');
  expect(terminalView(sit.table!, 'T7').disconnected).toBeUndefined();
  sit.close();
  report(true, 'T7');
  report(false, 'T7');
  report(true, 'T7');
  expect(terminalView(sit.table!, 'T7').disconnected).toEqual({ back: false, by: 'ETG 5.10.1' });
  sit.deal(natural).settle();
  report(true, 'T8');
  expect(terminalView(sit.table!, 'T8').disconnected).toEqual({ back: false, by: 'HOUSE 11' });
  expect(sit.events('TerminalsDisconnected').at(-1)).toMatchObject({ closed: true });
});

test('[READING 13] whether a disconnected terminal is in the round depends on its accepted slip, with a clause for each case', () => {
  const cases = [
    ['tiger', true, true, 'ETG 5.10.1'],
    ['tiger', false, false, 'ETG 5.10.2'],
    ['tiger', true, false, 'HOUSE 11'],
    ['tiger', false, true, 'HOUSE 11'],
    ['baccarat', true, true, 'HOUSE 11'],
    ['baccarat', false, false, 'HOUSE 11'],
  ] as const;
  for (const [game, closed, accepted, by] of cases) {
    const sit = readyTable(game).bets(accepted ? { T7: { player: 500 } } : {});
    if (closed) sit.close();
    expect(sit.do('ReportTerminals', { terminals: ['T7'], disconnected: true }, floor)[0]).toMatchObject({
      type: 'TerminalsDisconnected',
      closed,
    });
    if (!closed) sit.close();
    sit.deal('9S 2C 9H 4D').settle();
    expect(terminalView(sit.table!, 'T7')).toMatchObject({ inRound: accepted, disconnected: { by, back: false } });
    expect(sit.balance('T7')).toBe(accepted ? 500 : 0);
    sit.do('ReportTerminals', { terminals: ['T7', 'T8'], disconnected: false }, floor);
    expect(terminalView(sit.table!, 'T7').disconnected).toEqual({ by, back: true });
    expect(terminalView(sit.bets().table!, 'T7').disconnected).toBeUndefined();
  }
});

test('[READING 15] a terminal lost at the deadline showed the closing, one lost just before did not', () => {
  const sit = readyTable('tiger').bets();
  sit.do('CallClose', {});
  sit.wait(19_999).do('ReportTerminals', { terminals: ['T7'], disconnected: true }, floor);
  sit.wait(1).do('ReportTerminals', { terminals: ['T7', 'T8'], disconnected: true }, floor);
  expect(sit.table!.disconnected).toEqual({ T7: { closed: false, back: false }, T8: { closed: true, back: false } });
  sit.wait(500).do('CloseBets', {});
  sit.deal('9S 2C 9H 4D').settle().bets();
  // Still disconnected in the next round, without having shown the close.
  expect(sit.table!.disconnected['T8']).toEqual({ closed: false, back: false, before: true });
  // After a whole round without a connection it is no longer at the table.
  sit.close().deal('9S 2C 9H 4D').settle().bets();
  expect(sit.table!.disconnected).toEqual({});
});

test('a late disconnect report counts by the time of the disconnect, and never by a future one', () => {
  const sit = readyTable('tiger').bets();
  const lostSince = (since: number) => {
    const [event] = sit.do('ReportTerminals', { terminals: ['T7'], disconnected: true, since }, floor);
    return event!['closed' as never];
  };
  const opened = sit.table!.at;
  expect(lostSince(opened)).toBe(false);
  sit.close();
  const { deadline } = sit.table!.round!;
  sit.wait(3_000);
  expect(lostSince(deadline! - 1)).toBe(false);
  expect(lostSince(deadline!)).toBe(true);
  expect(lostSince(sit.table!.at + 60_000)).toBe(true);
});

test('a list of terminals names each once, and one at least', () => {
  const sit = readyTable('tiger').bets();
  for (const terminals of [[], ['T7', 'T7']]) {
    expect(sit.refusal('ReportTerminals', { terminals, disconnected: true }, floor)).toMatchObject({
      refused: 'bad-request',
    });
  }
});
