import { expect, test } from 'vitest';
import { certain } from '../../src/rules/certain.ts';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import {
  TableScenario,
  cardsIn,
  floor,
  gameOf,
  natural,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from './tableScenario.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

test('the computed ruling after an interruption is the only option, for the dealer as well', () => {
  const sit = readyTable('tiger').bets().close().deal('9S');
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  expect(sit.refusal('VoidRound', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling', by: 'ETG 5.9' });
});

test('at a table without staff that is frozen, lost state waits for the decision as well', () => {
  const sit = new TableScenario();
  sit.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  sit.virtualShoe(natural);
  sit.do('OpenBets', {}, floor);
  sit.do('Refer', { reason: 'x' }, floor);
  expect(sit.do('ReportInterruption', { since: 0, stateLost: true }, floor)).toMatchObject([{ type: 'Interrupted' }]);
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  expect(sit.do('ConfirmRuling', {}, floor)).toMatchObject([{ type: 'RoundVoided' }]);
});

test('an interruption while one is known already is only logged; while it is frozen, only if no state was lost', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('Refer', { reason: 'x' });
  const logged = [{ type: 'InterruptionLogged', round: sit.round }];
  expect(sit.wait(60_000).do('ReportInterruption', { since: sit.at - 60_000, stateLost: false }, floor)).toMatchObject(
    logged,
  );
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted' },
  ]);
  expect(sit.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'awaiting-decision' });
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject(logged);
  sit.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  sit.confirmFelt().do('ConfirmRuling', {}, supervisor);
  expect(sit.balance('T1')).toBe(0);
});

test('[READING 59] an interruption below a more serious irregularity leads when that is closed', () => {
  const sit = dealt('9S');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true })).toMatchObject([
    { type: 'Interrupted', below: 1 },
  ]);
  expect(sit.table!.openIrregularities.map(({ kind }) => kind)).toEqual([
    'order-altered',
    'interruption',
    'wrong-order',
  ]);
  expect(sit.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'no-such-ruling' });
  sit.doByTwo('RestoreOrder', { reason: 'x' });
  expect(sit.refusal('DealCard', { slot: 'B1', card: '2C' })).toMatchObject({
    refused: 'awaiting-ruling',
    by: 'ETG 5.9',
  });
  sit.confirmFelt();
  expect(sit.do('ConfirmRuling', {}, supervisor)[0]).toMatchObject({ type: 'RoundVoided', by: 'ETG 5.9.1' });
});

test('[READING 59] an unattended table carries out the more serious irregularity first as well', () => {
  const sit = new TableScenario();
  sit.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  sit.virtualShoe(natural);
  sit.do('OpenBets', {}, floor);
  sit.do('ReportIrregularity', { kind: 'order-altered' }, floor);
  expect(sit.do('ReportInterruption', { since: 0, stateLost: true }, floor)).toMatchObject([{ type: 'Interrupted' }]);
  expect(sit.do('VoidRound', { reason: 'x' }, floor)[0]).toMatchObject({ type: 'RoundVoided' });
  expect(sit.table!.openIrregularities).toEqual([]);
});

test('an interruption reported with an early start does not extend the pause after the result', () => {
  const sit = readyTable('tiger').bets().close().deal('9S 2C KH 4D').wait(1500);
  sit.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  sit.do('ConfirmRuling', {}, supervisor);
  expect(sit.refusal('Settle', {}).refused).toBe('pause-runs');
  sit.settle();
  expect(sit.events('RoundSettled').length).toBe(1);
});

test('an interruption reaches no further back than the last event', () => {
  const sit = readyTable('tiger').bets().close().deal(natural);
  const { resultAt } = sit.table!.round!;
  sit.wait(30_000).do('ReportInterruption', { since: 0, stateLost: true });
  expect(sit.events('Interrupted')[0]).toMatchObject({ since: resultAt });
  sit.wait(5_000).do('ConfirmRuling', {}, supervisor);
  expect(sit.table!.round!.resultAt).toBe(resultAt! + 35_000);
  const brief = readyTable('tiger').bets().close().deal('9S').wait(10_000);
  expect(brief.do('ReportInterruption', { since: 0, stateLost: false })).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
});

test('[READING 26] a void after an interruption leaves the shoe in use, also when the shift manager decides it', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  const asComputed = { decision: 'void', reason: 'as computed' } as const;
  sit.do('Refer', { reason: 'x' });
  expect(sit.refusal('DecideReferral', asComputed, shiftManager)).toMatchObject({
    refused: 'felt-first',
    by: 'ETG 5.9',
  });
  sit.do('DecideReferral', { decision: 'continue', reason: 'look first' }, shiftManager);
  sit.confirmFelt().do('Refer', { reason: 'x' });
  sit.do('DecideReferral', asComputed, shiftManager);
  expect(sit.table).toMatchObject({ openIrregularities: [], shoe: { lockedBy: null } });
});

test('time that stood still is given back once, however many reasons there were', () => {
  const sit = readyTable('tiger').bets();
  const { closesAt } = sit.table!.round!;
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.do('Refer', { reason: 'a doubt' });
  sit.wait(600_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  sit.wait(1_000).doByTwo('DismissReport', { reason: 'a mistake' });
  expect(sit.table!.round!.closesAt).toBe(closesAt + 601_000);
});

test('a deadline that is moved by a stop has not passed for a terminal that is lost meanwhile', () => {
  const sit = readyTable('tiger').bets();
  sit.wait(15_000).do('CallClose', {});
  sit.do('ReportIrregularity', { kind: 'order-altered' });
  sit.wait(10_000).do('ReportTerminals', { terminals: ['T7'], disconnected: true }, floor);
  expect(sit.events('TerminalsDisconnected')[0]).toMatchObject({ closed: false });
});

test('[ETG 5.9] an interruption is judged by what the cards dealt have decided among the wagers on offer', () => {
  const { offered } = readyTable('tiger').table!.settings;
  for (const cards of [
    '',
    '9S',
    '9S 2C',
    '9S 2C 9H',
    '9S 2C 8H',
    '2S 2C AH',
    '2S 3H AC 2D',
    '2S 3H AC 2D 4S',
    '9S 2C 9H 4D',
  ]) {
    const sit = dealt(cards);
    const { established, won, lost } = certain(gameOf('tiger'), offered, sit.table!.round!.cards);
    const since = sit.at;
    const [event] = sit.wait(10_001).do('ReportInterruption', { since, stateLost: false }, floor);
    const ruling = established ? 'resume' : 'void';
    const by = established ? 'ETG 5.9.2' : 'ETG 5.9.1';
    expect(event).toMatchObject({ type: 'Interrupted', round: sit.round, by: 'ETG 5.9', since, stateLost: false });
    const looks = sit.table!.phase === 'dealing';
    expect(buildDealerView(sit.table!).stopped!.computed === null).toBe(looks);
    if (looks) sit.confirmFelt();
    const computed = buildDealerView(sit.table!).stopped!.computed!;
    expect(computed).toMatchObject({ ruling, by });
    const told = (result: string) => computed.decided.filter((one) => one.result === result).map(({ wager }) => wager);
    expect([told('won'), told('lost')]).toEqual([won, lost]);
    expect(sit.refusal('DealCard', { slot: 'P1', card: 'KD' })).toMatchObject({
      refused: 'awaiting-ruling',
      by: 'ETG 5.9',
    });
    expect(sit.refusal('VoidRound', { reason: 'x' }, supervisor)).toMatchObject({ refused: 'no-such-ruling' });
    expect(sit.refusal('ConfirmRuling', {})).toMatchObject({ refused: 'not-your-role' });
    const [confirmed] = sit.do('ConfirmRuling', {}, supervisor);
    expect(confirmed).toMatchObject(
      established ? { type: 'RoundResumed', by, won, lost } : { type: 'RoundVoided', by },
    );
    if (established) expect(sit.table!.phase).toBe(cards === '9S 2C 9H 4D' ? 'result' : 'dealing');
    else expect(sit.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.9.1' } }, shoe: { lockedBy: null } });
    expect(sit.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'no-such-ruling', by: 'ETG 6.1' });
  }
});

test('[READING 12] a short interruption is logged and play goes on; lost state is never short', () => {
  const sit = dealt('9S 2C');
  const since = sit.at;
  expect(sit.wait(10_000).do('ReportInterruption', { since, stateLost: false }, floor)).toMatchObject([
    { type: 'InterruptionLogged', round: sit.round },
  ]);
  expect(sit.refusal('ReportInterruption', { since: sit.at + 1, stateLost: false })).toMatchObject({
    refused: 'bad-request',
  });
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted' },
  ]);
  expect(sit.do('ReportInterruption', { since: sit.at, stateLost: true }, floor)).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
  const idle = readyTable('tiger');
  const [logged] = idle.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(logged).toMatchObject({ type: 'InterruptionLogged' });
  expect(logged).not.toHaveProperty('round');
});

test('[HOUSE 6] while bets are open an interruption voids the round; at a table without staff it is carried out at once', () => {
  const sit = new TableScenario();
  sit.do('OpenTable', { settings: defaultSettings('baccarat', { dealing: 'virtual', attended: false }) }, floor);
  const shoe = sit.virtualShoe('9S 2C 9H 4D');
  sit.do('OpenBets', {}, floor);
  sit.slip('T1', { tie: 100 });
  const since = sit.at;
  expect(sit.wait(60_000).do('ReportInterruption', { since, stateLost: false }, floor)).toMatchObject([
    { type: 'Interrupted', by: 'HOUSE 6', rulings: ['void', 'resume'] },
    { type: 'RoundVoided', by: 'HOUSE 6' },
    { type: 'SettlementPosted' },
  ]);
  expect(sit.balance('T1')).toBe(0);
  sit.do('OpenBets', {}, floor);
  sit.wait(20_000).do('CallClose', {}, floor);
  sit.wait(500).do('CloseBets', {}, floor);
  for (const [n, slot] of (['P1', 'B1', 'P2'] as const).entries()) sit.do('DealCard', { slot, ...shoe.at(n) }, floor);
  const last = sit.at;
  // Since the last event, however early the reported start is.
  expect(sit.wait(60_000).do('ReportInterruption', { since: last - 5_000, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted', since: last },
    { type: 'RoundResumed', by: 'HOUSE 6' },
  ]);
  expect(sit.table).toMatchObject({ openIrregularities: [], phase: 'dealing' });
});

test('[HOUSE 6] the computed ruling after an interruption cannot be decided otherwise', () => {
  const sit = dealt('9S 2C 9H', 'baccarat');
  sit.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(sit.table!.openIrregularities[0]!.rulings).toEqual(['enter', 'void', 'resume']);
  expect(sit.refusal('DismissReport', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling', by: 'HOUSE 6' });
  sit.confirmFelt().do('Refer', { reason: 'a patron wants a void' });
  expect(sit.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'void-commanded',
    by: 'HOUSE 6',
  });
});

test('[READING 61] at a live shoe the cards that had left it are entered first, and all of them command what follows', () => {
  const sit = dealt('9S 2C', 'baccarat');
  sit.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(buildDealerView(sit.table!)).toMatchObject({
    next: ['EnterCard', 'ConfirmFelt', 'Refer'],
    stopped: {
      options: [
        { ruling: 'enter', command: 'EnterCard', not: null },
        { ruling: 'void', command: 'ConfirmRuling', not: 'felt-first' },
        { ruling: 'resume', command: 'ConfirmRuling', not: 'felt-first' },
        { ruling: 'felt', command: 'ConfirmFelt', second: 'supervisor', not: null },
        { ruling: 'refer', command: 'Refer', not: null },
      ],
      computed: null,
    },
  });
  expect(sit.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'felt-first', by: 'HOUSE 6' });
  expect(buildDealerView(sit.table!).prompt).toEqual({
    code: 'felt-first',
    with: { kind: 'interruption' },
    by: 'HOUSE 6',
  });
  sit.doByTwo('EnterCard', { slot: 'P2', card: '9H', reason: 'it lay on the felt' });
  expect(sit.entries.at(-1)!.event).toMatchObject({ type: 'CardDealt', slot: 'P2', card: '9H', afterwards: true });
  expect(sit.table!.openIrregularities).toMatchObject([{ kind: 'interruption' }]);
  expect(sit.doByTwo('ConfirmFelt', { reason: 'nothing else lies there' })[1]).toMatchObject({
    type: 'FeltConfirmed',
    cards: ['9S', '2C', '9H'],
  });
  expect(buildDealerView(sit.table!)).toMatchObject({
    next: ['ConfirmRuling', 'EnterCard', 'Refer'],
    stopped: {
      computed: { ruling: 'resume', by: 'HOUSE 6' },
      options: [{}, { ruling: 'void', not: 'not-computed' }, { ruling: 'resume', not: null }, { ruling: 'refer' }],
    },
  });
  expect(sit.do('ConfirmRuling', {}, supervisor)).toMatchObject([{ type: 'RoundResumed', round: sit.round }]);
  // The dealer cannot take back cards that two persons have entered.
  expect(sit.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
  const whole = dealt('9S 2C 9H', 'baccarat');
  whole.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  whole.doByTwo('EnterCard', { slot: 'B2', card: '4D', reason: 'it lay on the felt' });
  expect(buildDealerView(whole.table!).next).toEqual(['ConfirmRuling', 'Refer']);
  whole.do('ConfirmRuling', {}, supervisor);
  whole.settle();
});

test('[READING 61] a card found on the felt later needs another check, and an unseen one is carried', () => {
  const sit = dealt('9S 2C', 'baccarat');
  expect(sit.refusal('ConfirmFelt', {})).toMatchObject({ refused: 'no-such-ruling', by: 'HOUSE 1' });
  sit.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(sit.refusal('ConfirmFelt', {}, floor)).toMatchObject({ refused: 'not-your-role' });
  sit.confirmFelt();
  expect(sit.refusal('ConfirmFelt', {})).toMatchObject({ refused: 'not-now', by: 'HOUSE 6' });
  sit.doByTwo('EnterCard', { slot: 'P2', card: '9H', reason: 'it lay below' });
  expect(sit.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'felt-first' });
  const { drawn } = sit.table!.shoe!;
  sit.doByTwo('ConfirmFelt', { unseen: true });
  expect(sit.table!.shoe).toMatchObject({ drawn: drawn + 1, carried: true });
  sit.do('ConfirmRuling', {}, supervisor);
  expect(buildDealerView(sit.table!).prompt).toMatchObject({
    code: 'fourth-card',
    with: { slot: 'B2', carried: 'yes' },
  });
  expect(sit.do('DealCard', { slot: 'B2', card: '4D' })).toMatchObject([{ carried: true }]);
  expect(sit.table!.shoe).toMatchObject({ drawn: drawn + 1, carried: false });
});

test('[READING 61] a carried card is not counted twice, and an empty shoe has no unseen card', () => {
  const sit = dealt('9S 2C 9H 4D', 'baccarat');
  sit.do('ReportIrregularity', { kind: 'wrong-number' });
  sit.doByTwo('ReconstructRound', { cards: cardsIn('9S 2C 9H 4D'), unseen: true, reason: 'x' });
  sit.settle().bets().close();
  const { drawn, size } = sit.table!.shoe!;
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  sit.doByTwo('ConfirmFelt', { unseen: true });
  expect(sit.table!.shoe).toMatchObject({ drawn, carried: true });
  const empty = dealt('9S', 'baccarat');
  empty.table!.shoe!.drawn = size;
  empty.do('ReportInterruption', { since: 0, stateLost: true });
  expect(empty.refusal('ConfirmFelt', { unseen: true })).toMatchObject({ refused: 'shoe-over', by: 'BAC 5.5' });
});

test('[READING 61] a virtual shoe has nothing to enter: its state is whole', () => {
  const sit = new TableScenario();
  sit.open('tiger', { dealing: 'virtual' }).virtualShoe(natural);
  sit.bets(stakes).close();
  sit.do('ReportInterruption', { since: 0, stateLost: true });
  expect(buildDealerView(sit.table!).next).toEqual(['ConfirmRuling', 'Refer']);
  expect(sit.refusal('EnterCard', { slot: 'P1', card: '9S', reason: 'x' })).toMatchObject({
    refused: 'no-such-ruling',
  });
});

test('[READING 62] at a table with chips loss of the system interrupts no round: it is finished by hand and entered afterwards', () => {
  const sit = readyTable('baccarat', { bets: 'chips' }).bets().close();
  expect(sit.wait(600_000).do('ReportInterruption', { since: sit.at - 600_000, stateLost: true }, floor)).toMatchObject(
    [{ type: 'InterruptionLogged', round: sit.round }],
  );
  for (const [slot, card] of [
    ['P1', '9S'],
    ['B1', '2C'],
    ['P2', '9H'],
    ['B2', '4D'],
  ] as const) {
    expect(sit.do('DealCard', { slot, card, afterwards: true })[0]).toMatchObject({ card, afterwards: true });
  }
  // Take, pay and push are known from the last card on; Settle confirms the payment.
  expect(buildDealerView(sit.table!).felt).toContainEqual({
    wager: 'player',
    do: 'pay',
    pays: [1, 1],
    commission: [0, 1],
    by: 'BAC 4.1',
  });
  sit.settle();
  const terminals = dealt('9S');
  expect(terminals.refusal('DealCard', { slot: 'B1', card: '2C', afterwards: true })).toMatchObject({
    refused: 'not-here',
  });
});

test('[READING 62] with chips the dealer’s call is the close, and no time delays it', () => {
  const sit = readyTable('baccarat', { bets: 'chips' }).bets();
  expect(sit.refusal('CallClose', { notice: 5000 })).toMatchObject({ refused: 'not-here' });
  expect(sit.do('CallClose', {})).toMatchObject([
    { type: 'ClosingCalled', deadline: sit.at, by: 'BAC 3.2' },
    { type: 'BetsClosed', round: sit.round, by: 'BAC 3.2' },
  ]);
  expect(buildDealerView(sit.table!).felt).toBeNull();
  sit.deal('9S');
});
