import { expect, test } from 'vitest';
import { isWholeShoe } from '../../src/rules/shoeCommitment.ts';
import { cardsOf } from '../../src/rules/card.ts';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { publicView } from '../../src/table/views/publicView.ts';
import {
  openedTable,
  dealer,
  floor,
  natural,
  pitManager,
  readyTable,
  saltOf,
  shiftManager,
  shuffler,
  TableScenario,
  supervisor,
  defaultSettings,
} from './tableScenario.ts';

const allCounted = (changes: { readonly [card: string]: number } = {}) => ({
  ...Object.fromEntries(cardsOf('french').map((card) => [card, 8])),
  ...changes,
});

test('a live shoe is brought, counted, shuffled and cut, and verified by two persons', () => {
  const scenario = openedTable('tiger');
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
  expect(scenario.refusal('CountCards', { cards: 416 })).toMatchObject({ refused: 'shoe-not-ready' });
  scenario.do('BringShoe', { shoe: 'S1', seal: 'seal 17' });
  expect(scenario.refusal('BringShoe', { shoe: 'S2', seal: 'seal 18' })).toMatchObject({ refused: 'not-now' });
  expect(scenario.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count', expected: 416 });
  scenario.do('CountCards', { cards: 415 });
  expect(scenario.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count' });
  scenario.do('CountCards', { cards: 416 });
  expect(scenario.refusal('VerifyShoe', {})).toMatchObject({ refused: 'shoe-not-ready', by: 'ETG 3.10' });
  scenario.do('ShuffleShoe', { method: 'by hand' });
  expect(scenario.refusal('CutShoe', { behind: 5 })).toMatchObject({
    refused: 'too-few-behind-cut',
    minimum: 6,
    by: 'ETG 3.10',
  });
  expect(scenario.refusal('CutShoe', { behind: 416 })).toMatchObject({ refused: 'wrong-count' });
  scenario.do('CutShoe', { behind: 14 });
  scenario.do('VerifyShoe', {});
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
  const { id, hash } = scenario.table!.proposal!;
  expect(
    scenario.refusal('Approve', { proposal: id, hash }, { ...dealer, acting: 'supervisor', until: scenario.at }),
  ).toMatchObject({
    refused: 'same-person',
  });
  const [, verified] = scenario.do('Approve', { proposal: id, hash }, supervisor);
  expect(verified).toMatchObject({ type: 'ShoeVerified', actor: dealer, second: supervisor, shuffled: true });
  expect(scenario.refusal('ShuffleShoe', { method: 'again' })).toMatchObject({ refused: 'not-now' });
  expect(scenario.refusal('CommitShoe', { shoe: 'V1', root: saltOf(1) })).toMatchObject({ refused: 'not-here' });
  expect(scenario.refusal('ChooseCutPosition', { cutPosition: 1 })).toMatchObject({ refused: 'not-here' });
  expect(scenario.do('OpenBets', {})).toHaveLength(1);
});

test('a shoe without a recorded shuffle warns the dealer before its first round', () => {
  const scenario = openedTable('tiger');
  scenario.do('BringShoe', { shoe: 'S1', seal: 'seal 17' });
  scenario.do('CountCards', { cards: 416 });
  scenario.do('CutShoe', { behind: 14 });
  scenario.doByTwo('VerifyShoe', {});
  expect(buildDealerView(scenario.table!).warnings).toEqual(['not-shuffled']);
  expect(buildDealerView(readyTable('tiger').table!).warnings).toEqual([]);
});

const virtual = () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  return scenario;
};

test('a virtual shoe is committed, then a terminal chooses the cut position, and only then bets open', () => {
  const scenario = virtual();
  expect(scenario.refusal('ChooseCutPosition', { cutPosition: 0 }, { terminal: 'T1' })).toMatchObject({
    refused: 'shoe-not-ready',
  });
  expect(scenario.refusal('BringShoe', { shoe: 'S1', seal: 'x' })).toMatchObject({ refused: 'not-here' });
  expect(scenario.do('CommitShoe', { shoe: 'V1', root: saltOf(7) }, shuffler)).toMatchObject([
    { type: 'ShoeCommitted', shoe: 'V1', scheme: 'rfc9162-sha256', root: saltOf(7), size: 416, behind: 14 },
  ]);
  expect(scenario.refusal('CountCards', { cards: 416 })).toMatchObject({ refused: 'not-here' });
  expect(scenario.refusal('OpenBets', {}, floor)).toMatchObject({ refused: 'shoe-not-ready' });
  expect(scenario.refusal('ChooseCutPosition', { cutPosition: 0 }, shuffler)).toMatchObject({
    refused: 'same-person',
    by: 'ETG 6.2',
  });
  expect(scenario.refusal('ChooseCutPosition', { cutPosition: 416 }, { terminal: 'T1' })).toMatchObject({
    refused: 'bad-request',
  });
  scenario.do('ChooseCutPosition', { cutPosition: 415 }, { terminal: 'T1' });
  expect(scenario.refusal('ChooseCutPosition', { cutPosition: 1 }, { terminal: 'T2' })).toMatchObject({
    refused: 'not-now',
  });
  expect(scenario.do('OpenBets', {}, floor)).toHaveLength(1);
  expect(publicView(scenario.table!).shoe).toMatchObject({ root: saltOf(7), cutPosition: 415 });
});

/** An unattended round up to the deal. */
function closed(scenario: TableScenario): TableScenario {
  scenario.do('OpenBets', {}, floor);
  scenario.wait(20_000).do('CallClose', {}, floor);
  scenario.wait(500).do('CloseBets', {}, floor);
  return scenario;
}

test('each card of a virtual shoe comes with its salt and proof, and the table checks it', () => {
  const scenario = virtual();
  const shoe = scenario.virtualShoe('9S 2C 9H 4D');
  closed(scenario);
  const first = shoe.at(0);
  const wrong = { refused: 'wrong-proof', by: null };
  expect(scenario.refusal('DealCard', { slot: 'P1', card: '9S' }, floor)).toMatchObject(wrong);
  expect(scenario.refusal('DealCard', { slot: 'P1', ...first, card: '9H' }, floor)).toMatchObject(wrong);
  expect(scenario.refusal('DealCard', { slot: 'P1', ...first, salt: saltOf(99) }, floor)).toMatchObject(wrong);
  expect(scenario.refusal('DealCard', { slot: 'P1', ...first, proof: first.proof.slice(1) }, floor)).toMatchObject(
    wrong,
  );
  expect(
    scenario.refusal('DealCard', { slot: 'P1', ...first, proof: [...first.proof, saltOf(1)] }, floor),
  ).toMatchObject(wrong);
  expect(scenario.refusal('DealCard', { slot: 'P1', ...shoe.at(1) }, floor)).toMatchObject(wrong);
  expect(scenario.refusal('DealCard', { slot: 'P1', ...first, keyed: true }, floor)).toMatchObject({
    refused: 'not-here',
  });
  expect(scenario.do('DealCard', { slot: 'P1', ...first }, floor)[0]).toMatchObject({
    index: 3,
    card: '9S',
    salt: first.salt,
  });
  expect(scenario.refusal('TakeBackCard', {}, dealer)).toMatchObject({ refused: 'card-proven' });
  for (const [drawn, slot] of (['B1', 'P2', 'B2'] as const).entries())
    scenario.do('DealCard', { slot, ...shoe.at(drawn + 1) }, floor);
  expect(publicView(scenario.table!).round!.cards[0]).toEqual({
    card: '9S',
    index: 3,
    salt: first.salt,
    proof: first.proof,
  });
  expect(JSON.stringify(scenario.table)).not.toContain(saltOf(7));
});

test('when a virtual shoe ends all its cards and salts are opened and checked as a whole', () => {
  const scenario = virtual();
  const { cards, salts } = scenario.virtualShoe('9S 2C 9H 4D');
  const end = (fields: object) => scenario.refusal('EndShoe', fields, floor);
  expect(end({})).toMatchObject({ refused: 'not-here' });
  expect(end({ cards, salts, seen: {} })).toMatchObject({ refused: 'not-here' });
  expect(end({ cards: cards.with(0, 'KD').with(1, 'KD'), salts })).toMatchObject({ refused: 'wrong-proof' });
  expect(end({ cards: cards.slice(1), salts: salts.slice(1) })).toMatchObject({ refused: 'wrong-proof' });
  expect(end({ cards: cards.map(String).with(0, 'L3'), salts })).toMatchObject({ refused: 'wrong-deck' });
  expect(scenario.do('EndShoe', { cards, salts }, floor)[0]).toMatchObject({
    type: 'ShoeEnded',
    expected: 416,
    seen: 416,
    extra: {},
    missing: {},
    cards,
    salts,
  });
  expect(scenario.refusal('CommitShoe', { shoe: 'V1', root: saltOf(1) }, shuffler)).toMatchObject({
    refused: 'shoe-used',
  });
  expect(end({ cards, salts })).toMatchObject({ refused: 'shoe-not-ready' });
});

test('[READING 25] the count of a live shoe is a report: expected against counted cards', () => {
  const scenario = readyTable('tiger').playRound('9S 2C 9H 4D');
  const pair = [dealer, supervisor] as const;
  expect(scenario.refusal('EndShoe', {})).toMatchObject({ refused: 'not-here' });
  expect(scenario.refusal('EndShoe', { seen: { XX: 1 } })).toMatchObject({ refused: 'unknown-card' });
  const [, ended] = scenario.doByTwo('EndShoe', { seen: allCounted({ KS: 9, '4D': 7 }) }, pair);
  expect(ended).toMatchObject({ expected: 416, seen: 416, extra: { KS: 1 }, missing: { '4D': 1 } });
  expect(publicView(scenario.table!)).toMatchObject({ shoe: null, round: { winner: 'player' } });
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
  const other = readyTable('tiger');
  expect(other.bets().refusal('EndShoe', { seen: allCounted() })).toMatchObject({ refused: 'not-now' });
});

test('[ETG 3.10] the cutting card is no card of the round, which ends as without it; that round is the last', () => {
  for (let before = 0; before < 6; before++) {
    const scenario = readyTable('tiger')
      .bets({ T1: { tie: 100 } })
      .close();
    const cards = '2S 3H AC 2D 4S TH'.split(' ');
    scenario.deal(cards.slice(0, before).join(' '));
    expect(scenario.do('ReportCuttingCard', {})[0]).toMatchObject({
      type: 'CuttingCardOut',
      by: 'ETG 3.10',
      roundsLeft: 0,
    });
    expect(scenario.refusal('ReportCuttingCard', {})).toMatchObject({ refused: 'not-now' });
    scenario.deal(cards.slice(before).join(' ')).settle();
    expect(scenario.table!.round!.cards).toEqual(cards);
    expect(scenario.balance('T1')).toBe(-100);
    expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over', by: 'ETG 3.10' });
    expect(buildDealerView(scenario.table!).next).toEqual(['EndShoe', 'SealShoe']);
  }
});

test('[READING 23] one more round follows when the settings say so, unless the cutting card came first', () => {
  const scenario = readyTable('baccarat', { roundsAfterCut: 1 }).bets().close().deal('9S');
  expect(scenario.do('ReportCuttingCard', {})[0]).toMatchObject({ roundsLeft: 1, by: 'HOUSE 3' });
  scenario.deal('2C 9H 4D').settle().playRound('9S 2C 9H 4D');
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over', by: 'HOUSE 3' });
  const first = readyTable('baccarat', { roundsAfterCut: 1 }).bets();
  expect(first.do('ReportCuttingCard', {})[0]).toMatchObject({ roundsLeft: 0 });
  first.close().deal('9S 2C 9H 4D').settle();
  expect(first.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over' });
  const between = readyTable('baccarat', { roundsAfterCut: 1 });
  expect(between.do('ReportCuttingCard', {})[0]).not.toHaveProperty('round');
  between.playRound('9S 2C 9H 4D');
  expect(between.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over' });
  expect(openedTable('baccarat').refusal('ReportCuttingCard', {})).toMatchObject({ refused: 'shoe-not-ready' });
});

test('a virtual table draws its cutting card automatically', () => {
  const scenario = new TableScenario();
  scenario.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false, behind: 410 }) },
    floor,
  );
  const shoe = scenario.virtualShoe('9S 2C 9H 4D 9S 2C 9H 4D');
  expect(scenario.refusal('ReportCuttingCard', {})).toMatchObject({ refused: 'not-here' });
  const slots = ['P1', 'B1', 'P2', 'B2'] as const;
  closed(scenario);
  for (const [n, slot] of slots.entries()) scenario.do('DealCard', { slot, ...shoe.at(n) }, floor);
  scenario.wait(2_000).do('Settle', {}, floor);
  closed(scenario);
  for (const [n, slot] of slots.entries()) {
    const dealt = scenario.do('DealCard', { slot, ...shoe.at(n + 4) }, floor);
    expect(dealt.map(({ type }) => type)).toEqual(n === 2 ? ['CuttingCardOut', 'CardDealt'] : ['CardDealt']);
  }
  scenario.wait(2_000).do('Settle', {}, floor);
  expect(scenario.refusal('OpenBets', {}, floor)).toMatchObject({ refused: 'shoe-over' });
});

test('the first card of a shoe determines how many more are burned, if the settings require it', () => {
  const scenario = readyTable('tiger', { burn: 'first-card' });
  expect(buildDealerView(scenario.table!).next).toEqual(['BurnCards']);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'burn-first' });
  expect(scenario.refusal('BurnCards', { card: 'XX' })).toMatchObject({ refused: 'unknown-card' });
  expect(scenario.do('BurnCards', { card: 'KD' })[0]).toMatchObject({ type: 'CardsBurned', card: 'KD', count: 10 });
  expect(scenario.refusal('BurnCards', { card: 'KD' })).toMatchObject({ refused: 'not-now' });
  expect(scenario.table!.shoe).toMatchObject({ drawn: 11, seen: { KD: 1 } });
  expect(scenario.do('OpenBets', {})).toHaveLength(1);
  expect(readyTable('tiger').refusal('BurnCards', { card: 'KD' })).toMatchObject({ refused: 'not-here' });
  expect(openedTable('tiger', { burn: 'first-card' }).refusal('BurnCards', { card: 'KD' })).toMatchObject({
    refused: 'shoe-not-ready',
  });
  const unseen = new TableScenario();
  unseen.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false, burn: 'first-card' }) },
    floor,
  );
  const shoe = unseen.virtualShoe('AS 2C 9H 4D');
  expect(unseen.refusal('BurnCards', { card: 'AS' }, floor)).toMatchObject({ refused: 'wrong-proof' });
  expect(unseen.do('BurnCards', shoe.at(0), floor)[0]).toMatchObject({ card: 'AS', count: 1, index: 3 });
  expect(closed(unseen).do('DealCard', { slot: 'P1', ...shoe.at(2) }, floor)[0]).toMatchObject({
    card: '9H',
    index: 5,
  });
});

test('a live card has no proof, and a keyed one is marked as such', () => {
  const scenario = readyTable('tiger', { dealing: 'scanned' }).bets().close();
  expect(scenario.refusal('DealCard', { slot: 'P1', card: '9S', salt: saltOf(1) })).toMatchObject({
    refused: 'not-here',
  });
  expect(scenario.refusal('DealCard', { slot: 'P1', card: 'joker' })).toMatchObject({ refused: 'unknown-card' });
  expect(scenario.do('DealCard', { slot: 'P1', card: '9S', keyed: true })[0]).toMatchObject({ keyed: true });
  expect(scenario.do('DealCard', { slot: 'B1', card: '9s' })[0]).toMatchObject({ card: '9S' });
});

test('[HOUSE 9] the dealer alone takes back the last entry until the next card or the result', () => {
  const scenario = readyTable('tiger').bets().close();
  expect(scenario.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'ETG 6.3' });
  scenario.deal('9S 2C');
  expect(scenario.do('TakeBackCard', {})[0]).toMatchObject({ type: 'CardTakenBack', slot: 'B1', card: '2C' });
  expect(scenario.table!.shoe).toMatchObject({ drawn: 1, seen: { '9S': 1, '2C': 0 } });
  scenario.deal('3C 9H 4D');
  expect(scenario.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
});

test('a shoe is prepared step by step, between rounds, and only when there is one', () => {
  const scenario = openedTable('tiger');
  expect(scenario.refusal('ShuffleShoe', { method: 'x' })).toMatchObject({ refused: 'shoe-not-ready' });
  expect(scenario.refusal('CutShoe', { behind: 14 })).toMatchObject({ refused: 'shoe-not-ready' });
  expect(scenario.refusal('VerifyShoe', {})).toMatchObject({ refused: 'shoe-not-ready' });
  expect(readyTable('tiger').bets().refusal('BringShoe', { shoe: 'S2', seal: 'x' })).toMatchObject({
    refused: 'not-now',
    phase: 'betting',
  });
});

test('the count of a live shoe lists only the surplus and missing cards', () => {
  const seen = Object.fromEntries(cardsOf('french').map((card) => [card, 8]));
  const [, ended] = readyTable('tiger').doByTwo('EndShoe', { seen: { ...seen, KS: 9, '4D': 6 } });
  const { extra, missing } = ended as unknown as { extra: object; missing: object };
  expect([extra, missing]).toEqual([{ KS: 1 }, { '4D': 2 }]);
});

test('a locked virtual shoe ends opened or unopened, not partly opened', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = scenario.virtualShoe(natural);
  scenario.do('ReportIrregularity', { kind: 'order-altered' }, floor);
  scenario.do('VoidRound', { reason: 'lost' }, floor);
  for (const fields of [{ cards }, { salts }, { seen: {} }]) {
    expect(scenario.refusal('EndShoe', fields, floor)).toMatchObject({ refused: 'not-here' });
  }
  expect(scenario.do('EndShoe', {}, floor)[0]).toMatchObject({ unopened: true });
});

test('six cards behind the cutting card are enough; the count of a shoe shows the expected number', () => {
  const scenario = openedTable('tiger');
  scenario.do('BringShoe', { shoe: 'S1', seal: 'x' });
  expect(scenario.do('CutShoe', { behind: 6 })).toHaveLength(1);
  expect(scenario.refusal('CutShoe', { behind: 416 })).toMatchObject({ refused: 'wrong-count', expected: 416 });
  expect(scenario.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count', expected: 416 });
});

test('salt and proof are both needed, and for a live shoe neither', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const shoe = scenario.virtualShoe(natural);
  scenario.do('OpenBets', {}, floor);
  scenario.wait(20_000).do('CallClose', {}, floor);
  scenario.wait(500).do('CloseBets', {}, floor);
  const { card, salt, proof } = shoe.at(0);
  expect(scenario.refusal('DealCard', { slot: 'P1', card, salt }, floor)).toMatchObject({ refused: 'wrong-proof' });
  expect(scenario.refusal('DealCard', { slot: 'P1', card, proof }, floor)).toMatchObject({ refused: 'wrong-proof' });
  const live = readyTable('tiger').bets().close();
  expect(live.refusal('DealCard', { slot: 'P1', card, proof })).toMatchObject({ refused: 'not-here' });
  expect(live.refusal('DealCard', { slot: 'P1', card, salt })).toMatchObject({ refused: 'not-here' });
});

test('a live shoe ends by its count alone, a virtual one by its cards and salts alone', () => {
  const live = readyTable('tiger');
  expect(live.refusal('EndShoe', { seen: {}, cards: [] })).toMatchObject({ refused: 'not-here' });
  expect(live.refusal('EndShoe', { seen: {}, salts: [] })).toMatchObject({ refused: 'not-here' });
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = scenario.virtualShoe(natural);
  expect(scenario.refusal('EndShoe', { cards }, floor)).toMatchObject({ refused: 'not-here' });
  expect(scenario.refusal('EndShoe', { salts }, floor)).toMatchObject({ refused: 'not-here' });
  expect(isWholeShoe({ shoe: 'V1', size: 416, root: scenario.table!.shoe!.root! }, cards, salts)).toBe(true);
  expect(scenario.do('EndShoe', { cards, salts }, floor)[0]).toMatchObject({ extra: {}, missing: {} });
  scenario.do('CommitShoe', { shoe: 'V2', root: saltOf(1) }, shuffler);
  expect(scenario.refusal('ChooseCutPosition', { cutPosition: 1 }, shuffler)).toMatchObject({ refused: 'same-person' });
});

test('a virtual shoe is reported for too few cards once its last card is out', () => {
  const scenario = new TableScenario();
  scenario.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  scenario.virtualShoe(natural);
  scenario.do('OpenBets', {}, floor);
  scenario.wait(20_000).do('CallClose', {}, floor);
  scenario.wait(500).do('CloseBets', {}, floor);
  scenario.table!.shoe!.drawn = 416;
  expect(scenario.do('ReportIrregularity', { kind: 'too-few-cards' }, floor)[0]).toMatchObject({
    by: 'ETG 5.3',
    rulings: ['void'],
  });
  expect(scenario.do('VoidRound', { reason: 'empty' }, floor)[0]).toMatchObject({ type: 'RoundVoided', by: 'ETG 5.3' });
});

test('[READING 29] a virtual shoe with a lost order is voided, locked, and removed unopened by two persons', () => {
  const scenario = new TableScenario();
  scenario.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  const shoe = scenario.virtualShoe(natural);
  expect(scenario.refusal('EndShoe', {})).toMatchObject({ refused: 'not-here' });
  scenario.bets({ T1: { tie: 100 } }).close();
  scenario.do('DealCard', { slot: 'P1', ...shoe.at(0) });
  scenario.do('ReportIrregularity', { kind: 'too-few-cards', note: 'the device gives no card' });
  scenario.doByTwo('VoidRound', { reason: 'the device gives no card' });
  const [, ended] = scenario.doByTwo('EndShoe', {});
  expect(ended).toMatchObject({ type: 'ShoeEnded', unopened: true, expected: 416, seen: 1, extra: {}, missing: {} });
  expect(scenario.do('CommitShoe', { shoe: 'V2', root: 'b'.repeat(64) }, shuffler)).toHaveLength(1);
});

/** A live shoe of four decks with this many cards out, the last of them in a round. */
function drawnTo(out: number, changes: { readonly [field: string]: unknown } = {}): TableScenario {
  const scenario = readyTable('baccarat', { decks: 4, ...changes });
  scenario.table!.shoe!.drawn = out - 4;
  return scenario.playRound('9S 2C 9H 4D');
}

test('[READING 58] a cutting card that must be out by count is required before the next opening', () => {
  const due = { refused: 'cutting-card-due', by: 'HOUSE 3' };
  expect(drawnTo(194).do('OpenBets', {})).toHaveLength(1);
  const scenario = drawnTo(195);
  expect(scenario.refusal('OpenBets', {})).toMatchObject(due);
  expect(buildDealerView(scenario.table!).next).toEqual([
    'ReportCuttingCard',
    'CorrectCut',
    'ReportIrregularity',
    'EndShoe',
    'SealShoe',
  ]);
  // It was drawn in the round before, which was the last.
  expect(scenario.do('ReportCuttingCard', {})).toMatchObject([{ roundsLeft: 0 }]);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over' });
  const more = drawnTo(195, { roundsAfterCut: 1 });
  more.do('ReportCuttingCard', {});
  expect(more.bets().close().deal('9S 2C 9H 4D').settle().refusal('OpenBets', {})).toMatchObject({
    refused: 'shoe-over',
  });
});

test('[READING 58] a wrongly recorded cutting depth is corrected by two persons, between rounds', () => {
  const scenario = drawnTo(195);
  const correct = (behind: number) => ({ behind, reason: 'measured again' });
  expect(scenario.refusal('CorrectCut', correct(5))).toMatchObject({ refused: 'too-few-behind-cut', minimum: 6 });
  expect(scenario.refusal('CorrectCut', correct(208))).toMatchObject({ refused: 'wrong-count', by: 'HOUSE 3' });
  expect(scenario.doByTwo('CorrectCut', correct(12))[1]).toMatchObject({
    type: 'CutCorrected',
    shoe: 'S1',
    was: 14,
    behind: 12,
    by: 'HOUSE 3',
  });
  scenario.bets();
  expect(scenario.refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'not-now', by: 'HOUSE 3' });
  scenario.do('VoidRound', { reason: 'x' });
  scenario.do('ReportCuttingCard', {});
  expect(scenario.refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'not-now' });
  expect(openedTable('baccarat').refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'shoe-not-ready' });
  const committed = openedTable('baccarat', { dealing: 'virtual' });
  expect(committed.refusal('CorrectCut', correct(13))).toMatchObject({ refused: 'not-here' });
});

test('[READING 58] a cutting card that is not found is declared missing: the shoe ends as if it had been drawn, and it is referred', () => {
  const scenario = drawnTo(195);
  expect(scenario.do('ReportIrregularity', { kind: 'cutting-card-missing' })).toMatchObject([
    { type: 'IrregularityFound', kind: 'cutting-card-missing', by: 'HOUSE 3', stops: false },
    { type: 'CuttingCardOut', by: 'HOUSE 3', roundsLeft: 0, missing: true },
    { type: 'Referred', referral: 'R1', by: 'HOUSE 3', reason: 'The cutting card is missing.' },
  ]);
  expect(scenario.table!.referrals[0]!.round).toBeNull();
  scenario.do('DecideReferral', { decision: 'continue', reason: 'look for it' }, shiftManager);
  expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over', by: 'HOUSE 3' });
  expect(drawnTo(194).refusal('ReportIrregularity', { kind: 'cutting-card-missing' })).toMatchObject({
    refused: 'not-now',
    by: 'HOUSE 3',
  });
});
