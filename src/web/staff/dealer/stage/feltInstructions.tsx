import { type DealerView } from '../../../../wire/staff/dealerView.ts';
import { ClauseTag } from '../../kit/components/clauseTag.tsx';
import { wagerName } from '../../../shared/text/gameNames.ts';
import { type FeltInstructionRow, feltInstructionRows } from './feltRows.ts';
import { dealerStrings } from '../strings.ts';

/** Instructions for the chips: on the left the chips to take, on the right the chips to pay, push or return. */
export function FeltInstructions({ view }: { readonly view: DealerView }) {
  const t = dealerStrings();
  const nameOf = (wager: string): string =>
    wagerName(wager, view.offered.find((one) => one.wager === wager)?.name ?? wager);
  const { take, pay } = feltInstructionRows(view.felt ?? [], nameOf, (side, totals) =>
    t.felt.winsOn(side === 'tie' ? nameOf('tie') : t.sides[side], totals),
  );
  const spotCount = (rows: readonly FeltInstructionRow[]): number => rows.reduce((sum, { spots }) => sum + spots, 0);
  const list = (rows: readonly FeltInstructionRow[]) => (
    <ul>
      {rows.map((row) => (
        <li key={row.name}>
          <span class={`do ${row.instruction}`}>{t.felt[row.instruction]}</span>
          <span>{row.name}</span>
          <span class="odds">{row.odds}</span>
          <ClauseTag by={row.by} />
        </li>
      ))}
    </ul>
  );
  return (
    <section class="panel felt" aria-label={t.felt.title} data-testid="felt">
      <header>
        <h2>{t.felt.title}</h2>
        <span class="q">{t.felt.order(spotCount(take), spotCount(pay))}</span>
        <span class="grow" />
        <span class="q more">{t.felt.money}</span>
      </header>
      <div class="cols" tabIndex={0} role="group" aria-label={t.felt.title}>
        {list(take)}
        {list(pay)}
      </div>
    </section>
  );
}
