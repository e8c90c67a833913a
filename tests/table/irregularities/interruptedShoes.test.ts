import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { TableScenario, cardsIn, floor, natural, readyTable, supervisor } from '../tableScenario.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

test('[HOUSE 6] at a live shoe the cards that had left it are entered first, and together they determine the ruling', () => {
  const scenario = dealt('9S 2C', 'baccarat');
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(buildDealerView(scenario.table!)).toMatchObject({
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
  expect(scenario.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'felt-first', by: 'HOUSE 6' });
  expect(buildDealerView(scenario.table!).prompt).toEqual({
    code: 'felt-first',
    with: { kind: 'interruption' },
    by: 'HOUSE 6',
  });
  scenario.doByTwo('EnterCard', { slot: 'P2', card: '9H', reason: 'it lay on the felt' });
  expect(scenario.entries.at(-1)!.event).toMatchObject({ type: 'CardDealt', slot: 'P2', card: '9H', afterwards: true });
  expect(scenario.table!.openIrregularities).toMatchObject([{ kind: 'interruption' }]);
  expect(scenario.doByTwo('ConfirmFelt', { reason: 'nothing else lies there' })[1]).toMatchObject({
    type: 'FeltConfirmed',
    cards: ['9S', '2C', '9H'],
  });
  expect(buildDealerView(scenario.table!)).toMatchObject({
    next: ['ConfirmRuling', 'EnterCard', 'Refer'],
    stopped: {
      computed: { ruling: 'resume', by: 'HOUSE 6' },
      options: [{}, { ruling: 'void', not: 'not-computed' }, { ruling: 'resume', not: null }, { ruling: 'refer' }],
    },
  });
  expect(scenario.do('ConfirmRuling', {}, supervisor)).toMatchObject([{ type: 'RoundResumed', round: scenario.round }]);
  // The dealer cannot take back cards that two persons have entered.
  expect(scenario.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
  const whole = dealt('9S 2C 9H', 'baccarat');
  whole.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  whole.doByTwo('EnterCard', { slot: 'B2', card: '4D', reason: 'it lay on the felt' });
  expect(buildDealerView(whole.table!).next).toEqual(['ConfirmRuling', 'Refer']);
  whole.do('ConfirmRuling', {}, supervisor);
  whole.settle();
});

test('[HOUSE 6] a card found on the felt later needs another check, and an unseen one is carried', () => {
  const scenario = dealt('9S 2C', 'baccarat');
  expect(scenario.refusal('ConfirmFelt', {})).toMatchObject({ refused: 'no-such-ruling', by: 'HOUSE 1' });
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(scenario.refusal('ConfirmFelt', {}, floor)).toMatchObject({ refused: 'not-your-role' });
  scenario.confirmFelt();
  expect(scenario.refusal('ConfirmFelt', {})).toMatchObject({ refused: 'not-now', by: 'HOUSE 6' });
  scenario.doByTwo('EnterCard', { slot: 'P2', card: '9H', reason: 'it lay below' });
  expect(scenario.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'felt-first' });
  scenario.doByTwo('ConfirmFelt', { cards: [] });
  const { drawn } = scenario.table!.shoe!;
  scenario.doByTwo('ConfirmFelt', { cards: [], unseen: true });
  expect(scenario.table!.shoe).toMatchObject({ drawn: drawn + 1, carried: true });
  scenario.do('ConfirmRuling', {}, supervisor);
  expect(buildDealerView(scenario.table!).prompt).toMatchObject({
    code: 'fourth-card',
    with: { slot: 'B2', carried: 'yes' },
  });
  expect(scenario.do('DealCard', { slot: 'B2', card: '4D' })).toMatchObject([{ carried: true }]);
  expect(scenario.table!.shoe).toMatchObject({ drawn: drawn + 1, carried: false });
});

test('[READING 61] a carried card is not counted twice, and an empty shoe has no unseen card', () => {
  const scenario = dealt('9S 2C 9H 4D', 'baccarat');
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo('ReconstructRound', { cards: cardsIn('9S 2C 9H 4D'), unseen: true, reason: 'x' });
  scenario.settle().bets().close();
  const { drawn, size } = scenario.table!.shoe!;
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  scenario.doByTwo('ConfirmFelt', { unseen: true });
  expect(scenario.table!.shoe).toMatchObject({ drawn, carried: true });
  const empty = dealt('9S', 'baccarat');
  empty.table!.shoe!.drawn = size;
  empty.do('ReportInterruption', { since: 0, stateLost: true });
  expect(empty.refusal('ConfirmFelt', { unseen: true })).toMatchObject({ refused: 'shoe-over', by: 'BAC 5.5' });
});

test('[READING 61] a virtual shoe has no cards to enter: its state is complete', () => {
  const scenario = new TableScenario();
  scenario.open('tiger', { dealing: 'virtual' }).virtualShoe(natural);
  scenario.bets(stakes).close();
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  expect(buildDealerView(scenario.table!).next).toEqual(['ConfirmRuling', 'Refer']);
  expect(scenario.refusal('EnterCard', { slot: 'P1', card: '9S', reason: 'x' })).toMatchObject({
    refused: 'no-such-ruling',
  });
});

test('[HOUSE 6] at a chip table loss of the system interrupts no round: it is finished by hand and entered afterwards', () => {
  const scenario = readyTable('baccarat', { bets: 'chips' }).bets().close();
  expect(
    scenario.wait(600_000).do('ReportInterruption', { since: scenario.at - 600_000, stateLost: true }, floor),
  ).toMatchObject([{ type: 'InterruptionLogged', round: scenario.round }]);
  for (const [slot, card] of [
    ['P1', '9S'],
    ['B1', '2C'],
    ['P2', '9H'],
    ['B2', '4D'],
  ] as const) {
    expect(scenario.do('DealCard', { slot, card, afterwards: true })[0]).toMatchObject({ card, afterwards: true });
  }
  // Take, pay and push are known from the last card on; Settle confirms the payment.
  expect(buildDealerView(scenario.table!).felt).toContainEqual({
    wager: 'player',
    do: 'pay',
    pays: [1, 1],
    commission: [0, 1],
    by: 'BAC 4.1',
  });
  scenario.settle();
  const terminals = dealt('9S');
  expect(terminals.refusal('DealCard', { slot: 'B1', card: '2C', afterwards: true })).toMatchObject({
    refused: 'not-here',
  });
});

test('[READING 62] with chips the dealer’s call is the close, and no time delays it', () => {
  const scenario = readyTable('baccarat', { bets: 'chips' }).bets();
  expect(scenario.refusal('CallClose', { notice: 5000 })).toMatchObject({ refused: 'not-here' });
  expect(scenario.do('CallClose', {})).toMatchObject([
    { type: 'ClosingCalled', deadline: scenario.at, by: 'BAC 3.2' },
    { type: 'BetsClosed', round: scenario.round, by: 'BAC 3.2' },
  ]);
  expect(buildDealerView(scenario.table!).felt).toBeNull();
  scenario.deal('9S');
});
