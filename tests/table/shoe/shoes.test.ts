import { expect, test } from 'vitest';
import { isCommittedShoe } from '../../../src/rules/shoeCommitment.ts';
import { cardsOfDeck } from '../../../src/rules/card.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
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
} from '../tableScenario.ts';

const allCounted = (changes: { readonly [card: string]: number } = {}) => ({
  ...Object.fromEntries(cardsOfDeck('french').map((card) => [card, 8])),
  ...changes,
});

test('a live shoe is brought, counted, shuffled and cut, and verified by two persons', () => {
  const table = openedTable('tiger');
  expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
  expect(table.refusal('CountCards', { cards: 416 })).toMatchObject({ refused: 'shoe-not-ready' });
  table.do('BringShoe', { shoe: 'S1', seal: 'seal 17' });
  expect(table.refusal('BringShoe', { shoe: 'S2', seal: 'seal 18' })).toMatchObject({ refused: 'not-now' });
  expect(table.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count', expected: 416 });
  table.do('CountCards', { cards: 415 });
  expect(table.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count' });
  table.do('CountCards', { cards: 416 });
  expect(table.refusal('VerifyShoe', {})).toMatchObject({ refused: 'shoe-not-ready', by: 'ETG 3.10' });
  table.do('ShuffleShoe', { method: 'by hand' });
  expect(table.refusal('CutShoe', { behind: 5 })).toMatchObject({
    refused: 'too-few-behind-cut',
    minimum: 6,
    by: 'ETG 3.10',
  });
  expect(table.refusal('CutShoe', { behind: 416 })).toMatchObject({ refused: 'wrong-count' });
  table.do('CutShoe', { behind: 14 });
  table.do('VerifyShoe', {});
  expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
  const { id, hash } = table.table!.proposal!;
  expect(
    table.refusal('Approve', { proposal: id, hash }, { ...dealer, acting: 'supervisor', until: table.at }),
  ).toMatchObject({ refused: 'same-person' });
  const [, verified] = table.do('Approve', { proposal: id, hash }, supervisor);
  expect(verified).toMatchObject({ type: 'ShoeVerified', actor: dealer, second: supervisor, shuffled: true });
  expect(table.refusal('ShuffleShoe', { method: 'again' })).toMatchObject({ refused: 'not-now' });
  expect(table.refusal('CommitShoe', { shoe: 'V1', root: saltOf(1) })).toMatchObject({ refused: 'not-here' });
  expect(table.refusal('ChooseCutPosition', { cutPosition: 1 })).toMatchObject({ refused: 'not-here' });
  expect(table.do('OpenBets', {})).toHaveLength(1);
});

test('[ETG 5.1.unshuffled] a shoe without a recorded shuffle warns the dealer before its first round', () => {
  const table = openedTable('tiger');
  table.do('BringShoe', { shoe: 'S1', seal: 'seal 17' });
  table.do('CountCards', { cards: 416 });
  table.do('CutShoe', { behind: 14 });
  table.doByTwo('VerifyShoe', {});
  expect(buildDealerView(table.table!).warnings).toEqual(['not-shuffled']);
  expect(buildDealerView(readyTable('tiger').table!).warnings).toEqual([]);
});

const virtual = () => {
  const table = new TableScenario();
  table.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  return table;
};

test('a virtual shoe is committed, then a terminal chooses the cut position, and only then bets open', () => {
  const table = virtual();
  expect(table.refusal('ChooseCutPosition', { cutPosition: 0 }, { terminal: 'T1' })).toMatchObject({
    refused: 'shoe-not-ready',
  });
  expect(table.refusal('BringShoe', { shoe: 'S1', seal: 'x' })).toMatchObject({ refused: 'not-here' });
  expect(table.do('CommitShoe', { shoe: 'V1', root: saltOf(7) }, shuffler)).toMatchObject([
    { type: 'ShoeCommitted', shoe: 'V1', scheme: 'rfc9162-sha256', root: saltOf(7), size: 416, behind: 14 },
  ]);
  expect(table.refusal('CountCards', { cards: 416 })).toMatchObject({ refused: 'not-here' });
  expect(table.refusal('OpenBets', {}, floor)).toMatchObject({ refused: 'shoe-not-ready' });
  expect(table.refusalClause('ChooseCutPosition', { cutPosition: 0 }, shuffler)).toEqual(['same-person', 'ETG 6.2']);
  expect(table.refusal('ChooseCutPosition', { cutPosition: 416 }, { terminal: 'T1' })).toMatchObject({
    refused: 'bad-request',
  });
  table.do('ChooseCutPosition', { cutPosition: 415 }, { terminal: 'T1' });
  expect(table.refusal('ChooseCutPosition', { cutPosition: 1 }, { terminal: 'T2' })).toMatchObject({
    refused: 'not-now',
  });
  expect(table.do('OpenBets', {}, floor)).toHaveLength(1);
  expect(publicView(table.table!).shoe).toMatchObject({ root: saltOf(7), cutPosition: 415 });
});

/** An unattended round up to the deal. */
function closed(table: TableScenario): TableScenario {
  table.do('OpenBets', {}, floor);
  table.wait(20_000).do('CallClose', {}, floor);
  table.wait(500).do('CloseBets', {}, floor);
  return table;
}

test('each card of a virtual shoe comes with its salt and proof, and the table checks it', () => {
  const table = virtual();
  const shoe = table.virtualShoe('9S 2C 9H 4D');
  closed(table);
  const first = shoe.at(0);
  const wrong = { refused: 'wrong-proof', by: null };
  expect(table.refusal('DealCard', { slot: 'P1', card: '9S' }, floor)).toMatchObject(wrong);
  expect(table.refusal('DealCard', { slot: 'P1', ...first, card: '9H' }, floor)).toMatchObject(wrong);
  expect(table.refusal('DealCard', { slot: 'P1', ...first, salt: saltOf(99) }, floor)).toMatchObject(wrong);
  expect(table.refusal('DealCard', { slot: 'P1', ...first, proof: first.proof.slice(1) }, floor)).toMatchObject(wrong);
  expect(table.refusal('DealCard', { slot: 'P1', ...first, proof: [...first.proof, saltOf(1)] }, floor)).toMatchObject(
    wrong,
  );
  expect(table.refusal('DealCard', { slot: 'P1', ...shoe.at(1) }, floor)).toMatchObject(wrong);
  expect(table.refusal('DealCard', { slot: 'P1', ...first, keyed: true }, floor)).toMatchObject({
    refused: 'not-here',
  });
  expect(table.do('DealCard', { slot: 'P1', ...first }, floor)[0]).toMatchObject({
    index: 3,
    card: '9S',
    salt: first.salt,
  });
  expect(table.refusal('TakeBackCard', {}, dealer)).toMatchObject({ refused: 'card-proven' });
  for (const [drawn, slot] of (['B1', 'P2', 'B2'] as const).entries())
    table.do('DealCard', { slot, ...shoe.at(drawn + 1) }, floor);
  expect(publicView(table.table!).round!.cards[0]).toEqual({
    card: '9S',
    index: 3,
    salt: first.salt,
    proof: first.proof,
  });
  expect(JSON.stringify(table.table)).not.toContain(saltOf(7));
});

test('when a virtual shoe ends all its cards and salts are opened and checked as a whole', () => {
  const table = virtual();
  const { cards, salts } = table.virtualShoe('9S 2C 9H 4D');
  const end = (fields: object) => table.refusal('EndShoe', fields, floor);
  expect(end({})).toMatchObject({ refused: 'not-here' });
  expect(end({ cards, salts, seen: {} })).toMatchObject({ refused: 'not-here' });
  expect(end({ cards: cards.with(0, 'KD').with(1, 'KD'), salts })).toMatchObject({ refused: 'wrong-proof' });
  expect(end({ cards: cards.slice(1), salts: salts.slice(1) })).toMatchObject({ refused: 'wrong-proof' });
  expect(end({ cards: cards.map(String).with(0, 'L3'), salts })).toMatchObject({ refused: 'wrong-deck' });
  expect(table.do('EndShoe', { cards, salts }, floor)[0]).toMatchObject({
    type: 'ShoeEnded',
    expected: 416,
    seen: 416,
    extra: {},
    missing: {},
    cards,
    salts,
  });
  expect(table.refusal('CommitShoe', { shoe: 'V1', root: saltOf(1) }, shuffler)).toMatchObject({
    refused: 'shoe-used',
  });
  expect(end({ cards, salts })).toMatchObject({ refused: 'shoe-not-ready' });
});

test('[READING 25] the count of a live shoe is a report: expected against counted cards', () => {
  const table = readyTable('tiger').playRound('9S 2C 9H 4D');
  const pair = [dealer, supervisor] as const;
  expect(table.refusal('EndShoe', {})).toMatchObject({ refused: 'not-here' });
  expect(table.refusal('EndShoe', { seen: { XX: 1 } })).toMatchObject({ refused: 'unknown-card' });
  const [, ended] = table.doByTwo('EndShoe', { seen: allCounted({ KS: 9, '4D': 7 }) }, pair);
  expect(ended).toMatchObject({ expected: 416, seen: 416, extra: { KS: 1 }, missing: { '4D': 1 } });
  expect(publicView(table.table!)).toMatchObject({ shoe: null, round: { winner: 'player' } });
  expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
  const other = readyTable('tiger');
  expect(other.bets().refusal('EndShoe', { seen: allCounted() })).toMatchObject({ refused: 'not-now' });
});

test.each(['baccarat', 'tiger'])(
  '[READING 23] at %s the round in which the cutting card shows is the last by default, also before its first card',
  (game) => {
    for (const before of ['', '9S', '9S 2C 9H']) {
      const table = readyTable(game).bets().close();
      expect(table.table!.settings.roundsAfterCut).toBe(0);
      const cards = '9S 2C 9H 4D'.split(' ');
      table.deal(before);
      expect(table.do('ReportCuttingCard', {})[0]).toMatchObject({ roundsLeft: 0 });
      table.deal(cards.slice(before === '' ? 0 : before.split(' ').length).join(' ')).settle();
      expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over' });
    }
  },
);

test('[READING 23] one more round follows when the settings say so, unless the cutting card came first', () => {
  const table = readyTable('baccarat', { roundsAfterCut: 1 }).bets().close().deal('9S');
  expect(table.do('ReportCuttingCard', {})[0]).toMatchObject({ roundsLeft: 1, by: 'HOUSE 3' });
  table.deal('2C 9H 4D').settle().playRound('9S 2C 9H 4D');
  expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-over', by: 'HOUSE 3' });
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
  const table = new TableScenario();
  table.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false, behind: 410 }) },
    floor,
  );
  const shoe = table.virtualShoe('9S 2C 9H 4D 9S 2C 9H 4D');
  expect(table.refusal('ReportCuttingCard', {})).toMatchObject({ refused: 'not-here' });
  const slots = ['P1', 'B1', 'P2', 'B2'] as const;
  closed(table);
  for (const [n, slot] of slots.entries()) table.do('DealCard', { slot, ...shoe.at(n) }, floor);
  table.wait(2_000).do('Settle', {}, floor);
  closed(table);
  for (const [n, slot] of slots.entries()) {
    const dealt = table.do('DealCard', { slot, ...shoe.at(n + 4) }, floor);
    expect(dealt.map(({ type }) => type)).toEqual(n === 2 ? ['CuttingCardOut', 'CardDealt'] : ['CardDealt']);
  }
  table.wait(2_000).do('Settle', {}, floor);
  expect(table.refusal('OpenBets', {}, floor)).toMatchObject({ refused: 'shoe-over' });
});

test('the opening of bets never waits for the cutting card of a virtual shoe, which shows with the next card', () => {
  const table = virtual();
  const shoe = table.virtualShoe(natural);
  table.table!.shoe!.drawn = 403;
  closed(table);
  expect(table.do('DealCard', { slot: 'P1', ...shoe.at(403) }, floor).map(({ type }) => type)).toEqual([
    'CuttingCardOut',
    'CardDealt',
  ]);
});

test('the first card of a shoe determines how many more are burned, if the settings require it', () => {
  const table = readyTable('tiger', { burn: 'first-card' });
  expect(buildDealerView(table.table!).next).toEqual(['BurnCards']);
  expect(table.refusal('OpenBets', {})).toMatchObject({ refused: 'burn-first' });
  expect(table.refusal('BurnCards', { card: 'XX' })).toMatchObject({ refused: 'unknown-card' });
  expect(table.do('BurnCards', { card: 'KD' })[0]).toMatchObject({ type: 'CardsBurned', card: 'KD', count: 10 });
  expect(table.refusal('BurnCards', { card: 'KD' })).toMatchObject({ refused: 'not-now' });
  expect(table.table!.shoe).toMatchObject({ drawn: 11, seen: { KD: 1 } });
  expect(table.do('OpenBets', {})).toHaveLength(1);
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
  const table = readyTable('tiger', { dealing: 'scanned' }).bets().close();
  expect(table.refusal('DealCard', { slot: 'P1', card: '9S', salt: saltOf(1) })).toMatchObject({ refused: 'not-here' });
  expect(table.refusal('DealCard', { slot: 'P1', card: 'joker' })).toMatchObject({ refused: 'unknown-card' });
  expect(table.do('DealCard', { slot: 'P1', card: '9S', keyed: true })[0]).toMatchObject({ keyed: true });
  expect(table.do('DealCard', { slot: 'B1', card: '9s' })[0]).toMatchObject({ card: '9S' });
});

test('[HOUSE 9] the dealer alone takes back the last entry until the next card or the result', () => {
  const table = readyTable('tiger').bets().close();
  expect(table.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now', by: 'ETG 6.3' });
  table.deal('9S 2C');
  expect(table.do('TakeBackCard', {})[0]).toMatchObject({ type: 'CardTakenBack', slot: 'B1', card: '2C' });
  expect(table.table!.shoe).toMatchObject({ drawn: 1, seen: { '9S': 1, '2C': 0 } });
  table.deal('3C 9H 4D');
  expect(table.refusal('TakeBackCard', {})).toMatchObject({ refused: 'not-now' });
});

test('a shoe is prepared step by step, between rounds, and only when there is one', () => {
  const table = openedTable('tiger');
  expect(table.refusal('ShuffleShoe', { method: 'x' })).toMatchObject({ refused: 'shoe-not-ready' });
  expect(table.refusal('CutShoe', { behind: 14 })).toMatchObject({ refused: 'shoe-not-ready' });
  expect(table.refusal('VerifyShoe', {})).toMatchObject({ refused: 'shoe-not-ready' });
  expect(readyTable('tiger').bets().refusal('BringShoe', { shoe: 'S2', seal: 'x' })).toMatchObject({
    refused: 'not-now',
    phase: 'betting',
    message: expect.stringContaining('finish the round first') as string,
  });
});

test('the count of a live shoe lists only the surplus and missing cards', () => {
  const seen = Object.fromEntries(cardsOfDeck('french').map((card) => [card, 8]));
  const [, ended] = readyTable('tiger').doByTwo('EndShoe', { seen: { ...seen, KS: 9, '4D': 6 } });
  const { extra, missing } = ended as unknown as { extra: object; missing: object };
  expect([extra, missing]).toEqual([{ KS: 1 }, { '4D': 2 }]);
});

test('a locked virtual shoe ends opened or unopened, not partly opened', () => {
  const table = new TableScenario();
  table.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = table.virtualShoe(natural);
  table.do('ReportIrregularity', { kind: 'order-altered' }, floor);
  table.do('VoidRound', { reason: 'lost' }, floor);
  for (const fields of [{ cards }, { salts }, { seen: {} }]) {
    expect(table.refusal('EndShoe', fields, floor)).toMatchObject({ refused: 'not-here' });
  }
  expect(table.do('EndShoe', {}, floor)[0]).toMatchObject({ unopened: true });
});

test('six cards behind the cutting card are enough; the count of a shoe shows the expected number', () => {
  const table = openedTable('tiger');
  table.do('BringShoe', { shoe: 'S1', seal: 'x' });
  expect(table.do('CutShoe', { behind: 6 })).toHaveLength(1);
  expect(table.refusal('CutShoe', { behind: 416 })).toMatchObject({ refused: 'wrong-count', expected: 416 });
  expect(table.refusal('VerifyShoe', {})).toMatchObject({ refused: 'wrong-count', expected: 416 });
});

test('salt and proof are both needed, and for a live shoe neither', () => {
  const table = new TableScenario();
  table.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const shoe = table.virtualShoe(natural);
  table.do('OpenBets', {}, floor);
  table.wait(20_000).do('CallClose', {}, floor);
  table.wait(500).do('CloseBets', {}, floor);
  const { card, salt, proof } = shoe.at(0);
  expect(table.refusal('DealCard', { slot: 'P1', card, salt }, floor)).toMatchObject({ refused: 'wrong-proof' });
  expect(table.refusal('DealCard', { slot: 'P1', card, proof }, floor)).toMatchObject({ refused: 'wrong-proof' });
  const live = readyTable('tiger').bets().close();
  expect(live.refusal('DealCard', { slot: 'P1', card, proof })).toMatchObject({ refused: 'not-here' });
  expect(live.refusal('DealCard', { slot: 'P1', card, salt })).toMatchObject({ refused: 'not-here' });
});

test('a live shoe ends by its count alone, a virtual one by its cards and salts alone', () => {
  const live = readyTable('tiger');
  expect(live.refusal('EndShoe', { seen: {}, cards: [] })).toMatchObject({ refused: 'not-here' });
  expect(live.refusal('EndShoe', { seen: {}, salts: [] })).toMatchObject({ refused: 'not-here' });
  const table = new TableScenario();
  table.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  const { cards, salts } = table.virtualShoe(natural);
  expect(table.refusal('EndShoe', { cards }, floor)).toMatchObject({ refused: 'not-here' });
  expect(table.refusal('EndShoe', { salts }, floor)).toMatchObject({ refused: 'not-here' });
  expect(isCommittedShoe({ shoe: 'V1', size: 416, root: table.table!.shoe!.root! }, cards, salts)).toBe(true);
  expect(table.do('EndShoe', { cards, salts }, floor)[0]).toMatchObject({ extra: {}, missing: {} });
  table.do('CommitShoe', { shoe: 'V2', root: saltOf(1) }, shuffler);
  expect(table.refusal('ChooseCutPosition', { cutPosition: 1 }, shuffler)).toMatchObject({ refused: 'same-person' });
});

test('a virtual shoe is reported for too few cards once its last card is out', () => {
  const table = new TableScenario();
  table.do('OpenTable', { settings: defaultSettings('tiger', { dealing: 'virtual', attended: false }) }, floor);
  table.virtualShoe(natural);
  table.do('OpenBets', {}, floor);
  table.wait(20_000).do('CallClose', {}, floor);
  table.wait(500).do('CloseBets', {}, floor);
  table.table!.shoe!.drawn = 416;
  expect(table.do('ReportIrregularity', { kind: 'too-few-cards' }, floor)[0]).toMatchObject({
    by: 'ETG 5.3',
    rulings: ['void'],
  });
  expect(table.do('VoidRound', { reason: 'empty' }, floor)[0]).toMatchObject({ type: 'RoundVoided', by: 'ETG 5.3' });
});

test('[READING 29] a virtual shoe with a lost order is voided, locked, and removed unopened by two persons', () => {
  const table = new TableScenario();
  table.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  const shoe = table.virtualShoe(natural);
  expect(table.refusal('EndShoe', {})).toMatchObject({ refused: 'not-here' });
  table.bets({ T1: { tie: 100 } }).close();
  table.do('DealCard', { slot: 'P1', ...shoe.at(0) });
  table.do('ReportIrregularity', { kind: 'too-few-cards', note: 'the device gives no card' });
  table.doByTwo('VoidRound', { reason: 'the device gives no card' });
  const [, ended] = table.doByTwo('EndShoe', {});
  expect(ended).toMatchObject({ type: 'ShoeEnded', unopened: true, expected: 416, seen: 1, extra: {}, missing: {} });
  expect(table.do('CommitShoe', { shoe: 'V2', root: 'b'.repeat(64) }, shuffler)).toHaveLength(1);
});
