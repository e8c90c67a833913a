import { shortMoney } from '../../../../base/formatMoney.ts';
import { type FloorView } from '../../../../wire/staff/floorView.ts';
import { sumMoney } from '../../kit/text/signedMoney.ts';
import { hourText } from '../../kit/text/timeText.ts';
import { currency } from '../../app/state.ts';
import { floorStrings } from './strings.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);

/** The floor in six figures. */
export function FloorTotals({ floor: { tables, waiting, since, voids, corrected } }: { readonly floor: FloorView }) {
  const t = floorStrings();
  const drop = sumOf(tables.map((one) => one.drop));
  const win = sumOf(tables.map(({ win: { sign, amount } }) => sign * amount));
  const dealing = tables.filter(({ roundsAnHour }) => roundsAnHour > 0);
  const open = tables.filter(({ phase }) => phase !== null && phase !== 'closed');
  const terminals = sumOf(tables.map((one) => one.terminals));
  const offline = sumOf(tables.map((one) => one.offline));
  const need = new Set(waiting.flatMap(({ table }) => table ?? [])).size;
  const rate = dealing.length === 0 ? 0 : sumOf(dealing.map((one) => one.roundsAnHour)) / dealing.length;
  const figures: readonly (readonly [string, string, string])[] = [
    [t.drop, shortMoney(drop), t.since(currency.value, hourText(since))],
    [t.win, sumMoney(win), drop === 0 ? t.noDrop : t.ofDrop(((100 * win) / drop).toFixed(1).replace('-', '−'))],
    [t.rate, rate.toFixed(1), t.dealing(dealing.length)],
    [t.tables, t.of(open.length, tables.length), t.need(need)],
    [t.terminals, t.of(terminals, terminals + offline), t.offline(offline)],
    [t.voids, String(voids), t.again(corrected)],
  ];
  return (
    <section class="figs panel">
      {figures.map(([name, value, more]) => (
        <div key={name}>
          <span class="cap">{name}</span>
          <b>{value}</b>
          <small class="q">{more}</small>
        </div>
      ))}
    </section>
  );
}
