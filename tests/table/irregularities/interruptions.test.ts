import { expect, test } from 'vitest';
import { decidedWagers } from '../../../src/rules/decidedWagers.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import {
  TableScenario,
  floor,
  gameOf,
  natural,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from '../tableScenario.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const dealt = (cards: string, game = 'tiger'): TableScenario => readyTable(game).bets(stakes).close().deal(cards);

test('the computed ruling after an interruption is the only option, for the dealer as well', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S');
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  expect(scenario.refusal('VoidRound', { reason: 'x' })).toMatchObject({ refused: 'no-such-ruling', by: 'ETG 5.9' });
});

test('[READING 10] what an interruption decides follows from the wagers on offer, whatever was staked', () => {
  const slips = [
    {},
    { T1: { player: 1000 } },
    { T1: { banker: 1000 }, T2: { tie: 500 } },
    { T1: { 'tiger-pair': 500 } },
    { T1: { 'tiger-pair': 500, player: 1000 }, T2: { 'small-tiger': 100 } },
  ];
  for (const [cards, by] of [
    ['', 'ETG 5.9.1'],
    ['2S', 'ETG 5.9.1'],
    ['2S 7C', 'ETG 5.9.1'],
    ['2S 7C 3H', 'ETG 5.9.1'],
    ['2S 7C 2H', 'ETG 5.9.2'],
    ['4S 7C 3H', 'ETG 5.9.2'],
    ['2S 7C 3H TD', 'ETG 5.9.2'],
  ] as const) {
    for (const slip of slips) {
      const scenario = readyTable('tiger').bets(slip).close().deal(cards);
      scenario.do('ReportInterruption', { since: 0, stateLost: true });
      const [ruled] = scenario.confirmFelt().do('ConfirmRuling', {}, supervisor);
      expect(ruled, `${cards}: ${JSON.stringify(slip)}`).toMatchObject({ by });
      expect(ruled!.type).toBe(by === 'ETG 5.9.1' ? 'RoundVoided' : 'RoundResumed');
    }
  }
});

test.each(['ETG 5.9.1', 'READING 10'])(
  '[%s] with fewer wagers on offer the same cards decide nothing, and the interruption voids and refunds the round',
  () => {
    const main = ['player', 'banker', 'tie'];
    const limits = Object.fromEntries(main.map((wager) => [wager, [100, 100_000]]));
    for (const cards of ['2S 7C 2H', '2S 7C 3H TD', '2S 3H AC 2D 4S']) {
      const slips = { T1: { player: 1000, tie: 500 } };
      const fewer = readyTable('tiger', { offered: main, limits }).bets(slips).close().deal(cards);
      const all = readyTable('tiger').bets(slips).close().deal(cards);
      const rulings = [fewer, all].map((scenario) => {
        scenario.do('ReportInterruption', { since: 0, stateLost: true });
        return scenario.confirmFelt().do('ConfirmRuling', {}, supervisor)[0];
      });
      expect(rulings, cards).toMatchObject([
        { type: 'RoundVoided', by: 'ETG 5.9.1' },
        { type: 'RoundResumed', by: 'ETG 5.9.2' },
      ]);
      expect([fewer.balance('T1'), all.balance('T1')], cards).toEqual([0, -1500]);
    }
  },
);

test('[ETG 5.9.2] with Tiger and Small Tiger the only side wagers on offer a Banker 7 after four cards decides both, and the round is resumed and settled', () => {
  const offered = ['player', 'banker', 'tie', 'tiger', 'small-tiger'];
  const limits = Object.fromEntries(offered.map((wager) => [wager, [100, 100_000]]));
  const scenario = readyTable('tiger', { offered, limits })
    .bets({ T1: { banker: 1000, tiger: 100 }, T2: { player: 500, 'small-tiger': 200 } })
    .close()
    .deal('AC 7D 2H KS');
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  expect(scenario.confirmFelt().do('ConfirmRuling', {}, supervisor)).toMatchObject([
    { type: 'RoundResumed', by: 'ETG 5.9.2', won: [], lost: ['tiger', 'small-tiger'] },
  ]);
  scenario.deal('9S').settle();
  // Banker wins with 7 against 2, at 5 % commission.
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([950 - 100, -700]);
});

test('at a frozen unattended table lost state waits for the decision as well', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  scenario.virtualShoe(natural);
  scenario.do('OpenBets', {}, floor);
  scenario.do('Refer', { reason: 'x' }, floor);
  expect(scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted' },
  ]);
  scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  expect(scenario.do('ConfirmRuling', {}, floor)).toMatchObject([{ type: 'RoundVoided' }]);
});

test('an interruption during an open one is only logged; at a frozen table only if no state was lost', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  scenario.do('Refer', { reason: 'x' });
  const logged = [{ type: 'InterruptionLogged', round: scenario.round }];
  expect(
    scenario.wait(60_000).do('ReportInterruption', { since: scenario.at - 60_000, stateLost: false }, floor),
  ).toMatchObject(logged);
  expect(scenario.do('ReportInterruption', { since: scenario.at, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted' },
  ]);
  expect(scenario.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'awaiting-decision' });
  expect(scenario.do('ReportInterruption', { since: scenario.at, stateLost: true }, floor)).toMatchObject(logged);
  scenario.do('DecideReferral', { decision: 'continue', reason: 'x' }, shiftManager);
  scenario.confirmFelt().do('ConfirmRuling', {}, supervisor);
  expect(scenario.balance('T1')).toBe(0);
});

test('[READING 59] an interruption below a more serious irregularity leads when that is closed', () => {
  const scenario = dealt('9S');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  expect(scenario.do('ReportInterruption', { since: scenario.at, stateLost: true })).toMatchObject([
    { type: 'Interrupted', below: 1 },
  ]);
  expect(scenario.table!.openIrregularities.map(({ kind }) => kind)).toEqual([
    'order-altered',
    'interruption',
    'wrong-order',
  ]);
  expect(scenario.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({ refused: 'no-such-ruling' });
  scenario.doByTwo('RestoreOrder', { reason: 'x' });
  expect(scenario.refusal('DealCard', { slot: 'B1', card: '2C' })).toMatchObject({
    refused: 'awaiting-ruling',
    by: 'ETG 5.9',
  });
  scenario.confirmFelt();
  expect(scenario.do('ConfirmRuling', {}, supervisor)[0]).toMatchObject({ type: 'RoundVoided', by: 'ETG 5.9.1' });
});

test('[READING 59] an unattended table carries out the more serious irregularity first as well', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  scenario.virtualShoe(natural);
  scenario.do('OpenBets', {}, floor);
  scenario.do('ReportIrregularity', { kind: 'order-altered' }, floor);
  expect(scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted' },
  ]);
  expect(scenario.do('VoidRound', { reason: 'x' }, floor)[0]).toMatchObject({ type: 'RoundVoided' });
  expect(scenario.table!.openIrregularities).toEqual([]);
});

test('an interruption reported with an early start does not extend the pause after the result', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S 2C KH 4D').wait(1500);
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  scenario.do('ConfirmRuling', {}, supervisor);
  expect(scenario.refusal('Settle', {}).refused).toBe('pause-runs');
  scenario.settle();
  expect(scenario.events('RoundSettled').length).toBe(1);
});

test('an interruption reaches no further back than the last event', () => {
  const scenario = readyTable('tiger').bets().close().deal(natural);
  const { resultAt } = scenario.table!.round!;
  scenario.wait(30_000).do('ReportInterruption', { since: 0, stateLost: true });
  expect(scenario.events('Interrupted')[0]).toMatchObject({ since: resultAt });
  scenario.wait(5_000).do('ConfirmRuling', {}, supervisor);
  expect(scenario.table!.round!.resultAt).toBe(resultAt! + 35_000);
  const brief = readyTable('tiger').bets().close().deal('9S').wait(10_000);
  expect(brief.do('ReportInterruption', { since: 0, stateLost: false })).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
});

test('[READING 26] a void after an interruption leaves the shoe in use, also when the shift manager decides it', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  scenario.do('ReportInterruption', { since: 0, stateLost: true });
  const asComputed = { decision: 'void', reason: 'as computed' } as const;
  scenario.do('Refer', { reason: 'x' });
  expect(scenario.refusal('DecideReferral', asComputed, shiftManager)).toMatchObject({
    refused: 'felt-first',
    by: 'ETG 5.9',
  });
  scenario.do('DecideReferral', { decision: 'continue', reason: 'look first' }, shiftManager);
  scenario.confirmFelt().do('Refer', { reason: 'x' });
  scenario.do('DecideReferral', asComputed, shiftManager);
  expect(scenario.table).toMatchObject({ openIrregularities: [], shoe: { lockedBy: null } });
});

test('stopped time is added once, however many reasons there were', () => {
  const scenario = readyTable('tiger').bets();
  const { closesAt } = scenario.table!.round!;
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.do('Refer', { reason: 'a doubt' });
  scenario.wait(600_000).do('DecideReferral', { decision: 'continue', reason: 'go on' }, shiftManager);
  scenario.wait(1_000).doByTwo('DismissReport', { reason: 'a mistake' });
  expect(scenario.table!.round!.closesAt).toBe(closesAt + 601_000);
});

test('a deadline that a stop moved has not passed for a terminal that disconnects meanwhile', () => {
  const scenario = readyTable('tiger').bets();
  scenario.wait(15_000).do('CallClose', {});
  scenario.do('ReportIrregularity', { kind: 'order-altered' });
  scenario.wait(10_000).do('ReportTerminals', { terminals: ['T7'], disconnected: true }, floor);
  expect(scenario.events('TerminalsDisconnected')[0]).toMatchObject({ closed: false });
});

test('[ETG 5.9] an interruption is judged by what the cards dealt have decided among the wagers on offer', () => {
  const { offered } = readyTable('tiger').table!.settings;
  for (const [cards, isDecided] of [
    ['', false],
    ['9S', false],
    ['9S 2C', false],
    ['9S 2C 9H', true],
    ['9S 2C 8H', true],
    ['2S 2C AH', false],
    ['2S 3H AC 2D', true],
    ['2S 3H AC 2D 4S', true],
    ['9S 2C 9H 4D', true],
  ] as const) {
    const scenario = dealt(cards);
    const { established, won, lost } = decidedWagers(gameOf('tiger'), offered, scenario.table!.round!.cards);
    expect(established, cards).toBe(isDecided);
    const since = scenario.at;
    const [event] = scenario.wait(10_001).do('ReportInterruption', { since, stateLost: false }, floor);
    const ruling = established ? 'resume' : 'void';
    const by = established ? 'ETG 5.9.2' : 'ETG 5.9.1';
    expect(event).toMatchObject({ type: 'Interrupted', round: scenario.round, by: 'ETG 5.9', since, stateLost: false });
    const isDealing = scenario.table!.phase === 'dealing';
    expect(buildDealerView(scenario.table!).stopped!.computed === null).toBe(isDealing);
    if (isDealing) scenario.confirmFelt();
    const computed = buildDealerView(scenario.table!).stopped!.computed!;
    expect(computed).toMatchObject({ ruling, by });
    const wagersWith = (result: string) =>
      computed.decided.filter((one) => one.result === result).map(({ wager }) => wager);
    expect([wagersWith('won'), wagersWith('lost')]).toEqual([won, lost]);
    expect(scenario.refusal('DealCard', { slot: 'P1', card: 'KD' })).toMatchObject({
      refused: 'awaiting-ruling',
      by: 'ETG 5.9',
    });
    expect(scenario.refusal('VoidRound', { reason: 'x' }, supervisor)).toMatchObject({ refused: 'no-such-ruling' });
    expect(scenario.refusal('ConfirmRuling', {})).toMatchObject({ refused: 'not-your-role' });
    const [confirmed] = scenario.do('ConfirmRuling', {}, supervisor);
    expect(confirmed).toMatchObject(
      established ? { type: 'RoundResumed', by, won, lost } : { type: 'RoundVoided', by },
    );
    if (established) expect(scenario.table!.phase).toBe(cards === '9S 2C 9H 4D' ? 'result' : 'dealing');
    else expect(scenario.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.9.1' } }, shoe: { lockedBy: null } });
    expect(scenario.refusal('ConfirmRuling', {}, supervisor)).toMatchObject({
      refused: 'no-such-ruling',
      by: 'ETG 6.1',
    });
  }
});

test.each([
  [undefined, 10_000],
  [3_000, 3_000],
])(
  '[ETG 5.9] with the set time %s a stop of up to %i ms without lost state is only logged, every other one ends the round',
  (interruption, limitMs) => {
    for (const [ms, stateLost, logged] of [
      [limitMs, false, 'InterruptionLogged'],
      [limitMs + 1, false, 'Interrupted'],
      [limitMs, true, 'Interrupted'],
      [0, true, 'Interrupted'],
    ] as const) {
      const scenario = readyTable('tiger', { ...(interruption && { interruption }) })
        .bets(stakes)
        .close()
        .deal('9S');
      const since = scenario.at;
      const [event] = scenario.wait(ms).do('ReportInterruption', { since, stateLost }, floor);
      expect(event, `${ms} ${stateLost}`).toMatchObject({ type: logged });
      if (logged === 'InterruptionLogged') scenario.deal('2C');
      else expect(scenario.refusal('DealCard', { slot: 'B1', card: '2C' })).toMatchObject({ by: 'ETG 5.9' });
    }
  },
);

test('[READING 12] a short interruption is logged and play goes on; lost state is never short', () => {
  const scenario = dealt('9S 2C');
  const since = scenario.at;
  expect(scenario.wait(10_000).do('ReportInterruption', { since, stateLost: false }, floor)).toMatchObject([
    { type: 'InterruptionLogged', round: scenario.round },
  ]);
  expect(scenario.refusal('ReportInterruption', { since: scenario.at + 1, stateLost: false })).toMatchObject({
    refused: 'bad-request',
  });
  expect(scenario.do('ReportInterruption', { since: scenario.at, stateLost: true }, floor)).toMatchObject([
    { type: 'Interrupted' },
  ]);
  expect(scenario.do('ReportInterruption', { since: scenario.at, stateLost: true }, floor)).toMatchObject([
    { type: 'InterruptionLogged' },
  ]);
  const idle = readyTable('tiger');
  const [logged] = idle.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(logged).toMatchObject({ type: 'InterruptionLogged' });
  expect(logged).not.toHaveProperty('round');
});

test.each(['HOUSE 6', 'READING 12'])(
  '[%s] while bets are open an interruption voids the round; at an unattended table at once',
  () => {
    const scenario = new TableScenario();
    scenario.do('OpenTable', { settings: defaultSettings('baccarat', { dealing: 'virtual', attended: false }) }, floor);
    const shoe = scenario.virtualShoe('9S 2C 9H 4D');
    scenario.do('OpenBets', {}, floor);
    scenario.slip('T1', { tie: 100 });
    const since = scenario.at;
    expect(scenario.wait(60_000).do('ReportInterruption', { since, stateLost: false }, floor)).toMatchObject([
      { type: 'Interrupted', by: 'HOUSE 6', rulings: ['void', 'resume'] },
      { type: 'RoundVoided', by: 'HOUSE 6' },
      { type: 'SettlementPosted' },
    ]);
    expect(scenario.balance('T1')).toBe(0);
    scenario.do('OpenBets', {}, floor);
    scenario.wait(20_000).do('CallClose', {}, floor);
    scenario.wait(500).do('CloseBets', {}, floor);
    for (const [n, slot] of (['P1', 'B1', 'P2'] as const).entries())
      scenario.do('DealCard', { slot, ...shoe.at(n) }, floor);
    const last = scenario.at;
    // Since the last event, however early the reported start is.
    expect(
      scenario.wait(60_000).do('ReportInterruption', { since: last - 5_000, stateLost: true }, floor),
    ).toMatchObject([
      { type: 'Interrupted', since: last },
      { type: 'RoundResumed', by: 'HOUSE 6' },
    ]);
    expect(scenario.table).toMatchObject({ openIrregularities: [], phase: 'dealing' });
  },
);

test('[HOUSE 6] the computed ruling after an interruption cannot be decided otherwise', () => {
  const scenario = dealt('9S 2C 9H', 'baccarat');
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(scenario.table!.openIrregularities[0]!.rulings).toEqual(['enter', 'void', 'resume']);
  expect(scenario.refusal('DismissReport', { reason: 'x' })).toMatchObject({
    refused: 'no-such-ruling',
    by: 'HOUSE 6',
  });
  scenario.confirmFelt().do('Refer', { reason: 'a patron wants a void' });
  expect(scenario.refusal('DecideReferral', { decision: 'void', reason: 'x' }, shiftManager)).toMatchObject({
    refused: 'void-commanded',
    by: 'HOUSE 6',
  });
});
