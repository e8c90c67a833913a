import { type ComponentChildren } from 'preact';
import { formatMoney } from '../../../../../base/formatMoney.ts';
import { type PatronRow, type SupervisorView } from '../../../../../wire/staff/supervisorView.ts';
import { ClauseTag } from '../../../kit/components/clauseTag.tsx';
import { Kbd } from '../../../kit/input/keyCap.tsx';
import { staffRefusalText } from '../../../kit/text/refusalText.ts';
import { promptText } from '../../../kit/text/promptText.ts';
import { HandSign } from '../../../kit/components/handSign.tsx';
import { signedMoney, sumMoney } from '../../../kit/text/signedMoney.ts';
import { kitStrings as kitWords } from '../../../kit/text/strings.ts';
import { touched } from '../../parts/usePageKeys.ts';
import { type Column } from '../rulingColumns.ts';
import { FilterRow, type RowFilterState } from './rowFilter.tsx';
import { backOf, differenceOf, fewRows, sumRows } from './terminalRows.ts';
import { Window } from './virtualList.tsx';
import { rulingStrings } from '../strings.ts';

/** Who wins by a ruling, or what it waits for. */
function Outcome({ column }: { readonly column: Column }) {
  const t = rulingStrings();
  const { ruling, winner, totals, not, command } = column;
  if (winner !== null && totals !== null) {
    const given = { player: String(totals.player), banker: String(totals.banker) };
    return <HandSign side={winner}>{promptText({ code: `result-${winner}`, with: given, by: null })}</HandSign>;
  }
  if (not !== null && command !== null) return <>{staffRefusalText(not, t.cannot)}</>;
  if (ruling === 'void') return <>{t.backAll}</>;
  if (ruling === 'reconstruct') return <>{t.keyOrder}</>;
  if (ruling === 'correct') return <>{t.keyCard}</>;
  return <>{ruling === 'stand' ? t.undecided : t.nobody}</>;
}

/** Whose it is. */
function whoText({ first, second, command }: Pick<Column, 'first' | 'second' | 'command'>): string {
  const t = rulingStrings();
  const posts = kitWords().posts;
  if (command === null && first === 'none') return '–';
  const one = posts[first] ?? first;
  return second === null ? t.alone(one) : t.both(one, posts[second] ?? second);
}

type Form = {
  readonly view: SupervisorView;
  readonly columns: readonly Column[];
  readonly rows: readonly PatronRow[];
  readonly chosen: string | undefined;
  readonly choose?: (ruling: string) => void;
  readonly isTwo?: boolean;
  readonly finding: RowFilterState;
};

/** All rulings side by side, with what each leads to for every terminal. */
export function Matrix({ view, columns, rows, chosen, choose, isTwo = false, finding }: Form) {
  const t = rulingStrings();
  const isMany = rows.length > fewRows;
  const { shown } = finding;
  const rulings = columns.map(({ ruling }) => ruling);
  const kind = ({ ruling, command }: Column): string =>
    `${ruling === chosen ? ' pick' : ''}${command === null && ruling !== chosen ? ' no' : ''}`;
  const line = (name: string, cell: (column: Column) => ComponentChildren, more = '') => (
    <>
      <div class="lab">{name}</div>
      {columns.map((column) => (
        <div key={column.ruling} class={`col${kind(column)} wrap ${more}`}>
          {cell(column)}
        </div>
      ))}
    </>
  );
  const row = (one: PatronRow) => (
    <>
      <div class="tid" data-terminal={one.terminal}>
        {one.terminal}
        {(one.lost || finding.away.has(one.terminal)) && <span class="tag attn">{t.lostLink}</span>}
      </div>
      <div class="m">{formatMoney(one.staked)}</div>
      {columns.map((column) => {
        const back = backOf(one, column.ruling);
        const isFar = column.ruling === chosen && differenceOf(one, column.ruling) !== 0;
        return (
          <div key={column.ruling} class={`m col${kind(column)}${isFar ? ' chg' : ''}`} data-ruling={column.ruling}>
            {back === null ? '–' : formatMoney(back)}
            {back !== null && column.ruling !== 'refer' && <small>{signedMoney(back - one.staked)}</small>}
          </div>
        );
      })}
    </>
  );
  const sum = (name: string, some: readonly PatronRow[], how: string) => {
    const { staked, back } = sumRows(some, rulings);
    return (
      <>
        <div class={`tid ${how}`}>{name}</div>
        <div class={`m ${how}`}>{formatMoney(staked)}</div>
        {columns.map((column) => {
          const all = back[column.ruling] ?? null;
          return (
            <div key={column.ruling} class={`m col ${how}${kind(column)}`}>
              {all === null ? '–' : formatMoney(all)}
              {all !== null && column.ruling !== 'refer' && <small>{signedMoney(all - staked)}</small>}
            </div>
          );
        })}
      </>
    );
  };
  return (
    <section
      class={`panel matrix${isMany ? ' many' : rows.length === 0 ? ' bare' : ''}${isTwo ? ' two' : ''}`}
      style={{ '--n': columns.length }}
      aria-label={t.does}
      data-testid="matrix"
    >
      <div class="lab hd">{t.does}</div>
      {columns.map((column) => (
        <button
          key={column.ruling}
          type="button"
          class={`col hd${kind(column)}`}
          data-column={column.ruling}
          aria-pressed={column.ruling === chosen}
          disabled={choose === undefined || column.keyName === null}
          onClick={touched(() => choose?.(column.ruling))}
        >
          {column.keyName !== null && <Kbd>{column.keyName}</Kbd>}
          {t.names[column.ruling] ?? column.ruling}
          {column.command === null && column.ruling === 'stand' && <span class="tag">{t.compare}</span>}
        </button>
      ))}
      {line(
        t.outcome,
        (column) => (
          <Outcome column={column} />
        ),
        'big',
      )}
      {line(t.round, ({ round }) => t.facts[round] ?? round)}
      {line(t.shoe, ({ shoe }) => t.shoeFacts[shoe] ?? shoe)}
      {line(t.clause, ({ by }) => (by === null ? t.noClause : <ClauseTag by={by} />))}
      {line(t.who, whoText)}
      {isMany && <FilterRow finding={finding} rows={rows} />}
      {rows.length > 0 && (
        <>
          <div class="th">{t.terminal}</div>
          <div class="th m">{t.staked}</div>
          {columns.map((column) => (
            <div key={column.ruling} class={`th m col${kind(column)}`}>
              {column.ruling === 'refer' ? t.stays : t.back}
            </div>
          ))}
        </>
      )}
      {isMany ? (
        <Window rows={shown} draw={row} label={t.terminal} />
      ) : rows.length === 0 ? (
        <p class="whole q">{view.bets === 'chips' ? t.chips : '–'}</p>
      ) : (
        rows.map(row)
      )}
      {isMany && shown.length !== rows.length && sum(t.these(shown.length), shown, 'sum2')}
      {rows.length > 0 && (
        <>
          {sum(t.all(rows.length), rows, 'sum')}
          <div class="tid q">{t.house}</div>
          <div class="m" />
          {columns.map((column) => (
            <div key={column.ruling} class={`m col${kind(column)} end`} data-house={column.ruling}>
              {column.house === null ? '–' : sumMoney(column.house.sign * column.house.amount)}
              <small />
            </div>
          ))}
        </>
      )}
    </section>
  );
}
