import { formatShortMoney } from '../../../../base/formatMoney.ts';
import { type FloorTableRow, type WorkItem } from '../../../../wire/staff/floorView.ts';
import { language } from '../../../shared/text/language.ts';
import { bilingualShortGameName } from '../../../shared/text/gameNames.ts';
import { CardText } from '../../kit/components/card.tsx';
import { formatMoneyWithMinus } from '../../kit/text/formatSignedMoney.ts';
import { durationText } from '../../kit/text/timeText.ts';
import { navigate } from '../../app/router.ts';
import { staffServerSecondMs } from '../../app/state.ts';
import { floorStrings } from './strings.ts';

const phases = ['idle', 'betting', 'closing', 'dealing', 'result'] as const;

/** The page height is divided among at least this many rows. Otherwise the rows of a short list would be too high. */
const minRows = 12;

type Props = {
  readonly tables: readonly FloorTableRow[];
  readonly waiting: readonly WorkItem[];
  readonly selected: number;
  readonly choose: (selected: number) => void;
};

export function TableList({ tables, waiting, selected, choose }: Props) {
  const t = floorStrings();
  const waitingTables = new Set(waiting.map(({ table }) => table));
  return (
    <section
      class="panel tables list"
      tabIndex={0}
      aria-label={t.list}
      style={{ '--rows': Math.max(minRows, tables.length) }}
    >
      <table class="g">
        <thead>
          <tr>
            <th>{t.table}</th>
            <th>{t.phase}</th>
            <th class="num">{t.round}</th>
            <th>{t.cards}</th>
            <th class="num">{t.slips}</th>
            <th>{t.shoe}</th>
            <th class="num">{t.perHour}</th>
            <th class="num">{t.turnover}</th>
            <th class="num">{t.win}</th>
            <th>{t.dealer}</th>
          </tr>
        </thead>
        <tbody>
          {tables.map((table, n) => (
            <Row
              key={table.table}
              table={table}
              isWaiting={waitingTables.has(table.table)}
              isSelected={n === selected}
              choose={() => choose(n)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

type RowProps = {
  readonly table: FloorTableRow;
  readonly isWaiting: boolean;
  readonly isSelected: boolean;
  readonly choose: () => void;
};

function Row({ table, isWaiting, isSelected, choose }: RowProps) {
  const t = floorStrings();
  const { game, bets, number, slips, terminals, offline, shoe, roundsPerHour, turnover, win, dealer } = table;
  const address = `/floor/${encodeURIComponent(table.table)}`;
  const name = bilingualShortGameName(game.version.split('@', 1)[0]!, game.name)[language.value];
  return (
    <tr
      class={`${isWaiting ? 'on' : ''}${isSelected ? ' at' : ''}`}
      onClick={choose}
      onDblClick={() => navigate(address)}
    >
      <td>
        <a href={address}>
          <b>{table.table}</b>
        </a>
        <small>
          {name}
          {bets === 'chips' && ` · ${t.chips}`}
        </small>
      </td>
      <td class="ph">
        <Phase table={table} />
      </td>
      <td class="num">{number ?? ''}</td>
      <td class="deal">
        <Hand sign="闲" mark="pp" hand={table.player} />
        <Hand sign="庄" mark="bb" hand={table.banker} />
      </td>
      <td class="num">
        {bets === 'terminals' && (
          <>
            {slips}
            <span class="qq">/{terminals}</span> {offline > 0 && <span class="off">{t.off(offline)}</span>}
          </>
        )}
      </td>
      <td>
        {shoe && (
          <span
            class={`bar-m${shoe.locked ? ' lock' : ''}`}
            role="img"
            aria-label={`${t.shoe} ${shoe.out}/${shoe.size}`}
          >
            <i style={{ width: `${Math.round((100 * shoe.out) / shoe.size)}%` }} />
          </span>
        )}
      </td>
      <td class="num">{roundsPerHour}</td>
      <td class="num">{formatShortMoney(turnover)}</td>
      <td class="num">{formatMoneyWithMinus(win.sign * win.amount)}</td>
      <td class="q who-at">{dealer ?? '–'}</td>
    </tr>
  );
}

function Hand({
  sign,
  mark,
  hand,
}: {
  readonly sign: string;
  readonly mark: 'pp' | 'bb';
  readonly hand: FloorTableRow['player'];
}) {
  if (hand === null || hand.cards.length === 0) return null;
  return (
    <span class={mark}>
      <em>
        {sign} {hand.total}
      </em>
      {hand.cards.map((card, n) => (
        <span key={n}>
          <CardText card={card} />{' '}
        </span>
      ))}
    </span>
  );
}

/**
 * Phase of a table: five marks, of which that of the current phase is lit, and the name of the phase. While the table
 * is stopped or its shoe is locked, a tag says so instead of the name.
 */
function Phase({ table: { phase, stopped, shoe, deadline } }: { readonly table: FloorTableRow }) {
  const t = floorStrings();
  const current = phases.findIndex((one) => one === phase);
  const state = stopState(stopped?.kind, shoe?.locked ?? false);
  const time = stopped
    ? durationText(staffServerSecondMs.value - stopped.since)
    : deadline === null
      ? ''
      : durationText(Math.max(0, deadline - staffServerSecondMs.value));
  return (
    <>
      <span class={`mt${state === undefined ? '' : ' stop'}`} aria-hidden="true">
        {phases.map((one, n) => (
          <i key={one} class={n < current ? 'done' : n === current ? 'on' : ''} />
        ))}
      </span>
      <span class="row">
        {state === undefined ? (
          <span>{phase === null ? t.phases.notOpen : t.phases[phase]}</span>
        ) : (
          <span class={`tag ${state === 'locked' ? 'attn' : 'full'}`}>{t.phases[state]}</span>
        )}
        <time>{time}</time>
      </span>
    </>
  );
}

function stopState(
  kind: string | undefined,
  isLocked: boolean,
): 'stopped' | 'interrupted' | 'referred' | 'broken' | 'cannot-record' | 'locked' | undefined {
  if (kind === undefined) return isLocked ? 'locked' : undefined;
  if (kind === 'interruption') return 'interrupted';
  return kind === 'referred' || kind === 'broken' || kind === 'cannot-record' ? kind : 'stopped';
}
