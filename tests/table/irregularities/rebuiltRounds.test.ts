import { expect, test } from 'vitest';
import { publicView } from '../../../src/table/views/publicView.ts';
import { type TableScenario, afterSettlement, cardsIn, managers, readyTable, shiftManager } from '../tableScenario.ts';

// Rounds of the live books whose hands or draw order are set right: when this is still possible, and what follows.

const live = [
  ['BAC', 'baccarat'],
  ['SUP', 'sands-super'],
  ['ELM', 'sands-elements'],
  ['FAB', 'fabulous-4'],
] as const;

const inDeckOf = (book: string, cards: string): string =>
  book === 'ELM' ? cards.replaceAll(/[CDHS]/g, (suit) => String('CDHS'.indexOf(suit) + 1)) : cards;

const slips = { T1: { player: 1000 }, T2: { banker: 2000 } };
const balances = (scenario: TableScenario): readonly number[] => ['T1', 'T2'].map((one) => scenario.balance(one));

/** Times between the settlement of a round and the opening of the next one. */
const before: readonly (readonly [time: string, until: (scenario: TableScenario) => void])[] = [
  ['the next day', (scenario) => scenario.wait(24 * 3_600_000)],
  ['the table is closed', (scenario) => scenario.doByTwo('CloseTable', { reason: 'x' }, managers)],
  ['the shoe is gone', (scenario) => scenario.doByTwo('SealShoe', { seal: 'seal 18' })],
  [
    'another shoe is ready',
    (scenario) => {
      scenario.doByTwo('SealShoe', { seal: 'seal 18' });
      scenario.shoe('S2');
    },
  ],
];

/** A surplus card that was seen: the hands keep the first six cards, and the round its result. */
const drawn = '2C 3D 2H TS 6D 9C';
const seventh = '5H';

test.each(live.map(([book, game]) => [`${book} 5.2`, game, book]))(
  '[%s] at %s a settled round is rebuilt, or void, at any time before the next opening, and at none after it',
  (by, game, book) => {
    const settled = (): TableScenario => readyTable(game).playRound(inDeckOf(book, drawn), slips);
    const untouched = balances(settled());
    for (const [time, wait] of before) {
      const rebuilt = settled();
      wait(rebuilt);
      rebuilt.do('ReportIrregularity', { kind: 'wrong-number' });
      const cards = cardsIn(inDeckOf(book, `${drawn} ${seventh}`));
      const credits = { T1: 100_000, T2: 100_000 };
      rebuilt.doByTwo('ReconstructRound', { cards, unseen: false, reason: 'x' }, afterSettlement, credits);
      expect(rebuilt.events('RoundReconstructed'), time).toMatchObject([
        { by, after: cards.slice(0, 6), surplus: 'burned', burned: cards.slice(6) },
      ]);
      expect(balances(rebuilt), time).toEqual(untouched);

      const unclear = settled();
      wait(unclear);
      unclear.do('ReportIrregularity', { kind: 'wrong-number' });
      unclear.doByTwo('VoidRound', { reason: 'cannot be told' }, afterSettlement, credits);
      expect(unclear.table!.round!.ending, time).toEqual({ voidBy: by });
      expect(balances(unclear), time).toEqual([0, 0]);
    }
    const over = (scenario: TableScenario, time: string): void => {
      expect(scenario.refusal('ReportIrregularity', { kind: 'wrong-number' }), time).toMatchObject({
        refused: 'too-late',
        by,
      });
      expect(balances(scenario), time).toEqual(untouched);
    };
    const next = settled().bets();
    over(next, 'bets are open');
    next.wait(20_000).do('CallClose', {});
    over(next, 'bets are closing');
    next.wait(500).do('CloseBets', {});
    over(next, 'bets are closed');
    next.deal(inDeckOf(book, '9S 2C 9H 4D')).settle();
    // Now the report is about the round that just ended: its void leaves the round before it as it was.
    next.do('ReportIrregularity', { kind: 'wrong-number' });
    next.doByTwo('VoidRound', { reason: 'x' }, afterSettlement, {});
    expect(balances(next)).toEqual(untouched);
    // A round that was opened and is void counts as opened.
    const opened = settled().bets();
    opened.do('VoidRound', { reason: 'the table closes' });
    over(opened, 'the next round is void');
    opened.do('Refer', { reason: 'a card of the round before was found' });
    opened.do('DecideReferral', { decision: 'continue', reason: 'it stands' }, shiftManager);
    expect(balances(opened)).toEqual(untouched);
  },
);

test.each(live.map(([book, game]) => [`${book} 5.2`, game, book]))(
  '[%s] at %s a seen surplus card is burned by two persons, never by one, and an unseen one opens the next round alone',
  (by, game, book) => {
    const natural = inDeckOf(book, '9S 2C TH 4D');
    const complete = (): TableScenario => {
      const scenario = readyTable(game).bets(slips).close().deal(natural);
      scenario.do('ReportIrregularity', { kind: 'wrong-number', note: 'a fifth card is out' });
      return scenario;
    };
    const cards = cardsIn(natural);
    const [fifth] = cardsIn(inDeckOf(book, '6C'));
    const seen = complete();
    expect(seen.do('ReconstructRound', { cards: [...cards, fifth!], unseen: false, reason: 'x' })).toMatchObject([
      { type: 'Proposed' },
    ]);
    const { id: proposal, hash } = seen.table!.proposal!;
    expect(seen.refusal('Approve', { proposal, hash })).toMatchObject({ refused: 'same-person' });
    expect(seen.events('RoundReconstructed')).toEqual([]);
    seen.do('WithdrawProposal', { proposal });
    seen.doByTwo('ReconstructRound', { cards: [...cards, fifth!], unseen: false, reason: 'x' });
    expect(seen.events('RoundReconstructed')).toMatchObject([{ by, burned: [fifth], second: { person: 's1' } }]);
    // It is in no hand, and the next round starts with another card.
    seen.settle().bets().close();
    expect(seen.do('DealCard', { slot: 'P1', card: cards[0]! })[0]).not.toHaveProperty('carried');
    expect(publicView(seen.table!).shoe).toMatchObject({ out: 6 });

    const unseen = complete();
    unseen.doByTwo('ReconstructRound', { cards, unseen: true, reason: 'x' });
    unseen.settle().bets().close();
    expect(unseen.do('DealCard', { slot: 'P1', card: fifth! })[0]).toMatchObject({ slot: 'P1', carried: true });
    expect(unseen.do('DealCard', { slot: 'B1', card: cards[1]! })[0]).not.toHaveProperty('carried');
    expect(publicView(unseen.table!).shoe).toMatchObject({ out: 6 });
  },
);

test.each(live.map(([book, game]) => [`${book} 5.2`, game, book]))(
  '[%s] at %s an unseen surplus card of a settled round moves no money and opens the next round',
  (by, game, book) => {
    const cards = cardsIn(inDeckOf(book, drawn));
    const scenario = readyTable(game).playRound(cards.join(' '), slips);
    const [round, untouched] = [scenario.round, balances(scenario)];
    scenario.do('ReportIrregularity', { kind: 'wrong-number', note: 'a seventh card lies face down' });
    const credits = { T1: 100_000, T2: 100_000 };
    scenario.doByTwo('ReconstructRound', { cards, unseen: true, reason: 'x' }, afterSettlement, credits);
    expect(scenario.events('RoundReconstructed')).toMatchObject([
      { by, round, after: cards, surplus: 'carried', burned: [], phase: 'settled', second: { person: 'g1' } },
    ]);
    expect(balances(scenario)).toEqual(untouched);
    expect(scenario.table!.shoe).toMatchObject({ drawn: 7, carried: true });
    scenario.bets().close();
    const [seventhCard, eighthCard] = cardsIn(inDeckOf(book, `${seventh} 4D`));
    expect(scenario.do('DealCard', { slot: 'P1', card: seventhCard! })[0]).toMatchObject({
      type: 'CardDealt',
      round: scenario.round,
      carried: true,
    });
    expect(scenario.do('DealCard', { slot: 'B1', card: eighthCard! })[0]).not.toHaveProperty('carried');
    expect(scenario.table!.shoe).toMatchObject({ drawn: 8, carried: false });
    expect(scenario.round).not.toBe(round);
    expect(balances(scenario)).toEqual(untouched);
  },
);

test.each(live.map(([book, game]) => [`${book} 5.3`, game, book]))(
  '[%s] at %s cards drawn together that are on record already follow the clause of the first of them, to the result of single draws',
  (by, game, book) => {
    const order = cardsIn(inDeckOf(book, 'AC 2D TC AS 3S 2H'));
    const single = readyTable(game).playRound(order.join(' '), slips);
    for (let place = 1; place < order.length; place++) {
      const swapped = order.with(place - 1, order[place]!).with(place, order[place - 1]!);
      const reported = (): TableScenario => {
        const scenario = readyTable(game)
          .bets(slips)
          .close()
          .deal(swapped.slice(0, place + 1).join(' '));
        scenario.do('ReportIrregularity', { kind: 'drawn-together', place });
        return scenario;
      };
      const clause = place <= 4 ? by : 'HOUSE 8';
      const known = reported();
      expect(known.table!.openIrregularities, `${place}`).toMatchObject([
        { by: clause, rulings: ['reconstruct', 'void'] },
      ]);
      known.doByTwo('ReconstructRound', { cards: order.slice(0, place + 1), unseen: false, reason: 'x' });
      expect(known.events('RoundReconstructed'), `${place}`).toMatchObject([{ by: clause }]);
      known.deal(order.slice(place + 1).join(' ')).settle();
      expect(known.events('RoundSettled')[0]!.results, `${place}`).toEqual(single.events('RoundSettled')[0]!.results);
      expect(balances(known), `${place}`).toEqual(balances(single));

      const unknown = reported();
      unknown.doByTwo('VoidRound', { reason: 'the order is unknown' });
      expect(unknown.table, `${place}`).toMatchObject({
        round: { ending: { voidBy: clause } },
        shoe: { lockedBy: null },
      });
      expect(balances(unknown), `${place}`).toEqual([0, 0]);
    }
  },
);
