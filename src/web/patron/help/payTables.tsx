import { useEffect } from 'preact/hooks';
import { percentText } from '../../../odds/sheetFigures.ts';
import { formatMoney } from '../../../base/formatMoney.ts';
import { type PayLine, type Wager } from '../../../rules/wager.ts';
import { type Spot } from '../../../wire/tableView.ts';
import { BilingualText } from '../../shared/text/bilingualText.tsx';
import { payLineOddsText } from '../../shared/text/oddsText.ts';
import { bilingualWagerName } from '../../shared/text/gameNames.ts';
import { localizedPayTableRows } from '../../shared/text/payTable.ts';
import { startChancesAndEdgesJob, chancesAndEdges } from './oddsJob.ts';
import { type HelpProps } from './helpProps.ts';
import { helpStrings } from './strings.ts';

const mains: { readonly [wager: string]: string } = { player: '闲', banker: '庄', tie: '和' };

function Name({ wager, name }: Pick<Spot, 'wager' | 'name'>) {
  return (
    <>
      {wager in mains && <i class={`pay-mark is-${wager}`} aria-hidden="true" />}
      <BilingualText {...bilingualWagerName(wager, name)} />
    </>
  );
}

/** Odds of a pay line, such as "0.95 : 1". If a commission applies, the odds before commission follow. */
function Odds({ line }: { line: PayLine }) {
  const t = helpStrings();
  if (line.pays === 'push') return <>{t.stakeBack}</>;
  const { commission } = line;
  return (
    <>
      {payLineOddsText(line)}
      {commission && (
        <small>{t.commission(`${line.pays[0]} : ${line.pays[1]}`, `${commission[0]}/${commission[1]}`)}</small>
      )}
    </>
  );
}

/** Chance, house edge and return of a wager, in cells that span the rows of all its pay lines. */
function OddsCells({ wager, rows }: { wager: string; rows: number }) {
  const figures = chancesAndEdges.value;
  const figure = figures === 'failed' ? undefined : figures?.[wager];
  const text = (part: number | undefined): string => (part === undefined ? '…' : percentText(part, 2));
  const edge = figure?.edge;
  return (
    <>
      <td rowSpan={rows} class="pay-chance">
        {text(figure?.chance)}
      </td>
      <td rowSpan={rows} class="pay-edge">
        <span class="edge-bar" style={{ '--e': Math.min((edge ?? 0) / 0.31, 1) }} />
        {text(edge)}
      </td>
      <td rowSpan={rows} class="pay-back">
        {text(edge === undefined ? undefined : 1 - edge)}
      </td>
    </>
  );
}

/** True for the pay line that returns stakes on a tie. This line is shown last. */
const isTiePush = ({ when, pays }: PayLine): boolean =>
  pays === 'push' && when.winner === 'tie' && Object.keys(when).length === 1;

function Lines({ spot, wager }: { spot: Spot; wager: Wager }) {
  const cases = localizedPayTableRows(wager);
  const lines = wager.lines.map((line, n) => ({ line, when: cases[n]![0] }));
  const shown = [...lines.filter(({ line }) => !isTiePush(line)), ...lines.filter(({ line }) => isTiePush(line))];
  return (
    <tbody data-pays={spot.wager}>
      {shown.map(({ line, when }, n) => (
        <tr key={when} class={n === 0 ? 'is-first' : undefined}>
          {n === 0 && (
            <th scope="rowgroup" rowSpan={wager.lines.length}>
              <Name {...spot} />
            </th>
          )}
          <td class="pay-when">{when}</td>
          <td class={line.pays === 'push' ? 'pay-push' : 'pay-odds'}>
            <Odds line={line} />
          </td>
          <td class="pay-rule">{line.by}</td>
          {n === 0 && <OddsCells wager={spot.wager} rows={wager.lines.length} />}
        </tr>
      ))}
    </tbody>
  );
}

export function PayTables({ view, game }: HelpProps) {
  const t = helpStrings();
  const { decks } = view;
  const { version } = view.game;
  useEffect(() => startChancesAndEdgesJob(version, decks), [version, decks]);
  return (
    <>
      <table class="paytable">
        <thead>
          <tr>
            <th scope="col">{t.wager}</th>
            <th scope="col">{t.winsWhen}</th>
            <th scope="col">{t.pays}</th>
            <th scope="col" class="pay-rule">
              {t.clause}
            </th>
            <th scope="col">{t.chance}</th>
            <th scope="col">{t.edge}</th>
            <th scope="col" class="pay-back">
              {t.back}
            </th>
          </tr>
        </thead>
        {view.layout.map((spot) => (
          <Lines key={spot.wager} spot={spot} wager={game.wagers[spot.wager]!} />
        ))}
      </table>
      <p class="help-note" role="status">
        {t.otherwise}{' '}
        {chancesAndEdges.value === undefined
          ? t.counting
          : chancesAndEdges.value === 'failed'
            ? t.notCounted
            : t.exact(decks)}
      </p>
    </>
  );
}

/** Table of the minimum and maximum of every spot, and of the minimum of the whole slip. */
export function BetLimitsTable({ view }: HelpProps) {
  const t = helpStrings();
  return (
    <>
      <table class="paytable">
        <thead>
          <tr>
            <th scope="col">{t.spot}</th>
            <th scope="col">{t.minimum}</th>
            <th scope="col">{t.maximum}</th>
          </tr>
        </thead>
        <tbody>
          {view.layout.map((spot) => (
            <tr key={spot.wager} class="is-first">
              <th scope="row">
                <Name {...spot} />
              </th>
              <td>{formatMoney(spot.minimum)}</td>
              <td>{formatMoney(spot.maximum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="help-note">
        {t.totalMinimum}: {formatMoney(view.totalMinimum)}. {t.step}: {formatMoney(view.step)}. {t.limitsText}
      </p>
    </>
  );
}
