import { expect, test } from 'vitest';
import { rulebooks } from '../../src/games/rulebooks.ts';
import { irregularityKinds } from '../../src/games/irregularities.ts';
import { publicView } from '../../src/table/views/publicView.ts';
import {
  type TableScenario,
  TableScenario as Seat,
  dealer,
  floor,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from './tableScenario.ts';

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

for (const kind of ['foreign-card', 'missing-card', 'unshuffled-cards', 'extra-card'] as const) {
  test(`[READING 27] ${kind} found in a round: every stake is returned once, earlier rounds are unchanged, the shoe is locked`, () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    const before = { T1: scenario.balance('T1'), T2: scenario.balance('T2'), house: scenario.account('house') };
    const roads = publicView(scenario.table!).roads;
    scenario.bets(stakes).close().deal('9S 2C 9H');
    expect(scenario.do('ReportIrregularity', { kind, note: 'seen by the dealer' })[0]).toMatchObject({
      type: 'IrregularityFound',
      kind,
      by: 'ETG 5.1',
      stops: true,
    });
    expect(scenario.refusal('DealCard', { slot: 'B2', card: '4D' })).toMatchObject({
      refused: 'awaiting-ruling',
      by: 'ETG 5.1',
    });
    expect(scenario.refusal('ReportIrregularity', { kind: 'wrong-order' })).toMatchObject({
      refused: 'awaiting-ruling',
    });
    expect(scenario.refusal('RestoreOrder', { reason: 'x' })).toMatchObject({
      refused: 'no-such-ruling',
      by: 'ETG 5.1',
    });
    expect(publicView(scenario.table!).stopped).toEqual({ kind, by: 'ETG 5.1' });
    const events = scenario.doByTwo('VoidRound', { reason: 'a card too many' });
    expect(events).toMatchObject([
      { type: 'Approved' },
      { type: 'RoundVoided', by: 'ETG 5.1.1', actor: dealer, second: supervisor },
      { type: 'SettlementPosted', last: true },
      { type: 'ShoeLocked', by: 'ETG 5.1.1' },
    ]);
    expect({ T1: scenario.balance('T1'), T2: scenario.balance('T2'), house: scenario.account('house') }).toEqual(
      before,
    );
    expect(scenario.account('stakes')).toBe(0);
    expect(publicView(scenario.table!)).toMatchObject({ roads, stopped: null, round: { voidBy: 'ETG 5.1.1' } });
    expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'ETG 5.1.1' });
  });

  test(`[READING 25] ${kind} found between rounds: nothing is void, the shoe is locked`, () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    expect(scenario.do('ReportIrregularity', { kind })).toMatchObject([
      { stops: false },
      { type: 'ShoeLocked', by: 'ETG 5.1' },
    ]);
    expect(scenario.events('RoundVoided')).toEqual([]);
    expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-locked', by: 'ETG 5.1' });
  });
}

/** Eight decks with all eight kings of spades out, and a ninth scanned. */
function ninthKing(): TableScenario {
  const scenario = readyTable('baccarat')
    .playRound('KS KS KS KS 9S 9H')
    .playRound('KS KS KS KS 9D 9C')
    .bets(stakes)
    .close();
  scenario.do('DealCard', { slot: 'P1', card: 'KS' });
  return scenario;
}

test('[HOUSE 7] a card counted more often than the decks hold stops the table automatically: correct the scan, or void', () => {
  const scenario = ninthKing();
  expect(scenario.entries.slice(-2).map(({ event }) => event)).toMatchObject([
    { type: 'CardDealt', card: 'KS' },
    { type: 'IrregularityFound', kind: 'extra-card', by: 'HOUSE 7', rulings: ['correct', 'void'] },
  ]);
  expect(scenario.refusal('DealCard', { slot: 'B1', card: '2C' })).toMatchObject({
    refused: 'awaiting-ruling',
    by: 'HOUSE 7',
  });
  expect(scenario.refusal('DismissReport', { reason: 'x' })).toMatchObject({
    refused: 'no-such-ruling',
    by: 'HOUSE 7',
  });
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 1, card: 'KC', reason: 'a smudge' });
  expect(scenario.table).toMatchObject({ openIrregularities: [], phase: 'dealing', shoe: { seen: { KS: 8, KC: 1 } } });
  scenario.deal('2C 9H 4D').settle();
});

test('[HOUSE 7] the wrong scan may be one of an earlier round', () => {
  const scenario = ninthKing();
  const earlier = scenario.table!.history[0]!.id;
  scenario.doByTwo(
    'CorrectCard',
    { round: earlier, place: 1, card: 'KH', reason: 'the camera shows hearts' },
    late,
    {},
  );
  expect(scenario.table).toMatchObject({ openIrregularities: [], phase: 'dealing', shoe: { seen: { KS: 8, KH: 1 } } });
});

test('[HOUSE 7] a correction that makes another card too frequent stops the table again; between rounds it locks the shoe', () => {
  const scenario = ninthKing();
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 1, card: 'KC', reason: 'a smudge' });
  const [, , again] = scenario.doByTwo('CorrectCard', {
    round: scenario.round,
    place: 1,
    card: 'KS',
    reason: 'no smudge',
  });
  expect(again).toMatchObject({ type: 'IrregularityFound', kind: 'extra-card', stops: true });
  scenario.doByTwo('VoidRound', { reason: 'nine kings' });
  expect(scenario.events('RoundVoided')[0]).toMatchObject({ by: 'HOUSE 7' });
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
  const scenario = readyTable('tiger').bets(stakes);
  const { closesAt } = scenario.table!.round!;
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.wait(7_000);
  const slip = { round: scenario.round, slip: { tie: 100 }, credit: 100 };
  expect(scenario.refusal('SetSlip', slip, { terminal: 'T9' })).toMatchObject({ refused: 'awaiting-ruling' });
  scenario.doByTwo('DismissReport', { reason: 'the shoe was not touched' });
  expect(scenario.table!.round!.closesAt).toBe(closesAt + 7_000);
  expect(scenario.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling' });
});

test('[ETG 5.2] after a change of the shoe order the round continues when it is restored; otherwise it is void and the shoe locked', () => {
  for (const cards of ['', '9S', '9S 2C 9H']) {
    const scenario = readyTable('tiger').bets(stakes).close().deal(cards);
    scenario.do('ReportIrregularity', { kind: 'order-altered', note: 'cards fell out' });
    scenario.doByTwo('RestoreOrder', { reason: 'the order is on video' });
    expect(scenario.table).toMatchObject({ openIrregularities: [], phase: 'dealing', shoe: { lockedBy: null } });
    scenario.do('ReportIrregularity', { kind: 'order-altered' });
    if (cards === '') scenario.do('VoidRound', { reason: 'lost' });
    else scenario.doByTwo('VoidRound', { reason: 'lost' });
    expect(scenario.table).toMatchObject({ phase: 'idle', shoe: { lockedBy: 'ETG 5.2' } });
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
  const scenario = readyTable('baccarat').bets(stakes);
  expect(scenario.do('VoidRound', { reason: 'wrong limits on the sign' })).toMatchObject([
    { type: 'RoundVoided', by: 'HOUSE 12' },
    { type: 'SettlementPosted' },
  ]);
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.table!.shoe!.lockedBy]).toEqual([0, 0, null]);
  expect(scenario.refusal('VoidRound', { reason: 'x' }, supervisor)).toMatchObject({
    refused: 'no-such-ruling',
    by: 'HOUSE 1',
  });
  scenario.bets(stakes).close();
  expect(scenario.do('VoidRound', { reason: 'the hall is cleared' })).toMatchObject([
    { type: 'Referred', round: scenario.round, by: 'HOUSE 1', proposed: 'void', proposedBy: 'HOUSE 12' },
  ]);
  expect(scenario.do('DecideReferral', { decision: 'void', reason: 'it is' }, shiftManager)).toMatchObject([
    { type: 'ReferralDecided', by: 'HOUSE 1' },
    { type: 'RoundVoided', by: 'HOUSE 12', reason: 'it is' },
    { type: 'SettlementPosted' },
  ]);
});

test('[HOUSE 5] cards laid in a wrong order are replayed as they left the shoe; both orders stay recorded', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const order = ['2C', '9S', '9H', '4D'];
  expect(scenario.refusal('ReconstructRound', { cards: ['2C', '9S', '9H'], unseen: false, reason: 'x' })).toMatchObject(
    {
      refused: 'wrong-cards',
      by: 'HOUSE 5',
    },
  );
  expect(scenario.refusal('ReconstructRound', { cards: ['2C', 'XX'], unseen: false, reason: 'x' })).toMatchObject({
    refused: 'unknown-card',
  });
  const many = [...order, '2C', '2D', '2H', '2S', '3S'];
  expect(scenario.refusal('ReconstructRound', { cards: many, unseen: false, reason: 'x' })).toMatchObject({
    refused: 'wrong-cards',
  });
  const [, events] = scenario.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'seen on video' });
  expect(events).toMatchObject({
    type: 'RoundReconstructed',
    by: 'HOUSE 5',
    before: ['9S', '2C', '9H', '4D'],
    after: order,
    surplus: 'none',
    phase: 'dealing',
  });
  // 2C 9H against 9S 4D: 1 and 3, so that the Player draws.
  expect(publicView(scenario.table!).round).toMatchObject({ player: { total: 1 }, banker: { total: 3 }, next: 'P3' });
});

test('[READING 18] an over-drawn card goes to the other hand first; a visible surplus is burned, an unseen one opens the next round', () => {
  // Player 7 stands; its card goes to the Banker, who must draw.
  const scenario = readyTable('baccarat').bets(stakes).close().deal('4S 2C 3H TD');
  scenario.do('ReportIrregularity', { kind: 'wrong-number', note: 'a third card was laid to the Player' });
  const cards = ['4S', '2C', '3H', 'TD', '6H', '5C'];
  const [, events] = scenario.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'overdrawn' });
  expect(events).toMatchObject({
    after: ['4S', '2C', '3H', 'TD', '6H'],
    burned: ['5C'],
    surplus: 'burned',
    phase: 'result',
  });
  expect(publicView(scenario.table!).round).toMatchObject({
    player: { total: 7 },
    banker: { total: 8 },
    winner: 'banker',
  });
  expect(scenario.table!.shoe).toMatchObject({ drawn: 6, carried: false, seen: { '6H': 1, '5C': 1 } });
  scenario.settle();
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
});

test('[READING 16] a wrong number of cards noticed after settlement and before the next opening reverses it', () => {
  const scenario = readyTable('baccarat').playRound('9S 2C 9H 4D', stakes);
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([-1100, 500]);
  scenario.do('ReportIrregularity', { kind: 'wrong-number', note: 'five cards on the felt' });
  expect(scenario.refusal('VoidRound', { reason: 'x' }, dealer)).toMatchObject({
    refused: 'not-your-role',
    by: 'HOUSE 2',
  });
  const events = scenario.doByTwo('VoidRound', { reason: 'cannot be put right' }, late, { T2: 600 });
  expect(events).toMatchObject([
    { type: 'Approved' },
    {
      type: 'RoundResettled',
      outcome: 'void',
      by: 'BAC 5.2',
      reverses: `${scenario.round}#1`,
      settlement: `${scenario.round}#2`,
    },
    { type: 'SettlementPosted', last: true },
  ]);
  expect([
    scenario.balance('T1'),
    scenario.balance('T2'),
    scenario.account('house'),
    scenario.account('stakes'),
  ]).toEqual([0, 0, 0, 0]);
  expect(publicView(scenario.table!)).toMatchObject({ statistics: { rounds: 0 }, round: { voidBy: 'BAC 5.2' } });
  expect(scenario.refusal('ReportIrregularity', { kind: 'wrong-number' })).toMatchObject({
    refused: 'too-late',
    by: 'BAC 5.2',
  });
  expect(scenario.do('OpenBets', {})).toHaveLength(1);
});

test('[READING 16] money that a patron no longer has goes to the shortfall account and is referred', () => {
  const scenario = readyTable('baccarat').playRound('9S 2C 9H 4D', stakes);
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.do('VoidRound', { reason: 'cannot be put right' }, supervisor);
  const { id, hash } = scenario.table!.proposal!;
  expect(scenario.refusal('Approve', { proposal: id, hash }, shiftManager)).toMatchObject({
    refused: 'missing-credits',
    terminal: 'T2',
  });
  const events = scenario.do('Approve', { proposal: id, hash, credits: { T2: 120 } }, shiftManager);
  expect(events).toMatchObject([
    {},
    { type: 'RoundResettled' },
    { shortfalls: { T2: 380 } },
    { type: 'Referred', by: 'HOUSE 1' },
  ]);
  const { postings } = scenario.entries.at(-2)!;
  expect(postings.filter(({ to, from }) => `${from}${to}`.includes('T2'))).toEqual([
    { from: 'sg1/SGD/shortfall/T2', to: 'sg1/SGD/terminal/T2', amount: 380 },
    { from: 'sg1/SGD/terminal/T2', to: 'sg1/SGD/house/B1', amount: 500 },
  ]);
  // Of 500 won on a stake of 500 only 120 was left: the stake is returned, the win is reversed.
  expect(scenario.balance('T2')).toBe(380);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'awaiting-decision', by: 'HOUSE 1' });
  scenario.do('DecideReferral', { decision: 'stand', reason: 'written off' }, shiftManager);
  expect(scenario.do('OpenBets', {})).toHaveLength(1);
});

test('[READING 17] a settled round is corrected before the next opening: settled again, or drawn on', () => {
  const scenario = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 1000 }, T2: { banker: 1000 } });
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const order = ['2C', '9S', '4D', '9H'];
  const events = scenario.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'video' }, late, {
    T1: 2000,
  });
  expect(events).toMatchObject([
    {},
    { type: 'RoundReconstructed', by: 'ETG 5.7', phase: 'settled' },
    { type: 'RoundResettled', outcome: 'results', cards: order, by: 'ETG 5.7' },
    { type: 'SettlementPosted' },
  ]);
  expect([scenario.balance('T1'), scenario.balance('T2'), scenario.account('commission')]).toEqual([-1000, 950, 50]);
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
    const scenario = readyTable('tiger').bets(stakes).close().deal(cards);
    scenario.do('ReportIrregularity', { kind: 'drawn-together' });
    const kind = cards.split(' ').length <= 3 ? 'drawn-together' : 'third-cards-together';
    expect(scenario.table!.openIrregularities[0]).toMatchObject({ kind, by: 'ETG 5.8' });
    const order = [...(cards === '' ? [] : cards.split(' ')), '4H', '4D'];
    scenario.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'the upper card first' });
    expect(scenario.table!.round!.cards).toEqual(order);
    scenario.do('ReportIrregularity', { kind: 'wrong-order' });
    const other = readyTable('tiger').bets(stakes).close().deal(cards);
    other.do('ReportIrregularity', { kind: 'drawn-together' });
    other.doByTwo('VoidRound', { reason: 'nobody knows' });
    expect(other.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.8.1' } }, shoe: { lockedBy: null } });
  }
  const scenario = readyTable('tiger').bets();
  expect(scenario.refusal('ReportIrregularity', { kind: 'drawn-together' })).toMatchObject({ refused: 'not-now' });
});

test('[HOUSE 8] third cards drawn together in a live game follow the house procedure; after a void the shoe is locked', () => {
  const scenario = readyTable('sands-super')
    .bets({ T1: { player: 500 } })
    .close()
    .deal('2S 3H AC 2D');
  expect(scenario.do('ReportIrregularity', { kind: 'drawn-together' })[0]).toMatchObject({ by: 'HOUSE 8' });
  scenario.doByTwo('VoidRound', { reason: 'nobody knows' });
  expect(scenario.table).toMatchObject({ round: { ending: { voidBy: 'HOUSE 8' } }, shoe: { lockedBy: 'HOUSE 8' } });
  const early = readyTable('sands-super')
    .bets({ T1: { player: 500 } })
    .close()
    .deal('2S');
  early.do('ReportIrregularity', { kind: 'drawn-together' });
  early.doByTwo('VoidRound', { reason: 'nobody knows' });
  expect(early.table).toMatchObject({ round: { ending: { voidBy: 'SUP 5.3' } }, shoe: { lockedBy: null } });
});

test('[READING 44] a card whose suit cannot be read is entered by eye and confirmed, or the round is void', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S 2C');
  expect(scenario.refusal('EnterCard', { slot: 'P2', card: '9H', reason: 'x' })).toMatchObject({
    refused: 'no-such-ruling',
  });
  scenario.do('ReportIrregularity', { kind: 'unreadable-card' });
  expect(scenario.refusal('EnterCard', { slot: 'B2', card: '9H', reason: 'x' })).toMatchObject({
    refused: 'wrong-slot',
    slot: 'P2',
  });
  expect(scenario.refusal('EnterCard', { slot: 'P2', card: 'X', reason: 'x' })).toMatchObject({
    refused: 'unknown-card',
  });
  const [, dealt] = scenario.doByTwo('EnterCard', { slot: 'P2', card: '9H', reason: 'a worn nine' });
  expect(dealt).toMatchObject({ type: 'CardDealt', byEye: 'HOUSE 9', actor: dealer, second: supervisor });
  scenario.do('ReportIrregularity', { kind: 'unreadable-card' });
  scenario.doByTwo('VoidRound', { reason: 'nobody can tell' });
  expect(scenario.table).toMatchObject({ round: { ending: { voidBy: 'HOUSE 9' } }, shoe: { lockedBy: null } });
  expect(scenario.refusal('ReportIrregularity', { kind: 'unreadable-card' })).toMatchObject({ refused: 'not-now' });
});

test('[HOUSE 4] a face-up card is played once the first card is out; before that it is referred, with the proposal to burn it', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S');
  expect(scenario.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-after', by: 'HOUSE 4', stops: false },
  ]);
  scenario.deal('2C 9H 4D').settle();
  const early = readyTable('baccarat').bets(stakes);
  const { closesAt } = early.table!.round!;
  expect(early.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-before', by: 'HOUSE 4', stops: false },
    { type: 'Referred', by: 'HOUSE 4', proposed: 'burn' },
  ]);
  early.wait(3_000).do('DecideReferral', { decision: 'burn', reason: 'seen by patrons' }, shiftManager);
  expect(early.refusal('CallClose', {})).toMatchObject({ refused: 'awaiting-ruling' });
  expect(early.refusal('BurnCard', { card: '??', reason: 'x' })).toMatchObject({
    refused: 'unknown-card',
    by: 'HOUSE 4',
  });
  early.wait(2_000);
  expect(early.doByTwo('BurnCard', { card: 'KD', reason: 'decided' })[1]).toMatchObject({
    type: 'CardBurned',
    card: 'KD',
    by: 'HOUSE 4',
  });
  expect(early.table).toMatchObject({ openIrregularities: [], phase: 'betting', shoe: { drawn: 1, seen: { KD: 1 } } });
  expect(early.table!.round!.closesAt).toBe(closesAt + 5_000);
  expect(readyTable('tiger').do('ReportIrregularity', { kind: 'face-up-card', note: 'the top card' })[1]).toMatchObject(
    {
      by: 'ETG 6.1',
      reason: 'the top card',
    },
  );
});

test('[ETG 5.3] too few cards to finish void the round, and the shoe ends', () => {
  const scenario = readyTable('tiger').bets(stakes);
  expect(scenario.refusal('ReportIrregularity', { kind: 'too-few-cards' })).toMatchObject({ refused: 'not-now' });
  scenario.close().deal('2S 3H AC 2D');
  scenario.do('ReportIrregularity', { kind: 'too-few-cards' });
  scenario.doByTwo('VoidRound', { reason: 'the shoe is empty' });
  expect(scenario.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.3' } }, shoe: { lockedBy: 'ETG 5.3' } });
});

test('a virtual shoe can be reported for its cards, its order and too few cards, and for no manual mistake', () => {
  const scenario = new Seat();
  scenario.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  expect(scenario.refusal('ReportIrregularity', { kind: 'order-altered' })).toMatchObject({
    refused: 'shoe-not-ready',
  });
  scenario.virtualShoe('9S 2C 9H 4D');
  expect(scenario.refusal('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject({ refused: 'not-here' });
  scenario.bets(stakes).close();
  expect(scenario.refusal('CorrectCard', { round: scenario.round, place: 1, card: 'KD', reason: 'x' })).toMatchObject({
    refused: 'card-proven',
  });
  expect(scenario.refusal('ReportIrregularity', { kind: 'order-altered' }, floor)).toMatchObject({
    refused: 'not-your-role',
  });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('VoidRound', { reason: 'the device lost its key' });
  expect(scenario.table).toMatchObject({ shoe: { lockedBy: 'ETG 5.2' } });
});

test('wagers placed, raised or withdrawn as chips after the close are recorded, and accepted ones remain', () => {
  const scenario = readyTable('baccarat', { bets: 'chips' }).bets();
  const report = { kind: 'raised-wager', place: 'seat-3', wager: 'tie', amount: 3000 } as const;
  expect(scenario.refusal('ReportWager', report)).toMatchObject({ refused: 'not-now', by: 'BAC 5.6' });
  scenario.close().deal('9S 2C');
  expect(scenario.refusal('ReportWager', { ...report, wager: 'tiger' })).toMatchObject({
    refused: 'wager-not-offered',
  });
  expect(scenario.do('ReportWager', report)[0]).toMatchObject({ type: 'WagerReported', by: 'BAC 5.6', amount: 3000 });
  expect(scenario.do('ReportWager', { ...report, kind: 'late-wager' })[0]).toMatchObject({ by: 'BAC 5.6' });
  expect(scenario.do('ReportWager', { ...report, kind: 'withdrawn-wager' })[0]).toMatchObject({ by: 'BAC 5.7' });
});

test('[ETG 5.1.1] at a virtual table a fault of the cards voids the round by its own clause, without a correction', () => {
  for (const kind of ['foreign-card', 'extra-card', 'missing-card', 'unshuffled-cards'] as const) {
    const scenario = new Seat();
    scenario.open('tiger', { dealing: 'virtual' }).virtualShoe('9S 2C 9H 4D');
    scenario.bets(stakes).close();
    expect(scenario.do('ReportIrregularity', { kind })).toMatchObject([
      { by: 'ETG 5.1', rulings: ['void'], stops: true },
    ]);
    scenario.do('VoidRound', { reason: 'x' });
    expect(scenario.table).toMatchObject({
      round: { ending: { voidBy: 'ETG 5.1.1' } },
      shoe: { lockedBy: 'ETG 5.1.1' },
    });
    scenario.do('EndShoe', {});
  }
});
