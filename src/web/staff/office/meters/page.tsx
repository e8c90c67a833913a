import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type ReturnDeviation, returnDeviationOf } from '../../../../odds/returnDeviation.ts';
import { formatMoney, formatShortMoney } from '../../../../base/formatMoney.ts';
import { type GameMeters, type WagerTotal } from '../../../../wire/staff/roundTypes.ts';
import { gameByVersionedId } from '../../../shared/text/oddsText.ts';
import { bilingualShortGameName, wagerName } from '../../../shared/text/gameNames.ts';
import { language } from '../../../shared/text/language.ts';
import { useQuery } from '../../kit/useQuery.ts';
import { PageFrame } from '../components/pageFrame.tsx';
import { kitStrings } from '../../kit/text/strings.ts';
import { KeyCap } from '../../kit/input/keyCap.tsx';
import { formatMoneyWithMinus } from '../../kit/text/formatSignedMoney.ts';
import { usePageKeys } from '../components/usePageKeys.ts';
import { metersCsv } from './metersCsv.ts';
import { DailyDeviationChart, ControlChart, standardDeviationsText } from './controlChart.tsx';
import { type ExpectedReturns, requestExpectedReturns, expectedReturnsByGame } from './expectedReturn.ts';
import { metersStrings } from './strings.ts';

const chosenGame = signal('');
const chosenWager = signal('');
const meterKey = ({ game, decks }: GameMeters): string => `${game}/${decks}`;

export type MeterRow = {
  readonly wager: string;
  readonly name: string;
  readonly total: WagerTotal;
  readonly control: ReturnDeviation | undefined;
};

/** Meters page. It shows the actual return of each wager beside the exact expected return. */
export function Page() {
  const t = metersStrings();
  const result = useQuery<{ readonly games: readonly GameMeters[] }>('meters', {}, 15_000);
  const games = result.state === 'loaded' ? result.data.games : [];
  const game = games.find((one) => meterKey(one) === chosenGame.value) ?? games[0];
  const theory = game && expectedReturnsByGame.value.get(meterKey(game));
  useEffect(() => {
    if (game) requestExpectedReturns(game.game, game.decks);
  }, [game && meterKey(game)]);
  const rows = game ? meterRows(game, theory) : [];
  const selected = rows.find(({ wager }) => wager === chosenWager.value) ?? rows[0];
  useMeterKeys(rows, selected, () => game && download(metersCsv(game, rows), `${game.game}-${game.decks}.csv`));
  return (
    <PageFrame name="meters">
      <h1 class="spoken">{kitStrings().nav['meters']}</h1>
      <section class="panel query" aria-label={t.games}>
        {games.map((each) => {
          const definition = gameByVersionedId(each.game);
          const isOn = each === game;
          return (
            <button
              key={meterKey(each)}
              type="button"
              class={`fchip${isOn ? ' on' : ''}`}
              aria-pressed={isOn}
              title={t.tables(each.tables.join(', '))}
              onClick={() => (chosenGame.value = meterKey(each))}
            >
              <b>
                {bilingualShortGameName(each.game.split('@', 1)[0]!, definition?.name ?? each.game)[language.value]}
              </b>
              , {t.decks(each.decks)}
            </button>
          );
        })}
        <span class="grow" />
        <span class="legend2">
          <span>
            <i class="dot" />
            {t.actual}
          </span>
          <span>
            <i class="two" />
            {t.two}
          </span>
          <span>
            <i class="three" />
            {t.three}
          </span>
        </span>
        <button
          type="button"
          class="btn small"
          disabled={game === undefined}
          onClick={() => game && download(metersCsv(game, rows), `${game.game}-${game.decks}.csv`)}
        >
          {t.csv} <KeyCap>X</KeyCap>
        </button>
      </section>
      <section class="panel list" tabIndex={0} aria-label={t.bands}>
        <table class="g met">
          <thead>
            <tr>
              <th>{t.wager}</th>
              <th class="num">{t.stakes}</th>
              <th class="num">{t.coinIn}</th>
              <th class="num">{t.theory}</th>
              <th class="num">{t.found}</th>
              <th class="mid">{t.bands}</th>
              <th class="num">{t.deviations}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.wager} row={row} isChosen={row === selected} />
            ))}
          </tbody>
        </table>
        {result.state === 'loaded' && rows.length === 0 && <p class="q pad-in">{t.none}</p>}
        {rows.length > 0 && theory === undefined && <p class="q pad-in">{t.counting}</p>}
      </section>
      <div class="stack">
        {game && selected && theory?.[selected.wager] && (
          <DailyDeviationChart game={game} row={selected} odds={theory[selected.wager]!} />
        )}
        {game && <CumulativeMeters meters={game.meters} />}
      </div>
    </PageFrame>
  );
}

/** Rows of the wagers, in the order of the game. */
function meterRows({ game, wagers }: GameMeters, theory: ExpectedReturns | undefined): readonly MeterRow[] {
  const definition = gameByVersionedId(game);
  const order = Object.keys(definition?.wagers ?? wagers);
  return order
    .filter((wager) => Object.hasOwn(wagers, wager))
    .map((wager) => ({
      wager,
      name: wagerName(wager, definition?.wagers[wager]?.name ?? wager),
      total: wagers[wager]!,
      control: theory?.[wager] && returnDeviationOf(wagers[wager]!, theory[wager]),
    }));
}

function useMeterKeys(rows: readonly MeterRow[], selected: MeterRow | undefined, save: () => void): void {
  usePageKeys((key) => {
    const by = key === 'J' || key === 'ArrowDown' ? 1 : key === 'K' || key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      const index = rows.findIndex((row) => row === selected) + by;
      chosenWager.value = rows[Math.max(0, Math.min(index, rows.length - 1))]?.wager ?? '';
    } else if (key === 'X') save();
    else return false;
    return true;
  });
}

function download(text: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const percent = (part: number): string => (100 * part).toFixed(2);

function Row({ row, isChosen }: { readonly row: MeterRow; readonly isChosen: boolean }) {
  const { wager, name, total, control } = row;
  return (
    <tr class={isChosen ? 'on' : ''} onClick={() => (chosenWager.value = wager)}>
      <td>
        <b>{name}</b>
      </td>
      <td class="num q">{total.stakes}</td>
      <td class="num">{formatShortMoney(total.staked)}</td>
      <td class="num q">{control ? percent(control.theory) : '–'}</td>
      <td class="num">
        <b>{control ? percent(control.actual) : '–'}</b>
      </td>
      <td class="mid">{control && <ControlChart control={control} />}</td>
      <td class={`num zz${control && Math.abs(control.z) > 2 ? ' out' : ''}`}>
        {control ? standardDeviationsText(control.z) : '–'}
      </td>
    </tr>
  );
}

function CumulativeMeters({ meters }: { readonly meters: GameMeters['meters'] }) {
  const t = metersStrings();
  const { coinIn, voided, coinOut, reversed } = meters;
  return (
    <section class="panel">
      <header>
        <h2>{t.grow}</h2>
      </header>
      <table class="g">
        <tbody>
          {(Object.keys(t.meters) as (keyof typeof t.meters)[]).map((name) => (
            <tr key={name}>
              <td class="q">{t.meters[name]}</td>
              <td class="num">{formatMoney(meters[name])}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>
              {t.house} <span class="qq">{t.how}</span>
            </td>
            <td class="num">{formatMoneyWithMinus(coinIn - voided - coinOut + reversed)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
