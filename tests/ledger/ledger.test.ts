import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalPostings, addToTransferMeters, emptyTransferMeters } from '../../src/ledger/terminalPostings.ts';
import {
  type Account,
  accountKinds,
  sessionOfAccount,
  isNonNegativeAccount,
  isStakesAccount,
  ticketOfAccount,
} from '../../src/ledger/accounts.ts';
import { tableDecider } from '../../src/deciders/deciders.ts';
import { type TerminalEvent } from '../../src/terminal/events.ts';
import { houseWin } from '../../src/ledger/meters.ts';
import { tablePostings } from '../../src/ledger/tablePostings.ts';
import { evolve } from '../../src/table/evolve/evolve.ts';
import { type TableEvent } from '../../src/table/schema/events.ts';

const chunk = 1000;
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { publicView, terminalView } from '../../src/table/views/publicView.ts';
import { buildSupervisorView } from '../../src/table/views/supervisorView.ts';
import { metersOf } from '../table/meters.ts';
import { supervisor, shiftManager, natural, readyTable, type TableScenario } from '../table/tableScenario.ts';

const afterSettlement = [supervisor, shiftManager] as const;

test('a slip moves credit to stakes, and back when it is lowered', () => {
  const scenario = readyTable('tiger').bets();
  scenario.slip('T7', { banker: 1000 });
  expect(scenario.entries.at(-1)!.postings).toEqual([
    { from: 'sg1/SGD/terminal/T7', to: 'sg1/SGD/stakes/B1', amount: 1000 },
  ]);
  scenario.slip('T7', { banker: 400 });
  expect(scenario.entries.at(-1)!.postings).toEqual([
    { from: 'sg1/SGD/stakes/B1', to: 'sg1/SGD/terminal/T7', amount: 600 },
  ]);
  scenario.slip('T7', { tie: 400 });
  expect(scenario.entries.at(-1)!.postings).toEqual([]);
});

test('a settlement posts lost stakes to the house, pushes back, and wins with winnings', () => {
  const scenario = readyTable('tiger').playRound('TD TC 9H 9D', { T7: { banker: 1000, tie: 100, tiger: 300 } });
  expect(scenario.entries.at(-1)!.postings).toEqual([
    { from: 'sg1/SGD/stakes/B1', to: 'sg1/SGD/terminal/T7', amount: 1000 },
    { from: 'sg1/SGD/stakes/B1', to: 'sg1/SGD/terminal/T7', amount: 100 },
    { from: 'sg1/SGD/house/B1', to: 'sg1/SGD/terminal/T7', amount: 800 },
    { from: 'sg1/SGD/stakes/B1', to: 'sg1/SGD/house/B1', amount: 300 },
  ]);
});

/** A complete round with that many terminals. */
function crowd(terminals: number): TableScenario {
  const scenario = readyTable('tiger').bets();
  for (let n = 0; n < terminals; n++) {
    const event: TableEvent = {
      type: 'SlipSet',
      v: 1,
      at: scenario.at,
      actor: { terminal: `T${n}` },
      round: scenario.round,
      terminal: `T${n}`,
      slip: { player: 100, tie: 100 },
      debit: 200,
    };
    scenario.table = evolve(scenario.table, event);
  }
  return scenario.close().deal('9S 2C 9H 4D');
}

test('a large settlement is posted in chunks, and no round opens before the last', () => {
  const scenario = crowd(2 * chunk + 1);
  expect(scenario.wait(2_000).do('Settle', {})).toMatchObject([
    { type: 'RoundSettled' },
    { type: 'SettlementPosted', from: 0, count: chunk, last: false },
  ]);
  expect(publicView(scenario.table!).phase).toBe('paying');
  expect(buildDealerView(scenario.table!).next).toEqual(['PostSettlement']);
  expect(buildSupervisorView(scenario.table!).unpaid).toEqual([
    { settlement: `${scenario.round}#1`, slips: 2001, posted: 1000 },
  ]);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'settlement-open', by: 'ETG 3.1' });
  expect(scenario.do('PostSettlement', {}, { system: 'floor' })).toMatchObject([
    { from: chunk, count: chunk, last: false },
  ]);
  expect(scenario.do('PostSettlement', {})).toMatchObject([{ from: 2 * chunk, count: 1, last: true }]);
  expect(scenario.refusal('PostSettlement', {})).toMatchObject({
    refused: 'not-now',
    message: 'Not possible now: no round is being played; no settlement is left to post.',
  });
  expect(scenario.account('house')).toBe(0);
  expect(scenario.balance('T2000')).toBe(200);
  expect(scenario.do('OpenBets', {})).toHaveLength(1);
});

test('a void and a correction of many slips are posted in chunks and take over the unposted rest', () => {
  const scenario = crowd(chunk + 1).wait(2_000);
  scenario.do('Settle', {});
  const first = scenario.round;
  scenario.do('CorrectCard', { round: first, place: 4, card: '7D', reason: 'a seven' }, supervisor);
  const { id, hash } = scenario.table!.proposal!;
  const credits = Object.fromEntries(Array.from({ length: chunk + 1 }, (_, n) => [`T${n}`, 10_000]));
  const events = scenario.do('Approve', { proposal: id, hash, credits }, shiftManager);
  // The first settlement is still open: its rest is posted with the second one.
  expect(events.map(({ type }) => type)).toEqual(['Approved', 'CardCorrected', 'RoundResettled']);
  expect(scenario.table!.pendingSettlements).toMatchObject([{ settlement: `${first}#2` }]);
  for (const last of [false, true]) {
    expect(scenario.do('PostSettlement', { credits })).toMatchObject([{ settlement: `${first}#2`, last }]);
  }
  expect(scenario.account('house')).toBe((chunk + 1) * 200);
});

test('settling waits for a settlement that is still being posted', () => {
  const scenario = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  const first = scenario.round;
  const { slips } = scenario.table!.round!;
  scenario
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S 2C 9H 4D')
    .wait(2_000);
  scenario.table!.pendingSettlements.push({
    settlement: 'x',
    round: first,
    before: null,
    after: { voidBy: 'x' },
    slips,
    order: ['T1'],
    done: 0,
    behind: {},
  });
  expect(scenario.refusal('Settle', {})).toMatchObject({ refused: 'settlement-open' });
});

test('[ETG 1.1.3] meters of terminal and wager keep commission beside what was returned net', () => {
  const scenario = readyTable('tiger')
    .playRound('2C 9S 4D TD', { T1: { banker: 1000 } })
    .playRound(natural, { T1: { player: 1000 } });
  const { terminals, wagers } = metersOf(scenario.entries.map(({ event }) => event));
  const { banker, player } = wagers['tiger@2021-10-28/8']!;
  // The Banker stake of 10.00 comes back with a gross win of 10.00, less 0.50.
  expect(banker).toMatchObject({ coinIn: 1000, coinOut: 1950, commission: 50 });
  expect(player).toMatchObject({ coinIn: 1000, coinOut: 2000, commission: 0 });
  expect([banker!.coinOut + banker!.commission - banker!.coinIn, banker!.coinOut - banker!.coinIn]).toEqual([
    1000, 950,
  ]);
  expect(terminals['T1']).toMatchObject({ coinIn: 2000, coinOut: 3950, commission: 50 });
});

test.each([
  ['ETG 1.1.10', 'tiger', '8C 8D KC KD', ['player', 'banker']],
  ['ETG 1.1.10', 'super-6', '8C 8D KC KD', ['player', 'banker', 'player-dragon-bonus', 'banker-dragon-bonus']],
  ['FAB 4.1.note', 'fabulous-4', 'AC 2H AS 2D KC', ['banker']],
])(
  '[%s] a round of pushes at %s on %s counts neither as won nor as lost, and returns all stakes',
  (_, id, cards, wagers) => {
    const slip = Object.fromEntries(wagers.map((wager) => [wager, 1000]));
    const scenario = readyTable(id).playRound(cards, { T1: slip });
    const staked = 1000 * wagers.length;
    const { terminals } = metersOf(scenario.entries.map(({ event }) => event));
    const money = { coinIn: staked, coinOut: staked, commission: 0, voided: 0 };
    expect(terminals['T1']).toMatchObject({ ...money, played: 1, won: 0, lost: 0, level: 1 });
  },
);

test('[ETG 5.1.1] the void meter counts the stakes of the round, and the terminal gives the reason', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { player: 1000, 'tiger-pair': 500 } })
    .close()
    .deal('9S 2C 9H');
  scenario.do('ReportIrregularity', { kind: 'foreign-card' });
  scenario.doByTwo('VoidRound', { reason: 'a joker' });
  expect(scenario.balance('T1')).toBe(0);
  const { terminals } = metersOf(scenario.entries.map(({ event }) => event));
  expect(terminals['T1']).toMatchObject({ coinIn: 1500, coinOut: 0, voided: 1500, roundsVoid: 1, played: 0 });
  for (const line of terminalView(scenario.table!, 'T1').paid!) {
    expect(line).toMatchObject({ result: 'void', won: 0, returned: line.stake, by: 'ETG 5.1.1' });
  }
});

test('[ETG 5.10.2] a struck terminal without an accepted slip keeps its credit and has no meter of the round', () => {
  const scenario = readyTable('tiger').bets({ T1: { player: 1000 } });
  scenario.do('ReportTerminals', { terminals: ['T7'], disconnected: true }, { system: 'floor' });
  scenario.close().deal(natural).settle();
  expect(Object.keys(metersOf(scenario.entries.map(({ event }) => event)).terminals)).toEqual(['T1']);
  expect(scenario.balance('T7')).toBe(0);
  expect(terminalView(scenario.table!, 'T7')).toMatchObject({ inRound: false, disconnected: { by: 'ETG 5.10.2' } });
});

test('[READING 41] a void leaves coin in unchanged and adds to the void meter; a correction adds to the reversed meter', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T7: { banker: 1000, tie: 100 } });
  scenario.bets({ T7: { banker: 500 } }).do('VoidRound', { reason: 'x' });
  scenario.playRound('9S 2C 9H 4D', { T7: { banker: 1000 } });
  scenario.playRound('TC TD 9S 9D', { T7: { banker: 1000 } });
  const before = metersOf(scenario.entries.map(({ event }) => event));
  expect(before.terminals['T7']).toEqual({
    coinIn: 3600,
    coinOut: 2950,
    commission: 50,
    voided: 500,
    reversed: 0,
    reversedCommission: 0,
    shortfall: 0,
    played: 3,
    won: 1,
    lost: 1,
    level: 1,
    roundsVoid: 1,
    resettled: 0,
  });
  expect(before.wagers['tiger@2021-10-28/8']!['tie']).toMatchObject({ coinIn: 100, coinOut: 0 });
  scenario.doByTwo(
    'CorrectCard',
    { round: scenario.round, place: 4, card: '8D', reason: 'an eight' },
    afterSettlement,
    {
      T7: 300,
    },
  );
  const after = metersOf(scenario.entries.map(({ event }) => event));
  expect(after.terminals['T7']).toMatchObject({
    coinIn: 3600,
    coinOut: 2950,
    reversed: 1000,
    resettled: 1,
    shortfall: 700,
  });
});

/** Deals the third cards that are due. */
function drawOn(scenario: TableScenario): void {
  while (scenario.table!.phase === 'dealing') scenario.deal('5H');
}

test('houseWin is coin in minus voided minus coin out plus reversed, commission included', () => {
  const card = fc.constantFrom('9S', '2C', '9H', '4D', 'TC', '6D', '3S');
  fc.assert(
    fc.property(fc.array(fc.tuple(card, card, card, card, fc.nat(2)), { minLength: 1, maxLength: 2 }), (rounds) => {
      const scenario = readyTable('baccarat');
      for (const [p1, b1, p2, b2, how] of rounds) {
        scenario.bets({ T1: { banker: 1000, 'player-pair': 200 }, T2: { player: 500, tie: 100 } });
        if (how === 0) {
          scenario.do('VoidRound', { reason: 'x' });
          continue;
        }
        scenario.close().deal([p1, b1, p2, b2].join(' '));
        drawOn(scenario);
        scenario.settle();
        const other = { round: scenario.round, place: 1, card: p1 === 'TC' ? 'JC' : 'TC', reason: 'x' };
        if (how === 2) scenario.doByTwo('CorrectCard', other, afterSettlement, { T1: 0, T2: 50 });
        drawOn(scenario);
        if (scenario.table!.phase === 'result') scenario.wait(2_000).do('Settle', { credits: { T1: 0, T2: 50 } });
        if (scenario.table!.referrals[0])
          scenario.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager);
      }
      const { wagers, terminals } = metersOf(scenario.entries.map(({ event }) => event));
      const all = Object.values(Object.values(wagers)[0]!);
      const sum = (of: readonly Parameters<typeof houseWin>[0][]): number =>
        of.reduce((total, one) => total + houseWin(one), 0);
      expect(sum(all)).toBe(scenario.account('house') + scenario.account('commission'));
      expect(sum(Object.values(terminals))).toBe(sum(all));
    }),
    { numRuns: 40 },
  );
});

test('terminal postings cover five methods and hand-pay, and their meters only grow', () => {
  const owner = { property: 'sg1', currency: 'SGD' };
  const terminal = {
    terminal: 'T7',
    ...owner,
    at: 5,
    sessions: 2,
    open: true,
    since: 5,
    loaded: 0,
    limits: { stake: null, loss: null, pausedUntil: null },
    locked: null,
    handPayDue: null,
    signatures: 0,
    signed: {},
    withdrawn: [],
    proposals: 0,
    proposal: null,
  };
  const stamp = { v: 1, at: 5, actor: { system: 'floor' } } as const;
  const second = { person: 'p2', role: 'pit-manager' } as const;
  const session = 2;
  const hash = `sha256:${'0'.repeat(64)}`;
  const events: readonly TerminalEvent[] = [
    { type: 'TerminalSeated', ...stamp, terminal: 'T7', property: 'sg1', currency: 'SGD' },
    { type: 'CreditLoaded', ...stamp, session, method: 'bill', amount: 5000, bill: 5000 },
    { type: 'CreditLoaded', ...stamp, session, method: 'bill', amount: 5000, bill: 5000 },
    { type: 'CreditLoaded', ...stamp, session, method: 'promotion', amount: 200 },
    { type: 'SessionLimited', ...stamp, session, stake: 300 },
    { type: 'SessionPaused', ...stamp, session, until: 9 },
    { type: 'TerminalLocked', ...stamp, reason: 'A door is open.' },
    { type: 'TerminalUnlocked', ...stamp, reason: 'It is shut.' },
    { type: 'CreditCollected', ...stamp, session, method: 'cash', amount: 10 },
    { type: 'CreditCollected', ...stamp, session, method: 'ticket', amount: 20 },
    { type: 'CreditCollected', ...stamp, session, method: 'hand', amount: 30 },
    { type: 'CreditCollected', ...stamp, session, method: 'ticket', amount: 40, ticket: 'ab' },
    { type: 'CreditLoaded', ...stamp, session, method: 'ticket', amount: 60, ticket: 'cd' },
    { type: 'TicketAttemptsReported', ...stamp, attempts: 5, since: 1, of: 'address' },
    { type: 'CreditCollected', ...stamp, session, method: 'transfer', amount: 0 },
    { type: 'HandPaid', ...stamp, what: 'jackpot', amount: 30, second },
    { type: 'HandPayProposed', ...stamp, proposal: 'P1', what: 'cancelled-credit', amount: 7, hash, expires: 9 },
    { type: 'HandPayApproved', ...stamp, proposal: 'P1', hash },
    { type: 'HandPayProposalWithdrawn', ...stamp, proposal: 'P1' },
    { type: 'HandPaySigned', ...stamp, signature: 1, what: 'cancelled-credit', amount: 7, second },
    { type: 'HandPayWithdrawn', ...stamp, signature: 1, amount: 7, reason: 'A typing mistake.' },
    { type: 'HandPaid', ...stamp, what: 'cancelled-credit', amount: 7, signature: 1 },
    { type: 'SessionPaid', ...stamp, session: 1, amount: 5 },
  ];
  const t = 'sg1/SGD/terminal/T7.2';
  expect(
    events.flatMap((event) => terminalPostings(event, terminal)).map(({ from, to, amount }) => [from, to, amount]),
  ).toEqual([
    ['sg1/SGD/cage/T7', t, 5000],
    ['sg1/SGD/cage/T7', t, 5000],
    ['sg1/SGD/external/T7', t, 200],
    [t, 'sg1/SGD/cage/T7', 10],
    [t, 'sg1/SGD/external/T7', 20],
    [t, 'sg1/SGD/hand-pay/T7', 30],
    [t, 'sg1/SGD/ticket/ab', 40],
    ['sg1/SGD/ticket/cd', t, 60],
    ['sg1/SGD/hand-pay/T7', 'sg1/SGD/cage/T7', 30],
    ['sg1/SGD/hand-pay/T7', 'sg1/SGD/cage/T7', 7],
    ['sg1/SGD/terminal/T7.1', 'sg1/SGD/cage/T7', 5],
  ]);
  const transfers = emptyTransferMeters();
  for (const event of events) addToTransferMeters(transfers, event);
  expect(transfers).toEqual({
    in: { cash: 0, bill: 10_000, ticket: 60, transfer: 0, promotion: 200 },
    out: { cash: 15, bill: 0, ticket: 60, transfer: 0, promotion: 0 },
    bills: { 5000: 2 },
    handPaid: { jackpot: 30, 'cancelled-credit': 7 },
  });
  // A posting at a terminal without a seat is a defect.
  for (const index of [1, 11, 15, 22]) expect(() => terminalPostings(events[index]!, undefined)).toThrow('Broken');
});

test('bookAt names the rulebook of the game in its version, and none for a closed table', () => {
  expect(tableDecider.rulebookAt(readyTable('tiger').table)).toBe('ETG@2021-10-28');
  expect(tableDecider.rulebookAt(undefined)).toBeUndefined();
});

test('accounts of patrons are guarded, and credit accounts are found by session', () => {
  const accounts = Object.keys(accountKinds).map((kind) => `sg1/SGD/${kind}/T7.1` as Account);
  expect(accounts.filter(isNonNegativeAccount)).toEqual(
    ['terminal', 'stakes', 'hand-pay', 'ticket'].map((kind) => `sg1/SGD/${kind}/T7.1`),
  );
  expect(accounts.map(ticketOfAccount).filter((ticket) => ticket !== undefined)).toEqual(['T7.1']);
  expect(accounts.map(sessionOfAccount).filter((holder) => holder !== undefined)).toEqual(['T7.1']);
  expect(accounts.filter(isStakesAccount)).toEqual(['sg1/SGD/stakes/T7.1']);
});

test('a chunk out of order, or a posting without a table, is a defect', () => {
  const scenario = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { tie: 100 } });
  const chunkAgain = scenario.entries.at(-1)!.event;
  expect(() => tablePostings(chunkAgain, scenario.table)).toThrow('Broken');
  expect(() => tablePostings(chunkAgain, undefined)).toThrow('Broken');
  const slip = scenario.events('SlipSet')[0]!;
  expect(() => tablePostings(slip, undefined)).toThrow('Broken');
});

test('a corrected earlier round is metered under its own game', () => {
  const scenario = readyTable('tiger').playRound('9S 2C 9H 4D', { T1: { player: 1000 } });
  const { round } = scenario;
  const { slips } = scenario.table!.round!;
  scenario.bets();
  scenario.doByTwo('CorrectCard', { round, place: 4, card: '7D', reason: 'a seven', slips }, afterSettlement, {
    T1: 9000,
  });
  const { wagers } = metersOf(scenario.entries.map(({ event }) => event));
  expect(wagers['tiger@2021-10-28/8']!['player']).toMatchObject({ coinIn: 1000, coinOut: 2000, reversed: 2000 });
});
