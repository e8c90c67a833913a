import { expect, test } from 'vitest';
import { type Card } from '../../../src/rules/card.ts';
import { nextSlot } from '../../../src/rules/play.ts';
import { publicView } from '../../../src/table/views/publicView.ts';
import {
  TableScenario as Seat,
  cardsIn,
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

/** Cards that leave the shoe together after others: two, and as many more as the deal can take. */
function groupsAfter(before: readonly Card[], together: readonly Card[]): readonly (readonly Card[])[] {
  const groups: Card[][] = [];
  for (let count = 2; count <= together.length; count++) {
    const drawn = [...before, ...together.slice(0, count)];
    if (nextSlot(drawn.slice(0, -1)) !== undefined) groups.push(drawn);
  }
  return groups;
}

test('[ETG 5.8] cards drawn together are placed in their order when it is known; otherwise the round is void and the shoe goes on', () => {
  const sizes = new Set<number>();
  for (const cards of ['', '9S', '9S 2C', '2S 3H AC', '2S 3H AC 2D']) {
    const before = cardsIn(cards);
    for (const order of groupsAfter(before, cardsIn('4H 4D 5C AS'))) {
      sizes.add(order.length - before.length);
      const table = readyTable('tiger').bets(stakes).close().deal(cards);
      table.do('ReportIrregularity', { kind: 'drawn-together' });
      const kind = before.length <= 3 ? 'drawn-together' : 'third-cards-together';
      expect(table.table!.openIrregularities[0]).toMatchObject({ kind, by: 'ETG 5.8' });
      table.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'the upper card first' });
      expect(table.table!.round!.cards).toEqual(order);
      // The round goes on to the result of the single draws.
      const single = readyTable('tiger').bets(stakes).close().deal(order.join(' '));
      for (const one of [table, single]) {
        while (one.table!.phase === 'dealing') one.deal('TS');
        one.settle();
      }
      expect([...table.balances]).toEqual([...single.balances]);
      const other = readyTable('tiger').bets(stakes).close().deal(cards);
      other.do('ReportIrregularity', { kind: 'drawn-together' });
      other.doByTwo('VoidRound', { reason: 'nobody knows' });
      expect(other.table).toMatchObject({ round: { ending: { voidBy: 'ETG 5.8.1' } }, shoe: { lockedBy: null } });
    }
  }
  expect(sizes).toEqual(new Set([2, 3, 4]));
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
      const before = inDeck(cards) as Card[];
      const orders = groupsAfter(before, inDeck('4H 4D 5C AS') as Card[]);
      expect(orders.length).toBe({ 0: 3, 1: 2, 2: 2, 3: 1 }[before.length]);
      for (const order of orders) {
        const known = reported();
        known.doByTwo('ReconstructRound', { cards: order, unseen: false, reason: 'the upper card first' });
        expect(known.table!.round).toMatchObject({ cards: order, ending: null });
      }
      const unknown = reported();
      unknown.doByTwo('VoidRound', { reason: 'the order is unknown' });
      expect(unknown.table).toMatchObject({ round: { ending: { voidBy: `${book} 5.3` } }, shoe: { lockedBy: null } });
      expect(unknown.balance('T1')).toBe(0);
    },
  );

  test(`[${book} 5.2] at ${game} a hand that cannot be rebuilt voids the round at any time before the next opening, settled or not; then it is referred`, () => {
    const cards = inDeck('2C 3D 2H TS 6D 9H');
    const slips = { T1: { player: 1000 }, T2: { banker: 2000 } };
    for (let count = 1; count <= 7; count++) {
      const isSettled = count === 7;
      const table = readyTable(game).bets(slips).close().deal(cards.slice(0, count).join(' '));
      if (isSettled) table.settle();
      const paid = table.balance('T2');
      expect(paid > 0, `${count}`).toBe(isSettled);
      const report = { kind: 'wrong-number', note: 'cards lie mixed on the layout' } as const;
      expect(table.do('ReportIrregularity', report)).toMatchObject([{ by: `${book} 5.2` }]);
      if (isSettled) table.doByTwo('VoidRound', { reason: 'mixed' }, late, { T2: paid + 2000 });
      else table.doByTwo('VoidRound', { reason: 'mixed' });
      expect(table.table!.round!.ending, `${count}`).toEqual({ voidBy: `${book} 5.2` });
      expect(
        ['T1', 'T2'].map((terminal) => table.balance(terminal)),
        `${count}`,
      ).toEqual([0, 0]);
      // A settlement is reversed by entries of its own, and is still there.
      expect(table.events('RoundSettled')).toHaveLength(Number(isSettled));
      expect(table.events('RoundResettled')).toMatchObject(
        isSettled ? [{ outcome: 'void', reverses: table.events('RoundSettled')[0]!.settlement }] : [],
      );
    }
    const next = readyTable(game).playRound(cards.join(' '), slips).bets();
    const settled = [...next.balances];
    expect(next.refusal('ReportIrregularity', { kind: 'wrong-number' })).toMatchObject({
      refused: 'too-late',
      by: `${book} 5.2`,
    });
    expect(next.do('Refer', { reason: 'a card of the last round was found' })).toMatchObject([{ by: 'HOUSE 1' }]);
    next.do('DecideReferral', { decision: 'continue', reason: 'it stands' }, shiftManager);
    expect([...next.balances]).toEqual(settled);
  });

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

test('[ETG 5.6] a card face up is referred at any time before the first card of a round', () => {
  for (const moment of ['between rounds', 'bets are open', 'bets are closing', 'bets are closed']) {
    const table = readyTable('tiger').playRound('9S 2C 9H 4D');
    if (moment !== 'between rounds') table.bets(stakes);
    if (moment === 'bets are closing') table.wait(20_000).do('CallClose', {});
    if (moment === 'bets are closed') table.close();
    expect(table.do('ReportIrregularity', { kind: 'face-up-card' }), moment).toMatchObject([
      { type: 'IrregularityFound', kind: 'face-up-before', by: 'ETG 6.1' },
      { type: 'Referred', by: 'ETG 6.1' },
    ]);
    const [refused, by] =
      moment === 'between rounds'
        ? table.refusalClause('OpenBets', {})
        : table.refusalClause('DealCard', { slot: 'P1', card: 'KD' });
    expect([refused, by], moment).toEqual(['awaiting-decision', 'ETG 6.1']);
  }
});

test('[ETG 5.7] cards laid in each other’s places are set right by the draw order, to the result of the proper deal', () => {
  const proper = cardsIn('2C 3D 2H KS 6D 9H');
  const twin = readyTable('tiger').playRound(proper.join(' '), stakes);
  const swaps: string[] = [];
  for (let a = 0; a < proper.length; a++) {
    for (let b = a + 1; b < proper.length; b++) {
      const laid = proper.with(a, proper[b]!).with(b, proper[a]!);
      const table = readyTable('tiger').bets(stakes).close();
      for (const card of laid) if (nextSlot(table.table!.round!.cards) !== undefined) table.deal(card);
      const before = table.table!.round!.cards;
      // A swapped card that is not out yet is no card in a wrong place.
      if (before.length <= b) continue;
      swaps.push(`${a + 1}${b + 1}`);
      table.do('ReportIrregularity', { kind: 'wrong-order' });
      const after = proper.slice(0, before.length);
      table.doByTwo('ReconstructRound', { cards: after, unseen: false, reason: 'as drawn' });
      expect(table.events('RoundReconstructed')).toMatchObject([{ by: 'ETG 5.7', before, after }]);
      expect(table.table!.round!.cards).toEqual(after);
      table.deal(proper.slice(before.length).join(' ')).settle();
      expect(table.events('RoundSettled')[0], `${a} ${b}`).toMatchObject({
        cards: twin.events('RoundSettled')[0]!.cards,
        results: twin.events('RoundSettled')[0]!.results,
      });
      expect([...table.balances]).toEqual([...twin.balances]);
      // Both versions are on record: the cards as laid, each in its place, and the correction.
      expect(table.events('CardDealt').map(({ card }) => card)).toEqual([...before, ...proper.slice(before.length)]);
    }
  }
  // With the other four swaps the cards laid make a complete deal before both cards are out.
  expect(swaps.join(' ')).toBe('12 13 14 16 23 24 25 34 36 46 56');
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
