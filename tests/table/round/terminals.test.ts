import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { terminalView } from '../../../src/table/views/publicView.ts';
import { floor, natural, readyTable } from '../tableScenario.ts';

test('a terminal that disconnects twice counts by what it showed the second time', () => {
  const scenario = readyTable('tiger').bets();
  scenario.do('ReportTerminals', { terminals: ['T1', 'constructor'], disconnected: true });
  scenario.do('ReportTerminals', { terminals: ['T1'], disconnected: false });
  scenario.slip('T1', { player: 1000 });
  scenario.close().do('ReportTerminals', { terminals: ['T1'], disconnected: true });
  expect(terminalView(scenario.table!, 'T1')).toMatchObject({ disconnected: { back: false, by: 'ETG 5.10.1' } });
  expect(terminalView(scenario.table!, 'constructor')).toMatchObject({
    disconnected: { back: false, by: 'ETG 5.10.2' },
  });
});

test('every disconnect of a terminal is recorded; back while bets are open it bets like any other', () => {
  const scenario = readyTable('tiger').bets({ T7: { player: 500 } });
  const report = (disconnected: boolean, ...terminals: string[]) =>
    scenario.do('ReportTerminals', { terminals, disconnected }, floor);
  report(true, 'T7', 'constructor');
  expect(buildDealerView(scenario.table!).terminalsDisconnected).toBe(2);
  report(false, 'T7');
  expect(terminalView(scenario.table!, 'T7').disconnected).toBeUndefined();
  scenario.close();
  report(true, 'T7');
  report(false, 'T7');
  report(true, 'T7');
  expect(terminalView(scenario.table!, 'T7').disconnected).toEqual({ back: false, by: 'ETG 5.10.1' });
  scenario.deal(natural).settle();
  report(true, 'T8');
  expect(terminalView(scenario.table!, 'T8').disconnected).toEqual({ back: false, by: 'HOUSE 11' });
  expect(scenario.events('TerminalsDisconnected').at(-1)).toMatchObject({ closed: true });
});

test('[ETG 5.10] a round is dealt and settled as its twin when one, many or all terminals fail at any moment, and stay away', () => {
  const all = { T1: { player: 5000 }, T2: { banker: 2000 }, T3: { tie: 300 }, T4: { player: 400, tiger: 100 } };
  const cards = '2C 3D 2H KS 6D 9H'.split(' ');
  const twin = readyTable('tiger').playRound(cards.join(' '), all);
  const logOf = ({ entries }: typeof twin) =>
    entries
      .filter(({ event }) => event.type !== 'TerminalsDisconnected')
      .map(({ event, postings }) => [event, postings]);
  for (const terminals of [['T1'], ['T2', 'T4'], Object.keys(all)]) {
    for (const moment of ['open', 'closing', ...[...cards, 'all'].keys()]) {
      const scenario = readyTable('tiger').bets(all);
      const fail = (): void => {
        const before = buildDealerView(scenario.table!).next;
        expect(scenario.do('ReportTerminals', { terminals, disconnected: true }, floor)).toHaveLength(1);
        expect(buildDealerView(scenario.table!)).toMatchObject({ next: before, stopped: null });
      };
      if (moment === 'open') fail();
      scenario.wait(20_000).do('CallClose', {});
      if (moment === 'closing') fail();
      scenario.wait(500).do('CloseBets', {});
      for (const [out, card] of cards.entries()) {
        if (moment === out) fail();
        scenario.deal(card);
      }
      if (moment === cards.length) fail();
      scenario.settle();
      expect(logOf(scenario), `${terminals.join()} ${moment}`).toEqual(logOf(twin));
      expect([...scenario.balances]).toEqual([...twin.balances]);
    }
  }
  expect(twin.balance('T2')).toBe(1900);
});

test('a terminal that disconnects after the void of its round showed the close, although its time had not come', () => {
  const scenario = readyTable('tiger').bets();
  scenario.do('CallClose', {});
  scenario.do('VoidRound', { reason: 'wrong limits on the sign' });
  expect(scenario.table!.round!.deadline).toBeGreaterThan(scenario.at);
  scenario.do('ReportTerminals', { terminals: ['T7'], disconnected: true }, floor);
  expect(scenario.events('TerminalsDisconnected')).toMatchObject([{ closed: true }]);
});

test.each(['HOUSE 11', 'READING 13'])(
  '[%s] whether a disconnected terminal is in the round depends on its accepted slip, with a clause for each case',
  () => {
    const cases = [
      ['tiger', true, true, 'ETG 5.10.1'],
      ['tiger', false, false, 'ETG 5.10.2'],
      ['tiger', true, false, 'HOUSE 11'],
      ['tiger', false, true, 'HOUSE 11'],
      ['baccarat', true, true, 'HOUSE 11'],
      ['baccarat', false, false, 'HOUSE 11'],
      ['baccarat', true, false, 'HOUSE 11'],
      ['baccarat', false, true, 'HOUSE 11'],
    ] as const;
    for (const [game, closed, accepted, by] of cases) {
      const scenario = readyTable(game).bets(accepted ? { T7: { player: 500 } } : {});
      if (closed) scenario.close();
      expect(scenario.do('ReportTerminals', { terminals: ['T7'], disconnected: true }, floor)[0]).toMatchObject({
        type: 'TerminalsDisconnected',
        closed,
      });
      if (!closed) scenario.close();
      // A slip that arrives after the close is not accepted, and moves no credit.
      if (!accepted) {
        const slip = { round: scenario.round, slip: { player: 500 }, credit: 10_000 };
        expect(scenario.submit('SetSlip', slip, { terminal: 'T7' })).toMatchObject({ refused: 'bets-closed' });
      }
      scenario.deal('9S 2C 9H 4D').settle();
      expect(terminalView(scenario.table!, 'T7')).toMatchObject({
        inRound: accepted,
        disconnected: { by, back: false },
      });
      expect(scenario.balance('T7')).toBe(accepted ? 500 : 0);
      scenario.do('ReportTerminals', { terminals: ['T7', 'T8'], disconnected: false }, floor);
      expect(terminalView(scenario.table!, 'T7').disconnected).toEqual({ by, back: true });
      expect(terminalView(scenario.bets().table!, 'T7').disconnected).toBeUndefined();
    }
  },
);

test('[READING 15] a terminal that disconnects at the deadline showed the close, one just before did not', () => {
  const scenario = readyTable('tiger').bets();
  scenario.do('CallClose', {});
  scenario.wait(19_999).do('ReportTerminals', { terminals: ['T7'], disconnected: true }, floor);
  scenario.wait(1).do('ReportTerminals', { terminals: ['T7', 'T8'], disconnected: true }, floor);
  expect(scenario.table!.disconnected).toEqual({
    T7: { closed: false, back: false },
    T8: { closed: true, back: false },
  });
  scenario.wait(500).do('CloseBets', {});
  scenario.deal('9S 2C 9H 4D').settle().bets();
  // Still disconnected in the next round, without having shown the close.
  expect(scenario.table!.disconnected['T8']).toEqual({ closed: false, back: false, before: true });
  // After a whole round without a connection it is no longer at the table.
  scenario.close().deal('9S 2C 9H 4D').settle().bets();
  expect(scenario.table!.disconnected).toEqual({});
});

test('a late disconnect report counts by the time of the disconnect, and never by a future one', () => {
  const scenario = readyTable('tiger').bets();
  const lostSince = (since: number) => {
    const [event] = scenario.do('ReportTerminals', { terminals: ['T7'], disconnected: true, since }, floor);
    return event!['closed' as never];
  };
  const opened = scenario.table!.at;
  expect(lostSince(opened)).toBe(false);
  scenario.close();
  const { deadline } = scenario.table!.round!;
  scenario.wait(3_000);
  expect(lostSince(deadline! - 1)).toBe(false);
  expect(lostSince(deadline!)).toBe(true);
  expect(lostSince(scenario.table!.at + 60_000)).toBe(true);
});

test('a list of terminals has each once, and at least one', () => {
  const scenario = readyTable('tiger').bets();
  for (const terminals of [[], ['T7', 'T7']]) {
    expect(scenario.refusal('ReportTerminals', { terminals, disconnected: true }, floor)).toMatchObject({
      refused: 'bad-request',
    });
  }
});
