import fc from 'fast-check';
import { expect, test } from 'vitest';
import { games } from '../../src/games/registry.ts';
import { fullNameOf, wagerIdsOf } from '../../src/rules/game.ts';
import { dealer, readyTable, shiftManager, natural } from './tableScenario.ts';

const open = (changes = {}) => readyTable('tiger', changes).bets();
const terminal = { terminal: 'T7' };

test('a slip is all stakes of a terminal, set at once; setting it again replaces it', () => {
  const sit = open();
  expect(sit.slip('T7', { banker: 1000, tiger: 500 }, 1500)).toMatchObject([
    { type: 'SlipSet', terminal: 'T7', slip: { banker: 1000, tiger: 500 }, debit: 1500 },
  ]);
  expect(sit.slip('T7', { tie: 300 }, 0)).toMatchObject([{ slip: { tie: 300 }, debit: -1200 }]);
  expect(sit.account('stakes')).toBe(300);
  expect(sit.slip('T7', {}, 0)).toMatchObject([{ slip: {}, debit: -300 }]);
  expect([sit.account('stakes'), sit.balance('T7'), sit.table!.round!.terminals]).toEqual([0, 0, 0]);
});

test('a resend changes nothing, before the close and after it', () => {
  const sit = open();
  sit.slip('T7', { tie: 300 });
  expect(sit.slip('T7', { tie: 300 }, 0)).toMatchObject([{ type: 'SlipSet', slip: { tie: 300 }, debit: 0 }]);
  expect(sit.table!.round!.totals['tie']).toEqual({ stake: 300, bettors: 1 });
  sit.close();
  expect(sit.slip('T7', { tie: 300 }, 0)).toEqual([]);
});

test('[READING 36] a slip that breaks a limit is refused whole, by the clause on limits', () => {
  const sit = open({ totalMinimum: 500, limits: { ...readyTable('tiger').table!.settings.limits, tie: [200, 400] } });
  const refusal = (slip: { [wager: string]: number }, credit = 1_000_000) =>
    sit.refusal('SetSlip', { round: sit.round, slip, credit }, terminal);
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
  expect(sit.table!.round!.slips).toEqual({});
  expect(sit.slip('T7', { tie: 400, banker: 100 }, 500)).toHaveLength(1);
});

test('[HOUSE 10] the limits of a live game cite the house', () => {
  const sit = readyTable('baccarat').bets();
  expect(sit.refusal('SetSlip', { round: sit.round, slip: { tie: 50 }, credit: 100 }, terminal)).toMatchObject({
    refused: 'off-step-stake',
    by: 'HOUSE 10',
  });
});

test('the hold is the new total less the old one, and may not exceed the credit', () => {
  const sit = open();
  sit.slip('T7', { banker: 1000 }, 1000);
  const more = { round: sit.round, slip: { banker: 1500 } };
  expect(sit.refusal('SetSlip', { ...more, credit: 499 }, terminal)).toMatchObject({ refused: 'not-enough-credit' });
  expect(sit.do('SetSlip', { ...more, credit: 500 }, terminal)).toMatchObject([{ debit: 500 }]);
});

const noCare = { stake: null, loss: null, until: null };

test('[READING 60] a slip that raises stakes keeps to what the patron has set for the session', () => {
  const sit = open();
  const ask = (slip: { [wager: string]: number }, care: object) => ({
    round: sit.round,
    slip,
    credit: 10_000,
    sessionLimits: { ...noCare, ...care },
  });
  const refusal = (slip: { [wager: string]: number }, care: object) =>
    sit.refusal('SetSlip', ask(slip, care), terminal);
  expect(refusal({ banker: 1000, tie: 100 }, { stake: 1000 })).toEqual({
    refused: 'over-stake-limit',
    message: 'You have limited your stakes in a round to 1000; stake less.',
    by: null,
    maximum: 1000,
  });
  expect(refusal({ banker: 1000, tie: 100 }, { loss: 1000 })).toEqual({
    refused: 'over-loss-limit',
    message: 'Your limit on losses leaves 1000 to be staked, and the slip asks for 1100 more; stake less.',
    by: null,
    left: 1000,
  });
  const until = sit.at + 60_000;
  expect(refusal({ tie: 100 }, { until })).toEqual({
    refused: 'on-a-break',
    message: `You are on a break until ${until}; bet again then.`,
    by: null,
    until,
  });
  // A table limit is refused before a session limit, and that before the credit.
  expect(refusal({ banker: 1050 }, { stake: 100 })).toMatchObject({ refused: 'off-step-stake' });
  expect(sit.refusal('SetSlip', { ...ask({ banker: 1100 }, { stake: 1000 }), credit: 0 }, terminal)).toMatchObject({
    refused: 'over-stake-limit',
  });
  expect(sit.do('SetSlip', ask({ banker: 1000 }, { stake: 1000, loss: 1000, until: sit.at }), terminal)).toMatchObject([
    { debit: 1000 },
  ]);
  // Each limit applies alone, and no limit refuses nothing.
  for (const [stake, care] of [
    [1100, { stake: 1100 }],
    [1200, { loss: 100 }],
    [1300, { until: sit.at }],
    [1400, {}],
  ] as const) {
    expect(sit.do('SetSlip', ask({ banker: stake }, care), terminal)).toMatchObject([{ debit: 100 }]);
  }
  expect(sit.table!.round!.slips).toEqual({ T7: { banker: 1400 } });
});

test('[READING 60] lowering a stake is accepted under any session limit, and no wager is raised on a break', () => {
  const sit = open();
  sit.slip('T7', { banker: 1000, tie: 100 });
  const until = sit.at + 600_000;
  const sessionLimits = { stake: 100, loss: 0, until };
  const ask = (slip: { [wager: string]: number }) => ({ round: sit.round, slip, credit: 0, sessionLimits });
  for (const slip of [{ banker: 1000, tie: 100 }, { banker: 900, tie: 100 }, { banker: 500 }]) {
    expect(sit.do('SetSlip', ask(slip), terminal)).toMatchObject([{ type: 'SlipSet', slip }]);
  }
  expect(sit.refusal('SetSlip', ask({ player: 500 }), terminal)).toMatchObject({ refused: 'on-a-break' });
  expect(sit.refusal('SetSlip', ask({ banker: 100, tie: 400 }), terminal)).toMatchObject({ refused: 'on-a-break' });
  const over = { ...ask({ tie: 500 }), sessionLimits: { ...noCare, stake: 100, loss: 0 } };
  expect(sit.do('SetSlip', over, terminal)).toMatchObject([{ debit: 0 }]);
  expect(sit.do('SetSlip', ask({}), terminal)).toMatchObject([{ debit: -500 }]);
});

test('[ETG 3.5] only the patron’s own terminal sets a slip, and it names its round', () => {
  const sit = open();
  const slip = { round: sit.round, slip: { tie: 100 }, credit: 100 };
  for (const who of [dealer, shiftManager, { system: 'floor' }]) {
    expect(sit.refusal('SetSlip', slip, who)).toMatchObject({ refused: 'not-your-role', by: 'ETG 6.2' });
  }
  expect(sit.refusal('SetSlip', { ...slip, round: `${sit.round}0` }, terminal)).toMatchObject({
    refused: 'bets-closed',
    by: 'ETG 3.2',
  });
  expect(sit.do('SetSlip', slip, terminal)[0]).toMatchObject({ actor: terminal, terminal: 'T7' });
});

test('[READING 22] after the close nothing is placed, raised or withdrawn; the excess of a raise is refused, the rest stands', () => {
  const sit = open();
  sit.slip('T7', { banker: 5000, tie: 200 });
  sit.close();
  const late = (slip: { [wager: string]: number }, who = terminal) =>
    sit.refusal('SetSlip', { round: sit.round, slip, credit: 9000 }, who);
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
  expect(sit.table!.round!.slips).toEqual({ T7: { banker: 5000, tie: 200 } });
  expect(sit.balance('T7')).toBe(-5200);
});

const cardsFor = (deck: string): string => (deck === 'elements' ? '91 21 92 42' : '9S 2C 9H 4D');

for (const game of games) {
  test(`[${game.book} 3.5] in ${game.id} any wagers go together, each alone as well, and settle as the sum of their parts`, () => {
    const ids = wagerIdsOf(game);
    const whole = readyTable(fullNameOf(game)).bets();
    for (const wager of ids) whole.slip(`T-${wager}`, { [wager]: 1000 });
    whole.close().deal(cardsFor(game.deck)).settle();
    const alone = Object.fromEntries(ids.map((wager) => [wager, whole.balance(`T-${wager}`)]));
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }), (some) => {
        const sit = readyTable(fullNameOf(game)).bets({ T7: Object.fromEntries(some.map((wager) => [wager, 1000])) });
        sit.close().deal(cardsFor(game.deck)).settle();
        expect(sit.balance('T7')).toBe(some.reduce((sum, wager) => sum + alone[wager]!, 0));
      }),
      { numRuns: 12 },
    );
  });
}

test('[READING 37] Player and Banker may be staked on together', () => {
  const sit = open();
  sit.slip('T7', { player: 1000, banker: 1000 });
  sit.close().deal('9S 2C 9H 4D').settle();
  expect(sit.balance('T7')).toBe(0);
});

test('[READING 48] at a felt table a round without slips is a whole round, and no slip is taken', () => {
  const sit = readyTable('baccarat', { bets: 'chips' }).bets();
  expect(sit.refusal('SetSlip', { round: sit.round, slip: { tie: 100 }, credit: 100 }, terminal)).toMatchObject({
    refused: 'no-terminals',
  });
  expect(sit.refusal('ReportTerminals', { terminals: ['T7'], disconnected: true })).toMatchObject({
    refused: 'no-terminals',
  });
  sit.close().deal('9S 2C 9H 4D').settle();
  expect(sit.events('RoundSettled')[0]!.results['player']).toMatchObject({ result: 'win', by: 'BAC 4.1' });
  expect(sit.entries.flatMap(({ postings }) => postings)).toEqual([]);
  expect(sit.do('OpenBets', {})).toHaveLength(1);
});

test('a slip that names a settled round comes too late, whatever it holds', () => {
  const sit = readyTable('tiger').playRound(natural, { T1: { tie: 100 } });
  for (const slip of [{ tie: 100, player: 100 }, { tie: 100 }, {}]) {
    expect(sit.refusal('SetSlip', { round: sit.round, slip, credit: 500 }, { terminal: 'T1' })).toMatchObject({
      refused: 'bets-closed',
      by: 'ETG 3.2',
    });
  }
});
