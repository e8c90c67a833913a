import { expect, test } from 'vitest';
import { type ProjectionEntry } from '../../src/history/entry.ts';
import { recallOfTerminal } from '../../src/history/tableHistory.ts';
import { type SessionRound, isFirstSlipWithStakes, projectSessionRound } from '../../src/history/sessionRound.ts';
import { historyOf, entriesOfScenario, tableStream } from './storedEntries.ts';
import { supervisor, shiftManager, readyTable, type TableScenario } from '../table/tableScenario.ts';

const owner = { property: 'sg1', currency: 'SGD' };
const afterSettlement = [supervisor, shiftManager] as const;

type StreamEntries = {
  readonly type: string;
  readonly round?: string;
  readonly terminal?: string;
  readonly slip?: object;
};
const eventOf = ({ event }: ProjectionEntry): StreamEntries => event;

/** Stakes of a session in a round, since it last had none. */
function stakesOf(entries: readonly ProjectionEntry[], session: string, round: string): readonly ProjectionEntry[] {
  const all = entries.filter((entry) => {
    const { type, ...is } = eventOf(entry);
    return type === 'SlipSet' && is.terminal === session && is.round === round;
  });
  return all.slice(all.findLastIndex(isFirstSlipWithStakes));
}

/** Round of a session from its own entries only. */
function sessionRoundAt(scenario: TableScenario, session = 'T1', round = scenario.round): SessionRound {
  const entries = entriesOfScenario(scenario).of(tableStream);
  const about = entries.filter((entry) => eventOf(entry).type !== 'SlipSet' && eventOf(entry).round === round);
  return projectSessionRound(about, stakesOf(entries, session, round), owner);
}

/** The same from the history of the whole table. */
function recalledAt(scenario: TableScenario, session = 'T1', of = scenario.round): SessionRound {
  const history = historyOf(entriesOfScenario(scenario).of(tableStream), 100);
  const { line, round } = recallOfTerminal([history], session, 100).find((one) => one.line.round === of)!;
  // The timeline of a round has its void slips.
  const voids = round.timeline.flatMap((step) =>
    step.type === 'SlipVoided' && step.terminal === session ? [step] : [],
  );
  const endOf = (settlement: string) => {
    const end = round.ends.find((one) => one.settlement === settlement);
    if (end) return { at: end.at, voidBy: null, reason: null, ...end.ending };
    const { at, by: voidBy, reason } = voids.find((one) => one.settlement === settlement)!;
    return { at, voidBy, reason };
  };
  const last = line.settled.at(-1);
  const { voidBy = null, reason = null } = last ? endOf(last.settlement) : {};
  return {
    cards: round.cards,
    totals: round.totals,
    winner: round.winner,
    id: round.id,
    number: round.number,
    game: round.game,
    openedAt: round.openedAt,
    slip: line.slip,
    creditBefore: line.creditBefore,
    creditAfter: line.creditAfter,
    settled: line.settled.map(({ settlement, paid, short }) => ({
      settlement,
      at: endOf(settlement).at,
      paid,
      short,
    })),
    voidBy,
    reason,
    isCorrected: line.settled.length > 1,
  };
}

function expectSame(scenario: TableScenario, session?: string, round?: string): SessionRound {
  const played = sessionRoundAt(scenario, session, round);
  expect(played).toEqual(recalledAt(scenario, session, round));
  return played;
}

test('a session round equals the table recall for won, lost and open rounds', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { tie: 100, banker: 1000 }, T2: { tie: 300 } });
  expect(expectSame(scenario)).toMatchObject({
    creditBefore: 10_000,
    creditAfter: 10_850,
    winner: 'banker',
    voidBy: null,
  });
  expect(expectSame(scenario, 'T2')).toMatchObject({ creditAfter: 9700, settled: [{ paid: [{ result: 'lose' }] }] });
  const before = scenario.round;
  scenario.bets({ T1: { banker: 1000 } });
  scenario.slip('T1', { banker: 400, tie: 100 });
  expect(expectSame(scenario)).toMatchObject({ slip: { banker: 400, tie: 100 }, settled: [], winner: null });
  scenario.close().deal('9S');
  expect(expectSame(scenario)).toMatchObject({ cards: [{ card: '9S' }], settled: [] });
  expect(expectSame(scenario, 'T1', before).number).toBe(1);
});

test('a session round begins again when its slip was emptied and set again', () => {
  const scenario = readyTable('tiger').bets({ T1: { banker: 1000 } });
  scenario.slip('T1', {});
  scenario.slip('T1', { tie: 100 });
  scenario.slip('T1', { tie: 200 });
  scenario.slip('T1', { tie: 200 });
  expect(expectSame(scenario)).toMatchObject({ slip: { tie: 200 }, creditBefore: 10_000, creditAfter: 9800 });
  const stakes = entriesOfScenario(scenario)
    .of(tableStream)
    .filter((entry) => eventOf(entry).type === 'SlipSet');
  expect(stakes.map(isFirstSlipWithStakes)).toEqual([true, false, true, false, false]);
});

test('a session round shows clause and reason of a void', () => {
  const scenario = readyTable('tiger').bets({ T1: { tie: 100 } });
  scenario.do('VoidRound', { reason: 'A foreign card.' });
  expect(expectSame(scenario)).toMatchObject({
    voidBy: expect.stringContaining(' '),
    reason: 'A foreign card.',
    isCorrected: false,
    settled: [{ paid: [{ result: 'void', returned: 100 }] }],
  });
});

test('a session round shows the final cards after withdrawals and reconstructions', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  scenario.do('TakeBackCard', {});
  expect(expectSame(scenario).cards).toEqual([]);
  scenario.deal('8S 2C 9H 4D').settle();
  expect(expectSame(scenario)).toMatchObject({ cards: [{ card: '8S' }, {}, {}, {}] });
});

test('[READING 16] a round that is settled again shows both settlements, and what could not be taken back', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 }, T2: { tie: 100 } });
  const first = scenario.round;
  scenario.doByTwo('CorrectCard', { round: first, place: 2, card: '6S', reason: 'a six' }, afterSettlement, {
    T1: 300,
  });
  expect(expectSame(scenario)).toMatchObject({ isCorrected: true, settled: [{ short: 0 }, { short: 650 }] });
  expect(expectSame(scenario, 'T2')).toMatchObject({ isCorrected: true });
});

test('a session round shows the clause of a void after payment', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  const { round } = scenario;
  scenario.do('Refer', { reason: 'Something.', round });
  scenario.doByTwo('DecideReferral', { decision: 'void', reason: 'It cannot stand.' }, afterSettlement, { T1: 10_000 });
  expect(expectSame(scenario)).toMatchObject({ isCorrected: true, voidBy: expect.any(String), reason: null });
});

test('[READING 13] a single void slip leaves the round, and the others stay', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { player: 1000 }, T2: { tie: 300 } })
    .close()
    .deal('9S');
  scenario.do('Refer', { reason: 'a dead terminal', terminal: 'T1' });
  scenario.do('DecideReferral', { decision: 'void', reason: 'it never showed the closing' }, shiftManager);
  scenario.deal('2C 9H 4D').settle();
  expect(expectSame(scenario)).toMatchObject({
    reason: 'it never showed the closing',
    settled: [{ paid: [{ result: 'void' }] }],
  });
  expect(expectSame(scenario, 'T2')).toMatchObject({ voidBy: null, settled: [{ paid: [{ result: 'lose' }] }] });
});

test('a partly posted settlement counts only for sessions whose credit it has moved', () => {
  const scenario = readyTable('tiger', { chunk: 2 }).bets({
    T1: { banker: 1000 },
    T2: { tie: 300 },
    T3: { banker: 100 },
  });
  scenario.close().deal('2C 9S 4D TD').settle();
  expect(scenario.table!.pendingSettlements).toMatchObject([{ done: 2, order: ['T1', 'T2', 'T3'] }]);
  expect(expectSame(scenario).settled).toHaveLength(1);
  expect(expectSame(scenario, 'T3').settled).toEqual([]);
  // There is no result for the lost stake before it is posted.
  expect(sessionRoundAt(scenario, 'T2')).toMatchObject({ settled: [], creditAfter: 9700 });
  scenario.do('PostSettlement', {});
  for (const session of ['T1', 'T2', 'T3']) expect(expectSame(scenario, session).settled).toHaveLength(1);
});

test('a session round asserts that the round was opened first', () => {
  expect(() => projectSessionRound([], [], owner)).toThrow(
    'Broken: a round is opened before anything else happens to it',
  );
});
