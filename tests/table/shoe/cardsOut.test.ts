import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { drawClauseOfTable } from '../../../src/table/decide/decision.ts';
import { noCardAvailableRefusal } from '../../../src/table/decide/cards.ts';
import { type TableScenario, openedTable, readyTable, shiftManager } from '../tableScenario.ts';

const stakes = { T1: { player: 1000 } };

/** A round with the cards dealt, from a shoe that holds `left` more. */
function dealtWithLeft(left: number, cards: string, game = 'tiger'): TableScenario {
  const table = readyTable(game).bets(stakes).close().deal(cards);
  table.table!.shoe!.drawn = table.table!.shoe!.size - left;
  return table;
}

const interruptAndConfirm = (table: TableScenario, unseen: boolean): TableScenario => {
  table.wait(20_000).do('ReportInterruption', { since: table.at - 15_000, stateLost: false });
  table.doByTwo('ConfirmFelt', { unseen });
  return table;
};

test.each(['READING 18', 'HOUSE 5'])(
  '[%s] a reconstruction keeps a carried card: as unseen again, or among the cards given',
  () => {
    const carried = (): TableScenario => {
      const table = readyTable('baccarat').bets(stakes).close().deal('KC QD');
      table.do('ReportIrregularity', { kind: 'wrong-number' });
      table.doByTwo('ReconstructRound', { cards: ['KC', 'QD'], unseen: true, reason: 'x' });
      table.do('ReportIrregularity', { kind: 'wrong-order' });
      return table;
    };
    const lost = carried();
    expect(lost.table!.shoe).toMatchObject({ drawn: 3, carried: true });
    expect(lost.refusalClause('ReconstructRound', { cards: ['QD', 'KC'], unseen: false, reason: 'x' })).toEqual([
      'wrong-cards',
      'HOUSE 5',
    ]);
    lost.doByTwo('ReconstructRound', { cards: ['QD', 'KC'], unseen: true, reason: 'x' });
    expect(lost.table).toMatchObject({ round: { cards: ['QD', 'KC'] }, shoe: { drawn: 3, carried: true } });
    expect(lost.do('DealCard', { slot: 'P2', card: '2C' })[0]).toMatchObject({ carried: true });
    const given = carried();
    given.doByTwo('ReconstructRound', { cards: ['QD', 'KC', '2C'], unseen: false, reason: 'x' });
    expect(given.table).toMatchObject({ round: { cards: ['QD', 'KC', '2C'] }, shoe: { drawn: 3, carried: false } });
  },
);

test('[READING 18] a card that two persons confirmed on the felt is not taken back by one', () => {
  const table = interruptAndConfirm(readyTable('tiger').bets(stakes).close().deal('9S 2C 9H'), true);
  table.do('ConfirmRuling', {}, shiftManager);
  expect(table.table).toMatchObject({ phase: 'dealing', shoe: { drawn: 4, carried: true } });
  expect(buildDealerView(table.table!).round!.mayTakeBack).toBe(false);
  expect(table.refusal('TakeBackCard', {}).refused).toBe('not-now');
  table.do('DealCard', { slot: 'B2', card: '4D' });
  expect(table.table!.shoe).toMatchObject({ drawn: 4, carried: false });
});

test.each(['READING 67', 'HOUSE 5'])(
  '[%s] a reconstruction with more cards than the shoe holds is refused, and the round is void by its clause',
  () => {
    for (const [game, rule] of [
      ['tiger', 'ETG 5.3'],
      ['baccarat', 'BAC 5.5'],
    ] as const) {
      const table = dealtWithLeft(1, '2C 3D 2H KS', game);
      table.do('ReportIrregularity', { kind: 'wrong-number' });
      const given = { cards: ['2C', '3D', '2H', 'KS', '6D', '4C'], unseen: false, reason: 'x' } as const;
      expect(table.refusal('ReconstructRound', given)).toMatchObject({
        refused: 'wrong-cards',
        by: rule,
        message:
          'The list has 2 cards beyond those on record, but the shoe held only 1; give only cards that left the shoe.',
      });
      const unseen = { cards: ['2C', '3D', '2H', 'KS', '6D'], unseen: true, reason: 'x' } as const;
      expect(table.refusalClause('ReconstructRound', unseen)).toEqual(['wrong-cards', rule]);
      table.doByTwo('ReconstructRound', { ...unseen, unseen: false });
      expect(table.table).toMatchObject({ phase: 'dealing', shoe: { drawn: 416, size: 416 } });
      expect(table.refusalClause('DealCard', { slot: 'B3', card: '4C' })).toEqual(['shoe-over', rule]);
      table.do('ReportIrregularity', { kind: 'too-few-cards' });
      expect(table.doByTwo('VoidRound', { reason: 'x' })[1]).toMatchObject({ type: 'RoundVoided', by: rule });
      expect(table.account('house')).toBe(0);
    }
  },
);

test('[READING 67] a card lies face down, is entered or is burned only if the shoe holds it', () => {
  const felt = dealtWithLeft(0, '2C 3D 2H KS');
  felt.wait(20_000).do('ReportInterruption', { since: felt.at - 15_000, stateLost: false });
  expect(felt.refusalClause('ConfirmFelt', { unseen: true })).toEqual(['shoe-over', 'ETG 5.3']);
  expect(felt.refusalClause('EnterCard', { slot: 'P3', card: '6D', reason: 'x' })).toEqual(['shoe-over', 'ETG 5.3']);
  const burn = readyTable('tiger').bets(stakes);
  burn.do('ReportIrregularity', { kind: 'face-up-card' });
  burn.do('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager);
  burn.table!.shoe!.drawn = 416;
  expect(buildDealerView(burn.table!).next).toContain('DismissReport');
  expect(burn.refusalClause('BurnCard', { card: 'KD', reason: 'x' })).toEqual(['shoe-over', 'ETG 5.3']);
  burn.doByTwo('DismissReport', { reason: 'the shoe is empty' });
  expect(burn.table!.openIrregularities).toEqual([]);
  const first = readyTable('baccarat', { burn: 'first-card' });
  first.table!.shoe!.drawn = 410;
  expect(first.refusalClause('BurnCards', { card: '6D' })).toEqual(['shoe-over', 'BAC 5.5']);
  expect(first.do('BurnCards', { card: '5D' })[0]).toMatchObject({ count: 5 });
});

test('[READING 67] no report tells of more cards than the shoe holds', () => {
  const empty = dealtWithLeft(0, '2C 3D 2H KS');
  expect(empty.refusalClause('ReportIrregularity', { kind: 'unreadable-card' })).toEqual(['shoe-over', 'ETG 5.3']);
  const one = dealtWithLeft(1, '2C 3D 2H KS');
  expect(one.refusal('ReportIrregularity', { kind: 'drawn-together' })).toMatchObject({
    refused: 'shoe-over',
    by: 'ETG 5.3',
    message: 'The shoe holds 1 card, fewer than reported; count the cards on the table.',
  });
  one.do('ReportIrregularity', { kind: 'drawn-together', place: 4 });
  one.doByTwo('VoidRound', { reason: 'x' });
  expect(one.table!.shoe!.drawn).toBe(416);
  const idle = readyTable('tiger');
  idle.table!.shoe!.drawn = 416;
  expect(idle.refusalClause('ReportIrregularity', { kind: 'face-up-card' })).toEqual(['shoe-over', 'ETG 5.3']);
  idle.table!.shoe!.carried = true;
  idle.do('ReportIrregularity', { kind: 'face-up-card' });
});

test('[READING 64] a round in which a card was burned is void by two persons', () => {
  const table = readyTable('tiger').bets(stakes);
  table.do('ReportIrregularity', { kind: 'face-up-card' });
  table.do('DecideReferral', { decision: 'burn', reason: 'x' }, shiftManager);
  table.doByTwo('BurnCard', { card: 'KD', reason: 'x' });
  expect(table.do('VoidRound', { reason: 'the table closes' })).toMatchObject([{ type: 'Proposed' }]);
  table.do('CallClose', {});
  expect(table.do('VoidRound', { reason: 'the table closes' })).toMatchObject([{ type: 'Proposed' }]);
  // It was burned before: the next round has no card out.
  table.doByTwo('VoidRound', { reason: 'the table closes' });
  expect(table.bets(stakes).do('VoidRound', { reason: 'x' })[0]).toMatchObject({ type: 'RoundVoided' });
});

test('[READING 64] a card that does not belong in the shoe may be the first card drawn: two persons void', () => {
  for (const kind of ['foreign-card', 'extra-card'] as const) {
    const drawn = readyTable('baccarat').bets(stakes).close();
    drawn.do('ReportIrregularity', { kind });
    expect(drawn.do('VoidRound', { reason: 'x' })).toMatchObject([{ type: 'Proposed' }]);
    expect(buildDealerView(drawn.table!).stopped!.options.find(({ ruling }) => ruling === 'void')).toMatchObject({
      first: 'dealer',
      second: 'supervisor',
    });
    // Before the close no card is drawn.
    const undrawn = readyTable('baccarat').bets(stakes);
    undrawn.do('ReportIrregularity', { kind });
    expect(undrawn.do('VoidRound', { reason: 'x' })[0]).toMatchObject({ type: 'RoundVoided' });
  }
  // Neither a missing card nor the order tells that a card is out.
  for (const kind of ['missing-card', 'order-altered'] as const) {
    const table = readyTable('baccarat').bets(stakes).close();
    table.do('ReportIrregularity', { kind });
    expect(table.do('VoidRound', { reason: 'x' })[0]).toMatchObject({ type: 'RoundVoided' });
  }
});

test.each(['READING 66', 'HOUSE 8'])(
  '[%s] cards drawn after a complete deal are surplus, with or without a place',
  () => {
    const table = readyTable('baccarat').bets(stakes).close().deal('9C 2D KS 3H');
    for (const place of [{ place: 5 }, {}]) {
      expect(table.refusalClause('ReportIrregularity', { kind: 'drawn-together', ...place })).toEqual([
        'no-such-card',
        'BAC 5.2',
      ]);
    }
    table.do('ReportIrregularity', { kind: 'wrong-number' });
    const cards = ['9C', '2D', 'KS', '3H', '7D'];
    expect(table.doByTwo('ReconstructRound', { cards, unseen: true, reason: 'two more' })[1]).toMatchObject({
      after: ['9C', '2D', 'KS', '3H'],
      burned: ['7D'],
      surplus: 'carried',
      phase: 'result',
    });
    table.settle();
    expect(table.table!.shoe).toMatchObject({ drawn: 6, carried: true });
    // The last card of the deal may still be one of the two.
    const last = readyTable('baccarat').bets(stakes).close().deal('9C 2D KS 3H');
    expect(last.do('ReportIrregularity', { kind: 'drawn-together', place: 4 })[0]).toMatchObject({
      kind: 'drawn-together',
    });
  },
);

test('[READING 66] a card drawn with the last one of the deal counts as out, also where the result stands by decision', () => {
  const table = readyTable('baccarat').bets(stakes).close().deal('9C 2D KS 3H');
  table.do('ReportIrregularity', { kind: 'drawn-together', place: 4 });
  table.do('Refer', { reason: 'x' });
  expect(table.do('DecideReferral', { decision: 'stand', reason: 'x' }, shiftManager)[1]).toMatchObject({
    type: 'RoundSettled',
  });
  expect(table.table!.shoe).toMatchObject({ drawn: 5, carried: false });
});

test('[READING 67] between rounds a shoe that is locked or empty is to be changed', () => {
  const table = readyTable('baccarat').table!;
  const shoe = table.shoe!;
  expect(noCardAvailableRefusal(table)).toBeUndefined();
  expect(noCardAvailableRefusal({ ...table, shoe: { ...shoe, lockedBy: 'HOUSE 7' } })).toMatchObject({
    refused: 'shoe-locked',
    message: 'The shoe is locked and no card is dealt from it; change the shoe.',
  });
  expect(noCardAvailableRefusal({ ...table, shoe: { ...shoe, drawn: shoe.size } })).toMatchObject({
    message: 'The shoe has no card left; change the shoe.',
  });
});

test('[BAC 3.7.1] without a round the next card is the first of the initial deal', () => {
  expect(drawClauseOfTable(openedTable('baccarat').table!)).toBe('BAC 3.7.1');
});
