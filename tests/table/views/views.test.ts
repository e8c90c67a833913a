import { expect, test } from 'vitest';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import { openedTable, dealer, floor, readyTable, shiftManager, supervisor } from '../tableScenario.ts';

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };

test('the public view is the same for all: layout with limits, phase, cards, totals of all stakes, roads, shoe', () => {
  const scenario = readyTable('tiger').bets(stakes);
  const view = publicView(scenario.table!);
  expect(view).toMatchObject({
    property: 'sg1',
    table: 'B1',
    currency: 'SGD',
    game: { version: 'tiger@2021-10-28', rulebook: 'ETG', electronicApproval: true },
    phase: 'betting',
    call: 'Place your bets, please',
    round: { number: 1, next: null, winner: null, results: null, staked: { player: { stake: 1000, bettors: 1 } } },
    shoe: { id: 'S1', cards: 416, out: 0, root: null },
    stopped: null,
    referred: null,
  });
  expect(view.layout[0]).toEqual({ wager: 'player', name: 'Player', minimum: 100, maximum: 100_000 });
  expect(publicView(openedTable('tiger').table!)).toMatchObject({ phase: 'idle', call: null, round: null, shoe: null });
});

test.each([
  ['baccarat', 'BAC'],
  ['sands-super', 'SUP'],
  ['sands-elements', 'ELM'],
  ['fabulous-4', 'FAB'],
])(
  '[READING 40] %s on terminals is marked as lacking an electronic approval, and cites its own book for calls and voids',
  (game, book) => {
    const scenario = readyTable(game);
    expect(publicView(scenario.table!).game).toMatchObject({ rulebook: book, electronicApproval: false });
    expect(scenario.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened', by: `${book} 3.1` }]);
    scenario.slip('T1', { player: 1000 });
    scenario.close();
    expect(scenario.events('ClosingCalled')).toMatchObject([{ by: `${book} 3.2` }]);
    expect(scenario.do('ReportIrregularity', { kind: 'foreign-card' })).toMatchObject([{ by: `${book} 5.1` }]);
    expect(scenario.doByTwo('VoidRound', { reason: 'x' })[1]).toMatchObject({
      type: 'RoundVoided',
      by: `${book} 5.1.1`,
    });
    expect(scenario.balance('T1')).toBe(0);
  },
);

test('the result shows once the deal is complete, the results of wagers once they are settled', () => {
  const scenario = readyTable('tiger').bets(stakes).close().deal('9S 2C 9H 4D');
  expect(publicView(scenario.table!).round).toMatchObject({ winner: 'player', results: null });
  scenario.settle();
  expect(publicView(scenario.table!).round).toMatchObject({ results: { player: { result: 'win', by: 'ETG 4.7' } } });
  scenario.playRound('TD TC 9H 8D').playRound('TD TC 9H 9D');
  expect(publicView(scenario.table!)).toMatchObject({
    round: { winner: 'tie' },
    statistics: { rounds: 3, player: 2, tie: 1 },
  });
  expect(publicView(scenario.bets().table!)).toMatchObject({ statistics: { rounds: 3 } });
  expect(publicView(scenario.close().deal('TD TC 8H 9D').table!).round).toMatchObject({ winner: 'banker' });
});

test('a terminal sees its own slip and results, and no others', () => {
  const scenario = readyTable('tiger').bets(stakes);
  expect(terminalView(scenario.table!, 'T2')).toMatchObject({
    slip: stakes.T2,
    stake: 1200,
    inRound: true,
    paid: null,
  });
  expect(terminalView(scenario.table!, 'T3')).toMatchObject({ slip: {}, stake: 0, inRound: false });
  scenario.close().deal('9S 2C 9H 4D').settle();
  expect(terminalView(scenario.table!, 'T2').paid).toMatchObject([
    { wager: 'banker', result: 'lose', returned: 0 },
    { wager: 'tie', result: 'lose', by: 'ETG 1.1.17' },
  ]);
  expect(terminalView(openedTable('tiger').table!, 'T2')).toMatchObject({ round: null, slip: {}, paid: null });
});

test('the dealer sees the next step, the number of slips and open questions, and no patron', () => {
  const scenario = openedTable('tiger');
  const next = () => buildDealerView(scenario.table!).next;
  expect(next()).toEqual(['BringShoe']);
  scenario.do('BringShoe', { shoe: 'S1', seal: 'x' });
  expect(next()).toEqual(['CountCards', 'ShuffleShoe', 'CutShoe']);
  scenario.do('CountCards', { cards: 416 });
  expect(next()).not.toContain('VerifyShoe');
  scenario.do('CutShoe', { behind: 14 });
  expect(next()).toEqual(['CountCards', 'ShuffleShoe', 'CutShoe', 'VerifyShoe']);
  scenario.doByTwo('VerifyShoe', {});
  expect(next()).toEqual(['OpenBets', 'EndShoe', 'SealShoe']);
  scenario.bets(stakes);
  scenario.do('ReportTerminals', { terminals: ['T1'], disconnected: true });
  expect(buildDealerView(scenario.table!)).toMatchObject({
    slips: 2,
    terminalsDisconnected: 1,
    next: ['CallClose', 'ExtendBets'],
  });
  expect(JSON.stringify(buildDealerView(scenario.table!))).not.toMatch(/"T[12]"/);
  scenario.do('CallClose', {});
  expect(next()).toEqual(['CloseBets']);
  scenario.wait(20_500).do('CloseBets', {});
  expect(next()).toEqual(['DealCard']);
  scenario.deal('9S 2C 9H').do('ReportIrregularity', { kind: 'wrong-order', note: 'B1 and P2' });
  expect(buildDealerView(scenario.table!)).toMatchObject({
    next: ['ReconstructRound', 'VoidRound', 'DismissReport', 'Refer'],
    stopped: {
      kind: 'wrong-order',
      note: 'B1 and P2',
      options: [{ ruling: 'reconstruct' }, { ruling: 'void' }, { ruling: 'refer' }],
    },
  });
  scenario.do('VoidRound', { reason: 'x' });
  expect(buildDealerView(scenario.table!).proposal).toMatchObject({
    id: 'P2',
    command: 'VoidRound',
    second: 'supervisor',
    from: { person: 'd1' },
  });
  scenario.do('Refer', { reason: 'a doubt' });
  expect(buildDealerView(scenario.table!)).toMatchObject({
    next: ['DecideReferral'],
    referred: [{ id: 'R1', round: scenario.round, reason: 'a doubt', proposed: null }],
  });
  expect(buildSupervisorView(scenario.table!).decided).toEqual([]);
  const { round } = scenario;
  scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
  expect(next()).toEqual(['EndShoe', 'SealShoe']);
  const from = { person: 'g1', number: null, role: 'gaming-shift-manager', acting: null };
  expect(buildSupervisorView(scenario.table!).decided).toEqual([
    { id: 'R1', reason: 'a doubt', round, decision: 'void', decisionReason: 'x', by: 'ETG 6.1', at: scenario.at, from },
  ]);
  const other = readyTable('tiger').bets().close().deal('9S 2C 9H 4D');
  expect(buildDealerView(other.table!).next).toEqual(['Settle']);
  other.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(buildDealerView(other.table!).next).toEqual(['ConfirmRuling', 'Refer']);
});

test('[READING 48] at a chip table the dealer sees take, pay or push for every wager, with its clause', () => {
  const scenario = readyTable('baccarat', { bets: 'chips' }).bets();
  expect(buildDealerView(scenario.table!).felt).toBeNull();
  scenario.close().deal('TD TC 9H 9D').settle();
  expect(buildDealerView(scenario.table!).felt).toEqual([
    { wager: 'player', do: 'push', pays: [0, 1], commission: [0, 1], by: 'BAC 3.10.1' },
    { wager: 'banker', do: 'push', pays: [0, 1], commission: [0, 1], by: 'BAC 3.10.1' },
    { wager: 'tie', do: 'pay', pays: [8, 1], commission: [0, 1], by: 'BAC 4.1' },
    { wager: 'player-pair', do: 'take', pays: [0, 1], commission: [0, 1], by: 'BAC 3.8.1' },
    { wager: 'banker-pair', do: 'take', pays: [0, 1], commission: [0, 1], by: 'BAC 3.8.2' },
  ]);
  scenario.bets().do('VoidRound', { reason: 'x' });
  expect(buildDealerView(scenario.table!).felt).toMatchObject(
    Array.from({ length: 5 }, () => ({ do: 'return', by: 'HOUSE 12' })),
  );
});

test('the supervisor sees all stakes and the ruling options side by side, with the returns of every patron', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D');
  expect(buildSupervisorView(scenario.table!)).toMatchObject({
    staked: 2200,
    bettors: 2,
    totals: {
      player: { stake: 1000, bettors: 1 },
      banker: { stake: 1000, bettors: 1 },
      tie: { stake: 200, bettors: 1 },
    },
    rulings: null,
    proposal: null,
    unpaid: [],
  });
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const rows = () => buildSupervisorView(scenario.table!).rulings!.rows;
  expect(rows()).toEqual([
    {
      terminal: 'T1',
      staked: 1000,
      paid: null,
      back: { reconstruct: null, void: 1000, refer: null, stand: 2000 },
      disconnected: false,
    },
    {
      terminal: 'T2',
      staked: 1200,
      paid: null,
      back: { reconstruct: null, void: 1200, refer: null, stand: 0 },
      disconnected: false,
    },
  ]);
  scenario.do('ReconstructRound', { cards: ['2C', '9S', '4D', '9H'], unseen: false, reason: 'video' });
  expect(rows()).toMatchObject([{ back: { reconstruct: 0 } }, { back: { reconstruct: 1950 } }]);
  scenario.do('ReconstructRound', { cards: ['2C', '9S', '9H', '4D'], unseen: false, reason: 'video' });
  expect(rows()).toMatchObject([{ back: { reconstruct: null } }, { back: { reconstruct: null } }]);
  const { id, hash } = scenario.table!.proposal!;
  scenario.do('Approve', { proposal: id, hash }, supervisor);
  scenario.do('Refer', { reason: 'x' }, dealer);
  expect(rows()).toMatchObject([{ back: { stand: null } }, { back: { stand: null } }]);
});

test('a proposal that no longer needs a second person names the role that may do it', () => {
  const scenario = readyTable('baccarat').bets().close().deal('9S 2C');
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('VoidRound', { reason: 'x' });
  scenario.do('Refer', { reason: 'x' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
  expect(buildDealerView(scenario.bets().table!).proposal).toMatchObject({ command: 'VoidRound', second: 'dealer' });
});

test('a proposal that no longer fits shows its refusal in the preview, and a table before its first round has none', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S 2C');
  scenario.do('CorrectCard', { round: scenario.round, place: 2, card: '3C', reason: 'x' });
  scenario.do('TakeBackCard', {});
  expect(buildSupervisorView(scenario.table!)).toMatchObject({
    proposal: { effects: { not: 'no-such-card', changes: [], round: null, money: null } },
    rulings: null,
  });
  const fresh = openedTable('baccarat');
  fresh.do('BringShoe', { shoe: 'S1', seal: 'x' });
  expect(buildSupervisorView(fresh.table!)).toMatchObject({ staked: 0, bettors: 0, rulings: null, proposal: null });
});
