import { expect, test } from 'vitest';
import { type TerminalTableView, type StakeResultView, type PublicTableView } from '../../../wire/tableView.ts';
import { type RecalledRound } from '../../../wire/roundRecall.ts';
import {
  type RoundNoticeState,
  acknowledgeNotice,
  noRoundNotices,
  noticesAfterView,
  dropNoticesOfOtherSessions,
  noticesAfterRecall,
} from './roundNoticeState.ts';

const paid = (stake: number, returned: number, changes: Partial<StakeResultView> = {}): StakeResultView => ({
  wager: 'tie',
  stake,
  result: returned === 0 ? 'lose' : 'win',
  won: Math.max(0, returned - stake),
  commission: 0,
  returned,
  by: 'ETG 4.1',
  ...changes,
});
const round = (number: number, changes: Partial<PublicTableView['round']> = {}) =>
  ({ id: `r${number}`, number, voidBy: null, settledAgain: false, won: ['tie'], ...changes }) as Partial<
    PublicTableView['round']
  > as PublicTableView['round'];
const afterView = (
  notices: RoundNoticeState,
  view: Partial<PublicTableView>,
  own: Partial<TerminalTableView>,
): RoundNoticeState =>
  noticesAfterView(
    notices,
    { table: 'tiger', round: null, last: null, notice: null, ...view } as PublicTableView,
    { round: view.round ?? null, slip: {}, paid: null, last: null, ...own } as TerminalTableView,
  );

test('a regular end of a round makes no notice', () => {
  const after = afterView(noRoundNotices, { round: round(1) }, { paid: [paid(500, 4_500), paid(500, 0)] });
  expect(after.waiting).toEqual([]);
  expect(afterView(after, { round: round(1) }, { paid: [paid(500, 4_500), paid(500, 0)] })).toBe(after);
  expect(afterView(after, { round: round(2, { won: null }) }, {})).toBe(after);
});

test('a void round makes a notice with stake and refund, which stays through later rounds until it is acknowledged', () => {
  const notice = { kind: 'void', round: 'r1', number: 1, by: 'ETG 5.9.1', reason: 'No outcome.' } as const;
  const back = [paid(500, 500, { result: 'void', by: 'ETG 5.9.1' })];
  const sight = { round: round(1, { voidBy: 'ETG 5.9.1', won: null }), notice };
  const notices = afterView(noRoundNotices, sight, { paid: back });
  expect(notices.waiting).toEqual([
    {
      key: 'r1/void/500',
      kind: 'void',
      table: 'tiger',
      round: 'r1',
      number: 1,
      by: 'ETG 5.9.1',
      reason: 'No outcome.',
      stake: 500,
      returned: 500,
      was: null,
    },
  ]);
  const last = { id: 'r1', number: 1, voidBy: 'ETG 5.9.1' } as PublicTableView['last'];
  const later = afterView(
    notices,
    { round: round(2, { won: null }), last, notice },
    { last: { id: 'r1', number: 1, slip: {}, paid: back } },
  );
  expect(later.waiting).toEqual(notices.waiting);
  const done = acknowledgeNotice(later, 'r1/void/500');
  expect(done.waiting).toEqual([]);
  expect(afterView(done, sight, { paid: back }).waiting).toEqual([]);
});

test('a void during a disconnection makes a notice from the last round of the view', () => {
  const last = { id: 'r1', number: 1, voidBy: 'ETG 5.2' } as PublicTableView['last'];
  const own = { last: { id: 'r1', number: 1, slip: {}, paid: [paid(500, 500, { result: 'void' })] } };
  expect(afterView(noRoundNotices, { round: round(2, { won: null }), last }, own).waiting).toMatchObject([
    { kind: 'void', round: 'r1', number: 1, by: 'ETG 5.2', returned: 500 },
  ]);
  // A terminal without a stake gets no notice of a void.
  expect(afterView(noRoundNotices, { round: round(2, { won: null }), last }, {}).waiting).toEqual([]);
});

test('a correction makes one notice per settlement, with the amounts before and after', () => {
  const first = afterView(noRoundNotices, { round: round(1) }, { paid: [paid(500, 4_500)] });
  const notice = { kind: 'corrected', round: 'r1', number: 1, by: 'ETG 6.3', reason: '' } as const;
  const again = { round: round(1, { settledAgain: true }), notice };
  const second = afterView(first, again, { paid: [paid(500, 0)] });
  expect(second.waiting).toMatchObject([{ kind: 'corrected', by: 'ETG 6.3', stake: 500, returned: 0, was: 4_500 }]);
  expect(afterView(second, again, { paid: [paid(500, 0)] })).toBe(second);
  // A newer notice replaces the older notice, even after the patron acknowledged the older one.
  const third = afterView(acknowledgeNotice(second, second.waiting[0]!.key), again, { paid: [paid(500, 500)] });
  expect(third.waiting).toMatchObject([{ returned: 500, was: 0 }]);
  expect(afterView(second, again, { paid: [paid(500, 500)] }).waiting).toHaveLength(1);
});

test('a correction of the previous round makes a notice, also when it voids the round', () => {
  const first = afterView(noRoundNotices, { round: round(1) }, { paid: [paid(500, 4_500)] });
  const notice = { kind: 'corrected', round: 'r1', number: 1, by: 'HOUSE 9', reason: '' } as const;
  const own = (returned: number) => ({ last: { id: 'r1', number: 1, slip: {}, paid: [paid(500, returned)] } });
  const last = { id: 'r1', number: 1, voidBy: null } as PublicTableView['last'];
  const now = { round: round(2, { won: null }), last, notice };
  expect(afterView(first, now, own(0)).waiting).toMatchObject([
    { kind: 'corrected', round: 'r1', number: 1, by: 'HOUSE 9', was: 4_500 },
  ]);
  const voided = { ...now, last: { id: 'r1', number: 1, voidBy: 'BAC 5.2' } as PublicTableView['last'], notice: null };
  expect(afterView(first, voided, own(500)).waiting).toMatchObject([
    { kind: 'void', by: 'BAC 5.2', was: 4_500, returned: 500 },
  ]);
});

test('single void bets make a notice during the round, and the end of the round makes no correction', () => {
  const voidedBet = paid(500, 500, { result: 'void', by: 'ETG 5.5' });
  const during = afterView(noRoundNotices, { round: round(1, { won: null }) }, { paid: [voidedBet] });
  expect(during.waiting).toMatchObject([{ kind: 'part', by: 'ETG 5.5', stake: 500, returned: 500, was: null }]);
  const after = afterView(during, { round: round(1) }, { paid: [voidedBet, paid(1_000, 9_000)] });
  expect(after.waiting).toEqual(during.waiting);
  // After the round has ended, the view no longer lists the bets that were voided singly.
  const last = { id: 'r1', number: 1, voidBy: null } as PublicTableView['last'];
  const own = { last: { id: 'r1', number: 1, slip: {}, paid: [paid(1_000, 9_000)] } };
  expect(afterView(after, { round: round(2, { won: null }), last }, own)).toBe(after);
});

const settlement = (all: readonly StakeResultView[]) => ({ settlement: 's', at: 1, paid: all, short: 0 });
const recalled = (number: number, changes: Partial<RecalledRound> = {}): RecalledRound =>
  ({
    table: 'tiger',
    id: `r${number}`,
    number,
    settled: [settlement([paid(500, 0)])],
    voidBy: null,
    reason: null,
    corrected: false,
    ...changes,
  }) as Partial<RecalledRound> as RecalledRound;
const back = paid(500, 500, { result: 'void', by: 'ETG 5.2' });
const voided = recalled(3, { settled: [settlement([back])], voidBy: 'ETG 5.2', reason: 'A card too many.' });
const corrected = recalled(2, {
  settled: [settlement([paid(500, 4_500)]), settlement([paid(500, 0)])],
  corrected: true,
});

test('recalled rounds make notices of what happened out of sight, oldest first, until they are acknowledged', () => {
  const rounds = [recalled(4, { settled: [] }), voided, corrected, recalled(1)];
  const notices = noticesAfterRecall(noRoundNotices, rounds);
  const tiger = { table: 'tiger', stake: 500 };
  expect(notices.waiting).toEqual([
    {
      ...tiger,
      key: 'r2/corrected/0',
      kind: 'corrected',
      round: 'r2',
      number: 2,
      by: '',
      reason: '',
      returned: 0,
      was: 4_500,
    },
    {
      ...tiger,
      key: 'r3/part/500',
      kind: 'part',
      round: 'r3',
      number: 3,
      by: 'ETG 5.2',
      reason: 'A card too many.',
      returned: 500,
      was: null,
    },
  ]);
  expect(noticesAfterRecall(notices, rounds)).toBe(notices);
  const read = notices.waiting.reduce((all, { key }) => acknowledgeNotice(all, key), notices);
  expect(noticesAfterRecall(read, rounds)).toBe(read);
  expect(noticesAfterRecall(noRoundNotices, [recalled(1)])).toBe(noRoundNotices);
});

test('a notice from a view is not repeated by a recall, unless there is another settlement', () => {
  const last = { id: 'r3', number: 3, voidBy: 'ETG 5.2' } as PublicTableView['last'];
  const fromView = afterView(
    noRoundNotices,
    { round: round(4, { won: null }), last },
    { last: { id: 'r3', number: 3, slip: {}, paid: [back] } },
  );
  expect(fromView.waiting).toMatchObject([{ key: 'r3/void/500' }]);
  expect(noticesAfterRecall(fromView, [voided])).toBe(fromView);
  const read = acknowledgeNotice(fromView, 'r3/void/500');
  expect(noticesAfterRecall(read, [voided])).toBe(read);
  const again = recalled(3, { settled: [settlement([back]), settlement([paid(500, 0)])], corrected: true });
  expect(noticesAfterRecall(read, [again]).waiting).toMatchObject([{ kind: 'corrected', returned: 0, was: 500 }]);
});

test('a notice from a recall is not repeated by a view', () => {
  const notices = noticesAfterRecall(noRoundNotices, [voided]);
  expect(notices.waiting).toMatchObject([{ key: 'r3/part/500' }]);
  const sight = { round: round(3, { voidBy: 'ETG 5.2', won: null }) };
  expect(afterView(notices, sight, { paid: [back] }).waiting).toEqual(notices.waiting);
  expect(afterView(acknowledgeNotice(notices, 'r3/part/500'), sight, { paid: [back] }).waiting).toEqual([]);
});

test('a round of the next shoe with the same number is another round', () => {
  const first = afterView(noRoundNotices, { round: round(1) }, { paid: [paid(500, 0)] });
  const again = round(1, { id: 'another' });
  const second = afterView(first, { round: again }, { paid: [paid(500, 1_000)] });
  expect(second.waiting).toEqual([]);
  const voidRound = (id: string): Partial<PublicTableView> => ({
    round: round(1, { id, voidBy: 'ETG 5.2', won: null }),
  });
  const read = acknowledgeNotice(afterView(noRoundNotices, voidRound('r1'), { paid: [back] }), 'r1/void/500');
  expect(afterView(read, voidRound('another'), { paid: [back] }).waiting).toMatchObject([
    { round: 'another', number: 1, kind: 'void' },
  ]);
});

test('[READING 60] a notice that one patron has not acknowledged is not shown to the next patron', () => {
  const first = dropNoticesOfOtherSessions(noRoundNotices, 'T1.1');
  const notices = afterView(
    first,
    { round: round(1, { voidBy: 'ETG 5.9.1', won: null }) },
    { paid: [paid(500, 500, { result: 'void' })] },
  );
  expect(notices.waiting).toHaveLength(1);
  expect(dropNoticesOfOtherSessions(notices, 'T1.1')).toBe(notices);
  const next = dropNoticesOfOtherSessions(notices, 'T1.2');
  expect(next.waiting).toEqual([]);
  // The notices do not come back while the page still shows the round of the session before.
  expect(
    afterView(
      next,
      { round: round(1, { voidBy: 'ETG 5.9.1', won: null }) },
      { paid: [paid(500, 500, { result: 'void' })] },
    ).waiting,
  ).toEqual([]);
  expect(
    afterView(
      next,
      { round: round(2, { voidBy: 'ETG 5.9.1', won: null }) },
      { paid: [paid(500, 500, { result: 'void' })] },
    ).waiting,
  ).toHaveLength(1);
});
