import { expect, test } from 'vitest';
import { rulebooks } from '../../../src/games/rulebooks.ts';
import { irregularityKinds } from '../../../src/games/irregularities.ts';
import { games } from '../../../src/games/registry.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { type ReportMenuRow, reportMenu } from '../../../src/table/views/reportMenu.ts';
import {
  type TableScenario,
  defaultSettings,
  managers,
  openedTable,
  natural,
  readyTable,
  supervisor,
} from '../tableScenario.ts';

// The report menu: kinds that may be reported now, and the reason why others may not.

const reports = (scenario: TableScenario): ReadonlyMap<string, ReportMenuRow> =>
  new Map(reportMenu(scenario.table!).map((one) => [one.kind, one]));
const nots = (scenario: TableScenario): { readonly [kind: string]: string } =>
  Object.fromEntries([...reports(scenario).values()].flatMap(({ kind, not }) => (not === null ? [] : [[kind, not]])));
const effectOf = (scenario: TableScenario, kind: string): string => reports(scenario).get(kind)!.does;

test('every irregularity of the book is listed once, with its own clause', () => {
  for (const game of games) {
    const { irregularities } = rulebooks.find(({ id }) => id === game.book)!;
    const listed = reportMenu(readyTable(game.id).table!);
    expect(listed.map(({ kind }) => kind).toSorted()).toEqual(irregularityKinds.toSorted());
    for (const { kind, by } of listed) expect(by).toBe(irregularities[kind].by);
    expect(new Set(listed.map(({ row }) => row)).size).toBe(20);
  }
});

test('at terminals late chips cannot be reported, and while cards are dealt a wrong card can', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S');
  expect(nots(scenario)).toEqual({
    'face-up-before': 'not-now',
    'third-cards-together': 'no-such-card',
    'cutting-card-missing': 'not-now',
    'late-wager': 'chips-only',
    'raised-wager': 'chips-only',
    'withdrawn-wager': 'chips-only',
  });
  expect(reports(scenario).get('face-up-after')).toEqual({
    kind: 'face-up-after',
    row: '15',
    by: 'ETG 5.6',
    command: 'ReportIrregularity',
    as: 'face-up-card',
    does: 'noted',
    not: null,
  });
  expect(reports(scenario).get('mis-scan')).toMatchObject({ command: 'CorrectCard', as: null, does: 'corrects' });
  expect(effectOf(scenario, 'wrong-order')).toBe('stops');
  expect(effectOf(scenario, 'interruption')).toBe('stops');
  expect(effectOf(scenario, 'anything-else')).toBe('refers');
  scenario.deal('2C 3H 4D');
  expect(nots(scenario)).not.toHaveProperty('third-cards-together');
});

test('between rounds a fault locks the shoe, and a report about a card of a round is refused', () => {
  const fresh = readyTable('baccarat');
  expect(nots(fresh)).toMatchObject({
    'mis-scan': 'no-such-card',
    'unreadable-card': 'not-now',
    'face-up-after': 'not-now',
    'wrong-order': 'too-late',
    'wrong-number': 'too-late',
    'drawn-together': 'not-now',
    'too-few-cards': 'not-now',
  });
  expect(nots(fresh)).not.toHaveProperty('face-up-before');
  expect([effectOf(fresh, 'foreign-card'), effectOf(fresh, 'interruption'), effectOf(fresh, 'face-up-before')]).toEqual(
    ['locks', 'noted', 'refers'],
  );
  const settled = fresh.playRound(natural);
  expect(nots(settled)).not.toHaveProperty('wrong-order');
  expect(nots(settled)).not.toHaveProperty('mis-scan');
  // A void round has no card to correct; an earlier round has.
  expect(nots(settled.bets())).not.toHaveProperty('mis-scan');
  const voided = readyTable('baccarat').bets().close().deal('9S');
  voided.do('ReportIrregularity', { kind: 'foreign-card' });
  voided.doByTwo('VoidRound', { reason: 'x' });
  expect(nots(voided)['mis-scan']).toBe('no-such-card');
  expect(nots(openedTable('baccarat'))).toMatchObject({
    'foreign-card': 'shoe-not-ready',
    'cutting-card': 'shoe-not-ready',
  });
});

test('[READING 62] at a chip table chips can be reported, terminals cannot, and an interruption is only logged', () => {
  const scenario = readyTable('baccarat', { bets: 'chips' }).bets().close().deal('9S');
  expect(nots(scenario)).toMatchObject({ 'terminals-lost': 'terminals-only' });
  expect(nots(scenario)).not.toHaveProperty('late-wager');
  expect(reports(scenario).get('late-wager')).toMatchObject({ by: 'BAC 5.6', as: 'late-wager', does: 'noted' });
  expect(effectOf(scenario, 'interruption')).toBe('noted');
  expect(nots(readyTable('baccarat', { bets: 'chips' }))['late-wager']).toBe('not-now');
});

test('a virtual shoe can be reported for its cards only, and none of them can be corrected', () => {
  const scenario = openedTable('tiger', { dealing: 'virtual' });
  const shoe = scenario.virtualShoe(natural);
  scenario.bets().close();
  scenario.do('DealCard', { slot: 'P1', ...shoe.at(0) });
  expect(nots(scenario)).toMatchObject({
    'mis-scan': 'card-proven',
    'unreadable-card': 'not-here',
    'wrong-order': 'not-here',
    'cutting-card': 'not-here',
  });
  expect(nots(scenario)).not.toHaveProperty('foreign-card');
});

test('after the change to a live shoe the cards of a virtual round stay proven, and those of the live round can be corrected', () => {
  const scenario = openedTable('tiger', { dealing: 'virtual' });
  const shoe = scenario.virtualShoe(natural);
  scenario.bets().close();
  for (const [drawn, slot] of (['P1', 'B1', 'P2', 'B2'] as const).entries())
    scenario.do('DealCard', { slot, ...shoe.at(drawn) });
  const virtualRound = scenario.settle().round;
  scenario.doByTwo('EndShoe', { cards: shoe.cards, salts: shoe.salts });
  scenario.doByTwo('ChangeSettings', { settings: defaultSettings('tiger') }, managers);
  scenario.shoe('S2').bets().close();
  expect(nots(scenario)['mis-scan']).toBe('card-proven');
  scenario.do('ReportIrregularity', { kind: 'extra-card' });
  const given = { round: virtualRound, place: 1, card: '8S', reason: 'x' } as const;
  expect(scenario.refusal('CorrectCard', given, supervisor)).toMatchObject({ refused: 'card-proven', by: 'ETG 6.3' });
  scenario.doByTwo('DismissReport', { reason: 'x' });
  scenario.deal('9S');
  expect(nots(scenario)).not.toHaveProperty('mis-scan');
});

test('[READING 59] while a ruling is pending only more serious kinds can be reported; during a referral no scan is corrected', () => {
  const scenario = readyTable('baccarat').bets().close().deal('9S');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(nots(scenario)).toMatchObject({ 'mis-scan': 'awaiting-ruling', 'unreadable-card': 'awaiting-ruling' });
  expect(nots(scenario)).not.toHaveProperty('foreign-card');
  scenario.do('Refer', { reason: 'x' });
  expect(nots(scenario)['mis-scan']).toBe('awaiting-decision');
  const extra = readyTable('baccarat').bets().close().deal('9S');
  extra.do('ReportIrregularity', { kind: 'extra-card' });
  expect(nots(extra)).not.toHaveProperty('mis-scan');
});

test('[READING 28] the menu offers a correction only while a card of the gaming day can be corrected', () => {
  const scenario = readyTable('baccarat').playRound(natural);
  const given = { round: scenario.round, place: 1, card: '8S', reason: 'x' } as const;
  scenario.wait(24 * 3_600_000).do('AddNote', { text: 'the next day' });
  expect(nots(scenario)['mis-scan']).toBe('no-such-card');
  expect(scenario.refusal('CorrectCard', given, supervisor).refused).toBe('no-such-round');
});

test('an extra card is not corrected before any card is recorded, and is void or dismissed', () => {
  const scenario = readyTable('baccarat').bets();
  scenario.do('ReportIrregularity', { kind: 'extra-card' });
  const offered = (): unknown => {
    const { options, dismiss } = buildDealerView(scenario.table!).stopped!;
    return [options.map(({ command, not }) => [command, not]), dismiss];
  };
  const rest = [
    ['VoidRound', null],
    ['Refer', null],
  ];
  expect(offered()).toEqual([[['CorrectCard', 'no-such-card'], ...rest], { first: 'dealer', second: 'supervisor' }]);
  expect(nots(scenario)['mis-scan']).toBe('no-such-card');
  expect(scenario.refusal('DealCard', { slot: 'P1', card: '9S' }).message).toBe(
    'The table waits for a ruling on extra-card; send VoidRound, DismissReport, Refer.',
  );
  const given = { round: scenario.round, place: 1, card: '9S', reason: 'x' } as const;
  expect(scenario.refusalClause('CorrectCard', given)).toEqual(['no-such-card', 'HOUSE 9']);
});
