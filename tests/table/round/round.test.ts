import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { games } from '../../../src/games/registry.ts';
import { type TableEvent } from '../../../src/table/schema/events.ts';
import { tableRefusals } from '../../../src/table/schema/refusals.ts';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { publicView, terminalView } from '../../../src/table/views/publicView.ts';
import { type TableSettingsInput } from '../../../src/table/schema/settings.ts';
import { TableScenario, dealer, defaultSettings, floor, natural, openedTable, readyTable } from '../tableScenario.ts';

const stakes = { T1: { banker: 1000, 'player-pair': 100 }, T2: { player: 500 } };

/** The same cards in the deck of a game: the suits of the 65-card deck are numbered. */
const inDeckOf = (game: string, text: string): string =>
  game === 'sands-elements'
    ? text.replaceAll(/([^ ])([CDHS])/g, (_, rank: string, suit: string) => rank + String('SCHD'.indexOf(suit) + 1))
    : text;

/** Both hands draw, and the Player wins 7 to 5. */
const sixCards = '2S 3H AC 2D 4S TS';
const slots = ['P1', 'B1', 'P2', 'B2', 'P3', 'B3'] as const;

for (const { id: game, book } of games) {
  const round = { BAC: '1.1.7', SUP: '1.1.10', ELM: '1.1.7', FAB: '1.1.8', ETG: '1.1.13' }[book]!;
  const cards = inDeckOf(game, natural);
  const six = inDeckOf(game, sixCards).split(' ');
  const deal = { slot: 'P1', card: six[0]! } as const;
  test(`[${book} ${round}] at ${game} a round runs from the call until it is paid, one event a step, and no other opens meanwhile`, () => {
    const scenario = readyTable(game, { chunk: 1 });
    const refused = { refused: 'not-now', by: `${book} 3.1` };
    const step = (decided: readonly TableEvent[], ...types: readonly string[]): void => {
      expect(decided.map(({ type }) => type)).toEqual(types);
      expect(scenario.refusal('OpenBets', {}), types.join()).toMatchObject(refused);
    };
    const before = scenario.entries.length;
    step(scenario.do('OpenBets', {}), 'BetsOpened');
    for (const terminal of ['T1', 'T2']) step(scenario.slip(terminal, { player: 500 }), 'SlipSet');
    step(scenario.wait(20_000).do('CallClose', {}), 'ClosingCalled');
    step(scenario.wait(500).do('CloseBets', {}), 'BetsClosed');
    for (const [n, slot] of slots.entries()) step(scenario.do('DealCard', { slot, card: six[n]! }), 'CardDealt');
    // The result is out, and one of two slips is paid.
    expect(scenario.wait(2_000).do('Settle', {})).toMatchObject([
      { type: 'RoundSettled' },
      { type: 'SettlementPosted', last: false },
    ]);
    expect(publicView(scenario.table!).round).toMatchObject({ winner: 'player' });
    expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'settlement-open', by: `${book} 3.1` });
    expect(scenario.do('PostSettlement', {})).toMatchObject([{ type: 'SettlementPosted', last: true }]);
    expect(scenario.entries.length - before).toBe(1 + 2 + 2 + 6 + 3);
    expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([500, 500]);
    expect(scenario.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened', number: 2 }]);
  });

  test.each(['betting', 'closing', 'dealing', 'result'] as const)(
    `[${book} ${round}] at ${game} a round that is voided while %s is over once its stakes are back`,
    (phase) => {
      const scenario = readyTable(game, { chunk: 1 }).bets({ T1: { player: 500 }, T2: { banker: 500 } });
      if (phase === 'closing') scenario.do('CallClose', {});
      if (phase === 'dealing') scenario.close().deal(six.slice(0, 3).join(' '));
      if (phase === 'result') scenario.close().deal(cards);
      expect(scenario.table!.phase).toBe(phase);
      const isFound = phase === 'dealing' || phase === 'result';
      if (!isFound) scenario.do('VoidRound', { reason: 'opened by mistake' });
      else {
        scenario.do('ReportIrregularity', { kind: 'foreign-card' });
        expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'awaiting-ruling' });
        scenario.doByTwo('VoidRound', { reason: 'a joker' });
      }
      expect(scenario.refusal('OpenBets', {})).toMatchObject({ refused: 'settlement-open', by: `${book} 3.1` });
      expect(scenario.do('PostSettlement', {})).toMatchObject([{ last: true }]);
      expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([0, 0]);
      // A foreign card locks its shoe.
      if (isFound) {
        scenario.doByTwo('EndShoe', { seen: {} });
        scenario.shoe('S2');
      }
      expect(scenario.do('OpenBets', {})).toMatchObject([{ type: 'BetsOpened', number: isFound ? 1 : 2 }]);
    },
  );

  test(`[${book} 3.1] at ${game} no slip is accepted before bets are open; the event has time, dealer and round`, () => {
    const scenario = openedTable(game);
    const slipFor = (number: number) => ({
      round: `sg1/B1/2023-11-15/S1/${number}`,
      slip: { player: 500 },
      credit: 500,
    });
    const expectRefused = (number: number): void => {
      for (const terminal of ['T1', 'T2']) {
        expect(scenario.refusal('SetSlip', slipFor(number), { terminal }), scenario.table!.phase).toMatchObject({
          refused: 'bets-closed',
          by: `${book} 3.2`,
        });
      }
    };
    expectRefused(1);
    scenario.shoe();
    expectRefused(1);
    expect(publicView(scenario.table!).call).toBeNull();
    expect(buildDealerView(scenario.table!).next).toContain('OpenBets');
    for (const other of [{ terminal: 'T1' }, { person: 'c1', role: 'cage' } as const]) {
      expect(scenario.refusal('OpenBets', {}, other)).toMatchObject({ refused: 'not-your-role' });
    }
    const [opened] = scenario.wait(1_000).do('OpenBets', {});
    expect(opened).toMatchObject({
      type: 'BetsOpened',
      at: scenario.at,
      actor: dealer,
      round: slipFor(1).round,
      by: `${book} 3.1`,
    });
    expect(publicView(scenario.table!).call).toBe('Place your bets, please');
    expect(scenario.do('SetSlip', slipFor(1), { terminal: 'T1' })[0]).toMatchObject({ type: 'SlipSet', debit: 500 });
    // A slip for the next round is early during this one and after it.
    expectRefused(2);
    scenario.wait(20_000).do('CallClose', {});
    expectRefused(2);
    scenario.wait(500).do('CloseBets', {});
    expectRefused(2);
    for (const card of cards.split(' ')) {
      scenario.deal(card);
      expectRefused(2);
    }
    scenario.settle();
    expectRefused(2);
    scenario.do('OpenBets', {});
    expect(scenario.do('SetSlip', slipFor(2), { terminal: 'T2' })).toMatchObject([{ type: 'SlipSet' }]);
  });

  test(`[${book} 3.2] at ${game} the close is called, then recorded once no slip can come in time; cards only after it`, () => {
    const scenario = readyTable(game);
    const early = { refused: 'not-now', by: `${book} 3.2` };
    expect(scenario.refusal('DealCard', deal)).toMatchObject(early);
    scenario.bets();
    expect(scenario.refusal('DealCard', deal)).toMatchObject(early);
    expect(scenario.refusal('CloseBets', {})).toMatchObject(early);
    const [called] = scenario.wait(5_000).do('CallClose', {});
    // The betting time was promised when bets opened; a call does not shorten it.
    const deadline = scenario.at + 15_000;
    expect(called).toMatchObject({ type: 'ClosingCalled', actor: dealer, deadline, by: `${book} 3.2` });
    expect(scenario.refusal('CallClose', {})).toMatchObject(early);
    expect(scenario.refusal('DealCard', deal)).toMatchObject(early);
    scenario.at = deadline;
    expect(scenario.refusal('DealCard', deal)).toMatchObject(early);
    scenario.at = deadline + 500;
    scenario.slip('T1', { player: 500 });
    expect(scenario.refusal('DealCard', deal)).toMatchObject(early);
    scenario.at -= 1;
    expect(scenario.submit('CloseBets', {})).toMatchObject({ refused: 'clock-ran-back', by: null });
  });

  test(`[${book} 3.2] at ${game} a slip that arrives by deadline and grace is accepted, and every later one is refused`, () => {
    const scenario = readyTable(game).bets();
    scenario.wait(20_000).do('CallClose', {});
    scenario.wait(499);
    expect(scenario.refusal('CloseBets', {})).toMatchObject({
      refused: 'close-too-early',
      until: scenario.at + 1,
      by: `${book} 3.2`,
    });
    scenario.wait(1).slip('T1', { player: 500 });
    const { round: first } = scenario;
    const expectLate = (refusals: readonly string[] = ['late-raise', 'late-withdrawal', 'bets-closed']): void => {
      const slips = [
        ['T1', { player: 600 }],
        ['T1', {}],
        ['T1', { player: 500 }],
        ['T2', { player: 600 }],
      ] as const;
      const found = slips.map(
        ([terminal, slip]) => scenario.refusal('SetSlip', { round: first, slip, credit: 9000 }, { terminal }).refused,
      );
      expect(new Set(found), scenario.table!.phase).toEqual(new Set(refusals));
    };
    scenario.wait(1);
    expectLate();
    expect(scenario.refusal('DealCard', deal)).toMatchObject({ refused: 'not-now', by: `${book} 3.2` });
    expect(scenario.do('CloseBets', {})[0]).toMatchObject({ type: 'BetsClosed', actor: dealer, by: `${book} 3.2` });
    expect(publicView(scenario.table!).call).toBe('No more bets');
    expectLate();
    for (const [n, slot] of slots.entries()) {
      expect(scenario.do('DealCard', { slot, card: six[n]! })).toMatchObject([{ type: 'CardDealt' }]);
      expect(publicView(scenario.table!).call).toBe('No more bets');
      expectLate();
    }
    expect(scenario.balance('T1')).toBe(-500);
    scenario.settle();
    expectLate(['bets-closed']);
    scenario.bets();
    expectLate(['bets-closed']);
    expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([500, 0]);
    expect(scenario.table!.round!.slips).toEqual({});
  });

  const play = { BAC: '3.9', SUP: '3.9', ELM: '3.9', FAB: '3.8', ETG: '3.8' }[book]!;
  const first = book === 'ETG' ? '3.6' : '3.7';
  /** The line of the table of play, where the book numbers its lines. */
  const lineOfPlay = (line: number): string => `${book} ${play}${['BAC', 'FAB'].includes(book) ? `.${line}` : ''}`;
  test(`[${book} ${play}] at ${game} the slot is named before each card, totals after four, and nothing else is accepted`, () => {
    const suits = game === 'sands-elements' ? '12345' : 'SHCDS';
    const card = (rank: string, n: number): string => rank + suits[n];
    const scenario = readyTable(game).bets().close();
    for (const [n, rank] of ['2', '3', 'A', '2'].entries()) {
      expect(publicView(scenario.table!).round!.next).toBe(slots[n]);
      const wrong = slots[(n + 1) % 4]!;
      const by = `${book} ${first}.${slots[n]!.startsWith('P') ? 1 : 2}`;
      expect(scenario.refusal('DealCard', { slot: wrong, card: card(rank, n) })).toMatchObject({
        refused: 'wrong-slot',
        slot: slots[n],
        by,
      });
      expect(scenario.refusal('Settle', {})).toMatchObject({ refused: 'incomplete-deal', by });
      scenario.deal(card(rank, n));
    }
    expect(publicView(scenario.table!).round).toMatchObject({ player: { total: 3 }, banker: { total: 5 }, next: 'P3' });
    expect(scenario.refusal('DealCard', { slot: 'B3', card: card('4', 0) })).toMatchObject({
      refused: 'wrong-slot',
      slot: 'P3',
      by: lineOfPlay(2),
    });
    scenario.deal(card('4', 0));
    expect(publicView(scenario.table!).round!.next).toBe('B3');
    scenario.deal(card('T', 0));
    expect(publicView(scenario.table!).round).toMatchObject({
      player: { total: 7 },
      banker: { total: 5 },
      next: null,
      winner: 'player',
    });
    expect(scenario.refusal('DealCard', { slot: 'B3', card: card('4', 0) })).toMatchObject({
      refused: 'card-after-deal',
      by: lineOfPlay(4),
    });
  });

  const hand = { BAC: '1.1.2', SUP: '1.1.3', ELM: '1.1.2', FAB: '1.1.2', ETG: '1.1.5' }[book]!;
  test(`[${book} ${hand}] at ${game} a hand holds the cards of its own round; a card carried over is marked`, () => {
    const scenario = readyTable(game).playRound(cards);
    const hands = (player: readonly string[], banker: readonly string[]) => ({
      player: { cards: player },
      banker: { cards: banker },
    });
    const [a, b, c, d] = cards.split(' ') as [string, string, string, string];
    expect(publicView(scenario.bets().table!).round).toMatchObject(hands([], []));
    scenario.close().deal(six.join(' '));
    expect(publicView(scenario.table!).round).toMatchObject(
      hands([six[0]!, six[2]!, six[4]!], [six[1]!, six[3]!, six[5]!]),
    );
    scenario.settle().bets().close().deal(cards);
    expect(publicView(scenario.table!).round).toMatchObject(hands([a, c], [b, d]));
    scenario.do('ReportIrregularity', { kind: 'wrong-number' });
    scenario.doByTwo('ReconstructRound', {
      cards: cards.split(' '),
      unseen: true,
      reason: 'one card too many, unseen',
    });
    // The surplus card is in no hand of the round in which it left the shoe.
    expect(publicView(scenario.settle().table!).round).toMatchObject(hands([a, c], [b, d]));
    expect(publicView(scenario.bets().table!).round).toMatchObject(hands([], []));
    const [dealt] = scenario.close().do('DealCard', { slot: 'P1', card: b });
    expect(dealt).toMatchObject({ type: 'CardDealt', round: scenario.round, slot: 'P1', carried: true });
    expect(scenario.do('DealCard', { slot: 'B1', card: c })[0]).not.toHaveProperty('carried');
    expect(publicView(scenario.table!).round).toMatchObject(hands([b], [c]));
    expect(scenario.events('CardDealt').filter((event) => 'carried' in event)).toHaveLength(1);
  });
}

for (const { id: game, book } of games.filter((one) => one.book !== 'ETG')) {
  test(`[${book} 3.2] at ${game} with chips the call is the close, and cards are dealt after it alone`, () => {
    const scenario = readyTable(game, { bets: 'chips' }).bets();
    const deal = { slot: 'P1', card: inDeckOf(game, '9S') } as const;
    expect(scenario.refusal('DealCard', deal)).toMatchObject({ refused: 'not-now', by: `${book} 3.2` });
    expect(scenario.wait(1_000).do('CallClose', {})).toMatchObject([
      { type: 'ClosingCalled', deadline: scenario.at, by: `${book} 3.2` },
      { type: 'BetsClosed', at: scenario.at, actor: dealer, by: `${book} 3.2` },
    ]);
    expect(publicView(scenario.table!).call).toBe('No more bets');
    expect(scenario.do('DealCard', deal)).toMatchObject([{ type: 'CardDealt' }]);
  });
}

test.each(games.filter(({ book }) => book === 'ETG').map(({ id }) => id))(
  '[ETG 1.1.13] at %s a round without staff opens, ends and is paid with no announcement by a person',
  (game) => {
    const scenario = new TableScenario();
    scenario.do('OpenTable', { settings: defaultSettings(game, { dealing: 'virtual', attended: false }) }, floor);
    const shoe = scenario.virtualShoe(natural);
    const from = scenario.entries.length;
    scenario.do('OpenBets', {}, floor);
    scenario.slip('T1', { player: 500 });
    scenario.wait(20_000).do('CallClose', {}, floor);
    scenario.wait(500).do('CloseBets', {}, floor);
    for (const [n, slot] of (['P1', 'B1', 'P2', 'B2'] as const).entries()) {
      scenario.do('DealCard', { slot, ...shoe.at(n) }, floor);
    }
    scenario.wait(2_000).do('Settle', {}, floor);
    const events = scenario.entries.slice(from).map(({ event }) => event);
    expect(events[0]!.type).toBe('BetsOpened');
    expect(events.slice(-2)).toMatchObject([{ type: 'RoundSettled' }, { type: 'SettlementPosted', last: true }]);
    for (const { actor } of events) expect(actor).not.toHaveProperty('person');
    expect(scenario.balance('T1')).toBe(500);
    expect(scenario.do('OpenBets', {}, floor)).toMatchObject([{ number: 2 }]);
  },
);

test('a settlement gives one result for each wager with odds and clause, and each slip’s amounts follow', () => {
  const scenario = readyTable('baccarat').playRound('9S 2C 9H 4D', stakes);
  const [settled] = scenario.events('RoundSettled');
  expect(Object.keys(settled!.results)).toEqual(scenario.table!.settings.offered);
  expect(settled!.results['player']).toEqual({ result: 'win', pays: [1, 1], commission: [0, 1], by: 'BAC 4.1' });
  expect([scenario.balance('T1'), scenario.balance('T2')]).toEqual([100, 500]);
  expect([scenario.account('stakes'), scenario.account('house'), scenario.account('commission')]).toEqual([0, -600, 0]);
  expect(terminalView(scenario.table!, 'T2').paid).toEqual([
    { wager: 'player', stake: 500, result: 'win', won: 500, commission: 0, returned: 1000, by: 'BAC 4.1' },
  ]);
});

test.each(
  ['ETG 3.2', 'READING 15'].flatMap(
    (row) =>
      [
        [row, undefined, 500],
        [row, 0, 0],
        [row, 2_000, 2_000],
      ] as const,
  ),
)(
  '[%s] with the grace time %s a slip counts until %i ms after the deadline, and closing is recorded then',
  (_, grace, limitMs) => {
    const scenario = readyTable('tiger', { ...(grace !== undefined && { grace }) }).bets();
    const [called] = scenario.wait(20_000).do('CallClose', {});
    const { deadline } = called as { deadline: number };
    scenario.at = deadline + limitMs;
    scenario.slip('T1', { player: 500 });
    scenario.wait(1);
    const late = { round: scenario.round, slip: { player: 500 }, credit: 500 };
    expect(scenario.refusal('SetSlip', late, { terminal: 'T2' })).toMatchObject({ refused: 'bets-closed' });
    const deal = { slot: 'P1', card: '9S' } as const;
    expect(scenario.refusal('DealCard', deal)).toMatchObject({ refused: 'not-now', by: 'ETG 3.2' });
    expect(scenario.do('CloseBets', {})).toMatchObject([{ type: 'BetsClosed', by: 'ETG 3.2' }]);
    expect(scenario.do('DealCard', deal)).toMatchObject([{ type: 'CardDealt', slot: 'P1' }]);
    expect(scenario.table!.round!.slips).toEqual({ T1: { player: 500 } });
  },
);

test.each(['ETG 1.1.3', 'HOUSE 10'])(
  '[%s] commission is posted gross, then deducted, and shown with gross and net',
  () => {
    const scenario = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
    const { postings } = scenario.entries.at(-1)!;
    expect(postings).toEqual([
      { from: 'sg1/SGD/stakes/B1', to: 'sg1/SGD/terminal/T1', amount: 1000 },
      { from: 'sg1/SGD/house/B1', to: 'sg1/SGD/terminal/T1', amount: 1000 },
      { from: 'sg1/SGD/terminal/T1', to: 'sg1/SGD/commission/B1', amount: 50 },
    ]);
    expect(terminalView(scenario.table!, 'T1').paid![0]).toMatchObject({ won: 950, commission: 50, returned: 1950 });
  },
);

test('a mistake can be reported until the pause is over; only then the round is settled', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D').wait(1_999);
  expect(scenario.refusal('Settle', {})).toMatchObject({ refused: 'pause-runs', until: scenario.at + 1 });
  expect(scenario.wait(1).do('Settle', {})[0]).toMatchObject({ type: 'RoundSettled' });
  expect(scenario.refusal('Settle', {})).toMatchObject({ refused: 'not-now', phase: 'idle' });
});

test('[READING 45] a round id has property, table, gaming day, shoe and number; the gaming day begins at its hour', () => {
  const scenario = readyTable('baccarat');
  // 05:59 in Singapore still belongs to the day before.
  scenario.at = Date.parse('2023-11-16T05:59:59.999+08:00');
  expect(scenario.bets().round).toBe('sg1/B1/2023-11-15/S1/1');
  scenario.do('VoidRound', { reason: 'the day turns' });
  expect(scenario.wait(1).bets().round).toBe('sg1/B1/2023-11-16/S1/2');
  expect(publicView(scenario.table!).round!.number).toBe(2);
});

test('[READING 47] a round has its game version and the hash of its rules', () => {
  const [opened] = readyTable('tiger').do('OpenBets', {});
  expect(opened).toMatchObject({
    game: 'tiger@2021-10-28',
    hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
  });
});

test('bets can be extended while they are open, and the deadline follows', () => {
  const scenario = readyTable('baccarat').bets();
  const closesAt = scenario.at + 25_000;
  expect(scenario.wait(1_000).do('ExtendBets', { time: 5_000 })[0]).toMatchObject({ type: 'BetsExtended', closesAt });
  expect(scenario.do('CallClose', { notice: 3_000 })[0]).toMatchObject({ deadline: closesAt });
  expect(scenario.refusal('ExtendBets', { time: 5_000 })).toMatchObject({ refused: 'not-now', phase: 'closing' });
  scenario.at = closesAt + 500;
  scenario.do('CloseBets', {});
  const late = readyTable('baccarat').bets().wait(30_000);
  expect(late.do('ExtendBets', { time: 5_000 })[0]).toMatchObject({ closesAt: late.at + 5_000 });
  expect(late.do('CallClose', { notice: 9_000 })[0]).toMatchObject({ deadline: late.at + 9_000 });
});

test('nothing happens at a table that is not open, and it is opened once', () => {
  const scenario = openedTable('baccarat');
  expect(scenario.refusal('OpenTable', { settings: {} as TableSettingsInput })).toMatchObject({
    refused: 'already-open',
    by: null,
  });
  expect(openedTable('baccarat').refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
});

test('every refusal of a table occurs in these tests', () => {
  const folder = new URL('../../', import.meta.url);
  const texts = globSync('{table,ledger}/**/*.ts', { cwd: folder }).map((file) =>
    readFileSync(new URL(file, folder), 'utf8'),
  );
  for (const code of Object.keys(tableRefusals)) {
    expect(
      texts.some((text) => text.includes(`refused: '${code}'`)),
      code,
    ).toBe(true);
  }
});
