import { expect, test } from 'vitest';
import { publicView } from '../../../src/table/views/publicView.ts';
import {
  TableScenario as Seat,
  dealer,
  floor,
  pitManager,
  readyTable,
  shiftManager,
  supervisor,
  defaultSettings,
} from '../tableScenario.ts';

const stakes = { T1: { banker: 1000, tie: 100 }, T2: { player: 500 } };
const late = [supervisor, shiftManager] as const;

test('[ETG 5.8] cards drawn together are placed in their order when it is known; otherwise the round is void and the shoe goes on', () => {
  for (const cards of ['', '9S', '9S 2C', '2S 3H AC', '2S 3H AC 2D']) {
    const table = readyTable('tiger').bets(stakes).close().deal(cards);
    table.do('ReportIrregularity', { kind: 'drawn-together' });
    const kind = cards.split(' ').length <= 3 ? 'drawn-together' : 'third-cards-together';
    expect(table.table!.openIrregularities[0]).toMatchObject({ kind, by: 'ETG 5.8' });
    const order = [...(cards === '' ? [] : cards.split(' ')), '4H', '4D'];
    table.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'the upper card first' });
    expect(table.table!.round!.cards).toEqual(order);
    table.do('ReportIrregularity', { kind: 'wrong-order' });
    const other = readyTable('tiger').bets(stakes).close().deal(cards);
    other.do('ReportIrregularity', { kind: 'drawn-together' });
    other.doByTwo('VoidRound', { reason: 'nobody knows' });
    expect(other.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.8.1' } }, shoe: { lockedBy: null } });
  }
  const table = readyTable('tiger').bets();
  expect(table.refusal('ReportIrregularity', { kind: 'drawn-together' })).toMatchObject({ refused: 'not-now' });
});

for (const [game, book] of [
  ['baccarat', 'BAC'],
  ['sands-super', 'SUP'],
  ['sands-elements', 'ELM'],
  ['fabulous-4', 'FAB'],
] as const) {
  const inDeck = (cards: string): string[] =>
    cards
      .split(' ')
      .filter(Boolean)
      .map((card) => (book === 'ELM' ? `${card[0]}${'CDHS'.indexOf(card[1]!) + 1}` : card));
  test.each(['', '9S', '9S 2C', '2S 3H AC'])(
    `[${book} 5.3] at ${game} cards drawn together after "%s" are placed in their order when it is known; else the round is void`,
    (cards) => {
      const reported = () => {
        const table = readyTable(game)
          .bets({ T1: { player: 1000 } })
          .close();
        for (const card of inDeck(cards)) table.deal(card);
        expect(table.do('ReportIrregularity', { kind: 'drawn-together' })).toMatchObject([{ by: `${book} 5.3` }]);
        return table;
      };
      const order = [...inDeck(cards), ...inDeck('4H 4D')];
      const known = reported();
      known.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'the upper card first' });
      expect(known.table!.round).toMatchObject({ cards: order, ending: null });
      const unknown = reported();
      unknown.doByTwo('VoidRound', { reason: 'the order is unknown' });
      expect(unknown.table).toMatchObject({ round: { ending: { voidBy: `${book} 5.3` } }, shoe: { lockedBy: null } });
      expect(unknown.balance('T1')).toBe(0);
    },
  );

  test(`[${book} 5.2] at ${game} a hand with too few cards is rebuilt from the draw order, in the round and after it is settled`, () => {
    // The Player, with 4, is due the fifth card, which was laid to the Banker.
    const four = inDeck('2C 3D 2H TS');
    const [fifth, sixth] = inDeck('6D 2S') as [string, string];
    const cards = [...four, fifth];
    const short = readyTable(game)
      .bets({ T1: { player: 1000 } })
      .close()
      .deal(four.join(' '));
    short.do('ReportIrregularity', {
      kind: 'wrong-number',
      note: 'the Player hand has two cards, the Banker hand three',
    });
    short.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'as drawn' });
    const laid = (one: typeof short) => publicView(one.table!).round;
    expect(laid(short)).toMatchObject({
      player: { cards: [four[0], four[2], fifth], total: 0 },
      banker: { cards: [four[1], four[3]], total: 3 },
      next: 'B3',
    });
    short.deal(sixth).settle();
    expect(short.balance('T1')).toBe(-1000);

    // Settled as a natural nine against six, of which a nine was a four: both hands have a card too few.
    const settled = readyTable(game).playRound(inDeck('9S 2C TH 4D').join(' '), { T1: { player: 1000 } });
    const [wrong, right] = inDeck('9S 4S') as [string, string];
    settled.doByTwo('CorrectCard', { round: settled.round, place: 1, card: right, reason: `not ${wrong}` }, late);
    expect(laid(settled)).toMatchObject({ player: { total: 4 }, next: 'P3' });
    settled.do('ReportIrregularity', { kind: 'wrong-number', note: 'each hand has two cards' });
    const drawn = [right, ...inDeck('2C TH 4D'), ...inDeck('7C')];
    settled.doByTwo('ReconstructRound', { cards: drawn, unseen: false, reason: 'as drawn' }, late);
    expect(laid(settled)).toMatchObject({ player: { total: 1 }, banker: { total: 6 }, next: 'B3' });
    settled
      .deal(inDeck('AC')[0]!)
      .wait(2_000)
      .do('Settle', { credits: { T1: 5000 } });
    expect(settled.events('RoundResettled')).toHaveLength(1);
    expect(settled.balance('T1')).toBe(-1000);
  });
}

test('[READING 69] third cards drawn together in a live game void the round, and the shoe goes on with the cards out', () => {
  const table = readyTable('sands-super')
    .bets({ T1: { player: 500 } })
    .close()
    .deal('2S 3H AC 2D');
  expect(table.do('ReportIrregularity', { kind: 'drawn-together' })[0]).toMatchObject({ by: 'HOUSE 8' });
  table.doByTwo('VoidRound', { reason: 'nobody knows' });
  expect(table.table).toMatchObject({ round: { ending: { voidBy: 'HOUSE 8' } }, shoe: { lockedBy: null, drawn: 6 } });
  table.bets();
  const early = readyTable('sands-super')
    .bets({ T1: { player: 500 } })
    .close()
    .deal('2S');
  early.do('ReportIrregularity', { kind: 'drawn-together' });
  early.doByTwo('VoidRound', { reason: 'nobody knows' });
  expect(early.table).toMatchObject({ round: { ending: { voidBy: 'SUP 5.3' } }, shoe: { lockedBy: null } });
});

test('[READING 44] a card whose suit cannot be read is entered by eye and confirmed, or the round is void', () => {
  const table = readyTable('baccarat').bets(stakes).close().deal('9S 2C');
  expect(table.refusal('EnterCard', { slot: 'P2', card: '9H', reason: 'x' }).refused).toBe('no-such-ruling');
  table.do('ReportIrregularity', { kind: 'unreadable-card' });
  expect(table.refusal('EnterCard', { slot: 'B2', card: '9H', reason: 'x' })).toMatchObject({
    refused: 'wrong-slot',
    slot: 'P2',
  });
  expect(table.refusal('EnterCard', { slot: 'P2', card: 'X', reason: 'x' })).toMatchObject({ refused: 'unknown-card' });
  const [, dealt] = table.doByTwo('EnterCard', { slot: 'P2', card: '9H', reason: 'a worn nine' });
  expect(dealt).toMatchObject({ type: 'CardDealt', byEye: 'HOUSE 9', actor: dealer, second: supervisor });
  table.do('ReportIrregularity', { kind: 'unreadable-card' });
  table.doByTwo('VoidRound', { reason: 'nobody can tell' });
  expect(table.table).toMatchObject({ round: { ending: { voidBy: 'HOUSE 9' } }, shoe: { lockedBy: null } });
  expect(table.refusal('ReportIrregularity', { kind: 'unreadable-card' })).toMatchObject({ refused: 'not-now' });
});

test('[HOUSE 4] a face-up card is played once the first card is out; before that it is referred, with the proposal to burn it', () => {
  const table = readyTable('baccarat').bets(stakes).close().deal('9S');
  expect(table.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-after', by: 'HOUSE 4', stops: false },
  ]);
  table.deal('2C 9H 4D').settle();
  const early = readyTable('baccarat').bets(stakes);
  const { closesAt } = early.table!.round!;
  expect(early.do('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject([
    { kind: 'face-up-before', by: 'HOUSE 4', stops: false },
    { type: 'Referred', by: 'HOUSE 4', proposed: 'burn' },
  ]);
  early.wait(3_000).do('DecideReferral', { decision: 'burn', reason: 'seen by patrons' }, shiftManager);
  expect(early.refusal('CallClose', {})).toMatchObject({ refused: 'awaiting-ruling' });
  expect(early.refusalClause('BurnCard', { card: '??', reason: 'x' })).toEqual(['unknown-card', 'HOUSE 4']);
  early.wait(2_000);
  expect(early.doByTwo('BurnCard', { card: 'KD', reason: 'decided' })[1]).toMatchObject({
    type: 'CardBurned',
    card: 'KD',
    by: 'HOUSE 4',
  });
  expect(early.table).toMatchObject({ openIrregularities: [], phase: 'betting', shoe: { drawn: 1, seen: { KD: 1 } } });
  expect(early.table!.round!.closesAt).toBe(closesAt + 5_000);
  expect(readyTable('tiger').do('ReportIrregularity', { kind: 'face-up-card', note: 'the top card' })[1]).toMatchObject(
    { by: 'ETG 6.1', reason: 'the top card' },
  );
});

test('[ETG 5.3] too few cards to finish void the round, and the shoe ends', () => {
  const table = readyTable('tiger').bets(stakes);
  expect(table.refusal('ReportIrregularity', { kind: 'too-few-cards' })).toMatchObject({
    refused: 'not-now',
    message: expect.stringContaining('too few cards can only be reported while cards are dealt') as string,
  });
  table.close().deal('2S 3H AC 2D');
  table.do('ReportIrregularity', { kind: 'too-few-cards' });
  table.doByTwo('VoidRound', { reason: 'the shoe is empty' });
  expect(table.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.3' } }, shoe: { lockedBy: 'ETG 5.3' } });
});

test('a virtual shoe can be reported for its cards, its order and too few cards, and for no manual mistake', () => {
  const table = new Seat();
  table.do(
    'OpenTable',
    { settings: defaultSettings('tiger', { dealing: 'virtual' }), second: shiftManager },
    pitManager,
  );
  expect(table.refusal('ReportIrregularity', { kind: 'order-altered' })).toMatchObject({ refused: 'shoe-not-ready' });
  table.virtualShoe('9S 2C 9H 4D');
  expect(table.refusal('ReportIrregularity', { kind: 'face-up-card' })).toMatchObject({ refused: 'not-here' });
  table.bets(stakes).close();
  expect(table.refusal('CorrectCard', { round: table.round, place: 1, card: 'KD', reason: 'x' }).refused).toBe(
    'card-proven',
  );
  expect(table.refusal('ReportIrregularity', { kind: 'order-altered' }, floor).refused).toBe('not-your-role');
  table.do('ReportIrregularity', { kind: 'order-altered' });
  table.do('VoidRound', { reason: 'the device lost its key' });
  expect(table.table).toMatchObject({ shoe: { lockedBy: 'ETG 5.2' } });
});

test('wagers placed, raised or withdrawn as chips after the close are recorded, and accepted ones remain', () => {
  const table = readyTable('baccarat', { bets: 'chips' }).bets();
  const report = { kind: 'raised-wager', place: 'seat-3', wager: 'tie', amount: 3000 } as const;
  expect(table.refusal('ReportWager', report)).toMatchObject({ refused: 'not-now', by: 'BAC 5.6' });
  table.close().deal('9S 2C');
  expect(table.refusal('ReportWager', { ...report, wager: 'tiger' })).toMatchObject({ refused: 'wager-not-offered' });
  expect(table.do('ReportWager', report)[0]).toMatchObject({ type: 'WagerReported', by: 'BAC 5.6', amount: 3000 });
  expect(table.do('ReportWager', { ...report, kind: 'late-wager' })[0]).toMatchObject({ by: 'BAC 5.6' });
  expect(table.do('ReportWager', { ...report, kind: 'withdrawn-wager' })[0]).toMatchObject({ by: 'BAC 5.7' });
});

test('[ETG 5.1.1] at a virtual table a fault of the cards voids the round by its own clause, without a correction', () => {
  for (const kind of ['foreign-card', 'extra-card', 'missing-card', 'unshuffled-cards'] as const) {
    const table = new Seat();
    table.open('tiger', { dealing: 'virtual' }).virtualShoe('9S 2C 9H 4D');
    table.bets(stakes).close();
    expect(table.do('ReportIrregularity', { kind })).toMatchObject([{ by: 'ETG 5.1', rulings: ['void'], stops: true }]);
    table.do('VoidRound', { reason: 'x' });
    expect(table.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.1.1' } }, shoe: { lockedBy: 'ETG 5.1.1' } });
    table.do('EndShoe', {});
  }
});
