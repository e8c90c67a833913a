import { formatMoney } from '../../../../base/formatMoney.ts';
import { createStringsGetter } from '../../../shared/text/language.ts';
import { acceptedSlip, slipTotal } from '../../app/slipSignals.ts';
import { tableView } from '../../app/state.ts';
import { NoticeBox } from './noticeBox.tsx';

const en = {
  title: 'The table has stopped',
  decided: 'The supervisor decides what follows; no bets are taken until then.',
  referred: 'The question was referred; the Gaming Shift Manager decides what follows. No bets are taken until then.',
  broken: 'The table needs help; call the supervisor. No bets are taken until the table runs again.',
  unrecorded: 'Nothing can be recorded just now, so no bets are taken. The table continues by itself.',
  stand: (number: number) => `Your bets in round #${number} stand`,
};

const zh: typeof en = {
  title: '本台暂停',
  decided: '由主管裁定后续处理；在此之前不接受投注。',
  referred: '事项已上报，由博彩值班经理裁定；在此之前不接受投注。',
  broken: '本台不会自行恢复，请联系主管。在此之前不接受投注。',
  unrecorded: '目前无法记录，恢复之前不接受投注；届时自动继续。',
  stand: (number) => `您在第 ${number} 局的投注有效`,
};

const stoppedStrings = createStringsGetter({ en, zh });

/**
 * Notice of a stopped table. It says who decides and by which clause, and shows the total of the patron's bets in
 * force.
 */
export function StoppedNotice() {
  const t = stoppedStrings();
  const { stopped, round } = tableView.value!;
  const stake = slipTotal(acceptedSlip.value);
  const { kind, by } = stopped!;
  const text =
    kind === 'cannot-record'
      ? t.unrecorded
      : kind === 'broken'
        ? t.broken
        : kind === 'referred'
          ? t.referred
          : t.decided;
  return (
    <NoticeBox icon="warn" title={t.title} mark="stopped" role="status" testid="stopped">
      <p>
        {text} {by !== null && <code class="clause">{by}</code>}
      </p>
      {stake > 0 && (
        <p class="notice-money">
          <span>{t.stand(round!.number)}</span>
          <b>{formatMoney(stake)}</b>
        </p>
      )}
    </NoticeBox>
  );
}
