import { expect, test } from 'vitest';
import { pitRoles, supportRoles } from '../../../src/access/roles.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import { dealer, readyTable, supervisor, natural } from '../tableScenario.ts';

const open = (changes = {}) => readyTable('tiger', changes).bets();
const terminal = { terminal: 'T7' };

test('a slip is all stakes of a terminal, set at once; setting it again replaces it', () => {
  const scenario = open();
  expect(scenario.slip('T7', { banker: 1000, tiger: 500 }, 1500)).toMatchObject([
    { type: 'SlipSet', terminal: 'T7', slip: { banker: 1000, tiger: 500 }, debit: 1500 },
  ]);
  expect(scenario.slip('T7', { tie: 300 }, 0)).toMatchObject([{ slip: { tie: 300 }, debit: -1200 }]);
  expect(scenario.account('stakes')).toBe(300);
  expect(scenario.slip('T7', {}, 0)).toMatchObject([{ slip: {}, debit: -300 }]);
  expect([scenario.account('stakes'), scenario.balance('T7'), scenario.table!.round!.terminals]).toEqual([0, 0, 0]);
});

test('an unchanged slip is recorded without a debit before the close, and refused after it', () => {
  const scenario = open();
  scenario.slip('T7', { tie: 300 });
  expect(scenario.slip('T7', { tie: 300 }, 0)).toMatchObject([{ type: 'SlipSet', slip: { tie: 300 }, debit: 0 }]);
  expect(scenario.table!.round!.totals['tie']).toEqual({ stake: 300, bettors: 1 });
  scenario.close();
  for (const [who, slip] of [
    ['T7', { tie: 300 }],
    ['T8', {}],
  ] as const) {
    expect(scenario.refusal('SetSlip', { round: scenario.round, slip, credit: 0 }, { terminal: who })).toMatchObject({
      refused: 'bets-closed',
      by: 'ETG 5.5',
      // Bets closed at this very time, so that no delay is named.
      message: 'Bets are closed; accepted bets stay. Wait for the next round.',
    });
  }
  expect(scenario.table!.round!.slips).toEqual({ T7: { tie: 300 } });
});

test('[READING 36] a slip that breaks a limit is refused whole, by the clause on limits', () => {
  const scenario = open({
    totalMinimum: 500,
    limits: { ...readyTable('tiger').table!.settings.limits, tie: [200, 400] },
  });
  const refusal = (slip: { [wager: string]: number }, credit = 1_000_000) =>
    scenario.refusal('SetSlip', { round: scenario.round, slip, credit }, terminal);
  const by = 'ETG 2.2';
  expect(refusal({ 'player-pair': 100 })).toMatchObject({ refused: 'wager-not-offered', wager: 'player-pair', by });
  expect(refusal({ __proto__x: 100 })).toMatchObject({ refused: 'wager-not-offered', by });
  expect(refusal({ constructor: 100 })).toMatchObject({ refused: 'wager-not-offered', by });
  for (const stake of [0, -100, 0.5, 2 ** 60])
    expect(refusal({ banker: stake })).toMatchObject({ refused: 'bad-stake', by });
  expect(refusal({ banker: 1050 })).toMatchObject({ refused: 'off-step-stake', wager: 'banker', step: 100, by });
  expect(refusal({ banker: 1000, tie: 100 })).toMatchObject({
    refused: 'under-minimum',
    wager: 'tie',
    minimum: 200,
    by,
  });
  expect(refusal({ tie: 500 })).toMatchObject({ refused: 'over-maximum', wager: 'tie', maximum: 400, by });
  expect(refusal({ tie: 400 })).toMatchObject({ refused: 'under-total-minimum', minimum: 500, by });
  expect(refusal({ banker: 1000 }, 900)).toMatchObject({ refused: 'not-enough-credit', credit: 900, by });
  expect(scenario.table!.round!.slips).toEqual({});
  expect(scenario.slip('T7', { tie: 400, banker: 100 }, 500)).toHaveLength(1);
  // An empty slip is legal, also with a minimum for the whole slip.
  expect(scenario.slip('T7', {}, 0)).toMatchObject([{ type: 'SlipSet', debit: -500 }]);
});

test('[HOUSE 10] the limits of a live game cite the house procedure', () => {
  const scenario = readyTable('baccarat').bets();
  expect(
    scenario.refusal('SetSlip', { round: scenario.round, slip: { tie: 50 }, credit: 100 }, terminal),
  ).toMatchObject({
    refused: 'off-step-stake',
    by: 'HOUSE 10',
  });
});

test('the reservation is the new total minus the old one, and may not exceed the credit', () => {
  const scenario = open();
  scenario.slip('T7', { banker: 1000 }, 1000);
  const more = { round: scenario.round, slip: { banker: 1500 } };
  expect(scenario.refusal('SetSlip', { ...more, credit: 499 }, terminal)).toMatchObject({
    refused: 'not-enough-credit',
  });
  expect(scenario.do('SetSlip', { ...more, credit: 500 }, terminal)).toMatchObject([{ debit: 500 }]);
});

const noLimits = { stake: null, loss: null, until: null };

test('[READING 60] a slip that raises stakes is refused beyond the session limits of the patron', () => {
  const scenario = open();
  const commandFor = (slip: { [wager: string]: number }, limits: object) => ({
    round: scenario.round,
    slip,
    credit: 10_000,
    sessionLimits: { ...noLimits, ...limits },
  });
  const refusal = (slip: { [wager: string]: number }, limits: object) =>
    scenario.refusal('SetSlip', commandFor(slip, limits), terminal);
  expect(refusal({ banker: 1000, tie: 100 }, { stake: 1000 })).toEqual({
    refused: 'over-stake-limit',
    message: 'Your limit for the stakes in a round is 1000; stake less.',
    by: null,
    maximum: 1000,
  });
  expect(refusal({ banker: 1000, tie: 100 }, { loss: 1000 })).toEqual({
    refused: 'over-loss-limit',
    message: 'Your loss limit leaves 1000 to stake, and the added bets need 1100; stake less.',
    by: null,
    left: 1000,
  });
  const until = scenario.at + 60_000;
  expect(refusal({ tie: 100 }, { until })).toEqual({
    refused: 'on-a-break',
    message: `You are on a break until ${until}; bet again then.`,
    by: null,
    until,
  });
  // A table limit is refused before a session limit, and that before the credit.
  expect(refusal({ banker: 1050 }, { stake: 100 })).toMatchObject({ refused: 'off-step-stake' });
  expect(
    scenario.refusal('SetSlip', { ...commandFor({ banker: 1100 }, { stake: 1000 }), credit: 0 }, terminal),
  ).toMatchObject({
    refused: 'over-stake-limit',
  });
  expect(
    scenario.do('SetSlip', commandFor({ banker: 1000 }, { stake: 1000, loss: 1000, until: scenario.at }), terminal),
  ).toMatchObject([{ debit: 1000 }]);
  // Each limit applies alone, and no limit refuses nothing.
  for (const [stake, limits] of [
    [1100, { stake: 1100 }],
    [1200, { loss: 100 }],
    [1300, { until: scenario.at }],
    [1400, {}],
  ] as const) {
    expect(scenario.do('SetSlip', commandFor({ banker: stake }, limits), terminal)).toMatchObject([{ debit: 100 }]);
  }
  expect(scenario.table!.round!.slips).toEqual({ T7: { banker: 1400 } });
});

test('[READING 60] lowering a stake is accepted under any session limit, and no wager is raised on a break', () => {
  const scenario = open();
  scenario.slip('T7', { banker: 1000, tie: 100 });
  const until = scenario.at + 600_000;
  const sessionLimits = { stake: 100, loss: 0, until };
  const commandFor = (slip: { [wager: string]: number }) => ({ round: scenario.round, slip, credit: 0, sessionLimits });
  for (const slip of [{ banker: 1000, tie: 100 }, { banker: 900, tie: 100 }, { banker: 500 }]) {
    expect(scenario.do('SetSlip', commandFor(slip), terminal)).toMatchObject([{ type: 'SlipSet', slip }]);
  }
  expect(scenario.refusal('SetSlip', commandFor({ player: 500 }), terminal)).toMatchObject({ refused: 'on-a-break' });
  expect(scenario.refusal('SetSlip', commandFor({ banker: 100, tie: 400 }), terminal)).toMatchObject({
    refused: 'on-a-break',
  });
  const over = { ...commandFor({ tie: 500 }), sessionLimits: { ...noLimits, stake: 100, loss: 0 } };
  expect(scenario.do('SetSlip', over, terminal)).toMatchObject([{ debit: 0 }]);
  expect(scenario.do('SetSlip', commandFor({}), terminal)).toMatchObject([{ debit: -500 }]);
});

test('[ETG 3.5] only the patron’s own terminal sets a slip, and it names its round', () => {
  const scenario = open();
  const slip = { round: scenario.round, slip: { tie: 100 }, credit: 100 };
  const staff = [...pitRoles, ...supportRoles].map((role) => ({ person: 'd1', role }));
  for (const who of [...staff, { system: 'floor' }, { system: 'shuffler' }]) {
    expect(scenario.refusal('SetSlip', slip, who)).toMatchObject({ refused: 'not-your-role', by: 'ETG 6.2' });
  }
  // Not even when the command names the terminal.
  expect(scenario.refusal('SetSlip', { ...slip, terminal: 'T7' } as typeof slip, dealer)).toMatchObject({
    refused: 'not-your-role',
  });
  expect(scenario.refusal('SetSlip', { ...slip, round: `${scenario.round}0` }, terminal)).toMatchObject({
    refused: 'bets-closed',
    by: 'ETG 3.2',
  });
  expect(scenario.do('SetSlip', slip, terminal)[0]).toMatchObject({ actor: terminal, terminal: 'T7' });
});

test('[READING 22] after the close nothing is placed, raised or withdrawn; the excess of a raise is refused, the accepted stake remains', () => {
  const scenario = open();
  scenario.slip('T7', { banker: 5000, tie: 200 });
  scenario.close();
  const late = (slip: { [wager: string]: number }, who = terminal) =>
    scenario.refusal('SetSlip', { round: scenario.round, slip, credit: 9000 }, who);
  expect(late({ banker: 8000, tie: 200 })).toMatchObject({
    refused: 'late-raise',
    wager: 'banker',
    accepted: 5000,
    excess: 3000,
    by: 'ETG 5.5',
  });
  expect(late({ banker: 5000, tie: 200, tiger: 100 })).toMatchObject({ refused: 'bets-closed', by: 'ETG 5.5' });
  expect(late({ banker: 5000 })).toMatchObject({
    refused: 'late-withdrawal',
    wager: 'tie',
    accepted: 200,
    by: 'ETG 5.4',
  });
  expect(late({})).toMatchObject({ refused: 'late-withdrawal', by: 'ETG 5.4' });
  expect(late({ tie: -5 }, { terminal: 'T8' })).toMatchObject({ refused: 'bets-closed', by: 'ETG 5.5' });
  expect(scenario.table!.round!.slips).toEqual({ T7: { banker: 5000, tie: 200 } });
  expect(scenario.balance('T7')).toBe(-5200);
});

test.each(
  [
    ['baccarat', 'BAC'],
    ['sands-super', 'SUP'],
    ['sands-elements', 'ELM'],
    ['fabulous-4', 'FAB'],
  ].flatMap(([game, book]) => ['READING 20', `${book} 5.7`].map((row) => [row, game!, book!] as const)),
)(
  '[%s] at %s a withdrawal after the close is refused, and chips lifted from the felt win or lose all the same',
  (_, game, book) => {
    const scenario = readyTable(game)
      .bets({ T7: { player: 1000 }, T8: { banker: 500 } })
      .close();
    for (const [place, wager, stake] of [
      ['T7', 'player', 1000],
      ['T8', 'banker', 500],
    ] as const) {
      const slip = { round: scenario.round, slip: {}, credit: 9000 };
      expect(scenario.refusal('SetSlip', slip, { terminal: place })).toMatchObject({
        refused: 'late-withdrawal',
        accepted: stake,
        by: `${book} 5.7`,
      });
      expect(scenario.do('ReportWager', { kind: 'withdrawn-wager', place, wager, amount: stake })).toMatchObject([
        { type: 'WagerReported', by: `${book} 5.7` },
      ]);
    }
    scenario.deal(book === 'ELM' ? '91 21 92 42' : '9S 2C 9H 4D').settle();
    expect([scenario.balance('T7'), scenario.balance('T8')]).toEqual([1000, -500]);
  },
);

test.each([
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
])(
  '[%s 5.6] at %s a late stake and the excess of a raise move no credit, and the accepted stake alone is settled',
  (book, game) => {
    const scenario = readyTable(game)
      .bets({ T7: { player: 1000 }, T8: { banker: 500 } })
      .close();
    const late = (place: string, slip: { [wager: string]: number }) =>
      scenario.refusal('SetSlip', { round: scenario.round, slip, credit: 9000 }, { terminal: place });
    const by = `${book} 5.6`;
    expect(late('T7', { player: 1500 })).toMatchObject({ refused: 'late-raise', accepted: 1000, excess: 500, by });
    expect(late('T8', { banker: 500, tie: 100 })).toMatchObject({ refused: 'bets-closed', by });
    expect(late('T9', { player: 1000 })).toMatchObject({ refused: 'bets-closed', by });
    expect(['T7', 'T8', 'T9'].map((place) => scenario.balance(place))).toEqual([-1000, -500, 0]);
    scenario.deal(book === 'ELM' ? '91 21 92 42' : '9S 2C 9H 4D').settle();
    expect(['T7', 'T8', 'T9'].map((place) => scenario.balance(place))).toEqual([1000, -500, 0]);
  },
);

test('[READING 22] until the close stakes are placed, raised and taken off at will', () => {
  const scenario = open();
  for (const slip of [
    { tie: 200 },
    { tie: 5000, banker: 300 },
    { banker: 300 },
    { banker: 100 },
    {},
    { player: 700 },
  ]) {
    scenario.slip('T7', slip);
    expect(scenario.balance('T7')).toBe(0 - Object.values<number>(slip).reduce((sum, stake) => sum + stake, 0));
  }
  expect(scenario.table!.round!.slips).toEqual({ T7: { player: 700 } });
  scenario.do('CallClose', {});
  scenario.slip('T7', { player: 100 });
  scenario.slip('T7', {});
  expect(scenario.table!.round!.slips).toEqual({});
});

test.each([
  ['foreign-card', '', 'ETG 5.1.1'],
  ['order-altered', '9S', 'ETG 5.2'],
  ['too-few-cards', '9S', 'ETG 5.3'],
  ['drawn-together', '9S', 'ETG 5.8.1'],
  ['interruption', '9S', 'ETG 5.9.1'],
] as const)('[READING 22] after the close %s returns the stakes by its clause', (kind, cards, by) => {
  const scenario = open();
  scenario.slip('T7', { banker: 5000, tie: 200 });
  scenario.close().deal(cards);
  if (kind === 'interruption') {
    scenario.do('ReportInterruption', { since: 0, stateLost: true });
    scenario.confirmFelt().do('ConfirmRuling', {}, supervisor);
  } else {
    scenario.do('ReportIrregularity', { kind });
    scenario.do('VoidRound', { reason: 'x' });
    const { proposal } = scenario.table!;
    if (proposal) scenario.do('Approve', { proposal: proposal.id, hash: proposal.hash }, supervisor);
  }
  expect(scenario.table!.round!.ending).toEqual({ voidBy: by });
  expect(scenario.balance('T7')).toBe(0);
});

test('[ETG 5.5] a late slip is refused with the time until which slips were accepted and the time of its arrival', () => {
  const scenario = open();
  scenario.slip('T7', { banker: 5000 });
  const { at: closedAt } = scenario.close().events('BetsClosed').at(-1)!;
  const until = scenario.table!.round!.deadline! + scenario.table!.settings.grace;
  expect(until).toBeLessThanOrEqual(closedAt);
  const arrivedAt = scenario.wait(closedAt + 70 - scenario.at).at;
  for (const [slip, refused] of [
    [{ banker: 6000 }, 'late-raise'],
    [{ banker: 4000 }, 'late-withdrawal'],
    [{ banker: 5000, tie: 100 }, 'bets-closed'],
  ] as const) {
    expect(scenario.refusal('SetSlip', { round: scenario.round, slip, credit: 9000 }, terminal)).toMatchObject({
      refused,
      until,
      arrivedAt,
      message: expect.stringContaining(`arrived ${arrivedAt - until} ms too late`),
    });
  }
});

test.each(['READING 37', 'HOUSE 10'])('[%s] Player and Banker may be staked together', () => {
  const scenario = open();
  scenario.slip('T7', { player: 1000, banker: 1000 });
  scenario.close().deal('9S 2C 9H 4D').settle();
  expect(scenario.balance('T7')).toBe(0);
});

test('[READING 48] at a chip table a round without slips is a whole round, and no slip is accepted', () => {
  const scenario = readyTable('baccarat', { bets: 'chips' }).bets();
  expect(
    scenario.refusal('SetSlip', { round: scenario.round, slip: { tie: 100 }, credit: 100 }, terminal),
  ).toMatchObject({
    refused: 'no-terminals',
  });
  expect(scenario.refusal('ReportTerminals', { terminals: ['T7'], disconnected: true })).toMatchObject({
    refused: 'no-terminals',
  });
  scenario.close().deal('9S 2C 9H 4D').settle();
  expect(scenario.events('RoundSettled')[0]!.results['player']).toMatchObject({ result: 'win', by: 'BAC 4.1' });
  expect(scenario.entries.flatMap(({ postings }) => postings)).toEqual([]);
  expect(publicView(scenario.table!).roads.bead).toMatchObject([{ winner: 'player' }]);
  expect(publicView(scenario.table!).statistics).toMatchObject({ rounds: 1, player: 1 });
  expect(scenario.do('OpenBets', {})).toHaveLength(1);
});

test('a slip for a settled round is too late, whatever its stakes', () => {
  const scenario = readyTable('tiger').playRound(natural, { T1: { tie: 100 } });
  for (const slip of [{ tie: 100, player: 100 }, { tie: 100 }, {}]) {
    expect(scenario.refusal('SetSlip', { round: scenario.round, slip, credit: 500 }, { terminal: 'T1' })).toMatchObject(
      {
        refused: 'bets-closed',
        by: 'ETG 3.2',
      },
    );
  }
});
