import { expect, test } from 'vitest';
import { rulebooks } from '../../../src/games/rulebooks.ts';
import { games } from '../../../src/games/registry.ts';
import { dealerPromptOf, settleClauseOfGame } from '../../../src/table/views/prompt.ts';
import { type TableScenario, openedTable, cardsIn, natural, readyTable } from '../tableScenario.ts';

const stakes = { T1: { player: 1000 }, T2: { banker: 500 } };
const code = (scenario: TableScenario): string => dealerPromptOf(scenario.table!).code;

test('the prompt asks for each step of a shoe with its clause', () => {
  const scenario = openedTable('baccarat', { burn: 'first-card' });
  expect(dealerPromptOf(scenario.table!)).toEqual({ code: 'no-shoe', with: {}, by: 'BAC 2.1' });
  scenario.do('BringShoe', { shoe: 'S1', seal: 'x', decks: 8, backs: 'red' });
  expect(dealerPromptOf(scenario.table!)).toEqual({ code: 'inspect-shoe', with: { shoe: 'S1' }, by: 'BAC 2.1' });
  scenario.do('InspectCards', { match: true });
  expect(dealerPromptOf(scenario.table!)).toMatchObject({ code: 'count-shoe', by: 'BAC 2.1' });
  scenario.do('CountCards', { cards: 416 });
  expect(code(scenario)).toBe('shuffle-shoe');
  scenario.do('ShuffleShoe', { method: 'machine' });
  expect(dealerPromptOf(scenario.table!)).toMatchObject({ code: 'cut-shoe', by: 'HOUSE 3' });
  scenario.do('CutShoe', { behind: 14 });
  expect(dealerPromptOf(scenario.table!)).toMatchObject({ code: 'verify-shoe', by: 'HOUSE 2' });
  scenario.doByTwo('VerifyShoe', {});
  expect(code(scenario)).toBe('burn-first');
  scenario.do('BurnCards', { card: '2C' });
  expect(dealerPromptOf(scenario.table!)).toEqual({ code: 'ready', with: { last: 'none' }, by: 'BAC 3.1' });
  const virtual = openedTable('tiger', { dealing: 'virtual' });
  virtual.do('CommitShoe', { shoe: 'V1', root: 'a'.repeat(64) });
  expect(code(virtual)).toBe('choose-turn');
});

test('between rounds the prompt shows the last result and what blocks the next opening', () => {
  const scenario = readyTable('tiger').playRound(natural, stakes);
  expect(dealerPromptOf(scenario.table!)).toEqual({
    code: 'ready',
    with: { number: '1', last: 'player', player: '8', banker: '6' },
    by: 'ETG 3.1',
  });
  scenario.bets().do('VoidRound', { reason: 'x' });
  expect(dealerPromptOf(scenario.table!).with).toMatchObject({ last: 'void' });
  expect(dealerPromptOf(readyTable('tiger').playRound('TD TC 9H 8D').table!).with).toMatchObject({ last: 'player' });
  expect(dealerPromptOf(readyTable('tiger').playRound('TD TC 9H 9D').table!).with).toMatchObject({ last: 'tie' });
  expect(dealerPromptOf(readyTable('tiger').playRound('TD TC 8H 9D').table!).with).toMatchObject({ last: 'banker' });
  const cut = readyTable('tiger');
  cut.do('ReportCuttingCard', {});
  cut.playRound(natural);
  expect(dealerPromptOf(cut.table!)).toMatchObject({ code: 'shoe-over', by: 'ETG 3.10' });
  const locked = readyTable('tiger');
  locked.do('ReportIrregularity', { kind: 'foreign-card' });
  expect(dealerPromptOf(locked.table!)).toMatchObject({ code: 'shoe-locked', by: 'ETG 5.1' });
  const due = readyTable('tiger');
  due.table!.shoe!.drawn = 403;
  expect(dealerPromptOf(due.table!)).toMatchObject({ code: 'cutting-card-due', by: 'ETG 3.10' });
  due.table!.shoe!.drawn = 416;
  expect(code(due)).toBe('shoe-over');
  due.table!.shoe!.carried = true;
  expect(code(due)).toBe('cutting-card-due');
  const paying = readyTable('tiger', { chunk: 1 }).bets(stakes).close().deal(natural).wait(2_000);
  paying.do('Settle', {});
  expect(dealerPromptOf(paying.table!)).toEqual({ code: 'paying', with: { posted: '1', slips: '2' }, by: 'ETG 4.7' });
  paying.table!.closed = true;
  paying.table!.pendingSettlements = [];
  expect(code(paying)).toBe('closed');
});

test('[ETG 3.8] the prompt names each next card by the table of play and gives the reason', () => {
  const scenario = readyTable('tiger').bets(stakes);
  expect(dealerPromptOf(scenario.table!)).toEqual({ code: 'bets-open', with: { slips: '2' }, by: 'ETG 3.1' });
  scenario.wait(20_000).do('CallClose', {});
  expect(dealerPromptOf(scenario.table!)).toMatchObject({ code: 'closing', by: 'ETG 3.2' });
  scenario.wait(500).do('CloseBets', {});
  for (const [card, expected, by] of [
    ['2C', 'first-card', 'ETG 3.6.1'],
    ['AD', 'second-card', 'ETG 3.6.2'],
    ['3H', 'third-card', 'ETG 3.6.1'],
    ['2S', 'fourth-card', 'ETG 3.6.2'],
  ] as const) {
    expect(dealerPromptOf(scenario.table!)).toMatchObject({ code: expected, by });
    scenario.deal(card);
  }
  const totals = { player: '5', banker: '3' };
  expect(dealerPromptOf(scenario.table!)).toEqual({
    code: 'player-draws',
    with: { slot: 'P3', ...totals },
    by: 'ETG 3.8',
  });
  scenario.deal('7D');
  expect(dealerPromptOf(scenario.table!)).toEqual({
    code: 'banker-draws',
    with: { slot: 'B3', ...totals, card: '7D', third: '7' },
    by: 'ETG 3.8',
  });
  scenario.deal('3C');
  expect(dealerPromptOf(scenario.table!)).toEqual({
    code: 'result-banker',
    with: { player: '2', banker: '6', playerCards: '3', bankerCards: '3', natural: '', won: 'banker tiger big-tiger' },
    by: 'ETG 3.9',
  });
  const playerStands = readyTable('tiger').bets().close().deal('2C AD 4H 2S');
  expect(dealerPromptOf(playerStands.table!)).toMatchObject({
    code: 'player-stands',
    with: { slot: 'B3', player: '6', banker: '3' },
  });
  const both = readyTable('tiger').bets().close().deal('TD TC 9H 9D');
  expect(dealerPromptOf(both.table!)).toMatchObject({
    code: 'result-tie',
    with: { natural: 'player banker' },
    by: 'ETG 3.9.1',
  });
  expect(dealerPromptOf(readyTable('tiger').bets().close().deal(natural).table!)).toMatchObject({
    code: 'result-player',
    with: { natural: 'player' },
  });
});

test('the prompt puts irregularities, proposals and referrals before play', () => {
  const scenario = readyTable('baccarat').bets(stakes).close().deal('9S 2C 9H');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(dealerPromptOf(scenario.table!)).toEqual({ code: 'stopped', with: { kind: 'wrong-order' }, by: 'HOUSE 5' });
  scenario.do('ReconstructRound', { cards: cardsIn('9S 2C 9H'), unseen: false, reason: 'x' });
  expect(dealerPromptOf(scenario.table!)).toEqual({
    code: 'proposed',
    with: { command: 'ReconstructRound' },
    by: 'HOUSE 2',
  });
  // Its two minutes are over.
  expect(dealerPromptOf(scenario.table!, scenario.at + 120_001).code).toBe('stopped');
  scenario.do('Refer', { reason: 'x' });
  expect(dealerPromptOf(scenario.table!, scenario.at + 120_001)).toEqual({
    code: 'frozen',
    with: { referral: 'R1' },
    by: 'HOUSE 1',
  });
  const other = readyTable('baccarat').bets();
  other.do('CloseTable', { reason: 'x' }, { person: 'p1', role: 'pit-manager' });
  expect(other.table!.proposal).not.toBeNull();
  expect(code(other)).toBe('bets-open');
});

test('every rulebook has its own clauses for decks, dealing, third cards, the winner and a tie; every game its pay clause', () => {
  const numbers = rulebooks.map(({ id, clauses: { cards, deal, play, winner, tie } }) => [
    id,
    ...[cards, deal, play, winner, tie].map((clause) => clause.replace(`${id} `, '')),
  ]);
  expect(numbers).toEqual([
    ['BAC', '2.1', '3.7', '3.9', '3.10', '3.10.1'],
    ['SUP', '2.1', '3.7', '3.9', '3.10', '3.11'],
    ['ELM', '2.1', '3.7', '3.9', '3.10', '3.10.1'],
    ['FAB', '2.1', '3.7', '3.8', '3.9', '3.9.1'],
    ['ETG', '2.1', '3.6', '3.8', '3.9', '3.9.1'],
  ]);
  expect(Object.fromEntries(games.map((game) => [game.id, settleClauseOfGame(game)]))).toEqual({
    baccarat: 'BAC 4.1',
    'sands-super': 'SUP 4.1',
    'sands-elements': 'ELM 4.1',
    'fabulous-4': 'FAB 4.1',
    'super-six': 'ETG 4.1',
    'fortune-six': 'ETG 4.2',
    'super-6': 'ETG 4.3',
    'no-commission': 'ETG 4.4',
    tiger: 'ETG 4.7',
    'tiger-no-commission': 'ETG 4.8',
  });
});
