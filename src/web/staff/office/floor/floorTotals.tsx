import { formatShortMoney } from '../../../../base/formatMoney.ts';
import { type FloorView } from '../../../../wire/staff/floorView.ts';
import { formatMoneyWithMinus } from '../../kit/text/formatSignedMoney.ts';
import { hourMinuteText } from '../../kit/text/timeText.ts';
import { propertyCurrency } from '../../app/state.ts';
import { floorStrings } from './strings.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

export function FloorTotals({ floor: { tables, waiting, since, voids, corrected } }: { readonly floor: FloorView }) {
  const t = floorStrings();
  const turnover = sumOf(tables.map((one) => one.turnover));
  const win = sumOf(tables.map(({ win: { sign, amount } }) => sign * amount));
  const dealing = tables.filter(({ roundsPerHour }) => roundsPerHour > 0);
  const open = tables.filter(({ phase }) => phase !== null && phase !== 'closed');
  const terminals = sumOf(tables.map((one) => one.terminals));
  const offline = sumOf(tables.map((one) => one.offline));
  const needCount = new Set(waiting.flatMap(({ table }) => table ?? [])).size;
  const rate = dealing.length === 0 ? 0 : sumOf(dealing.map((one) => one.roundsPerHour)) / dealing.length;
  const totals: readonly (readonly [string, string, string])[] = [
    [t.turnover, formatShortMoney(turnover), t.since(propertyCurrency.value, hourMinuteText(since))],
    [
      t.win,
      formatMoneyWithMinus(win),
      turnover === 0 ? t.noTurnover : t.ofTurnover(((100 * win) / turnover).toFixed(1).replace('-', '−')),
    ],
    [t.rate, rate.toFixed(1), t.dealing(dealing.length)],
    [t.tables, t.of(open.length, tables.length), t.need(needCount)],
    [t.terminals, t.of(terminals, terminals + offline), t.offline(offline)],
    [t.voids, String(voids), t.again(corrected)],
  ];
  return (
    <section class="figs panel">
      {totals.map(([name, value, more]) => (
        <div key={name}>
          <span class="cap">{name}</span>
          <b>{value}</b>
          <small class="q">{more}</small>
        </div>
      ))}
    </section>
  );
}
