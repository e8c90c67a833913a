import { expect, test } from 'vitest';
import { wagerIdsOf } from '../../../src/rules/game.ts';
import { nextSlot, slots } from '../../../src/rules/play.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import { ETG } from '../../rulebook/ETG.rows.ts';
import { gameOf, openedTable, readyTable, shiftManager, type TableScenario } from '../tableScenario.ts';

/** A live shoe of four decks with this many cards out, the last of them in a round. */
function drawnTo(out: number, changes: { readonly [field: string]: unknown } = {}): TableScenario {
  const table = readyTable('baccarat', { decks: 4, ...changes });
  table.table!.shoe!.drawn = out - 4;
  return table.playRound('9S 2C 9H 4D');
}

/** What a round leaves behind, apart from the cutting card and the mark of the shoe. */
function leftBy(scenario: TableScenario) {
  const { round, roads, statistics, shoe } = publicView(scenario.table!);
  return {
    cards: scenario.events('CardDealt').map(({ slot, card }) => [slot, card]),
    results: scenario.events('RoundSettled').map(({ results }) => results),
    hands: [round!.player, round!.banker, round!.winner],
    money: [...scenario.balances],
    roads,
    statistics,
    out: shoe!.out,
  };
}

/** Four, five and six cards: a natural, a Player third card alone and both third cards. */
const deals = ['9S 2C 9H 4D', '2S 3H AC 4D 4S', '2S 3H AC 2D 4S TH'];

test('[ETG 3.10] a round at each of the six games ends as its twin without the cutting card, wherever that turns up, and is the last of the shoe', () => {
  for (const [{ id }] of ETG) {
    const stakes = { T1: Object.fromEntries(wagerIdsOf(gameOf(id)).map((wager) => [wager, 1000])) };
    for (const deal of deals) {
      const cards = deal.split(' ');
      const twin = readyTable(id).playRound(deal, stakes);
      expect(publicView(twin.table!).shoe).toMatchObject({ cuttingCardOut: false, roundsLeft: null });
      for (const moment of ['open', 'closing', ...[...cards, 'all'].keys()]) {
        const table = readyTable(id).bets(stakes);
        if (moment === 'closing') table.wait(20_000).do('CallClose', {});
        if (typeof moment === 'number') table.close().deal(cards.slice(0, moment).join(' '));
        const { phase, round } = table.table!;
        const next = nextSlot(round!.cards);
        expect(table.do('ReportCuttingCard', {})).toMatchObject([
          { type: 'CuttingCardOut', by: 'ETG 3.10', roundsLeft: 0 },
        ]);
        const where = `${id}: ${deal}: ${moment}`;
        // The card takes no slot and stops nothing.
        expect([table.table!.phase, nextSlot(table.table!.round!.cards)], where).toEqual([phase, next]);
        expect(table.refusal('ReportCuttingCard', {})).toMatchObject({ refused: 'not-now' });
        if (phase === 'betting') table.close();
        if (phase === 'closing') table.wait(500).do('CloseBets', {});
        table.deal(cards.slice(table.table!.round!.cards.length).join(' ')).settle();
        expect(leftBy(table), where).toEqual(leftBy(twin));
        expect(publicView(table.table!).shoe, where).toMatchObject({ cuttingCardOut: true, roundsLeft: 0 });
        expect(table.refusal('OpenBets', {}), where).toMatchObject({ refused: 'shoe-over', by: 'ETG 3.10' });
        expect(buildDealerView(table.table!).next).toEqual(['EndShoe', 'SealShoe']);
      }
      expect(twin.do('OpenBets', {})).toHaveLength(1);
    }
    // That the round is the last one is the default: a table may be set to play one more.
    const more = readyTable(id, { roundsAfterCut: 1 }).bets().close().deal('9S');
    expect(more.do('ReportCuttingCard', {}), id).toMatchObject([{ roundsLeft: 1 }]);
    more.deal('2C 9H 4D').settle().playRound('9S 2C 9H 4D');
    expect(more.refusal('OpenBets', {}), id).toMatchObject({ refused: 'shoe-over', by: 'ETG 3.10' });
  }
});

test('[ETG 3.10] a round of a virtual shoe ends as its twin without the cutting card, before whichever card that is reached', () => {
  const six = deals[2]!;
  const played = (behind: number): TableScenario => {
    const table = openedTable('tiger', { dealing: 'virtual', behind });
    const shoe = table.virtualShoe(`${six} ${six}`);
    for (const first of [0, 6]) {
      table.bets({ T1: { player: 1000, tie: 500 } }).close();
      for (const [n, slot] of slots.entries()) table.do('DealCard', { slot, ...shoe.at(first + n) });
      table.settle();
    }
    return table;
  };
  const twin = played(14);
  expect(twin.events('CuttingCardOut')).toEqual([]);
  for (let before = 0; before < 6; before++) {
    const table = played(416 - 6 - before);
    const types = table.entries.map(({ event }) => event.type);
    const dealtBefore = types.slice(0, types.indexOf('CuttingCardOut')).filter((type) => type === 'CardDealt');
    expect(dealtBefore).toHaveLength(6 + before);
    expect(leftBy(table), `${before}`).toEqual(leftBy(twin));
    expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over', by: 'ETG 3.10' });
  }
});

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
