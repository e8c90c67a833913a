import { expect, test } from 'vitest';
import { rulebooks } from '../../src/games/rulebooks.ts';
import { irregularityKinds } from '../../src/games/irregularities.ts';
import { games } from '../../src/games/registry.ts';
import { type ReportMenuRow, reportMenu } from '../../src/table/views/reportMenu.ts';
import { type TableScenario, openedTable, natural, readyTable } from './tableScenario.ts';

// The report menu: kinds that may be reported now, and the reason why others may not.

const reports = (sit: TableScenario): ReadonlyMap<string, ReportMenuRow> =>
  new Map(reportMenu(sit.table!).map((one) => [one.kind, one]));
const nots = (sit: TableScenario): { readonly [kind: string]: string } =>
  Object.fromEntries([...reports(sit).values()].flatMap(({ kind, not }) => (not === null ? [] : [[kind, not]])));
const does = (sit: TableScenario, kind: string): string => reports(sit).get(kind)!.does;

test('every irregularity of the book is listed once, with its own clause', () => {
  for (const game of games) {
    const { irregularities } = rulebooks.find(({ id }) => id === game.book)!;
    const listed = reportMenu(readyTable(game.id).table!);
    expect(listed.map(({ kind }) => kind).toSorted()).toEqual(irregularityKinds.toSorted());
    for (const { kind, by } of listed) expect(by).toBe(irregularities[kind].by);
    expect(new Set(listed.map(({ row }) => row)).size).toBe(20);
  }
});

test('at terminals chips cannot be late, and while cards are dealt a card may be wrong', () => {
  const sit = readyTable('tiger').bets().close().deal('9S');
  expect(nots(sit)).toEqual({
    'face-up-before': 'not-now',
    'third-cards-together': 'no-such-card',
    'cutting-card-missing': 'not-now',
    'late-wager': 'chips-only',
    'raised-wager': 'chips-only',
    'withdrawn-wager': 'chips-only',
  });
  expect(reports(sit).get('face-up-after')).toEqual({
    kind: 'face-up-after',
    row: '15',
    by: 'ETG 5.6',
    command: 'ReportIrregularity',
    as: 'face-up-card',
    does: 'noted',
    not: null,
  });
  expect(reports(sit).get('mis-scan')).toMatchObject({ command: 'CorrectCard', as: null, does: 'corrects' });
  expect(does(sit, 'wrong-order')).toBe('stops');
  expect(does(sit, 'interruption')).toBe('stops');
  expect(does(sit, 'anything-else')).toBe('refers');
  sit.deal('2C 3H 4D');
  expect(nots(sit)).not.toHaveProperty('third-cards-together');
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
  expect([does(fresh, 'foreign-card'), does(fresh, 'interruption'), does(fresh, 'face-up-before')]).toEqual([
    'locks',
    'noted',
    'refers',
  ]);
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

test('[READING 62] at a chip table the chips are live, terminals are not, and an interruption is only noted', () => {
  const sit = readyTable('baccarat', { bets: 'chips' }).bets().close().deal('9S');
  expect(nots(sit)).toMatchObject({ 'terminals-lost': 'terminals-only' });
  expect(nots(sit)).not.toHaveProperty('late-wager');
  expect(reports(sit).get('late-wager')).toMatchObject({ by: 'BAC 5.6', as: 'late-wager', does: 'noted' });
  expect(does(sit, 'interruption')).toBe('noted');
  expect(nots(readyTable('baccarat', { bets: 'chips' }))['late-wager']).toBe('not-now');
});

test('a virtual shoe is reported for its cards alone, and none of them can be put right', () => {
  const sit = openedTable('tiger', { dealing: 'virtual' });
  const shoe = sit.virtualShoe(natural);
  sit.bets().close();
  sit.do('DealCard', { slot: 'P1', ...shoe.at(0) });
  expect(nots(sit)).toMatchObject({
    'mis-scan': 'card-proven',
    'unreadable-card': 'not-here',
    'wrong-order': 'not-here',
    'cutting-card': 'not-here',
  });
  expect(nots(sit)).not.toHaveProperty('foreign-card');
});

test('[READING 59] while a ruling is pending only more serious kinds can be reported; during a referral no scan is corrected', () => {
  const sit = readyTable('baccarat').bets().close().deal('9S');
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(nots(sit)).toMatchObject({ 'mis-scan': 'awaiting-ruling', 'unreadable-card': 'awaiting-ruling' });
  expect(nots(sit)).not.toHaveProperty('foreign-card');
  sit.do('Refer', { reason: 'x' });
  expect(nots(sit)['mis-scan']).toBe('awaiting-decision');
  const extra = readyTable('baccarat').bets().close().deal('9S');
  extra.do('ReportIrregularity', { kind: 'extra-card' });
  expect(nots(extra)).not.toHaveProperty('mis-scan');
});
