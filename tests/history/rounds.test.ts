import { expect, test } from 'vitest';
import { emptyTableHistory, projectTableEntry } from '../../src/history/tableHistory.ts';
import { type RoundHistory } from '../../src/history/rounds.ts';
import { historyOfScenario, entriesOfScenario, tableStream } from './storedEntries.ts';
import {
  dealer,
  supervisor,
  pitManager,
  shiftManager,
  defaultSettings,
  readyTable,
  type TableScenario,
  openedTable,
} from '../table/tableScenario.ts';

const afterSettlement = [supervisor, shiftManager] as const;

const lastOf = (scenario: TableScenario): RoundHistory => historyOfScenario(scenario).rounds[scenario.round]!;
const typesIn = ({ timeline }: RoundHistory): readonly string[] => timeline.map(({ type }) => type);

test('the round history holds shoe, game, times, cards with slots, totals, winner, stakes and results', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', {
    T1: { banker: 1000, tie: 100 },
    T2: { banker: 500 },
  });
  const opened = scenario.events('BetsOpened')[0]!;
  const settlement = scenario.events('RoundSettled')[0]!;
  const { timeline: _, ...round } = lastOf(scenario);
  expect(round).toEqual({
    id: scenario.round,
    number: 1,
    day: '2023-11-15',
    shoe: 'S1',
    game: 'tiger@2021-10-28',
    gameHash: opened.hash,
    decks: 8,
    openedAt: opened.at,
    closedAt: scenario.events('BetsClosed')[0]!.at,
    cards: [
      { slot: 'P1', card: '2C' },
      { slot: 'B1', card: '9S' },
      { slot: 'P2', card: '4D' },
      { slot: 'B2', card: 'TD' },
    ],
    totals: { player: 6, banker: 9 },
    winner: 'banker',
    staked: { banker: { stake: 1500, bettors: 2 }, tie: { stake: 100, bettors: 1 } },
    ends: [
      {
        settlement: `${scenario.round}#1`,
        at: settlement.at,
        reverses: null,
        cards: ['2C', '9S', '4D', 'TD'],
        ending: { results: settlement.results },
        postedAt: settlement.at,
      },
    ],
  });
  expect(round.ends[0]!.ending).toMatchObject({ results: { banker: { result: 'win', by: 'ETG 4.7' } } });
});

test('the round history has totals but no winner and settlement during the deal', () => {
  const scenario = readyTable('tiger').bets().close().deal('2C 9S 4D');
  expect(lastOf(scenario)).toMatchObject({ totals: { player: 6, banker: 9 }, winner: null, ends: [] });
  scenario.do('TakeBackCard', {});
  expect(lastOf(scenario)).toMatchObject({ totals: { player: 2, banker: 9 }, cards: [{ slot: 'P1' }, { slot: 'B1' }] });
  scenario.deal('8D 8S');
  expect(lastOf(scenario)).toMatchObject({ totals: { player: 0, banker: 7 }, winner: null });
  scenario.deal('7S');
  expect(lastOf(scenario)).toMatchObject({ totals: { player: 7, banker: 7 }, winner: 'tie' });
  expect(typesIn(lastOf(scenario)).slice(3)).toEqual([
    'CardDealt',
    'CardDealt',
    'CardDealt',
    'CardTakenBack',
    'CardDealt',
    'CardDealt',
    'CardDealt',
  ]);
});

test('the round history keeps index, salt and proof of a card of a virtual shoe', () => {
  const scenario = openedTable('tiger', { dealing: 'virtual' });
  const shoe = scenario.virtualShoe('9S 2C 9H 4D');
  scenario.bets().close();
  for (const [drawn, slot] of (['P1', 'B1', 'P2', 'B2'] as const).entries()) {
    scenario.do('DealCard', { slot, ...shoe.at(drawn) });
  }
  expect(lastOf(scenario).cards).toEqual(
    ['P1', 'B1', 'P2', 'B2'].map((slot, drawn) => ({ slot, index: 3 + drawn, ...shoe.at(drawn) })),
  );
  expect(JSON.stringify(lastOf(scenario).timeline)).not.toMatch(/[0-9a-f]{64}/);
});

test('the round history has clause and reason of a void', () => {
  const scenario = readyTable('tiger').bets({ T1: { tie: 100 } });
  const [voided] = scenario.do('VoidRound', { reason: 'the power went' });
  expect(voided).toMatchObject({ type: 'RoundVoided' });
  const { ends } = lastOf(scenario);
  expect(ends).toMatchObject([
    { reverses: null, cards: [], ending: { voidBy: (voided as { by: string }).by, reason: 'the power went' } },
  ]);
  expect(ends[0]!.postedAt).toBe(scenario.at);
});

test('[READING 28] a corrected round has both ends, of which the second counts, and stays the same round', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  const first = scenario.round;
  scenario.bets();
  scenario.doByTwo(
    'CorrectCard',
    { round: first, place: 2, card: '8S', slips: { T1: { banker: 1000 } }, reason: 'an eight' },
    afterSettlement,
    {
      T1: 10_000,
    },
  );
  const { ends, cards, totals, winner, closedAt, timeline } = historyOfScenario(scenario).rounds[first]!;
  expect(ends).toMatchObject([
    { settlement: `${first}#1`, reverses: null, cards: ['2C', '9S', '4D', 'TD'] },
    { settlement: `${first}#2`, reverses: `${first}#1`, cards: ['2C', '8S', '4D', 'TD'] },
  ]);
  expect([cards.map(({ card }) => card).join(' '), totals, winner]).toEqual([
    '2C 8S 4D TD',
    { player: 6, banker: 8 },
    'banker',
  ]);
  expect(closedAt).toBe(scenario.events('BetsClosed')[0]!.at);
  expect(timeline.map(({ type }) => type).slice(-5)).toEqual([
    'Proposed',
    'Approved',
    'CardCorrected',
    'RoundResettled',
    'SettlementPosted',
  ]);
  expect(historyOfScenario(scenario).rounds[scenario.round]!.timeline.map(({ type }) => type)).toEqual(['BetsOpened']);
});

test('[READING 16] a settled round that is void later has the clause and no results', () => {
  const scenario = readyTable('baccarat').playRound('2C 9S 4D TD', { T1: { player: 100 } });
  scenario.do('ReportIrregularity', { kind: 'wrong-number' });
  scenario.doByTwo('VoidRound', { reason: 'one card too many' }, afterSettlement, { T1: 10_000 });
  const [first, second] = lastOf(scenario).ends;
  expect(first!.ending).toHaveProperty('results');
  expect(second).toMatchObject({ reverses: `${scenario.round}#1`, ending: { voidBy: 'BAC 5.2', reason: null } });
});

test('the round history keeps the origin of a card only while it stays in its position', () => {
  const scenario = readyTable('tiger').bets().close();
  scenario.do('DealCard', { slot: 'P1', card: '2C', keyed: true });
  scenario.do('DealCard', { slot: 'B1', card: '9S', keyed: true });
  scenario.do('ReportIrregularity', { kind: 'unreadable-card' });
  scenario.doByTwo('EnterCard', { slot: 'P2', card: '4D', reason: 'stained' });
  scenario.deal('TD');
  scenario.doByTwo('CorrectCard', { round: scenario.round, place: 2, card: '8S', reason: 'an eight' });
  expect(lastOf(scenario).cards).toEqual([
    { slot: 'P1', card: '2C', keyed: true },
    { slot: 'B1', card: '8S' },
    { slot: 'P2', card: '4D', byEye: expect.any(String) as string },
    { slot: 'B2', card: 'TD' },
  ]);
});

test('[ETG 6.1] the timeline has each step with its time, role and clause', () => {
  const scenario = readyTable('tiger')
    .bets({ T1: { tie: 100 } })
    .close()
    .deal('2C 9S');
  scenario.wait(10).do('ReportIrregularity', { kind: 'order-altered', note: 'the shoe fell' });
  scenario.wait(10).do('Refer', { reason: 'nobody knows' }, supervisor);
  scenario.wait(10).do('DecideReferral', { decision: 'void', reason: 'as the book says' }, shiftManager);
  const { timeline } = lastOf(scenario);
  expect(timeline.map(({ type, actor }) => [type, actor])).toEqual([
    ['BetsOpened', { role: 'dealer' }],
    ['ClosingCalled', { role: 'dealer' }],
    ['BetsClosed', { role: 'dealer' }],
    ['CardDealt', { role: 'dealer' }],
    ['CardDealt', { role: 'dealer' }],
    ['IrregularityFound', { role: 'dealer' }],
    ['Referred', { role: 'supervisor' }],
    ['ReferralDecided', { role: 'gaming-shift-manager' }],
    ['RoundVoided', { role: 'gaming-shift-manager' }],
    ['SettlementPosted', { role: 'gaming-shift-manager' }],
  ]);
  expect(timeline[5]).toMatchObject({
    at: scenario.at - 20,
    kind: 'order-altered',
    by: 'ETG 5.2',
    note: 'the shoe fell',
  });
  expect(timeline[6]).toMatchObject({ at: scenario.at - 10, by: 'ETG 6.1', reason: 'nobody knows' });
  expect(timeline[7]).toMatchObject({ at: scenario.at, by: 'ETG 6.1', decision: 'void', reason: 'as the book says' });
});

test('the timeline of a four-eyes command names both deviceKinds and the proposal, and no person', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  const deputy = { person: 'x77', role: 'dealer', acting: 'supervisor', until: scenario.at + 60_000 } as const;
  scenario.do('CorrectCard', { round: scenario.round, place: 2, card: '8S', reason: 'an eight' }, deputy);
  scenario.do('WithdrawProposal', { proposal: scenario.table!.proposal!.id }, deputy);
  scenario.doByTwo(
    'CorrectCard',
    { round: scenario.round, place: 2, card: '8S', reason: 'an eight' },
    afterSettlement,
    {
      T1: 10_000,
    },
  );
  const { timeline } = lastOf(scenario);
  expect(timeline.slice(-7)).toMatchObject([
    { type: 'Proposed', command: 'CorrectCard', actor: { role: 'dealer', acting: 'supervisor' } },
    { type: 'ProposalWithdrawn', actor: { role: 'dealer', acting: 'supervisor' } },
    { type: 'Proposed', command: 'CorrectCard', actor: { role: 'supervisor' } },
    { type: 'Approved', actor: { role: 'gaming-shift-manager' } },
    { type: 'CardCorrected', actor: { role: 'supervisor' }, second: { role: 'gaming-shift-manager' }, by: 'ETG 6.3' },
    { type: 'RoundResettled', outcome: 'results' },
    { type: 'SettlementPosted', count: 1, last: true },
  ]);
  expect(JSON.stringify(timeline)).not.toMatch(/"person"|x77|"effects"|"results":\{/);
});

test('[READING 18] cards that are replayed in the order in which they left the shoe go where the table of play puts them', () => {
  const scenario = readyTable('tiger').bets().close().deal('2C 9S 4D');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  scenario.doByTwo('ReconstructRound', { cards: ['9S', '2C', '4D'], unseen: false, reason: 'Banker first' });
  expect(lastOf(scenario)).toMatchObject({
    cards: [
      { slot: 'P1', card: '9S' },
      { slot: 'B1', card: '2C' },
      { slot: 'P2', card: '4D' },
    ],
    totals: { player: 3, banker: 2 },
  });
  expect(lastOf(scenario).timeline.at(-1)).toMatchObject({ type: 'RoundReconstructed', before: ['2C', '9S', '4D'] });
});

test('the round history has postedAt once the last chunk is posted', () => {
  const scenario = readyTable('tiger', { chunk: 1 }).playRound('2C 9S 4D TD', { T1: { tie: 100 }, T2: { tie: 100 } });
  expect(lastOf(scenario).ends[0]!.postedAt).toBeNull();
  scenario.wait(5).do('PostSettlement', {}, { system: 'floor' });
  expect(lastOf(scenario).ends[0]!.postedAt).toBe(scenario.at);
  expect(lastOf(scenario).timeline.at(-1)).toMatchObject({ type: 'SettlementPosted', actor: { system: 'floor' } });
});

test('the timeline leaves out an expired acting role', () => {
  const scenario = readyTable('tiger');
  scenario.do('OpenBets', {}, { person: 'd3', role: 'dealer', acting: 'supervisor', until: scenario.at - 1 });
  expect(lastOf(scenario).timeline).toMatchObject([{ type: 'BetsOpened', actor: { role: 'dealer' } }]);
  expect(lastOf(scenario).timeline[0]!.actor).not.toHaveProperty('acting');
});

test('the timeline leaves out events without a round', () => {
  const scenario = readyTable('tiger').playRound('2C 9S 4D TD');
  const before = JSON.stringify(historyOfScenario(scenario).rounds);
  scenario.doByTwo('EndShoe', { seen: {} }, [dealer, supervisor]);
  scenario.shoe('S2');
  scenario.doByTwo('ChangeSettings', { settings: defaultSettings('tiger', { bettingTime: 9_000 }) }, [
    pitManager,
    shiftManager,
  ]);
  const history = historyOfScenario(scenario);
  expect(history.sequence).toBe(scenario.entries.length);
  expect(JSON.stringify(history.rounds)).toBe(before);
});

test('the table history asserts order, stream and event type of an entry', () => {
  const entries = entriesOfScenario(readyTable('tiger').playRound('2C 9S 4D TD')).of(tableStream);
  const emptyHistory = () => emptyTableHistory(tableStream, 10);
  expect(() => projectTableEntry(emptyHistory(), entries[1]!)).toThrow(/^Broken: entry 2 of .* follows entry 0 of /);
  expect(() => projectTableEntry(projectTableEntry(emptyHistory(), entries[0]!), entries[0]!)).toThrow(
    /^Broken: entry 1 of .* follows entry 1 of /,
  );
  expect(() => projectTableEntry(emptyHistory(), { ...entries[0]!, stream: 'sg1/table/B2' })).toThrow(
    /^Broken: entry 1 of sg1.table.B2/,
  );
  for (const type of ['CardEaten', 'toString']) {
    expect(() =>
      projectTableEntry(projectTableEntry(emptyHistory(), entries[0]!), {
        ...entries[1]!,
        event: { type, v: 1, at: 0 },
      }),
    ).toThrow(`Broken: ${type} is an event of a table`);
  }
  expect(() => projectTableEntry(emptyHistory(), { ...entries[1]!, sequence: 1 })).toThrow(
    /^Broken: a table is opened before/,
  );
  const newer = { ...entries[0]!, event: { ...entries[0]!.event, v: 2 } };
  expect(() => projectTableEntry(emptyHistory(), newer)).toThrow(
    'TableOpened has version 2; this program reads versions up to 1, so use a newer program',
  );
});
