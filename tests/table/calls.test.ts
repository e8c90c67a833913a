import { expect, test } from 'vitest';
import { buildDealerView } from '../../src/table/views/dealerView.ts';
import { dealer, floor, readyTable, supervisor } from './tableScenario.ts';

// Calls and notes. None touches a round; each names the current one.

test('a supervisor is called with a reason and comes; a second call takes the place of the first', () => {
  const sit = readyTable('tiger').bets();
  expect(sit.refusal('AnswerCall', {}, supervisor)).toMatchObject({ refused: 'not-now' });
  expect(sit.do('CallSupervisor', { reason: 'a dispute' })).toMatchObject([
    { type: 'SupervisorCalled', reason: 'a dispute', round: sit.round },
  ]);
  expect(buildDealerView(sit.table!).called).toMatchObject({ at: sit.at, reason: 'a dispute', from: { person: 'd1' } });
  sit.do('CallSupervisor', { reason: 'a card on the floor' });
  expect(sit.refusal('AnswerCall', {})).toMatchObject({ refused: 'not-your-role' });
  expect(sit.do('AnswerCall', {}, supervisor)).toMatchObject([{ type: 'CallAnswered', reason: 'a card on the floor' }]);
  expect(buildDealerView(sit.table!).called).toBeNull();
  expect(sit.refusal('CallSupervisor', { reason: 'x' }, floor)).toMatchObject({ refused: 'not-your-role' });
});

test('a call and a note are taken at any time, also while the table waits, and touch nothing', () => {
  const sit = readyTable('tiger');
  expect(sit.do('AddNote', { text: 'a new dealer learns' })[0]).toMatchObject({ type: 'NoteAdded', to: 'record' });
  expect(sit.entries.at(-1)!.event).not.toHaveProperty('round');
  sit.bets().close().deal('9S').do('ReportIrregularity', { kind: 'order-altered' });
  const before = structuredClone(sit.table);
  expect(sit.do('AddNote', { text: 'camera three', to: 'floor' })[0]).toMatchObject({ to: 'floor', round: sit.round });
  expect(sit.do('AddNote', { text: 'wait for me', to: 'dealer' }, supervisor)).toHaveLength(1);
  expect(sit.table).toEqual(before);
  sit.do('CallSupervisor', { reason: 'x' });
  sit.do('Refer', { reason: 'x' });
  sit.do('AnswerCall', {}, supervisor);
  sit.do('AddNote', { text: 'x' }, dealer);
  expect(sit.table).toMatchObject({ call: null, openIrregularities: [{ kind: 'order-altered' }], referrals: [{}] });
});

test('views show since when an irregularity, referral or proposal is open and who reported it', () => {
  const sit = readyTable('tiger').bets().close().deal('9S').wait(700);
  sit.do('ReportIrregularity', { kind: 'wrong-order' });
  const since = sit.at;
  sit.wait(300).do('ReportInterruption', { since: since + 100, stateLost: true }, floor);
  expect(buildDealerView(sit.table!)).toMatchObject({
    stopped: { kind: 'interruption', since: since + 100, reporter: null },
    waiting: [{ kind: 'wrong-order', since }],
  });
  sit.wait(200).do('ConfirmFelt', {});
  expect(buildDealerView(sit.table!).proposal).toMatchObject({ since: sit.at, expires: sit.at + 120_000 });
  sit.wait(200).do('Refer', { reason: 'x' }, supervisor);
  expect(buildDealerView(sit.table!).referred).toMatchObject([
    { since: sit.at, from: { person: 's1', number: null, role: 'supervisor', acting: null } },
  ]);
});
