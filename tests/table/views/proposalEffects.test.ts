import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StaffActor } from '../../../src/access/actor.ts';
import { type CommandOf } from '../../../src/table/schema/commands.ts';
import { type ProposableCommandName } from '../../../src/table/decide/proposals.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { type TableProposalEffects, proposalEffects } from '../../../src/table/views/proposalEffects.ts';
import { buildSupervisorView } from '../../../src/table/views/supervisorView.ts';
import { proposalEffectsSchema } from '../../../src/wire/staff/proposalEffects.ts';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { nextSlot } from '../../../src/rules/play.ts';
import { times } from '../../times.ts';
import {
  type TableScenario,
  afterSettlement,
  cardsIn,
  dealer,
  defaultSettings,
  floor,
  managers,
  natural,
  openedTable,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
} from '../tableScenario.ts';

const stakes = { T1: { player: 1000 }, T2: { banker: 1000, tie: 200 } };

function effectsAt(scenario: TableScenario): TableProposalEffects {
  const effects = proposalEffects(scenario.table!);
  expect(proposalEffectsSchema.check(effects)).toBeUndefined();
  // The state is all that the effects come from: a restart and a reload give the same.
  expect(proposalEffects(structuredClone(scenario.table!))).toEqual(effects);
  return effects;
}

/** The effects of a proposal, and the events of its approval. */
function proposed<N extends ProposableCommandName>(
  scenario: TableScenario,
  type: N,
  fields: Omit<CommandOf<N>, 'type' | 'at' | 'actor'>,
  actor: StaffActor = dealer,
): TableProposalEffects {
  scenario.do(type, fields, actor);
  expect(scenario.table!.proposal?.command.type).toBe(type);
  return effectsAt(scenario);
}

const stopped = (kind: 'wrong-order' | 'unreadable-card' | 'foreign-card' | 'wrong-number', cards = natural) => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal(cards);
  scenario.do('ReportIrregularity', { kind });
  return scenario;
};

const countOf = (deck: 'french' | 'elements', changes: { readonly [card: string]: number } = {}) => ({
  ...Object.fromEntries(cardsOfDeck(deck).map((card) => [card, 8])),
  ...changes,
});

const withShortfall = (): TableScenario => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  const fix = { round: scenario.round, place: 4, card: '7D', reason: 'x' };
  scenario.doByTwo('CorrectCard', fix, afterSettlement, { T1: 500 });
  return scenario;
};

/** What every proposable command says that it does. */
const cases: { readonly [N in ProposableCommandName]: () => TableProposalEffects } = {
  ChangeSettings: () =>
    proposed(
      readyTable('tiger'),
      'ChangeSettings',
      { settings: defaultSettings('tiger', { pause: 3_000 }) },
      pitManager,
    ),
  CloseTable: () => proposed(readyTable('tiger'), 'CloseTable', { reason: 'end of shift' }, pitManager),
  ReopenTable: () => {
    const scenario = readyTable('tiger');
    scenario.doByTwo('CloseTable', { reason: 'x' }, managers);
    return proposed(scenario, 'ReopenTable', { reason: 'x' }, pitManager);
  },
  CorrectCut: () => proposed(readyTable('tiger'), 'CorrectCut', { behind: 20, reason: 'x' }),
  VerifyShoe: () => {
    const scenario = openedTable('tiger');
    scenario.do('BringShoe', { shoe: 'S1', seal: '17', decks: 8, backs: 'red' });
    scenario.do('InspectCards', { match: true });
    scenario.do('CountCards', { cards: 416 });
    scenario.do('ShuffleShoe', { method: 'by hand' });
    scenario.do('CutShoe', { behind: 16 });
    return proposed(scenario, 'VerifyShoe', {});
  },
  EndShoe: () => proposed(readyTable('tiger'), 'EndShoe', { seen: countOf('french', { AC: 7, KD: 9 }) }),
  SealShoe: () => proposed(readyTable('tiger'), 'SealShoe', { seal: '88', to: 'the card room' }),
  CountSealedShoe: () => {
    const scenario = readyTable('tiger');
    scenario.doByTwo('SealShoe', { seal: '88' });
    const other = { person: 's2', role: 'supervisor' } as const;
    return proposed(scenario, 'CountSealedShoe', { shoe: 'S1', seen: countOf('french') }, other);
  },
  VoidRound: () => proposed(stopped('foreign-card'), 'VoidRound', { reason: 'x' }),
  ReconstructRound: () =>
    proposed(stopped('wrong-number', '8S 3D KC KH'), 'ReconstructRound', {
      cards: cardsIn('8S 3D KC KH 6C'),
      unseen: false,
      reason: 'x',
    }),
  RestoreOrder: () => {
    const scenario = readyTable('tiger').bets(stakes).close().deal('9S');
    scenario.do('ReportIrregularity', { kind: 'order-altered' });
    return proposed(scenario, 'RestoreOrder', { reason: 'x' });
  },
  EnterCard: () => proposed(stopped('unreadable-card', '9S 2C'), 'EnterCard', { slot: 'P2', card: '7S', reason: 'x' }),
  CorrectCard: () => {
    const scenario = readyTable('baccarat').bets(stakes).close().deal('2S 3D KC 3H 9S');
    return proposed(scenario, 'CorrectCard', { round: scenario.round, place: 1, card: '9D', reason: 'x' });
  },
  BurnCard: () => {
    const scenario = readyTable('tiger').bets(stakes);
    scenario.do('ReportIrregularity', { kind: 'face-up-card' });
    scenario.do('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager);
    return proposed(scenario, 'BurnCard', { card: '7S', reason: 'x' });
  },
  DismissReport: () => proposed(stopped('wrong-order'), 'DismissReport', { reason: 'x' }),
  ConfirmFelt: () => {
    const scenario = readyTable('tiger').bets(stakes).close().deal('9S 9C 7H');
    scenario.do('ReportInterruption', { since: 0, stateLost: true });
    return proposed(scenario, 'ConfirmFelt', { unseen: true });
  },
  ConfirmRuling: () => {
    const offered = ['player', 'banker', 'tie'];
    const limits = Object.fromEntries(offered.map((wager) => [wager, [100, 100_000]]));
    const scenario = readyTable('tiger', { offered, limits }).playRound(natural, stakes);
    scenario.do('ReportIrregularity', { kind: 'wrong-order' });
    scenario.doByTwo(
      'ReconstructRound',
      { cards: cardsIn('4D 2C 9S 9H'), unseen: false, reason: 'x' },
      afterSettlement,
    );
    scenario.do('ReportInterruption', { since: 0, stateLost: true });
    scenario.confirmFelt();
    return proposed(scenario, 'ConfirmRuling', {}, supervisor);
  },
  DecideReferral: () => {
    const scenario = readyTable('tiger').playRound(natural, stakes);
    scenario.do('Refer', { reason: 'x', round: scenario.round, terminal: 'T1' });
    return proposed(scenario, 'DecideReferral', { decision: 'void', terminal: 'T1', reason: 'x' }, supervisor);
  },
  CollectShortfall: () => {
    const scenario = withShortfall();
    const fields = { terminal: 'T1', round: scenario.round, amount: 300, reason: 'x' };
    return proposed(scenario, 'CollectShortfall', fields, supervisor);
  },
  WriteOffShortfall: () => {
    const scenario = withShortfall();
    const fields = { terminal: 'T1', round: scenario.round, amount: 1_500, reason: 'x' };
    return proposed(scenario, 'WriteOffShortfall', fields, supervisor);
  },
};

const expected: { readonly [N in ProposableCommandName]: object } = {
  ChangeSettings: {
    changes: [{ type: 'settings-change' }],
    settings: [{ field: 'pause', wager: null, before: 2_000, after: 3_000 }],
  },
  CloseTable: { changes: [{ type: 'table-close' }] },
  ReopenTable: { changes: [{ type: 'table-reopen' }] },
  CorrectCut: { changes: [{ type: 'cut-correct', shoe: 'S1', was: 14, behind: 20 }] },
  VerifyShoe: {
    changes: [{ type: 'shoe-ready' }],
    shoe: {
      id: 'S1',
      size: 416,
      seal: '17',
      decks: 8,
      backs: 'red',
      inspected: true,
      counted: true,
      shuffle: 'by hand',
      behind: 16,
    },
  },
  EndShoe: {
    changes: [{ type: 'shoe-end', shoe: 'S1', expected: 416, seen: 416, extra: { KD: 1 }, missing: { AC: 1 } }],
  },
  SealShoe: { changes: [{ type: 'shoe-seal', shoe: 'S1', seal: '88', to: 'the card room' }] },
  CountSealedShoe: { changes: [{ type: 'shoe-count', shoe: 'S1', seal: '88', expected: 416, seen: 416, extra: {} }] },
  VoidRound: {
    changes: [{ type: 'round-void' }, { type: 'shoe-lock', shoe: 'S1' }],
    round: { before: { winner: 'player' }, after: { type: 'void' }, settled: 'now' },
    money: { staked: 2_200, paid: null, due: 2_200 },
  },
  ReconstructRound: {
    changes: [{ type: 'round-replay' }, { type: 'card-burn', card: '6C' }],
    round: {
      cards: { after: [{ card: '8S', slot: 'P1' }, {}, {}, {}], burned: ['6C'] },
      before: { type: 'result', winner: 'player', player: 8, banker: 3 },
      after: { type: 'result', winner: 'player', player: 8, banker: 3 },
      settled: 'later',
    },
    money: { due: 2_000, rows: [{ terminal: 'T1', due: 2_000 }, { due: 0 }] },
  },
  RestoreOrder: { changes: [{ type: 'order-restore' }], round: null },
  EnterCard: {
    changes: [{ type: 'card-enter', slot: 'P2', card: '7S' }],
    round: {
      cards: { before: [{}, {}], after: [{}, {}, { card: '7S', slot: 'P2' }] },
      after: { type: 'due', slot: 'B2' },
      settled: null,
    },
    money: { staked: 2_200, due: null },
  },
  CorrectCard: {
    changes: [
      { type: 'card-correct', place: 1, slot: 'P1', was: '2S', card: '9D' },
      { type: 'card-burn', card: '9S' },
    ],
    round: {
      cards: { burned: ['9S'] },
      before: { type: 'result', winner: 'banker' },
      after: { type: 'result', winner: 'player', player: 9, banker: 6 },
    },
  },
  BurnCard: { changes: [{ type: 'card-burn', card: '7S' }], round: null },
  DismissReport: { changes: [{ type: 'report-dismiss', kind: 'wrong-order' }] },
  ConfirmFelt: { changes: [{ type: 'felt-confirm', count: 3 }, { type: 'card-carry' }] },
  ConfirmRuling: {
    changes: [{ type: 'round-void' }],
    money: { paid: 2_000, due: 2_200, takenBack: 1_000, paidMore: 1_200 },
  },
  DecideReferral: {
    changes: [
      { type: 'referral-decide', decision: 'void', terminal: 'T1', round: expect.stringMatching(/\/S1\/1$/) },
      { type: 'slip-void', terminal: 'T1' },
    ],
    money: { count: 1, paid: 2_000, due: 1_000, takenBack: 1_000 },
  },
  CollectShortfall: { changes: [{ type: 'shortfall-collect', terminal: 'T1', amount: 300, left: 1_200 }] },
  WriteOffShortfall: { changes: [{ type: 'shortfall-write-off', terminal: 'T1', amount: 1_500, left: 0 }] },
};

test.for(Object.keys(cases) as ProposableCommandName[])('a proposed %s shows what its approval does', (name) => {
  expect(cases[name]()).toMatchObject({ command: name, not: null, ...expected[name] });
});

test('[BAC 5.2] the previewed result of a round with a surplus card is the settled one', () => {
  const cards = fc.array(fc.constantFrom(...cardsOfDeck('french')), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(cards, fc.boolean(), (drawn, isUnseen) => {
      const used = Array.from(drawn.keys()).find((n) => n >= 4 && nextSlot(drawn.slice(0, n)) === undefined) ?? 6;
      const scenario = readyTable('baccarat').bets(stakes).close().deal(drawn.slice(0, used).join(' '));
      if (scenario.table!.openIrregularities.length > 0) return;
      scenario.do('ReportIrregularity', { kind: 'wrong-number' });
      const replay = { cards: drawn.slice(0, used + 1), unseen: isUnseen, reason: 'x' };
      const { round, money, changes } = proposed(scenario, 'ReconstructRound', replay);
      expect(changes).toContainEqual({ type: 'card-burn', card: drawn[used] });
      const { id, hash } = scenario.table!.proposal!;
      scenario.do('Approve', { proposal: id, hash }, supervisor);
      if (scenario.table!.phase !== 'result') return;
      scenario.settle();
      const view = buildDealerView(scenario.table!).round!;
      const { winner, player, banker } = view;
      expect(round!.after).toEqual({ type: 'result', winner, player: player.total, banker: banker.total });
      expect(round!.cards!.after).toEqual(view.cards.map(({ card, slot }) => ({ card, slot })));
      expect(scenario.events('RoundSettled').at(-1)!.results).toEqual(round!.results.after);
      for (const { terminal, due } of money!.rows)
        expect(scenario.balance(terminal)).toBe(due! - (terminal === 'T1' ? 1_000 : 1_200));
    }),
    { numRuns: times(60) },
  );
});

describe('paid money that a proposal takes back', () => {
  const settled = (): TableScenario => readyTable('tiger').playRound(natural, stakes);
  const creditOf =
    (credits: { readonly [session: string]: number }, open = true) =>
    (session: string) => ({ credit: credits[session] ?? 0, open });

  test('[READING 16] is shown with what was paid, what is left of it, and the shortfall', () => {
    const scenario = settled();
    scenario.do('ReportIrregularity', { kind: 'wrong-number' });
    scenario.do('VoidRound', { reason: 'x' }, supervisor);
    const { money } = proposalEffects(scenario.table!, creditOf({ T1: 5_000, T2: 100 }));
    expect(money).toEqual({
      count: 2,
      staked: 2_200,
      paid: 2_000,
      due: 2_200,
      takenBack: 1_000,
      paidMore: 1_200,
      collected: 0,
      short: 0,
      rows: [
        { terminal: 'T1', staked: 1_000, paid: 2_000, due: 1_000, credit: 5_000, isOpen: true, collected: 0, short: 0 },
        { terminal: 'T2', staked: 1_200, paid: 0, due: 1_200, credit: 100, isOpen: true, collected: 0, short: 0 },
      ],
    });
    // The patron of T1 collects between proposal and approval.
    const collected = proposalEffects(scenario.table!, creditOf({ T1: 300 }, false)).money!;
    expect(collected).toMatchObject({ collected: 1_700, short: 700 });
    expect(collected.rows[0]).toMatchObject({ isOpen: false, credit: 300, collected: 1_700, short: 700 });
    const { id, hash } = scenario.table!.proposal!;
    const events = scenario.do('Approve', { proposal: id, hash, credits: { T1: 300, T2: 0 } }, shiftManager);
    expect(events).toContainEqual(expect.objectContaining({ shortfalls: { T1: 700 } }));
  });

  test('[READING 28] by a correction of an earlier round is shown by the slips of that round', () => {
    const scenario = settled();
    const first = scenario.round;
    const { slips } = structuredClone(scenario.table!.round!);
    scenario.bets();
    scenario.do('CorrectCard', { round: first, place: 4, card: '7D', reason: 'x', slips }, supervisor);
    const { round, money } = effectsAt(scenario);
    expect(round).toMatchObject({
      id: first,
      before: { winner: 'player' },
      after: { winner: 'banker' },
      settled: 'now',
      results: { before: { player: { result: 'win' } }, after: { player: { result: 'lose' } } },
    });
    expect(money).toMatchObject({ paid: 2_000, takenBack: 2_000, paidMore: 1_950 });
  });

  test('[READING 52] counts only what was posted', () => {
    const scenario = readyTable('tiger', { chunk: 1 }).playRound(natural, { ...stakes, T3: { player: 500 } });
    scenario.do('ReportIrregularity', { kind: 'wrong-number' });
    scenario.do('VoidRound', { reason: 'x' }, supervisor);
    expect(effectsAt(scenario).money!.rows.map(({ paid }) => paid)).toEqual([2_000, 0, 0]);
  });

  test('is shown to the dealer for the sessions that it concerns alone', () => {
    const scenario = readyTable('tiger').playRound(natural, { ...stakes, T3: { 'tiger-pair': 100 } });
    scenario.do('CorrectCard', { round: scenario.round, place: 2, card: '3C', reason: 'x' }, supervisor);
    const dealerMoney = buildDealerView(scenario.table!).proposal!.effects.money!;
    const { money } = buildSupervisorView(scenario.table!).proposal!.effects;
    expect(money!.rows).toHaveLength(3);
    expect(dealerMoney.rows).toEqual(money!.rows.filter(({ paid, due }) => paid !== due));
    expect({ ...dealerMoney, rows: [] }).toEqual({ ...money, rows: [] });
    const before = readyTable('tiger').bets(stakes).close().deal('9S 2C');
    before.do('CorrectCard', { round: before.round, place: 2, card: '3C', reason: 'x' });
    expect(buildDealerView(before.table!).proposal!.effects.money).toMatchObject({ staked: 2_200, rows: [] });
  });
});

test('at a chip table a reconstruction shows the outcome and what each wager pays, and no amounts', () => {
  const scenario = readyTable('baccarat', { bets: 'chips' }).bets().close().deal(natural);
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const cards = cardsIn('2C 9S 4D 9H');
  expect(proposed(scenario, 'ReconstructRound', { cards, unseen: false, reason: 'x' })).toMatchObject({
    round: {
      before: { winner: 'player' },
      after: { winner: 'banker', player: 6, banker: 8 },
      results: { before: null, after: { banker: { result: 'win', pays: [1, 1], commission: [1, 20] } } },
    },
    money: null,
  });
});

test('[READING 61] a proposal to enter the felt shows each card, and the result of all of them', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S');
  scenario.do('ReportInterruption', { since: 0, stateLost: true }, floor);
  expect(proposed(scenario, 'ConfirmFelt', { cards: cardsIn('2C 9H 4D') })).toMatchObject({
    changes: [
      { type: 'card-enter', slot: 'B1', card: '2C' },
      { type: 'card-enter', slot: 'P2', card: '9H' },
      { type: 'card-enter', slot: 'B2', card: '4D' },
      { type: 'felt-confirm', count: 4 },
    ],
    round: { after: { type: 'result', winner: 'player', player: 8, banker: 6 } },
  });
});
