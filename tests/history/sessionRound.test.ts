import { expect, test } from 'vitest';
import { type RecordedEntry } from '../../src/history/entry.ts';
import { recallOf } from '../../src/history/tableHistory.ts';
import { type SessionRound, isFirstStake, projectSessionRound } from '../../src/history/sessionRound.ts';
import { historyOf, entriesOfSitting, tableStream } from './storedEntries.ts';
import { supervisor, shiftManager, readyTable, type TableScenario } from '../table/tableScenario.ts';

const owner = { property: 'sg1', currency: 'SGD' };
const afterSettlement = [supervisor, shiftManager] as const;

type StreamEntries = {
  readonly type: string;
  readonly round?: string;
  readonly terminal?: string;
  readonly slip?: object;
};
const happened = ({ event }: RecordedEntry): StreamEntries => event;

/** The stakes of a session in a round, from the last time on that it had none. */
function stakesOf(entries: readonly RecordedEntry[], session: string, round: string): readonly RecordedEntry[] {
  const all = entries.filter((entry) => {
    const { type, ...is } = happened(entry);
    return type === 'SlipSet' && is.terminal === session && is.round === round;
  });
  return all.slice(all.findLastIndex(isFirstStake));
}

/** A round as a session played it, from what speaks of it alone. */
function sessionRoundAt(sit: TableScenario, session = 'T1', round = sit.round): SessionRound {
  const entries = entriesOfSitting(sit).of(tableStream);
  const about = entries.filter((entry) => happened(entry).type !== 'SlipSet' && happened(entry).round === round);
  return projectSessionRound(about, stakesOf(entries, session, round), owner);
}

/** The same from a history of everything that happened at the table. */
function recalledAt(sit: TableScenario, session = 'T1', of = sit.round): SessionRound {
  const history = historyOf(entriesOfSitting(sit).of(tableStream), 100);
  const { line, round } = recallOf([history], session, 100).find((one) => one.line.round === of)!;
  // A slip that is void by itself is told in the story of its round.
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

function expectSame(sit: TableScenario, session?: string, round?: string): SessionRound {
  const played = sessionRoundAt(sit, session, round);
  expect(played).toEqual(recalledAt(sit, session, round));
  return played;
}

test('a session round equals the table recall for won, lost and open rounds', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { tie: 100, banker: 1000 }, T2: { tie: 300 } });
  expect(expectSame(sit)).toMatchObject({ creditBefore: 10_000, creditAfter: 10_850, winner: 'banker', voidBy: null });
  expect(expectSame(sit, 'T2')).toMatchObject({ creditAfter: 9700, settled: [{ paid: [{ result: 'lose' }] }] });
  const before = sit.round;
  sit.bets({ T1: { banker: 1000 } });
  sit.slip('T1', { banker: 400, tie: 100 });
  expect(expectSame(sit)).toMatchObject({ slip: { banker: 400, tie: 100 }, settled: [], winner: null });
  sit.close().deal('9S');
  expect(expectSame(sit)).toMatchObject({ cards: [{ card: '9S' }], settled: [] });
  expect(expectSame(sit, 'T1', before).number).toBe(1);
});

test('a session round begins again when its slip was emptied and set again', () => {
  const sit = readyTable('tiger').bets({ T1: { banker: 1000 } });
  sit.slip('T1', {});
  sit.slip('T1', { tie: 100 });
  sit.slip('T1', { tie: 200 });
  sit.slip('T1', { tie: 200 });
  expect(expectSame(sit)).toMatchObject({ slip: { tie: 200 }, creditBefore: 10_000, creditAfter: 9800 });
  const stakes = entriesOfSitting(sit)
    .of(tableStream)
    .filter((entry) => happened(entry).type === 'SlipSet');
  expect(stakes.map(isFirstStake)).toEqual([true, false, true, false, false]);
});

test('a session round shows clause and reason of a void', () => {
  const sit = readyTable('tiger').bets({ T1: { tie: 100 } });
  sit.do('VoidRound', { reason: 'A foreign card.' });
  expect(expectSame(sit)).toMatchObject({
    voidBy: expect.stringContaining(' '),
    reason: 'A foreign card.',
    isCorrected: false,
    settled: [{ paid: [{ result: 'void', returned: 100 }] }],
  });
});

test('a session round shows the final cards after withdrawals and reconstructions', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('9S');
  sit.do('TakeBackCard', {});
  expect(expectSame(sit).cards).toEqual([]);
  sit.deal('8S 2C 9H 4D').settle();
  expect(expectSame(sit)).toMatchObject({ cards: [{ card: '8S' }, {}, {}, {}] });
});

test('[READING 16] a round that is settled again shows both settlements, and what could not be taken back', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 }, T2: { tie: 100 } });
  const first = sit.round;
  sit.doByTwo('CorrectCard', { round: first, place: 2, card: '6S', reason: 'a six' }, afterSettlement, { T1: 300 });
  expect(expectSame(sit)).toMatchObject({ isCorrected: true, settled: [{ short: 0 }, { short: 650 }] });
  expect(expectSame(sit, 'T2')).toMatchObject({ isCorrected: true });
});

test('a session round shows the clause of a void after payment', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  const { round } = sit;
  sit.do('Refer', { reason: 'Something.', round });
  sit.doByTwo('DecideReferral', { decision: 'void', reason: 'It cannot stand.' }, afterSettlement, { T1: 10_000 });
  expect(expectSame(sit)).toMatchObject({ isCorrected: true, voidBy: expect.any(String), reason: null });
});

test('[READING 13] a slip that is void by itself is out of the round, and the others are not', () => {
  const sit = readyTable('tiger')
    .bets({ T1: { player: 1000 }, T2: { tie: 300 } })
    .close()
    .deal('9S');
  sit.do('Refer', { reason: 'a dead terminal', terminal: 'T1' });
  sit.do('DecideReferral', { decision: 'void', reason: 'it never showed the closing' }, shiftManager);
  sit.deal('2C 9H 4D').settle();
  expect(expectSame(sit)).toMatchObject({
    reason: 'it never showed the closing',
    settled: [{ paid: [{ result: 'void' }] }],
  });
  expect(expectSame(sit, 'T2')).toMatchObject({ voidBy: null, settled: [{ paid: [{ result: 'lose' }] }] });
});

test('a partly posted settlement counts only for sessions whose credit it has moved', () => {
  const sit = readyTable('tiger', { chunk: 2 }).bets({ T1: { banker: 1000 }, T2: { tie: 300 }, T3: { banker: 100 } });
  sit.close().deal('2C 9S 4D TD').settle();
  expect(sit.table!.pendingSettlements).toMatchObject([{ done: 2, order: ['T1', 'T2', 'T3'] }]);
  expect(expectSame(sit).settled).toHaveLength(1);
  expect(expectSame(sit, 'T3').settled).toEqual([]);
  // Nothing came of it for whoever lost, and nobody can tell yet.
  expect(sessionRoundAt(sit, 'T2')).toMatchObject({ settled: [], creditAfter: 9700 });
  sit.do('PostSettlement', {});
  for (const session of ['T1', 'T2', 'T3']) expect(expectSame(sit, session).settled).toHaveLength(1);
});

test('a session round asserts that the round was opened first', () => {
  expect(() => projectSessionRound([], [], owner)).toThrow(
    'Broken: a round is opened before anything else happens to it',
  );
});
