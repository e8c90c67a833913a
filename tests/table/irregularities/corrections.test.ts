import { expect, test } from 'vitest';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
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
} from '../tableScenario.ts';

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };

test('[ETG 6.3.ii] before settlement dealer and supervisor replace a wrong scan by the card that was dealt', () => {
  const table = readyTable('tiger').bets(stakes).close().deal('9S 2C 9H');
  const fix = { round: table.round, place: 2, card: '3C', reason: 'misread' };
  expect(table.refusal('CorrectCard', { ...fix, place: 4 })).toMatchObject({ refused: 'no-such-card', by: 'ETG 6.3' });
  expect(table.refusal('CorrectCard', { ...fix, place: 0 })).toMatchObject({ refused: 'no-such-card' });
  expect(table.refusal('CorrectCard', { ...fix, card: '2C' })).toMatchObject({ refused: 'no-such-card' });
  expect(table.refusal('CorrectCard', { ...fix, card: 'ZZ' })).toMatchObject({ refused: 'unknown-card' });
  expect(table.refusal('CorrectCard', { ...fix, slips: {} })).toMatchObject({ refused: 'slips-differ' });
  expect(table.doByTwo('CorrectCard', fix)[1]).toMatchObject({
    type: 'CardCorrected',
    was: '2C',
    card: '3C',
    by: 'ETG 6.3',
    phase: 'dealing',
  });
  expect(table.table).toMatchObject({
    round: { cards: ['9S', '3C', '9H'] },
    shoe: { drawn: 3, seen: { '2C': 0, '3C': 1 } },
  });
  // By the five that was dealt the Banker has nine; by the cards that were displayed the Player won.
  table.doByTwo('CorrectCard', { ...fix, card: '5C' });
  table.deal('4D').settle();
  expect([table.balance('T1'), table.balance('T2')]).toEqual([-1000, 950 - 200]);
  expect(publicView(table.table!)).toMatchObject({
    round: { winner: 'banker' },
    roads: { bead: [{ winner: 'banker' }] },
  });
});

test('[READING 28] a mis-scan that changed the draw is replayed: further cards are drawn, or surplus cards remain', () => {
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

test.each(['READING 28', 'ETG 6.3.ii'])(
  '[%s] after settlement supervisor and shift manager correct: with compensating entries, both versions, and new roads',
  () => {
    const table = readyTable('tiger').playRound('9S 2C 9H 4D', stakes);
    expect(publicView(table.table!).statistics).toMatchObject({ player: 1, banker: 0 });
    const fix = { round: table.round, place: 4, card: '7D', reason: 'the card was a seven' };
    expect(table.refusal('CorrectCard', fix, dealer)).toMatchObject({ refused: 'not-your-role', by: 'ETG 6.2' });
    table.do('CorrectCard', fix, supervisor);
    const view = buildSupervisorView(table.table!);
    expect(view.rulings!.rows).toMatchObject([
      { terminal: 'T1', staked: 1000, paid: 2000, back: { stand: 2000, correct: 0 } },
      { terminal: 'T2', staked: 1200, paid: 0, back: { stand: 0, correct: 1950 } },
    ]);
    expect(view).toMatchObject({
      proposal: {
        command: 'CorrectCard',
        second: 'gaming-shift-manager',
        effects: { not: null, changes: [{ type: 'card-correct' }], round: { settled: 'now' } },
      },
    });
    const { id, hash } = table.table!.proposal!;
    expect(table.refusal('Approve', { proposal: id, hash }, pitManager)).toMatchObject({ refused: 'not-your-role' });
    table.do('Approve', { proposal: id, hash, credits: { T1: 2000 } }, shiftManager);
    expect([table.balance('T1'), table.balance('T2')]).toEqual([-1000, 750]);
    expect([table.account('stakes'), table.account('house'), table.account('commission')]).toEqual([0, 200, 50]);
    expect(publicView(table.table!)).toMatchObject({
      statistics: { player: 0, banker: 1 },
      round: { settledAgain: true },
    });
    // Every road is that of a table at which the seven was read.
    expect(publicView(table.table!).roads).toEqual(
      publicView(readyTable('tiger').playRound('9S 2C 9H 7D', stakes).table!).roads,
    );
    expect(table.events('CardDealt').map(({ card }) => card)).toEqual(['9S', '2C', '9H', '4D']);
    expect(table.events('RoundSettled')[0]!.cards).toEqual(['9S', '2C', '9H', '4D']);
    expect(table.events('RoundResettled')[0]).toMatchObject({ cards: ['9S', '2C', '9H', '7D'], outcome: 'results' });
  },
);

test('[READING 28] the last round may draw further before the next opening; an earlier one is corrected only if the draw is unchanged', () => {
  const table = readyTable('tiger').playRound('9S 2C 9H 4D', stakes);
  table.doByTwo('CorrectCard', { round: table.round, place: 3, card: '3H', reason: 'misread' }, afterSettlement);
  expect(table.table!.phase).toBe('dealing');
  table
    .deal('5D')
    .wait(2_000)
    .do('Settle', { credits: { T1: 9000, T2: 9000 } });
  const first = table.round;
  const slips = table.table!.round!.slips;
  table.bets({ T1: { tie: 100 } });
  const earlier = { round: first, place: 4, card: '5H', reason: 'misread', slips };
  expect(table.refusal('CorrectCard', { ...earlier, place: 1, card: '6S' }, supervisor)).toMatchObject({
    refused: 'too-late',
    by: 'ETG 6.3',
  });
  expect(table.refusal('CorrectCard', { ...earlier, slips: {} }, supervisor)).toMatchObject({
    refused: 'slips-differ',
  });
  expect(
    table.refusal('CorrectCard', { ...earlier, slips: { T1: slips['T1']!, T3: slips['T2']!, T4: {} } }, supervisor),
  ).toMatchObject({ refused: 'slips-differ' });
  expect(
    table.refusal('CorrectCard', { ...earlier, slips: { ...slips, T2: { banker: 1000, tie: 300 } } }, supervisor),
  ).toMatchObject({ refused: 'slips-differ' });
  table.do('CorrectCard', earlier, supervisor);
  expect(buildSupervisorView(table.table!).rulings!.rows.map(({ terminal }) => terminal)).toEqual(['T1', 'T2']);
  const { id, hash } = table.table!.proposal!;
  const events = table.do('Approve', { proposal: id, hash, credits: { T1: 9000, T2: 9000 } }, shiftManager);
  expect(events).toMatchObject([
    {},
    { type: 'CardCorrected', phase: 'settled' },
    { type: 'RoundResettled', slips },
    { round: first },
  ]);
  expect(table.table).toMatchObject({ phase: 'betting', pendingSettlements: [] });
  expect(table.account('stakes')).toBe(100);
});

test('[READING 28] a void round, an unknown one and one of another gaming day are not corrected', () => {
  const table = readyTable('tiger').playRound('9S 2C 9H 4D', stakes);
  const played = table.round;
  const fix = { round: played, place: 4, card: '7D', reason: 'x' };
  expect(table.refusal('CorrectCard', { ...fix, round: 'sg1/none' }, supervisor)).toMatchObject({
    refused: 'no-such-round',
    by: 'ETG 6.1',
  });
  table.wait(24 * 3_600_000);
  expect(table.refusal('CorrectCard', fix, supervisor)).toMatchObject({ refused: 'no-such-round' });
  table.bets().do('VoidRound', { reason: 'x' });
  expect(table.refusal('CorrectCard', { ...fix, round: table.round }, supervisor)).toMatchObject({
    refused: 'no-such-round',
  });
});

test('after its shoe has left, cards of the last round can be corrected, but none drawn', () => {
  const table = readyTable('baccarat').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  table.doByTwo('EndShoe', { seen: {} });
  table.do('ReportIrregularity', { kind: 'wrong-order' });
  const order = { unseen: false, reason: 'video' };
  expect(table.refusal('ReconstructRound', { ...order, cards: ['2C', '9S', '9H', '4D'] }, supervisor)).toMatchObject({
    refused: 'too-late',
  });
  expect(
    table.refusal('ReconstructRound', { ...order, cards: ['9S', '2C', '9H', '4D'], unseen: true }, supervisor),
  ).toMatchObject({ refused: 'too-late', by: 'HOUSE 5' });
  const events = table.doByTwo('VoidRound', { reason: 'not to be restored' }, afterSettlement, { T1: 5000 });
  expect(events.map(({ type }) => type)).toEqual(['Approved', 'RoundResettled', 'SettlementPosted']);
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
  const consent = (table: ReturnType<typeof settled>) => {
    const { id: proposal, hash } = table.table!.proposal!;
    return table.refusal('Approve', { proposal, hash }, shiftManager);
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
  const table = readyTable('tiger', { offered, limits }).playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  table.doByTwo('CorrectCard', { round: table.round, place: 3, card: '3H', reason: 'x' }, afterSettlement);
  table.do('ReportInterruption', { since: 0, stateLost: true });
  expect(table.confirmFelt().do('ConfirmRuling', {}, supervisor)).toMatchObject([{ type: 'Proposed' }]);
  const { id, hash } = table.table!.proposal!;
  expect(table.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({
    refused: 'missing-credits',
    terminal: 'T1',
  });
  expect(table.doByTwo('ConfirmRuling', {}, afterSettlement, { T1: 5000 })).toMatchObject([
    { type: 'Approved' },
    { type: 'RoundResettled', outcome: 'void', by: 'ETG 5.9.1' },
    { type: 'SettlementPosted' },
  ]);
  expect(table.balance('T1')).toBe(0);
});

test('slips with other wagers than the round had are refused', () => {
  const table = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  const first = table.round;
  table.bets();
  const fix = { round: first, place: 4, card: '7D', reason: 'x' };
  expect(table.refusal('CorrectCard', { ...fix, slips: { T1: { banker: 1000 } } }, supervisor)).toMatchObject({
    refused: 'slips-differ',
  });
});

test('slips with the same sum on a wager by another number of patrons are refused', () => {
  const table = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 500 }, T2: { player: 500 } });
  const fix = { round: table.round, place: 4, card: '7D', reason: 'x' };
  table.bets();
  const slips = { T1: { player: 1000 }, T2: { tie: 100 } };
  expect(table.refusal('CorrectCard', { ...fix, slips }, supervisor)).toMatchObject({ refused: 'slips-differ' });
  const both = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 500, tie: 100 } });
  const fields = { ...fix, round: both.round, slips: { T1: { player: 500 } } };
  expect(both.bets().refusal('CorrectCard', fields, supervisor)).toMatchObject({ refused: 'slips-differ' });
});

test('an earlier round without slips is corrected without them', () => {
  const table = readyTable('tiger').playRound('9S 2C 9H 4D');
  const fix = { round: table.round, place: 4, card: '7D', reason: 'x' };
  table.bets({ T1: { tie: 100 } }).do('CorrectCard', fix, supervisor);
  expect(buildSupervisorView(table.table!).rulings!.rows).toEqual([]);
  const { id, hash } = table.table!.proposal!;
  expect(table.do('Approve', { proposal: id, hash }, shiftManager)).toMatchObject([
    {},
    {},
    { type: 'RoundResettled', slips: {} },
  ]);
  expect(table.table!.pendingSettlements).toEqual([]);
});

test('slips of an earlier round that name __proto__ or constructor are refused and change nothing', () => {
  const table = readyTable('baccarat').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  const { round } = table;
  table.wait(1000).bets();
  for (const wager of ['__proto__', 'constructor']) {
    const slips = JSON.parse(`{"T1":{"player":1000,"${wager}":7}}`) as { [terminal: string]: { player: number } };
    const refusal = table.refusal('CorrectCard', { round, place: 1, card: '9C', slips, reason: 'misread' }, supervisor);
    expect(refusal.refused).toBe('slips-differ');
  }
  expect(Object.hasOwn(Object.prototype, 'stake') || Object.hasOwn(Object, 'stake')).toBe(false);
});

test('of several earlier rounds the named one is corrected', () => {
  const table = readyTable('tiger').playRound(natural).playRound('TD TC 9H 8D');
  const second = table.round;
  table.bets();
  const [event] = table.do('CorrectCard', { round: second, place: 4, card: '7D', reason: 'x' }, supervisor);
  expect(event).toMatchObject({ effects: [{ was: '8D' }, { round: second }] });
});

test('an earlier round is found by its id, and its slips are as many as its patrons', () => {
  const table = readyTable('tiger').playRound(natural, { T1: { player: 500 } });
  const first = table.round;
  table.playRound('TD TC 9H 8D', { T2: { banker: 300 } }).bets();
  const fix = { round: first, place: 4, card: '7D', reason: 'x' };
  const refused = { refused: 'slips-differ' };
  expect(table.refusal('CorrectCard', { ...fix, slips: { T2: { banker: 300 } } }, supervisor)).toMatchObject(refused);
  expect(table.refusal('CorrectCard', { ...fix, slips: { T1: { player: 500 }, T9: {} } }, supervisor)).toMatchObject(
    refused,
  );
  expect(table.do('CorrectCard', { ...fix, slips: { T1: { player: 500 } } }, supervisor)[0]).toMatchObject({
    effects: [{ was: '4D' }, { type: 'RoundResettled', round: first }, {}],
  });
  const both = readyTable('tiger').playRound(natural, { T1: { player: 500 }, T2: { player: 500, tie: 100 } });
  const other = { ...fix, round: both.round, slips: { T1: { player: 1000, tie: 100 }, T2: { banker: 0 } } };
  expect(both.bets().refusal('CorrectCard', other as never, supervisor)).toMatchObject(refused);
});

test('a round of the last gaming day that is still played can be corrected', () => {
  const table = readyTable('tiger');
  table.at = Date.parse('2023-11-16T05:59:00+08:00');
  table.bets().close().deal('9S 2C').wait(120_000);
  table.doByTwo('CorrectCard', { round: table.round, place: 2, card: '3C', reason: 'misread' });
  expect(table.table!.round!.cards).toEqual(['9S', '3C']);
});

test('a round is shown, judged and corrected by its own game, whatever the table deals now', () => {
  const table = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  table.doByTwo('EndShoe', { seen: {} });
  table.doByTwo('ChangeSettings', { settings: defaultSettings('sands-elements') }, managers);
  expect(publicView(table.table!)).toMatchObject({ game: { rulebook: 'ELM' }, statistics: { rounds: 1 } });
  expect(table.do('ReportIrregularity', { kind: 'wrong-number' })[0]).toMatchObject({ by: 'ETG 5.7' });
  expect(buildSupervisorView(table.table!).rulings!.rows).toMatchObject([
    { terminal: 'T1', paid: 2000, back: { stand: 2000 } },
  ]);
  table.doByTwo(
    'ReconstructRound',
    { cards: cardsIn('2C 9S 4D 9H'), unseen: false, reason: 'video' },
    afterSettlement,
    { T1: 5000 },
  );
  expect(table.events('RoundResettled')[0]).toMatchObject({ by: 'ETG 5.7' });
  table.doByTwo('CorrectCard', { round: table.round, place: 1, card: '3C', reason: 'a three' }, afterSettlement, {
    T1: 5000,
  });
  expect(table.events('CardCorrected')[0]).toMatchObject({ by: 'ETG 6.3', card: '3C' });
});

test('a card of a virtual shoe keeps its proof when the table has changed to live cards', () => {
  const table = new TableScenario();
  table.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  const shoe = table.virtualShoe(natural);
  table.bets().close();
  for (const [n, slot] of (['P1', 'B1', 'P2', 'B2'] as const).entries()) table.do('DealCard', { slot, ...shoe.at(n) });
  table.settle();
  table.doByTwo('EndShoe', { cards: shoe.cards, salts: shoe.salts });
  table.doByTwo('ChangeSettings', { settings: defaultSettings('tiger') }, managers);
  expect(
    table.refusal('CorrectCard', { round: table.round, place: 1, card: 'KD', reason: 'x' }, supervisor),
  ).toMatchObject({ refused: 'card-proven' });
  for (const kind of ['wrong-number', 'wrong-order'] as const) {
    expect(table.refusal('ReportIrregularity', { kind })).toMatchObject({ refused: 'not-here' });
  }
});

test('[READING 16] the last round of a live shoe can be corrected when the table has changed to virtual cards', () => {
  const table = readyTable('tiger').playRound(natural, { T1: { player: 1000 } });
  table.doByTwo('EndShoe', { seen: {} });
  table.doByTwo('ChangeSettings', { settings: defaultSettings('tiger', { dealing: 'virtual' }) }, managers);
  expect(table.refusal('ReportIrregularity', { kind: 'unreadable-card' })).toMatchObject({ refused: 'not-here' });
  table.do('ReportIrregularity', { kind: 'wrong-number' });
  table.doByTwo(
    'ReconstructRound',
    { cards: cardsIn('2C 9S 4D 9H'), unseen: false, reason: 'video' },
    afterSettlement,
    { T1: 5000 },
  );
  expect(table.table!.round!.cards).toEqual(cardsIn('2C 9S 4D 9H'));
});

test('[READING 55] a correction in another round leaves a reported extra card open, and closes one found by count', () => {
  const table = readyTable('tiger').playRound(natural);
  const first = table.round;
  table.bets().close().deal('2S 3H');
  table.do('ReportIrregularity', { kind: 'extra-card' });
  table.doByTwo('CorrectCard', { round: first, place: 1, card: '9D', reason: 'a wrong suit' }, afterSettlement);
  expect(table.table!.openIrregularities).toMatchObject([{ kind: 'extra-card', round: table.round }]);
  table.doByTwo('CorrectCard', { round: table.round, place: 1, card: '2D', reason: 'a wrong suit' });
  expect(table.table!.openIrregularities).toEqual([]);
  const counted = readyTable('tiger', { decks: 4 }).playRound('9S 9S 9S 9S');
  const earlier = counted.round;
  counted.bets().close().deal('9S');
  expect(counted.table!.openIrregularities).toMatchObject([{ kind: 'extra-card', round: counted.round }]);
  counted.doByTwo('CorrectCard', { round: earlier, place: 1, card: '9D', reason: 'a wrong suit' }, afterSettlement);
  expect(counted.table!.openIrregularities).toEqual([]);
});

test('the roles for a correction or replay depend on the round', () => {
  const table = readyTable('tiger').playRound(natural);
  const first = table.round;
  expect(table.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' })).toMatchObject({
    refused: 'not-your-role',
  });
  table.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(table.refusal('ReconstructRound', { cards: [], unseen: false, reason: 'x' })).toMatchObject({
    refused: 'not-your-role',
  });
  table.doByTwo('DismissReport', { reason: 'x' }, afterSettlement);
  table.bets();
  expect(table.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' })).toMatchObject({
    refused: 'not-your-role',
  });
  const unknown = openedTable('tiger');
  expect(unknown.refusal('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x' }, supervisor)).toMatchObject(
    { refused: 'no-such-round' },
  );
  expect(unknown.refusal('WithdrawProposal', { proposal: 'P1' })).toMatchObject({ refused: 'unknown-proposal' });
});

test('fewer wagers on offer later change nothing about a settled round', () => {
  const table = readyTable('tiger').playRound(natural, { T1: { tiger: 1000 } });
  table.doByTwo('EndShoe', { seen: {} });
  const offered = ['player', 'banker', 'tie'];
  const limits = Object.fromEntries(offered.map((wager) => [wager, [100, 100_000]]));
  table.doByTwo('ChangeSettings', { settings: defaultSettings('tiger', { offered, limits }) }, managers);
  table.do('ReportIrregularity', { kind: 'wrong-number' });
  expect(buildSupervisorView(table.table!).rulings!.rows).toMatchObject([
    { terminal: 'T1', back: { void: 1000, stand: 0 } },
  ]);
});

test('[READING 28] after the next opening a card is corrected only when each card keeps its slot', () => {
  const table = readyTable('tiger').playRound('KC QD 7S 5H 9C', { T1: { player: 1000 } });
  const first = table.round;
  const { slips } = table.table!.round!;
  const ending = table.table!.round!.ending;
  table.bets();
  // With 5S the Player would have drawn the 9C, and not the Banker.
  const fix = { round: first, place: 3, card: '5S', reason: 'misread', slips };
  expect(table.refusal('CorrectCard', fix, supervisor)).toMatchObject({ refused: 'too-late', by: 'ETG 6.3' });
  // An eight is a natural, so no hand would have drawn.
  expect(table.refusal('CorrectCard', { ...fix, card: '8S' }, supervisor)).toMatchObject({ refused: 'too-late' });
  expect(table.table!.history[0]).toMatchObject({ cards: ['KC', 'QD', '7S', '5H', '9C'], ending });
  table.doByTwo('CorrectCard', { ...fix, card: '6S' }, afterSettlement);
  expect(table.table!.history[0]).toMatchObject({ cards: ['KC', 'QD', '6S', '5H', '9C'] });
  expect(table.events('CardCorrected')).toMatchObject([{ place: 3, was: '7S', card: '6S', burned: [] }]);
  // Before that, the order is replayed, and the 9C goes to the Player.
  const last = readyTable('tiger').playRound('KC QD 7S 5H 9C', { T1: { player: 1000 } });
  last.doByTwo('CorrectCard', { round: last.round, place: 3, card: '5S', reason: 'misread' }, afterSettlement, {
    T1: 5000,
  });
  expect(last.table!.round!.cards).toEqual(['KC', 'QD', '5S', '5H', '9C']);
});
