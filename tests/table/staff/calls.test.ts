import { expect, test } from 'vitest';
import { buildDealerView } from '../../../src/table/views/dealerView.ts';
import { dealer, floor, readyTable, supervisor } from '../tableScenario.ts';

// Calls and notes. None touches a round; each names the current one.

test('a supervisor is called with a reason and arrives; a second call replaces the first', () => {
  const scenario = readyTable('tiger').bets();
  expect(scenario.refusal('AnswerCall', {}, supervisor)).toMatchObject({ refused: 'not-now' });
  expect(scenario.do('CallSupervisor', { reason: 'a dispute' })).toMatchObject([
    { type: 'SupervisorCalled', reason: 'a dispute', round: scenario.round },
  ]);
  expect(buildDealerView(scenario.table!).called).toMatchObject({
    at: scenario.at,
    reason: 'a dispute',
    from: { person: 'd1' },
  });
  scenario.do('CallSupervisor', { reason: 'a card on the floor' });
  expect(scenario.refusal('AnswerCall', {})).toMatchObject({ refused: 'not-your-role' });
  expect(scenario.do('AnswerCall', {}, supervisor)).toMatchObject([
    { type: 'CallAnswered', reason: 'a card on the floor' },
  ]);
  expect(buildDealerView(scenario.table!).called).toBeNull();
  expect(scenario.refusal('CallSupervisor', { reason: 'x' }, floor)).toMatchObject({ refused: 'not-your-role' });
});

test('a call and a note are accepted at any time, also while the table waits, and change nothing', () => {
  const scenario = readyTable('tiger');
  expect(scenario.do('AddNote', { text: 'a new dealer learns' })[0]).toMatchObject({ type: 'NoteAdded', to: 'record' });
  expect(scenario.entries.at(-1)!.event).not.toHaveProperty('round');
  scenario.bets().close().deal('9S').do('ReportIrregularity', { kind: 'order-altered' });
  const before = structuredClone(scenario.table);
  expect(scenario.do('AddNote', { text: 'camera three', to: 'floor' })[0]).toMatchObject({
    to: 'floor',
    round: scenario.round,
  });
  expect(scenario.do('AddNote', { text: 'wait for me', to: 'dealer' }, supervisor)).toHaveLength(1);
  expect(scenario.table).toEqual(before);
  scenario.do('CallSupervisor', { reason: 'x' });
  scenario.do('Refer', { reason: 'x' });
  scenario.do('AnswerCall', {}, supervisor);
  scenario.do('AddNote', { text: 'x' }, dealer);
  expect(scenario.table).toMatchObject({
    call: null,
    openIrregularities: [{ kind: 'order-altered' }],
    referrals: [{}],
  });
});

test('views show since when an irregularity, referral or proposal is open and who reported it', () => {
  const scenario = readyTable('tiger').bets().close().deal('9S').wait(700);
  scenario.do('ReportIrregularity', { kind: 'wrong-order' });
  const since = scenario.at;
  scenario.wait(300).do('ReportInterruption', { since: since + 100, stateLost: true }, floor);
  expect(buildDealerView(scenario.table!)).toMatchObject({
    stopped: { kind: 'interruption', since: since + 100, reporter: null },
    waiting: [{ kind: 'wrong-order', since }],
  });
  scenario.wait(200).do('ConfirmFelt', {});
  expect(buildDealerView(scenario.table!).proposal).toMatchObject({
    since: scenario.at,
    expires: scenario.at + 120_000,
  });
  scenario.wait(200).do('Refer', { reason: 'x' }, supervisor);
  expect(buildDealerView(scenario.table!).referred).toMatchObject([
    { since: scenario.at, from: { person: 's1', number: null, role: 'supervisor', acting: null } },
  ]);
});
