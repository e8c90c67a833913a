import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { openedTable, readyTable, shiftManager, type TableScenario } from '../tableScenario.ts';

/** A live shoe of four decks with this many cards out, the last of them in a round. */
function drawnTo(out: number, changes: { readonly [field: string]: unknown } = {}): TableScenario {
  const table = readyTable('baccarat', { decks: 4, ...changes });
  table.table!.shoe!.drawn = out - 4;
  return table.playRound('9S 2C 9H 4D');
}

test.each(['HOUSE 3', 'READING 58'])(
  '[%s] a cutting card that must be out by count is required before the next opening',
  () => {
    const due = { refused: 'cutting-card-due', by: 'HOUSE 3' };
    expect(drawnTo(194).do('OpenBets', {})).toHaveLength(1);
    const table = drawnTo(195);
    expect(table.refusal('OpenBets', {})).toMatchObject(due);
    expect(buildDealerView(table.table!).next).toEqual([
      'ReportCuttingCard',
      'CorrectCut',
      'ReportIrregularity',
      'EndShoe',
      'SealShoe',
    ]);
    // It was drawn in the round before, which was the last.
    expect(table.do('ReportCuttingCard', {})).toMatchObject([{ roundsLeft: 0 }]);
    expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over' });
    const more = drawnTo(195, { roundsAfterCut: 1 });
    more.do('ReportCuttingCard', {});
    expect(more.bets().close().deal('9S 2C 9H 4D').settle().refusal('OpenBets', {})).toMatchObject({
      refused: 'shoe-over',
    });
  },
);

test.each(['HOUSE 3', 'READING 58'])(
  '[%s] a wrongly recorded cutting depth is corrected by two persons, between rounds',
  () => {
    const table = drawnTo(195);
    const correct = (behind: number) => ({ behind, reason: 'measured again' });
    expect(table.refusal('CorrectCut', correct(5))).toMatchObject({ refused: 'too-few-behind-cut', minimum: 6 });
    expect(table.refusal('CorrectCut', correct(208))).toMatchObject({ refused: 'wrong-count', by: 'HOUSE 3' });
    expect(table.doByTwo('CorrectCut', correct(12))[1]).toMatchObject({
      type: 'CutCorrected',
      shoe: 'S1',
      was: 14,
      behind: 12,
      by: 'HOUSE 3',
    });
    table.bets();
    expect(table.refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'not-now', by: 'HOUSE 3' });
    table.do('VoidRound', { reason: 'x' });
    table.do('ReportCuttingCard', {});
    expect(table.refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'not-now' });
    expect(openedTable('baccarat').refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'shoe-not-ready' });
    const committed = openedTable('baccarat', { dealing: 'virtual' });
    expect(committed.refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'not-here' });
  },
);

test.each(['HOUSE 3', 'READING 58'])(
  '[%s] a cutting card that is not found is declared missing: the shoe ends as if it had been drawn, and it is referred',
  () => {
    const table = drawnTo(195);
    expect(table.do('ReportIrregularity', { kind: 'cutting-card-missing' })).toMatchObject([
      { type: 'IrregularityFound', kind: 'cutting-card-missing', by: 'HOUSE 3', stops: false },
      { type: 'CuttingCardOut', by: 'HOUSE 3', roundsLeft: 0, missing: true },
      { type: 'Referred', referral: 'R1', by: 'HOUSE 3', reason: 'The cutting card is missing.' },
    ]);
    expect(table.table!.referrals[0]!.round).toBeNull();
    table.do('DecideReferral', { decision: 'continue', reason: 'look for it' }, shiftManager);
    expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over', by: 'HOUSE 3' });
    expect(drawnTo(194).refusal('ReportIrregularity', { kind: 'cutting-card-missing' })).toMatchObject({
      refused: 'not-now',
      by: 'HOUSE 3',
    });
  },
);
