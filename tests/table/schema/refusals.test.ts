import { expect, test } from 'vitest';
import { dealer, readyTable } from '../tableScenario.ts';

test('refusals say what is wrong and what to do', () => {
  const scenario = readyTable('tiger').bets({ T1: { tie: 100 } });
  const messageOf = (type: never, fields: object, who: object = dealer): string =>
    scenario.refusal(type, fields as never, who as never).message;
  const slip = (stakes: object) => ({ round: scenario.round, slip: stakes, credit: 500 });
  const t9 = { terminal: 'T9' };
  expect(messageOf('SetSlip' as never, slip({ lion: 100 }), t9)).toBe(
    'This table does not offer "lion"; it offers player, banker, tie, tiger, small-tiger, big-tiger, tiger-tie, tiger-pair.',
  );
  expect(messageOf('SetSlip' as never, slip({ tie: 100 }), dealer)).toBe(
    'SetSlip is for a patron at a terminal; bet at a terminal.',
  );
  expect(messageOf('OpenBets' as never, {}, t9)).toBe('OpenBets is for a dealer or a higher role; ask one.');
  expect(messageOf('OpenBets' as never, {})).toBe('Not possible now: bets are open; finish the round first.');
  scenario.wait(20_000).do('CallClose', {});
  expect(messageOf('CallClose' as never, {})).toBe(
    'Not possible now: the close of bets is announced; the close is announced only once, and only while bets are open.',
  );
  scenario.wait(500).do('CloseBets', {});
  expect(messageOf('OpenBets' as never, {})).toBe('Not possible now: cards are being dealt; finish the round first.');
  expect(messageOf('ReportWager' as never, { kind: 'late-wager', place: 'x', wager: 'lion', amount: 1 })).toMatch(
    /^This table does not offer "lion"; it offers player, banker,/,
  );
  expect(messageOf('RestoreOrder' as never, { reason: 'x' })).toBe(
    'No irregularity is open; send ReportIrregularity first, or Refer.',
  );
  scenario.deal('9S');
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  expect(messageOf('RestoreOrder' as never, { reason: 'x' })).toBe(
    'RestoreOrder is not possible for wrong-order; send ReconstructRound, VoidRound, DismissReport, Refer.',
  );
  expect(messageOf('Settle' as never, {})).toBe(
    'The table waits for a ruling on wrong-order; send ReconstructRound, VoidRound, DismissReport, Refer.',
  );
  const cards = (list: readonly string[]) => ({ cards: list, unseen: false, reason: 'x' });
  expect(messageOf('ReconstructRound' as never, cards(['2C']))).toMatch(/^The recorded card 9S is not in the list; /);
  const nine = ['9S', '2C', '2C', '2C', '2C', '2C', '2C', '2C', '2C'];
  expect(messageOf('ReconstructRound' as never, cards(nine))).toMatch(
    /^The list has 9 cards, but at most 8 cards leave the shoe for a round; /,
  );
  expect(scenario.do('ReconstructRound', cards(nine.slice(1).with(0, '9S')))[0]).toMatchObject({ type: 'Proposed' });
  scenario.doByTwo('DismissReport', { reason: 'x' });
  scenario.deal('2C 9H 4D');
  expect(messageOf('OpenBets' as never, {})).toBe('Not possible now: the deal is complete; finish the round first.');
  const fix = (place: number, card: string) => ({ round: scenario.round, place, card, reason: 'x' });
  expect(messageOf('CorrectCard' as never, fix(5, 'KD'))).toBe('The round has no card 5; it has 4 cards.');
  expect(messageOf('CorrectCard' as never, fix(1, '9S'))).toBe(
    'Card 1 is already recorded as 9S; there is nothing to correct.',
  );
  scenario.settle();
  expect(messageOf('Settle' as never, {})).toMatch(/^Not possible now: no round is being played; /);
});
