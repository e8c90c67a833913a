import { expect, test } from 'vitest';
import { rulebooks } from '../../../src/games/rulebooks.ts';
import { irregularityKinds } from '../../../src/games/irregularities.ts';
import { decidedWagers } from '../../../src/rules/decidedWagers.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import {
  type TableScenario,
  TableScenario as Seat,
  dealer,
  floor,
  gameOf,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from '../tableScenario.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const late = [supervisor, shiftManager] as const;

/** Four cards of a round in which the Player has a natural. */
const natural = '9S 2C 9H 4D';

test('every rulebook has a rule for every kind, and a void always returns the stakes', () => {
  for (const { id, irregularities } of rulebooks) {
    for (const kind of irregularityKinds) {
      const { by, rulings, stops } = irregularities[kind];
      expect(by, `${id} ${kind}`).toMatch(new RegExp(`^(${id} \\d|HOUSE \\d)`));
      expect(Object.keys(rulings).length).toBeGreaterThan(0);
      expect(stops).toBe(!('note' in rulings));
      for (const [ruling, effect] of Object.entries(rulings)) {
        expect(effect.by).toMatch(new RegExp(`^(${id} \\d|HOUSE \\d)`));
        expect(
          (ruling === 'void') === (effect.round === 'void') && (ruling === 'void') === (effect.money === 'returned'),
        ).toBe(true);
      }
    }
  }
});

test('[READING 27] a void by any clause returns won and lost wagers alike', () => {
  // After three cards Player Pair is won, or Tiger Pair; after four Banker Pair is lost, and with it Tiger on 6.
  const cases = [
    ['baccarat', { T1: { 'player-pair': 1000, 'banker-pair': 500 }, T2: { player: 700, tie: 300 } }],
    ['tiger', { T1: { 'tiger-pair': 1000, tiger: 500 }, T2: { player: 700, 'small-tiger': 300 } }],
  ] as const;
  const voids = [
    'foreign-card',
    'extra-card',
    'missing-card',
    'unshuffled-cards',
    'wrong-number',
    'drawn-together',
    'order-altered',
    'too-few-cards',
    'wrong-order',
    'unreadable-card',
  ] as const;
  for (const [game, slips] of cases) {
    for (const kind of [...voids, 'referral'] as const) {
      const table = readyTable(game).bets(slips).close().deal('2S 7H 2D 3C');
      const decided = decidedWagers(gameOf(game), Object.keys(slips.T1), table.table!.round!.cards);
      expect([decided.won, decided.lost], game).toEqual([
        [Object.keys(slips.T1)[0]],
        game === 'tiger' ? [] : ['banker-pair'],
      ]);
      if (kind === 'referral') {
        table.do('Refer', { reason: 'x' });
        table.do('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager);
      } else {
        table.do('ReportIrregularity', { kind });
        table.doByTwo('VoidRound', { reason: 'x' });
      }
      expect([table.balance('T1'), table.balance('T2'), table.account('stakes')], `${game} ${kind}`).toEqual([0, 0, 0]);
      expect([table.account('house'), table.account('commission')]).toEqual([0, 0]);
    }
  }
});

for (const kind of ['foreign-card', 'missing-card', 'unshuffled-cards', 'extra-card'] as const) {
  test(`[READING 27] ${kind} found in a round: every stake is returned once, earlier rounds are unchanged, the shoe is locked`, () => {
    const table = readyTable('tiger').playRound(natural, stakes);
    const before = { T1: table.balance('T1'), T2: table.balance('T2'), house: table.account('house') };
    const roads = publicView(table.table!).roads;
    table.bets(stakes).close().deal('9S 2C 9H');
    expect(table.do('ReportIrregularity', { kind, note: 'seen by the dealer' })[0]).toMatchObject({
      type: 'IrregularityFound',
      kind,
      by: 'ETG 5.1',
      stops: true,
    });
    expect(table.refusalClause('DealCard', { slot: 'B2', card: '4D' })).toEqual(['awaiting-ruling', 'ETG 5.1']);
    expect(table.refusal('ReportIrregularity', { kind: 'wrong-order' })).toMatchObject({ refused: 'awaiting-ruling' });
    expect(table.refusal('RestoreOrder', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling', by: 'ETG 5.1' });
    expect(publicView(table.table!).stopped).toEqual({ kind, by: 'ETG 5.1' });
    const events = table.doByTwo('VoidRound', { reason: 'a card too many' });
    expect(events).toMatchObject([
      { type: 'Approved' },
      { type: 'RoundVoided', by: 'ETG 5.1.1', actor: dealer, second: supervisor },
      { type: 'SettlementPosted', last: true },
      { type: 'ShoeLocked', by: 'ETG 5.1.1' },
    ]);
    expect({ T1: table.balance('T1'), T2: table.balance('T2'), house: table.account('house') }).toEqual(before);
    expect(table.account('stakes')).toBe(0);
    expect(publicView(table.table!)).toMatchObject({ roads, stopped: null, round: { voidBy: 'ETG 5.1.1' } });
    expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'ETG 5.1.1' });
  });

  test(`[READING 25] ${kind} found between rounds: nothing is void, the shoe is locked`, () => {
    const table = readyTable('tiger').playRound(natural, stakes);
    expect(table.do('ReportIrregularity', { kind })).toMatchObject([
      { stops: false },
      { type: 'ShoeLocked', by: 'ETG 5.1' },
    ]);
    expect(table.events('RoundVoided')).toEqual([]);
    expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'ETG 5.1' });
    expect(publicView(table.table!).round).toMatchObject({ winner: 'player', voidBy: null });
    table.doByTwo('EndShoe', { seen: {} });
    expect(table.shoe('S2').do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened' }]);
  });
}

test.each([
  ['foreign-card', 'ETG 5.1.1'],
  ['order-altered', 'ETG 5.2'],
  ['too-few-cards', 'ETG 5.3'],
] as const)(
  '[READING 29] a round void for %s shows each patron in it the clause and returns the whole stake',
  (kind, by) => {
    const slips = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 }, T3: { 'tiger-pair': 700 } };
    const table = readyTable('tiger').bets(slips).close().deal('2S 7H 2D');
    table.do('ReportIrregularity', { kind });
    table.doByTwo('VoidRound', { reason: 'x' });
    for (const [terminal, slip] of Object.entries(slips)) {
      const { inRound, paid } = terminalView(table.table!, terminal);
      expect(inRound).toBe(true);
      expect(
        paid!.map(({ wager, stake, result, returned, by: clause }) => [wager, stake, result, returned, clause]),
      ).toEqual(Object.entries(slip).map(([wager, stake]) => [wager, stake, 'void', stake, by]));
      expect(table.balance(terminal)).toBe(0);
    }
    expect(terminalView(table.table!, 'T4').inRound).toBe(false);
  },
);

/** Eight decks with all eight kings of spades out, and a ninth scanned. */
function ninthKing(): TableScenario {
  const table = readyTable('baccarat')
    .playRound('KS KS KS KS 9S 9H')
    .playRound('KS KS KS KS 9D 9C')
    .bets(stakes)
    .close();
  table.do('DealCard', { slot: 'P1', card: 'KS' });
  return table;
}

test('[HOUSE 7] a card counted more often than the decks hold stops the table automatically: correct the scan, or void', () => {
  const table = ninthKing();
  expect(table.entries.slice(-2).map(({ event }) => event)).toMatchObject([
    { type: 'CardDealt', card: 'KS' },
    { type: 'IrregularityFound', kind: 'extra-card', by: 'HOUSE 7', rulings: ['correct', 'void'] },
  ]);
  expect(table.refusalClause('DealCard', { slot: 'B1', card: '2C' })).toEqual(['awaiting-ruling', 'HOUSE 7']);
  expect(table.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling', by: 'HOUSE 7' });
  table.doByTwo('CorrectCard', { round: table.round, place: 1, card: 'KC', reason: 'a smudge' });
  expect(table.table).toMatchObject({ openIrregularities: [], phase: 'dealing', shoe: { seen: { KS: 8, KC: 1 } } });
  table.deal('2C 9H 4D').settle();
});

test('[HOUSE 7] the wrong scan may be one of an earlier round', () => {
  const table = ninthKing();
  const earlier = table.table!.history[0]!.id;
  table.doByTwo('CorrectCard', { round: earlier, place: 1, card: 'KH', reason: 'the camera shows hearts' }, late, {});
  expect(table.table).toMatchObject({ openIrregularities: [], phase: 'dealing', shoe: { seen: { KS: 8, KH: 1 } } });
});

test('[HOUSE 7] a correction that makes another card too frequent stops the table again; between rounds it locks the shoe', () => {
  const table = ninthKing();
  table.doByTwo('CorrectCard', { round: table.round, place: 1, card: 'KC', reason: 'a smudge' });
  const [, , again] = table.doByTwo('CorrectCard', { round: table.round, place: 1, card: 'KS', reason: 'no smudge' });
  expect(again).toMatchObject({ type: 'IrregularityFound', kind: 'extra-card', stops: true });
  table.doByTwo('VoidRound', { reason: 'nine kings' });
  expect(table.events('RoundVoided')[0]).toMatchObject({ by: 'HOUSE 7' });
  const idle = readyTable('baccarat')
    .playRound('KS KS KS KS 9S 9H')
    .playRound('KS KS KS KS 9D 9C')
    .playRound('KC 2C 9H 4D');
  const events = idle.doByTwo('CorrectCard', { round: idle.round, place: 1, card: 'KS', reason: 'it was' }, late, {});
  expect(events.slice(-2)).toMatchObject([
    { kind: 'extra-card', stops: false },
    { type: 'ShoeLocked', by: 'HOUSE 7' },
  ]);
});

test('a mistaken report is dismissed by two persons, and no time is lost', () => {
  const table = readyTable('tiger').bets(stakes);
  const { closesAt } = table.table!.round!;
  table.do('ReportIrregularity', { kind: 'order-altered' });
  table.wait(7_000);
  const slip = { round: table.round, slip: { tie: 100 }, credit: 100 };
  expect(table.refusal('SetSlip', slip, { terminal: 'T9' })).toMatchObject({ refused: 'awaiting-ruling' });
  table.doByTwo('DismissReport', { reason: 'the shoe was not touched' });
  expect(table.table!.round!.closesAt).toBe(closesAt + 7_000);
  expect(table.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling' });
});

test('[ETG 5.2] after a change of the shoe order the round continues when it is restored; otherwise it is void and the shoe locked', () => {
  for (const cards of ['', '9S', '9S 2C 9H']) {
    const table = readyTable('tiger').bets(stakes).close().deal(cards);
    table.do('ReportIrregularity', { kind: 'order-altered', note: 'cards fell out' });
    table.doByTwo('RestoreOrder', { reason: 'the order is on video' });
    expect(table.table).toMatchObject({ openIrregularities: [], phase: 'dealing', shoe: { lockedBy: null } });
    table.do('ReportIrregularity', { kind: 'order-altered' });
    if (cards === '') table.do('VoidRound', { reason: 'lost' });
    else table.doByTwo('VoidRound', { reason: 'lost' });
    expect(table.table).toMatchObject({ phase: 'idle', shoe: { lockedBy: 'ETG 5.2' } });
  }
  const idle = readyTable('tiger').playRound(natural);
  idle.do('ReportIrregularity', { kind: 'order-altered' });
  expect(idle.refusal('OpenBets', {})).toMatchObject({ refused: 'awaiting-ruling' });
  expect(idle.doByTwo('VoidRound', { reason: 'lost' })).toMatchObject([
    { type: 'Approved' },
    { type: 'ShoeLocked', by: 'ETG 5.2' },
  ]);
  expect(idle.table).toMatchObject({ openIrregularities: [], phase: 'idle' });
});

test('[READING 51] before the close the dealer voids alone by HOUSE 12; after it, without a report, the void is referred', () => {
  const table = readyTable('baccarat').bets(stakes);
  expect(table.do('VoidRound', { reason: 'wrong limits on the sign' })).toMatchObject([
    { type: 'RoundVoided', by: 'HOUSE 12' },
    { type: 'SettlementPosted' },
  ]);
  expect([table.balance('T1'), table.balance('T2'), table.table!.shoe!.lockedBy]).toEqual([0, 0, null]);
  expect(table.refusalClause('VoidRound', { reason: 'x' }, supervisor)).toEqual(['no-such-ruling', 'HOUSE 1']);
  table.bets(stakes).close();
  expect(table.do('VoidRound', { reason: 'the hall is cleared' })).toMatchObject([
    { type: 'Referred', round: table.round, by: 'HOUSE 1', proposed: 'void', proposedBy: 'HOUSE 12' },
  ]);
  expect(table.do('DecideReferral', { decision: 'void', reason: 'it is' }, shiftManager)).toMatchObject([
    { type: 'ReferralDecided', by: 'HOUSE 1' },
    { type: 'RoundVoided', by: 'HOUSE 12', reason: 'it is' },
    { type: 'SettlementPosted' },
  ]);
});

test('[HOUSE 5] cards laid in a wrong order are replayed as they left the shoe; both orders stay recorded', () => {
  const table = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D');
  table.do('ReportIrregularity', { kind: 'wrong-order' });
  const order = ['2C', '9S', '9H', '4D'];
  expect(table.refusalClause('ReconstructRound', { cards: ['2C', '9S', '9H'], unseen: false, reason: 'x' })).toEqual([
    'wrong-cards',
    'HOUSE 5',
  ]);
  expect(table.refusal('ReconstructRound', { cards: ['2C', 'XX'], unseen: false, reason: 'x' }).refused).toBe(
    'unknown-card',
  );
  const many = [...order, '2C', '2D', '2H', '2S', '3S'];
  expect(table.refusal('ReconstructRound', { cards: many, unseen: false, reason: 'x' }).refused).toBe('wrong-cards');
  const [, events] = table.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'seen on video' });
  expect(events).toMatchObject({
    type: 'RoundReconstructed',
    by: 'HOUSE 5',
    before: ['9S', '2C', '9H', '4D'],
    after: order,
    surplus: 'none',
    phase: 'dealing',
  });
  // 2C 9H against 9S 4D: 1 and 3, so that the Player draws.
  expect(publicView(table.table!).round).toMatchObject({ player: { total: 1 }, banker: { total: 3 }, next: 'P3' });
});

test.each(['HOUSE 5', 'READING 18'])(
  '[%s] an over-drawn card goes to the other hand first; a visible surplus is burned, an unseen one opens the next round',
  () => {
    // Player 7 stands; its card goes to the Banker, who must draw.
    const table = readyTable('baccarat').bets(stakes).close().deal('4S 2C 3H TD');
    table.do('ReportIrregularity', { kind: 'wrong-number', note: 'a third card was laid to the Player' });
    const cards = ['4S', '2C', '3H', 'TD', '6H', '5C'];
    const [, events] = table.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'overdrawn' });
    expect(events).toMatchObject({
      after: ['4S', '2C', '3H', 'TD', '6H'],
      burned: ['5C'],
      surplus: 'burned',
      phase: 'result',
    });
    expect(publicView(table.table!).round).toMatchObject({
      player: { total: 7 },
      banker: { total: 8 },
      winner: 'banker',
    });
    expect(table.table!.shoe).toMatchObject({ drawn: 6, carried: false, seen: { '6H': 1, '5C': 1 } });
    table.settle();
    const next = readyTable('baccarat').bets(stakes).close().deal('4S 2C 3H TD');
    next.do('ReportIrregularity', { kind: 'wrong-number' });
    const [, due] = next.doByTwo('ReconstructRound', {
      cards: ['4S', '2C', '3H', 'TD'],
      unseen: true,
      reason: 'one lies face down',
    });
    expect(due).toMatchObject({ surplus: 'carried', phase: 'dealing' });
    expect(next.do('DealCard', { slot: 'B3', card: '6H' })[0]).toMatchObject({ carried: true, complete: true });
    expect(next.table!.shoe).toMatchObject({ drawn: 5, carried: false });
  },
);

test('[READING 16] a wrong number of cards noticed after settlement and before the next opening reverses it', () => {
  const table = readyTable('baccarat').playRound('9S 2C 9H 4D', stakes);
  expect([table.balance('T1'), table.balance('T2')]).toEqual([-1100, 500]);
  table.do('ReportIrregularity', { kind: 'wrong-number', note: 'five cards on the felt' });
  expect(table.refusalClause('VoidRound', { reason: 'x' }, dealer)).toEqual(['not-your-role', 'HOUSE 2']);
  const events = table.doByTwo('VoidRound', { reason: 'cannot be put right' }, late, { T2: 600 });
  expect(events).toMatchObject([
    { type: 'Approved' },
    {
      type: 'RoundResettled',
      outcome: 'void',
      by: 'BAC 5.2',
      reverses: `${table.round}#1`,
      settlement: `${table.round}#2`,
    },
    { type: 'SettlementPosted', last: true },
  ]);
  expect([table.balance('T1'), table.balance('T2'), table.account('house'), table.account('stakes')]).toEqual([
    0, 0, 0, 0,
  ]);
  expect(publicView(table.table!)).toMatchObject({ statistics: { rounds: 0 }, round: { voidBy: 'BAC 5.2' } });
  expect(table.refusalClause('ReportIrregularity', { kind: 'wrong-number' })).toEqual(['too-late', 'BAC 5.2']);
  expect(table.do('OpenBets', {})).toHaveLength(1);
});

test('[READING 63] money that a patron no longer has goes to the shortfall account, and the table plays on', () => {
  const table = readyTable('baccarat').playRound('9S 2C 9H 4D', stakes);
  table.do('ReportIrregularity', { kind: 'wrong-number' });
  table.do('VoidRound', { reason: 'cannot be put right' }, supervisor);
  const { id, hash } = table.table!.proposal!;
  expect(table.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({
    refused: 'missing-credits',
    terminal: 'T2',
  });
  const events = table.do('Approve', { proposal: id, hash, credits: { T2: 120 } }, shiftManager);
  expect(events).toMatchObject([{}, { type: 'RoundResettled' }, { shortfalls: { T2: 380 } }]);
  const { postings } = table.entries.at(-1)!;
  expect(postings.filter(({ to, from }) => `${from}${to}`.includes('T2'))).toEqual([
    { from: 'sg1/SGD/shortfall/T2', to: 'sg1/SGD/terminal/T2', amount: 380 },
    { from: 'sg1/SGD/terminal/T2', to: 'sg1/SGD/house/B1', amount: 500 },
  ]);
  // Of 500 won on a stake of 500 only 120 was left: the stake is returned, the win is reversed.
  expect(table.balance('T2')).toBe(380);
  expect(table.do('OpenBets', {})).toHaveLength(1);
});

test('[READING 17] a wrong number at an electronic game is replayed, else void as altered order, and referred after the next opening', () => {
  const dealt = () => readyTable('tiger').bets(stakes).close().deal('2S 3H AC 2D');
  const replayed = dealt();
  expect(replayed.do('ReportIrregularity', { kind: 'wrong-number' })).toMatchObject([
    { by: 'ETG 5.7', rulings: ['reconstruct', 'void'], stops: true },
  ]);
  const cards = ['2S', '3H', 'AC', '2D', '4S', 'TS'];
  replayed.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'two cards were drawn' });
  expect(replayed.events('RoundReconstructed')).toMatchObject([{ by: 'ETG 5.7', after: cards, phase: 'result' }]);
  replayed.settle();
  expect(replayed.table!.round!.ending).toMatchObject({ results: { player: { result: 'win' } } });

  const mixed = dealt();
  mixed.do('ReportIrregularity', { kind: 'wrong-number' });
  mixed.doByTwo('VoidRound', { reason: 'the draw order is unknown' });
  expect(mixed.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.2' } }, shoe: { lockedBy: 'ETG 5.2' } });
  expect([mixed.balance('T1'), mixed.balance('T2')]).toEqual([0, 0]);

  const settled = readyTable('tiger').playRound(natural, stakes);
  settled.do('ReportIrregularity', { kind: 'wrong-number' });
  settled.doByTwo('VoidRound', { reason: 'the draw order is unknown' }, late, { T1: 1000, T2: 1000 });
  expect(settled.events('RoundResettled')).toMatchObject([{ outcome: 'void', by: 'ETG 5.2' }]);
  expect([settled.balance('T1'), settled.balance('T2')]).toEqual([0, 0]);

  const open = readyTable('tiger').playRound(natural, stakes);
  const first = open.round;
  const paid = [open.balance('T1'), open.balance('T2')];
  open.bets();
  expect(open.refusal('ReportIrregularity', { kind: 'wrong-number' })).toMatchObject({ refused: 'too-late' });
  expect(open.do('Refer', { round: first, reason: 'a card of that round on the floor' })).toMatchObject([
    { type: 'Referred', round: first, by: 'ETG 6.1' },
  ]);
  open.do('DecideReferral', { decision: 'stand', reason: 'it stands' }, shiftManager);
  expect([open.balance('T1'), open.balance('T2')]).toEqual(paid);
});

test('[READING 17] a settled round is corrected before the next opening: settled again, or drawn on', () => {
  const table = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 1000 }, T2: { banker: 1000 } });
  table.do('ReportIrregularity', { kind: 'wrong-order' });
  const order = ['2C', '9S', '4D', '9H'];
  const events = table.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'video' }, late, {
    T1: 2000,
  });
  expect(events).toMatchObject([
    {},
    { type: 'RoundReconstructed', by: 'ETG 5.7', phase: 'settled' },
    { type: 'RoundResettled', outcome: 'results', cards: order, by: 'ETG 5.7' },
    { type: 'SettlementPosted' },
  ]);
  expect([table.balance('T1'), table.balance('T2'), table.account('commission')]).toEqual([-1000, 950, 50]);
  const open = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  open.do('ReportIrregularity', { kind: 'wrong-order' });
  open.doByTwo('ReconstructRound', { cards: ['2C', '9S', '9H', '4D'], unseen: false, reason: 'video' }, late);
  expect(open.table).toMatchObject({ phase: 'dealing', round: { ending: { results: {} } } });
  expect(open.refusal('OpenBets', {})).toMatchObject({ refused: 'not-now' });
  open.deal('6C 5D').wait(2_000);
  expect(open.refusal('Settle', {})).toMatchObject({ refused: 'missing-credits', terminal: 'T1' });
  expect(open.do('Settle', { credits: { T1: 5000 } })).toMatchObject([{ type: 'RoundResettled' }, { last: true }]);
  expect(open.balance('T1')).toBe(-1000);
});

test('[ETG 5.8] cards drawn together are placed in their order when it is known; otherwise the round is void and the shoe goes on', () => {
  for (const cards of ['', '9S', '9S 2C', '2S 3H AC', '2S 3H AC 2D']) {
    const table = readyTable('tiger').bets(stakes).close().deal(cards);
    table.do('ReportIrregularity', { kind: 'drawn-together' });
    const kind = cards.split(' ').length <= 3 ? 'drawn-together' : 'third-cards-together';
    expect(table.table!.openIrregularities[0]).toMatchObject({ kind, by: 'ETG 5.8' });
    const order = [...(cards === '' ? [] : cards.split(' ')), '4H', '4D'];
    table.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'the upper card first' });
    expect(table.table!.round!.cards).toEqual(order);
    table.do('ReportIrregularity', { kind: 'wrong-order' });
    const other = readyTable('tiger').bets(stakes).close().deal(cards);
    other.do('ReportIrregularity', { kind: 'drawn-together' });
    other.doByTwo('VoidRound', { reason: 'nobody knows' });
    expect(other.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.8.1' } }, shoe: { lockedBy: null } });
  }
  const table = readyTable('tiger').bets();
  expect(table.refusal('ReportIrregularity', { kind: 'drawn-together' })).toMatchObject({ refused: 'not-now' });
});

for (const [game, book] of [
  ['baccarat', 'BAC'],
  ['sands-super', 'SUP'],
  ['sands-elements', 'ELM'],
  ['fabulous-4', 'FAB'],
] as const) {
  const inDeck = (cards: string): string[] =>
    cards
      .split(' ')
      .filter(Boolean)
      .map((card) => (book === 'ELM' ? `${card[0]}${'CDHS'.indexOf(card[1]!) + 1}` : card));
  test.each(['', '9S', '9S 2C', '2S 3H AC'])(
    `[${book} 5.3] at ${game} cards drawn together after "%s" are placed in their order when it is known; else the round is void`,
    (cards) => {
      const reported = () => {
        const table = readyTable(game)
          .bets({ T1: { player: 1000 } })
          .close();
        for (const card of inDeck(cards)) table.deal(card);
        expect(table.do('ReportIrregularity', { kind: 'drawn-together' })).toMatchObject([{ by: `${book} 5.3` }]);
        return table;
      };
      const order = [...inDeck(cards), ...inDeck('4H 4D')];
      const known = reported();
      known.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'the upper card first' });
      expect(known.table!.round).toMatchObject({ cards: order, ending: null });
      const unknown = reported();
      unknown.doByTwo('VoidRound', { reason: 'the order is unknown' });
      expect(unknown.table).toMatchObject({ round: { ending: { voidBy: `${book} 5.3` } }, shoe: { lockedBy: null } });
      expect(unknown.balance('T1')).toBe(0);
    },
  );

  test(`[${book} 5.2] at ${game} a hand with too few cards is rebuilt from the draw order, in the round and after it is settled`, () => {
    // The Player, with 4, is due the fifth card, which was laid to the Banker.
    const four = inDeck('2C 3D 2H TS');
    const [fifth, sixth] = inDeck('6D 2S') as [string, string];
    const cards = [...four, fifth];
    const short = readyTable(game)
      .bets({ T1: { player: 1000 } })
      .close()
      .deal(four.join(' '));
    short.do('ReportIrregularity', {
      kind: 'wrong-number',
      note: 'the Player hand has two cards, the Banker hand three',
    });
    short.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'as drawn' });
    const laid = (one: typeof short) => publicView(one.table!).round;
    expect(laid(short)).toMatchObject({
      player: { cards: [four[0], four[2], fifth], total: 0 },
      banker: { cards: [four[1], four[3]], total: 3 },
      next: 'B3',
    });
    short.deal(sixth).settle();
    expect(short.balance('T1')).toBe(-1000);

    // Settled as a natural nine against six, of which a nine was a four: both hands have a card too few.
    const settled = readyTable(game).playRound(inDeck('9S 2C TH 4D').join(' '), { T1: { player: 1000 } });
    const [wrong, right] = inDeck('9S 4S') as [string, string];
    settled.doByTwo('CorrectCard', { round: settled.round, place: 1, card: right, reason: `not ${wrong}` }, late);
    expect(laid(settled)).toMatchObject({ player: { total: 4 }, next: 'P3' });
    settled.do('ReportIrregularity', { kind: 'wrong-number', note: 'each hand has two cards' });
    const drawn = [right, ...inDeck('2C TH 4D'), ...inDeck('7C')];
    settled.doByTwo('ReconstructRound', { cards: drawn, unseen: false, reason: 'as drawn' }, late);
    expect(laid(settled)).toMatchObject({ player: { total: 1 }, banker: { total: 6 }, next: 'B3' });
    settled
      .deal(inDeck('AC')[0]!)
      .wait(2_000)
      .do('Settle', { credits: { T1: 5000 } });
    expect(settled.events('RoundResettled')).toHaveLength(1);
    expect(settled.balance('T1')).toBe(-1000);
  });
}

test('[READING 69] third cards drawn together in a live game void the round, and the shoe goes on with the cards out', () => {
  const table = readyTable('sands-super')
    .bets({ T1: { player: 500 } })
    .close()
    .deal('2S 3H AC 2D');
  expect(table.do('ReportIrregularity', { kind: 'drawn-together' })[0]).toMatchObject({ by: 'HOUSE 8' });
  table.doByTwo('VoidRound', { reason: 'nobody knows' });
  expect(table.table).toMatchObject({ round: { ending: { voidBy: 'HOUSE 8' } }, shoe: { lockedBy: null, drawn: 6 } });
  table.bets();
  const early = readyTable('sands-super')
    .bets({ T1: { player: 500 } })
    .close()
    .deal('2S');
  early.do('ReportIrregularity', { kind: 'drawn-together' });
  early.doByTwo('VoidRound', { reason: 'nobody knows' });
  expect(early.table).toMatchObject({ round: { ending: { voidBy: 'SUP 5.3' } }, shoe: { lockedBy: null } });
});

test('[READING 44] a card whose suit cannot be read is entered by eye and confirmed, or the round is void', () => {
  const table = readyTable('baccarat').bets(stakes).close().deal('9S 2C');
  expect(table.refusal('EnterCard', { slot: 'P2', card: '9H', reason: 'x' }).refused).toBe('no-such-ruling');
  table.do('ReportIrregularity', { kind: 'unreadable-card' });
  expect(table.refusal('EnterCard', { slot: 'B2', card: '9H', reason: 'x' })).toMatchObject({
    refused: 'wrong-slot',
    slot: 'P2',
  });
  expect(table.refusal('EnterCard', { slot: 'P2', card: 'X', reason: 'x' })).toMatchObject({ refused: 'unknown-card' });
  const [, dealt] = table.doByTwo('EnterCard', { slot: 'P2', card: '9H', reason: 'a worn nine' });
  expect(dealt).toMatchObject({ type: 'CardDealt', byEye: 'HOUSE 9', actor: dealer, second: supervisor });
  table.do('ReportIrregularity', { kind: 'unreadable-card' });
  table.doByTwo('VoidRound', { reason: 'nobody can tell' });
  expect(table.table).toMatchObject({ round: { ending: { voidBy: 'HOUSE 9' } }, shoe: { lockedBy: null } });
  expect(table.refusal('ReportIrregularity', { kind: 'unreadable-card' })).toMatchObject({ refused: 'not-now' });
});

test('[HOUSE 4] a face-up card is played once the first card is out; before that it is referred, with the proposal to burn it', () => {
  const table = readyTable('baccarat').bets(stakes).close().deal('9S');
  expect(table.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-after', by: 'HOUSE 4', stops: false },
  ]);
  table.deal('2C 9H 4D').settle();
  const early = readyTable('baccarat').bets(stakes);
  const { closesAt } = early.table!.round!;
  expect(early.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-before', by: 'HOUSE 4', stops: false },
    { type: 'Referred', by: 'HOUSE 4', proposed: 'burn' },
  ]);
  early.wait(3_000).do('DecideReferral', { decision: 'burn', reason: 'seen by patrons' }, shiftManager);
  expect(early.refusal('CallClose', {})).toMatchObject({ refused: 'awaiting-ruling' });
  expect(early.refusalClause('BurnCard', { card: '??', reason: 'x' })).toEqual(['unknown-card', 'HOUSE 4']);
  early.wait(2_000);
  expect(early.doByTwo('BurnCard', { card: 'KD', reason: 'decided' })[1]).toMatchObject({
    type: 'CardBurned',
    card: 'KD',
    by: 'HOUSE 4',
  });
  expect(early.table).toMatchObject({ openIrregularities: [], phase: 'betting', shoe: { drawn: 1, seen: { KD: 1 } } });
  expect(early.table!.round!.closesAt).toBe(closesAt + 5_000);
  expect(readyTable('tiger').do('ReportIrregularity', { kind: 'face-up-card', note: 'the top card' })[1]).toMatchObject(
    { by: 'ETG 6.1', reason: 'the top card' },
  );
});

test('[ETG 5.3] too few cards to finish void the round, and the shoe ends', () => {
  const table = readyTable('tiger').bets(stakes);
  expect(table.refusal('ReportIrregularity', { kind: 'too-few-cards' })).toMatchObject({ refused: 'not-now' });
  table.close().deal('2S 3H AC 2D');
  table.do('ReportIrregularity', { kind: 'too-few-cards' });
  table.doByTwo('VoidRound', { reason: 'the shoe is empty' });
  expect(table.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.3' } }, shoe: { lockedBy: 'ETG 5.3' } });
});

test('a virtual shoe can be reported for its cards, its order and too few cards, and for no manual mistake', () => {
  const table = new Seat();
  table.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  expect(table.refusal('ReportIrregularity', { kind: 'order-altered' })).toMatchObject({ refused: 'shoe-not-ready' });
  table.virtualShoe('9S 2C 9H 4D');
  expect(table.refusal('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject({ refused: 'not-here' });
  table.bets(stakes).close();
  expect(table.refusal('CorrectCard', { round: table.round, place: 1, card: 'KD', reason: 'x' }).refused).toBe(
    'card-proven',
  );
  expect(table.refusal('ReportIrregularity', { kind: 'order-altered' }, floor).refused).toBe('not-your-role');
  table.do('ReportIrregularity', { kind: 'order-altered' });
  table.do('VoidRound', { reason: 'the device lost its key' });
  expect(table.table).toMatchObject({ shoe: { lockedBy: 'ETG 5.2' } });
});

test('wagers placed, raised or withdrawn as chips after the close are recorded, and accepted ones remain', () => {
  const table = readyTable('baccarat', { bets: 'chips' }).bets();
  const report = { kind: 'raised-wager', place: 'seat-3', wager: 'tie', amount: 3000 } as const;
  expect(table.refusal('ReportWager', report)).toMatchObject({ refused: 'not-now', by: 'BAC 5.6' });
  table.close().deal('9S 2C');
  expect(table.refusal('ReportWager', { ...report, wager: 'tiger' })).toMatchObject({ refused: 'wager-not-offered' });
  expect(table.do('ReportWager', report)[0]).toMatchObject({ type: 'WagerReported', by: 'BAC 5.6', amount: 3000 });
  expect(table.do('ReportWager', { ...report, kind: 'late-wager' })[0]).toMatchObject({ by: 'BAC 5.6' });
  expect(table.do('ReportWager', { ...report, kind: 'withdrawn-wager' })[0]).toMatchObject({ by: 'BAC 5.7' });
});

test('[ETG 5.1.1] at a virtual table a fault of the cards voids the round by its own clause, without a correction', () => {
  for (const kind of ['foreign-card', 'extra-card', 'missing-card', 'unshuffled-cards'] as const) {
    const table = new Seat();
    table.open('tiger', { dealing: 'virtual' }).virtualShoe('9S 2C 9H 4D');
    table.bets(stakes).close();
    expect(table.do('ReportIrregularity', { kind })).toMatchObject([{ by: 'ETG 5.1', rulings: ['void'], stops: true }]);
    table.do('VoidRound', { reason: 'x' });
    expect(table.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.1.1' } }, shoe: { lockedBy: 'ETG 5.1.1' } });
    table.do('EndShoe', {});
  }
});
