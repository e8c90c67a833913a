import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tableRefusals } from '../../src/table/schema/refusals.ts';
import { publicView, terminalView } from '../../src/table/views/publicView.ts';
import { type TableSettingsInput } from '../../src/table/schema/settings.ts';
import { openedTable, dealer, readyTable } from './tableScenario.ts';

const stakes = { T1: { banker: 1000, 'player-pair': 100 }, T2: { player: 500 } };

const liveBooks = [
  ['baccarat', 'BAC'],
  ['sands-super', 'SUP'],
  ['sands-elements', 'ELM'],
  ['fabulous-4', 'FAB'],
  ['tiger', 'ETG'],
] as const;

test('[BAC 1.1.7] a round runs from the call until it is paid, one event a step, and only then the next one opens', () => {
  const sit = readyTable('baccarat').playRound('9S 2C 9H 4D', stakes);
  const types = sit.entries.map(({ event }) => event.type);
  expect(types.slice(types.indexOf('ShoeVerified') + 1)).toEqual([
    'BetsOpened',
    'SlipSet',
    'SlipSet',
    'ClosingCalled',
    'BetsClosed',
    'CardDealt',
    'CardDealt',
    'CardDealt',
    'CardDealt',
    'RoundSettled',
    'SettlementPosted',
  ]);
  expect(sit.do('OpenBets', {})[0]).toMatchObject({ type: 'BetsOpened', number: 2 });
});

for (const [game, book] of liveBooks) {
  const round = { BAC: '1.1.7', SUP: '1.1.10', ELM: '1.1.7', FAB: '1.1.8', ETG: '1.1.13' }[book];
  const cards = game === 'sands-elements' ? '91 21 92 42' : '9S 2C 9H 4D';
  test(`[${book} ${round}] no round of ${game} opens before the last one is settled or void`, () => {
    const sit = readyTable(game).bets({ T1: { player: 500 } });
    const refused = { refused: 'not-now', by: `${book} 3.1` };
    expect(sit.refusal('OpenBets', {})).toMatchObject(refused);
    sit.close();
    expect(sit.refusal('OpenBets', {})).toMatchObject(refused);
    sit.deal(cards);
    expect(sit.refusal('OpenBets', {})).toMatchObject(refused);
    sit.settle();
    expect(sit.do('OpenBets', {})[0]).toMatchObject({ number: 2 });
    sit.do('VoidRound', { reason: 'opened by mistake' });
    expect(sit.do('OpenBets', {})[0]).toMatchObject({ number: 3 });
  });

  test(`[${book} 3.1] at ${game} no slip is taken before bets are open; the event names time, dealer and round`, () => {
    const sit = readyTable(game);
    const slip = { round: 'sg1/B1/2023-11-15/S1/1', slip: { player: 500 }, credit: 500 };
    expect(sit.refusal('SetSlip', slip, { terminal: 'T1' })).toMatchObject({
      refused: 'bets-closed',
      by: `${book} 3.2`,
    });
    const [opened] = sit.do('OpenBets', {});
    expect(opened).toMatchObject({ at: sit.at, actor: dealer, round: slip.round, by: `${book} 3.1` });
    expect(publicView(sit.table!).call).toBe('Place your bets, please');
    expect(sit.do('SetSlip', slip, { terminal: 'T1' })[0]).toMatchObject({ type: 'SlipSet', debit: 500 });
  });

  test(`[${book} 3.2] at ${game} the close is called, then recorded once no slip can come in time; cards only after it`, () => {
    const sit = readyTable(game).bets();
    const deal = { slot: 'P1', card: game === 'sands-elements' ? '91' : '9S' } as const;
    const early = { refused: 'not-now', by: `${book} 3.2` };
    expect(sit.refusal('DealCard', deal)).toMatchObject(early);
    expect(sit.refusal('CloseBets', {})).toMatchObject(early);
    const [called] = sit.wait(5_000).do('CallClose', {});
    // The betting time was promised when bets opened; a call does not shorten it.
    const deadline = sit.at + 15_000;
    expect(called).toMatchObject({ type: 'ClosingCalled', deadline, by: `${book} 3.2` });
    expect(sit.refusal('CallClose', {})).toMatchObject(early);
    expect(sit.refusal('DealCard', deal)).toMatchObject(early);
    sit.at = deadline + 500;
    sit.slip('T1', { player: 500 });
    sit.at -= 1;
    expect(sit.submit('CloseBets', {})).toMatchObject({ refused: 'clock-ran-back', by: null });
  });

  test(`[${book} 3.2] at ${game} a slip that arrives by deadline and grace is taken, a later one is not`, () => {
    const sit = readyTable(game).bets();
    sit.wait(20_000).do('CallClose', {});
    sit.wait(499);
    expect(sit.refusal('CloseBets', {})).toMatchObject({
      refused: 'close-too-early',
      until: sit.at + 1,
      by: `${book} 3.2`,
    });
    sit.wait(1).slip('T1', { player: 500 });
    sit.wait(1);
    const late = { round: sit.round, slip: { player: 600 }, credit: 9000 };
    expect(sit.refusal('SetSlip', late, { terminal: 'T2' })).toMatchObject({ refused: 'bets-closed' });
    expect(sit.do('CloseBets', {})[0]).toMatchObject({ type: 'BetsClosed', by: `${book} 3.2` });
    expect(publicView(sit.table!).call).toBe('No more bets');
    expect(sit.balance('T1')).toBe(-500);
  });

  const play = { BAC: '3.9', SUP: '3.9', ELM: '3.9', FAB: '3.8', ETG: '3.8' }[book];
  test(`[${book} ${play}] at ${game} the slot is named before each card, totals after four, and nothing else is accepted`, () => {
    const suits = game === 'sands-elements' ? '12345' : 'SHCDS';
    const card = (rank: string, n: number): string => rank + suits[n];
    const sit = readyTable(game).bets().close();
    const slots = ['P1', 'B1', 'P2', 'B2'] as const;
    for (const [n, rank] of ['2', '3', 'A', '2'].entries()) {
      expect(publicView(sit.table!).round!.next).toBe(slots[n]);
      const wrong = slots[(n + 1) % 4]!;
      expect(sit.refusal('DealCard', { slot: wrong, card: card(rank, n) })).toMatchObject({
        refused: 'wrong-slot',
        slot: slots[n],
        by: `${book} ${play}`,
      });
      expect(sit.refusal('Settle', {})).toMatchObject({ refused: 'incomplete-deal', by: `${book} ${play}` });
      sit.deal(card(rank, n));
    }
    expect(publicView(sit.table!).round).toMatchObject({ player: { total: 3 }, banker: { total: 5 }, next: 'P3' });
    expect(sit.refusal('DealCard', { slot: 'B3', card: card('4', 0) })).toMatchObject({
      refused: 'wrong-slot',
      slot: 'P3',
    });
    sit.deal(card('4', 0));
    expect(publicView(sit.table!).round!.next).toBe('B3');
    sit.deal(card('T', 0));
    expect(publicView(sit.table!).round).toMatchObject({
      player: { total: 7 },
      banker: { total: 5 },
      next: null,
      winner: 'player',
    });
    expect(sit.refusal('DealCard', { slot: 'B3', card: card('4', 0) })).toMatchObject({
      refused: 'card-after-deal',
      by: `${book} ${play}`,
    });
  });

  const hand = { BAC: '1.1.2', SUP: '1.1.3', ELM: '1.1.2', FAB: '1.1.2', ETG: '1.1.5' }[book];
  test(`[${book} ${hand}] at ${game} a hand holds the cards of its own round; a card carried over is marked`, () => {
    const sit = readyTable(game).playRound(cards);
    expect(publicView(sit.bets().table!).round!.player).toEqual({ cards: [], total: 0 });
    sit.close().deal(cards);
    sit.do('ReportIrregularity', { kind: 'wrong-number' });
    sit.doByTwo('ReconstructRound', { cards: cards.split(' '), unseen: true, reason: 'one card too many, unseen' });
    sit.settle().bets().close();
    const [dealt] = sit.do('DealCard', { slot: 'P1', card: cards.split(' ')[1]! });
    expect(dealt).toMatchObject({ type: 'CardDealt', slot: 'P1', carried: true });
    expect(sit.do('DealCard', { slot: 'B1', card: cards.split(' ')[2]! })[0]).not.toHaveProperty('carried');
    expect(sit.table!.round!.cards).toHaveLength(2);
  });
}

test('a settlement gives one result for each wager with odds and clause, and each slip’s amounts follow', () => {
  const sit = readyTable('baccarat').playRound('9S 2C 9H 4D', stakes);
  const [settled] = sit.events('RoundSettled');
  expect(Object.keys(settled!.results)).toEqual(sit.table!.settings.offered);
  expect(settled!.results['player']).toEqual({ result: 'win', pays: [1, 1], commission: [0, 1], by: 'BAC 4.1' });
  expect([sit.balance('T1'), sit.balance('T2')]).toEqual([100, 500]);
  expect([sit.account('stakes'), sit.account('house'), sit.account('commission')]).toEqual([0, -600, 0]);
  expect(terminalView(sit.table!, 'T2').paid).toEqual([
    { wager: 'player', stake: 500, result: 'win', won: 500, commission: 0, returned: 1000, by: 'BAC 4.1' },
  ]);
});

test('[ETG 1.1.3] commission is posted gross, then deducted, and shown with gross and net', () => {
  const sit = readyTable('tiger').playRound('2C 9S 4D TD', { T1: { banker: 1000 } });
  const { postings } = sit.entries.at(-1)!;
  expect(postings).toEqual([
    { from: 'sg1/SGD/stakes/B1', to: 'sg1/SGD/terminal/T1', amount: 1000 },
    { from: 'sg1/SGD/house/B1', to: 'sg1/SGD/terminal/T1', amount: 1000 },
    { from: 'sg1/SGD/terminal/T1', to: 'sg1/SGD/commission/B1', amount: 50 },
  ]);
  expect(terminalView(sit.table!, 'T1').paid![0]).toMatchObject({ won: 950, commission: 50, returned: 1950 });
});

test('a mistake can be raised until the pause is over; only then the round is settled', () => {
  const sit = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H 4D').wait(1_999);
  expect(sit.refusal('Settle', {})).toMatchObject({ refused: 'pause-runs', until: sit.at + 1 });
  expect(sit.wait(1).do('Settle', {})[0]).toMatchObject({ type: 'RoundSettled' });
  expect(sit.refusal('Settle', {})).toMatchObject({ refused: 'not-now', phase: 'idle' });
});

test('[READING 45] a round is known by property, table, gaming day, shoe and number; the day turns at its hour', () => {
  const sit = readyTable('baccarat');
  // 05:59 in Singapore still belongs to the day before.
  sit.at = Date.parse('2023-11-16T05:59:59.999+08:00');
  expect(sit.bets().round).toBe('sg1/B1/2023-11-15/S1/1');
  sit.do('VoidRound', { reason: 'the day turns' });
  expect(sit.wait(1).bets().round).toBe('sg1/B1/2023-11-16/S1/2');
  expect(publicView(sit.table!).round!.number).toBe(2);
});

test('[READING 47] a round names its game version and the hash of its rules', () => {
  const [opened] = readyTable('tiger').do('OpenBets', {});
  expect(opened).toMatchObject({
    game: 'tiger@2021-10-28',
    hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
  });
});

test('bets can be extended while they are open, and the deadline follows', () => {
  const sit = readyTable('baccarat').bets();
  const closesAt = sit.at + 25_000;
  expect(sit.wait(1_000).do('ExtendBets', { time: 5_000 })[0]).toMatchObject({ type: 'BetsExtended', closesAt });
  expect(sit.do('CallClose', { notice: 3_000 })[0]).toMatchObject({ deadline: closesAt });
  expect(sit.refusal('ExtendBets', { time: 5_000 })).toMatchObject({ refused: 'not-now', phase: 'closing' });
  sit.at = closesAt + 500;
  sit.do('CloseBets', {});
  const late = readyTable('baccarat').bets().wait(30_000);
  expect(late.do('ExtendBets', { time: 5_000 })[0]).toMatchObject({ closesAt: late.at + 5_000 });
  expect(late.do('CallClose', { notice: 9_000 })[0]).toMatchObject({ deadline: late.at + 9_000 });
});

test('nothing happens at a table that is not open, and it is opened once', () => {
  const sit = openedTable('baccarat');
  expect(sit.refusal('OpenTable', { settings: {} as TableSettingsInput })).toMatchObject({
    refused: 'already-open',
    by: null,
  });
  expect(openedTable('baccarat').refusal('OpenBets', {})).toMatchObject({ refused: 'shoe-not-ready' });
});

test('every refusal that a table knows is met in these tests', () => {
  const texts = ['./', '../ledger/'].flatMap((name) => {
    const folder = new URL(name, import.meta.url);
    return readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  });
  for (const code of Object.keys(tableRefusals)) {
    expect(
      texts.some((text) => text.includes(`refused: '${code}'`)),
      code,
    ).toBe(true);
  }
});
