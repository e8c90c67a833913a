import { type ComponentChildren } from 'preact';
import { formatMoney } from '../../../../../base/formatMoney.ts';
import { type TerminalRulingRow, type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import { ClauseTag } from '../../../kit/components/clauseTag.tsx';
import { KeyCap } from '../../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../../kit/text/refusalText.ts';
import { promptText } from '../../../kit/text/promptText.ts';
import { HandOrTieSign } from '../../../kit/components/handOrTieSign.tsx';
import { formatSignedMoney, formatMoneyWithMinus } from '../../../kit/text/formatSignedMoney.ts';
import { kitStrings } from '../../../kit/text/strings.ts';
import { rulingStringKey } from '../../../kit/text/rulingStringKey.ts';
import { clickHandlerWithBlur } from '../../components/usePageKeys.ts';
import { type MatrixColumn } from '../rulingColumns.ts';
import { RowFilterBar, type RowFilterState } from './rowFilter.tsx';
import { returnedAmount, rulingDifference, maxUnfilteredRows, totalsOfRows } from './terminalRows.ts';
import { VirtualList } from './virtualList.tsx';
import { rulingStrings } from '../strings.ts';

/**
 * Winner under a ruling. Without a winner, one text instead: why the ruling is impossible, which cards must still be
 * entered, or what the ruling does.
 */
function RulingOutcome({ column }: { readonly column: MatrixColumn }) {
  const t = rulingStrings();
  const { ruling, winner, totals, not, command } = column;
  if (winner !== null && totals !== null) {
    const totalTexts = { player: String(totals.player), banker: String(totals.banker) };
    return (
      <HandOrTieSign side={winner}>
        {promptText({ code: `result-${winner}`, with: totalTexts, by: null })}
      </HandOrTieSign>
    );
  }
  if (not !== null && command !== null) return <>{staffRefusalText(not, t.cannot)}</>;
  if (ruling === 'void') return <>{column.round === 'void' ? t.backAll : '–'}</>;
  if (ruling === 'reconstruct') return <>{t.keyOrder}</>;
  if (ruling === 'correct') return <>{t.keyCard}</>;
  return <>{ruling === 'stand' ? t.undecided : t.noWinner}</>;
}

function signersText({ first, second, command }: Pick<MatrixColumn, 'first' | 'second' | 'command'>): string {
  const t = rulingStrings();
  const roles = kitStrings().roles;
  if (command === null && first === 'none') return '–';
  const firstRole = roles[first] ?? first;
  return second === null ? t.alone(firstRole) : t.both(firstRole, roles[second] ?? second);
}

type Props = {
  readonly view: SupervisorView;
  readonly columns: readonly MatrixColumn[];
  readonly rows: readonly TerminalRulingRow[];
  readonly chosen: string | undefined;
  readonly choose?: (ruling: string) => void;
  readonly isProposed?: boolean;
  readonly rowFilter: RowFilterState;
};

/** Table of the ruling options side by side, with their effect on each terminal. */
export function RulingMatrixTable({ view, columns, rows, chosen, choose, isProposed = false, rowFilter }: Props) {
  const t = rulingStrings();
  const isFiltered = rows.length > maxUnfilteredRows;
  const { shown } = rowFilter;
  const rulings = columns.map(({ ruling }) => ruling);
  const columnClass = ({ ruling, command }: MatrixColumn): string =>
    `${ruling === chosen ? ' pick' : ''}${command === null && ruling !== chosen ? ' no' : ''}`;
  const factRow = (name: string, cell: (column: MatrixColumn) => ComponentChildren, more = '') => (
    <>
      <div class="lab">{name}</div>
      {columns.map((column) => (
        <div key={column.ruling} class={`col${columnClass(column)} wrap ${more}`}>
          {cell(column)}
        </div>
      ))}
    </>
  );
  const terminalRow = (one: TerminalRulingRow) => (
    <>
      <div class="tid" data-terminal={one.terminal}>
        {one.terminal}
        {(one.disconnected || rowFilter.offlineTerminals.has(one.terminal)) && (
          <span class="tag attn">{t.connectionLost}</span>
        )}
      </div>
      <div class="m">{formatMoney(one.staked)}</div>
      {columns.map((column) => {
        const back = returnedAmount(one, column.ruling);
        const isDifferent = column.ruling === chosen && rulingDifference(one, column.ruling) !== 0;
        return (
          <div
            key={column.ruling}
            class={`m col${columnClass(column)}${isDifferent ? ' chg' : ''}`}
            data-ruling={column.ruling}
          >
            {back === null ? '–' : formatMoney(back)}
            {back !== null && column.ruling !== 'refer' && <small>{formatSignedMoney(back - one.staked)}</small>}
          </div>
        );
      })}
    </>
  );
  const totalRow = (name: string, summedRows: readonly TerminalRulingRow[], className: string) => {
    const { staked, back } = totalsOfRows(summedRows, rulings);
    return (
      <>
        <div class={`tid ${className}`}>{name}</div>
        <div class={`m ${className}`}>{formatMoney(staked)}</div>
        {columns.map((column) => {
          const all = back[column.ruling] ?? null;
          return (
            <div key={column.ruling} class={`m col ${className}${columnClass(column)}`}>
              {all === null ? '–' : formatMoney(all)}
              {all !== null && column.ruling !== 'refer' && <small>{formatSignedMoney(all - staked)}</small>}
            </div>
          );
        })}
      </>
    );
  };
  return (
    <section
      class={`panel matrix${isFiltered ? ' many' : rows.length === 0 ? ' bare' : ''}${isProposed ? ' two' : ''}`}
      style={{ '--n': columns.length }}
      aria-label={t.does}
      data-testid="matrix"
    >
      <div class="lab hd">{t.does}</div>
      {columns.map((column) => (
        <button
          key={column.ruling}
          type="button"
          class={`col hd${columnClass(column)}`}
          data-column={column.ruling}
          aria-pressed={column.ruling === chosen}
          disabled={choose === undefined || column.keyName === null}
          onClick={clickHandlerWithBlur(() => choose?.(column.ruling))}
        >
          {column.keyName !== null && <KeyCap>{column.keyName}</KeyCap>}
          {t.names[rulingStringKey(column)] ?? column.ruling}
          {column.command === null && column.ruling === 'stand' && <span class="tag">{t.compare}</span>}
        </button>
      ))}
      {factRow(
        t.outcome,
        (column) => (
          <RulingOutcome column={column} />
        ),
        'big',
      )}
      {factRow(t.round, ({ round }) => t.facts[round] ?? round)}
      {factRow(t.shoe, ({ shoe }) => t.shoeFacts[shoe] ?? shoe)}
      {factRow(t.clause, ({ by }) => (by === null ? t.noClause : <ClauseTag by={by} />))}
      {factRow(t.actor, signersText)}
      {isFiltered && <RowFilterBar state={rowFilter} rows={rows} />}
      {rows.length > 0 && (
        <>
          <div class="th">{t.terminal}</div>
          <div class="th m">{t.staked}</div>
          {columns.map((column) => (
            <div key={column.ruling} class={`th m col${columnClass(column)}`}>
              {column.ruling === 'refer' ? t.stays : t.back}
            </div>
          ))}
        </>
      )}
      {isFiltered ? (
        <VirtualList rows={shown} renderRow={terminalRow} label={t.terminal} />
      ) : rows.length === 0 ? (
        <p class="whole q">{view.bets === 'chips' ? t.chips : '–'}</p>
      ) : (
        rows.map(terminalRow)
      )}
      {isFiltered && shown.length !== rows.length && totalRow(t.these(shown.length), shown, 'sum2')}
      {rows.length > 0 && (
        <>
          {totalRow(t.all(rows.length), rows, 'sum')}
          <div class="tid q">{t.house}</div>
          <div class="m" />
          {columns.map((column) => (
            <div key={column.ruling} class={`m col${columnClass(column)} end`} data-house={column.ruling}>
              {column.house === null ? '–' : formatMoneyWithMinus(column.house.sign * column.house.amount)}
              <small />
            </div>
          ))}
        </>
      )}
    </section>
  );
}
