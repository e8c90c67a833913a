import { expect, test } from 'vitest';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';
import { publicView } from '../../src/table/views/publicView.ts';
import {
  dealer,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  TableScenario,
  openedTable,
  cardsIn,
  afterSettlement,
  managers,
  natural,
  defaultSettings,
} from './tableScenario.ts';

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };

test('[ETG 6.3.ii] before settlement dealer and supervisor put the card that was dealt in the place of the scan', () => {
  const sit = readyTable('tiger').bets(stakes).close().deal('9S 2C 9H');
  const fix = { round: sit.round, place: 2, card: '3C', reason: 'misread' };
  expect(sit.refusal('CorrectCard', { ...fix, place: 4 })).toMatchObject({ refused: 'no-such-card', by: 'ETG 6.3' });
  expect(sit.refusal('CorrectCard', { ...fix, place: 0 })).toMatchObject({ refused: 'no-such-card' });
  expect(sit.refusal('CorrectCard', { ...fix, card: '2C' })).toMatchObject({ refused: 'no-such-card' });
  expect(sit.refusal('CorrectCard', { ...fix, card: 'ZZ' })).toMatchObject({ refused: 'unknown-card' });
  expect(sit.refusal('CorrectCard', { ...fix, slips: {} })).toMatchObject({ refused: 'slips-differ' });
  expect(sit.doByTwo('CorrectCard', fix)[1]).toMatchObject({
    type: 'CardCorrected',
    was: '2C',
    card: '3C',
    by: 'ETG 6.3',
    phase: 'dealing',
  });
  expect(sit.table).toMatchObject({
    round: { cards: ['9S', '3C', '9H'] },
    shoe: { drawn: 3, seen: { '2C': 0, '3C': 1 } },
  });
});

test('[READING 28] a mis-scan that changed who had to draw: the draw order is replayed and drawn on, or cards are left over', () => {
  const more = readyTable('tiger').bets(stakes).close().deal('9S 2C 9H 4D');
  expect(more.table!.phase).toBe('result');
  more.doByTwo('CorrectCard', { round: more.round, place: 3, card: '3H', reason: 'misread' });
  expect(more.table).toMatchObject({ phase: 'dealing', round: { resultAt: null } });
  more.deal('5D').settle();
  const less = readyTable('tiger').bets(stakes).close().deal('2S 3H AC 2D 4S');
  const [, corrected] = less.doByTwo('CorrectCard', { round: less.round, place: 3, card: '6C', reason: 'misread' });
  expect(corrected).toMatchObject({ after: ['2S', '3H', '6C', '2D'], burned: ['4S'], phase: 'result' });
  expect(less.table!.shoe).toMatchObject({ drawn: 5, seen: { '4S': 1, AC: 0, '6C': 1 } });
});

test('[READING 28] after settlement supervisor and shift manager correct: compensating entries, both versions kept, roads rebuilt', () => {
  const sit = readyTable('tiger').playRound('9S 2C 9H 4D', stakes);
  expect(publicView(sit.table!).statistics).toMatchObject({ player: 1, banker: 0 });
  const fix = { round: sit.round, place: 4, card: '7D', reason: 'the card was a seven' };
  expect(sit.refusal('CorrectCard', fix, dealer)).toMatchObject({ refused: 'not-your-role', by: 'ETG 6.2' });
  sit.do('CorrectCard', fix, supervisor);
  const view = buildSupervisorView(sit.table!);
  expect(view.rulings!.rows).toMatchObject([
    { terminal: 'T1', staked: 1000, paid: 2000, back: { stand: 2000, correct: 0 } },
    { terminal: 'T2', staked: 1200, paid: 0, back: { stand: 0, correct: 1950 } },
  ]);
  expect(view).toMatchObject({
    proposal: { command: 'CorrectCard', second: 'gaming-shift-manager' },
    effects: { not: null, events: [{ type: 'CardCorrected' }, { type: 'RoundResettled' }, {}] },
  });
  const { id, hash } = sit.table!.proposal!;
  expect(sit.refusal('Approve', { proposal: id, hash }, pitManager)).toMatchObject({ refused: 'not-your-role' });
  sit.do('Approve', { proposal: id, hash, credits: { T1: 2000 } }, shiftManager);
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([-1000, 750]);
  expect([sit.account('stakes'), sit.account('house'), sit.account('commission')]).toEqual([0, 200, 50]);
  expect(publicView(sit.table!)).toMatchObject({ statistics: { player: 0, banker: 1 }, round: { settledAgain: true } });
  expect(sit.events('RoundSettled')[0]!.cards).toEqual(['9S', '2C', '9H', '4D']);
  expect(sit.events('RoundResettled')[0]).toMatchObject({ cards: ['9S', '2C', '9H', '7D'], outcome: 'results' });
});

test('[READING 28] the last round may draw further before the next opening; an earlier one is corrected only if no hand had to draw otherwise', () => {
  const sit = readyTable('tiger').playRound('9S 2C 9H 4D', stakes);
  sit.doByTwo('CorrectCard', { round: sit.round, place: 3, card: '3H', reason: 'misread' }, afterSettlement);
  expect(sit.table!.phase).toBe('dealing');
  sit
    .deal('5D')
    .wait(2_000)
    .do('Settle', { credits: { T1: 9000, T2: 9000 } });
  const first = sit.round;
  const slips = sit.table!.round!.slips;
  sit.bets({ T1: { tie: 100 } });
  const earlier = { round: first, place: 4, card: '5H', reason: 'misread', slips };
  expect(sit.refusal('CorrectCard', { ...earlier, place: 1, card: '6S' }, supervisor)).toMatchObject({
    refused: 'too-late',
    by: 'ETG 6.3',
  });
  expect(sit.refusal('CorrectCard', { ...earlier, slips: {} }, supervisor)).toMatchObject({ refused: 'slips-differ' });
  expect(
    sit.refusal('CorrectCard', { ...earlier, slips: { T1: slips['T1']!, T3: slips['T2']!, T4: {} } }, supervisor),
  ).toMatchObject({
    refused: 'slips-differ',
  });
  expect(
    sit.refusal('CorrectCard', { ...earlier, slips: { ...slips, T2: { banker: 1000, tie: 300 } } }, supervisor),
  ).toMatchObject({
    refused: 'slips-differ',
  });
  sit.do('CorrectCard', earlier, supervisor);
  expect(buildSupervisorView(sit.table!).rulings!.rows.map(({ terminal }) => terminal)).toEqual(['T1', 'T2']);
  const { id, hash } = sit.table!.proposal!;
  const events = sit.do('Approve', { proposal: id, hash, credits: { T1: 9000, T2: 9000 } }, shiftManager);
  expect(events).toMatchObject([
    {},
    { type: 'CardCorrected', phase: 'settled' },
    { type: 'RoundResettled', slips },
    { round: first },
  ]);
  expect(sit.table).toMatchObject({ phase: 'betting', pendingSettlements: [] });
  expect(sit.account('stakes')).toBe(100);
});

test('[READING 28] a void round, an unknown one and one of another gaming day are not corrected', () => {
  const sit = readyTable('tiger').playRound('9S 2C 9H 4D', stakes);
  const played = sit.round;
  const fix = { round: played, place: 4, card: '7D', reason: 'x' };
  expect(sit.refusal('CorrectCard', { ...fix, round: 'sg1/none' }, supervisor)).toMatchObject({
    refused: 'no-such-round',
    by: 'ETG 6.1',
  });
  sit.wait(24 * 3_600_000);
  expect(sit.refusal('CorrectCard', fix, supervisor)).toMatchObject({ refused: 'no-such-round' });
  sit.bets().do('VoidRound', { reason: 'x' });
  expect(sit.refusal('CorrectCard', { ...fix, round: sit.round }, supervisor)).toMatchObject({
    refused: 'no-such-round',
  });
});

test('[ETG 6.3.i] displays decide nothing: settlement and views follow from the recorded cards alone', () => {
  const sit = readyTable('tiger').bets(stakes).close().deal('9S 2C 9H 4D');
  const view = publicView(sit.table!) as { roads: { big: unknown[] }; round: unknown };
  view.roads.big.push({ winner: 'banker' });
  (view.round as { winner: string }).winner = 'banker';
  sit.settle();
  expect(sit.balance('T1')).toBe(1000);
  expect(publicView(sit.table!)).toMatchObject({ statistics: { player: 1, banker: 0 } });
});

test('once the shoe of the last round is gone its cards can still be put right, but not drawn on', () => {
  const sit = readyTable('baccarat').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  sit.doByTwo('EndShoe', { seen: {} });
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  const order = { unseen: false, reason: 'video' };
  expect(sit.refusal('ReconstructRound', { ...order, cards: ['2C', '9S', '9H', '4D'] }, supervisor)).toMatchObject({
    refused: 'too-late',
  });
  expect(
    sit.refusal('ReconstructRound', { ...order, cards: ['9S', '2C', '9H', '4D'], unseen: true }, supervisor),
  ).toMatchObject({
    refused: 'too-late',
    by: 'HOUSE 5',
  });
  const done = sit.doByTwo('VoidRound', { reason: 'not to be restored' }, afterSettlement, { T1: 5000 });
  expect(done.map(({ type }) => type)).toEqual(['Approved', 'RoundResettled', 'SettlementPosted']);
  const other = readyTable('baccarat').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  other.doByTwo('EndShoe', { seen: {} });
  other.doByTwo('CorrectCard', { round: other.round, place: 4, card: '7D', reason: 'a seven' }, afterSettlement, {
    T1: 9000,
  });
  expect(other.balance('T1')).toBe(-1000);
});

test('every resettlement names the terminal whose credit is missing', () => {
  const missing = { refused: 'missing-credits', terminal: 'T1' };
  const settled = () => readyTable('baccarat').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  const consent = (sit: ReturnType<typeof settled>) => {
    const { id: proposal, hash } = sit.table!.proposal!;
    return sit.refusal('Approve', { proposal, hash }, shiftManager);
  };
  const corrected = settled();
  corrected.do('CorrectCard', { round: corrected.round, place: 4, card: '7D', reason: 'x' }, supervisor);
  expect(consent(corrected)).toMatchObject(missing);
  const earlier = settled();
  const { slips } = earlier.table!.round!;
  const first = earlier.round;
  earlier.bets().do('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x', slips }, supervisor);
  expect(consent(earlier)).toMatchObject(missing);
  const reconstructed = settled();
  reconstructed.do('ReportIrregularity', { kind: 'wrong-order' });
  reconstructed.do('ReconstructRound', { cards: ['2C', '9S', '4D', '9H'], unseen: false, reason: 'x' }, supervisor);
  expect(consent(reconstructed)).toMatchObject(missing);
  const drawnOn = settled();
  drawnOn.doByTwo('CorrectCard', { round: drawnOn.round, place: 3, card: '3H', reason: 'x' }, afterSettlement);
  drawnOn.do('ReportInterruption', { since: 0, stateLost: true });
  drawnOn.confirmFelt().do('ConfirmRuling', {}, supervisor);
  drawnOn.deal('4C').do('Refer', { reason: 'x' });
  const stand = { decision: 'stand', reason: 'as drawn' } as const;
  drawnOn.do('DecideReferral', stand, supervisor);
  expect(consent(drawnOn)).toMatchObject(missing);
  drawnOn.doByTwo('DecideReferral', stand, afterSettlement, { T1: 5000 });
  expect(drawnOn.table).toMatchObject({ phase: 'idle', referrals: [] });
});

test('[READING 53] a settled round that is drawn on and interrupted with nothing decided is void by two persons, its payments reversed', () => {
  const offered = ['player', 'banker', 'tie'];
  const limits = Object.fromEntries(offered.map((wager) => [wager, [100, 100_000]]));
  const sit = readyTable('tiger', { offered, limits }).playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 3, card: '3H', reason: 'x' }, afterSettlement);
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  expect(sit.confirmFelt().do('ConfirmRuling', {}, supervisor)).toMatchObject([{ type: 'Proposed' }]);
  const { id, hash } = sit.table!.proposal!;
  expect(sit.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({
    refused: 'missing-credits',
    terminal: 'T1',
  });
  expect(sit.doByTwo('ConfirmRuling', {}, afterSettlement, { T1: 5000 })).toMatchObject([
    { type: 'Approved' },
    { type: 'RoundResettled', outcome: 'void', by: 'ETG 5.9.1' },
    { type: 'SettlementPosted' },
  ]);
  expect(sit.balance('T1')).toBe(0);
});

test('slips that stake on other wagers than the round had are not its slips', () => {
  const sit = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  const first = sit.round;
  sit.bets();
  const fix = { round: first, place: 4, card: '7D', reason: 'x' };
  expect(sit.refusal('CorrectCard', { ...fix, slips: { T1: { banker: 1000 } } }, supervisor)).toMatchObject({
    refused: 'slips-differ',
  });
});

test('slips that put the same sum on a wager by another number of patrons are not the round’s', () => {
  const sit = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 500 }, T2: { player: 500 } });
  const fix = { round: sit.round, place: 4, card: '7D', reason: 'x' };
  sit.bets();
  const slips = { T1: { player: 1000 }, T2: { tie: 100 } };
  expect(sit.refusal('CorrectCard', { ...fix, slips }, supervisor)).toMatchObject({ refused: 'slips-differ' });
  const both = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 500, tie: 100 } });
  const part = { ...fix, round: both.round, slips: { T1: { player: 500 } } };
  expect(both.bets().refusal('CorrectCard', part, supervisor)).toMatchObject({ refused: 'slips-differ' });
});

test('an earlier round without slips is corrected without them', () => {
  const sit = readyTable('tiger').playRound('9S 2C 9H 4D');
  const fix = { round: sit.round, place: 4, card: '7D', reason: 'x' };
  sit.bets({ T1: { tie: 100 } }).do('CorrectCard', fix, supervisor);
  expect(buildSupervisorView(sit.table!).rulings!.rows).toEqual([]);
  const { id, hash } = sit.table!.proposal!;
  expect(sit.do('Approve', { proposal: id, hash }, shiftManager)).toMatchObject([
    {},
    {},
    { type: 'RoundResettled', slips: {} },
  ]);
  expect(sit.table!.pendingSettlements).toEqual([]);
});

test('slips of an earlier round that name __proto__ or constructor are refused and change nothing', () => {
  const sit = readyTable('baccarat').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  const { round } = sit;
  sit.wait(1000).bets();
  for (const wager of ['__proto__', 'constructor']) {
    const slips = JSON.parse(`{"T1":{"player":1000,"${wager}":7}}`) as { [terminal: string]: { player: number } };
    const refusal = sit.refusal('CorrectCard', { round, place: 1, card: '9C', slips, reason: 'misread' }, supervisor);
    expect(refusal.refused).toBe('slips-differ');
  }
  expect(Object.hasOwn(Object.prototype, 'stake') || Object.hasOwn(Object, 'stake')).toBe(false);
});

test('of several earlier rounds the one that is named is corrected', () => {
  const sit = readyTable('tiger').playRound(natural).playRound('TD TC 9H 8D');
  const second = sit.round;
  sit.bets();
  const [event] = sit.do('CorrectCard', { round: second, place: 4, card: '7D', reason: 'x' }, supervisor);
  expect(event).toMatchObject({ effects: [{ was: '8D' }, { round: second }] });
});

test('an earlier round is found by its own id, and its slips are as many as its patrons', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 500 } });
  const first = sit.round;
  sit.playRound('TD TC 9H 8D', { T2: { banker: 300 } }).bets();
  const fix = { round: first, place: 4, card: '7D', reason: 'x' };
  const refused = { refused: 'slips-differ' };
  expect(sit.refusal('CorrectCard', { ...fix, slips: { T2: { banker: 300 } } }, supervisor)).toMatchObject(refused);
  expect(sit.refusal('CorrectCard', { ...fix, slips: { T1: { player: 500 }, T9: {} } }, supervisor)).toMatchObject(
    refused,
  );
  expect(sit.do('CorrectCard', { ...fix, slips: { T1: { player: 500 } } }, supervisor)[0]).toMatchObject({
    effects: [{ was: '4D' }, { type: 'RoundResettled', round: first }, {}],
  });
  const both = readyTable('tiger').playRound(natural, { T1: { player: 500 }, T2: { player: 500, tie: 100 } });
  const other = { ...fix, round: both.round, slips: { T1: { player: 1000, tie: 100 }, T2: { banker: 0 } } };
  expect(both.bets().refusal('CorrectCard', other as never, supervisor)).toMatchObject(refused);
});

test('a round of yesterday that is still played is corrected today', () => {
  const sit = readyTable('tiger');
  sit.at = Date.parse('2023-11-16T05:59:00+08:00');
  sit.bets().close().deal('9S 2C').wait(120_000);
  sit.doByTwo('CorrectCard', { round: sit.round, place: 2, card: '3C', reason: 'misread' });
  expect(sit.table!.round!.cards).toEqual(['9S', '3C']);
});

test('a round is seen, judged and corrected by the game it was played by, whatever the table deals now', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  sit.doByTwo('EndShoe', { seen: {} });
  sit.doByTwo('ChangeSettings', { settings: defaultSettings('sands-elements') }, managers);
  expect(publicView(sit.table!)).toMatchObject({ game: { rulebook: 'ELM' }, statistics: { rounds: 1 } });
  expect(sit.do('ReportIrregularity', { kind: 'wrong-number' })[0]).toMatchObject({ by: 'ETG 5.7' });
  expect(buildSupervisorView(sit.table!).rulings!.rows).toMatchObject([
    { terminal: 'T1', paid: 2000, back: { stand: 2000 } },
  ]);
  sit.doByTwo('ReconstructRound', { cards: cardsIn('2C 9S 4D 9H'), unseen: false, reason: 'video' }, afterSettlement, {
    T1: 5000,
  });
  expect(sit.events('RoundResettled')[0]).toMatchObject({ by: 'ETG 5.7' });
  sit.doByTwo('CorrectCard', { round: sit.round, place: 1, card: '3C', reason: 'a three' }, afterSettlement, {
    T1: 5000,
  });
  expect(sit.events('CardCorrected')[0]).toMatchObject({ by: 'ETG 6.3', card: '3C' });
});

test('a card of a virtual shoe stays proven when the table has gone over to live cards', () => {
  const sit = new TableScenario();
  sit.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager }, pitManager);
  const shoe = sit.virtualShoe(natural);
  sit.bets().close();
  for (const [n, slot] of (['P1', 'B1', 'P2', 'B2'] as const).entries()) sit.do('DealCard', { slot, ...shoe.at(n) });
  sit.settle();
  sit.doByTwo('EndShoe', { cards: shoe.cards, salts: shoe.salts });
  sit.doByTwo('ChangeSettings', { settings: defaultSettings('tiger') }, managers);
  expect(sit.refusal('CorrectCard', { round: sit.round, place: 1, card: 'KD', reason: 'x' }, supervisor)).toMatchObject(
    { refused: 'card-proven' },
  );
  for (const kind of ['wrong-number', 'wrong-order'] as const) {
    expect(sit.refusal('ReportIrregularity', { kind })).toMatchObject({ refused: 'not-here' });
  }
});

test('[READING 16] the last round of a live shoe can be put right when the table has gone over to virtual cards', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  sit.doByTwo('EndShoe', { seen: {} });
  sit.doByTwo('ChangeSettings', { settings: defaultSettings('tiger', { dealing: 'virtual' }) }, managers);
  expect(sit.refusal('ReportIrregularity', { kind: 'unreadable-card' })).toMatchObject({ refused: 'not-here' });
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.doByTwo('ReconstructRound', { cards: cardsIn('2C 9S 4D 9H'), unseen: false, reason: 'video' }, afterSettlement, {
    T1: 5000,
  });
  expect(sit.table!.round!.cards).toEqual(cardsIn('2C 9S 4D 9H'));
});

test('[READING 55] a correction in another round leaves an extra card that was reported, and answers one found by count', () => {
  const sit = readyTable('tiger').playRound(natural);
  const first = sit.round;
  sit.bets().close().deal('2S 3H');
  sit.do('ReportIrregularity', { kind: 'extra-card' });
  sit.doByTwo('CorrectCard', { round: first, place: 1, card: '9D', reason: 'a wrong suit' }, afterSettlement);
  expect(sit.table!.openIrregularities).toMatchObject([{ kind: 'extra-card', round: sit.round }]);
  sit.doByTwo('CorrectCard', { round: sit.round, place: 1, card: '2D', reason: 'a wrong suit' });
  expect(sit.table!.openIrregularities).toEqual([]);
  const counted = readyTable('tiger', { decks: 4 }).playRound('9S 9S 9S 9S');
  const earlier = counted.round;
  counted.bets().close().deal('9S');
  expect(counted.table!.openIrregularities).toMatchObject([{ kind: 'extra-card', round: counted.round }]);
  counted.doByTwo('CorrectCard', { round: earlier, place: 1, card: '9D', reason: 'a wrong suit' }, afterSettlement);
  expect(counted.table!.openIrregularities).toEqual([]);
});

test('the roles for a correction or replay depend on the round', () => {
  const sit = readyTable('tiger').playRound(natural);
  const first = sit.round;
  expect(sit.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' })).toMatchObject({
    refused: 'not-your-role',
  });
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(sit.refusal('ReconstructRound', { cards: [], unseen: false, reason: 'x' })).toMatchObject({
    refused: 'not-your-role',
  });
  sit.doByTwo('DismissReport', { reason: 'x' }, afterSettlement);
  sit.bets();
  expect(sit.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' })).toMatchObject({
    refused: 'not-your-role',
  });
  const unknown = openedTable('tiger');
  expect(unknown.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' }, supervisor)).toMatchObject(
    { refused: 'no-such-round' },
  );
  expect(unknown.refusal('WithdrawProposal', { proposal: 'P1' })).toMatchObject({ refused: 'unknown-proposal' });
});

test('fewer wagers on offer later change nothing about a settled round', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { tiger: 1000 } });
  sit.doByTwo('EndShoe', { seen: {} });
  const offered = ['player', 'banker', 'tie'];
  const limits = Object.fromEntries(offered.map((wager) => [wager, [100, 100_000]]));
  sit.doByTwo('ChangeSettings', { settings: defaultSettings('tiger', { offered, limits }) }, managers);
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(buildSupervisorView(sit.table!).rulings!.rows).toMatchObject([
    { terminal: 'T1', back: { void: 1000, stand: 0 } },
  ]);
});

test('[READING 28] once the next round is open a card is corrected only where each card keeps its slot', () => {
  const sit = readyTable('tiger').playRound('KC QD 7S 5H 9C', { T1: { player: 1000 } });
  const first = sit.round;
  const { slips } = sit.table!.round!;
  const ending = sit.table!.round!.ending;
  sit.bets();
  // With 5S the Player would have drawn the 9C, and not the Banker.
  const fix = { round: first, place: 3, card: '5S', reason: 'misread', slips };
  expect(sit.refusal('CorrectCard', fix, supervisor)).toMatchObject({ refused: 'too-late', by: 'ETG 6.3' });
  // An eight is a natural, so no hand would have drawn.
  expect(sit.refusal('CorrectCard', { ...fix, card: '8S' }, supervisor)).toMatchObject({ refused: 'too-late' });
  expect(sit.table!.history[0]).toMatchObject({ cards: ['KC', 'QD', '7S', '5H', '9C'], ending });
  sit.doByTwo('CorrectCard', { ...fix, card: '6S' }, afterSettlement);
  expect(sit.table!.history[0]).toMatchObject({ cards: ['KC', 'QD', '6S', '5H', '9C'] });
  // Before that, the order is replayed, and the 9C goes to the Player.
  const last = readyTable('tiger').playRound('KC QD 7S 5H 9C', { T1: { player: 1000 } });
  last.doByTwo('CorrectCard', { round: last.round, place: 3, card: '5S', reason: 'misread' }, afterSettlement, {
    T1: 5000,
  });
  expect(last.table!.round!.cards).toEqual(['KC', 'QD', '5S', '5H', '9C']);
});
